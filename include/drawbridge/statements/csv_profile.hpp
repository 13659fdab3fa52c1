// How one bank or one person writes a confirmation CSV. A profile is data, read from YAML, not code.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/confirmation.hpp"
#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::statements {

enum class Encoding { utf8, windows1252 };

// A column, by its name in the header or by its number from 1.
struct ColumnRef {
    std::string header;
    std::size_t number = 0;  // 0: by header
    friend bool operator==(const ColumnRef&, const ColumnRef&) = default;
};

// One value of a line: from a column, or the same constant on every line.
struct FactSource {
    std::optional<ColumnRef> column;
    std::string constant;
    friend bool operator==(const FactSource&, const FactSource&) = default;
};

struct StatusWord {
    std::string word;  // compared ignoring case
    ConfirmationKind kind = ConfirmationKind::paid;
    friend bool operator==(const StatusWord&, const StatusWord&) = default;
};

// The direction of a negative amount, or of one in parentheses. Without a setting, such an amount is an error.
enum class Negative { refused, out, in };

struct CsvProfile {
    std::string name;
    Encoding encoding = Encoding::utf8;
    char separator = ',';
    char quote = '"';
    std::size_t skip_head = 0;  // lines before the header
    std::size_t skip_foot = 0;  // rows after the last confirmation
    bool has_header = true;
    std::vector<std::string> expected_header;                      // empty: only the columns in use must exist
    std::vector<std::pair<ReferenceKind, FactSource>> references;  // strongest first
    std::optional<FactSource> status;
    std::vector<StatusWord> words;
    std::optional<ColumnRef> amount;             // or two columns:
    std::optional<ColumnRef> debit, credit;      // money out, money in
    std::optional<ColumnRef> debit_credit_flag;  // with `amount`: a word for the direction
    std::string debit_word = "D", credit_word = "C";
    Negative negative = Negative::refused;
    // What a direction means on a line. If there is also a status, both must agree.
    std::optional<ConfirmationKind> out_means, in_means;
    char decimal = '.';
    char thousands = '\0';  // none
    std::string symbol;     // may precede an amount, such as $
    FactSource date;
    std::string date_format = "YYYY-MM-DD";
    std::optional<FactSource> currency, reason_code, payee_name, note;
    // A row whose text in this column begins so, ignoring case, is no line: a balance between the lines.
    std::optional<FactSource> ignored_by;
    std::vector<std::string> ignored_beginnings;
    std::optional<ColumnRef> account;  // a line on an account that is not ours is `unrelated`
    // For an acknowledgment, of which only these and `amount`, the total, are read.
    std::optional<ColumnRef> file_name, payments;
    [[nodiscard]] bool acknowledges() const { return file_name && payments; }
    // The footer row (from 1) that contains the control count and total.
    std::size_t control_row = 0;
    std::optional<ColumnRef> control_count, control_total;
    friend bool operator==(const CsvProfile&, const CsvProfile&) = default;
};

// Reports every problem in the profile at once. The profile's name is the file's, without folder and extension.
[[nodiscard]] std::expected<CsvProfile, text::Diagnostics> read_csv_profile(std::string_view yaml,
                                                                            std::string_view file_name);

}  // namespace drawbridge::statements
