#include "drawbridge/disbursement/payees.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/domain/assigned_routing.hpp"
#include "drawbridge/domain/digest.hpp"
#include "drawbridge/domain/payee_key.hpp"
#include "drawbridge/text/csv.hpp"
#include "drawbridge/text/utf8.hpp"

namespace drawbridge::disbursement {

namespace {

enum class Column {
    key,
    name,
    rail,
    routing_number,
    account_number,
    account_type,
    sec_code,
    address1,
    address2,
    city,
    state,
    zip
};
constexpr std::size_t column_count = 12;
constexpr std::array<std::string_view, column_count> column_names = {
    "key",      "name",     "rail",     "routing_number", "account_number", "account_type",
    "sec_code", "address1", "address2", "city",           "state",          "zip"};

std::string all_columns() {
    return fmt::format("{}", fmt::join(column_names, ","));
}

std::string_view name_of(Column column) {
    return column_names[static_cast<std::size_t>(column)];
}

constexpr std::string_view blanks = payee_key_blanks;

bool has_control_character(std::string_view text) {
    return std::ranges::any_of(text, [](char c) { return (c >= 0 && c < 0x20) || c == 0x7F; });
}

bool is_state(std::string_view text) {
    return text.size() == 2 && std::ranges::all_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
}

// 12345 or 12345-6789.
bool is_zip(std::string_view text) {
    if (text.size() != 5 && text.size() != 10) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (i == 5 ? text[i] != '-' : text[i] < '0' || text[i] > '9') return false;
    }
    return true;
}

// What a spreadsheet leaves of a number: 301.0, 1.00E+11, ########, or a routing number without its leading zeros.
constexpr std::string_view marks_of_spreadsheet = ".+#";
std::string hint_for_number(bool is_of_spreadsheet) {
    return is_of_spreadsheet ? "a spreadsheet may have changed it: format the column as text and export it again, or "
                               "ask the payee"
                             : "ask the payee for it again";
}

// A blank that looks like a space and is none, such as the no-break space that a web page puts beside a name.
bool is_odd_blank(char32_t c) {
    return c == 0x00A0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200D) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
           c == 0x205F || c == 0x2060 || c == 0x3000 || c == 0xFEFF;
}

// `text` is UTF-8 and not empty.
bool has_odd_blank_at_an_end(std::string_view text) {
    std::size_t last = text.size() - 1;
    while (last > 0 && (static_cast<unsigned char>(text[last]) & 0xC0U) == 0x80)
        --last;
    return is_odd_blank(text::utf8_character(text)) || is_odd_blank(text::utf8_character(text.substr(last)));
}

// What a spreadsheet made of the whole file. nullopt: nothing.
std::optional<text::Diagnostic> fault_of_export(std::string_view csv, std::string_view file_name) {
    const std::string_view line = csv.substr(0, csv.find_first_of("\r\n"));
    const auto fault = [&](std::string message, std::string hint) {
        return text::Diagnostic{std::string(file_name), 1, 0, std::move(message), std::move(hint)};
    };
    if (line.starts_with("sep=")) return fault("the first line is '" + std::string(line) + "', for Excel", "remove it");
    const auto separator = line.find(',') == std::string_view::npos ? line.find_first_of(";\t|") : std::string::npos;
    if (separator == std::string::npos) return std::nullopt;
    return fault(text::separated_by(line[separator]), "export it with commas");
}

// Reads the rows and collects the errors. No message repeats a value: shifted columns would show an account number.
class Reader {
  public:
    explicit Reader(std::string_view file_name) : file_(file_name) {}

    bool read_header(const text::CsvRow& row) {
        if (!names_a_column(row)) {
            error(row.line, 0, "the first line names no column", "add a header line: " + all_columns());
            return false;
        }
        std::array<int, column_count> seen{};
        for (const text::CsvField& field : row.fields) {
            const auto* found = std::ranges::find(column_names, trimmed(field.text, blanks));
            const auto at = static_cast<std::size_t>(found - column_names.begin());
            if (found == column_names.end()) {
                unknown_column(row.line, field);
            } else if (++seen[at] == 2) {
                error(row.line, field.column, "column '" + std::string(*found) + "' appears twice", "remove one");
            }
            order_.push_back(at);
        }
        for (std::size_t i = 0; i < column_count; ++i) {
            if (seen[i] == 0) {
                error(row.line, 0, "column '" + std::string(column_names[i]) + "' is missing", "add it to the header");
            }
        }
        return diagnostics_.empty();
    }

