// What return and notification of change codes mean for credits that we originated: a table that takes no action. It
// includes the ISO 20022 status codes with the same meaning.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace drawbridge::nacha {

enum class ReturnAction {
    block_account,     // bad account: pay nothing more to it until the payee's record changes
    stop_case,         // deceased, frozen or sanctioned: pay nothing more for that case until a person has looked
    ask_payee,         // the receiver refused it
    pause_everything,  // the bank reports a duplicate: an incident
    fix_data,          // our entry was wrong: correct the data, then pay again
    payment_ended,     // recalled
    escalate,          // a network issue
    not_for_credits,   // only debits are returned with it: the payment is unchanged
    disputed,          // dishonored or contested: between the banks, never a second return
};

struct ReturnCode {
    std::string_view code;     // "R03"
    std::string_view meaning;  // "no account, or unable to locate it"
    ReturnAction action = ReturnAction::escalate;
};

// The return classes that Nacha counts against an originator (Operating Rules, 2.17).
enum class ReturnClass {
    unauthorized,    // R05, R07, R10, R11, R29, R51
    administrative,  // R02, R03, R04, and their ISO 20022 equivalents
    overall,         // every return
};
[[nodiscard]] std::string_view to_string(ReturnClass what);  // "unauthorized"
// `overall` for a code of neither class.
[[nodiscard]] ReturnClass return_class(std::string_view code);
// The return rate above which Nacha inquires, in thousandths of the entries.
[[nodiscard]] int return_limit_per_mille(ReturnClass what);

// Whether this is R or C and two digits, which Nacha's codes of returns and of notifications of change are.
[[nodiscard]] bool has_nacha_form(std::string_view code);
// nullopt for an unknown code: the payment must then stay unchanged.
[[nodiscard]] std::optional<ReturnCode> find_return_code(std::string_view code);
// The same, but R17 with the word QUESTIONABLE in what the bank wrote about the return is another reason: the receiving
// bank found the account invalid and suspects fraud.
[[nodiscard]] std::optional<ReturnCode> find_return_code(std::string_view code, std::string_view text);
// Whether the bank takes no payment for this account, however it is written. After other codes that reject an account
// (R03, R04, R20, R28, AC01, AC03), another spelling or type of it may be the right one.
[[nodiscard]] bool rejects_every_spelling(std::string_view code);
// Whether a return with this code takes the money back.
[[nodiscard]] bool ends_payment(ReturnAction action);
// What a person should do, as a sentence without its period.
[[nodiscard]] std::string_view what_to_do(ReturnAction action);

// The payee fields that a notification of change may correct.
enum class PayeeField { routing_number, account_number, account_type, name };
[[nodiscard]] std::string_view to_string(PayeeField field);  // "routing_number"

struct ChangeCode {
    std::string_view code;              // "C01"
    std::string_view corrected;         // "account number"
    bool is_refused = false;            // C61-C69: a refused notification of change, between the banks
    std::vector<PayeeField> changed{};  // empty: nothing in the payee's record
};
[[nodiscard]] bool changes(const ChangeCode& code, PayeeField field);
[[nodiscard]] std::optional<ChangeCode> find_change_code(std::string_view code);

}  // namespace drawbridge::nacha
