#include "csv_columns.hpp"

#include <algorithm>
#include <utility>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/text/csv.hpp"
#include "drawbridge/text/show.hpp"
#include "line_sink.hpp"

namespace drawbridge::statements {

using text::CsvField;
using text::CsvRow;

const CsvField* csv_field(const CsvRow& row, std::size_t number) {
    return number == 0 || number > row.fields.size() ? nullptr : &row.fields[number - 1];
}

CsvColumns::CsvColumns(const CsvProfile& profile, text::DiagnosticReport& report)
    : profile_(profile), report_(report), is_built_in_(profile.name.empty()) {}

bool CsvColumns::refuse(const CsvRow& row, const CsvField* field, std::string message, std::string hint) {
    if (is_ignoring_) return false;
    report_.add(row.line, field == nullptr ? 0 : field->column, std::move(message), std::move(hint));
    return false;
}

bool CsvColumns::read_header(const CsvRow& row) {
    bool is_good = true;
    for (const CsvField& field : row.fields)
        names_.push_back(lowercase(trim(field.text)));
    const auto& expected = profile_.expected_header;
    for (std::size_t i = 0; i < std::max(expected.size(), expected.empty() ? 0 : names_.size()); ++i) {
        const std::string have = i < names_.size() ? names_[i] : "";
        const std::string want = i < expected.size() ? lowercase(trim(expected[i])) : "";
        if (have == want) continue;
        refuse(row, csv_field(row, i + 1),
               "the header has changed: column " + std::to_string(i + 1) + " is " + text::quoted(have) + ", not " +
                   text::quoted(want),
               "check whether the bank moved columns, then change the profile");
        is_good = false;
    }
    if (is_built_in_ && is_good) is_good = refuse_other_columns(row);
    for (const ColumnRef* ref : used_columns()) {
        if (ref->number > 0 || (!is_good && !is_built_in_)) continue;
        const auto count = std::ranges::count(names_, lowercase(trim(ref->header)));
        if (count == 1) continue;
        is_good = false;
        const std::string what = count > 0      ? "two columns are named "
                                 : is_built_in_ ? "missing column "
                                                : "no column is named ";
        refuse(row, nullptr, what + text::quoted(ref->header), header_hint(count == 0 ? ref->header : ""));
    }
    return is_good;
}

// The columns of a built-in profile are the only ones.
bool CsvColumns::refuse_other_columns(const CsvRow& row) {
    bool is_good = true;
    std::vector<std::string_view> wanted;
    for (const ColumnRef* ref : used_columns())
        wanted.push_back(ref->header);
    for (std::size_t i = 0; i < names_.size(); ++i) {
        if (std::ranges::find(wanted, names_[i]) != wanted.end()) continue;
        is_good = false;
        const std::string_view meant = text::closest_match(names_[i], wanted);
        refuse(row, csv_field(row, i + 1), "unknown column " + text::quoted(names_[i]),
               meant.empty() ? header_hint("") : "did you mean " + text::quoted(meant) + "?");
    }
    return is_good;
}

std::string CsvColumns::header_hint(std::string_view missing) const {
    const auto separator = names_.size() == 1 ? names_[0].find_first_of(",;|\t") : std::string::npos;
    if (separator != std::string::npos)
        return text::separated_by(names_[0][separator]) + ": " +
               (is_built_in_ ? "export it with commas" : "change separator in the profile");
    if (is_built_in_) {
        std::string columns;
        for (const ColumnRef* ref : used_columns())
            columns += (columns.empty() ? "" : ",") + ref->header;
        return "the first line must name the columns " + columns + ", in any order";
    }
    const std::vector<std::string_view> views(names_.begin(), names_.end());
    const std::string_view meant = missing.empty() ? missing : text::closest_match(lowercase(missing), views);
    return meant.empty() ? "check whether the bank changed its file, then change the profile"
                         : "did you mean " + text::quoted(meant) + "?";
}

std::vector<const ColumnRef*> CsvColumns::used_columns() const {
    std::vector<const ColumnRef*> used;
    const auto add = [&](const std::optional<ColumnRef>& ref) {
        if (ref) used.push_back(&*ref);
    };
    for (const auto& [kind, from] : profile_.references)
        add(from.column);
    for (const auto* source : {&profile_.status, &profile_.currency, &profile_.reason_code, &profile_.payee_name,
                               &profile_.note, &profile_.ignored_by}) {
        if (*source) add((*source)->column);
    }
    for (const auto* ref : {&profile_.amount, &profile_.debit, &profile_.credit, &profile_.debit_credit_flag,
                            &profile_.account, &profile_.date.column, &profile_.file_name, &profile_.payments})
        add(*ref);
    return used;
}

const CsvField* CsvColumns::field_of(const CsvRow& row, const ColumnRef& ref) {
    std::size_t number = ref.number;
    if (number == 0)
        number = static_cast<std::size_t>(std::ranges::find(names_, lowercase(trim(ref.header))) - names_.begin()) + 1;
    const CsvField* field = csv_field(row, number);
    if (field == nullptr)
        refuse(row, nullptr, "there is no column " + std::to_string(number),
               "the line may be truncated, or the profile is for another file");
    return field;
}

std::string CsvColumns::value_of(const CsvRow& row, const std::optional<FactSource>& from) {
    if (!from) return {};
    if (!from->column) return from->constant;
    const CsvField* field = field_of(row, *from->column);
    return field == nullptr ? std::string() : std::string(trim(field->text));
}

}  // namespace drawbridge::statements
