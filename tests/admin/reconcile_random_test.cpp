// Random ledgers: for random events in any order and on any day, the report contains every draw and payment once, and
// all control totals agree.
#include <gmock/gmock.h>

#include <map>
#include <random>
#include <set>

#include "admin/reconcile_fixture.hpp"

namespace drawbridge::admin {
namespace {

using ::testing::IsEmpty;

class RandomReconcile : public ReconcileFixture {
  protected:
    std::int64_t pick(std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
    }
    DrawStatus any_status() {
        constexpr DrawStatus all[] = {DrawStatus::pending_approval, DrawStatus::approved,  DrawStatus::approved,
                                      DrawStatus::approved,         DrawStatus::disbursed, DrawStatus::cancelled,
                                      static_cast<DrawStatus>(7)};
        return all[pick(0, std::size(all) - 1)];
    }
    Money any_amount() { return Money::from_cents(pick(1, 1'000'000)); }
    std::string any_date() {
        return format_date(std::chrono::floor<std::chrono::days>(now) + std::chrono::days(pick(-3, 2)));
    }

    void see() {
        Draw draw = test::sample_draw(pick(1, 60), any_status());
        draw.amount_requested = any_amount();
        if (draw.status == DrawStatus::approved || draw.status == DrawStatus::disbursed)
            draw.amount_approved = draw.amount_requested;
        if (const auto known = ledger::newest_reading(*ledger, draw.id)) {
            const auto status = draw.status;
            const auto amount = draw.amount_approved;
            draw = known->draw;
            draw.status = status;
            if (pick(0, 9) == 0 || !draw.amount_approved) draw.amount_approved = amount;
        }
        if (draw.status == DrawStatus::disbursed) {
            draw.disbursed_date = now;
            draw.amount_disbursed = pick(0, 5) == 0 ? std::optional(any_amount()) : draw.amount_approved;
        }
        read(draw);
    }
    std::vector<disbursement::PlannedPayment> payments() {
        std::vector<disbursement::PlannedPayment> all;
        for (const auto& file : ledger::payment_files(*ledger, /*unreleased_only=*/false)) {
            for (auto& payment : ledger::load_file(*ledger, file.file_id).file.payments)
                all.push_back(std::move(payment));
        }
        return all;
    }
    void hear_from_bank() {
        const auto all = payments();
        std::vector<Confirmation> lines;
        for (std::int64_t line = 2; line < 2 + pick(1, 12); ++line) {
            constexpr ConfirmationKind kinds[] = {ConfirmationKind::paid,   ConfirmationKind::paid,
                                                  ConfirmationKind::paid,   ConfirmationKind::returned,
                                                  ConfirmationKind::voided, ConfirmationKind::pending};
            std::string reference = "P9999999999";
            Money amount = any_amount();
            if (!all.empty() && pick(0, 9) > 0) {
                const auto& payment = all[static_cast<std::size_t>(pick(0, static_cast<int>(all.size()) - 1))];
                reference = disbursement::format_payment_id(payment.payment_id);
                if (pick(0, 9) > 0) amount = payment.amount;
            }
            lines.push_back(
                bank_line(line, reference, kinds[pick(0, std::size(kinds) - 1)], amount, any_date().c_str()));
        }
        confirm(std::move(lines), "bank-" + std::to_string(++files_) + ".csv");
    }
    void void_a_file() {
        for (const auto& file : ledger::payment_files(*ledger, /*unreleased_only=*/true)) {
            ledger->transaction([&] { (void)ledger::void_file(*ledger, file, "random", stamp("uid 1 (bo)")); });
            return;
        }
    }
    void release_all() {
        for (const auto& file : ledger::payment_files(*ledger, /*unreleased_only=*/true)) {
            ledger->transaction([&] {
                (void)ledger::order_release(*ledger, file, "random", stamp("uid 1 (bo)"));
                ledger::record_released(*ledger, file.file_id, stamp());
            });
        }
    }
    void pay_some() {
        release_all();  // the fixture cannot plan beside a staged file
        pay(/*release=*/pick(0, 3) > 0);
    }
    void reissue() {
        ledger->transaction([&] {
            (void)ledger::order_reissue(*ledger, pick(1, 60), test::sample_directory(), "random", stamp("uid 2 (cy)"));
        });
    }
    void close_an_exception() {
        const auto open = ledger::open_exceptions(*ledger);
        if (open.empty()) return;
        ledger->transaction(
            [&] { (void)ledger::close_exception(*ledger, open.front().exception_id, "random", stamp()); });
    }
    void decide_one() {
        const auto id = pick(1, 60);
        if (ledger::newest_reading(*ledger, id)) decide(id, pick(0, 1) == 1);
    }
    void step() {
        now += std::chrono::minutes(pick(0, 900));
        switch (pick(0, 11)) {
            case 0: return hear_from_bank();
            case 1: return void_a_file();
            case 2: return reissue();
            case 3: return close_an_exception();
            case 4: return decide_one();
            case 5: return pay_some();
            case 6: return report_all();
            case 7: return sweep();
            default: return see();
        }
    }

    void expect_once(const reconciliation::Report& report) {
        std::map<DrawId, int> draws;
        std::map<std::int64_t, int> payments_on_lines;
        for (const auto& line : report.lines) {
            if (line.counts_draw) ++draws[*line.draw_id];
            const bool is_of_payment = line.payment_id && line.file_line == 0 &&
                                       line.line_class != reconciliation::LineClass::general_exception_open;
            if (is_of_payment) ++payments_on_lines[*line.payment_id];
        }
        for (const auto& [id, count] : draws)
            EXPECT_EQ(count, 1) << "draw " << id;
        for (const auto& [id, count] : payments_on_lines)
            EXPECT_EQ(count, 1) << "payment " << id;
    }

    std::mt19937_64 random_;
    int files_ = 0;
};

TEST_F(RandomReconcile, control_totals_agree_for_any_period) {
    std::set<reconciliation::LineClass> met;
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
        random_.seed(seed);
        for (int i = 0; i < 120; ++i)
            step();
        const auto today = std::chrono::sys_days(context_.zone.date_of(now));
        const auto first = std::chrono::sys_days(parse_date("2026-03-04").value());
        for (int i = 0; i < 6; ++i) {
            const auto from = first + std::chrono::days(pick(0, (today - first).count()));
            const auto to = from + std::chrono::days(pick(0, (today - from).count()));
            const auto report = whole(BusinessDate(from), BusinessDate(to)).report;
            EXPECT_THAT(failures(report), IsEmpty())
                << "seed " << seed << ", " << format_date(from) << " to " << format_date(to);
            expect_once(report);
            for (const auto& line : report.lines)
                met.insert(line.line_class);
            if (to == today) continue;
            const auto next = whole(BusinessDate(to + std::chrono::days(1)), BusinessDate(today)).report;
            EXPECT_EQ(report.totals.draws.closing, next.totals.draws.opening);
            EXPECT_EQ(report.totals.payments.in_flight_closing, next.totals.payments.in_flight_opening);
        }
    }
    EXPECT_GT(met.size(), 20U) << "the random ledgers do not vary enough";
}

}  // namespace
}  // namespace drawbridge::admin
