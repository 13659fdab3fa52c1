// A ledger with a settable clock, and the complete report from the operators' API.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "admin/office.hpp"
#include "drawbridge/admin/reconcile.hpp"
#include "drawbridge/ledger/facts/returns.hpp"
#include "ledger/ledger_fixture.hpp"

namespace drawbridge::admin {

class MovingClock final : public Clock {
  public:
    explicit MovingClock(const Instant& now) : now_(now) {}
    [[nodiscard]] Instant now() const override { return now_; }

  private:
    const Instant& now_;
};

class ReconcileFixture : public ledger::LedgerFixture {
  protected:
    struct Whole {
        reconciliation::Report report;  // with every line
        reconciliation::Counted counted;
    };

    // Round-trips every slice through JSON.
    Whole whole(std::optional<BusinessDate> from = {}, std::optional<BusinessDate> to = {}) {
        Whole whole;
        ReconcileQuery query{from, to, std::nullopt, 10, ""};
        do {
            const auto answer = reconcile_slice(context_, query);
            if (!answer) throw std::runtime_error(answer.error().message);
            auto slice = api::slice_from_json(nlohmann::json::parse(api::to_json(*answer).dump())).value();
            whole.report.head = slice.head;
            whole.report.totals += slice.totals;
            std::ranges::move(slice.lines, std::back_inserter(whole.report.lines));
            std::ranges::move(slice.files, std::back_inserter(whole.report.files));
            if (slice.counted) whole.counted = *slice.counted;
            query = {slice.head.period.from, slice.head.period.to, slice.head.period.as_of, 10,
                     slice.next.value_or("")};
        } while (!query.after.empty());
        whole.report.controls = reconciliation::controls(whole.report.totals, whole.counted);
        return whole;
    }

    static std::vector<std::string> failures(const reconciliation::Report& report) {
        std::vector<std::string> found;
        for (const auto& control : report.controls) {
            if (!control.holds) found.push_back(std::string(control.title) + ": " + control.detail);
        }
        return found;
    }

    void at(const char* text) { now = test::at(text); }
    void sweep() {
        ledger->transaction([&] { ledger::record_sweep(*ledger, {now, now, true, 0, 0, now}); });
    }
    disbursement::PlannedPayment payment_of(DrawId id) {
        std::optional<disbursement::PlannedPayment> newest;
        for (const auto& file : ledger::payment_files(*ledger, /*unreleased_only=*/false)) {
            for (auto& payment : ledger::load_file(*ledger, file.file_id).file.payments) {
                if (payment.draw_id == id && (!newest || newest->payment_id < payment.payment_id))
                    newest = std::move(payment);
            }
        }
        return newest.value();
    }
    static Confirmation bank_line(std::int64_t number, std::string reference, ConfirmationKind kind, Money amount,
                                  const char* date) {
        return {number, std::move(reference), kind, amount, parse_date(date).value()};
    }
    Confirmation bank_line(std::int64_t number, DrawId id, const char* date,
                           ConfirmationKind kind = ConfirmationKind::paid) {
        const auto payment = payment_of(id);
        return bank_line(number, disbursement::format_payment_id(payment.payment_id), kind, payment.amount, date);
    }
    // The service accepts the date of every disbursement that is due.
    void report_all() {
        for (const auto& due : ledger::reports_due(*ledger)) {
            const auto date = test::sample_plan_settings().zone.to_instant(due.confirmed_on, std::chrono::hours(12));
            ledger->transaction([&] {
                ledger::open_patch(*ledger, due, date, stamp());
                Draw draw = ledger::newest_reading(*ledger, due.draw_id)->draw;
                draw.disbursed_date = date;
                ledger::record_reading(*ledger, draw, ledger::ReadingSource::report, now);
            });
        }
        for (const auto& patch : ledger::open_patches(*ledger)) {
            ledger->transaction([&] { ledger::close_patch(*ledger, patch, ledger::PatchOutcome::accepted, stamp()); });
        }
    }

    MovingClock clock_{now};
    Office office_{*ledger, clock_, folder.path()};
    AdminContext& context_ = office_.context;
};

}  // namespace drawbridge::admin
