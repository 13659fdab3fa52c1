#include "reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "record_layout.hpp"

namespace drawbridge::nacha {

namespace {

struct Record {
    std::size_t line = 0;
    std::string_view text;
};

std::string_view trimmed(std::string_view text) {
    return text.substr(0, text.find_last_not_of(' ') + 1);
}

// Zero for what is not a number; the field's problem is reported by its form.
std::int64_t number(std::string_view digits) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc{} && end == digits.data() + digits.size() && value >= 0 ? value : 0;
}

std::int64_t number(std::string_view record, std::size_t position, std::size_t length) {
    return number(slice(record, position, length));
}

std::string text(std::string_view record, std::size_t position, std::size_t length) {
    return std::string(trimmed(slice(record, position, length)));
}

std::optional<BusinessDate> date(std::string_view record, std::size_t position) {
    const std::string_view yymmdd = slice(record, position, 6);
    const BusinessDate value(std::chrono::year(2000 + static_cast<int>(number(yymmdd.substr(0, 2)))),
                             std::chrono::month(static_cast<unsigned>(number(yymmdd.substr(2, 2)))),
                             std::chrono::day(static_cast<unsigned>(number(yymmdd.substr(4, 2)))));
    if (!value.ok()) return std::nullopt;
    return value;
}

std::vector<Record> split(std::string_view bytes) {
    std::vector<Record> records;
    if (bytes.find('\n') == std::string_view::npos && bytes.size() % record_length == 0) {
        for (std::size_t at = 0; at < bytes.size(); at += record_length) {
            records.push_back({records.size() + 1, bytes.substr(at, record_length)});
        }
        return records;
    }
    std::size_t line = 1;
    for (std::size_t at = 0; at < bytes.size(); ++line) {
        const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
        std::string_view record = bytes.substr(at, end - at);
        if (record.ends_with('\r')) record.remove_suffix(1);
        records.push_back({line, record});
        at = end + 1;
    }
    while (!records.empty() && records.back().text.empty())
        records.pop_back();
    return records;
}

class Reader {
  public:
    Reader(Strictness strictness, const ParseOptions& options) : strictness_(strictness), options_(options) {}

    Reading read(std::string_view bytes) {
        const std::vector<Record> records = split(bytes);
        reading_.records = records.size();
        for (const Record& record : records)
            read_record(record);
        if (place_ == Place::in_batch) end_batch(last_line_, "the batch has no control record");
        if (records.empty())
            problem(0, 0, "the file is empty");
        else if (options_.file_records_required && reading_.file_control == 0) {
            problem(last_line_, 0, "the file has no file control record");
        }
        return std::move(reading_);
    }

  private:
    enum class Place { start, between_batches, in_batch, in_unread_batch, end };

    void problem(std::size_t line, std::size_t position, std::string message) {
        reading_.problems.push_back({line, position, std::move(message)});
    }

    void read_record(const Record& given) {
        last_line_ = given.line;
        std::string filled;  // a record of the wrong length is reported once, then read as far as it goes
        std::string_view record = given.text;
        if (record.size() != record_length) {
            problem(given.line, std::min(record.size(), record_length) + 1,
                    "the record has " + std::to_string(record.size()) + " characters, not 94");
            filled = std::string(record.substr(0, record_length));
            filled.resize(record_length, ' ');
            record = filled;
            damaged_ = true;
            spoil_batch();
        } else {
            damaged_ = false;
        }
        if (!is_printable(given.line, record)) return spoil_batch();
        switch (record.front()) {
            case '1': return read_file_header(given.line, record);
            case '5': return read_batch_header(given.line, record);
            case '6': return read_entry(given.line, record);
            case '7': return read_addenda(given.line, record);
            case '8': return read_batch_control(given.line, record);
            case '9': return read_nine(given.line, record);
            default:
                problem(given.line, 1, std::string("'") + record.front() + "' is no record type (1, 5, 6, 7, 8, 9)");
                spoil_batch();
        }
    }

