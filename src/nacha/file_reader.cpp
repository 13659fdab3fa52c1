#include "drawbridge/nacha/file_reader.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "batch_reader.hpp"
#include "line_splitter.hpp"
#include "record_check.hpp"

namespace drawbridge::nacha {

namespace {

// Where the values of a file header and a file control end: blanks after it may have been stripped.
constexpr std::size_t values_end_of_header = 40, values_end_of_control = 55;

bool is_nines(std::string_view text) {
    return text.find_first_not_of('9') == std::string_view::npos;
}

std::string length_text(std::size_t length) {
    return "the record has " + std::to_string(length) + " characters, not 94";
}

}  // namespace

class FileReader::State {
  public:
    State(ReadOptions options, Sink sink)
        : options_(options),
          sink_(std::move(sink)),
          lines_([this](std::size_t line, std::string_view text, std::size_t length) { take(line, text, length); }) {}

    void feed(std::string_view bytes) { lines_.feed(bytes); }
    ReadSummary finish();

  private:
    enum class Place { start, between_batches, in_batch, end };

    void take(std::size_t line, std::string_view text, std::size_t length);
    void read(std::size_t line, std::string_view record);
    void read_file_header(std::size_t line, std::string_view record);
    void read_batch_header(std::size_t line, std::string_view record);
    void read_nine(std::size_t line, std::string_view record);
    void read_file_control(std::size_t line, std::string_view record);
    void check_file_control(std::size_t line, std::string_view record, const RecordLayout& layout);
    void close_batch();
    void check_missing_records();
    void check_blocking();
    void spoil() {
        sums_.is_complete = false;
        batch_.spoil();
    }
    void report_structure(std::size_t line, std::string what) {
        report(problems_, line, std::move(what), Severity::unreadable);
    }
    // Nothing but returns and notifications of change: a bank may send them without the file's own records.
    [[nodiscard]] bool has_only_answers() const { return summary_.batches > 0 && live_batches_ == 0; }
    void hand_over(RecordKind kind, std::size_t line, std::string_view record);
    [[nodiscard]] Form form_of_record(std::size_t line, std::string_view record, const RecordLayout& layout) {
        return is_whole_ ? check_form(problems_, line, record, &layout) : Form(Form::damaged);
    }

