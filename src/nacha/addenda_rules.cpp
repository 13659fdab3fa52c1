// Checks an entry's addenda records against each other and against their entry.
#include <algorithm>
#include <cstring>

#include "corrected_data.hpp"
#include "drawbridge/nacha/return_codes.hpp"
#include "entry_rules.hpp"
#include "payment_text.hpp"

namespace drawbridge::nacha {

namespace {

constexpr Place type_place{"addenda type code", 2, 2};
constexpr Place trace_place{"trace number", 80, 15};
constexpr Place original_trace_place{"original entry trace number", 7, 15};
constexpr Place original_dfi_place{"original receiving DFI", 28, 8};

bool has_form(std::string_view code, char letter) {
    return code.size() == 3 && code[0] == letter && all_digits(code.substr(1));
}

}  // namespace

void EntryCheck::add_addenda(ProblemList& problems, std::size_t line, std::string_view record, Form form) {
    ++addenda_;
    const AddendaType type = addenda_type_of(record);
    if (type == AddendaType::change && (code() == "COR" || context_.layout == BatchLayout::iat)) is_change_ = true;
    if (type == AddendaType::returned) is_return_ = true;
    if (!has_type_of_batch(record)) check_addenda_type(problems, line, slice(record, 2, 2), type);
    if (!form.is_readable()) return;
    switch (type) {
        case AddendaType::payment: return check_payment_addenda(problems, line, record);
        case AddendaType::change: return check_change_addenda(problems, line, record);
        case AddendaType::returned: return check_return_addenda(problems, line, record);
        case AddendaType::terminal: return check_terminal_addenda(problems, line, record);
        case AddendaType::iat: return check_iat_addenda(problems, line, record);
        case AddendaType::unknown: return;
    }
}

// Whether the record has the addenda type that the batch's entries carry.
bool EntryCheck::has_type_of_batch(std::string_view record) const {
    if (context_.sec == nullptr || context_.sec->addenda_type.empty()) return false;
    return std::memcmp(context_.sec->addenda_type.data(), record.data() + 1, 2) == 0;
}

void EntryCheck::check_addenda_type(ProblemList& problems, std::size_t line, std::string_view text,
                                    AddendaType type) const {
    const bool is_iat = context_.layout == BatchLayout::iat;
    const bool is_iat_type = type == AddendaType::iat;
    const auto refuse = [&](const std::string& what) { report(problems, line, type_place, what); };
    if (type == AddendaType::returned) return;
    if (type == AddendaType::change) {
        if (code() != "COR" && !is_iat) refuse("98 belongs in a COR batch");
        return;
    }
    if (type == AddendaType::unknown) return refuse("'" + std::string(text) + "' is not one of 02 05 10-18 98 99");
    if (context_.sec == nullptr || (is_iat && is_iat_type)) return;
    const std::string wanted = context_.sec->addenda_type.empty() ? "99" : std::string(context_.sec->addenda_type);
    refuse("'" + std::string(text) + "': for " + std::string(code()) + " entries it must be " +
           (is_iat ? "10 to 18" : wanted));
}

void EntryCheck::check_sequence(ProblemList& problems, std::size_t line, std::string_view record,
                                std::int64_t expected) const {
    const std::int64_t written = number(record, 84, 4);
    if (written != expected)
        report(problems, line, {"addenda sequence number", 84, 4},
               std::to_string(written) + " must be " + std::to_string(expected));
}

void EntryCheck::check_entry_sequence(ProblemList& problems, std::size_t line, std::string_view record) const {
    if (!form_.is_readable() || std::memcmp(record.data() + 87, record_.data() + 87, 7) == 0) return;
    report(problems, line, {"entry detail sequence number", 88, 7},
           "must be the last seven digits of the entry's trace number");
}

void EntryCheck::check_payment_addenda(ProblemList& problems, std::size_t line, std::string_view record) {
    check_sequence(problems, line, record, ++payments_);
    check_entry_sequence(problems, line, record);
    if (const auto fault = payment_text_fault(code(), slice(record, 4, 80)))
        report(problems, line, {"payment related information", 4, 80}, *fault, Severity::warning);
}

void EntryCheck::check_iat_addenda(ProblemList& problems, std::size_t line, std::string_view record) {
    const char type = record[2];
    const unsigned bit = 1U << static_cast<unsigned>(type - '0');
    const auto refuse = [&](const std::string& what) { report(problems, line, type_place, what); };
    if (type < last_iat_type_) refuse("types 10 to 18 must be in ascending order");
    if (type <= '6' && (iat_types_ & bit) != 0) refuse("a second addenda record of type 1" + std::string(1, type));
    iat_types_ |= bit;
    last_iat_type_ = std::max(last_iat_type_, type);
    if (type == '7') {
        check_sequence(problems, line, record, ++remittances_);
        if (remittances_ == 3) refuse("at most two addenda records of type 17");
    }
    if (type == '8') {
        check_sequence(problems, line, record, ++correspondents_);
        if (correspondents_ == 6) refuse("at most five addenda records of type 18");
    }
    // A return repeats the addenda of the entry that it answers, with its own trace number.
    const int kind = transaction_code_ % 10;
    if (kind != 1 && kind != 6) check_entry_sequence(problems, line, record);
}

void EntryCheck::check_terminal_addenda(ProblemList& problems, std::size_t line, std::string_view record) const {
    if (form_.is_readable() && !has_trace_of(record))
        report(problems, line, trace_place, "does not match the entry", Severity::warning);
}

void EntryCheck::check_original_entry(ProblemList& problems, std::size_t line, std::string_view record,
                                      bool names_bank_of_batch) const {
    const auto is_empty = [](std::string_view digits) { return is_blank(digits) || is_zeros(digits); };
    const std::string_view receiving_dfi = slice(record, 28, 8);
    if (is_empty(slice(record, 7, 15))) report(problems, line, original_trace_place, "must be filled in");
    if (is_empty(receiving_dfi))
        report(problems, line, original_dfi_place, "must be filled in");
    else if (names_bank_of_batch && !is_for_bank_of_batch(receiving_dfi))
        report(problems, line, original_dfi_place, "does not match the bank of this batch", Severity::warning);
}

void EntryCheck::check_change_addenda(ProblemList& problems, std::size_t line, std::string_view record) {
    const std::string_view change_code = slice(record, 4, 3);
    const Place code_place{"change code", 4, 3};
    if (!has_form(change_code, 'C'))
        report(problems, line, code_place, "must be C and two digits");
    else if (!is_known_change_code(change_code))
        report(problems, line, code_place, std::string(change_code) + " is not a change code");
    check_original_entry(problems, line, record, /*names_bank_of_batch=*/!is_refused(change_code));
    if (const auto fault = corrected_data_fault(record, context_.layout))
        report(problems, line, {"corrected data", fault->position, fault->length}, std::string(fault->what),
               fault->severity);
    if (is_refused(change_code) && !has_form(slice(record, 65, 3), 'C'))
        report(problems, line, {"change code", 65, 3}, "must be C and two digits");
    if (form_.is_readable() && !has_trace_of(record))
        report(problems, line, trace_place, "does not match the entry", Severity::warning);
}

void EntryCheck::check_return_addenda(ProblemList& problems, std::size_t line, std::string_view record) {
    const std::string_view reason = slice(record, 4, 3);
    const Place code_place{"return reason code", 4, 3};
    if (!has_form(reason, 'R'))
        report(problems, line, code_place, "must be R and two digits");
    else if (!find_return_code(reason))
        report(problems, line, code_place, std::string(reason) + " is not a return reason code");
    check_original_entry(problems, line, record,
                         /*names_bank_of_batch=*/!is_dishonored(reason) && context_.layout != BatchLayout::adv);
    const std::string_view date = slice(record, 22, 6);
    const bool may_have_date = reason == "R14" || reason == "R15" || is_contested(reason);
    if (!may_have_date && !is_dishonored(reason) && !is_blank(date) && !is_zeros(date))
        report(problems, line, {"date of death", 22, 6}, "is allowed only with R14 and R15");
    if (addenda_ > 1 && context_.layout != BatchLayout::iat)
        report(problems, line, type_place, "a return must have one addenda record", Severity::warning);
    if (context_.layout != BatchLayout::adv && form_.is_readable() && !has_trace_of(record))
        report(problems, line, trace_place, "must match the entry");
}

}  // namespace drawbridge::nacha
