#include "record_reader.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/text/csv_chunks.hpp"
#include "drawbridge/text/date_pattern.hpp"

namespace drawbridge::checks {

namespace {

constexpr std::int64_t max_cents = 1'000'000'000'000'000;  // ten trillion dollars: sums of them stay far below 64 bits

const std::vector<Column>& columns_of(const FileForm& form, LineKind kind) {
    switch (kind) {
        case LineKind::header: return form.header_record;
        case LineKind::check: return form.columns;
        case LineKind::trailer: return form.trailer_record;
    }
    return form.columns;
}

LineKind kind_of(const FileForm& form, bool first, bool last) {
    if (first && !form.header_record.empty()) return LineKind::header;
    if (last && !form.trailer_record.empty()) return LineKind::trailer;
    return LineKind::check;
}

std::string needs_both(const FileForm& form) {
    if (form.header_record.empty()) return "the trailer is missing";
    return form.trailer_record.empty() ? "the header is missing" : "header and trailer are missing";
}

// A header and a trailer need two lines.
bool has_its_controls(const FileForm& form, std::size_t lines) {
    return lines >= (form.header_record.empty() ? 0U : 1U) + (form.trailer_record.empty() ? 0U : 1U);
}

RecordLine cut(const std::vector<Column>& columns, LineKind kind, int number, std::string_view line) {
    RecordLine record{.kind = kind, .line = number, .columns = &columns, .fields = {}};
    record.fields.reserve(columns.size());
    for (const Column& column : columns) {
        const std::size_t from = std::min(column.first - 1, line.size());
        record.fields.push_back(
            {std::string(trimmed(line.substr(from, column.width))), static_cast<int>(column.first)});
    }
    return record;
}

// The length of the last record without the columns that may be blank.
std::size_t shortest_last_record(const FileForm& form) {
    std::size_t shortest = 1;
    for (const Column& column : columns_of(form, kind_of(form, /*first=*/false, /*last=*/true))) {
        using enum ColumnKind;
        const bool may_be_blank = column.kind == blank || column.kind == any || column.kind == payee_name;
        if (!may_be_blank) shortest = std::max(shortest, column.first - 1 + column.width);
    }
    return shortest;
}

// What is wrong with a line's length, or an empty string.
std::string fault_in_length(const FileForm& form, LineLength length, std::string_view line) {
    if (length == LineLength::exact && line.size() != form.record_length) {
        return std::to_string(line.size()) + " characters, but the record has " + std::to_string(form.record_length);
    }
    if (line.size() > form.record_length && !trimmed(line.substr(form.record_length)).empty()) {
        return "text after the record of " + std::to_string(form.record_length) + " characters";
    }
    return {};
}

class FixedReader final : public RecordReader {
  public:
    FixedReader(const FileForm& form, LineLength length, std::string_view bytes, text::DiagnosticReport& report,
                Visit visit)
        : form_(form), length_(length), bytes_(bytes), report_(report), visit_(std::move(visit)) {
        // Drop line ends and the old end-of-file character after the last line.
        bytes_ = bytes_.substr(0, bytes_.find_last_not_of("\r\n\x1A") + 1);
        if (length_ == LineLength::as_needed) {
            if (!bytes_.contains('\n')) line_end_ = '\r';
            const bool is_whole = bytes_.size() % form_.record_length == 0;
            bytes_ = bytes_.substr(0, bytes_.find_last_not_of("\r\n\x1A ") + 1);
            const bool lacks_only_blanks = bytes_.size() % form_.record_length >= shortest_last_record(form_);
            is_one_line_ = !bytes_.contains(line_end_) && (is_whole || lacks_only_blanks);
        }
        const bool has_two = bytes_.contains(line_end_) || (is_one_line_ && bytes_.size() > form_.record_length);
        const std::size_t lines = bytes_.empty() ? 0 : has_two ? 2 : 1;
        if (has_its_controls(form_, lines)) return;
        report_.add(1, 0, needs_both(form_));
        bytes_ = {};
    }