    ReadOptions options_;
    Sink sink_;
    LineSplitter lines_;
    ProblemList problems_;
    TraceSet traces_;
    BatchReader batch_{problems_, traces_};
    ReadSummary summary_;
    Sums sums_;  // of the batches that are closed
    Place place_ = Place::start;
    std::optional<Fault> live_destination_, answer_destination_;
    std::size_t file_header_line_ = 0, file_control_line_ = 0;
    std::size_t last_line_ = 0, first_padding_ = 0, first_empty_ = 0, padding_ = 0;
    std::int64_t last_batch_number_ = 0, live_batches_ = 0;
    bool has_advices_ = false;
    bool is_whole_ = true;  // the record at hand has 94 characters, but for blanks
    bool batch_is_shown_ = false, entry_is_shown_ = false;
};

// A record that is not whole is not shown, and nothing that belongs to it.
void FileReader::State::hand_over(RecordKind kind, std::size_t line, std::string_view record) {
    const bool in_batch = place_ == Place::in_batch;
    if (kind == RecordKind::batch_header) batch_is_shown_ = is_whole_;
    if (kind == RecordKind::entry) entry_is_shown_ = is_whole_ && batch_is_shown_;
    const bool is_hidden =
        !is_whole_ || (in_batch && !batch_is_shown_) || (kind == RecordKind::addenda && !entry_is_shown_);
    if (!sink_ || is_hidden) return;
    std::array<char, record_length> clean;
    if (!is_printable(record)) {
        std::ranges::transform(record, clean.begin(), [](char c) { return c >= 0x20 && c <= 0x7E ? c : '?'; });
        record = {clean.data(), clean.size()};
    }
    sink_({kind, line, record, in_batch ? batch_.sec_code() : std::string_view(),
           in_batch ? batch_.layout() : BatchLayout::standard});
}

void FileReader::State::take(std::size_t line, std::string_view text, std::size_t length) {
    if (length == 0) {
        if (first_empty_ == 0) first_empty_ = line;
        return;
    }
    if (first_empty_ != 0) {  // not at the end of the file
        report_structure(std::exchange(first_empty_, 0), length_text(0));
        spoil();
    }
    last_line_ = line;
    ++summary_.records;
    is_whole_ = true;
    if (length == record_length) return read(line, text);
    std::array<char, record_length> filled;
    filled.fill(' ');
    std::ranges::copy(text, filled.begin());
    const bool lost_blanks_only = (text.front() == '1' && length >= values_end_of_header) ||
                                  (text.front() == '9' && length >= values_end_of_control && !is_nines(text));
    is_whole_ = length < record_length && lost_blanks_only;
    problems_.add({line, std::min(length, record_length) + 1, 0, "", length_text(length),
                   is_whole_ ? Severity::error : Severity::unreadable});
    if (!is_whole_) spoil();
    if (!is_nines(text)) return read(line, {filled.data(), filled.size()});
    --summary_.records;
    ++padding_;
}

void FileReader::State::read(std::size_t line, std::string_view record) {
    switch (record.front()) {
        case '1': return read_file_header(line, record);
        case '5': return read_batch_header(line, record);
        case '6':
            if (place_ != Place::in_batch) break;
            batch_.add_entry(line, record, is_whole_);
            return hand_over(RecordKind::entry, line, record);
        case '7':
            if (place_ != Place::in_batch || !batch_.add_addenda(line, record, is_whole_)) break;
            return hand_over(RecordKind::addenda, line, record);
        case '8':
            if (place_ != Place::in_batch) break;
            batch_.end(line, record, is_whole_);
            hand_over(RecordKind::batch_control, line, record);
            return close_batch();
        case '9': return read_nine(line, record);
        default: break;
    }
    spoil();
    if (!is_whole_ || !check_form(problems_, line, record, nullptr).is_printable()) return;
    switch (record.front()) {
        case '6': return report_structure(line, "an entry outside of a batch");
        case '7': return report_structure(line, "an addenda record without an entry");
        case '8': return report_structure(line, "a batch control outside of a batch");
        default: report_structure(line, std::string("'") + record.front() + "' is no record type (1, 5, 6, 7, 8, 9)");
    }
}

void FileReader::State::read_file_header(std::size_t line, std::string_view record) {
    if (place_ != Place::start) return report_structure(line, "a file header that is not the first record");
    place_ = Place::between_batches;
    file_header_line_ = line;
    const Form form = form_of_record(line, record, file_header_layout());
    if (!form.is_printable()) return;
    live_destination_ = destination_fault(slice(record, 4, 10), /*is_answer=*/false);
    answer_destination_ = destination_fault(slice(record, 4, 10), /*is_answer=*/true);
    const std::string_view date = slice(record, 24, 6);
    if (is_blank(date) || is_zeros(date))
        report(problems_, line, {"file creation date", 24, 6}, "must be filled in", Severity::unreadable);
    hand_over(RecordKind::file_header, line, record);
}

void FileReader::State::read_batch_header(std::size_t line, std::string_view record) {
    if (place_ == Place::in_batch) {
        batch_.abandon(line, "a batch header before the control record of the batch before it");
        close_batch();
    }
    if (place_ == Place::end) return report_structure(line, "a record after the file control");
    place_ = Place::in_batch;
    batch_.begin(line, record, is_whole_);
    hand_over(RecordKind::batch_header, line, record);
}

void FileReader::State::close_batch() {
    place_ = Place::between_batches;
    ++summary_.batches;
    sums_.add(batch_.sums());
    const bool is_answer = batch_.has_only_answers();
    if (!is_answer) ++live_batches_;
    if (batch_.layout() == BatchLayout::adv) has_advices_ = true;
    if (batch_.batch_number() <= last_batch_number_) {
        report(problems_, batch_.header_line(), {"batch number", 88, 7},
               std::to_string(batch_.batch_number()) + " must be more than " + std::to_string(last_batch_number_) +
                   ", that before it",
               is_answer ? Severity::warning : Severity::error);
    }
    last_batch_number_ = std::max(last_batch_number_, batch_.batch_number());
}

void FileReader::State::read_nine(std::size_t line, std::string_view record) {
    if (is_nines(record)) {
        if (file_control_line_ == 0 && first_padding_ == 0) first_padding_ = line;
        if (file_control_line_ != 0) ++padding_;
        --summary_.records;
        return;
    }
    if (place_ == Place::end) {
        if (is_whole_)
            problems_.add({line, record.find_first_not_of('9') + 1, 1, "",
                           "a record after the file control that is not all nines", Severity::unreadable});
        return;
    }
    read_file_control(line, record);
}

void FileReader::State::read_file_control(std::size_t line, std::string_view record) {
    if (place_ == Place::in_batch) {
        batch_.abandon(line, "the file control before the control record of the batch");
        close_batch();
    }
    place_ = Place::end;
    file_control_line_ = line;
    const RecordLayout& layout = file_control_layout(has_advices_ ? BatchLayout::adv : BatchLayout::standard);
    const Form form = form_of_record(line, record, layout);
    if (!form.is_printable()) return;
    if (form.is_readable() && sums_.is_complete) check_file_control(line, record, layout);
    hand_over(RecordKind::file_control, line, record);
}

void FileReader::State::check_file_control(std::size_t line, std::string_view record, const RecordLayout& layout) {
    const auto blocks = static_cast<std::int64_t>((summary_.records + blocking_factor - 1) / blocking_factor);
    const std::array<std::int64_t, 6> computed = {
        summary_.batches,  blocks, sums_.entry_addenda_count(), sums_.last_ten_of_hash(), sums_.debit_cents,
        sums_.credit_cents};
    for (std::size_t i = 0; i < computed.size(); ++i) {
        const bool is_block_count = i == 1;  // blocking is a matter of validity, and padding may have been dropped
        if (is_block_count && file_header_line_ == 0) continue;
        compare_sum(problems_, line, record, layout.fields[i], computed[i],
                    is_block_count ? Severity::error : Severity::unreadable);
    }
}

void FileReader::State::check_missing_records() {
    const bool is_answer = has_only_answers();
    const Severity missing = options_.file_records_required ? Severity::unreadable
                             : is_answer                    ? Severity::warning
                                                            : Severity::error;
    if (file_header_line_ == 0) report(problems_, 1, "the file has no file header", missing);
    if (file_control_line_ == 0 && first_padding_ != 0)
        report(problems_, first_padding_, "padding before the file control", missing);
    else if (file_control_line_ == 0)
        problems_.add({last_line_, 0, 0, "", "the file has no file control record", missing});
    if (const auto& fault = is_answer ? answer_destination_ : live_destination_)
        report(problems_, file_header_line_, {"immediate destination", 4, 10}, fault->what, fault->severity);
    if (file_header_line_ != 0 && summary_.batches == 0)
        problems_.add({file_header_line_, 0, 0, "", "the file has no batches"});
}

void FileReader::State::check_blocking() {
    if (lines_.odd_line() != 0)
        problems_.add({lines_.odd_line(), record_length + 1, 0, "", "the line does not end as the first one does",
                       Severity::warning});
    if (first_empty_ != 0)
        problems_.add({first_empty_, 0, 0, "", "an empty line at the end of the file", Severity::warning});
    if (file_control_line_ == 0 || place_ != Place::end) return;
    const std::size_t records = summary_.records + padding_;
    const std::size_t whole = (summary_.records + blocking_factor - 1) / blocking_factor * blocking_factor;
    if (records == whole) return;
    // Some banks want files without padding; half of it is what a cut leaves.
    problems_.add({last_line_, 0, 0, "",
                   "the file has " + std::to_string(records) + " records, padded to whole blocks of ten it has " +
                       std::to_string(whole),
                   padding_ == 0 ? Severity::warning : Severity::error});
}

ReadSummary FileReader::State::finish() {
    lines_.finish();
    if (place_ == Place::in_batch) {
        batch_.abandon(last_line_, "the batch has no control record");
        close_batch();
    }
    if (last_line_ == 0) {
        problems_.add({0, 0, 0, "", "the file is empty", Severity::unreadable});
    } else {
        check_missing_records();
        check_blocking();
    }
    summary_.entries = sums_.entries;
    summary_.addenda = sums_.addenda;
    summary_.entry_hash = sums_.last_ten_of_hash();
    summary_.total_debit = Money::from_cents(sums_.debit_cents);
    summary_.total_credit = Money::from_cents(sums_.credit_cents);
    summary_.has_file_header = file_header_line_ != 0;
    summary_.has_file_control = file_control_line_ != 0;
    summary_.errors = problems_.errors();
    summary_.warnings = problems_.warnings();
    summary_.left_out = problems_.left_out();
    summary_.is_readable = problems_.is_readable();
    summary_.problems = std::move(problems_).take();
    return std::move(summary_);
}

FileReader::FileReader(ReadOptions options, Sink sink) : state_(std::make_unique<State>(options, std::move(sink))) {}
FileReader::~FileReader() = default;

void FileReader::feed(std::string_view bytes) {
    state_->feed(bytes);
}

ReadSummary FileReader::finish() {
    return state_->finish();
}

}  // namespace drawbridge::nacha
