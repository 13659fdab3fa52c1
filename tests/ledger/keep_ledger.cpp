// keep_ledger FOLDER: fills a ledger of this program's schema with a draw in every state and with every other kind of
// fact, and writes it to FOLDER/version-N.db, with its key and a list of its draws. Run it once for each schema that is
// released; its output stays under tests/data/ledger (docs/architecture.md, "A new schema").
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "drawbridge/ledger/facts/alerts.hpp"
#include "drawbridge/ledger/facts/arrivals.hpp"
#include "drawbridge/ledger/facts/check_orders.hpp"
#include "drawbridge/ledger/facts/deliveries.hpp"
#include "drawbridge/ledger/facts/evidence.hpp"
#include "drawbridge/ledger/facts/exports.hpp"
#include "drawbridge/ledger/facts/invariant_checks.hpp"
#include "drawbridge/ledger/facts/payment_voids.hpp"
#include "drawbridge/ledger/facts/plans.hpp"
#include "drawbridge/ledger/facts/resolutions.hpp"
#include "drawbridge/ledger/facts/returns.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/facts/write_back.hpp"
#include "drawbridge/ledger/store/backups.hpp"
#include "drawbridge/ledger/store/sealing.hpp"
#include "ledger/kept_ledgers.hpp"
#include "ledger/ledger_fixture.hpp"
#include "store/connection.hpp"
#include "support/verify_and_record.hpp"

namespace drawbridge::ledger {
namespace {

namespace fs = std::filesystem;

void require(bool good, const char* what) {
    if (!good) throw std::runtime_error(std::string("this failed: ") + what);
}

class Kept : public LedgerFixture {
  public:
    void TestBody() override {}

    void fill() {
        ledger->transaction([&] {
            enable_write_back(*ledger, {disbursement::WriteBackEvent::export_, disbursement::WriteBackEvent::return_},
                              stamp());
        });
        before_any_payment();
        paid_by_ach();
        paid_by_check();
        voided();
        matched_by_a_person();
        operations();
    }

    void write_to(const fs::path& to) {
        const auto name = "version-" + std::to_string(ledger->schema_version());
        std::ofstream(to / (name + ".txt")) << test::list_of_draws(*ledger);
        ledger.reset();
        {
            SQLite::Database db((folder.path() / "ledger.db").string(), SQLite::OPEN_READWRITE);
            db.exec("PRAGMA journal_mode = DELETE");
            // Small pages, because the file is stored with the source and most tables have a few rows.
            db.exec("PRAGMA page_size = 1024");
            db.exec("VACUUM");
        }
        fs::copy_file(folder.path() / "ledger.db", to / (name + ".db"));
        fs::copy_file(folder.path() / default_sealing_key_name, to / (name + ".key"));
    }

  private:
    void later() { now += std::chrono::minutes(7); }

    void seen(DrawId id, DrawStatus status, const char* amount, const char* payee = "PAYEE-1") {
        later();
        auto draw = test::sample_draw(id, status, amount);
        draw.field_a = payee;
        if (status == DrawStatus::approved || status == DrawStatus::disbursed)
            draw.approved_by = "official@example.org";
        read(draw);
    }

    void before_any_payment() {
        seen(1, DrawStatus::pending_approval, "10.01");
        seen(2, DrawStatus::pending_approval, "20.02");
        decide(2, /*approve=*/false);
        seen(3, DrawStatus::pending_approval, "30.03");
        decide(3, /*approve=*/true);
        seen(4, DrawStatus::pending_approval, "40.04");
        decide(4, /*approve=*/true);
        for (const auto& item : submit())
            if (item.draw_id == 4) answer(item, ApprovalOutcome::refused);
        seen(5, DrawStatus::cancelled, "50.05");
        seen(6, DrawStatus::disbursed, "60.06");
        seen(7, DrawStatus::submitted, "70.07");
        seen(8, static_cast<DrawStatus>(9), "80.08");
    }

    const disbursement::PlannedPayment& payment_of(const disbursement::PlannedFile& file, DrawId id) {
        for (const auto& payment : file.payments)
            if (payment.draw_id == id) return payment;
        throw std::runtime_error("draw " + std::to_string(id) + " is not in that file");
    }