    void read_row(const text::CsvRow& row) {
        row_ = &row;
        if (row.fields.size() != order_.size()) {
            return error(row.line, 0,
                         "the line has " + std::to_string(row.fields.size()) + " fields, but the header has " +
                             std::to_string(order_.size()),
                         "write every comma, and quotes around a value that contains one");
        }
        for (std::size_t i = 0; i < order_.size(); ++i)
            fields_[order_[i]] = &row.fields[i];
        for (std::size_t i = 0; i < column_count; ++i) {
            if (!has_control_character(fields_[i]->text)) continue;
            return error(row.line, fields_[i]->column, std::string(column_names[i]) + " has a control character",
                         "write it on one line, without tabs");
        }
        Payee payee;
        read_key(payee);
        payee.name = required(Column::name, "a payee");
        if (!payee.name.empty() && payee.name.find_first_not_of("0 ") == std::string::npos)
            error(Column::name, "name is only zeros", "write the payee's name: banks reject zeros");
        read_rail(payee);
        payee.address1 = value(Column::address1);
        payee.address2 = value(Column::address2);
        payee.city = value(Column::city);
        payee.state = value(Column::state);
        payee.zip = value(Column::zip);
        payees.push_back(std::move(payee));
    }

    [[nodiscard]] text::Diagnostics take_diagnostics() { return std::move(diagnostics_); }

    std::vector<Payee> payees;
    std::map<std::string, std::size_t, std::less<>> index;

  private:
    static bool names_a_column(const text::CsvRow& row) {
        return std::ranges::any_of(row.fields, [](const text::CsvField& field) {
            return std::ranges::find(column_names, lowercase(trimmed(field.text, blanks))) != column_names.end();
        });
    }
    [[nodiscard]] std::string value(Column column) const {
        return std::string(trimmed(fields_[static_cast<std::size_t>(column)]->text, blanks));
    }
    void error(int line, int column, std::string message, std::string hint) {
        diagnostics_.push_back({file_, line, column, std::move(message), std::move(hint), text::Severity::error});
    }
    void error(Column column, std::string message, std::string hint) {
        error(row_->line, fields_[static_cast<std::size_t>(column)]->column, std::move(message), std::move(hint));
    }
    std::string required(Column column, const std::string& who) {
        std::string text = value(column);
        if (text.empty()) error(column, std::string(name_of(column)) + " is empty", who + " needs it");
        return text;
    }

    void unknown_column(int line, const text::CsvField& field) {
        const std::vector<std::string_view> known(column_names.begin(), column_names.end());
        const std::string_view meant = text::closest_match(trimmed(field.text, blanks), known);
        // In a file without a header, this is a payee's row: do not repeat what may be an account number.
        const bool is_word = std::ranges::none_of(field.text, is_digit);
        const bool is_known_word = !meant.empty() || is_word;
        error(line, field.column,
              is_known_word ? "unknown column '" + std::string(trimmed(field.text, blanks)) + "'"
                            : std::string("the first line must contain the column names"),
              meant.empty() ? "remove it" : "did you mean '" + std::string(meant) + "'?");
    }

    void read_key(Payee& payee) {
        payee.key = required(Column::key, "a payee");
        if (payee.key.empty()) return;
        if (has_odd_blank_at_an_end(payee.key)) {
            return error(Column::key, "key begins or ends with a blank that is not an ordinary space",
                         "type the key again without it");
        }
        const auto [at, is_new] = index.try_emplace(payee.key, payees.size());
        lines_.try_emplace(payee.key, row_->line);
        if (is_new) return;
        error(Column::key, "key '" + payee.key + "' is already on line " + std::to_string(lines_.at(payee.key)) + "",
              "a key identifies one payee: remove one of the lines");
    }

    void read_rail(Payee& payee) {
        const auto rail = parse_rail(value(Column::rail));
        if (!rail) return error(Column::rail, "rail must be ach or check", "write ach or check");
        payee.rail = *rail;
        switch (*rail) {
            case Rail::ach: return read_account(payee, /*is_required=*/true);
            case Rail::check: read_account(payee, /*is_required=*/false); return check_address();
        }
    }

    // A check payee may also have bank details (for a later change of rail); if present, they must be valid.
    void read_account(Payee& payee, bool is_required) {
        const auto wanted = [&](Column column) {
            return is_required ? !required(column, "an ACH payee").empty() : !value(column).empty();
        };
        if (wanted(Column::routing_number)) read_routing_number(payee);
        if (wanted(Column::account_number)) {
            const std::string text = value(Column::account_number);
            if (auto account = AccountNumber::parse(text))
                payee.account_number = *account;
            else
                error(Column::account_number, account.error().message,
                      hint_for_number(text.find_first_of(marks_of_spreadsheet) != std::string::npos));
        }
        if (wanted(Column::account_type)) {
            payee.account_type = parse_account_type(value(Column::account_type));
            if (!payee.account_type) {
                error(Column::account_type, "account_type must be checking or savings", "write checking or savings");
            }
        }
        if (wanted(Column::sec_code)) {
            payee.sec_code = parse_sec_code(value(Column::sec_code));
            if (!payee.sec_code) {
                error(Column::sec_code, "sec_code must be PPD, CCD or CTX",
                      "write PPD for a person, CCD for a business, CTX for a business with long remittance text");
            }
        }
    }

