// The report's formats with hostile text from outside.
#include "drawbridge/reconciliation/document.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "drawbridge/text/csv.hpp"

namespace drawbridge::reconciliation {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Report report_with(const std::string& name) {
    const auto day = parse_date("2026-03-04").value();
    Report report;
    report.head.zone = "America/New_York";
    report.head.period = {day, day, parse_instant("2026-03-05T00:00:00").value()};
    const ReportSettings settings{report.head.period, TimeZone::find(report.head.zone).value(), 10};
    Line line;
    line.line_class = LineClass::external;
    line.draw_id = 17;
    line.counts_draw = true;
    line.name = line.why = name;
    line.amount = Money::from_cents(123'456);
    line.since = day;
    ReportAccumulator adder(settings);
    adder.add(line);
    report.totals = adder.totals();
    report.lines = {line};
    return report;
}

TEST(TextReport, never_joins_a_large_amount_with_its_count) {
    auto report = report_with("Ana");
    Line line = report.lines.front();
    line.line_class = LineClass::held;
    line.amount = Money::from_cents(510'006'584'070);
    line.sides = {line.amount, line.amount, line.amount};
    ReportAccumulator adder({report.head.period, TimeZone::find(report.head.zone).value(), 10});
    adder.add(line);
    report.totals = adder.totals();
    const std::string text = to_text(report);
    EXPECT_THAT(text, HasSubstr("1 $5,100,065,840.70"));
    EXPECT_THAT(text, Not(::testing::ContainsRegex("[^ (]\\$5,100")));
}

TEST(TextReport, says_that_a_void_file_was_not_released) {
    auto report = report_with("Ana");
    PaymentFileFacts file;
    file.name = "ACH-1.ach";
    file.makers = "anna started the run";
    report.files = {file};
    EXPECT_THAT(to_text(report), HasSubstr("released by nobody yet"));
    report.files[0].voided_at = report.head.period.as_of;
    EXPECT_THAT(to_text(report), HasSubstr("released by nobody: it was voided before its release"));
    EXPECT_THAT(to_html(report), HasSubstr("<td>nobody: it was voided before its release</td>"));
}

struct Outside {
    const char* text;
    const char* html;  // the expected form in HTML
    const char* csv;
};
class OutsideText : public ::testing::TestWithParam<Outside> {};

TEST_P(OutsideText, stays_plain_text) {
    const auto report = report_with(GetParam().text);
    EXPECT_THAT(to_html(report), HasSubstr("<td>" + std::string(GetParam().html) + "</td>"));
    const auto rows = text::read_csv(csv_header() + csv_row(report.lines.front()), "report.csv");
    ASSERT_TRUE(rows);
    EXPECT_EQ((*rows)[1].fields[7].text, GetParam().csv);
    const auto json =
        nlohmann::json::parse(json_begin(report.head) + json_row(report.lines.front(), true) + json_end(report));
    EXPECT_EQ(json["lines"][0]["name"], GetParam().text);
    EXPECT_THAT(to_text(report), Not(HasSubstr("\x1b")));
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, OutsideText,
    ::testing::Values(Outside{"Ana", "Ana", "Ana"}, Outside{"=1+1", "=1+1", "'=1+1"}, Outside{"+1", "+1", "'+1"},
                      Outside{"-1", "-1", "'-1"}, Outside{"@x", "@x", "'@x"}, Outside{"a=b", "a=b", "a=b"},
                      Outside{"<b a=\"c\">&'", "&lt;b a=&quot;c&quot;&gt;&amp;&#39;", "<b a=\"c\">&'"},
                      Outside{"\x1b[2J", "?[2J", "?[2J"}, Outside{"Ångström", "Ångström", "Ångström"}));

TEST(Report, is_complete_in_every_format_when_empty) {
    Report report = report_with("x");
    report.totals = {};
    report.lines.clear();
    EXPECT_THAT(to_html(report), HasSubstr("Nothing differs"));
    EXPECT_THAT(to_text(report), HasSubstr("Nothing differs"));
    const auto json = nlohmann::json::parse(json_begin(report.head) + json_end(report));
    for (const char* nothing_read_again : {"fresh_asked", "fresh_changed", "fresh_failed"})
        EXPECT_EQ(json["head"]["service"][nothing_read_again], 0) << nothing_read_again;
}

TEST(Report, begins_with_a_failed_control_sum) {
    Report report = report_with("x");
    report.controls = controls(report.totals, Counted{1, {}, 0});
    EXPECT_FALSE(report.adds_up());
    EXPECT_THAT(verdict(report), ::testing::StartsWith("THE CONTROL SUMS DO NOT MATCH"));
}

TEST(Report, reports_omitted_lines) {
    Report report = report_with("x");
    for (int i = 0; i < 40; ++i)
        report.totals += report_with("x").totals;
    EXPECT_THAT(to_text(report), HasSubstr("and 40 more"));
    EXPECT_THAT(to_html(report), HasSubstr("the 1 oldest of 41"));
}

}  // namespace
}  // namespace drawbridge::reconciliation
