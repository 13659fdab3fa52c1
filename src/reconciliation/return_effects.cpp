#include "drawbridge/reconciliation/return_effects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/domain/banking_calendar.hpp"

namespace drawbridge::reconciliation {
namespace {

using nacha::PayeeField;
using nacha::ReturnAction;

// Nacha gives an originator six banking days to apply a notification of change.
constexpr int correction_banking_days = 6;

ReturnEffects effects_of_return(const Confirmation& line, std::string_view subject) {
    ReturnEffects effects;
    const auto code = nacha::find_return_code(line.reason_code, line.note);
    if (!code) return effects;
    switch (code->action) {
        case ReturnAction::block_account:
            effects.hold_account = true;
            effects.holds_every_spelling = nacha::rejects_every_spelling(line.reason_code);
            break;
        case ReturnAction::stop_case:
            effects.stop_case = true;
            effects.reason_code = "case_stopped";
            effects.detail = fmt::format(
                "{} {}{}: nothing more is paid for this case or payee until this exception is resolved: escalate",
                line.reason_code, code->meaning, line.note.empty() ? std::string() : " (" + line.note + ")");
            break;
        case ReturnAction::pause_everything:
            effects.pause_because = fmt::format("{} {}: {}", line.reason_code, code->meaning, subject);
            effects.reason_code = "duplicate_entry_returned";
            effects.detail = fmt::format(
                "the bank reports that this payment came twice ({}): all money movement is paused: find out what went "
                "out twice, then run 'drawbridge resume --reason …'",
                line.reason_code);
            break;
        case ReturnAction::ask_payee:
        case ReturnAction::fix_data:
        case ReturnAction::payment_ended:
        case ReturnAction::escalate:
        case ReturnAction::not_for_credits:
        case ReturnAction::disputed: break;
    }
    return effects;
}

// The bank has a file or batch twice. The first one may be paid, so none of its payments may be paid again.
ReturnEffects effects_on_file(const Confirmation& line, std::string_view subject) {
    auto effects = effects_of_return(line, subject);
    if (effects.pause_because.empty()) return {};
    effects.detail = fmt::format(
        "the bank rejects {} as a duplicate ({}), so it may have paid the one that came first: all money movement is "
        "paused: find out what the bank received twice and which payments it made, then run 'drawbridge resume "
        "--reason …'",
        line.payment_reference.empty() ? "a file" : line.payment_reference, line.reason_code);
    return effects;
}

// "****6789": corrected data may contain account numbers, which can have letters too, so people see it masked.
std::string masked(std::string_view data, bool is_account) {
    const auto is_hidden = [is_account](char c) { return is_account ? is_letter_or_digit(c) : is_digit(c); };
    const std::size_t shown = std::min<std::size_t>(4, data.size() / 2);
    std::string text;
    for (std::size_t i = 0; i < data.size(); ++i)
        text += i + shown < data.size() && is_hidden(data[i]) ? '*' : data[i];
    return text;
}

struct AccountPositions {
    std::string_view code;
    std::size_t begin, transaction_code;  // in the corrected data, from 0
};
constexpr std::array accounts_with_code = {AccountPositions{"C06", 0, 20}, AccountPositions{"C07", 9, 26}};

bool is_transaction_code(std::string_view text) {
    return text.size() == 2 && std::ranges::all_of(text, is_digit);
}

// A transaction code and a routing number are no secret. Banks differ on the positions: if the transaction code is not
// in its own, all of the data is masked.
std::string shown_data(const Confirmation& line, bool is_account) {
    const std::string_view data = line.corrected_data;
    if (line.reason_code == "C05" && is_transaction_code(data)) return std::string(data);
    const auto* at = std::ranges::find(accounts_with_code, line.reason_code, &AccountPositions::code);
    if (at == accounts_with_code.end() || data.size() < at->transaction_code ||
        !is_transaction_code(data.substr(at->transaction_code)))
        return masked(data, is_account);
    std::string_view account = data.substr(at->begin, at->transaction_code - at->begin);
    account = account.substr(0, account.find_last_not_of(' ') + 1);
    return fmt::format("{}{}{}", data.substr(0, at->begin), masked(account, is_account),
                       data.substr(at->begin + account.size()));
}

std::string what_to_correct(const std::optional<nacha::ChangeCode>& code, bool has_value, std::string_view payee_key,
                            BusinessDate apply_by) {
    if (!code) return ": this program does not know the code: ask the bank what to change";
    if (code->changed.empty()) {
        return fmt::format(
            ": payees.csv is correct and nothing is on hold: ask the bank how to write '{}', and have the "
            "configuration changed",
            code->corrected);
    }
    return fmt::format("{} into payees.csv, payee '{}', by {}; until then the payee's payments are on hold",
                       has_value ? ": put it" : ", but gives no value: ask it for the right one, and put that",
                       payee_key, format_date(apply_by));
}

ReturnEffects effects_of_change(const Confirmation& line, std::string_view what, std::string_view payee_key) {
    const auto code = nacha::find_change_code(line.reason_code);
    const BusinessDate apply_by = BankingCalendar().add(line.date, correction_banking_days);
    ReturnEffects effects;
    effects.reason_code = "payee_correction";
    if (code) {
        effects.apply_by = apply_by;
        effects.hold_fields = code->changed;
        effects.hold_account =
            std::ranges::any_of(code->changed, [](PayeeField field) { return field != PayeeField::name; });
    }
    const bool is_account = !code || nacha::changes(*code, PayeeField::account_number);
    effects.detail = fmt::format("the {} went through, but the bank corrects its data: {} {}", what, line.reason_code,
                                 code ? code->corrected : std::string_view("an unknown change"));
    if (!line.corrected_data.empty()) {
        effects.detail += fmt::format(", now '{}' (the bank's file has it in full)", shown_data(line, is_account));
    }
    effects.detail += what_to_correct(code, !line.corrected_data.empty(), payee_key, apply_by);
    return effects;
}

}  // namespace

bool is_return_again(const Match& match) {
    if (match.confirmation.kind != ConfirmationKind::returned || !match.payment_id) return false;
    return match.outcome == MatchOutcome::duplicate ||
           (match.outcome == MatchOutcome::exception && match.reason_code == settled_differently);
}

ReturnEffects effects_of(const Match& match, std::string_view subject, std::string_view payee_key) {
    const auto& line = match.confirmation;
    if (line.amount_source == AmountSource::file) return effects_on_file(line, subject);
    if (line.kind == ConfirmationKind::returned && match.outcome == MatchOutcome::applied)
        return effects_of_return(line, subject);
    if (is_return_again(match)) {
        auto effects = effects_of_return(line, subject);
        if (match.outcome == MatchOutcome::duplicate && effects.hold_account) {
            effects.reason_code = "returned";
            effects.detail = fmt::format("{}: {}", match.detail, nacha::what_to_do(ReturnAction::block_account));
        }
        return effects;
    }
    if (line.kind == ConfirmationKind::corrected && match.outcome == MatchOutcome::recorded)
        return effects_of_change(line, match.payment_id ? "payment" : "prenote", payee_key);
    return {};
}

}  // namespace drawbridge::reconciliation