    void bank_reports(const std::string& reference, ConfirmationKind kind, const char* amount, const std::string& name,
                      const std::string& code = {}) {
        later();
        Confirmation line{2, reference, kind, Money::parse(amount).value(), test_zone().date_of(now)};
        line.reason_code = code;
        confirm({line}, name);
    }
    static TimeZone test_zone() { return test::sample_plan_settings().zone; }

    void report(DrawId id, bool accepted) {
        later();
        for (const auto& due : reports_due(*ledger))
            if (due.draw_id == id) ledger->transaction([&] { open_patch(*ledger, due, now, stamp()); });
        later();
        for (const auto& patch : open_patches(*ledger)) {
            if (patch.draw_id != id) continue;
            ledger->transaction([&] {
                record_attempt(*ledger, patch, accepted ? "accepted" : "unreachable", "", now);
                if (accepted) close_patch(*ledger, patch, PatchOutcome::accepted, stamp());
            });
        }
    }

    // 11 paying, 12 paid and not yet Disbursed, 13 disbursed, 14 reported, 15 returned, 16 paid again after a
    // return, 17 approved by this program and paid.
    void paid_by_ach() {
        seen(17, DrawStatus::pending_approval, "170.17", "PAYEE-2");
        decide(17, /*approve=*/true);
        for (const auto& item : submit())
            answer(item, ApprovalOutcome::approved);
        for (DrawId id = 11; id <= 17; ++id)
            seen(id, DrawStatus::approved, (std::to_string(id) + "0." + std::to_string(id)).c_str(), "PAYEE-2");
        pay();
        const auto file = load_file(*ledger, payment_files(*ledger, false).back().file_id).file;
        later();
        for (const DrawId id : {12, 13, 14})
            bank_reports(*payment_of(file, id).trace_number, ConfirmationKind::paid,
                         (std::to_string(id) + "0." + std::to_string(id)).c_str(),
                         "paid-" + std::to_string(id) + ".csv");
        for (const DrawId id : {13, 14})
            seen(id, DrawStatus::disbursed, (std::to_string(id) + "0." + std::to_string(id)).c_str(), "PAYEE-2");
        report(13, /*accepted=*/false);
        report(14, /*accepted=*/true);
        for (const DrawId id : {15, 16})
            bank_reports(*payment_of(file, id).trace_number, ConfirmationKind::returned,
                         (std::to_string(id) + "0." + std::to_string(id)).c_str(),
                         "returned-" + std::to_string(id) + ".csv", "R01");
        later();
        require(ledger->transaction([&] {
            return order_reissue(*ledger, 16, test::sample_directory(), "the account has money again",
                                 stamp("uid 7 (eva)"))
                .has_value();
        }),
                "order_reissue");
        pay();
    }

    // 21 paying, 22 voided by our order, 23 reported.
    void paid_by_check() {
        for (DrawId id = 21; id <= 23; ++id)
            seen(id, DrawStatus::approved, (std::to_string(id) + "0.50").c_str(), "PAYEE-3");
        pay();
        const auto file = load_file(*ledger, payment_files(*ledger, false).back().file_id).file;
        bank_reports(std::to_string(*payment_of(file, 23).check_number), ConfirmationKind::paid, "230.50",
                     "checks.csv");
        seen(23, DrawStatus::disbursed, "230.50", "PAYEE-3");
        report(23, /*accepted=*/true);
        later();
        require(ledger->transaction([&] {
            return order_check(*ledger, *payment_of(file, 22).check_number, checks::CheckAction::void_check, "lost",
                               stamp("uid 7 (eva)"))
                .has_value();
        }),
                "order_check");
        const auto settings = test::sample_plan_settings();
        ledger->transaction([&] {
            std::vector<disbursement::CheckOrder> orders;
            for (auto& open : open_check_orders(*ledger))
                orders.push_back(std::move(open.order));
            const auto next = number_block(*ledger, disbursement::plan_date(settings, now), 1).next_file_sequence;
            const auto plan = disbursement::plan_check_orders(orders, settings, next, now);
            record_check_order_files(*ledger, plan, stamp());
            const auto row = *find_file(*ledger, plan.files.at(0).file.name);
            const auto stored = load_file(*ledger, row.file_id);
            record_staged(*ledger, row.file_id, sha256_hex(disbursement::render(stored.file, stored.profile).value()),
                          stamp());
            require(order_release(*ledger, *find_file(*ledger, row.name), "test", stamp("uid 1 (bo)")).has_value(),
                    "order_release");
            record_released(*ledger, row.file_id, stamp());
        });
    }

