#include <algorithm>

#include "corrected_data.hpp"
#include "drawbridge/domain/bank_numbers.hpp"
#include "drawbridge/nacha/describe.hpp"
#include "record_text.hpp"
#include "sec_code.hpp"

namespace drawbridge::nacha {

namespace {

// Keeps at most the last four digits, and never more than half.
std::string masked(std::string_view account) {
    const std::size_t shown = std::min<std::size_t>(4, account.size() / 2);
    return "****" + std::string(account.substr(account.size() - shown));
}

std::string without(std::string text, std::string_view account) {
    constexpr std::size_t least = 4;  // fewer would hide years and sums
    if (account.size() < least) return text;
    const std::string mask = masked(account);
    for (auto at = text.find(account); at != std::string::npos; at = text.find(account, at + mask.size()))
        text.replace(at, account.size(), mask);
    return text;
}

// Masks numbers of five digits and more, except the last four.
std::string without_long_numbers(std::string_view text) {
    std::string shown;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && is_digit(text[end]))
            ++end;
        const bool is_long = end - at > 4;
        shown += is_long ? "****" + std::string(text.substr(end - 4, 4)) : std::string(text.substr(at, end - at));
        if (end < text.size()) shown += text[end++];
        at = end;
    }
    return shown;
}

// Collapses runs of spaces.
std::string squeezed(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c != ' ' || (!out.empty() && out.back() != ' ')) out += c;
    }
    if (out.ends_with(' ')) out.pop_back();
    return out;
}

bool has_other_peoples_numbers(std::string_view sec_code) {
    return sec_code == "DNE" || sec_code == "ENR" || sec_code == "IAT" || sec_code == "COR";
}

}  // namespace

ShownEntry Masking::entry(const Record& record) {
    EntryDetail entry = entry_of(record);
    account_ = std::string(trimmed(entry.dfi_account_number));
    hides_digits_ = has_other_peoples_numbers(record.sec_code);
    return {.transaction_code = entry.transaction_code,
            .kind = describe_transaction_code(entry.transaction_code),
            .routing_number = entry.receiving_dfi_identification + entry.check_digit,
            .account = masked(account_),
            .amount = entry.amount,
            .identification = without(std::move(entry.individual_identification), account_),
            .name = without(std::move(entry.individual_name), account_),
            .trace_number = std::move(entry.trace_number)};
}

ShownAddenda Masking::addenda(const Record& record) const {
    const Addenda addenda = addenda_of(record);
    ShownAddenda shown{
        .type = std::string(slice(record.text, 2, 2)), .code = {}, .original_trace_number = {}, .text = {}};
    if (const auto* payment = std::get_if<PaymentAddenda>(&addenda)) {
        shown.text = payment->payment_related_information;
    } else if (const auto* change = std::get_if<ChangeAddenda>(&addenda)) {
        shown.code = change->change_code;
        shown.original_trace_number = change->original_entry_trace_number;
        shown.text = corrects_account(change->change_code) ? "(an account number, not shown)" : change->corrected_data;
        return shown;
    } else if (const auto* returned = std::get_if<ReturnAddenda>(&addenda)) {
        shown.code = returned->return_reason_code;
        shown.original_trace_number = returned->original_entry_trace_number;
        if (!returned->date_of_death.empty()) shown.text = "date " + returned->date_of_death;
        if (!returned->date_of_death.empty() && !returned->addenda_information.empty()) shown.text += ", ";
        shown.text += returned->addenda_information;
    } else {
        const bool is_terminal = shown.type == "02";
        shown.text = squeezed(slice(record.text, 4, is_terminal ? 76 : 80));
    }
    shown.text = without(std::move(shown.text), account_);
    if (hides_digits_ && shown.type != "99") shown.text = without_long_numbers(shown.text);
    return shown;
}

}  // namespace drawbridge::nacha
