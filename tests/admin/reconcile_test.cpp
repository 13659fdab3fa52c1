// The reconciliation report over a ledger with an example of every class of line.
#include "drawbridge/admin/reconcile.hpp"

#include <gmock/gmock.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "admin/reconcile_fixture.hpp"
#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/facts/resolutions.hpp"
#include "drawbridge/ledger/facts/restorations.hpp"
#include "drawbridge/ledger/facts/sent_before.hpp"
#include "support/golden.hpp"

namespace drawbridge::admin {
namespace {

using reconciliation::LineClass;
using reconciliation::Report;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Reconcile : public ReconcileFixture {
  protected:
    Draw approved(DrawId id, const char* amount = "100.00") {
        return test::sample_draw(id, DrawStatus::approved, amount);
    }
    void disburse(DrawId id) {
        Draw draw = ledger::newest_reading(*ledger, id)->draw;
        draw.status = DrawStatus::disbursed;
        draw.amount_disbursed = draw.amount_approved;
        read(draw);
    }
    void raise(ledger::ExceptionDetails what) {
        ledger->transaction([&] { ledger::raise_exception(*ledger, what, stamp()); });
    }

    // One draw of each kind, in March 2026 in New York. Draw 1 was finished before the 10th.
    void everything() {
        at("2026-03-02T15:00:00");
        Draw before = test::sample_draw(11, DrawStatus::disbursed);
        read(before);
        sweep();
        for (const DrawId id : {1, 2, 3, 4, 13, 14, 15, 16, 18, 20, 21, 24})
            read(approved(id, id == 1 ? "1000.00" : "100.00"));
        at("2026-03-03T15:00:00");
        pay();
        at("2026-03-04T15:00:00");
        confirm({bank_line(2, 1, "2026-03-04"), bank_line(3, 3, "2026-03-04"), bank_line(4, 15, "2026-03-04"),
                 bank_line(5, 20, "2026-03-04"), bank_line(6, 21, "2026-03-04")},
                "first.csv");
        at("2026-03-05T15:00:00");
        for (const DrawId id : {1, 15, 20, 21})
            disburse(id);
        report_all();
        at("2026-03-12T15:00:00");
        confirm({bank_line(2, 24, "2026-03-10")}, "tenth.csv");
        disburse(24);
        report_all();
        confirm({bank_line(2, 2, "2026-03-11"), bank_line(3, 15, "2026-03-12", ConfirmationKind::returned),
                 bank_line(4, 16, "2026-03-12", ConfirmationKind::returned),
                 bank_line(5, 1, "2026-03-04"),  // already known
                 bank_line(6, "999999999999999", ConfirmationKind::paid, Money::from_cents(777), "2026-03-12"),
                 bank_line(7, *payment_of(4).trace_number, ConfirmationKind::paid, Money::from_cents(9900),
                           "2026-03-12"),  // another amount
                 bank_line(8, "deposit", ConfirmationKind::unrelated, Money::from_cents(50000), "2026-03-12")},
                "=second,\"quoted\".csv");
        disburse(2);
        ledger->transaction(
            [&] { ledger::record_refused(*ledger, {"abc123def4567890", "cut-off.csv", 9}, "x", stamp()); });
        changes();
        newer_draws();
        at("2026-03-20T16:00:00");
        sweep();
        raise({"poll", "service_unreachable", std::nullopt, std::nullopt, "the service", "no answer since morning"});
        std::filesystem::create_directories(folder.path() / "spool" / "outgoing");
        for (const char* name : {"ACH-20990101-A.ach", "ACH-20260303-A.ach", "ACH-20260318-A.ach.pgp", ".hidden.tmp"})
            std::ofstream(folder.path() / "spool" / "outgoing" / name) << "101";
    }
    void changes() {
        Draw draw = approved(13);
        draw.status = DrawStatus::cancelled;
        read(draw);
        draw = approved(14);
        draw.amount_approved = Money::from_cents(12345);
        read(draw);
        draw = approved(18);
        draw.status = DrawStatus::pending_approval;
        read(draw);
        draw = ledger::newest_reading(*ledger, 20)->draw;
        draw.amount_disbursed = Money::from_cents(10001);
        read(draw);
        draw = ledger::newest_reading(*ledger, 21)->draw;
        draw.disbursed_date = test::at("2026-02-01T17:00:00");
        read(draw);
    }
    void newer_draws() {
        at("2026-03-18T15:00:00");
        Draw evil = approved(5);
        evil.case_name = "=HYPERLINK(\"http://x\") <script>alert(1)</script>\x1b[2J";
        read(evil);
        read(approved(22));
        pay();
        at("2026-03-19T15:00:00");
        read(approved(25));
        pay(/*release=*/false);
        ledger->transaction([&] {
            const auto file = ledger::payment_files(*ledger, /*unreleased_only=*/true).front();
            EXPECT_TRUE(ledger::void_file(*ledger, file, "wrong account", stamp("uid 1 (bo)")));
        });
        at("2026-03-19T16:00:00");
        read(approved(6));
        pay(/*release=*/false);
        at("2026-03-20T15:00:00");
        evil.id = 7;
        read(evil);
        read(test::sample_draw(8, DrawStatus::pending_approval));
        read(test::sample_draw(9, DrawStatus::pending_approval));
        decide(9, /*approve=*/false);
        read(test::sample_draw(10, DrawStatus::disbursed));
        read(test::sample_draw(12, DrawStatus::cancelled));
        read(approved(17));
        raise({"pay", "no_payee", 17, std::nullopt, "", "no payee 'X': add it to payees.csv"});
        read(test::sample_draw(19, static_cast<DrawStatus>(7)));
        read(test::sample_draw(23, DrawStatus::pending_approval));
        decide(23, /*approve=*/true);
    }

    Report march() {
        auto report = whole(parse_date("2026-03-10").value(), parse_date("2026-03-20").value()).report;
        report.head.ledger_id = "00000000-test";
        return report;
    }
    static std::map<std::string, std::int64_t> lines_by_class(const Report& report) {
        std::map<std::string, std::int64_t> counts;
        for (const auto& line : report.lines)
            ++counts[std::string(to_string(line.line_class))];
        return counts;
    }
    static std::vector<DrawId> draws_of(const Report& report, LineClass line_class) {
        std::vector<DrawId> ids;
        for (const auto& line : report.lines) {
            if (line.line_class == line_class) ids.push_back(line.draw_id.value_or(0));
        }
        return ids;
    }
};

TEST_F(Reconcile, assigns_each_line_to_its_class) {
    everything();
    const auto report = march();
    EXPECT_THAT(failures(report), IsEmpty());
    const std::map<LineClass, std::vector<DrawId>> wanted = {
        {LineClass::disbursed, {2}},
        {LineClass::paid_never_disbursed, {3}},
        {LineClass::unconfirmed_too_long, {4}},
        {LineClass::released, {5, 22}},
        {LineClass::staged, {6, 25}},
        {LineClass::voided, {25}},
        {LineClass::reported, {24}},
        {LineClass::approved, {7}},
        {LineClass::pending, {8}},
        {LineClass::held, {9}},
        {LineClass::external, {10}},
        {LineClass::cancelled, {12}},
        {LineClass::cancelled_after_payment, {13}},
        {LineClass::amount_changed_after_payment, {14}},
        {LineClass::returned_after_disbursed, {15}},
        {LineClass::returned, {16}},
        {LineClass::blocked, {17}},
        {LineClass::status_went_back, {18}},
        {LineClass::unknown_status, {19}},
        {LineClass::amount_disbursed_differs, {20}},
        {LineClass::date_differs, {21}},
        {LineClass::approving, {23}},
        {LineClass::bank_duplicate, {1}},
        {LineClass::bank_line_unmatched, {0}},
        {LineClass::bank_line_in_doubt, {4}},
        {LineClass::bank_no_effect, {0}},
        {LineClass::file_refused, {0}},
        {LineClass::general_exception_open, {0}},
        {LineClass::file_unknown, {0}},
    };
    for (const auto& [line_class, ids] : wanted)
        EXPECT_EQ(draws_of(report, line_class), ids) << to_string(line_class);
    EXPECT_EQ(lines_by_class(report).size(), wanted.size()) << "draws 1 and 11 were finished before the period";
    EXPECT_EQ(report.totals.draws.opening.count, 8) << "the first file without the four reported draws";
    EXPECT_EQ(report.totals.payments.in_flight_opening.amount, Money::from_cents(70'000));
    EXPECT_EQ(report.totals.payments.reported_opening.amount, Money::from_cents(130'000));
}

TEST_F(Reconcile, a_file_that_left_before_a_restore_is_known_by_its_bytes) {
    everything();
    const std::string name = "ACH-20990101-A.ach";
    const auto unknown = [&] {
        std::vector<std::string> names;
        for (const auto& line : march().lines) {
            if (line.line_class == LineClass::file_unknown) names.push_back(line.file_name);
        }
        return names;
    };
    ASSERT_THAT(unknown(), ElementsAre(name));
    ledger->transaction([&] {
        ledger::begin_restoration(*ledger, ledger::RestoredHow::restored, "test", stamp());
        const auto restoration = ledger::open_restoration(*ledger).value();
        ledger::record_sent_file(*ledger, restoration,
                                 {name,
                                  sha256_hex("101"),
                                  9,
                                  sha256_hex("line"),
                                  {},
                                  "A",
                                  now,
                                  "drawbridge",
                                  {{{1, 10, Money::from_cents(5), "091000010000009"}, "PAYEE-10"}}});
        ledger::hold_paid_after_backup(*ledger, restoration, 10, "paid after the backup", stamp());
        ledger::record_comparison(*ledger, restoration, /*complete=*/true, "compared", stamp());
    });
    EXPECT_THAT(unknown(), IsEmpty());
    EXPECT_THAT(draws_of(march(), LineClass::external), IsEmpty());
    EXPECT_THAT(draws_of(march(), LineClass::sent_before_restore), ElementsAre(10))
        << "Disbursed, and paid by the file";
    EXPECT_THAT(failures(march()), IsEmpty());
    std::ofstream(folder.path() / "spool" / "outgoing" / name) << "102";
    EXPECT_THAT(unknown(), ElementsAre(name)) << "other bytes are another file";
}

TEST_F(Reconcile, matches_the_golden_files_in_every_format) {
    everything();
    const auto report = march();
    test::expect_golden("reconciliation/report.txt", reconciliation::to_text(report));
    test::expect_golden("reconciliation/report.html", reconciliation::to_html(report));
    std::string csv = reconciliation::csv_header();
    std::string json = reconciliation::json_begin(report.head);
    bool is_first = true;
    for (const auto& line : report.lines) {
        csv += reconciliation::csv_row(line);
        json += reconciliation::json_row(line, std::exchange(is_first, false));
    }
    json += reconciliation::json_end(report);
    test::expect_golden("reconciliation/report.csv", csv);
    test::expect_golden("reconciliation/report.json", json);
    const auto parsed = nlohmann::json::parse(json);
    EXPECT_EQ(parsed["lines"].size(), report.lines.size());
    EXPECT_EQ(parsed["adds_up"], true);
    EXPECT_EQ(parsed["differences"], report.differences());
}

TEST_F(Reconcile, text_from_outside_is_harmless) {
    everything();
    const auto report = march();
    EXPECT_THAT(reconciliation::to_html(report), Not(HasSubstr("<script")));
    EXPECT_THAT(reconciliation::to_html(report), Not(HasSubstr("\x1b")));
    EXPECT_THAT(reconciliation::to_text(report), Not(HasSubstr("\x1b")));
    for (const auto& line : report.lines) {
        EXPECT_THAT(reconciliation::csv_row(line), Not(HasSubstr(",=")));
        EXPECT_THAT(reconciliation::csv_row(line), Not(HasSubstr(",\"=")));
    }
    for (const auto* secret : {"123456789", "987654321"}) {
        EXPECT_THAT(reconciliation::to_html(report), Not(HasSubstr(secret)));
        EXPECT_THAT(reconciliation::json_end(report), Not(HasSubstr(secret)));
    }
}

TEST_F(Reconcile, the_text_format_fits_a_terminal) {
    everything();
    std::stringstream text(reconciliation::to_text(march()));
    for (std::string line; std::getline(text, line);)
        EXPECT_LE(line.size(), 130U) << line;
}

TEST_F(Reconcile, a_periods_closing_totals_are_the_next_periods_opening_totals) {
    everything();
    const auto first = whole(parse_date("2026-03-02").value(), parse_date("2026-03-11").value()).report;
    const auto second = whole(parse_date("2026-03-12").value(), parse_date("2026-03-20").value()).report;
    EXPECT_EQ(first.totals.draws.closing, second.totals.draws.opening);
    EXPECT_EQ(first.totals.payments.in_flight_closing, second.totals.payments.in_flight_opening);
    EXPECT_EQ(first.totals.payments.confirmed_closing, second.totals.payments.confirmed_opening);
    EXPECT_EQ(first.totals.payments.reported_closing, second.totals.payments.reported_opening);
    EXPECT_THAT(failures(first), IsEmpty());
    EXPECT_THAT(failures(second), IsEmpty());
}

TEST_F(Reconcile, ignores_facts_recorded_after_the_report_began) {
    at("2026-03-03T15:00:00");
    read(approved(1));
    const auto first = reconcile_slice(context_, {}).value();
    at("2026-03-03T15:00:01");
    read(approved(2));
    pay();
    ReconcileQuery query;
    query.as_of = first.head.period.as_of;
    const auto again = reconcile_slice(context_, query).value();
    EXPECT_EQ(again.totals, first.totals);
    EXPECT_EQ(again.lines, first.lines);
    EXPECT_EQ(again.counted, first.counted);
}

// The payment has its money on the bank's day, also in the report about a period before somebody matched the line.
TEST_F(Reconcile, a_line_that_a_person_matched_later_is_one_debit) {
    at("2026-03-02T15:00:00");
    read(approved(1));
    pay();
    at("2026-03-03T15:00:00");
    confirm({bank_line(2, "999999999999999", ConfirmationKind::paid, Money::from_cents(10000), "2026-03-03")}, "b.csv");
    at("2026-03-05T15:00:00");
    sweep();
    ledger->transaction([&] {
        const auto id = ledger::open_exceptions(*ledger).back().exception_id;
        ASSERT_TRUE(ledger::match_line(*ledger, {id, "the bank's letter"}, payment_of(1).payment_id,
                                       test::sample_plan_settings().zone, stamp("uid 7 (ana)")));
    });
    for (const char* to : {"2026-03-03", "2026-03-05"}) {
        const auto found = whole(parse_date("2026-03-01").value(), parse_date(to).value());
        Money at_bank;
        for (const auto& line : found.report.lines)
            at_bank += line.sides.bank;
        EXPECT_EQ(at_bank, Money::from_cents(10000)) << to;
        EXPECT_THAT(failures(found.report), IsEmpty()) << to;
    }
}

TEST_F(Reconcile, a_return_dated_before_its_payment_was_paid_keeps_the_control_sums) {
    at("2026-03-02T15:00:00");
    read(approved(1));
    pay();
    at("2026-03-05T15:00:00");
    confirm({bank_line(2, 1, "2026-03-05")}, "paid.csv");
    at("2026-03-06T15:00:00");
    confirm({bank_line(2, 1, "2026-03-03", ConfirmationKind::returned)}, "returned.csv");
    sweep();
    for (const char* to : {"2026-03-02", "2026-03-03", "2026-03-04", "2026-03-05", "2026-03-06"}) {
        EXPECT_THAT(failures(whole(parse_date("2026-03-01").value(), parse_date(to).value()).report), IsEmpty()) << to;
    }
}

TEST_F(Reconcile, a_changed_ledger_fails_a_control_total) {
    everything();
    auto whole_report = whole();
    EXPECT_TRUE(whole_report.report.adds_up());
    auto counted = whole_report.counted;
    ++counted.draws;
    EXPECT_FALSE(all_hold(reconciliation::controls(whole_report.report.totals, counted)));
    counted = whole_report.counted;
    counted.payments.amount += Money::from_cents(1);
    EXPECT_FALSE(all_hold(reconciliation::controls(whole_report.report.totals, counted)));
    counted = whole_report.counted;
    --counted.bank_lines;
    EXPECT_FALSE(all_hold(reconciliation::controls(whole_report.report.totals, counted)));
}

TEST_F(Reconcile, refuses_invalid_periods) {
    at("2026-03-20T16:00:00");
    ReconcileQuery query;
    query.to = parse_date("2026-03-21").value();
    EXPECT_THAT(reconcile_slice(context_, query).error().message, HasSubstr("in the future"));
    query.to = parse_date("2026-03-10").value();
    query.from = parse_date("2026-03-11").value();
    EXPECT_THAT(reconcile_slice(context_, query).error().message, HasSubstr("after its end"));
    query = {};
    for (const char* place : {"draws", "draws:", "draws:x", "draws:1 ", "moon:1", ":1"}) {
        query.after = place;
        EXPECT_FALSE(reconcile_slice(context_, query)) << place;
    }
}

TEST_F(Reconcile, the_whole_report_is_the_sum_of_its_slices) {
    everything();
    asio::io_context io;
    std::optional<Result<ReconcileResult>> result;
    asio::co_spawn(io, reconcile(context_, {}), [&](const std::exception_ptr& failure, Result<ReconcileResult> done) {
        if (failure) std::rethrow_exception(failure);
        result = std::move(done);
    });
    io.run();
    ASSERT_TRUE(result && *result);
    const auto sliced = whole().report;
    EXPECT_EQ((*result)->totals, sliced.totals);
    EXPECT_EQ((*result)->differences(), sliced.differences());
    EXPECT_TRUE((*result)->adds_up());
    EXPECT_EQ((*result)->head.service.all_read_at, test::at("2026-03-20T16:00:00"));
}

TEST(ReconcileSliceJson, refuses_an_invalid_slice) {
    for (const char* text : {"{}", "[]", R"({"head": 1})", R"({"head": {}, "totals": {}, "lines": []})"}) {
        const auto slice = api::slice_from_json(nlohmann::json::parse(text));
        ASSERT_FALSE(slice) << text;
        EXPECT_EQ(slice.error().code, ErrorCode::protocol);
    }
}

}  // namespace
}  // namespace drawbridge::admin
