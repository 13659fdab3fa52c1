#include "drawbridge/nacha/encode.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

#include "drawbridge/nacha/encoder.hpp"

namespace drawbridge::nacha {

namespace {

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

constexpr auto two_digit_texts = [] {
    std::array<char, 200> texts{};
    for (std::size_t i = 0; i < 100; ++i) {
        texts[i * 2] = static_cast<char>('0' + i / 10);
        texts[i * 2 + 1] = static_cast<char>('0' + i % 10);
    }
    return texts;
}();

// All 94 bytes are 0x20-0x7E: sixteen at a time, the last step takes some for the second time.
bool is_readable_by_banks(const char* record) {
    using Sixteen = std::uint8_t __attribute__((vector_size(16)));
    const auto bad_from = [&](std::size_t at) {
        Sixteen bytes;
        std::memcpy(&bytes, record + at, sizeof bytes);
        return reinterpret_cast<Sixteen>(bytes - 0x20 > 0x7E - 0x20);
    };
    const Sixteen bad = bad_from(0) | bad_from(16) | bad_from(32) | bad_from(48) | bad_from(64) | bad_from(78);
    std::array<std::uint64_t, 2> any{};
    std::memcpy(any.data(), &bad, sizeof bad);
    return (any[0] | any[1]) == 0;
}

// Fills one blank record after the other. The first thing that does not fit is kept as the error; what is written after
// it does not matter.
class Writer {
  public:
    Writer(Encoder::Sink sink, LineEnd line_end)
        : sink_(std::move(sink)),
          line_end_(line_end == LineEnd::crlf ? "\r\n" : "\n"),
          line_end_size_(line_end == LineEnd::crlf ? 2 : 1),
          buffer_(buffer_size, ' ') {}

    void begin_record(char type) {
        if (buffer_size - used_ < record_length + 2) flush();
        record_ = buffer_.data() + used_;
        std::memset(record_, ' ', record_length);
        record_[0] = type;
        ++records_;
    }
    void end_record() {
        if (!is_readable_by_banks(record_)) refuse_text();
        texts_ = 0;
        std::memcpy(record_ + record_length, line_end_.data(), 2);
        used_ += record_length + line_end_size_;
    }
    void pad_block() {
        while (records_ % blocking_factor != 0) {
            begin_record('9');
            std::memset(record_, '9', record_length);
            end_record();
        }
    }
    void flush() {
        if (used_ != 0) sink_(std::string_view(buffer_).substr(0, used_));
        used_ = 0;
    }
    [[nodiscard]] std::size_t records() const { return records_; }

    // What the record is about, for messages: "batch " 3, "entry " 091000010000001. A view: it outlives the record.
    void about(std::string_view what, std::string_view which = {}) {
        about_ = what;
        which_ = which;
    }
    void about(std::string_view what, std::int64_t which) {
        number_ = std::to_string(which);
        about(what, number_);
    }

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
        bool is_right = value.size() == width;
        for (const char c : value)
            is_right = is_right & (static_cast<unsigned char>(c - '0') <= 9);
        if (!is_right) return refuse(field, "must be " + std::to_string(width) + " digits");
        std::memcpy(record_ + position - 1, value.data(), width);
    }
    // Right-justified, filled with zeros; never cut.
    void number(std::size_t position, std::size_t width, std::int64_t value, std::string_view field) {
        char* const first = record_ + position - 1;
        char* to = first + width;
        auto rest = static_cast<std::uint64_t>(value < 0 ? 0 : value);
        for (; to - first >= 2; rest /= 100) {
            to -= 2;
            std::memcpy(to, two_digit_texts.data() + rest % 100 * 2, 2);
        }
        if (to != first) {
            *first = static_cast<char>('0' + rest % 10);
            rest /= 10;
        }
        if (value < 0 || rest != 0) refuse(field, "does not fit into " + std::to_string(width) + " digits");
    }
    void date(std::size_t position, BusinessDate value, std::string_view field) {
        if (!is_writable(value)) return refuse(field, "is no date from 2000 to 2099");
        put(position, yymmdd(value), field);
    }

    void refuse(std::string_view field, const std::string& why) {
        if (error_) return;
        error_ = Error{ErrorCode::invalid_input,
                       std::string(about_) + std::string(which_) + ": " + std::string(field) + " " + why};
    }
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }

  private:
    static constexpr std::size_t buffer_size = std::size_t{1} << 16;

    // What its bytes are is looked at once for the whole record.
    void put(std::size_t position, std::string_view value, std::string_view field) {
        if (value.empty()) return;
        std::memcpy(record_ + position - 1, value.data(), value.size());
        if (texts_ < text_fields_.size()) text_fields_[texts_++] = {field, position, value.size()};
    }
    void refuse_text() {
        for (const TextField& text : std::span(text_fields_).first(texts_)) {
            const std::string_view value(record_ + text.position - 1, text.length);
            if (!std::ranges::all_of(value, [](char c) { return c >= 0x20 && c <= 0x7E; }))
                return refuse(text.field, "has a character that banks do not read");
        }
        refuse("record", "has a character that banks do not read");
    }

