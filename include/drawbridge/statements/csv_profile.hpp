// How one bank, or one person, writes a confirmation CSV: a profile is data, read from YAML, not code.
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

// A column by the name in its header, or by its number from 1.
struct ColumnRef {
    std::string header;
    std::size_t number = 0;  // 0: by header
    friend bool operator==(const ColumnRef&, const ColumnRef&) = default;
};

// A fact of a line: from a column, or the same on every line.
struct FactSource {
    std::optional<ColumnRef> column;
    std::string constant;
    friend bool operator==(const FactSource&, const FactSource&) = default;
};

struct StatusWord {
    std::string word;  // compared without letter case
    ConfirmationKind kind = ConfirmationKind::paid;
    friend bool operator==(const StatusWord&, const StatusWord&) = default;
};

// Where a negative amount, or one in parentheses, says that the money went. Where nothing is said, it is an error.
enum class Negative { refused, out, in };

struct CsvProfile {
    std::string name;
    Encoding encoding = Encoding::utf8;
    char separator = ',';
    char quote = '"';
    std::size_t skip_head = 0;  // lines before the header
    std::size_t skip_foot = 0;  // rows after the last confirmation
    bool has_header = true;
    std::vector<std::string> expected_header;  // empty: only the columns that are used must be there
    std::vector<std::pair<ReferenceKind, FactSource>> references;  // the strongest first
    std::optional<FactSource> status;
    std::vector<StatusWord> words;
    std::optional<ColumnRef> amount;             // or two columns:
    std::optional<ColumnRef> debit, credit;      // money that went out, money that came in
    std::optional<ColumnRef> debit_credit_flag;  // with amount: a word that says the direction
    std::string debit_word = "D", credit_word = "C";
    Negative negative = Negative::refused;
    // What a direction means on a line. With a status too, both must say the same.
    std::optional<ConfirmationKind> out_means, in_means;
    char decimal = '.';
    char thousands = '\0';  // none
    std::string symbol;     // that may stand before an amount, such as $
    FactSource date;
    std::string date_format = "YYYY-MM-DD";
    std::optional<FactSource> currency, reason_code, payee_name, note;
    std::optional<ColumnRef> account;  // a line on an account that is not ours is unrelated
    // Of an acknowledgment, of which nothing but these and `amount`, the total, is read.
    std::optional<ColumnRef> file_name, payments;
    [[nodiscard]] bool acknowledges() const { return file_name && payments; }
    // A row of the foot (from 1) that holds what the file must add up to.
    std::size_t control_row = 0;
    std::optional<ColumnRef> control_count, control_total;
    friend bool operator==(const CsvProfile&, const CsvProfile&) = default;
};

// Every problem of the profile at once. Its name is the file's, without folder and ending.
[[nodiscard]] std::expected<CsvProfile, text::Diagnostics> read_csv_profile(std::string_view yaml,
                                                                            std::string_view file_name);

}  // namespace drawbridge::statements
