#include "drawbridge/nacha/return_codes.hpp"

#include <algorithm>
#include <array>

#include "drawbridge/domain/ascii.hpp"

namespace drawbridge::nacha {
namespace {

using enum ReturnAction;

constexpr std::array return_codes = {
    ReturnCode{"R01", "insufficient funds", not_for_credits},
    ReturnCode{"R02", "account closed", block_account},
    ReturnCode{"R03", "no account, or unable to locate it", block_account},
    ReturnCode{"R04", "invalid account number", block_account},
    ReturnCode{"R05", "unauthorized debit to a consumer account", not_for_credits},
    ReturnCode{"R06", "returned at the request of the ODFI", payment_ended},
    ReturnCode{"R07", "authorization revoked", not_for_credits},
    ReturnCode{"R08", "payment stopped", not_for_credits},
    ReturnCode{"R09", "uncollected funds", not_for_credits},
    ReturnCode{"R10", "not authorized", not_for_credits},
    ReturnCode{"R11", "entry not in accordance with the authorization", not_for_credits},
    ReturnCode{"R12", "account sold to another institution", block_account},
    ReturnCode{"R13", "RDFI not qualified to participate", block_account},
    ReturnCode{"R14", "representative payee deceased or unable to continue", stop_case},
    ReturnCode{"R15", "beneficiary or account holder deceased", stop_case},
    ReturnCode{"R16", "account frozen", stop_case},
    ReturnCode{"R17", "file record edit criteria", fix_data},
    ReturnCode{"R18", "improper effective entry date", fix_data},
    ReturnCode{"R19", "amount field error", fix_data},
    ReturnCode{"R20", "non-transaction account", block_account},
    ReturnCode{"R21", "invalid company identification", fix_data},
    ReturnCode{"R22", "invalid individual id number", fix_data},
    ReturnCode{"R23", "credit refused by the receiver", ask_payee},
    ReturnCode{"R24", "duplicate entry", pause_everything},
    ReturnCode{"R25", "addenda error", fix_data},
    ReturnCode{"R26", "mandatory field error", fix_data},
    ReturnCode{"R27", "trace number error", fix_data},
    ReturnCode{"R28", "routing number check digit error", block_account},
    ReturnCode{"R29", "corporate customer advises not authorized", not_for_credits},
    ReturnCode{"R30", "RDFI not participant in check truncation", not_for_credits},
    ReturnCode{"R31", "permissible late return", payment_ended},
    ReturnCode{"R32", "RDFI non-settlement", escalate},
    ReturnCode{"R33", "return of an XCK entry", not_for_credits},
    ReturnCode{"R34", "limited participation of the RDFI", escalate},
    ReturnCode{"R35", "improper debit entry", not_for_credits},
    ReturnCode{"R36", "improper credit entry", not_for_credits},
    ReturnCode{"R37", "source document presented for payment", not_for_credits},
    ReturnCode{"R38", "stop payment on a source document", not_for_credits},
    ReturnCode{"R39", "improper source document", not_for_credits},
    ReturnCode{"R40", "return of an enrollment entry", not_for_credits},
    ReturnCode{"R41", "invalid transaction code of an enrollment", not_for_credits},
    ReturnCode{"R42", "routing number of an enrollment", not_for_credits},
    ReturnCode{"R43", "account number of an enrollment", not_for_credits},
    ReturnCode{"R44", "individual id of an enrollment", not_for_credits},
    ReturnCode{"R45", "name of an enrollment", not_for_credits},
    ReturnCode{"R46", "representative payee of an enrollment", not_for_credits},
    ReturnCode{"R47", "duplicate enrollment", not_for_credits},
    ReturnCode{"R50", "state law on re-presented checks", not_for_credits},
    ReturnCode{"R51", "re-presented check not eligible", not_for_credits},
    ReturnCode{"R52", "stop payment on a re-presented check", not_for_credits},
    ReturnCode{"R53", "item and its entry both presented", not_for_credits},
    ReturnCode{"R61", "misrouted return", disputed},
    ReturnCode{"R62", "return of an erroneous or reversing debit", disputed},
    ReturnCode{"R67", "duplicate return", disputed},
    ReturnCode{"R68", "untimely return", disputed},
    ReturnCode{"R69", "field errors of a return", disputed},
    ReturnCode{"R70", "permissible return not accepted", disputed},
    ReturnCode{"R71", "misrouted dishonored return", disputed},
    ReturnCode{"R72", "untimely dishonored return", disputed},
    ReturnCode{"R73", "timely original return", disputed},
    ReturnCode{"R74", "corrected return", disputed},
    ReturnCode{"R75", "return not a duplicate", disputed},
    ReturnCode{"R76", "no errors found", disputed},
    ReturnCode{"R77", "non-acceptance of a dishonored return", disputed},
    ReturnCode{"R80", "cross-border coding error", not_for_credits},
    ReturnCode{"R81", "not a participant in cross-border payments", not_for_credits},
    ReturnCode{"R82", "invalid foreign RDFI identification", not_for_credits},
    ReturnCode{"R83", "foreign RDFI unable to settle", not_for_credits},
    ReturnCode{"R84", "not processed by the gateway", not_for_credits},
    ReturnCode{"R85", "incorrectly coded cross-border payment", escalate},
    ReturnCode{"R90", "sanctions", stop_case},
    // ISO 20022
    ReturnCode{"AC01", "incorrect account number", block_account},
    ReturnCode{"AC03", "invalid creditor account number", block_account},
    ReturnCode{"AC04", "closed account", block_account},
    ReturnCode{"AC06", "blocked account", stop_case},
    ReturnCode{"AC07", "closed creditor account", block_account},
    ReturnCode{"AM05", "duplicate", pause_everything},
    ReturnCode{"DU01", "duplicate message", pause_everything},
    ReturnCode{"DU02", "duplicate batch", pause_everything},
    ReturnCode{"DU03", "duplicate transaction", pause_everything},
    ReturnCode{"DU04", "duplicate end-to-end id", pause_everything},
    ReturnCode{"DU05", "duplicate instruction id", pause_everything},
    ReturnCode{"DUPL", "duplicate payment", pause_everything},
    ReturnCode{"MD07", "end customer deceased", stop_case},
    ReturnCode{"RC01", "incorrect bank identifier", block_account},
    ReturnCode{"CUST", "requested by the customer", payment_ended},
    ReturnCode{"FOCR", "following a cancellation request", payment_ended},
};

using enum PayeeField;

const std::array change_codes = {
    ChangeCode{"C01", "account number", false, {account_number}},
    ChangeCode{"C02", "routing number", false, {routing_number}},
    ChangeCode{"C03", "routing number and account number", false, {routing_number, account_number}},
    ChangeCode{"C04", "name", false, {name}},
    ChangeCode{"C05", "transaction code (checking or savings)", false, {account_type}},
    ChangeCode{"C06", "account number and transaction code", false, {account_number, account_type}},
    ChangeCode{"C07",
               "routing number, account number and transaction code",
               false,
               {routing_number, account_number, account_type}},
    ChangeCode{"C08", "foreign RDFI identification", false, {}},
    ChangeCode{"C09", "individual identification number", false, {}},
    ChangeCode{"C13", "addenda format", false, {}},
    ChangeCode{"C14", "SEC code of a cross-border payment", false, {}},
};

}  // namespace

std::string_view to_string(ReturnClass what) {
    switch (what) {
        case ReturnClass::unauthorized: return "unauthorized";
        case ReturnClass::administrative: return "administrative";
        case ReturnClass::overall: return "overall";
    }
    return {};
}

ReturnClass return_class(std::string_view code) {
    constexpr std::array<std::string_view, 6> unauthorized = {"R05", "R07", "R10", "R11", "R29", "R51"};
    constexpr std::array<std::string_view, 7> administrative = {"R02", "R03", "R04", "AC01", "AC03", "AC04", "AC07"};
    if (std::ranges::find(unauthorized, code) != unauthorized.end()) return ReturnClass::unauthorized;
    if (std::ranges::find(administrative, code) != administrative.end()) return ReturnClass::administrative;
    return ReturnClass::overall;
}

int return_limit_per_mille(ReturnClass what) {
    switch (what) {
        case ReturnClass::unauthorized: return 5;
        case ReturnClass::administrative: return 30;
        case ReturnClass::overall: return 150;
    }
    return 0;
}

bool has_nacha_form(std::string_view code) {
    return code.size() == 3 && (code[0] == 'R' || code[0] == 'C') && all_digits(code.substr(1));
}

std::optional<ReturnCode> find_return_code(std::string_view code) {
    const auto found = std::ranges::find(return_codes, code, &ReturnCode::code);
    if (found != return_codes.end()) return *found;
    // Other codes in the two ranges that concern only the banks.
    if (code.size() == 3 && code >= "R61" && code <= "R77")
        return ReturnCode{code, "dishonored or contested return", disputed};
    return std::nullopt;
}

std::optional<ReturnCode> find_return_code(std::string_view code, std::string_view text) {
    if (code == "R17" && uppercase(text).contains("QUESTIONABLE"))
        return ReturnCode{code, "QUESTIONABLE, an invalid account and suspected fraud: verify who gave its details",
                          block_account};
    return find_return_code(code);
}

bool rejects_every_spelling(std::string_view code) {
    // R17 rejects an account only if fraud is suspected.
    constexpr std::array<std::string_view, 6> codes = {"R02", "R12", "R13", "R17", "AC04", "AC07"};
    return std::ranges::find(codes, code) != codes.end();
}

bool ends_payment(ReturnAction action) {
    return action != not_for_credits && action != disputed;
}

std::string_view what_to_do(ReturnAction action) {
    switch (action) {
        case block_account:
            return "Drawbridge pays nothing more to that account: get new bank details, enter them in payees.csv, then "
                   "'drawbridge resolve ID --reissue --reason …'";
        case stop_case:
            return "Drawbridge pays nothing more for this case, payee or account until the exception 'case_stopped' "
                   "is resolved: escalate";
        case ask_payee:
            return "ask the payee why, then 'drawbridge resolve ID --reissue --reason …' or cancel the draw";
        case pause_everything:
            return "money movement is paused: find out what was sent twice before 'drawbridge resume --reason …'";
        case fix_data:
            return "our entry was wrong: correct the data, then 'drawbridge resolve ID --reissue --reason …'";
        case payment_ended: return "it was recalled: decide whether to pay again";
        case escalate: return "a network issue: ask the bank before paying again";
        case not_for_credits:
            return "credits are not returned with this code: ask the bank what it means; the payment is unchanged";
        case disputed: return "an issue between the banks: ask yours; the payment is unchanged";
    }
    return "ask the bank";
}

std::string_view to_string(PayeeField field) {
    switch (field) {
        case routing_number: return "routing_number";
        case account_number: return "account_number";
        case account_type: return "account_type";
        case name: return "name";
    }
    return "name";
}

bool changes(const ChangeCode& code, PayeeField field) {
    return std::ranges::find(code.changed, field) != code.changed.end();
}

std::optional<ChangeCode> find_change_code(std::string_view code) {
    const auto found = std::ranges::find(change_codes, code, &ChangeCode::code);
    if (found != change_codes.end()) return *found;
    if (code.size() == 3 && code >= "C61" && code <= "C69") return ChangeCode{code, "refused notification", true, {}};
    return std::nullopt;
}

}  // namespace drawbridge::nacha
