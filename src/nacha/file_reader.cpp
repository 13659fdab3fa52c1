#include "drawbridge/nacha/file_reader.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "batch_reader.hpp"
#include "drawbridge/text/show.hpp"
#include "drawbridge/text/utf8.hpp"
#include "line_splitter.hpp"
#include "record_check.hpp"

namespace drawbridge::nacha {

namespace {

// Where the values of a file header and a file control end; the spaces after them may have been stripped.
constexpr std::size_t values_end_of_header = 40, values_end_of_control = 55;

bool is_nines(std::string_view text) {
    return text.find_first_not_of('9') == std::string_view::npos;
}

// What old systems append to a text.
bool is_fill(std::string_view text) {
    return text.find_first_not_of(std::string_view("\x1A\0", 2)) == std::string_view::npos;
}

// How many bytes of an end-of-file character or a byte order mark come before the record.
std::size_t length_of_joint(std::string_view line) {
    std::size_t length = std::min(line.find_first_not_of('\x1A'), line.size());
    if (line.substr(length).starts_with("\xEF\xBB\xBF")) length += 3;
    return length;
}

std::string length_text(std::size_t length) {
    return "the record has " + std::to_string(length) + " characters, not 94";
}

// Where a record has a text for people, which decides nothing.
std::array<std::pair<std::size_t, std::size_t>, 2> remark_places(std::string_view record) {
    using Places = std::array<std::pair<std::size_t, std::size_t>, 2>;
    switch (record.front()) {
        case '1': return Places{{{41, 54}}};           // names and reference code
        case '5': return Places{{{5, 36}, {54, 10}}};  // company name and discretionary data, entry description
        case '6': return Places{{{55, 22}}};           // individual name
        case '7': return slice(record, 2, 2) == "99" ? Places{{{36, 44}}} : Places{};  // addenda information
        default: return {};
    }
}

// One character for each character of UTF-8 text of 94 characters; empty: it is not such a text.
std::string one_byte_each(std::string_view text) {
    std::string record;
    while (!text.empty() && record.size() <= record_length) {
        const std::size_t length = text::utf8_length(text);
        if (length == 0) return {};
        record += length == 1 ? text.front() : '\x80';
        text.remove_prefix(length);
    }
    return record.size() == record_length ? record : std::string();
}

// Lines of one kind: the first one and the count.
struct Lines {
    std::size_t first = 0;
    std::int64_t count = 0;
    void add(std::size_t line) {
        if (count++ == 0) first = line;
    }
};

}  // namespace

class FileReader::State {
  public:
    State(ReadOptions options, Sink sink)
        : options_(options),
          sink_(std::move(sink)),
          lines_([this](const LineSplitter::Line& line) { process(line); }) {}

    void feed(std::string_view bytes) { lines_.feed(bytes); }
    ReadSummary finish();

  private:
    enum class Place { start, between_batches, in_batch, end };

    // What is known about the file that is being read; another one may follow it.
    struct OneFile {
        Place place = Place::start;
        std::size_t header_line = 0, control_line = 0, first_padding = 0, padding = 0;
        std::size_t records = 0;
        std::int64_t batches = 0, live_batches = 0, last_batch_number = 0;
        Sums sums;  // of the closed batches
        bool has_advices = false;
        std::optional<Fault> live_destination, answer_destination;
        [[nodiscard]] bool is_complete() const { return place == Place::end && header_line != 0; }
    };

