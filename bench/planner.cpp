// Measures planning and recording payments in a new ledger, compared with plain inserts of the same rows into an SQLite
// file with the same indexes and settings.
#include <SQLiteCpp/SQLiteCpp.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>

#include "drawbridge/ledger/facts/guards.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/plans.hpp"
#include "measured.hpp"
#include "plain_insert.hpp"
#include "sample_office.hpp"

namespace drawbridge::bench {
namespace {

struct Seconds {
    double planned = 0, recorded = 0;
};

// Plans and records that many payments in a new ledger.
Seconds plan_and_record(const std::filesystem::path& folder, std::int64_t count) {
    const Instant now = SystemClock().now();
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
    const Stopwatch watch;
    Seconds seconds;
    ledger.transaction([&] {
        const auto numbers = ledger::number_block(ledger, disbursement::plan_date(profile, now), 1);
        const auto plan = disbursement::plan(payables, directory, profile, numbers, now);
        seconds.planned = watch.seconds();
        ledger::record_plan(ledger, plan, profile, stamp);
    });
    seconds.recorded = watch.seconds();
    return seconds;
}

int measure(const std::filesystem::path& folder, std::int64_t count) {
    std::filesystem::create_directories(folder);
    const auto seconds = plan_and_record(folder, count);
    SQLite::Database ledger((folder / "ledger.db").string());
    const double plain = insert_plainly(ledger, folder / "plain.db", {{"payment", "1"}});
    std::printf("payments %lld  plan %.3f s  plan and record %.3f s  plain insert %.3f s  ratio %.2f  peak %lld KiB\n",
                static_cast<long long>(count), seconds.planned, seconds.recorded, plain, seconds.recorded / plain,
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