    void read_routing_number(Payee& payee) {
        const std::string text = value(Column::routing_number);
        if (const auto number = RoutingNumber::parse(text)) {
            if (is_assigned_routing(*number)) return payee.routing_number.emplace(*number), void();
            return error(Column::routing_number,
                         "routing_number is not assigned to a bank: no routing number begins with " + text.substr(0, 2),
                         "ask the payee for it again");
        }
        const bool nine_digits = text.size() == 9 && all_digits(text);
        const bool lost_zeros = text.size() < 9 && all_digits(text);
        error(Column::routing_number,
              nine_digits ? "routing_number has a wrong check digit" : "routing_number must be nine digits",
              hint_for_number(lost_zeros || text.find_first_of(marks_of_spreadsheet) != std::string::npos));
    }

    void check_address() {
        required(Column::address1, "a check payee");
        required(Column::city, "a check payee");
        const std::string state = required(Column::state, "a check payee");
        if (!state.empty() && !is_state(state)) {
            error(Column::state, "state is not a two-letter abbreviation", "write it like NY");
        }
        const std::string zip = required(Column::zip, "a check payee");
        if (!zip.empty() && !is_zip(zip)) {
            error(Column::zip, "zip is not a ZIP code", "write it like 12345 or 12345-6789");
        }
    }

    std::string file_;
    text::Diagnostics diagnostics_;
    std::vector<std::size_t> order_;
    std::map<std::string, int> lines_;  // of each key
    const text::CsvRow* row_ = nullptr;
    std::array<const text::CsvField*, column_count> fields_{};
};

}  // namespace

std::string_view to_string(Rail rail) {
    switch (rail) {
        case Rail::ach: return "ach";
        case Rail::check: return "check";
    }
    return {};
}

std::string_view to_string(AccountType type) {
    switch (type) {
        case AccountType::checking: return "checking";
        case AccountType::savings: return "savings";
    }
    return {};
}

std::string_view to_string(SecCode code) {
    switch (code) {
        case SecCode::ppd: return "PPD";
        case SecCode::ccd: return "CCD";
        case SecCode::ctx: return "CTX";
    }
    return {};
}

std::optional<Rail> parse_rail(std::string_view text) {
    if (text == "ach") return Rail::ach;
    if (text == "check") return Rail::check;
    return std::nullopt;
}

std::optional<AccountType> parse_account_type(std::string_view text) {
    if (text == "checking") return AccountType::checking;
    if (text == "savings") return AccountType::savings;
    return std::nullopt;
}

std::optional<SecCode> parse_sec_code(std::string_view text) {
    if (text == "PPD") return SecCode::ppd;
    if (text == "CCD") return SecCode::ccd;
    if (text == "CTX") return SecCode::ctx;
    return std::nullopt;
}

std::expected<PayeeDirectory, text::Diagnostics> PayeeDirectory::read(std::string_view csv,
                                                                      std::string_view file_name) {
    if (auto fault = fault_of_export(csv, file_name)) return std::unexpected(text::Diagnostics{*std::move(fault)});
    const auto rows = text::read_csv(csv, file_name);
    if (!rows) return std::unexpected(rows.error());
    if (rows->empty()) {
        return std::unexpected(text::Diagnostics{{std::string(file_name), 1, 0, "the file has no header line",
                                                  "begin with " + all_columns(), text::Severity::error}});
    }
    Reader reader(file_name);
    if (reader.read_header(rows->front())) {
        for (std::size_t i = 1; i < rows->size(); ++i)
            reader.read_row((*rows)[i]);
    }
    text::Diagnostics diagnostics = reader.take_diagnostics();
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    PayeeDirectory directory;
    directory.payees_ = std::move(reader.payees);
    directory.index_ = std::move(reader.index);
    directory.sha256_ = sha256_hex(csv);
    return directory;
}

const Payee* PayeeDirectory::find(std::string_view key) const {
    const auto found = index_.find(trimmed_payee_key(key));
    return found == index_.end() ? nullptr : &payees_[found->second];
}

}  // namespace drawbridge::disbursement
