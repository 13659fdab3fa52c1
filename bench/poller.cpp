// Runs the poll step as the daemon does, on a real ledger. Each line on stdin starts one poll; each poll prints one
// line of JSON with its result, its duration, and the peak memory of the process so far.
#include <CLI/CLI.hpp>
#include <boost/asio/io_context.hpp>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "drawbridge/ledger/store/ledger.hpp"
#include "drawbridge/pipeline/steps.hpp"
#include "measured.hpp"

namespace {

using namespace drawbridge;

disbursement::PlanSettings no_payments() {
    return {.ach = std::nullopt, .check = std::nullopt, .zone = *TimeZone::find("UTC"), .calendar = BankingCalendar()};
}

// CPU time in ms, and bytes written to disk, of this process so far.
struct Used {
    double cpu_ms = 0;
    std::int64_t written_bytes = 0;
};

Used used_so_far() {
    Used used;
    used.cpu_ms = 1000.0 * static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
    std::ifstream io("/proc/self/io");
    for (std::string word; io >> word;) {
        if (word == "write_bytes:") io >> used.written_bytes;
    }
    return used;
}

bool poll_once(boost::asio::io_context& io, pipeline::Context& context) {
    const Used before = used_so_far();
    const bench::Stopwatch watch;
    const auto report = bench::run_to_end(io, pipeline::poll(context));
    const double seconds = watch.seconds();
    const Used after = used_so_far();
    std::cout << nlohmann::json{{"ok", report.ok},
                                {"summary", report.summary},
                                {"problems", report.problems},
                                {"seconds", seconds},
                                {"cpu_ms", after.cpu_ms - before.cpu_ms},
                                {"written_bytes", after.written_bytes - before.written_bytes},
                                {"peak_rss_kib", bench::peak_rss_kib()}}
              << std::endl;
    return report.ok;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Polls a Draws Service into a ledger, once for each line on stdin");
    std::string url;
    std::string state;
    int page_size = 500;
    int sweep_every_hours = 24;
    app.add_option("--url", url, "Base address of the service")->required();
    app.add_option("--state", state, "State folder; created if missing")->required();
    app.add_option("--page-size", page_size, "Draws per page");
    app.add_option("--full-sweep-every", sweep_every_hours, "Hours; 0: every poll is a full sweep");
    CLI11_PARSE(app, argc, argv);

    std::filesystem::create_directories(state);
    const bench::SystemClock clock;
    boost::asio::io_context io;
    auto ledger = ledger::Ledger::open(state, clock.now());
    auto client = service::make_client(io.get_executor(), bench::sandbox_client(url));
    if (!ledger || !client) {
        std::cerr << "poller: " << (ledger ? client.error() : ledger.error()).message << '\n';
        return 1;
    }
    spool::Spool spool(state);
    pipeline::Settings settings{.full_sweep_interval = std::chrono::hours(sweep_every_hours), .plan = no_payments()};
    config::Config config{.pay = {.timezone = settings.plan.zone}, .warnings = {}};
    config.service.page_size = page_size;
    pipeline::Shared shared{.ledger = *ledger,
                            .service = **client,
                            .spool = spool,
                            .clock = clock,
                            .config = config,
                            .settings = std::move(settings),
                            .rules = {},
                            .payees = {}};
    pipeline::Context context(shared);
    for (std::string line; std::getline(std::cin, line);) {
        if (!poll_once(io, context)) return 1;
    }
    return 0;
}
