// Reads the bytes of an issue file into checks.
#include <utility>

#include "drawbridge/checks/issue_file.hpp"
#include "drawbridge/text/date_pattern.hpp"
#include "record_reader.hpp"

namespace drawbridge::checks {

namespace {

// Reads one field into `check`. Returns what is wrong, or an empty string.
std::string read_field(const Column& column, const IssueLayout& layout, const std::string& text, CheckIssue& check) {
    switch (column.kind) {
        case ColumnKind::code:
            if (text == layout.issue_code)
                check.action = CheckAction::issue;
            else if (text == layout.void_code)
                check.action = CheckAction::void_check;
            else if (text == layout.stop_code)
                check.action = CheckAction::stop;
            else
                return "not a code of the layout";
            return {};
        case ColumnKind::check_number:
            if (const auto number = read_number(text))
                check.check_number = *number;
            else
                return "not a check number";
            return {};
        case ColumnKind::issue_date:
            if (const auto date = text::parse_date_as(text, layout.date_format))
                check.check_date = *date;
            else
                return "not a date in the form " + layout.date_format;
            return {};
        case ColumnKind::amount:
            if (const auto amount = read_amount(layout, text))
                check.amount = *amount;
            else
                return "not an amount with at most two decimals";
            return {};
        case ColumnKind::payee_name: check.payee_name = text; return {};
        case ColumnKind::payment_reference: check.payment_reference = text; return {};
        case ColumnKind::account_number:
        case ColumnKind::paid_date:
        case ColumnKind::file_date:
        case ColumnKind::count:
        case ColumnKind::total:
        case ColumnKind::constant:
        case ColumnKind::blank:
        case ColumnKind::any: return {};
    }
    return {};
}

}  // namespace

Result<std::vector<CheckIssue>> parse_issue(const IssueLayout& layout, const AccountNumber& account,
                                            BusinessDate file_date, std::string_view bytes) {
    std::vector<CheckIssue> checks;
    text::DiagnosticReport report("the check file");
    ControlReader control(layout, file_date);
    const auto visit = [&](const RecordLine& line) {
        CheckIssue check;
        for (std::size_t i = 0; i < line.fields.size(); ++i) {
            const Column& column = (*line.columns)[i];
            std::string fault = control.read(column, line.line, line.fields[i]);
            if (column.kind == ColumnKind::account_number && !is_account(column, line.fields[i].text, account)) {
                fault = "a different account";
            }
            if (fault.empty()) fault = read_field(column, layout, line.fields[i].text, check);
            if (!fault.empty()) report.add(line.line, line.fields[i].column, std::move(fault));
        }
        if (line.kind != LineKind::check) return;
        control.add(check.amount);
        checks.push_back(std::move(check));
    };
    const auto reader = make_record_reader(layout, LineLength::exact, bytes, "the check file", report, visit);
    while (reader->advance()) {
    }
    control.finish(report);
    if (report.empty()) return checks;
    const auto problems = std::move(report).take();
    const text::Diagnostic& first = problems.front();
    return fail(ErrorCode::invalid_input, "line " + std::to_string(first.line) + ", column " +
                                              std::to_string(first.column) + ": " + first.message);
}

}  // namespace drawbridge::checks
