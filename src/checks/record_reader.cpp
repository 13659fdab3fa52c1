#include "record_reader.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "date_format.hpp"

namespace drawbridge::checks {

namespace {

constexpr std::int64_t most_cents = 1'000'000'000'000'000;  // ten trillion dollars: sums of them stay far from 64 bits

std::string_view without_blanks(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

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

// A header and a trailer are two lines.
bool has_its_controls(const FileForm& form, std::size_t lines) {
    return lines >= (form.header_record.empty() ? 0U : 1U) + (form.trailer_record.empty() ? 0U : 1U);
}

RecordLine cut(const std::vector<Column>& columns, LineKind kind, int number, std::string_view line) {
    RecordLine record{.kind = kind, .line = number, .columns = &columns, .fields = {}};
    record.fields.reserve(columns.size());
    for (const Column& column : columns) {
        const std::size_t from = std::min(column.first - 1, line.size());
        record.fields.push_back(
            {std::string(without_blanks(line.substr(from, column.width))), static_cast<int>(column.first)});
    }
    return record;
}

// What is wrong with a line's length, or empty.
std::string fault_in_length(const FileForm& form, LineLength length, std::string_view line) {
    if (length == LineLength::exact && line.size() != form.record_length) {
        return std::to_string(line.size()) + " characters, the record has " + std::to_string(form.record_length);
    }
    if (line.size() > form.record_length && !without_blanks(line.substr(form.record_length)).empty()) {
        return "text behind the record of " + std::to_string(form.record_length) + " characters";
    }
    return {};
}

void read_fixed(const FileForm& form, LineLength length, std::string_view bytes, text::DiagnosticReport& report,
                const std::function<void(RecordLine)>& visit) {
    // Line ends and the old end-of-file character after the last line.
    while (!bytes.empty() && std::string_view("\r\n\x1A").find(bytes.back()) != std::string_view::npos)
        bytes.remove_suffix(1);
    const auto lines = bytes.empty() ? std::size_t{0} : static_cast<std::size_t>(std::ranges::count(bytes, '\n')) + 1;
    if (!has_its_controls(form, lines)) return report.add(1, 0, needs_both(form));
    for (std::size_t i = 0; i < lines; ++i) {
        const std::size_t end = std::min(bytes.find('\n'), bytes.size());
        std::string_view line = bytes.substr(0, end);
        bytes.remove_prefix(std::min(end + 1, bytes.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        const LineKind kind = kind_of(form, i == 0, i + 1 == lines);
        const int number = static_cast<int>(i) + 1;
        if (const std::string fault = fault_in_length(form, length, line); !fault.empty()) {
            report.add(number, static_cast<int>(std::min(line.size(), form.record_length)) + 1, fault);
        } else {
            visit(cut(columns_of(form, kind), kind, number, line));
        }
    }
}

void check_names(const FileForm& form, const text::CsvRow& row, text::DiagnosticReport& report) {
    for (std::size_t i = 0; i < row.fields.size() && i < form.columns.size(); ++i) {
        if (without_blanks(row.fields[i].text) == form.columns[i].header) continue;
        report.add(row.line, row.fields[i].column, "the column is not '" + form.columns[i].header + "'",
                   "a header that has changed is not read: correct the layout");
    }
}

void read_csv_rows(const FileForm& form, std::string_view bytes, std::string_view file_name,
                   text::DiagnosticReport& report, const std::function<void(RecordLine)>& visit) {
    auto rows = text::read_csv(bytes, file_name, {.delimiter = form.delimiter});
    if (!rows) {
        for (text::Diagnostic& problem : rows.error())
            report.add(problem.line, problem.column, std::move(problem.message), std::move(problem.hint));
        return;
    }
    if (!has_its_controls(form, rows->size())) return report.add(1, 0, needs_both(form));
    for (std::size_t i = 0; i < rows->size(); ++i) {
        text::CsvRow& row = (*rows)[i];
        const LineKind kind = kind_of(form, i == 0, i + 1 == rows->size());
        const auto& columns = columns_of(form, kind);
        if (row.fields.size() != columns.size()) {
            report.add(row.line, 1,
                       std::to_string(row.fields.size()) + " fields, the layout has " + std::to_string(columns.size()));
        } else if (i == 0 && form.header_line) {
            check_names(form, row, report);
        } else {
            visit({.kind = kind, .line = row.line, .columns = &columns, .fields = std::move(row.fields)});
        }
    }
}

}  // namespace

void read_records(const FileForm& form, LineLength length, std::string_view bytes, std::string_view file_name,
                  text::DiagnosticReport& report, const std::function<void(RecordLine)>& visit) {
    if (form.format == FileFormat::fixed) {
        read_fixed(form, length, bytes, report, visit);
    } else {
        read_csv_rows(form, bytes, file_name, report, visit);
    }
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
        // Zeros that fill the column up.
        while (text.size() > 1 && text[0] == '0' && text[1] != '.')
            text.remove_prefix(1);
        if (const auto decimal = Money::parse(text)) amount = *decimal;
    }
    if (amount && amount->cents() > most_cents) return std::nullopt;
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
    // Lines by the billion would have to come before this could overflow.
    total_ += amount;
}

std::string ControlReader::read(const Column& column, int line, const text::CsvField& field) {
    switch (column.kind) {
        case ColumnKind::file_date: {
            const auto date = parse_date_as(field.text, form_.date_format);
            if (!date) return "no date in the form " + form_.date_format;
            if (file_date_ && *date != *file_date_) return "another date than " + format_date(*file_date_);
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
            if (!value) return column.kind == ColumnKind::count ? "no count" : "no amount";
            claims_.push_back({line, field.column, column.kind, *value});
            return {};
        }
        case ColumnKind::constant:
            return without_blanks(field.text) == without_blanks(column.constant) ? ""
                                                                                 : "must be '" + column.constant + "'";
        case ColumnKind::blank: return without_blanks(field.text).empty() ? "" : "must be blank";
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
                       "the count is " + std::to_string(claim.value) + ", the file has " + std::to_string(count_));
        }
        if (claim.kind == ColumnKind::total && claim.value != total_.cents()) {
            report.add(claim.line, claim.column,
                       "the total is " + Money::from_cents(claim.value).to_display() + ", the lines add up to " +
                           total_.to_display());
        }
    }
}

}  // namespace drawbridge::checks
