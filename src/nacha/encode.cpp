#include "drawbridge/nacha/encode.hpp"

#include <string_view>
#include <utility>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/nacha/encoder.hpp"
#include "record_writer.hpp"

namespace drawbridge::nacha {

namespace {

void write_file_header(RecordWriter& writer, const FileHeader& header) {
    writer.set_subject("file header");
    writer.begin_record('1');
    writer.digits<2>(2, "01", "priority code");
    writer.digits<9>(5, header.immediate_destination, "immediate destination");
    const std::size_t origin_length = header.immediate_origin.size();
    if (origin_length != 9 && origin_length != 10) {
        writer.refuse("immediate origin", "must be nine or ten characters");
    } else {
        writer.identification(24 - origin_length, origin_length, header.immediate_origin, "immediate origin");
    }
    writer.date(24, header.file_creation_date, "file creation date");
    writer.time_of_day(30, header.file_creation_time, "file creation time");
    const char modifier = header.file_id_modifier;
    if (!is_upper(modifier) && !is_digit(modifier)) {
        writer.refuse("file id modifier", "must be A-Z or 0-9");
    } else {
        writer.text(34, 1, std::string_view(&modifier, 1), "file id modifier");
    }
    writer.digits<3>(35, "094", "record size");
    writer.digits<2>(38, "10", "blocking factor");
    writer.digits<1>(40, "1", "format code");
    writer.text(41, 23, header.immediate_destination_name, "immediate destination name");
    writer.text(64, 23, header.immediate_origin_name, "immediate origin name");
    writer.text(87, 8, header.reference_code, "reference code");
    writer.end_record();
}

void write_batch_header(RecordWriter& writer, const BatchHeader& header) {
    writer.set_subject("batch ", header.batch_number);
    writer.begin_record('5');
    writer.number<3>(2, static_cast<int>(header.service_class), "service class");
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
    writer.digits<8>(80, header.odfi_identification, "ODFI identification");
    writer.number<7>(88, header.batch_number, "batch number");
    writer.end_record();
}

void write_payment_addenda(RecordWriter& writer, const PaymentAddenda& addenda) {
    writer.begin_record('7');
    writer.digits<2>(2, "05", "addenda type code");
    writer.text(4, 80, addenda.payment_related_information, "payment related information");
    writer.number<4>(84, addenda.addenda_sequence_number, "addenda sequence number");
    writer.number<7>(88, addenda.entry_detail_sequence_number, "entry detail sequence number");
    writer.end_record();
}

void write_change_addenda(RecordWriter& writer, const ChangeAddenda& addenda) {
    writer.begin_record('7');
    writer.digits<2>(2, "98", "addenda type code");
    writer.identification(4, 3, addenda.change_code, "change code");
    writer.digits<15>(7, addenda.original_entry_trace_number, "original entry trace number");
    writer.digits<8>(28, addenda.original_receiving_dfi, "original receiving DFI");
    writer.identification(36, 29, addenda.corrected_data, "corrected data");
    writer.digits<15>(80, addenda.trace_number, "trace number");
    writer.end_record();
}

void write_return_addenda(RecordWriter& writer, const ReturnAddenda& addenda) {
    writer.begin_record('7');
    writer.digits<2>(2, "99", "addenda type code");
    writer.identification(4, 3, addenda.return_reason_code, "return reason code");
    writer.digits<15>(7, addenda.original_entry_trace_number, "original entry trace number");
    writer.identification(22, 6, addenda.date_of_death, "date of death");
    writer.digits<8>(28, addenda.original_receiving_dfi, "original receiving DFI");
    writer.text(36, 44, addenda.addenda_information, "addenda information");
    writer.digits<15>(80, addenda.trace_number, "trace number");
    writer.end_record();
}

void write_other_addenda(RecordWriter& writer, const OtherAddenda& addenda) {
    writer.begin_record('7');
    if (addenda.record.size() != record_length || addenda.record[0] != '7')
        writer.refuse("addenda record", "must be 94 characters and begin with 7");
    else
        writer.text(1, record_length, addenda.record, "addenda record");
    writer.end_record();
}

void write_addenda(RecordWriter& writer, const Addenda& addenda) {
    if (const auto* payment = std::get_if<PaymentAddenda>(&addenda)) return write_payment_addenda(writer, *payment);
    if (const auto* change = std::get_if<ChangeAddenda>(&addenda)) return write_change_addenda(writer, *change);
    if (const auto* returned = std::get_if<ReturnAddenda>(&addenda)) return write_return_addenda(writer, *returned);
    write_other_addenda(writer, std::get<OtherAddenda>(addenda));
}

void write_entry(RecordWriter& writer, const EntryDetail& entry, bool is_ctx) {
    writer.set_subject("entry ", entry.trace_number);
    writer.begin_record('6');
    writer.number<2>(2, entry.transaction_code, "transaction code");
    writer.digits<8>(4, entry.receiving_dfi_identification, "receiving DFI identification");
    writer.digits<1>(12, std::string_view(&entry.check_digit, 1), "check digit");
    writer.identification(13, 17, entry.dfi_account_number, "DFI account number");
    writer.number<10>(30, entry.amount.cents(), "amount");
    writer.identification(40, 15, entry.individual_identification, "individual identification");
    if (is_ctx) {
        writer.number<4>(55, static_cast<std::int64_t>(entry.addenda.size()), "number of addenda");
        writer.text(59, 16, entry.individual_name, "receiving company name");
    } else {
        writer.text(55, 22, entry.individual_name, "individual name");
    }
    writer.identification(77, 2, entry.discretionary_data, "discretionary data");
    writer.number<1>(79, entry.addenda.empty() ? 0 : 1, "addenda record indicator");
    writer.digits<15>(80, entry.trace_number, "trace number");
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
        entry_hash += identification;  // even the largest batch stays far below 64 bits
        const bool is_credit = direction_of(entry.transaction_code) == Direction::credit;
        (is_credit ? credit_cents : debit_cents) += entry.amount.cents();
    }
    void add(const Totals& batch) {
        ++batches;
        entries_and_addenda += batch.entries_and_addenda;
        entry_hash += batch.entry_hash % entry_hash_modulus;
        debit_cents += batch.debit_cents;
        credit_cents += batch.credit_cents;
    }

