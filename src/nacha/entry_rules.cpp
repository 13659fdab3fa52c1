#include "entry_rules.hpp"

#include <cstring>
#include <optional>

#include "drawbridge/domain/assigned_routing.hpp"
#include "transaction_code.hpp"

namespace drawbridge::nacha {

namespace {

constexpr Place transaction_code_place{"transaction code", 2, 2};
constexpr Place receiving_dfi_place{"receiving DFI identification", 4, 8};
constexpr Place check_digit_place{"check digit", 12, 1};
constexpr Place amount_place{"amount", 30, 10};
constexpr Place advice_amount_place{"amount", 28, 12};
constexpr Place indicator_place{"addenda record indicator", 79, 1};
constexpr Place trace_place{"trace number", 80, 15};

// Weights 3 7 1 3 7 1 3 7 for the eight digits and 1 for the check digit: the sum must be a multiple of ten. Every
// second digit is in a 16-bit lane; the highest lane of the product is the sum of the lanes times the weights in
// reverse order.
bool fits_check_digit(const char* identification, char check_digit) {
    constexpr std::uint64_t lanes = 0x000F000F000F000F;
    constexpr std::uint64_t weights_of_first = 0x0003'0001'0007'0003, weights_of_second = 0x0007'0003'0001'0007;
    std::uint64_t digits = 0;
    std::memcpy(&digits, identification, 8);
    const std::uint64_t sum =
        ((digits & lanes) * weights_of_first >> 48) + ((digits >> 8 & lanes) * weights_of_second >> 48);
    return (sum + static_cast<std::uint64_t>(check_digit - '0')) % 10 == 0;
}

std::string fifteen_digits(std::int64_t trace_number) {
    std::string text = std::to_string(trace_number);
    text.insert(0, 15 - text.size(), '0');
    return text;
}

void copy_record(char* to, const char* from) {
    for (const std::size_t at : {0UZ, 16UZ, 32UZ, 48UZ, 64UZ, record_length - 16}) {
        const Sixteen part = sixteen_at(from + at);
        std::memcpy(to + at, &part, sizeof part);
    }
}

// Where the entry names the receiver. IAT entries name it in their addenda; some forms have a card or an item there.
std::optional<Place> name_place(EntryForm form) {
    switch (form) {
        case EntryForm::plain:
        case EntryForm::check:
        case EntryForm::pop:
        case EntryForm::adv: return Place{"individual name", 55, 22};
        case EntryForm::counted: return Place{"receiving company name", 59, 16};
        case EntryForm::cie: return Place{"individual name", 40, 15};
        case EntryForm::shr:
        case EntryForm::trc:
        case EntryForm::iat: return std::nullopt;
    }
    return std::nullopt;
}

bool is_reversal_or_reclaim(std::string_view description) {
    const std::string_view words = unpadded(description);
    return words == "REVERSAL" || words == "RECLAIM";
}

}  // namespace

void EntryCheck::begin_batch(const BatchContext& context) {
    context_ = context;
    allows_both_sides_ = is_reversal_or_reclaim(context.company_entry_description);
    const std::string_view odfi = context.odfi_identification;
    odfi_identification_ = all_digits(odfi) ? number(odfi) : -1;
    line_ = 0;
    last_trace_number_ = -1;
}

void EntryCheck::begin(std::size_t line, std::string_view record, Form form) {
    copy_record(record_.data(), record.data());
    line_ = line;
    form_ = form;
    if (form.is_readable()) read_numbers(record);
    const EntryForm layout = context_.sec == nullptr ? EntryForm::plain : form_of(*context_.sec, record);
    counts_addenda_ = layout == EntryForm::counted || layout == EntryForm::iat;
    is_return_ = is_change_ = false;
    addenda_ = payments_ = remittances_ = correspondents_ = 0;
    iat_types_ = 0;
    last_iat_type_ = '0';
}

void EntryCheck::read_numbers(std::string_view record) {
    const char* const at = record.data() - 1;
    transaction_code_ = (at[2] - '0') * 10 + (at[3] - '0');
    identification_ = known_number<8>(at + 4);
    has_right_check_digit_ = fits_check_digit(at + 4, at[12]);
    if (context_.layout == BatchLayout::adv) {
        amount_cents_ = known_number<12>(at + 28);
        return;  // an advice has no trace number
    }
    amount_cents_ = known_number<10>(at + 30);
    trace_number_ = known_number<15>(at + 80);
}

void EntryCheck::end(ProblemList& problems, TraceSet& file_traces) {
    const bool is_as_announced = form_.is_printable() && check_addenda_presence(problems);
    if (form_.is_readable()) {
        check_transaction_code(problems);
        check_receiving_bank(problems);
        check_amount(problems);
        check_name(problems);
        check_trace(problems, file_traces);
        if (is_as_announced) check_addenda_count(problems);
    }
    line_ = 0;
}

// Compares the entry's addenda indicator with the addenda that followed.
bool EntryCheck::check_addenda_presence(ProblemList& problems) const {
    const char indicator = record_[78];
    const bool is_missing = indicator == '1' && addenda_ == 0, is_unannounced = indicator == '0' && addenda_ != 0;
    if (is_missing)
        report(problems, line_, indicator_place, "is 1, but no addenda record follows", Severity::unreadable);
    // A return or notification of change may repeat the indicator of the original entry.
    if (is_unannounced)
        report(problems, line_, indicator_place, "is 0, but an addenda record follows",
               is_answer() ? Severity::warning : Severity::unreadable);
    const bool is_as_announced = !is_missing && !is_unannounced;
    if (!counts_addenda_ || !form_.is_readable()) return is_as_announced;
    const bool is_iat = context_.layout == BatchLayout::iat;
    const Place place{"number of addenda", is_iat ? std::size_t{13} : std::size_t{55}, 4};
    const auto announced = number(slice(record(), place.position, place.length));
    if (announced == addenda_) return is_as_announced;
    // A return or notification of change may repeat the count of the original entry.
    const Severity otherwise = is_iat ? Severity::error : Severity::unreadable;
    report(problems, line_, place, std::to_string(announced) + ", but " + std::to_string(addenda_) + " follow",
           is_answer() ? Severity::warning : otherwise);
    return is_as_announced;
}

void EntryCheck::check_transaction_code(ProblemList& problems) const {
    if (context_.layout == BatchLayout::adv) return;
    const bool is_credit = direction_of(transaction_code_) == Direction::credit;
    if ((context_.service_class == 220 && !is_credit) || (context_.service_class == 225 && is_credit)) {
        report(problems, line_, transaction_code_place,
               "a " + std::string(is_credit ? "credit" : "debit") + " in a batch of " +
                   (is_credit ? "debits (225)" : "credits (220)"));
    }
    const bool has_answer_code = is_return_or_change(transaction_code_);
    if (is_answer()) {
        if (!has_answer_code)
            report(problems, line_, transaction_code_place,
                   "for a return or notification of change it must end with 1 or 6", Severity::warning);
        return;
    }
    if (has_answer_code && code() != "DNE")
        report(problems, line_, transaction_code_place,
               "means a return or notification of change, but no addenda record of type 98 or 99 follows");
    check_code_for_sec(problems);
}

// Reports one fault of the routing number: the first that shows why it is invalid.
void EntryCheck::check_receiving_bank(ProblemList& problems) const {
    const Severity severity = is_answer() ? Severity::warning : Severity::error;
    const auto first_two = static_cast<int>(identification_ / 1'000'000);
    if (identification_ == 0) return report(problems, line_, receiving_dfi_place, "must not be only zeros", severity);
    if (!is_assigned_routing(first_two))
        return report(problems, line_, receiving_dfi_place,
                      "no routing number begins with " + std::to_string(first_two), severity);
    if (form_.is_clean() && !has_right_check_digit_)
        report(problems, line_, check_digit_place, "does not match the receiving DFI identification");
}

void EntryCheck::check_code_for_sec(ProblemList& problems) const {
    if (context_.sec == nullptr || is_return_or_change(transaction_code_)) return;
    const SecCode& sec = *context_.sec;
    const auto refuse = [&](const std::string& what) {
        report(problems, line_, transaction_code_place,
               std::to_string(transaction_code_) + ": " + std::string(sec.code) + " entries " + what);
    };
    if (!sec.transaction_codes.empty() && !sec.transaction_codes.contains(std::to_string(transaction_code_)))
        return refuse("have one of " + std::string(sec.transaction_codes));
    if (is_zero_dollar(transaction_code_) && !sec.may_be_zero_dollar) return refuse("carry no zero-dollar remittance");
    const bool is_credit = direction_of(transaction_code_) == Direction::credit;
    if (allows_both_sides_) return;
    if (sec.side == Side::debits && is_credit) refuse("are debits");
    if (sec.side == Side::credits && !is_credit) refuse("are credits");
    if (transaction_code_ == 55)
        report(problems, line_, transaction_code_place, "55: a loan is debited only to reverse a credit",
               Severity::warning);
}

void EntryCheck::check_amount(ProblemList& problems) const {
    if (context_.layout == BatchLayout::adv) {
        if (amount_cents_ == 0) report(problems, line_, advice_amount_place, "is zero", Severity::warning);
        return;
    }
    if (amount_cents_ == 0) {
        const bool may_be_zero = is_prenote(transaction_code_) || is_zero_dollar(transaction_code_) || is_answer() ||
                                 is_return_or_change(transaction_code_) ||
                                 (context_.sec != nullptr && context_.sec->is_always_zero);
        if (!may_be_zero) report(problems, line_, amount_place, "a live entry must not be zero");
        return;
    }
    const auto refuse = [&](const std::string& what) { report(problems, line_, amount_place, what); };
    if (is_change_ || code() == "COR") return refuse("must be zero for a notification of change");
    if (is_return_) return;
    if (is_prenote(transaction_code_)) return refuse("must be zero for a prenote");
    if (is_zero_dollar(transaction_code_)) return refuse("must be zero for a zero-dollar entry");
    if (context_.sec == nullptr) return;
    if (context_.sec->is_always_zero) return refuse("must be zero for " + std::string(code()) + " entries");
    if (context_.sec->max_cents != 0 && amount_cents_ > context_.sec->max_cents)
        refuse("exceeds " + cents_text(context_.sec->max_cents) + ", the maximum for a " + std::string(code()) +
               " entry");
}

void EntryCheck::check_name(ProblemList& problems) const {
    if (context_.sec == nullptr || is_answer()) return;
    const auto place = name_place(form_of(*context_.sec, record()));
    if (!place) return;
    const std::string_view name = slice(record(), place->position, place->length);
    const bool is_required = context_.sec->is_name_required;
    if (is_required && is_blank(name)) report(problems, line_, *place, "must be filled in");
    if (is_only_zeros(name))
        report(problems, line_, *place, "must not be only zeros", is_required ? Severity::error : Severity::warning);
    constexpr Place cie_identification{"individual identification", 55, 22};
    if (context_.sec->form == EntryForm::cie && is_blank(slice(record(), 55, 22)))
        report(problems, line_, cie_identification, "should be filled in", Severity::warning);
}

void EntryCheck::check_trace(ProblemList& problems, TraceSet& file_traces) {
    if (context_.layout == BatchLayout::adv) return;
    // Returns from several banks may share a batch, in any order.
    const Severity severity = is_answer() ? Severity::warning : Severity::error;
    if (odfi_identification_ >= 0 && trace_number_ / 10'000'000 != odfi_identification_)
        report(problems, line_, trace_place, "does not begin with the batch's ODFI identification", severity);
    if (trace_number_ <= last_trace_number_) {
        report(problems, line_, trace_place,
               "must be greater than " + fifteen_digits(last_trace_number_) + ", the one before it in the batch",
               severity);
        return;
    }
    if (!is_answer() && !file_traces.insert(static_cast<std::uint64_t>(trace_number_)))
        report(problems, line_, trace_place, fifteen_digits(trace_number_) + " is already in the file",
               Severity::warning);
    last_trace_number_ = trace_number_;
}

void EntryCheck::check_addenda_count(ProblemList& problems) const {
    if (context_.sec == nullptr || is_return_) return;
    const SecCode& sec = *context_.sec;
    const auto refuse = [&](const std::string& what) {
        report(problems, line_, indicator_place, what + ", but it has " + std::to_string(addenda_));
    };
    if (is_change_) {
        if (addenda_ != 1) refuse("a notification of change must have one addenda record");
        return;
    }
    if (sec.form == EntryForm::iat) {
        constexpr unsigned mandatory = 0x7F;
        if ((iat_types_ & mandatory) != mandatory)
            refuse("an IAT entry must have addenda records of each type from 10 to 16");
        return;
    }
    const auto entry_has = [&](const char* what) { return "a " + std::string(sec.code) + " entry has " + what; };
    if (addenda_ > sec.max_addenda)
        refuse(entry_has(sec.max_addenda == 0   ? "no addenda record"
                         : sec.max_addenda == 1 ? "at most one addenda record"
                                                : "at most 9,999 addenda records"));
    if (addenda_ < sec.min_addenda) refuse(entry_has("an addenda record"));
    if (is_zero_dollar(transaction_code_) && addenda_ == 0 && code() != "ACK")
        report(problems, line_, indicator_place, "a zero-dollar entry carries remittance in its addenda records",
               Severity::warning);
}

}  // namespace drawbridge::nacha
