#include "drawbridge/text/csv.hpp"

#include <csv.h>

#include <algorithm>
#include <utility>

#include "drawbridge/domain/assert.hpp"
#include "drawbridge/text/utf8.hpp"

namespace drawbridge::text {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// A line ends with LF, CR LF or a single CR.
bool ends_line(std::string_view bytes, std::size_t at) {
    return bytes[at] == '\n' || (bytes[at] == '\r' && (at + 1 == bytes.size() || bytes[at + 1] != '\n'));
}

// Reports, for each line, the first NUL and the first byte that is not UTF-8.
void check_bytes(std::string_view bytes, DiagnosticReport& report) {
    int line = 1;
    std::size_t line_start = 0;
    bool nul_reported = false;
    bool utf8_reported = false;
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t length = utf8_length(bytes.substr(at));
        if (length == 0 && !std::exchange(utf8_reported, true)) {
            report.add(line, static_cast<int>(at - line_start + 1), "these bytes are not UTF-8",
                       "save the file as UTF-8");
        }
        if (bytes[at] == '\0' && !std::exchange(nul_reported, true)) {
            report.add(line, static_cast<int>(at - line_start + 1), "a NUL byte",
                       "this is not a text file, or it is damaged");
        }
        if (ends_line(bytes, at)) {
            ++line;
            line_start = at + 1;
            nul_reported = utf8_reported = false;
        }
        at += std::max<std::size_t>(length, 1);
    }
}

int no_space(unsigned char) {
    return 0;  // keeps libcsv from trimming what it considers a space
}

// Feeds libcsv in pieces that end where a field, a quote or a row may end, so that the position of each field is known.
class Reader {
  public:
    Reader(std::string_view bytes, const CsvOptions& options, DiagnosticReport& report)
        : bytes_(bytes), options_(options), report_(report), special_{options.delimiter, options.quote, '\r', '\n'} {
        start_parser();
    }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    ~Reader() { csv_free(&parser_); }

    std::vector<CsvRow> read() {
        while (at_ < bytes_.size())
            step();
        if (csv_fini(&parser_, on_field, on_row, this) != 0) {
            DRAWBRIDGE_ASSERT(csv_error(&parser_) == CSV_EPARSE, "libcsv ran out of memory");
            report_.add(field_line_, field_column(), "this quote is not closed", "close it with a second quote");
        }
        return std::move(rows_);
    }

  private:
    void start_parser() {
        const int started = csv_init(&parser_, CSV_STRICT | CSV_STRICT_FINI);
        DRAWBRIDGE_ASSERT(started == 0, "libcsv does not initialize");
        csv_set_delim(&parser_, static_cast<unsigned char>(options_.delimiter));
        csv_set_quote(&parser_, static_cast<unsigned char>(options_.quote));
        csv_set_space_func(&parser_, no_space);
    }

    void step() {
        const std::size_t special = bytes_.find_first_of(special_, at_);
        const std::size_t end = special == std::string_view::npos ? bytes_.size() : special + 1;
        // Twice the limit, for a field of nothing but doubled quotes; add_field() checks the real length.
        if (end - field_start_ > 2 * options_.max_field_bytes + 3) {
            report_long_field();
            return skip_line(at_);
        }
        piece_last_ = end - 1;
        const std::size_t length = end - at_;
        const std::size_t done = csv_parse(&parser_, bytes_.data() + at_, length, on_field, on_row, this);
        if (done != length) return refuse_quote(at_ + done);
        at_ = end;
        if (ends_line(bytes_, end - 1)) begin_line(end);
        // A line end where a field would begin: an empty line, or the LF after the CR that ended the row.
        const bool newline = bytes_[end - 1] == '\n' || bytes_[end - 1] == '\r';
        if (newline && field_start_ == end - 1) begin_field(end);
    }

