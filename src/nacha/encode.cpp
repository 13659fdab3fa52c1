#include "drawbridge/nacha/encode.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace drawbridge::nacha {

namespace {

bool all_digits(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::string two_digits(unsigned value) {
    return {static_cast<char>('0' + value / 10 % 10), static_cast<char>('0' + value % 10)};
}

std::string yymmdd(BusinessDate date) {
    return two_digits(static_cast<unsigned>(static_cast<int>(date.year()) % 100)) +
           two_digits(static_cast<unsigned>(date.month())) + two_digits(static_cast<unsigned>(date.day()));
}

bool is_writable(BusinessDate date) {
    return date.ok() && date.year() >= std::chrono::year{2000} && date.year() <= std::chrono::year{2099};
}

std::string hhmm(std::chrono::minutes time_of_day) {
    const auto minutes = static_cast<unsigned>(time_of_day.count());
    return two_digits(minutes / 60) + two_digits(minutes % 60);
}

// Fills one blank record after the other. The first thing that does not fit is kept as the error; what is written after
// it does not matter.
class Writer {
  public:
    explicit Writer(LineEnd line_end) : line_end_(line_end == LineEnd::crlf ? "\r\n" : "\n") {}

    void reserve(std::size_t records) { out_.reserve(records * (record_length + line_end_.size())); }

    void begin_record(char type) {
        start_ = out_.size();
        out_.append(record_length, ' ');
        out_[start_] = type;
        ++records_;
    }
    void end_record() { out_.append(line_end_); }
    void pad_block() {
        while (records_ % blocking_factor != 0) {
            begin_record('9');
            std::fill_n(out_.begin() + static_cast<std::ptrdiff_t>(start_), record_length, '9');
            end_record();
        }
    }

    // What the record is about, for messages: "batch 3", "entry 091000010000001".
    void about(std::string what) { about_ = std::move(what); }

    // Descriptive text: cut on the right.
    void text(std::size_t position, std::size_t width, std::string_view value, std::string_view field) {
        put(position, value.substr(0, width), field);
    }
    // An identification: it must fit.
    void identification(std::size_t position, std::size_t width, std::string_view value, std::string_view field) {
        if (value.size() > width) return refuse(field, "is longer than " + std::to_string(width) + " characters");
        put(position, value, field);
    }
    // Exactly so many digits.
    void digits(std::size_t position, std::size_t width, std::string_view value, std::string_view field) {
        if (value.size() != width || !all_digits(value)) {
            return refuse(field, "must be " + std::to_string(width) + " digits");
        }
        put(position, value, field);
    }
    // Right-justified, filled with zeros; never cut.
    void number(std::size_t position, std::size_t width, std::int64_t value, std::string_view field) {
        char buffer[20];
        const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
        const auto length = static_cast<std::size_t>(end - buffer);
        if (value < 0 || length > width) {
            return refuse(field, "does not fit into " + std::to_string(width) + " digits");
        }
        char* field_start = out_.data() + start_ + position - 1;
        std::fill_n(field_start, width - length, '0');
        std::copy_n(buffer, length, field_start + (width - length));
    }
    void date(std::size_t position, BusinessDate value, std::string_view field) {
        if (!is_writable(value)) return refuse(field, "is no date from 2000 to 2099");
        put(position, yymmdd(value), field);
    }

    void refuse(std::string_view field, const std::string& why) {
        if (error_) return;
        error_ = Error{ErrorCode::invalid_input, about_ + ": " + std::string(field) + " " + why};
    }
    [[nodiscard]] bool failed() const { return error_.has_value(); }
    [[nodiscard]] Result<std::string> result() {
        if (error_) return std::unexpected(*error_);
        return std::move(out_);
    }

  private:
    void put(std::size_t position, std::string_view value, std::string_view field) {
        for (const char c : value) {
            if (c < 0x20 || c > 0x7E) return refuse(field, "has a character that banks do not read");
        }
        std::ranges::copy(value, out_.begin() + static_cast<std::ptrdiff_t>(start_ + position - 1));
    }

    std::string_view line_end_;
    std::string out_;
    std::string about_;
    std::size_t start_ = 0;
    std::size_t records_ = 0;
    std::optional<Error> error_;
};

void write_file_header(Writer& writer, const FileHeader& header) {
    writer.about("file header");
    writer.begin_record('1');
    writer.digits(2, 2, "01", "priority code");
    writer.digits(5, 9, header.immediate_destination, "immediate destination");
    const std::size_t origin_length = header.immediate_origin.size();
    if (origin_length != 9 && origin_length != 10) {
        writer.refuse("immediate origin", "must be nine or ten characters");
    } else {
        writer.identification(24 - origin_length, origin_length, header.immediate_origin, "immediate origin");
    }
    writer.date(24, header.file_creation_date, "file creation date");
    if (header.file_creation_time < std::chrono::minutes{0} || header.file_creation_time >= std::chrono::hours{24}) {
        writer.refuse("file creation time", "is no time of day");
    } else {
        writer.digits(30, 4, hhmm(header.file_creation_time), "file creation time");
    }
    const char modifier = header.file_id_modifier;
    if (!((modifier >= 'A' && modifier <= 'Z') || (modifier >= '0' && modifier <= '9'))) {
        writer.refuse("file id modifier", "must be A-Z or 0-9");
    } else {
        writer.text(34, 1, std::string_view(&modifier, 1), "file id modifier");
    }
    writer.digits(35, 3, "094", "record size");
    writer.digits(38, 2, "10", "blocking factor");
    writer.digits(40, 1, "1", "format code");
    writer.text(41, 23, header.immediate_destination_name, "immediate destination name");
    writer.text(64, 23, header.immediate_origin_name, "immediate origin name");
    writer.text(87, 8, header.reference_code, "reference code");
    writer.end_record();
}

void write_batch_header(Writer& writer, const BatchHeader& header) {
    writer.about("batch " + std::to_string(header.batch_number));
    writer.begin_record('5');
    writer.number(2, 3, static_cast<int>(header.service_class), "service class");
    writer.text(5, 16, header.company_name, "company name");
    writer.text(21, 20, header.company_discretionary_data, "company discretionary data");
    writer.identification(41, 10, header.company_identification, "company identification");
    if (header.standard_entry_class_code.size() != 3) {
        writer.refuse("standard entry class code", "must be three letters");
    } else {
        writer.identification(51, 3, header.standard_entry_class_code, "standard entry class code");
    }
    writer.text(54, 10, header.company_entry_description, "company entry description");
    writer.text(64, 6, header.company_descriptive_date, "company descriptive date");
    if (header.effective_entry_date) writer.date(70, *header.effective_entry_date, "effective entry date");
    writer.identification(76, 3, header.settlement_date, "settlement date");
    writer.text(79, 1, std::string_view(&header.originator_status_code, 1), "originator status code");
    writer.digits(80, 8, header.odfi_identification, "ODFI identification");
    writer.number(88, 7, header.batch_number, "batch number");
    writer.end_record();
}

void write_addenda(Writer& writer, const Addenda& addenda) {
    if (const auto* other = std::get_if<OtherAddenda>(&addenda)) {
        writer.begin_record('7');
        if (other->record.size() != record_length || other->record[0] != '7') {
            writer.refuse("addenda record", "must be 94 characters and begin with 7");
        } else {
            writer.text(1, record_length, other->record, "addenda record");
        }
    } else if (const auto* payment = std::get_if<PaymentAddenda>(&addenda)) {
        writer.begin_record('7');
        writer.number(2, 2, 5, "addenda type code");
        writer.text(4, 80, payment->payment_related_information, "payment related information");
        writer.number(84, 4, payment->addenda_sequence_number, "addenda sequence number");
        writer.number(88, 7, payment->entry_detail_sequence_number, "entry detail sequence number");
    } else if (const auto* change = std::get_if<ChangeAddenda>(&addenda)) {
        writer.begin_record('7');
        writer.number(2, 2, 98, "addenda type code");
        writer.identification(4, 3, change->change_code, "change code");
        writer.digits(7, 15, change->original_entry_trace_number, "original entry trace number");
        writer.digits(28, 8, change->original_receiving_dfi, "original receiving DFI");
        writer.identification(36, 29, change->corrected_data, "corrected data");
        writer.digits(80, 15, change->trace_number, "trace number");
    } else if (const auto* returned = std::get_if<ReturnAddenda>(&addenda)) {
        writer.begin_record('7');
        writer.number(2, 2, 99, "addenda type code");
        writer.identification(4, 3, returned->return_reason_code, "return reason code");
        writer.digits(7, 15, returned->original_entry_trace_number, "original entry trace number");
        writer.identification(22, 6, returned->date_of_death, "date of death");
        writer.digits(28, 8, returned->original_receiving_dfi, "original receiving DFI");
        writer.text(36, 44, returned->addenda_information, "addenda information");
        writer.digits(80, 15, returned->trace_number, "trace number");
    }
    writer.end_record();
}

void write_entry(Writer& writer, const EntryDetail& entry, bool is_ctx) {
    writer.about("entry " + entry.trace_number);
    writer.begin_record('6');
    writer.number(2, 2, entry.transaction_code, "transaction code");
    writer.digits(4, 8, entry.receiving_dfi_identification, "receiving DFI identification");
    writer.digits(12, 1, std::string_view(&entry.check_digit, 1), "check digit");
    writer.identification(13, 17, entry.dfi_account_number, "DFI account number");
    writer.number(30, 10, entry.amount.cents(), "amount");
    writer.identification(40, 15, entry.individual_identification, "individual identification");
    if (is_ctx) {
        writer.number(55, 4, static_cast<std::int64_t>(entry.addenda.size()), "number of addenda");
        writer.text(59, 16, entry.individual_name, "receiving company name");
    } else {
        writer.text(55, 22, entry.individual_name, "individual name");
    }
    writer.identification(77, 2, entry.discretionary_data, "discretionary data");
    writer.number(79, 1, entry.addenda.empty() ? 0 : 1, "addenda record indicator");
    writer.digits(80, 15, entry.trace_number, "trace number");
    writer.end_record();
    for (const Addenda& addenda : entry.addenda)
        write_addenda(writer, addenda);
}

void write_batch_control(Writer& writer, const Batch& batch) {
    const BatchControl control = control_of(batch);
    writer.about("control of batch " + std::to_string(batch.header.batch_number));
    writer.begin_record('8');
    writer.number(2, 3, static_cast<int>(batch.header.service_class), "service class");
    writer.number(5, 6, control.entry_addenda_count, "entry and addenda count");
    writer.number(11, 10, control.entry_hash, "entry hash");
    writer.number(21, 12, control.total_debit.cents(), "total debit");
    writer.number(33, 12, control.total_credit.cents(), "total credit");
    writer.identification(45, 10, batch.header.company_identification, "company identification");
    writer.digits(80, 8, batch.header.odfi_identification, "ODFI identification");
    writer.number(88, 7, batch.header.batch_number, "batch number");
    writer.end_record();
}

void write_file_control(Writer& writer, const FileControl& control) {
    writer.about("file control");
    writer.begin_record('9');
    writer.number(2, 6, control.batch_count, "batch count");
    writer.number(8, 6, control.block_count, "block count");
    writer.number(14, 8, control.entry_addenda_count, "entry and addenda count");
    writer.number(22, 10, control.entry_hash, "entry hash");
    writer.number(32, 12, control.total_debit.cents(), "total debit");
    writer.number(44, 12, control.total_credit.cents(), "total credit");
    writer.end_record();
}

}  // namespace

Result<std::string> encode(const File& file, LineEnd line_end) {
    const FileControl control = control_of(file);
    Writer writer(line_end);
    writer.reserve(static_cast<std::size_t>(control.block_count) * blocking_factor);
    write_file_header(writer, file.header);
    for (const Batch& batch : file.batches) {
        write_batch_header(writer, batch.header);
        const bool is_ctx = batch.header.standard_entry_class_code == "CTX";
        for (const EntryDetail& entry : batch.entries)
            write_entry(writer, entry, is_ctx);
        write_batch_control(writer, batch);
        if (writer.failed()) break;
    }
    write_file_control(writer, control);
    writer.pad_block();
    return writer.result();
}

}  // namespace drawbridge::nacha
