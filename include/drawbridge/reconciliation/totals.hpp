// The sums of the reconciliation report, added up line by line, and the control sums that show whether every draw,
// every payment and every line of the bank is in it once and to the cent. Sums of parts can be added: a long report is
// made in slices.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/reconciliation/lines.hpp"

namespace drawbridge::reconciliation {

struct Sum {
    std::int64_t count = 0;
    Money amount;
    void add(Money more);
    Sum& operator+=(const Sum& other);
    friend bool operator==(const Sum&, const Sum&) = default;
};
// May be negative: a difference.
[[nodiscard]] Sum operator-(const Sum& a, const Sum& b);

struct ClassTotal {
    std::int64_t lines = 0, draws = 0, payments = 0;
    Money amount;
    ThreeWays sides;
    ClassTotal& operator+=(const ClassTotal& other);
    friend bool operator==(const ClassTotal&, const ClassTotal&) = default;
};

// Days: up to 1, 3, 7, 14, 30, and more.
inline constexpr std::array<int, 5> age_limits = {1, 3, 7, 14, 30};
using Ages = std::array<Sum, age_limits.size() + 1>;
[[nodiscard]] std::size_t age_index(std::int64_t days);
[[nodiscard]] std::string age_words(std::size_t index);  // "2-3 days"

// Draws that were open when the period began + those that came = those that were done with + those open at its end.
struct DrawFlow {
    Sum opening, came, reopened, done, closing;
    Money revalued;  // amounts that changed meanwhile: may be negative
    friend bool operator==(const DrawFlow&, const DrawFlow&) = default;
};

// The same for payments, in three pots, each fed by the one before: on its way to the bank; confirmed by the bank and
// not reported; reported to the service.
struct PaymentFlow {
    Sum in_flight_opening, made, confirmed, ended_in_flight, in_flight_closing;
    Sum confirmed_opening, reported, ended_confirmed, confirmed_closing;
    Sum reported_opening, ended_reported, reported_closing;
    friend bool operator==(const PaymentFlow&, const PaymentFlow&) = default;
};

struct DayFlow {
    Sum made, confirmed, reported, ended;
    friend bool operator==(const DayFlow&, const DayFlow&) = default;
};

// Of bank files taken in the period, by what became of each line.
struct BankTotals {
    std::int64_t files = 0, refused_files = 0;
    Sum paid, returned, voided;  // applied
    Sum duplicates, exceptions, no_effect;
    Sum by_person, by_time;  // payments settled otherwise
    friend bool operator==(const BankTotals&, const BankTotals&) = default;
};

// What the payments of all files had become at the end of the period, added up file by file.
struct FileEnds {
    Sum open, paid, ended;
    friend bool operator==(const FileEnds&, const FileEnds&) = default;
};

// What was met on the way, over the whole ledger, for the control sums.
struct ControlCounts {
    std::int64_t draws = 0, draws_listed = 0, draws_done_before = 0, draws_after = 0;
    Sum payments, payments_listed, payments_done_before, payments_after;
    Sum settlements;    // of payments, whatever their day
    Sum applied_lines;  // of the bank
    std::int64_t bank_lines = 0;
    FileEnds file_ends;
    std::int64_t disagreeing = 0;  // lines that count as agreeing and are not equal on all sides
    friend bool operator==(const ControlCounts&, const ControlCounts&) = default;
};

struct Totals {
    std::array<ClassTotal, line_class_count> classes{};
    std::array<Ages, line_class_count> ages{};  // of what is in flight or differs
    DrawFlow draws;
    PaymentFlow payments;
    std::map<BusinessDate, DayFlow> days;
    BankTotals bank;
    ControlCounts met;

    [[nodiscard]] const ClassTotal& of(LineClass line_class) const;
    [[nodiscard]] ClassTotal of(LineGroup group) const;
    // Lines that differ: what a person must look at.
    [[nodiscard]] std::int64_t differences() const;
    Totals& operator+=(const Totals& other);
    friend bool operator==(const Totals&, const Totals&) = default;
};

// Adds up facts and says which lines they are in the report.
class ReportAccumulator {
  public:
    // The settings outlive it.
    explicit ReportAccumulator(const ReportSettings& settings) : settings_(settings) {}

    // The lines of the draw that belong to the period.
    [[nodiscard]] std::vector<Line> add(const DrawFacts& facts);
    [[nodiscard]] std::vector<Line> add(const BankLineFacts& facts);
    [[nodiscard]] std::vector<Line> add(const PaymentFileFacts& facts);
    [[nodiscard]] std::vector<Line> add(const ExceptionFacts& facts);
    // One that was found elsewhere.
    void add(const Line& line);

    [[nodiscard]] Totals& totals() { return totals_; }

  private:
    void add_flow(const DrawFacts& facts, const std::vector<Line>& opening, const std::vector<Line>& closing);
    void add_steps(const PaymentFacts& payment);
    void meet(const DrawFacts& facts);
    void meet(const SettledFact& fact, Money amount);

    const ReportSettings& settings_;
    Totals totals_;
};

// Counted by other questions than those that the lines come from.
struct Counted {
    std::int64_t draws = 0;
    Sum payments;                 // by the totals of their files
    std::int64_t bank_lines = 0;  // by the counts of their files
    friend bool operator==(const Counted&, const Counted&) = default;
};

struct Control {
    std::string_view title;
    std::string detail;  // both sides of the equation
    bool holds = true;
};
[[nodiscard]] std::vector<Control> controls(const Totals& totals, const Counted& counted);
[[nodiscard]] bool all_hold(const std::vector<Control>& controls);

}  // namespace drawbridge::reconciliation