    bool advance() override {
        constexpr int slice = 1000;
        for (int i = 0; i < slice && !bytes_.empty(); ++i)
            read_line();
        return !bytes_.empty();
    }

  private:
    void read_line() {
        const std::size_t end = std::min(is_one_line_ ? form_.record_length : bytes_.find(line_end_), bytes_.size());
        std::string_view line = bytes_.substr(0, end);
        bytes_.remove_prefix(std::min(is_one_line_ ? end : end + 1, bytes_.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        ++number_;
        if (length_ == LineLength::as_needed && trimmed(line).empty()) return;
        const LineKind kind = kind_of(form_, std::exchange(is_first_, false), bytes_.empty());
        if (const std::string fault = fault_in_length(form_, length_, line); !fault.empty()) {
            report_.add(number_, static_cast<int>(std::min(line.size(), form_.record_length)) + 1, fault);
        } else {
            visit_(cut(columns_of(form_, kind), kind, number_, line));
        }
    }

    const FileForm& form_;
    LineLength length_;
    std::string_view bytes_;
    text::DiagnosticReport& report_;
    Visit visit_;
    char line_end_ = '\n';      // '\r' in a file of an old Mac
    bool is_one_line_ = false;  // without line ends: each record but the last has the whole length
    bool is_first_ = true;
    int number_ = 0;
};

void check_names(const FileForm& form, LineLength length, const text::CsvRow& row, text::DiagnosticReport& report) {
    for (std::size_t i = 0; i < row.fields.size() && i < form.columns.size(); ++i) {
        const std::string_view name = trimmed(row.fields[i].text), expected = form.columns[i].header;
        const bool is_same = length == LineLength::exact ? name == expected : lowercase(name) == lowercase(expected);
        if (is_same) continue;
        report.add(row.line, row.fields[i].column, "the column is not '" + form.columns[i].header + "'",
                   "the header has changed: correct the layout");
    }
}

// A row waits until it is known whether it is the last one.
class CsvReader final : public RecordReader {
  public:
    CsvReader(const FileForm& form, LineLength length, std::string_view bytes, std::string_view file_name,
              text::DiagnosticReport& report, Visit visit)
        : form_(form),
          length_(length),
          chunks_(bytes, file_name, {.delimiter = form.delimiter}, report),
          report_(report),
          visit_(std::move(visit)) {}

    bool advance() override {
        if (!chunks_.at_end()) take(chunks_.next());
        if (!chunks_.at_end()) return true;
        if (!chunks_.is_broken()) finish();
        return false;
    }

  private:
    void take(std::vector<text::CsvRow> rows) {
        if (chunks_.is_broken()) return;  // from here on it is unknown which row is the first or the last
        for (text::CsvRow& row : rows) {
            const bool is_blank = std::ranges::all_of(
                row.fields, [](const text::CsvField& field) { return trimmed(field.text).empty(); });
            if (is_blank && length_ == LineLength::as_needed) continue;
            if (auto before = std::exchange(waiting_, std::move(row))) read(*std::move(before), /*is_last=*/false);
        }
    }

    void finish() {
        const std::size_t rows = read_ + (waiting_ ? 1 : 0);
        if (!has_its_controls(form_, rows)) return report_.add(1, 0, needs_both(form_));
        if (waiting_) read(*std::move(waiting_), /*is_last=*/true);
    }

    void read(text::CsvRow row, bool is_last) {
        const bool is_first = read_++ == 0;
        const LineKind kind = kind_of(form_, is_first, is_last);
        const auto& columns = columns_of(form_, kind);
        if (row.fields.size() != columns.size()) {
            report_.add(
                row.line, 1,
                std::to_string(row.fields.size()) + " fields, but the layout has " + std::to_string(columns.size()));
        } else if (is_first && form_.header_line) {
            check_names(form_, length_, row, report_);
        } else {
            visit_({.kind = kind, .line = row.line, .columns = &columns, .fields = std::move(row.fields)});
        }
    }

    const FileForm& form_;
    LineLength length_;
    text::CsvChunks chunks_;
    text::DiagnosticReport& report_;
    Visit visit_;
    std::optional<text::CsvRow> waiting_;
    std::size_t read_ = 0;
};

}  // namespace

std::unique_ptr<RecordReader> make_record_reader(const FileForm& form, LineLength length, std::string_view bytes,
                                                 std::string_view file_name, text::DiagnosticReport& report,
                                                 RecordReader::Visit visit) {
    if (form.format == FileFormat::fixed)
        return std::make_unique<FixedReader>(form, length, bytes, report, std::move(visit));
    return std::make_unique<CsvReader>(form, length, bytes, file_name, report, std::move(visit));
}

std::optional<std::int64_t> read_number(std::string_view text) {
    if (text.empty() || text.size() > 18) return std::nullopt;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || text.front() == '-') return std::nullopt;
    return value;
}

std::optional<Money> read_amount(const FileForm& form, std::string_view text) {
    std::optional<Money> amount;
    if (form.amount_format == AmountFormat::cents) {
        if (const auto cents = read_number(text)) amount = Money::from_cents(*cents);
    } else if (text.find_first_not_of("0123456789.") == std::string_view::npos) {
        // Leading zeros that pad the column.
        while (text.size() > 1 && text[0] == '0' && text[1] != '.')
            text.remove_prefix(1);
        if (const auto decimal = Money::parse(text)) amount = *decimal;
    }
    if (amount && amount->cents() > max_cents) return std::nullopt;
    return amount;
}

bool is_account(const Column& column, std::string_view text, const AccountNumber& account) {
    std::string_view ours = account.reveal();
    if (column.pad == '0') {
        text.remove_prefix(std::min(text.find_first_not_of('0'), text.size()));
        ours.remove_prefix(std::min(ours.find_first_not_of('0'), ours.size()));
    }
    return text == ours;
}

void ControlReader::add(Money amount) {
    ++count_;
    // Only billions of lines before this one could make it overflow.
    total_ += amount;
}

std::string ControlReader::read(const Column& column, int line, const text::CsvField& field) {
    switch (column.kind) {
        case ColumnKind::file_date: {
            const auto date = text::parse_date_as(field.text, form_.date_format);
            if (!date) return "not a date in the form " + form_.date_format;
            if (file_date_ && *date != *file_date_) return "not the date " + format_date(*file_date_);
            return {};
        }
        case ColumnKind::count:
        case ColumnKind::total: {
            std::optional<std::int64_t> value;
            if (column.kind == ColumnKind::count) {
                value = read_number(field.text);
            } else if (const auto amount = read_amount(form_, field.text)) {
                value = amount->cents();
            }
            if (!value) return column.kind == ColumnKind::count ? "not a count" : "not an amount";
            claims_.push_back({line, field.column, column.kind, *value});
            return {};
        }
        case ColumnKind::constant:
            return trimmed(field.text) == trimmed(column.constant) ? "" : "must be '" + column.constant + "'";
        case ColumnKind::blank: return trimmed(field.text).empty() ? "" : "must be blank";
        case ColumnKind::code:
        case ColumnKind::account_number:
        case ColumnKind::check_number:
        case ColumnKind::issue_date:
        case ColumnKind::paid_date:
        case ColumnKind::amount:
        case ColumnKind::payee_name:
        case ColumnKind::payment_reference:
        case ColumnKind::any: return {};
    }
    return {};
}

void ControlReader::finish(text::DiagnosticReport& report) const {
    for (const Claim& claim : claims_) {
        if (claim.kind == ColumnKind::count && claim.value != count_) {
            report.add(claim.line, claim.column,
                       "the count is " + std::to_string(claim.value) + ", but the file has " + std::to_string(count_));
        }
        if (claim.kind == ColumnKind::total && claim.value != total_.cents()) {
            report.add(claim.line, claim.column,
                       "the total is " + Money::from_cents(claim.value).to_display() + ", but the lines add up to " +
                           total_.to_display());
        }
    }
}

}  // namespace drawbridge::checks
