#include "csv_amounts.hpp"

#include <algorithm>
#include <array>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/text/show.hpp"
#include "line_sink.hpp"

namespace drawbridge::statements {

using text::CsvField;
using text::CsvRow;

bool is_rounded(std::string_view text) {
    const std::size_t e = text.find_first_of("eE");
    if (e == 0 || e == std::string_view::npos || e + 1 == text.size()) return false;
    return text.find_first_not_of("0123456789.,") == e && text.find_first_not_of("0123456789+-", e + 1) == text.npos;
}

static std::int64_t cents_as_written(const SignedAmount& amount) {
    return amount.negative ? -amount.amount.cents() : amount.amount.cents();
}

bool CsvAmounts::is_stated(const CsvRow& row) const {
    return std::ranges::any_of(std::array{&profile_.amount, &profile_.debit, &profile_.credit},
                               [&](const auto* column) {
                                   const CsvField* field = *column ? columns_.field_of(row, **column) : nullptr;
                                   return field != nullptr && !trim(field->text).empty();
                               });
}

std::optional<LineAmount> CsvAmounts::read(const CsvRow& row) {
    return profile_.debit ? read_two_columns(row) : read_one_column(row);
}

std::optional<SignedAmount> CsvAmounts::parse(const CsvRow& row, const CsvField& field) {
    if (trim(field.text).empty()) {
        columns_.refuse(row, &field, "no amount", columns_.is_built_in() ? "write it like 1234.50" : "");
        return std::nullopt;
    }
    auto read = parse_profile_amount(profile_, field.text);
    if (read) return *read;
    const std::string_view text = trim(field.text);
    const std::string hint = columns_.is_built_in()
                                 ? "write it like 1234.50, without a dollar sign or thousands separators"
                             : profile_.thousands == '\0' ? "check decimal, thousands and symbol in the profile"
                                                          : "";
    columns_.refuse(row, &field, "amount " + text::quoted(text) + " " + fault_of(text, read.error().message), hint);
    return std::nullopt;
}

std::string CsvAmounts::fault_of(std::string_view amount, const std::string& otherwise) const {
    if (is_rounded(amount)) return "was rounded by a spreadsheet";
    if (profile_.symbol.empty() && amount.find('$') != std::string_view::npos) return "has a dollar sign";
    const bool knows_commas = profile_.thousands == ',' || profile_.decimal == ',';
    if (!knows_commas && amount.find(',') != std::string_view::npos) return "has a comma";
    return columns_.is_built_in() ? "is not an amount in dollars and cents" : otherwise;
}

// A sign whose meaning the profile gives says more than the column or flag beside it: a debit that was taken back, for
// example, is a minus among the debits.
Direction CsvAmounts::direction_of(const SignedAmount& amount, Direction beside) const {
    if (!amount.negative || profile_.negative == Negative::refused) return beside;
    return profile_.negative == Negative::out ? Direction::out : Direction::in;
}

std::optional<LineAmount> CsvAmounts::read_one_column(const CsvRow& row) {
    const CsvField* field = columns_.field_of(row, *profile_.amount);
    if (field == nullptr) return std::nullopt;
    const auto read = parse(row, *field);
    if (!read) return std::nullopt;
    LineAmount amount{read->amount, Direction::unknown, cents_as_written(*read), field};
    if (profile_.negative != Negative::refused) {
        amount.direction = read->negative == (profile_.negative == Negative::out) ? Direction::out : Direction::in;
    } else if (read->negative) {
        columns_.refuse(row, field, "amount " + text::quoted(trim(field->text)) + " is negative",
                        columns_.is_built_in() ? "write it without a sign; the status says that money came back"
                                               : "the profile does not define what that means: set negative");
        return std::nullopt;
    }
    if (!profile_.debit_credit_flag) return amount;
    const CsvField* flag = columns_.field_of(row, *profile_.debit_credit_flag);
    if (flag == nullptr) return std::nullopt;
    const std::string word = lowercase(trim(flag->text));
    const bool debit = word == lowercase(profile_.debit_word);
    if (!debit && word != lowercase(profile_.credit_word)) {
        columns_.refuse(row, flag,
                        text::quoted(trim(flag->text)) + " is neither " + text::quoted(profile_.debit_word) + " nor " +
                            text::quoted(profile_.credit_word));
        return std::nullopt;
    }
    amount.direction = direction_of(*read, debit ? Direction::out : Direction::in);
    return amount;
}

bool CsvAmounts::is_zero(const CsvField& field) const {
    const auto read = parse_profile_amount(profile_, field.text);
    return read && read->amount.is_zero();
}

std::optional<LineAmount> CsvAmounts::read_two_columns(const CsvRow& row) {
    const CsvField* debit = columns_.field_of(row, *profile_.debit);
    const CsvField* credit = columns_.field_of(row, *profile_.credit);
    if (debit == nullptr || credit == nullptr) return std::nullopt;
    const auto is_empty = [](const CsvField& field) { return trim(field.text).empty() || trim(field.text) == "-"; };
    bool out = !is_empty(*debit), in = !is_empty(*credit);
    if (out && in) {  // some banks write a zero in the other column
        out = !is_zero(*debit);
        in = !is_zero(*credit);
    }
    if (out == in) {
        columns_.refuse(row, out ? credit : debit, out ? "both a debit and a credit" : "neither a debit nor a credit",
                        "a line must have one of them");
        return std::nullopt;
    }
    const auto read = parse(row, out ? *debit : *credit);
    if (!read) return std::nullopt;
    if (read->negative && profile_.negative == Negative::refused) {
        columns_.refuse(row, out ? debit : credit, "a negative amount in a column that already gives the direction");
        return std::nullopt;
    }
    return LineAmount{read->amount, direction_of(*read, out ? Direction::out : Direction::in), cents_as_written(*read),
                      out ? debit : credit};
}

}  // namespace drawbridge::statements
