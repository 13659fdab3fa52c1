// The bank's list of checks that it paid (or refused because they were stopped, or that are outstanding), read by its
// layout.
//
// It reports what the file says. Reconciliation decides which payment a line means and whether to apply it.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/checks/file_form.hpp"
#include "drawbridge/domain/bank_numbers.hpp"
#include "drawbridge/domain/money.hpp"
#include "drawbridge/domain/time.hpp"
#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::checks {

// Its columns include check_number, amount and paid_date. Without a code column, every line is a paid check.
struct PaidLayout : FileForm {
    std::vector<std::string> paid_codes = {"P"};  // "" for a blank
    std::optional<std::string> stopped_code = "S";
    std::vector<std::string> ignored_codes = {};  // of lines without effect, such as outstanding checks
    friend bool operator==(const PaidLayout&, const PaidLayout&) = default;
};

// Reports every problem in the file at once.
[[nodiscard]] std::expected<PaidLayout, text::Diagnostics> read_paid_layout(std::string_view yaml,
                                                                            std::string_view file_name);

enum class PaidStatus { paid, stopped, ignored };

struct PaidCheck {
    std::int64_t line = 0;        // in its file, from 1
    std::string foreign_account;  // the account that it is drawn on, as written; empty: the given one
    std::int64_t check_number = 0;
    Money amount;
    BusinessDate paid_date;  // not a date if a stopped or ignored line has none
    PaidStatus status = PaidStatus::paid;
    std::string payee_name;  // empty when the layout has no such column
    friend bool operator==(const PaidCheck&, const PaidCheck&) = default;
};

struct PaidFileTotals {
    std::int64_t count = 0;
    Money total;
    friend bool operator==(const PaidFileTotals&, const PaidFileTotals&) = default;
};

// Passes every check to the sink in file order, some hundred or thousand lines at a time. Its memory does not grow with
// the file.
class PaidFileReader {
  public:
    // `accounts` are ours; none: every line counts as ours. Every reference must outlive the reader.
    PaidFileReader(const PaidLayout& layout, const std::vector<AccountNumber>& accounts, std::string_view bytes,
                   std::string_view file_name, std::function<void(PaidCheck)> sink);
    PaidFileReader(const PaidFileReader&) = delete;
    PaidFileReader& operator=(const PaidFileReader&) = delete;
    ~PaidFileReader();
    // Reads the next lines; false: there are no more.
    bool advance();
    // Call after advance() returned false. The checks passed to the sink count only when the result is a value.
    // Otherwise it is every problem in the file, with line and column and without account numbers.
    [[nodiscard]] std::expected<PaidFileTotals, text::Diagnostics> finish() &&;

  private:
    class State;
    std::unique_ptr<State> state_;
};

// Reads the whole file at once. Only for tests: the product uses PaidFileReader.
[[nodiscard]] std::expected<PaidFileTotals, text::Diagnostics> parse_paid(const PaidLayout& layout,
                                                                          const std::vector<AccountNumber>& accounts,
                                                                          std::string_view bytes,
                                                                          std::string_view file_name,
                                                                          const std::function<void(PaidCheck)>& sink);

}  // namespace drawbridge::checks
