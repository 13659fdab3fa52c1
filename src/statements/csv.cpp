#include "drawbridge/statements/csv.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "drawbridge/text/csv_chunks.hpp"
#include "drawbridge/text/show.hpp"
#include "drawbridge/text/utf8.hpp"
#include "line_sink.hpp"

namespace drawbridge::statements {
namespace {

using text::CsvField;
using text::CsvRow;
using text::DiagnosticReport;

enum Column : std::size_t { reference_column, status_column, amount_column, date_column, column_count };
constexpr std::array<std::string_view, column_count> column_names = {"payment_reference", "status", "amount", "date"};
constexpr std::string_view expected_header =
    "the first line must name the columns payment_reference,status,amount,date, in any order";
constexpr std::size_t max_reference = 100;  // no bank's reference is this long

// Removes spaces, and the no-break spaces that spreadsheets insert, at either end.
std::string_view trim_blanks(std::string_view text) {
    constexpr std::string_view no_break_space = "\xC2\xA0";
    for (std::size_t before = text.size() + 1; before != text.size();) {
        before = text.size();
        if (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
        if (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
        if (text.starts_with(no_break_space)) text.remove_prefix(no_break_space.size());
        if (text.ends_with(no_break_space)) text.remove_suffix(no_break_space.size());
    }
    return text;
}

std::string lower(std::string_view text) {
    std::string lowered(text);
    for (char& c : lowered) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return lowered;
}

// "1.23E+13" is how a spreadsheet shows a long number after dropping its last digits.
bool is_rounded_by_a_spreadsheet(std::string_view text) {
    const std::size_t e = text.find_first_of("eE");
    if (e == 0 || e == std::string_view::npos) return false;
    return text.find_first_not_of("0123456789.,") == e && text.find_first_not_of("0123456789+-", e + 1) == text.npos &&
           e + 1 < text.size();
}

// The column of each fact; nullopt when the header is not the expected one.
using Layout = std::array<std::size_t, column_count>;

std::optional<Layout> read_header(const CsvRow& header, DiagnosticReport& report) {
    std::array<std::optional<std::size_t>, column_count> found;
    const std::vector<std::string_view> names(column_names.begin(), column_names.end());
    bool good = true;
    const auto refuse = [&](int column, std::string message, std::string hint) {
        good = false;
        report.add(header.line, column, std::move(message), std::move(hint));
    };
    for (std::size_t i = 0; i < header.fields.size(); ++i) {
        const CsvField& field = header.fields[i];
        const std::string name = lower(trim_blanks(field.text));
        const auto at = std::ranges::find(column_names, name);
        if (at == column_names.end()) {
            const std::string_view meant = text::closest_match(name, names);
            refuse(field.column, "unknown column " + text::quoted(trim_blanks(field.text)),
                   meant.empty() ? std::string(expected_header) : "did you mean '" + std::string(meant) + "'?");
            continue;
        }
        auto& place = found[static_cast<std::size_t>(std::distance(column_names.begin(), at))];
        if (place) refuse(field.column, "column '" + name + "' appears twice", "name each column once");
        place = i;
    }
    Layout layout{};
    for (std::size_t i = 0; i < column_count; ++i) {
        if (!found[i]) {
            refuse(0, "missing column '" + std::string(column_names[i]) + "'", std::string(expected_header));
            continue;
        }
        layout[i] = *found[i];
    }
    if (!good) return std::nullopt;
    return layout;
}

// Reads one row and reports everything that is wrong with it.
class LineReader {
  public:
    LineReader(const CsvRow& row, DiagnosticReport& report) : row_(row), report_(report) {}

    std::optional<Confirmation> read(const Layout& layout) {
        if (row_.fields.size() != layout.size()) {
            const std::size_t have = row_.fields.size();
            report_.add(row_.line, have > layout.size() ? row_.fields[layout.size()].column : 0,
                        std::to_string(have) + (have == 1 ? " field" : " fields") + ", but the header has " +
                            std::to_string(layout.size()),
                        have > layout.size() ? "quote a value that contains a comma" : "the line may be truncated");
            return std::nullopt;
        }
        Confirmation confirmation;
        confirmation.line = row_.line;
        const auto reference = read_reference(row_.fields[layout[reference_column]]);
        const auto kind = read_status(row_.fields[layout[status_column]]);
        const auto amount = read_amount(row_.fields[layout[amount_column]]);
        const auto date = read_date(row_.fields[layout[date_column]]);
        if (!reference || !kind || !amount || !date) return std::nullopt;
        confirmation.payment_reference = *reference;
        confirmation.kind = *kind;
        confirmation.amount = *amount;
        confirmation.date = *date;
        return confirmation;
    }

  private:
    std::nullopt_t refuse(const CsvField& field, std::string message, std::string hint) {
        report_.add(row_.line, field.column, std::move(message), std::move(hint));
        return std::nullopt;
    }

    std::optional<std::string> read_reference(const CsvField& field) {
        const std::string_view text = trim_blanks(field.text);
        if (text.empty()) {
            return refuse(field, "no payment reference",
                          "write the trace number, the check number or Drawbridge's payment id");
        }
        if (is_rounded_by_a_spreadsheet(text)) {
            return refuse(field, "payment reference " + text::quoted(text) + " was rounded by a spreadsheet",
                          "format the column as text and export it again");
        }
        const bool has_control = std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
        if (has_control || text.size() > max_reference) {
            return refuse(field, text::quoted(text) + " is not a payment reference",
                          "write the trace number, the check number or Drawbridge's payment id");
        }
        return std::string(text);
    }

    std::optional<ConfirmationKind> read_status(const CsvField& field) {
        const std::string word = lower(trim_blanks(field.text));
        for (const auto kind : {ConfirmationKind::paid, ConfirmationKind::returned, ConfirmationKind::voided}) {
            if (word == to_string(kind)) return kind;
        }
        if (word.empty()) return refuse(field, "no status", "write paid, returned or void");
        return refuse(field, "unknown status " + text::quoted(trim_blanks(field.text)), "write paid, returned or void");
    }

    std::optional<Money> read_amount(const CsvField& field) {
        const std::string_view text = trim_blanks(field.text);
        if (text.empty()) return refuse(field, "no amount", "write it like 1234.50");
        if (text.find('$') != std::string_view::npos) {
            return refuse(field, "amount " + text::quoted(text) + " has a dollar sign", "write it like 1234.50");
        }
        if (text.find(',') != std::string_view::npos) {
            return refuse(field, "amount " + text::quoted(text) + " has a comma",
                          "write it like 1234.50, without thousands separators");
        }
        if (text.starts_with('-') || text.starts_with('(') || text.ends_with('-')) {
            return refuse(field, "amount " + text::quoted(text) + " is negative",
                          "write it without a sign; the status says that money came back");
        }
        if (is_rounded_by_a_spreadsheet(text)) {
            return refuse(field, "amount " + text::quoted(text) + " was rounded by a spreadsheet",
                          "write it like 1234.50");
        }
        const auto amount = Money::parse(text);
        if (!amount) return refuse(field, amount.error().message, {});
        if (amount->is_zero()) return refuse(field, "the amount is zero", "a payment must be more than zero");
        return *amount;
    }

    std::optional<BusinessDate> read_date(const CsvField& field) {
        const std::string_view text = trim_blanks(field.text);
        if (text.empty()) return refuse(field, "no date", "write it like 2026-03-04");
        const auto date = parse_date(text);
        if (!date) return refuse(field, date.error().message, {});
        return *date;
    }

    const CsvRow& row_;
    DiagnosticReport& report_;
};

class PlainReader final : public SlicedReader {
  public:
    PlainReader(std::string_view bytes, std::string_view file_name, LineSink& sink)
        : chunks_(bytes, file_name, {}, sink.report), sink_(sink) {}

    bool advance() override {
        if (!chunks_.at_end()) read_rows(chunks_.next());
        if (!chunks_.at_end() && !stopped_) return true;
        if (!stopped_ && !chunks_.is_broken()) finish();
        return false;
    }

  private:
    void read_rows(const std::vector<CsvRow>& rows) {
        // The header may be in the chunk that cannot be read: then the other rows mean nothing.
        if (chunks_.is_broken() && !layout_) stopped_ = true;
        for (const CsvRow& row : rows) {
            if (stopped_) return;
            if (!layout_) {
                layout_ = read_header(row, sink_.report);
                stopped_ = !layout_;
                continue;
            }
            ++lines_;
            if (auto read = LineReader(row, sink_.report).read(*layout_)) sink_.add(*std::move(read));
        }
    }

    void finish() {
        if (!layout_) return sink_.report.add(0, 0, "the file is empty", "drop it again; it may be truncated");
        if (lines_ > 0) return;
        sink_.report.add(0, 0, "there is no line after the header", "drop the file again; it may be truncated");
    }

    text::CsvChunks chunks_;
    LineSink& sink_;
    std::optional<Layout> layout_;
    bool stopped_ = false;
    std::int64_t lines_ = 0;
};

}  // namespace

std::unique_ptr<SlicedReader> read_plain_csv(std::string_view bytes, std::string_view file_name, LineSink& sink) {
    return std::make_unique<PlainReader>(bytes, file_name, sink);
}

std::expected<std::vector<Confirmation>, text::Diagnostics> read_confirmation_csv(std::string_view bytes,
                                                                                  std::string_view file_name) {
    DiagnosticReport report(file_name);
    std::vector<Confirmation> confirmations;
    const ConfirmationSink keep = [&](Confirmation line) { confirmations.push_back(std::move(line)); };
    const ReadOptions options;
    StatementFacts facts;
    LineSink sink(options, keep, report, facts);
    PlainReader reader(bytes, file_name, sink);
    while (reader.advance()) {
    }
    if (!report.empty()) return std::unexpected(std::move(report).take());
    return confirmations;
}

}  // namespace drawbridge::statements