    bool is_printable(std::size_t line, std::string_view record) {
        for (std::size_t i = 0; i < record.size(); ++i) {
            if (record[i] >= 0x20 && record[i] <= 0x7E) continue;
            problem(line, i + 1, "a byte that is no printable ASCII character");
            return false;
        }
        return true;
    }

    // True when the record's values can be relied on.
    bool check_fields(std::size_t line, std::string_view record) {
        if (damaged_) return false;  // its fields are not where they belong, and its account number may be anywhere
        bool readable = true;
        for (const Field& field : fields_of(record, sec_code())) {
            if (strictness_ == Strictness::readable && field.need == Need::form) continue;
            const std::string fault = fault_in(record, field);
            if (fault.empty()) continue;
            problem(line, field.position, std::string(field.name) + ": " + fault);
            if (field.need == Need::value) readable = false;
        }
        if (!readable) spoil_batch();
        return readable;
    }

    [[nodiscard]] std::string_view sec_code() const {
        return place_ == Place::in_batch ? std::string_view(batch().header.standard_entry_class_code)
                                         : std::string_view();
    }
    [[nodiscard]] const Batch& batch() const { return reading_.file.batches.back(); }
    Batch& batch() { return reading_.file.batches.back(); }
    BatchLines& lines() { return reading_.batches.back(); }
    void spoil_batch() {
        file_complete_ = false;
        if (place_ == Place::in_batch) lines().complete = false;
    }

    void read_file_header(std::size_t line, std::string_view record);
    void read_batch_header(std::size_t line, std::string_view record);
    void read_entry(std::size_t line, std::string_view record);
    void read_addenda(std::size_t line, std::string_view record);
    void read_batch_control(std::size_t line, std::string_view record);
    void read_nine(std::size_t line, std::string_view record);
    void read_file_control(std::size_t line, std::string_view record);
    void end_entry();
    void end_batch(std::size_t line, const std::string& missing);
    void compare(std::size_t line, std::string_view record, const Field& field, std::int64_t computed);