    void process(const LineSplitter::Line& line);
    void process_odd_length(const LineSplitter::Line& line);
    bool process_foreign(const LineSplitter::Line& line);
    void report_length(const LineSplitter::Line& line);
    void read(std::size_t line, std::string_view record);
    void read_file_header(std::size_t line, std::string_view record);
    void read_batch_header(std::size_t line, std::string_view record);
    void read_nine(std::size_t line, std::string_view record);
    void read_file_control(std::size_t line, std::string_view record);
    void check_file_control(std::size_t line, std::string_view record, const RecordLayout& layout);
    void close_batch();
    void end_file();
    void check_missing_records();
    void check_line_ends();
    void check_blocking();
    void tolerate(std::size_t line, std::size_t position, std::string what);
    void tolerate(const Lines& lines, std::size_t position, const std::string& what);
    void mark_incomplete() {
        file_.sums.is_complete = false;
        batch_.mark_incomplete();
    }
    void report_structure(std::size_t line, std::string what) {
        report(problems_, line, std::move(what), Severity::unreadable);
    }
    // Whether it has only returns and notifications of change: a bank may send those without file header and control.
    [[nodiscard]] bool has_only_answers() const { return file_.batches > 0 && file_.live_batches == 0; }
    void pass_to_sink(RecordKind kind, std::size_t line, std::string_view record);
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
    Sums sums_;  // of the finished files
    OneFile file_;
    std::size_t last_line_ = 0, fill_line_ = 0;
    Lines blank_lines_, long_lines_, short_padding_, next_files_, foreign_lines_;
    bool is_past_end_ = false;  // another file begins where none may: nothing more is read
    bool is_whole_ = true;      // the current record has 94 characters, apart from spaces
    bool batch_is_shown_ = false, entry_is_shown_ = false;
};

// A record that is not whole is not passed to the sink, nor is anything that belongs to it.
void FileReader::State::pass_to_sink(RecordKind kind, std::size_t line, std::string_view record) {
    const bool in_batch = file_.place == Place::in_batch;
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

void FileReader::State::process(const LineSplitter::Line& line) {
    if (is_past_end_) return;
    // Where files were joined into one.
    if (options_.may_be_stacked && file_.is_complete()) {
        const std::size_t joint = length_of_joint(line.text);
        const bool begins_file = line.longer.size() == record_length + joint && line.longer[joint] == '1';
        if (joint > 0 && begins_file)
            return process({.number = line.number, .text = line.longer.substr(joint), .length = record_length});
        if (fill_line_ != 0 && line.text.starts_with('1')) fill_line_ = 0;
    }
    if (!line.overhangs && is_blank(line.text)) return blank_lines_.add(line.number);
    if (line.length <= record_length && is_fill(line.text)) {
        fill_line_ = line.number;
        return;
    }
    if (fill_line_ != 0) {  // not at the end of the file
        report_structure(std::exchange(fill_line_, 0), "an end-of-file character before the end of the file");
        mark_incomplete();
    }
    if (options_.may_be_stacked && line.text.starts_with('1') && file_.is_complete()) {
        next_files_.add(line.number);
        end_file();
    }
    last_line_ = line.number;
    ++file_.records;
    is_whole_ = true;
    if (options_.text_may_be_foreign && process_foreign(line)) return;
    if (line.length == record_length) return read(line.number, line.text);
    if (line.length < record_length || line.overhangs || line.continuations > 0) return process_odd_length(line);
    long_lines_.add(line.number);
    read(line.number, line.text);
}

void FileReader::State::process_odd_length(const LineSplitter::Line& line) {
    std::array<char, record_length> filled;
    filled.fill(' ');
    std::ranges::copy(line.text, filled.begin());
    if (!line.overhangs && is_nines(unpadded(line.text))) {
        short_padding_.add(line.number);
        filled.fill('9');
        return read(line.number, {filled.data(), filled.size()});
    }
    is_whole_ = !line.overhangs && line.continuations == 0 &&
                ((line.text.starts_with('1') && line.length >= values_end_of_header) ||
                 (line.text.starts_with('9') && line.length >= values_end_of_control));
    if (is_whole_) {
        tolerate(line.number, line.length + 1, length_text(line.length) + ": read as if it ended in spaces");
    } else {
        report_length(line);
        mark_incomplete();
    }
    read(line.number, {filled.data(), filled.size()});
}

// False if the record has no such characters where they are harmless, or others too.
bool FileReader::State::process_foreign(const LineSplitter::Line& line) {
    if (line.length == record_length && is_printable(line.text)) return false;
    std::string record(line.text);
    if (line.length != record_length) record = line.longer.size() == line.length ? one_byte_each(line.longer) : "";
    if (record.empty()) return false;
    for (const auto& [from, length] : remark_places(record)) {
        for (std::size_t at = from; at < from + length; ++at) {
            if (static_cast<unsigned char>(record[at - 1]) >= 0x80) record[at - 1] = '?';
        }
    }
    if (!is_printable(record)) return false;
    foreign_lines_.add(line.number);
    read(line.number, record);
    return true;
}

// The rules count bytes. Characters and bytes differ where a character is not ASCII.
void FileReader::State::report_length(const LineSplitter::Line& line) {
    const std::size_t characters = line.length - line.continuations;
    if (characters != record_length) {
        const std::size_t end = std::min(characters, record_length) + 1;
        return problems_.add({line.number, end, 0, "", length_text(characters), Severity::unreadable});
    }
    const auto odd = static_cast<std::size_t>(
        std::ranges::find_if_not(line.text, [](char c) { return c >= 0x20 && c <= 0x7E; }) - line.text.begin());
    problems_.add(
        {line.number, odd + 1, 1, "",
         "a character that is not printable ASCII: the record has " + std::to_string(line.length) + " bytes, not 94",
         Severity::unreadable});
}

void FileReader::State::tolerate(std::size_t line, std::size_t position, std::string what) {
    const Problem problem{line, position, 0, "", std::move(what), Severity::warning};
    problems_.add(problem);
    summary_.tolerated.push_back(problem);
}

void FileReader::State::tolerate(const Lines& lines, std::size_t position, const std::string& what) {
    if (lines.count == 0) return;
    tolerate(lines.first, position,
             what + (lines.count == 1 ? "" : ", here and on " + text::counted(lines.count - 1, "more line")));
}

void FileReader::State::read(std::size_t line, std::string_view record) {
    if (file_.first_padding != 0 && file_.control_line == 0 && !is_nines(record))
        report(problems_, std::exchange(file_.first_padding, 0), "padding before the file control");
    switch (record.front()) {
        case '1': return read_file_header(line, record);
        case '5': return read_batch_header(line, record);
        case '6':
            if (file_.place != Place::in_batch) break;
            batch_.add_entry(line, record, is_whole_);
            return pass_to_sink(RecordKind::entry, line, record);
        case '7':
            if (file_.place != Place::in_batch || !batch_.add_addenda(line, record, is_whole_)) break;
            return pass_to_sink(RecordKind::addenda, line, record);
        case '8':
            if (file_.place != Place::in_batch) break;
            batch_.end(line, record, is_whole_);
            pass_to_sink(RecordKind::batch_control, line, record);
            return close_batch();
        case '9': return read_nine(line, record);
        default: break;
    }
    mark_incomplete();
    if (!is_whole_ || !check_form(problems_, line, record, nullptr).is_printable()) return;
    switch (record.front()) {
        case '6': return report_structure(line, "an entry outside a batch");
        case '7': return report_structure(line, "an addenda record without an entry");
        case '8': return report_structure(line, "a batch control outside a batch");
        default:
            report_structure(line, std::string("'") + record.front() + "' is not a record type (1, 5, 6, 7, 8, 9)");
    }
}

void FileReader::State::read_file_header(std::size_t line, std::string_view record) {
    if (file_.place != Place::start) {
        is_past_end_ = true;
        if (file_.is_complete())
            return report_structure(line, "a second file begins here: split it into one file each");
        return report_structure(line, std::string("another file begins here, and the file before it has no file ") +
                                          (file_.place == Place::end ? "header" : "control"));
    }
    file_.place = Place::between_batches;
    file_.header_line = line;
    const Form form = form_of_record(line, record, file_header_layout());
    if (!form.is_printable()) return;
    file_.live_destination = destination_fault(slice(record, 4, 10), /*is_answer=*/false);
    file_.answer_destination = destination_fault(slice(record, 4, 10), /*is_answer=*/true);
    const std::string_view date = slice(record, 24, 6);
    if (is_blank(date) || is_zeros(date))
        report(problems_, line, {"file creation date", 24, 6}, "must be filled in", Severity::unreadable);
    pass_to_sink(RecordKind::file_header, line, record);
}

void FileReader::State::read_batch_header(std::size_t line, std::string_view record) {
    if (file_.place == Place::in_batch) {
        batch_.abandon(line, "a batch header before the control record of the previous batch");
        close_batch();
    }
    if (file_.place == Place::end) return report_structure(line, "a record after the file control");
    file_.place = Place::in_batch;
    batch_.begin(line, record, is_whole_);
    pass_to_sink(RecordKind::batch_header, line, record);
}

void FileReader::State::close_batch() {
    file_.place = Place::between_batches;
    ++file_.batches;
    file_.sums.add(batch_.sums());
    const bool is_answer = batch_.has_only_answers();
    if (!is_answer) ++file_.live_batches;
    if (batch_.layout() == BatchLayout::adv) file_.has_advices = true;
    if (!batch_.has_fields()) return;
    if (batch_.batch_number() <= file_.last_batch_number) {
        report(problems_, batch_.header_line(), {"batch number", 88, 7},
               std::to_string(batch_.batch_number()) + " must be greater than " +
                   std::to_string(file_.last_batch_number) + ", the one before it",
               is_answer ? Severity::warning : Severity::error);
    }
    file_.last_batch_number = std::max(file_.last_batch_number, batch_.batch_number());
}

void FileReader::State::read_nine(std::size_t line, std::string_view record) {
    if (is_nines(record)) {
        if (file_.control_line == 0 && file_.first_padding == 0) file_.first_padding = line;
        if (file_.control_line != 0) ++file_.padding;
        --file_.records;
        return;
    }
    if (file_.place == Place::end) {
        if (is_whole_)
            problems_.add({line, record.find_first_not_of('9') + 1, 1, "",
                           "a record after the file control that is not all nines", Severity::unreadable});
        return;
    }
    read_file_control(line, record);
}

void FileReader::State::read_file_control(std::size_t line, std::string_view record) {
    if (file_.place == Place::in_batch) {
        batch_.abandon(line, "the file control before the control record of the batch");
        close_batch();
    }
    file_.place = Place::end;
    file_.control_line = line;
    const RecordLayout& layout = file_control_layout(file_.has_advices ? BatchLayout::adv : BatchLayout::standard);
    const Form form = form_of_record(line, record, layout);
    if (!form.is_printable()) return;
    if (form.is_readable() && file_.sums.is_complete) check_file_control(line, record, layout);
    pass_to_sink(RecordKind::file_control, line, record);
}

void FileReader::State::check_file_control(std::size_t line, std::string_view record, const RecordLayout& layout) {
    const auto blocks = static_cast<std::int64_t>((file_.records + blocking_factor - 1) / blocking_factor);
    const std::array<std::int64_t, 6> computed = {file_.batches,
                                                  blocks,
                                                  file_.sums.entry_addenda_count(),
                                                  file_.sums.last_ten_of_hash(),
                                                  file_.sums.debit_cents,
                                                  file_.sums.credit_cents};
    for (std::size_t i = 0; i < computed.size(); ++i) {
        const bool is_block_count = i == 1;  // blocking affects validity only, and padding may have been dropped
        if (is_block_count && file_.header_line == 0) continue;
        compare_sum(problems_, line, record, layout.fields[i], computed[i],
                    is_block_count ? Severity::error : Severity::unreadable);
    }
}

void FileReader::State::check_missing_records() {
    const bool is_answer = has_only_answers();
    const Severity missing = options_.file_records_required ? Severity::unreadable
                             : is_answer                    ? Severity::warning
                                                            : Severity::error;
    if (file_.header_line == 0) report(problems_, 1, "the file has no file header", missing);
    if (file_.control_line == 0 && file_.first_padding != 0)
        report(problems_, file_.first_padding, "padding before the file control", missing);
    else if (file_.control_line == 0)
        problems_.add({last_line_, 0, 0, "", "the file has no file control record", missing});
    // Banks report "no returns" with a file of two records.
    const bool is_empty = file_.batches == 0 && file_.header_line != 0 && file_.control_line != 0;
    if (const auto& fault = is_answer || is_empty ? file_.answer_destination : file_.live_destination)
        report(problems_, file_.header_line, {"immediate destination", 4, 10}, fault->what, fault->severity);
    if (file_.header_line != 0 && file_.batches == 0)
        problems_.add(
            {file_.header_line, 0, 0, "", "the file has no batches", is_empty ? Severity::warning : Severity::error});
}

void FileReader::State::end_file() {
    check_missing_records();
    if (!is_past_end_) check_blocking();
    sums_.add(file_.sums);
    summary_.records += file_.records;
    summary_.batches += file_.batches;
    summary_.has_file_header = file_.header_line != 0;
    summary_.has_file_control = file_.control_line != 0;
    traces_ = {};
    file_ = {};
}

void FileReader::State::check_line_ends() {
    if (lines_.has_mark()) tolerate(1, 1, "the file begins with a byte order mark");
    if (lines_.ends() == LineEnds::crcrlf) tolerate(1, record_length + 1, "the lines end with CR CR LF");
    if (lines_.odd_line() != 0)
        tolerate(lines_.odd_line(), record_length + 1, "the line does not end like the first one");
    tolerate(blank_lines_, 0,
             blank_lines_.first > last_line_ ? "an empty line at the end of the file" : "an empty line");
    tolerate(long_lines_, record_length + 1, "spaces after the 94 characters of the record");
    tolerate(short_padding_, 0, "a padding line without 94 characters");
    tolerate(next_files_, 0, "another complete file begins");
    tolerate(foreign_lines_, 0, "characters that are not ASCII in a text");
    if (fill_line_ != 0) tolerate(fill_line_, 1, "an end-of-file character");
}

void FileReader::State::check_blocking() {
    if (file_.control_line == 0 || file_.place != Place::end) return;
    const std::size_t records = file_.records + file_.padding;
    const std::size_t whole = (file_.records + blocking_factor - 1) / blocking_factor * blocking_factor;
    if (records == whole) return;
    // Some banks want files without padding; partial padding indicates a truncated file.
    problems_.add({last_line_, 0, 0, "",
                   "the file has " + std::to_string(records) +
                       " records; padded to whole blocks of ten it should have " + std::to_string(whole),
                   file_.padding == 0 ? Severity::warning : Severity::error});
}

ReadSummary FileReader::State::finish() {
    lines_.finish();
    if (file_.place == Place::in_batch) {
        batch_.abandon(last_line_, "the batch has no control record");
        close_batch();
    }
    if (last_line_ == 0) {
        problems_.add({0, 0, 0, "", "the file is empty", Severity::unreadable});
    } else {
        end_file();
        check_line_ends();
    }
    summary_.last_line = last_line_;
    summary_.entries = sums_.entries;
    summary_.addenda = sums_.addenda;
    summary_.entry_hash = sums_.last_ten_of_hash();
    summary_.total_debit = Money::from_cents(sums_.debit_cents);
    summary_.total_credit = Money::from_cents(sums_.credit_cents);
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
