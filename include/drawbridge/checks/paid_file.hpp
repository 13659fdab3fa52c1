// The bank's list of checks that it paid (or refused because they were stopped), read by layout.
//
// It says what stands in the file; which payment is meant, and whether to believe it, is decided elsewhere.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/checks/file_form.hpp"
#include "drawbridge/domain/bank_numbers.hpp"
#include "drawbridge/domain/money.hpp"
#include "drawbridge/domain/time.hpp"
#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::checks {

// Its columns hold check_number, amount and paid_date; without a code every line is a paid check.
struct PaidLayout : FileForm {
    std::string paid_code = "P";  // may be empty: a blank stands for paid
    std::optional<std::string> stopped_code = "S";
    friend bool operator==(const PaidLayout&, const PaidLayout&) = default;
};

// Every problem of the file at once.
[[nodiscard]] std::expected<PaidLayout, text::Diagnostics> read_paid_layout(std::string_view yaml,
                                                                            std::string_view file_name);

enum class PaidStatus { paid, stopped };

struct PaidCheck {
    std::int64_t line = 0;    // in its file, from 1
    bool our_account = true;  // false: drawn on another account than the one asked about
    std::int64_t check_number = 0;
    Money amount;
    BusinessDate paid_date;
    PaidStatus status = PaidStatus::paid;
    std::string payee_name;  // empty when the layout has none
    friend bool operator==(const PaidCheck&, const PaidCheck&) = default;
};

struct PaidFileTotals {
    std::int64_t count = 0;
    Money total;
    friend bool operator==(const PaidFileTotals&, const PaidFileTotals&) = default;
};

// Hands every check to the sink in the order of the file, some hundred or thousand lines at a time; its memory does not
// grow with the file.
class PaidReading {
  public:
    // `account`: ours; nullopt: every line is taken for ours. What it is given outlives it.
    PaidReading(const PaidLayout& layout, const std::optional<AccountNumber>& account, std::string_view bytes,
                std::string_view file_name, std::function<void(PaidCheck)> sink);
    PaidReading(const PaidReading&) = delete;
    PaidReading& operator=(const PaidReading&) = delete;
    ~PaidReading();
    // Reads on; false: there is no more.
    bool advance();
    // Once advance() said false. What was handed over counts only when the result is a value: otherwise it is every
    // problem of the file, with line and column, and no account number.
    [[nodiscard]] std::expected<PaidFileTotals, text::Diagnostics> finish() &&;

  private:
    class State;
    std::unique_ptr<State> state_;
};

// The same in one go.
[[nodiscard]] std::expected<PaidFileTotals, text::Diagnostics> parse_paid(const PaidLayout& layout,
                                                                          const std::optional<AccountNumber>& account,
                                                                          std::string_view bytes,
                                                                          std::string_view file_name,
                                                                          const std::function<void(PaidCheck)>& sink);

}  // namespace drawbridge::checks
