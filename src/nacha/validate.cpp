#include "drawbridge/nacha/validate.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <unordered_set>

#include "drawbridge/domain/bank_numbers.hpp"
#include "reader.hpp"
#include "record_layout.hpp"

namespace drawbridge::nacha {

namespace {

bool is_one_of(std::string_view value, std::initializer_list<std::string_view> values) {
    return std::ranges::find(values, value) != values.end();
}

bool all_digits(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// Last digits of the transaction codes of each kind of account (2x checking, 3x savings, 4x ledger, 5x loan).
bool is_prenote(int code) {
    return code == 53 || ((code % 10 == 3 || code % 10 == 8) && code < 50);
}
bool is_zero_dollar(int code) {
    return code == 54 || ((code % 10 == 4 || code % 10 == 9) && code < 50);
}
bool is_return_or_change(int code) {
    return code % 10 == 1 || code % 10 == 6;
}

bool has_form(std::string_view code, char letter) {
    return code.size() == 3 && code[0] == letter && all_digits(code.substr(1));
}

// Whether a filled-in 22-27 makes sense: the day of death, or, contested, the day of the return.
bool may_have_date(std::string_view return_reason_code) {
    return is_one_of(return_reason_code, {"R14", "R15"}) || return_reason_code.starts_with("R7");
}

class Validator {
  public:
    Validator(std::string_view bytes, Reading reading) : bytes_(bytes), reading_(std::move(reading)) {}

    Validation run() {
        check_lines();
        check_blocking();
        if (reading_.file.batches.empty() && reading_.file_header != 0) {
            problem(reading_.file_header, 0, "the file has no batches");
        }
        for (std::size_t i = 0; i < reading_.file.batches.size(); ++i)
            check_batch(i);
        std::ranges::stable_sort(reading_.problems);
        return {std::move(reading_.file), std::move(reading_.problems)};
    }

  private:
    void problem(std::size_t line, std::size_t position, std::string message) {
        reading_.problems.push_back({line, position, std::move(message)});
    }

    // All lines end alike, and nothing but the end of the file follows the last one.
    void check_lines() {
        const auto first = bytes_.find('\n');
        if (first == std::string_view::npos) return;
        const bool crlf = first > 0 && bytes_[first - 1] == '\r';
        std::size_t line = 1;
        for (auto at = first; at != std::string_view::npos; at = bytes_.find('\n', at + 1), ++line) {
            if ((at > 0 && bytes_[at - 1] == '\r') == crlf) continue;
            problem(line, record_length + 1, "the line does not end as the first one does");
            break;
        }
        if (bytes_.ends_with("\n\n") || bytes_.ends_with("\n\r\n")) {
            problem(reading_.records + 1, 0, "an empty line at the end of the file");
        }
    }

    void check_blocking() {
        if (reading_.records == 0 || reading_.file_control == 0) return;
        const auto blocks = (reading_.file_control + blocking_factor - 1) / blocking_factor;
        if (reading_.records == blocks * blocking_factor) return;
        problem(reading_.records, 0,
                "the file has " + std::to_string(reading_.records) + " records, padded to whole blocks of ten it has " +
                    std::to_string(blocks * blocking_factor));
    }

    void check_batch(std::size_t index);
    void check_batch_control(const Batch& batch, const BatchLines& lines);
    void check_entry(const Batch& batch, const EntryDetail& entry, std::size_t line);
    void check_amount(const EntryDetail& entry, std::size_t line, std::string_view sec);
    void check_trace_number(const Batch& batch, const EntryDetail& entry, std::size_t line);
    void check_addenda(const Batch& batch, const EntryDetail& entry, std::size_t line,
                       std::span<const std::size_t> addenda_lines);
    void check_addenda_count(const std::string& sec, const EntryDetail& entry, std::size_t line);
    void check_payment_addenda(const PaymentAddenda& addenda, std::int64_t sequence, const EntryDetail& entry,
                               std::size_t line);
    void check_return_addenda(const ReturnAddenda& addenda, const EntryDetail& entry, std::size_t line);

    std::string_view bytes_;
    Reading reading_;
    std::int64_t last_batch_number_ = 0;
    std::string last_trace_number_;
    std::unordered_set<std::string> trace_numbers_;
};

// A batch of returns or of notifications of change follows the rules of its addenda, not those of a live batch.
bool is_answer(const Batch& batch) {
    if (batch.header.standard_entry_class_code == "COR") return true;
    return !batch.entries.empty() && !batch.entries.front().addenda.empty() &&
           std::holds_alternative<ReturnAddenda>(batch.entries.front().addenda.front());
}

void Validator::check_batch(std::size_t index) {
    const Batch& batch = reading_.file.batches[index];
    const BatchLines& lines = reading_.batches[index];
    const BatchHeader& header = batch.header;
    if (header.batch_number <= last_batch_number_) {
        problem(lines.header, 88,
                "batch number: " + std::to_string(header.batch_number) + " must be more than " +
                    std::to_string(last_batch_number_) + ", that before it");
    }
    last_batch_number_ = std::max(last_batch_number_, header.batch_number);
    if (!header.effective_entry_date && !is_answer(batch) && lines.complete) {
        problem(lines.header, 70, "effective entry date: must be filled in");
    }
    if (batch.entries.empty()) problem(lines.header, 0, "the batch has no entries");
    last_trace_number_.clear();
    std::span<const std::size_t> addenda_lines = lines.addenda;
    for (std::size_t i = 0; i < batch.entries.size(); ++i) {
        const EntryDetail& entry = batch.entries[i];
        check_entry(batch, entry, lines.entries[i]);
        check_addenda(batch, entry, lines.entries[i], addenda_lines.first(entry.addenda.size()));
        addenda_lines = addenda_lines.subspan(entry.addenda.size());
    }
    check_batch_control(batch, lines);
}

void Validator::check_batch_control(const Batch& batch, const BatchLines& lines) {
    if (lines.control_record.empty()) return;
    const auto differs = [&](std::size_t position, std::size_t length, std::string_view in_header) {
        return trimmed(slice(lines.control_record, position, length)) != trimmed(in_header);
    };
    const BatchHeader& header = batch.header;
    if (differs(2, 3, std::to_string(static_cast<int>(header.service_class)))) {
        problem(lines.control, 2, "service class: not that of the batch header");
    }
    if (differs(45, 10, header.company_identification)) {
        problem(lines.control, 45, "company identification: not that of the batch header");
    }
    if (differs(80, 8, header.odfi_identification)) {
        problem(lines.control, 80, "ODFI identification: not that of the batch header");
    }
}

void Validator::check_entry(const Batch& batch, const EntryDetail& entry, std::size_t line) {
    const std::string& sec = batch.header.standard_entry_class_code;
    const bool is_credit = direction_of(entry.transaction_code) == Direction::credit;
    if ((batch.header.service_class == ServiceClass::credits && !is_credit) ||
        (batch.header.service_class == ServiceClass::debits && is_credit)) {
        problem(line, 2,
                "transaction code: a " + std::string(is_credit ? "credit" : "debit") + " in a batch of " +
                    (is_credit ? "debits (225)" : "credits (220)"));
    }
    const std::string& identification = entry.receiving_dfi_identification;
    if (identification.size() == 8 && all_digits(identification) &&
        entry.check_digit != RoutingNumber::check_digit(identification)) {
        problem(line, 12, "check digit: does not fit the receiving DFI identification");
    }
    if (entry.individual_name.empty() && is_one_of(sec, {"PPD", "CCD", "CTX", "WEB", "TEL"})) {
        problem(line, sec == "CTX" ? 59 : 55, "name: must be filled in");
    }
    check_amount(entry, line, sec);
    check_trace_number(batch, entry, line);
}

void Validator::check_amount(const EntryDetail& entry, std::size_t line, std::string_view sec) {
    const int code = entry.transaction_code;
    const bool must_be_zero = is_prenote(code) || is_zero_dollar(code) || sec == "COR";
    if (must_be_zero && !entry.amount.is_zero()) {
        problem(line, 30,
                "amount: must be zero for " + std::string(sec == "COR"       ? "a notification of change"
                                                          : is_prenote(code) ? "a prenote"
                                                                             : "a zero-dollar entry"));
    }
    const bool may_be_zero = must_be_zero || is_return_or_change(code) || is_one_of(sec, {"ACK", "ATX", "DNE", "ENR"});
    if (!may_be_zero && entry.amount.is_zero()) problem(line, 30, "amount: a live entry must not be zero");
}

void Validator::check_trace_number(const Batch& batch, const EntryDetail& entry, std::size_t line) {
    const std::string& trace = entry.trace_number;
    if (trace.size() != 15 || !all_digits(trace)) return;  // its form is a problem already
    if (!trace.starts_with(batch.header.odfi_identification)) {
        problem(line, 80, "trace number: does not begin with the batch's ODFI identification");
    }
    if (trace <= last_trace_number_) {
        problem(line, 80, "trace number: must be more than " + last_trace_number_ + ", that before it in the batch");
    } else if (!trace_numbers_.insert(trace).second) {
        problem(line, 80, "trace number: " + trace + " is in the file already");
    }
    last_trace_number_ = std::max(last_trace_number_, trace);
}

void Validator::check_addenda(const Batch& batch, const EntryDetail& entry, std::size_t line,
                              std::span<const std::size_t> addenda_lines) {
    const std::string& sec = batch.header.standard_entry_class_code;
    check_addenda_count(sec, entry, line);
    std::int64_t sequence = 0;
    for (std::size_t i = 0; i < entry.addenda.size(); ++i) {
        const std::size_t at = addenda_lines[i];
        const Addenda& addenda = entry.addenda[i];
        if (const auto* payment = std::get_if<PaymentAddenda>(&addenda)) {
            check_payment_addenda(*payment, ++sequence, entry, at);
        } else if (const auto* change = std::get_if<ChangeAddenda>(&addenda)) {
            if (!has_form(change->change_code, 'C')) problem(at, 4, "change code: must be C and two digits");
            if (sec != "COR") problem(at, 2, "addenda type code: 98 belongs into a COR batch");
            if (change->corrected_data.empty()) problem(at, 36, "corrected data: must be filled in");
        } else if (const auto* returned = std::get_if<ReturnAddenda>(&addenda)) {
            check_return_addenda(*returned, entry, at);
        } else if (const auto* other = std::get_if<OtherAddenda>(&addenda)) {
            const std::string_view type = slice(other->record, 2, 2);
            if (type != "02") problem(at, 2, "addenda type code: '" + std::string(type) + "' is none of 02 05 98 99");
        }
    }
}

void Validator::check_addenda_count(const std::string& sec, const EntryDetail& entry, std::size_t line) {
    const std::size_t count = entry.addenda.size();
    const bool is_return = count > 0 && std::holds_alternative<ReturnAddenda>(entry.addenda.front());
    const auto refuse = [&](const std::string& what) {
        problem(line, 79, "addenda record indicator: " + what + ", here are " + std::to_string(count));
    };
    if (is_return || sec == "COR") {
        if (count != 1) refuse("a return or notification of change has one addenda record");
    } else if (sec == "CTX") {
        if (count > 9999) refuse("a CTX entry has at most 9,999 addenda records");
    } else if (is_one_of(sec, {"ARC", "BOC", "POP", "RCK", "TEL", "XCK", "TRC"})) {
        if (count != 0) refuse("a " + sec + " entry has no addenda record");
    } else if (is_one_of(sec, {"PPD", "CCD", "WEB", "CIE", "POS", "SHR", "MTE", "ACK", "DNE"})) {
        if (count > 1) refuse("a " + sec + " entry has at most one addenda record");
    }
}

void Validator::check_payment_addenda(const PaymentAddenda& addenda, std::int64_t sequence, const EntryDetail& entry,
                                      std::size_t line) {
    if (addenda.addenda_sequence_number != sequence) {
        problem(line, 84,
                "addenda sequence number: " + std::to_string(addenda.addenda_sequence_number) + " must be " +
                    std::to_string(sequence));
    }
    const std::string& trace = entry.trace_number;
    if (trace.size() != 15 || !all_digits(trace)) return;
    if (addenda.entry_detail_sequence_number != std::stoll(trace.substr(8))) {
        problem(line, 88, "entry detail sequence number: must be the last seven digits of the entry's trace number");
    }
}

void Validator::check_return_addenda(const ReturnAddenda& addenda, const EntryDetail& entry, std::size_t line) {
    if (!has_form(addenda.return_reason_code, 'R')) problem(line, 4, "return reason code: must be R and two digits");
    if (!addenda.date_of_death.empty() && !may_have_date(addenda.return_reason_code)) {
        problem(line, 22, "date of death: only with R14 and R15");
    }
    if (addenda.trace_number != entry.trace_number) problem(line, 80, "trace number: must be that of the entry");
}

}  // namespace

Validation validate(std::string_view bytes) {
    return Validator(bytes, read_file(bytes, Strictness::valid, {})).run();
}

}  // namespace drawbridge::nacha