    struct TextField {
        std::string_view field;
        std::size_t position = 0, length = 0;
    };
    std::array<TextField, 16> text_fields_;  // of the record at hand
    std::size_t texts_ = 0;
    Encoder::Sink sink_;
    std::string line_end_;  // two bytes are copied of it: the second may be its terminating zero, and is written over
    std::size_t line_end_size_;
    std::string buffer_;
    std::size_t used_ = 0;
    char* record_ = nullptr;
    std::string_view about_, which_;
    std::string number_;
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
    writer.about("batch ", header.batch_number);
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
    writer.about("entry ", entry.trace_number);
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

struct Totals {
    std::int64_t batches = 0, entries_and_addenda = 0, entry_hash = 0, debit_cents = 0, credit_cents = 0;

    void add(const EntryDetail& entry) {
        entries_and_addenda += 1 + static_cast<std::int64_t>(entry.addenda.size());
        std::int64_t identification = 0;
        for (const char c : entry.receiving_dfi_identification)
            identification = identification * 10 + (c - '0');
        entry_hash = (entry_hash + identification) % hash_limit;
        const bool is_credit = direction_of(entry.transaction_code) == Direction::credit;
        (is_credit ? credit_cents : debit_cents) += entry.amount.cents();
    }
    void add(const Totals& batch) {
        ++batches;
        entries_and_addenda += batch.entries_and_addenda;
        entry_hash = (entry_hash + batch.entry_hash) % hash_limit;
        debit_cents += batch.debit_cents;
        credit_cents += batch.credit_cents;
    }

  private:
    static constexpr std::int64_t hash_limit = 10'000'000'000;
};

void write_batch_control(Writer& writer, const BatchHeader& header, const Totals& totals) {
    writer.about("control of batch ", header.batch_number);
    writer.begin_record('8');
    writer.number(2, 3, static_cast<int>(header.service_class), "service class");
    writer.number(5, 6, totals.entries_and_addenda, "entry and addenda count");
    writer.number(11, 10, totals.entry_hash, "entry hash");
    writer.number(21, 12, totals.debit_cents, "total debit");
    writer.number(33, 12, totals.credit_cents, "total credit");
    writer.identification(45, 10, header.company_identification, "company identification");
    writer.digits(80, 8, header.odfi_identification, "ODFI identification");
    writer.number(88, 7, header.batch_number, "batch number");
    writer.end_record();
}

void write_file_control(Writer& writer, const Totals& totals) {
    writer.about("file control");
    writer.begin_record('9');
    const std::size_t blocks = (writer.records() + blocking_factor - 1) / blocking_factor;
    writer.number(2, 6, totals.batches, "batch count");
    writer.number(8, 6, static_cast<std::int64_t>(blocks), "block count");
    writer.number(14, 8, totals.entries_and_addenda, "entry and addenda count");
    writer.number(22, 10, totals.entry_hash, "entry hash");
    writer.number(32, 12, totals.debit_cents, "total debit");
    writer.number(44, 12, totals.credit_cents, "total credit");
    writer.end_record();
}

}  // namespace

class Encoder::State {
  public:
    State(Sink sink, LineEnd line_end, Padding padding) : writer(std::move(sink), line_end), padding_(padding) {}

    void begin_batch(const BatchHeader& header) {
        header_ = header;
        is_ctx_ = header.standard_entry_class_code == "CTX";
        batch_ = {};
        write_batch_header(writer, header_);
    }
    void add(const EntryDetail& entry) {
        if (writer.error()) return;  // what does not fit is not added up either
        write_entry(writer, entry, is_ctx_);
        if (!writer.error()) batch_.add(entry);
    }
    void end_batch() {
        write_batch_control(writer, header_, batch_);
        file_.add(batch_);
    }
    Result<void> finish() {
        write_file_control(writer, file_);
        if (padding_ == Padding::nines) writer.pad_block();
        if (writer.error()) return std::unexpected(*writer.error());
        writer.flush();
        return {};
    }

    Writer writer;

  private:
    Padding padding_;
    BatchHeader header_;
    bool is_ctx_ = false;
    Totals batch_, file_;
};

Encoder::Encoder(Sink sink, LineEnd line_end, Padding padding)
    : state_(std::make_unique<State>(std::move(sink), line_end, padding)) {}
Encoder::~Encoder() = default;

void Encoder::begin_file(const FileHeader& header) {
    write_file_header(state_->writer, header);
}
void Encoder::begin_batch(const BatchHeader& header) {
    state_->begin_batch(header);
}
void Encoder::add(const EntryDetail& entry) {
    state_->add(entry);
}
void Encoder::end_batch() {
    state_->end_batch();
}
Result<void> Encoder::finish() {
    return state_->finish();
}

Result<std::string> encode(const File& file, LineEnd line_end, Padding padding) {
    std::string out;
    Encoder encoder([&](std::string_view records) { out += records; }, line_end, padding);
    encoder.begin_file(file.header);
    for (const Batch& batch : file.batches) {
        encoder.begin_batch(batch.header);
        for (const EntryDetail& entry : batch.entries)
            encoder.add(entry);
        encoder.end_batch();
    }
    if (auto good = encoder.finish(); !good) return std::unexpected(std::move(good.error()));
    return out;
}

}  // namespace drawbridge::nacha
