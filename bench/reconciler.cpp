// Measures the reconciliation report over a ledger with many draws, slice by slice as the daemon makes it and as the
// command line receives it (as JSON), compared with reading the same rows with SQLite alone.
#include <sqlite3.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "admin/office.hpp"
#include "drawbridge/admin/reconcile.hpp"
#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/facts/confirmations.hpp"
#include "drawbridge/ledger/facts/outbox.hpp"
#include "drawbridge/ledger/facts/plans.hpp"
#include "measured.hpp"
#include "sample_office.hpp"

namespace drawbridge::bench {
namespace {

constexpr std::int64_t draws_at_once = 50'000;

void read(ledger::Ledger& ledger, const Draw& draw, Instant now) {
    ledger::record_reading(ledger, draw, ledger::ReadingSource::poll, now);
}

std::vector<disbursement::PlannedPayment> pay(ledger::Ledger& ledger, DrawId from, DrawId to, Instant now) {
    const auto profile = settings();
    const auto directory = payees();
    std::vector<disbursement::Payable> payables;
    std::vector<disbursement::PlannedPayment> payments;
    ledger.transaction([&] {
        for (DrawId id = from; id < to; ++id) {
            const Draw draw = approved_draw(id);
            const auto recorded = ledger::record_reading(ledger, draw, ledger::ReadingSource::pay, now);
            payables.push_back({id, recorded.reading_id, draw.amount_approved, draw.amount_approved, draw.field_a, {}});
        }
        const auto numbers = ledger::number_block(ledger, disbursement::plan_date(profile, now), 1);
        const auto plan = disbursement::plan(payables, directory, profile, numbers, now);
        ledger::record_plan(ledger, plan, profile, {now, "bench"});
        for (const auto& file : plan.files)
            std::ranges::copy(file.payments, std::back_inserter(payments));
        for (const auto& file : ledger::payment_files(ledger, /*unreleased_only=*/true)) {
            ledger::record_staged(ledger, file.file_id, sha256_hex(file.name), {now, "bench"});
            const auto staged = ledger::find_file(ledger, file.name).value();
            if (!ledger::order_release(ledger, staged, "bench", {now, "uid 1 (bo)"}))
                throw std::runtime_error("not released");
            ledger::record_released(ledger, file.file_id, {now, "bench"});
        }
    });
    return payments;
}

// The bank pays nine tenths; eight tenths are Disbursed and reported.
void finish(ledger::Ledger& ledger, const std::vector<disbursement::PlannedPayment>& payments, int file, Instant now) {
    ledger.transaction([&] {
        std::vector<reconciliation::Match> matches;
        for (const auto& payment : payments) {
            if (payment.draw_id % 10 == 0) continue;
            reconciliation::Match match;
            match.confirmation = {static_cast<std::int64_t>(matches.size()) + 1, *payment.trace_number,
                                  ConfirmationKind::paid, payment.amount, settings().zone.date_of(now)};
            match.outcome = reconciliation::MatchOutcome::applied;
            match.payment_id = payment.payment_id;
            matches.push_back(std::move(match));
        }
        const auto name = "bank-" + std::to_string(file) + ".csv";
        ledger::record_confirmations(ledger, {sha256_hex(name), name, 1}, matches, {now, "bench"});
        for (const auto& payment : payments) {
            if (payment.draw_id % 10 < 2) continue;
            Draw draw = approved_draw(payment.draw_id);
            draw.status = DrawStatus::disbursed;
            draw.disbursed_date = now;
            read(ledger, draw, now);
        }
        for (const auto& due : ledger::reports_due(ledger))
            ledger::open_patch(ledger, due, now, {now, "bench"});
        for (const auto& patch : ledger::open_patches(ledger))
            ledger::close_patch(ledger, patch, ledger::PatchOutcome::accepted, {now, "bench"});
    });
}

void fill(ledger::Ledger& ledger, std::int64_t draws, const Clock& clock) {
    int file = 0;
    for (DrawId from = 1; from <= draws; from += draws_at_once) {
        const auto payments = pay(ledger, from, std::min(draws + 1, from + draws_at_once), clock.now());
        finish(ledger, payments, ++file, clock.now());
    }
}

// Reads every column that the report uses.
std::int64_t walk(const std::filesystem::path& file) {
    sqlite3* db = nullptr;
    if (sqlite3_open_v2(file.c_str(), &db, SQLITE_OPEN_READONLY, nullptr) != SQLITE_OK)
        throw std::runtime_error("cannot open the ledger");
    std::int64_t rows = 0, bytes = 0;
    for (const char* sql :
         {"SELECT draw_id, read_at, status, amount_approved_cents, amount_disbursed_cents, approved_date, "
          "disbursed_date FROM reading",
          "SELECT draw_id, amount_requested_cents, workflow_id, case_name FROM draw_content",
          "SELECT payment_id, draw_id, file_id, amount_cents, trace_number, payee_name, ended_at, "
          "finished_at FROM payment",
          "SELECT payment_id, kind, confirmed_on, recorded_at FROM payment_settlement",
          "SELECT draw_id, payment_id, disbursed_date, outcome_at FROM outbox",
          "SELECT line_id, line, payment_reference, kind, amount_cents, confirmed_on, outcome, "
          "payment_id, reason_code, detail FROM confirmation_line"}) {
        sqlite3_stmt* statement = nullptr;
        if (sqlite3_prepare_v2(db, sql, -1, &statement, nullptr) != SQLITE_OK)
            throw std::runtime_error(sqlite3_errmsg(db));
        const int columns = sqlite3_column_count(statement);
        while (sqlite3_step(statement) == SQLITE_ROW) {
            ++rows;
            for (int i = 0; i < columns; ++i)
                bytes += sqlite3_column_bytes(statement, i);
        }
        sqlite3_finalize(statement);
    }
    sqlite3_close(db);
    return bytes > 0 ? rows : 0;
}

struct Measured {
    double seconds = 0, max_slice = 0;
    std::int64_t lines = 0, csv_bytes = 0;
    bool adds_up = false;
};

Measured report(admin::AdminContext& context) {
    Measured measured;
    reconciliation::Totals totals;
    admin::ReconcileQuery query;
    const Stopwatch all;
    while (true) {
        const Stopwatch one;
        const auto answer = api::to_json(admin::reconcile_slice(context, query).value()).dump();
        measured.max_slice = std::max(measured.max_slice, one.seconds());
        const auto slice = api::slice_from_json(nlohmann::json::parse(answer)).value();
        totals += slice.totals;
        for (const auto& line : slice.lines)
            measured.csv_bytes += static_cast<std::int64_t>(reconciliation::csv_row(line).size());
        measured.lines += static_cast<std::int64_t>(slice.lines.size());
        query.from = slice.head.period.from;
        query.to = slice.head.period.to;
        query.as_of = slice.head.period.as_of;
        query.after = slice.next.value_or("");
        if (!slice.counted) continue;
        measured.seconds = all.seconds();
        measured.adds_up = reconciliation::all_hold(reconciliation::controls(totals, *slice.counted));
        return measured;
    }
}

int measure(const std::filesystem::path& folder, std::int64_t draws) {
    const SystemClock clock;
    std::filesystem::create_directories(folder);
    Measured measured;
    {
        const bool is_new = !std::filesystem::exists(folder / "ledger.db");
        auto ledger = ledger::Ledger::open(folder, clock.now()).value();
        if (is_new) fill(ledger, draws, clock);
        admin::Office office(ledger, clock, folder);
        office.shared.settings.plan = settings();
        measured = report(office.context);
    }
    const Stopwatch watch;
    const auto rows = walk(folder / "ledger.db");
    const double walked = watch.seconds();
    std::printf(
        "{\"draws\": %lld, \"rows\": %lld, \"lines\": %lld, \"adds_up\": %s, \"report_seconds\": %.2f, "
        "\"rows_per_second\": %.0f, \"walk_seconds\": %.2f, \"ratio\": %.1f, \"max_slice_ms\": %.0f, "
        "\"peak_rss_kib\": %lld}\n",
        static_cast<long long>(draws), static_cast<long long>(rows), static_cast<long long>(measured.lines),
        measured.adds_up ? "true" : "false", measured.seconds, static_cast<double>(rows) / measured.seconds, walked,
        measured.seconds / walked, measured.max_slice * 1000, static_cast<long long>(peak_rss_kib()));
    return measured.adds_up ? 0 : 1;
}

}  // namespace
}  // namespace drawbridge::bench

int main(int argc, char** argv) {
    CLI::App app{"Makes the reconciliation report over many draws, compared with reading the same rows."};
    std::string folder;
    std::int64_t draws = 100'000;
    app.add_option("--folder", folder, "an empty folder for the ledger, or one that this program has filled")
        ->required();
    app.add_option("--draws", draws, "how many")->check(CLI::PositiveNumber)->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    return drawbridge::bench::measure(folder, draws);
}