    Strictness strictness_;
    ParseOptions options_;
    Reading reading_;
    Place place_ = Place::start;
    bool addenda_expected_ = false;
    std::int64_t ctx_addenda_ = 0;
    bool file_complete_ = true;
    bool damaged_ = false;  // the record at hand is not 94 characters long
    std::size_t last_line_ = 0;
};

void Reader::read_file_header(std::size_t line, std::string_view record) {
    if (place_ != Place::start) return problem(line, 1, "a file header that is not the first record");
    place_ = Place::between_batches;
    reading_.file_header = line;
    check_fields(line, record);
    FileHeader& header = reading_.file.header;
    header.immediate_destination = text(record, 4, 10);
    if (header.immediate_destination.starts_with(' ')) header.immediate_destination.erase(0, 1);
    header.immediate_origin = text(record, 14, 10);
    if (header.immediate_origin.starts_with(' ')) header.immediate_origin.erase(0, 1);
    header.file_creation_date = date(record, 24).value_or(BusinessDate{});
    header.file_creation_time = std::chrono::minutes(number(record, 30, 2) * 60 + number(record, 32, 2));
    header.file_id_modifier = record[33];
    header.immediate_destination_name = text(record, 41, 23);
    header.immediate_origin_name = text(record, 64, 23);
    header.reference_code = text(record, 87, 8);
    if (!date(record, 24) && !damaged_) problem(line, 24, "file creation date: must be filled in");
}

void Reader::read_batch_header(std::size_t line, std::string_view record) {
    if (place_ == Place::in_batch) end_batch(line, "a batch header before the control record of the batch before it");
    if (place_ == Place::end) return problem(line, 1, "a record after the file control");
    if (place_ == Place::start && options_.file_records_required) problem(line, 1, "the file has no file header");
    const std::string_view sec = slice(record, 51, 3);
    if (sec == "IAT" || sec == "ADV") {
        problem(line, 51, "standard entry class code: " + std::string(sec) + " batches are not read");
        file_complete_ = false;
        place_ = Place::in_unread_batch;
        return;
    }
    place_ = Place::between_batches;
    const bool readable = check_fields(line, record);
    Batch& batch = reading_.file.batches.emplace_back();
    reading_.batches.push_back(
        {.header = line, .entries = {}, .addenda = {}, .control = 0, .control_record = {}, .complete = readable});
    place_ = Place::in_batch;
    BatchHeader& header = batch.header;
    header.service_class = static_cast<ServiceClass>(number(record, 2, 3));
    header.company_name = text(record, 5, 16);
    header.company_discretionary_data = text(record, 21, 20);
    header.company_identification = text(record, 41, 10);
    header.standard_entry_class_code = text(record, 51, 3);
    header.company_entry_description = text(record, 54, 10);
    header.company_descriptive_date = text(record, 64, 6);
    header.effective_entry_date = date(record, 70);
    header.settlement_date = text(record, 76, 3);
    header.originator_status_code = record[78];
    header.odfi_identification = text(record, 80, 8);
    header.batch_number = number(record, 88, 7);
}

void Reader::read_entry(std::size_t line, std::string_view record) {
    if (place_ == Place::in_unread_batch) return;
    if (place_ != Place::in_batch) {
        file_complete_ = false;
        return problem(line, 1, "an entry outside of a batch");
    }
    end_entry();
    check_fields(line, record);
    const bool is_ctx = sec_code() == "CTX";
    EntryDetail& entry = batch().entries.emplace_back();
    lines().entries.push_back(line);
    entry.transaction_code = static_cast<int>(number(record, 2, 2));
    entry.receiving_dfi_identification = text(record, 4, 8);
    entry.check_digit = record[11];
    entry.dfi_account_number = text(record, 13, 17);
    entry.amount = Money::from_cents(number(record, 30, 10));
    entry.individual_identification = text(record, 40, 15);
    entry.individual_name = is_ctx ? text(record, 59, 16) : text(record, 55, 22);
    entry.discretionary_data = text(record, 77, 2);
    entry.trace_number = text(record, 80, 15);
    addenda_expected_ = record[78] == '1';
    ctx_addenda_ = is_ctx ? number(record, 55, 4) : -1;
}

// The entry's announcement of addenda against those that came.
void Reader::end_entry() {
    if (batch().entries.empty()) return;
    const auto count = batch().entries.back().addenda.size();
    const std::size_t line = lines().entries.back();
    if (addenda_expected_ && count == 0)
        problem(line, 79, "addenda record indicator: 1, but no addenda record follows");
    if (!addenda_expected_ && count != 0)
        problem(line, 79, "addenda record indicator: 0, but an addenda record follows");
    if (ctx_addenda_ >= 0 && ctx_addenda_ != static_cast<std::int64_t>(count)) {
        problem(line, 55,
                "number of addenda: " + std::to_string(ctx_addenda_) + ", but " + std::to_string(count) + " follow");
    }
}

void Reader::read_addenda(std::size_t line, std::string_view record) {
    if (place_ == Place::in_unread_batch) return;
    if (place_ != Place::in_batch || batch().entries.empty()) {
        file_complete_ = false;
        return problem(line, 1, "an addenda record without an entry");
    }
    lines().addenda.push_back(line);
    check_fields(line, record);
    std::vector<Addenda>& addenda = batch().entries.back().addenda;
    const std::string_view type = slice(record, 2, 2);
    if (type == "05") {
        addenda.emplace_back(PaymentAddenda{.payment_related_information = text(record, 4, 80),
                                            .addenda_sequence_number = number(record, 84, 4),
                                            .entry_detail_sequence_number = number(record, 88, 7)});
    } else if (type == "98") {
        addenda.emplace_back(ChangeAddenda{.change_code = text(record, 4, 3),
                                           .original_entry_trace_number = text(record, 7, 15),
                                           .original_receiving_dfi = text(record, 28, 8),
                                           .corrected_data = text(record, 36, 29),
                                           .trace_number = text(record, 80, 15)});
    } else if (type == "99") {
        addenda.emplace_back(ReturnAddenda{.return_reason_code = text(record, 4, 3),
                                           .original_entry_trace_number = text(record, 7, 15),
                                           .date_of_death = text(record, 22, 6),
                                           .original_receiving_dfi = text(record, 28, 8),
                                           .addenda_information = text(record, 36, 44),
                                           .trace_number = text(record, 80, 15)});
    } else {
        addenda.emplace_back(OtherAddenda{std::string(record)});
    }
}

void Reader::compare(std::size_t line, std::string_view record, const Field& field, std::int64_t computed) {
    const std::int64_t written = number(slice(record, field));
    if (written == computed) return;
    problem(line, field.position,
            std::string(field.name) + ": " + std::to_string(written) + ", but the records add up to " +
                std::to_string(computed));
}

void Reader::read_batch_control(std::size_t line, std::string_view record) {
    if (place_ == Place::in_unread_batch) {
        place_ = Place::between_batches;
        return;
    }
    if (place_ != Place::in_batch) return problem(line, 1, "a batch control outside of a batch");
    end_entry();
    lines().control = line;
    if (!damaged_) lines().control_record = record;
    const bool readable = check_fields(line, record);
    place_ = Place::between_batches;
    if (!readable || !lines().complete) return;
    const BatchControl control = control_of(batch());
    const std::array<std::int64_t, 4> computed = {control.entry_addenda_count, control.entry_hash,
                                                  control.total_debit.cents(), control.total_credit.cents()};
    for (std::size_t i = 0; i < computed.size(); ++i)
        compare(line, record, fields_of(record, {})[i + 1], computed[i]);
    if (number(record, 88, 7) != batch().header.batch_number) {
        problem(line, 88, "batch number: not that of the batch header");
    }
}

void Reader::end_batch(std::size_t line, const std::string& missing) {
    end_entry();
    problem(line, 1, missing);
    place_ = Place::between_batches;
}

void Reader::read_nine(std::size_t line, std::string_view record) {
    const std::size_t other = record.find_first_not_of('9');
    const bool is_padding = other == std::string_view::npos;
    if (place_ == Place::end) {
        if (!is_padding) problem(line, other + 1, "a record after the file control that is not all nines");
        return;
    }
    if (is_padding && options_.file_records_required) return problem(line, 1, "padding before the file control");
    if (!is_padding) read_file_control(line, record);
}

void Reader::read_file_control(std::size_t line, std::string_view record) {
    if (place_ == Place::in_batch) end_batch(line, "the file control before the control record of the batch");
    if (place_ == Place::start && options_.file_records_required) problem(line, 1, "the file has no file header");
    place_ = Place::end;
    reading_.file_control = line;
    const bool readable = check_fields(line, record);
    if (!readable || !file_complete_) return;
    const FileControl control = control_of(reading_.file);
    const std::array<std::int64_t, 6> computed = {control.batch_count,         control.block_count,
                                                  control.entry_addenda_count, control.entry_hash,
                                                  control.total_debit.cents(), control.total_credit.cents()};
    for (std::size_t i = 0; i < computed.size(); ++i) {
        const bool is_block_count = i == 1;  // blocking is a matter of validity, and padding may have been dropped
        if (is_block_count && strictness_ == Strictness::readable) continue;
        compare(line, record, fields_of(record, {})[i], computed[i]);
    }
}

}  // namespace

Reading read_file(std::string_view bytes, Strictness strictness, const ParseOptions& options) {
    return Reader(strictness, options).read(bytes);
}

}  // namespace drawbridge::nacha
