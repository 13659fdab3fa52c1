// The report with one line of every class, in all its formats, byte for byte.
//
// DRAWBRIDGE_WRITE_GOLDEN in the environment writes tests/data/reconciliation/every-class.* instead.
#include <gtest/gtest.h>

#include "drawbridge/reconciliation/document.hpp"
#include "support/golden.hpp"

namespace drawbridge::reconciliation {
namespace {

BusinessDate day(unsigned number) {
    return std::chrono::year_month_day(std::chrono::year(2026), std::chrono::March, std::chrono::day(number));
}

// The class' number decides the amount, the age, and which of the optional members are there.
Line line_of_class(std::size_t number) {
    Line line;
    line.line_class = static_cast<LineClass>(number);
    if (number % 3 != 1) line.draw_id = static_cast<DrawId>(1000 + number);
    line.counts_draw = line.draw_id.has_value();
    if (number % 4 != 2) {
        line.payment_id = static_cast<std::int64_t>(number);
        line.payment_id_text = "P" + std::to_string(100 + number);
    }
    if (number % 2 == 0) line.reference = std::to_string(91'000'000 + number);
    if (number % 3 == 1) {
        line.file_name = "bank-" + std::to_string(number) + ".csv";
        line.file_line = static_cast<std::int64_t>(number / 3);
    }
    line.name = "Payee " + std::to_string(number);
    line.amount = Money::from_cents(static_cast<std::int64_t>(100'001 * (number + 1)));
    line.sides = {line.amount, number % 5 == 0 ? Money() : line.amount,
                  number % 7 == 0 ? Money::from_cents(1) : line.amount};
    line.bucket = static_cast<Bucket>(number % 5);
    line.age_days = static_cast<std::int64_t>(number);
    line.since = day(static_cast<unsigned>(31 - number % 31));
    if (number % 2 == 1) line.why = "reason " + std::to_string(number);
    return line;
}

Sum sum(std::int64_t count, std::int64_t cents) {
    return {count, Money::from_cents(cents)};
}

PaymentFileFacts payment_file(std::string name, bool released) {
    PaymentFileFacts file;
    file.file_id = released ? 2 : 1;
    file.name = std::move(name);
    file.made_at = parse_instant("2026-03-02T15:00:00").value();
    if (released) file.released_at = parse_instant("2026-03-02T16:30:00").value();
    file.released_by = released ? "ben" : "";
    file.makers = "drawbridge, ana";
    file.payment_count = file.row_count = 6;
    file.total = file.row_total = Money::from_cents(600'000);
    file.paid_count = 3, file.ended_count = 1, file.open_count = 2;
    file.paid = Money::from_cents(300'000), file.ended = Money::from_cents(100'000),
    file.open = Money::from_cents(200'000);
    return file;
}

Report report_with_every_class() {
    Report report;
    report.head.ledger_id = "00000000-test";
    report.head.zone = "America/New_York";
    report.head.period = {day(1), day(31), parse_instant("2026-04-01T04:00:00").value()};
    report.head.overdue_after_days = 10;
    report.head.service = {.all_read_at = parse_instant("2026-03-31T10:00:00").value(),
                           .changes_read_at = parse_instant("2026-04-01T03:00:00").value(),
                           .fresh_at = parse_instant("2026-04-01T03:30:00").value(),
                           .fresh_asked = 12,
                           .fresh_changed = 3,
                           .fresh_failed = 1};
    report.head.configured_controls = {{"pay.payee_hold", true, "3 days"}, {"release.two_people", false, "off"}};
    const ReportSettings settings{report.head.period, TimeZone::find(report.head.zone).value(), 10};
    ReportAccumulator accumulator(settings);
    for (std::size_t number = 0; number < line_class_count; ++number) {
        report.lines.push_back(line_of_class(number));
        accumulator.add(report.lines.back());
    }
    report.totals = accumulator.totals();
    report.totals.days[day(2)] = {.made = sum(4, 400'000), .confirmed = sum(1, 100'050), .reported = {}, .ended = {}};
    report.totals.days[day(5)] = {
        .made = sum(2, 123'456), .confirmed = sum(3, 333'333), .reported = sum(3, 333'333), .ended = sum(1, 1)};
    report.totals.bank = {.files = 3,
                          .refused_files = 1,
                          .paid = sum(3, 333'333),
                          .returned = sum(1, 1),
                          .voided = {},
                          .duplicates = sum(2, 200),
                          .exceptions = sum(1, 500),
                          .no_effect = sum(4, 0),
                          .by_person = sum(1, 700),
                          .by_time = sum(1, 900)};
    report.files = {payment_file("ACH-20260302-A.ach", true), payment_file("CHK-20260302-0001.csv", false)};
    report.controls = controls(report.totals, Counted{17, sum(3, 500), 7});
    return report;
}

TEST(ReportOfEveryClass, is_as_agreed_in_each_format) {
    const Report report = report_with_every_class();
    std::string csv = csv_header();
    std::string json = json_begin(report.head);
    for (const Line& line : report.lines) {
        csv += csv_row(line);
        json += json_row(line, &line == &report.lines.front());
    }
    test::expect_golden("reconciliation/every-class.txt", to_text(report));
    test::expect_golden("reconciliation/every-class.html", to_html(report));
    test::expect_golden("reconciliation/every-class.csv", csv);
    test::expect_golden("reconciliation/every-class.json", json + json_end(report));
}

// Nothing more happens to a line that agrees, or to a draw that others disbursed. The rest is repeated in each period.
TEST(LineClasses, are_terminal_where_nothing_more_happens) {
    for (std::size_t number = 0; number < line_class_count; ++number) {
        const LineClassInfo& info = words(static_cast<LineClass>(number));
        const bool is_external =
            info.line_class == LineClass::external || info.line_class == LineClass::sent_before_restore;
        EXPECT_EQ(info.terminal, is_external || info.group == LineGroup::agrees || info.group == LineGroup::not_ours)
            << to_string(info.line_class);
    }
}

}  // namespace
}  // namespace drawbridge::reconciliation
