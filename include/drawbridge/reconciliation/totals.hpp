// The totals of the reconciliation report, summed line by line, and the control sums that show whether every draw,
// payment and bank line is included exactly once and to the cent. Totals can be added, so that a long report is made in
// slices.
#pragma once

#include <array>
#include <boost/describe/class.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/sum.hpp"
#include "drawbridge/reconciliation/lines.hpp"

namespace drawbridge::reconciliation {

struct ClassTotal {
    std::int64_t lines = 0, draws = 0, payments = 0;
    Money amount;
    ThreeSides sides;
    ClassTotal& operator+=(const ClassTotal& other);
    friend bool operator==(const ClassTotal&, const ClassTotal&) = default;
};
BOOST_DESCRIBE_STRUCT(ClassTotal, (), (lines, draws, payments, amount, sides))

// Days: up to 1, 3, 7, 14, 30, and more.
inline constexpr std::array<int, 5> age_limits = {1, 3, 7, 14, 30};
using Ages = std::array<Sum, age_limits.size() + 1>;
[[nodiscard]] std::size_t age_index(std::int64_t days);
[[nodiscard]] std::string age_words(std::size_t index);  // "2-3 days"

// Open draws at the start + new ones = finished ones + open ones at the end.
struct DrawFlow {
    Sum opening, came, reopened, done, closing;
    Money revalued;  // amounts that changed in the period: may be negative
    friend bool operator==(const DrawFlow&, const DrawFlow&) = default;
};
BOOST_DESCRIBE_STRUCT(DrawFlow, (), (opening, came, reopened, done, closing, revalued))

// The flow of payments, in three buckets, each filled from the one before: in flight to the bank; confirmed by the
// bank but not reported; reported to the service.
struct PaymentFlow {
    Sum in_flight_opening, made, confirmed, ended_in_flight, in_flight_closing;
    Sum confirmed_opening, reported, ended_confirmed, confirmed_closing;
    Sum reported_opening, ended_reported, reported_closing;
    friend bool operator==(const PaymentFlow&, const PaymentFlow&) = default;
};
BOOST_DESCRIBE_STRUCT(PaymentFlow, (),
                      (in_flight_opening, made, confirmed, ended_in_flight, in_flight_closing, confirmed_opening,
                       reported, ended_confirmed, confirmed_closing, reported_opening, ended_reported,
                       reported_closing))

struct DayFlow {
    Sum made, confirmed, reported, ended;
    friend bool operator==(const DayFlow&, const DayFlow&) = default;
};
BOOST_DESCRIBE_STRUCT(DayFlow, (), (made, confirmed, reported, ended))

// Bank files imported in the period, by the outcome of each line.
struct BankTotals {
    std::int64_t files = 0, refused_files = 0;
    Sum paid, returned, voided;  // applied
    Sum duplicates, exceptions, no_effect;
    Sum by_person, by_time;  // payments settled in other ways
    friend bool operator==(const BankTotals&, const BankTotals&) = default;
};
BOOST_DESCRIBE_STRUCT(BankTotals, (),
                      (files, refused_files, paid, returned, voided, duplicates, exceptions, no_effect, by_person,
                       by_time))

// The payments of all files at the end of the period, summed file by file.
struct FileEnds {
    Sum open, paid, ended;
    friend bool operator==(const FileEnds&, const FileEnds&) = default;
};
BOOST_DESCRIBE_STRUCT(FileEnds, (), (open, paid, ended))

// Counts over the whole ledger, for the control sums.
struct ControlCounts {
    std::int64_t draws = 0, draws_listed = 0, draws_done_before = 0, draws_after = 0;
    Sum payments, payments_listed, payments_done_before, payments_after;
    Sum settlements;    // of payments, on any day
    Sum applied_lines;  // of bank files
    std::int64_t bank_lines = 0;
    FileEnds file_ends;
    std::int64_t disagreeing = 0;  // lines that count as agreeing but differ between the sides
    friend bool operator==(const ControlCounts&, const ControlCounts&) = default;
};
BOOST_DESCRIBE_STRUCT(ControlCounts, (),
                      (draws, draws_listed, draws_done_before, draws_after, payments, payments_listed,
                       payments_done_before, payments_after, settlements, applied_lines, bank_lines, file_ends,
                       disagreeing))

struct Totals {
    std::map<LineClass, ClassTotal> classes;  // without those that have no lines
    std::map<LineClass, Ages> ages;           // of lines that are in flight or differ
    DrawFlow draws;
    PaymentFlow payments;
    std::map<BusinessDate, DayFlow> days;
    BankTotals bank;
    ControlCounts control_counts;

    [[nodiscard]] ClassTotal of(LineClass line_class) const;
    [[nodiscard]] ClassTotal of(LineGroup group) const;
    [[nodiscard]] Ages ages_in_flight() const;
    // Lines that differ, which a person must look at.
    [[nodiscard]] std::int64_t differences() const;
    Totals& operator+=(const Totals& other);
    friend bool operator==(const Totals&, const Totals&) = default;
};
BOOST_DESCRIBE_STRUCT(Totals, (), (classes, ages, draws, payments, days, bank, control_counts))

// Sums up facts and returns their report lines.
class ReportAccumulator {
  public:
    // The settings must outlive it.
    explicit ReportAccumulator(const ReportSettings& settings) : settings_(settings) {}

    // The draw's lines in the period.
    [[nodiscard]] std::vector<Line> add(const DrawFacts& facts);
    [[nodiscard]] std::vector<Line> add(const BankLineFacts& facts);
    [[nodiscard]] std::vector<Line> add(const PaymentFileFacts& facts);
    [[nodiscard]] std::vector<Line> add(const ExceptionFacts& facts);
    // Adds a line that was found elsewhere.
    void add(const Line& line);

    [[nodiscard]] Totals& totals() { return totals_; }

  private:
    void add_flow(const DrawFacts& facts, const std::vector<Line>& opening, const std::vector<Line>& closing);
    void add_transitions(const PaymentFacts& payment);
    void count(const DrawFacts& facts);
    void count(const SettledFact& fact, Money amount);

    const ReportSettings& settings_;
    Totals totals_;
};

// Counted by queries other than the ones that the lines come from.
struct Counted {
    std::int64_t draws = 0;
    Sum payments;                 // from the totals of their files
    std::int64_t bank_lines = 0;  // from the counts of their files
    friend bool operator==(const Counted&, const Counted&) = default;
};
BOOST_DESCRIBE_STRUCT(Counted, (), (draws, payments, bank_lines))

struct Control {
    std::string_view title;
    std::string detail;  // both sides of the equation
    bool holds = true;
};
[[nodiscard]] std::vector<Control> controls(const Totals& totals, const Counted& counted);
[[nodiscard]] bool all_hold(const std::vector<Control>& controls);

}  // namespace drawbridge::reconciliation