    // The control records store its last ten digits.
    [[nodiscard]] std::int64_t last_ten_of_hash() const { return entry_hash % entry_hash_modulus; }
};

void write_batch_control(RecordWriter& writer, const BatchHeader& header, const Totals& totals) {
    writer.set_subject("control of batch ", header.batch_number);
    writer.begin_record('8');
    writer.number<3>(2, static_cast<int>(header.service_class), "service class");
    writer.number<6>(5, totals.entries_and_addenda, "entry and addenda count");
    writer.number<10>(11, totals.last_ten_of_hash(), "entry hash");
    writer.number<12>(21, totals.debit_cents, "total debit");
    writer.number<12>(33, totals.credit_cents, "total credit");
    writer.identification(45, 10, header.company_identification, "company identification");
    writer.digits<8>(80, header.odfi_identification, "ODFI identification");
    writer.number<7>(88, header.batch_number, "batch number");
    writer.end_record();
}

void write_file_control(RecordWriter& writer, const Totals& totals) {
    writer.set_subject("file control");
    writer.begin_record('9');
    const std::size_t blocks = (writer.records() + blocking_factor - 1) / blocking_factor;
    writer.number<6>(2, totals.batches, "batch count");
    writer.number<6>(8, static_cast<std::int64_t>(blocks), "block count");
    writer.number<8>(14, totals.entries_and_addenda, "entry and addenda count");
    writer.number<10>(22, totals.last_ten_of_hash(), "entry hash");
    writer.number<12>(32, totals.debit_cents, "total debit");
    writer.number<12>(44, totals.credit_cents, "total credit");
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
        if (writer.has_error()) return;  // a value that does not fit is not added to the sums
        write_entry(writer, entry, is_ctx_);
        if (!writer.has_error()) batch_.add(entry);
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

    RecordWriter writer;

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
