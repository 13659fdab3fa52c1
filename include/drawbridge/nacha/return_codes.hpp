// What the codes of returns and notifications of change mean for credits that we originated: a table, and nothing that
// acts. Codes of ISO 20022 payment statuses that say the same stand in it too.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace drawbridge::nacha {

enum class ReturnAction {
    block_account,     // the account is bad: nothing more is paid there until the payee's record changes
    stop_case,         // deceased, frozen or sanctioned: nothing more is paid for that case before a person has looked
    ask_payee,         // the receiver refused it
    pause_everything,  // the bank says that it came twice: an incident
    fix_data,          // our entry was wrong: mend the data, then pay again
    payment_ended,     // recalled
    escalate,          // a matter of the network
    cannot_happen,     // only debits come back so: the payment is left as it is
    disputed,          // dishonored or contested: between the banks, never a second return
};

struct ReturnCode {
    std::string_view code;     // "R03"
    std::string_view meaning;  // "no account, or unable to locate it"
    ReturnAction action = ReturnAction::escalate;
};

// The classes in which Nacha counts returns against an originator (Operating Rules, 2.17).
enum class ReturnClass {
    unauthorized,    // R05, R07, R10, R11, R29, R51
    administrative,  // R02, R03, R04, and their forms in ISO 20022
    overall,         // every return
};
[[nodiscard]] std::string_view to_string(ReturnClass what);  // "unauthorized"
// `overall` for a code of neither class.
[[nodiscard]] ReturnClass return_class(std::string_view code);
// The rate above which Nacha asks questions, in thousandths of the entries.
[[nodiscard]] int return_limit_per_mille(ReturnClass what);

// Nothing for a code that is not in the table: the payment must then be left as it is.
[[nodiscard]] std::optional<ReturnCode> find_return_code(std::string_view code);
// True where a return with this code takes the money back.
[[nodiscard]] bool ends_payment(ReturnAction action);
// What a person is to do, as a sentence without its full stop.
[[nodiscard]] std::string_view what_to_do(ReturnAction action);

// What of a payee a notification of change may correct.
enum class PayeeField { routing_number, account_number, account_type, name };
[[nodiscard]] std::string_view to_string(PayeeField field);  // "routing_number"

struct ChangeCode {
    std::string_view code;              // "C01"
    std::string_view corrected;         // "account number"
    bool is_refused = false;            // C61-C69: a notification that was refused, between the banks
    std::vector<PayeeField> changed{};  // empty: nothing of the payee's record
};
[[nodiscard]] bool changes(const ChangeCode& code, PayeeField field);
[[nodiscard]] std::optional<ChangeCode> find_change_code(std::string_view code);

}  // namespace drawbridge::nacha
