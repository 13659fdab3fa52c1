#include "drawbridge/checks/paid_file.hpp"

#include <algorithm>
#include <utility>

#include "drawbridge/checks/stated_account.hpp"
#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/text/date_pattern.hpp"
#include "drawbridge/text/mask.hpp"
#include "drawbridge/text/show.hpp"
#include "form_reader.hpp"
#include "record_reader.hpp"

namespace drawbridge::checks {

namespace {

const FormRules& paid_rules() {
    using enum ColumnKind;
    static const FormRules rules{
        .what = "a paid-check layout",
        .check_columns = {code, account_number, check_number, paid_date, amount, payee_name, constant, blank, any},
        .required = {check_number, amount, paid_date},
        .control_columns = {account_number, file_date, count, total, constant, blank, any}};
    return rules;
}

bool has(const std::vector<std::string>& codes, std::string_view code) {
    return std::ranges::find(codes, code) != codes.end();
}

void read_codes(FormReader& reader, const text::YamlNode& codes, PaidLayout& layout) {
    if (!reader.yaml().check_map(codes, {"paid", "stopped", "ignored"}, "codes")) return;
    const auto* paid = text::YamlReader::find(codes, "paid");
    if (paid != nullptr && paid->kind() == text::YamlNode::Kind::sequence) {
        layout.paid_codes = reader.yaml().texts(*paid, "paid").value_or(std::vector<std::string>());
        if (layout.paid_codes.empty()) reader.yaml().error(*paid, "paid has no code", "write it like [P, R]");
    } else {
        layout.paid_codes = {reader.code(codes, "paid", layout).value_or("P")};
    }
    layout.stopped_code = reader.code(codes, "stopped", layout);
    if (layout.stopped_code && has(layout.paid_codes, *layout.stopped_code)) {
        reader.yaml().error(codes, "the codes for paid and stopped must differ",
                            "use the codes that the bank specifies");
    }
    const auto* ignored = text::YamlReader::find(codes, "ignored");
    if (ignored == nullptr) return;
    layout.ignored_codes = reader.yaml().texts(*ignored, "ignored").value_or(std::vector<std::string>());
    for (const std::string& one : layout.ignored_codes) {
        if (has(layout.paid_codes, one) || one == layout.stopped_code)
            reader.yaml().error(*ignored, "'" + one + "' is also the code for paid or stopped",
                                "each code has one meaning");
    }
}

// nullopt: not a code of the layout.
std::optional<PaidStatus> status_with(const PaidLayout& layout, std::string_view code) {
    if (has(layout.paid_codes, code)) return PaidStatus::paid;
    if (layout.stopped_code == code) return PaidStatus::stopped;
    if (has(layout.ignored_codes, code)) return PaidStatus::ignored;
    return std::nullopt;
}

// Reads one field into `check`. Returns what is wrong, or an empty string.
std::string read_field(const Column& column, const PaidLayout& layout, const std::string& text, PaidCheck& check) {
    switch (column.kind) {
        case ColumnKind::code: return status_with(layout, text) ? "" : "not a code of the layout";
        case ColumnKind::account_number: return check.foreign_account.empty() ? "no account number" : "";
        case ColumnKind::check_number:
            if (const auto number = read_number(text); number && *number > 0)
                check.check_number = *number;
            else
                return "not a check number";
            return {};
        case ColumnKind::amount:
            if (check.status == PaidStatus::ignored && text.empty()) return {};
            if (const auto amount = read_amount(layout, text))
                check.amount = *amount;
            else
                return layout.amount_format == AmountFormat::cents ? "not an amount in cents"
                                                                   : "not an amount with at most two decimals";
            return {};
        case ColumnKind::paid_date:
            if (check.status != PaidStatus::paid && text.find_first_not_of('0') == std::string::npos) return {};
            if (const auto date = text::parse_date_as(text, layout.date_format))
                check.paid_date = *date;
            else
                return "not a date in the form " + layout.date_format;
            return {};
        case ColumnKind::payee_name: check.payee_name = text; return {};
        case ColumnKind::issue_date:
        case ColumnKind::payment_reference:
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

std::expected<PaidLayout, text::Diagnostics> read_paid_layout(std::string_view yaml, std::string_view file_name) {
    const auto root = text::parse_yaml(yaml, file_name);
    if (!root) return std::unexpected(root.error());
    text::Diagnostics diagnostics;
    FormReader reader(file_name, diagnostics, paid_rules());
    PaidLayout layout;
    if (reader.read(*root, layout)) {
        if (const auto* codes = text::YamlReader::find(*root, "codes")) read_codes(reader, *codes, layout);
    }
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    return layout;
}

class PaidFileReader::State {
  public:
    State(const PaidLayout& layout, const std::vector<AccountNumber>& accounts, std::string_view bytes,
          std::string_view file_name, std::function<void(PaidCheck)> sink)
        : layout_(layout),
          accounts_(accounts),
          sink_(std::move(sink)),
          report_(file_name),
          control_(layout, std::nullopt),
          lines_(make_record_reader(layout, LineLength::as_needed, bytes, file_name, report_,
                                    [this](const RecordLine& line) { read(line); })) {}

    bool advance() { return lines_->advance(); }

    std::expected<PaidFileTotals, text::Diagnostics> finish() {
        // If lines could not be read, the sums mean nothing.
        if (report_.empty()) control_.finish(report_);
        if (!report_.empty()) return std::unexpected(std::move(report_).take());
        return PaidFileTotals{control_.count(), control_.total()};
    }

  private:
    void read(const RecordLine& line) {
        PaidCheck check;
        check.line = line.line;
        check.status = status_of(line);
        check.foreign_account = account_of(line);
        bool good = true;
        for (std::size_t i = 0; i < line.fields.size(); ++i) {
            const Column& column = (*line.columns)[i];
            const text::CsvField& field = line.fields[i];
            std::string fault = control_.read(column, line.line, field);
            if (fault.empty() && line.kind == LineKind::check) {
                fault = read_field(column, layout_, field.text, check);
            }
            if (fault.empty()) continue;
            report_.add(line.line, field.column, std::string(name_of(column.kind)) + ": " + fault,
                        hint_for(column, field.text));
            good = false;
        }
        if (line.kind == LineKind::header) header_account_ = check.foreign_account;
        if (line.kind != LineKind::check || !good) return;
        if (!check.foreign_account.empty() && !is_legible_account(check.foreign_account)) {
            report_.add(line.line, 0, "account_number: '" + check.foreign_account + "'" + not_legible,
                        "format the column as text and export it again");
            return;
        }
        const bool is_ours = check.foreign_account.empty() || is_any_account(check.foreign_account, accounts_);
        if (is_ours) check.foreign_account.clear();
        control_.add(check.amount);
        sink_(std::move(check));
    }

    // The code may come after what depends on it.
    [[nodiscard]] PaidStatus status_of(const RecordLine& line) const {
        const auto code = std::ranges::find(*line.columns, ColumnKind::code, &Column::kind);
        if (code == line.columns->end()) return PaidStatus::paid;
        const auto at = static_cast<std::size_t>(code - line.columns->begin());
        if (at >= line.fields.size()) return PaidStatus::paid;
        return status_with(layout_, line.fields[at].text).value_or(PaidStatus::paid);
    }

    // The one that the line states, else that of the header; empty: neither states any.
    [[nodiscard]] std::string account_of(const RecordLine& line) const {
        for (std::size_t i = 0; i < line.fields.size(); ++i) {
            const std::string_view text = trimmed(line.fields[i].text);
            if ((*line.columns)[i].kind == ColumnKind::account_number && !text.empty()) return std::string(text);
        }
        return header_account_;
    }

    static std::string hint_for(const Column& column, std::string_view text) {
        constexpr std::size_t max_shown = 40;
        const std::string otherwise = "check the layout, or ask the bank for the file again";
        if (column.kind == ColumnKind::account_number || trimmed(text).empty()) return otherwise;
        return text::mask_quoted_numbers("the file has " + text::quoted(text.substr(0, max_shown))) + ": " + otherwise;
    }

    const PaidLayout& layout_;
    const std::vector<AccountNumber>& accounts_;
    std::string header_account_;
    std::function<void(PaidCheck)> sink_;
    text::DiagnosticReport report_;
    ControlReader control_;
    std::unique_ptr<RecordReader> lines_;
};

PaidFileReader::PaidFileReader(const PaidLayout& layout, const std::vector<AccountNumber>& accounts,
                               std::string_view bytes, std::string_view file_name, std::function<void(PaidCheck)> sink)
    : state_(std::make_unique<State>(layout, accounts, bytes, file_name, std::move(sink))) {}

PaidFileReader::~PaidFileReader() = default;

bool PaidFileReader::advance() {
    return state_->advance();
}

std::expected<PaidFileTotals, text::Diagnostics> PaidFileReader::finish() && {
    return state_->finish();
}

std::expected<PaidFileTotals, text::Diagnostics> parse_paid(const PaidLayout& layout,
                                                            const std::vector<AccountNumber>& accounts,
                                                            std::string_view bytes, std::string_view file_name,
                                                            const std::function<void(PaidCheck)>& sink) {
    PaidFileReader reading(layout, accounts, bytes, file_name, sink);
    while (reading.advance()) {
    }
    return std::move(reading).finish();
}

}  // namespace drawbridge::checks