    void refuse_quote(std::size_t offset) {
        DRAWBRIDGE_ASSERT(csv_error(&parser_) == CSV_EPARSE, "libcsv ran out of memory");
        const bool quoted = bytes_[field_start_] == options_.quote;
        if (quoted) {
            report_.add(line_, static_cast<int>(offset - line_start_ + 1), "text after a closing quote",
                        "put the delimiter right after the quote, or write a quote inside a quoted field twice");
        } else {
            report_.add(line_, static_cast<int>(offset - line_start_ + 1),
                        "a quote inside a field that does not begin with one",
                        "quote the whole field and write the quote inside it twice");
        }
        skip_line(offset);
    }

    void report_long_field() {
        report_.add(field_line_, field_column(),
                    "a field longer than " + std::to_string(options_.max_field_bytes) + " bytes",
                    "look for a quote that is not closed");
    }

    // Continues at the line after `offset`, discarding the current row.
    void skip_line(std::size_t offset) {
        while (offset < bytes_.size() && !ends_line(bytes_, offset))
            ++offset;
        at_ = std::min(offset + 1, bytes_.size());
        begin_line(at_);
        begin_field(at_);
        row_.fields.clear();
        csv_free(&parser_);
        start_parser();
    }

    void begin_line(std::size_t start) {
        ++line_;
        line_start_ = start;
        // A field that begins here, not on the line before.
        if (field_start_ == start) begin_field(start);
    }

    void begin_field(std::size_t start) {
        field_start_ = start;
        field_line_ = line_;
        field_line_start_ = line_start_;
    }

    [[nodiscard]] int field_column() const { return static_cast<int>(field_start_ - field_line_start_ + 1); }

    static void on_field(void* text, std::size_t length, void* self) {
        static_cast<Reader*>(self)->add_field({static_cast<const char*>(text), length});
    }
    static void on_row(int, void* self) { static_cast<Reader*>(self)->add_row(); }

    void add_field(std::string_view text) {
        if (text.size() > options_.max_field_bytes) report_long_field();
        if (row_.fields.empty()) row_.line = field_line_;
        row_.fields.push_back({.text = std::string(text), .column = field_column()});
        begin_field(piece_last_ + 1);
    }

    void add_row() { rows_.push_back(std::exchange(row_, {})); }

    std::string_view bytes_;
    const CsvOptions& options_;
    DiagnosticReport& report_;
    std::string special_;
    csv_parser parser_{};
    std::vector<CsvRow> rows_;
    CsvRow row_;
    std::size_t at_ = 0;
    std::size_t piece_last_ = 0;  // the last byte of the piece that libcsv is reading
    int line_ = 1;
    std::size_t line_start_ = 0;
    std::size_t field_start_ = 0;
    int field_line_ = 1;
    std::size_t field_line_start_ = 0;
};

}  // namespace

std::expected<std::vector<CsvRow>, Diagnostics> read_csv(std::string_view bytes, std::string_view file_name,
                                                         const CsvOptions& options) {
    DiagnosticReport report(file_name);
    if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) {
        report.add(0, 0, "this is UTF-16 text", "save the file as UTF-8");
        return std::unexpected(std::move(report).take());
    }
    if (bytes.starts_with(byte_order_mark)) bytes.remove_prefix(byte_order_mark.size());
    check_bytes(bytes, report);
    std::vector<CsvRow> rows = Reader(bytes, options, report).read();
    if (!report.empty()) return std::unexpected(std::move(report).take());
    return rows;
}

std::string write_csv_row(const std::vector<std::string>& fields, char delimiter) {
    const char special[] = {delimiter, '"', '\r', '\n', '\0'};
    std::string row;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (i > 0) row += delimiter;
        const std::string& field = fields[i];
        // A single empty field must not look like an empty line. Leading and trailing spaces must survive a reader that
        // trims.
        const bool quote = field.find_first_of(special) != std::string::npos ||
                           (field.empty() ? fields.size() == 1 : field.front() == ' ' || field.back() == ' ');
        if (!quote) {
            row += field;
            continue;
        }
        row += '"';
        for (const char c : field) {
            if (c == '"') row += '"';
            row += c;
        }
        row += '"';
    }
    return row + "\n";
}

std::string separated_by(char separator) {
    return "the columns are separated by " + (separator == '\t' ? "tabs" : "'" + std::string(1, separator) + "'");
}

}  // namespace drawbridge::text