    // 31 in a voided file, approved again; 32 voided by a person, blocked.
    void voided() {
        seen(31, DrawStatus::approved, "310.00", "PAYEE-2");
        seen(32, DrawStatus::approved, "320.00", "PAYEE-2");
        pay(/*release=*/false);
        const auto row = payment_files(*ledger, /*unreleased_only=*/true).back();
        const auto file = load_file(*ledger, row.file_id).file;
        later();
        ledger->transaction([&] {
            require(void_file(*ledger, row, "a wrong amount", stamp("uid 1 (bo)")).has_value(), "void_file");
            record_payment_void(*ledger, payment_of(file, 32).payment_id, 32, "the tenant moved out",
                                stamp("uid 1 (bo)"));
        });
        // 33 in a file that waits for release.
        ledger->transaction([&] {
            raise_exception(*ledger, {"pay", "no_payee", 31, std::nullopt, "", "the directory names no such payee"},
                            stamp());
        });
        seen(33, DrawStatus::approved, "330.00", "PAYEE-2");
        const auto settings = test::sample_plan_settings();
        const auto known = newest_reading(*ledger, 33);
        const std::vector<disbursement::Payable> payables{
            {33, known->reading_id, known->draw.amount_approved, known->draw.amount_approved, known->draw.field_a, ""}};
        ledger->transaction([&] {
            const auto numbers = number_block(*ledger, disbursement::plan_date(settings, now), 1001);
            record_plan(*ledger, disbursement::plan(payables, test::sample_directory(), settings, numbers, now),
                        settings, stamp());
        });
    }

    // A line without a payment: matched with the one of 11, then undone.
    void matched_by_a_person() {
        bank_reports("999999999999999", ConfirmationKind::paid, "110.11", "letter.csv");
        const auto id = open_exceptions(*ledger).back().exception_id;
        std::int64_t payment_id = 0;
        if (const auto live = live_payment(*ledger, 11)) payment_id = live->payment_id;
        later();
        require(ledger->transaction([&] {
            return match_line(*ledger, {id, "the bank's letter"}, payment_id, test_zone(), stamp("uid 7 (eva)"))
                .has_value();
        }),
                "match_line");
        later();
        require(ledger->transaction(
                    [&] { return undo_resolution(*ledger, {id, "the wrong one"}, stamp("uid 8 (bo)")).has_value(); }),
                "undo_resolution");
    }

    void operations() {
        later();
        ledger->transaction([&] {
            record_alert(*ledger, {"exceptions", AlertSource::exception, {1}, "a title", "a text", "[]"},
                         {AlertChannel::webhook}, stamp());
            record_failed_send(*ledger, 1, "down", now);
            store_bytes(*ledger, sha256_hex("a file"), "a file");
            record_arrival(*ledger, {sha256_hex("a file"), "paid.csv", "", 7, "uid 7 (eva)"}, stamp());
            record_cutoff(*ledger, now, now);
            for (const auto& file : payment_files(*ledger, /*unreleased_only=*/false)) {
                if (file.released_at && evidence_of(*ledger, file.file_id).empty())
                    record_evidence(*ledger, file.file_id, disbursement::EvidenceKind::by_hand, "the portal shows it",
                                    stamp("uid 7 (eva)"));
            }
            set_paused(*ledger, /*paused=*/true, "checking the books", stamp("uid 7 (eva)"));
            set_paused(*ledger, /*paused=*/false, "done", stamp("uid 7 (eva)"));
            for (const Step step : all_steps)
                record_run(*ledger, {step, now, now, true, "kept"});
            record_sweep(*ledger, {now, now, true, 22, 22, now});
            record_sweep(*ledger, {now, now, false, 0, 0, now});
            record_backup(*ledger, {now, "drawbridge", "/mnt/ledger.db", sha256_hex("copy"), 4096, 1, "head", true},
                          stamp());
        });
        (void)test::verify_and_record(*ledger, stamp("uid 7 (eva)"));
    }
};

}  // namespace
}  // namespace drawbridge::ledger

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: keep_ledger FOLDER\n";
        return 2;
    }
    try {
        drawbridge::ledger::Kept kept;
        kept.fill();
        kept.write_to(argv[1]);
    } catch (const std::exception& failure) {
        std::cerr << "keep_ledger: " << failure.what() << '\n';
        return 1;
    }
    return 0;
}
