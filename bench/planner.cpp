// Measures planning and recording payments in a new ledger, compared with plain inserts of the same rows into an SQLite
// file with the same settings.
#include <sqlite3.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "drawbridge/ledger/facts/guards.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "measured.hpp"
#include "sample_office.hpp"

namespace drawbridge::bench {
namespace {

void execute(sqlite3* db, const char* sql) {
    if (sqlite3_exec(db, sql, nullptr, nullptr, nullptr) != SQLITE_OK) throw std::runtime_error(sqlite3_errmsg(db));
}

// Only the columns of a payment, its unique numbers, and the index that prevents paying a draw twice.
double raw_insert(const std::filesystem::path& file, const disbursement::Plan& plan) {
    sqlite3* db = nullptr;
    if (sqlite3_open(file.c_str(), &db) != SQLITE_OK) throw std::runtime_error("cannot open the plain file");
    execute(db,
            "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
            "CREATE TABLE p (payment_id INTEGER PRIMARY KEY, draw_id INTEGER UNIQUE, amount INTEGER, trace TEXT UNIQUE,"
            " batch INTEGER, effective TEXT, key TEXT, name TEXT, routing TEXT, account TEXT) STRICT");
    sqlite3_stmt* insert = nullptr;
    sqlite3_prepare_v2(db, "INSERT INTO p VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", -1, &insert, nullptr);
    const Stopwatch watch;
    execute(db, "BEGIN IMMEDIATE");
    for (const auto& planned : plan.files) {
        for (const auto& payment : planned.payments) {
            const auto text = [&](int at, const std::string& value) {
                sqlite3_bind_text(insert, at, value.c_str(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
            };
            sqlite3_bind_int64(insert, 1, payment.payment_id);
            sqlite3_bind_int64(insert, 2, payment.draw_id);
            sqlite3_bind_int64(insert, 3, payment.amount.cents());
            text(4, *payment.trace_number);
            sqlite3_bind_int64(insert, 5, payment.batch_number);
            text(6, format_date(*payment.effective_entry_date));
            text(7, payment.payee.key);
            text(8, payment.payee.name);
            text(9, payment.payee.routing_number->to_string());
            text(10, payment.payee.account_number->reveal());
            if (sqlite3_step(insert) != SQLITE_DONE) throw std::runtime_error(sqlite3_errmsg(db));
            sqlite3_reset(insert);
        }
    }
    execute(db, "COMMIT");
    const double seconds = watch.seconds();
    sqlite3_finalize(insert);
    sqlite3_close(db);
    return seconds;
}

int measure(const std::filesystem::path& folder, std::int64_t count) {
    const Instant now = SystemClock().now();
    std::filesystem::create_directories(folder);
    auto ledger = ledger::Ledger::open(folder, now).value();
    const ledger::Stamp stamp{now, "bench"};
    std::vector<disbursement::Payable> payables;
    ledger.transaction([&] {
        for (DrawId id = 1; id <= count; ++id) {
            const Draw draw = approved_draw(id);
            const auto recorded = ledger::record_reading(ledger, draw, ledger::ReadingSource::pay, now);
            payables.push_back({.draw_id = id,
                                .reading_id = recorded.reading_id,
                                .amount = draw.amount_approved,
                                .agreed_amount = draw.amount_approved,
                                .payee_key = draw.field_a,
                                .remittance = {}});
        }
    });
    const auto directory = payees();
    const auto profile = settings();
    disbursement::Plan plan;
    const Stopwatch watch;
    double planning = 0;
    ledger.transaction([&] {
        const auto numbers = ledger::number_block(ledger, disbursement::plan_date(profile, now), 1);
        plan = disbursement::plan(payables, directory, profile, numbers, now);
        planning = watch.seconds();
        ledger::record_plan(ledger, plan, profile, stamp);
    });
    const double recorded = watch.seconds();
    const double raw = raw_insert(folder / "plain.db", plan);
    std::printf("payments %lld  plan %.3f s  plan and record %.3f s  plain insert %.3f s  ratio %.2f  peak %lld KiB\n",
                static_cast<long long>(count), planning, recorded, raw, recorded / raw,
                static_cast<long long>(peak_rss_kib()));
    return 0;
}

}  // namespace
}  // namespace drawbridge::bench

int main(int argc, char** argv) {
    CLI::App app{"Plans and records payments, compared with plain inserts of the same rows."};
    std::string folder;
    std::int64_t count = 100'000;
    app.add_option("--folder", folder, "an empty folder for both files")->required();
    app.add_option("--payments", count, "how many")->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    return drawbridge::bench::measure(folder, count);
}
