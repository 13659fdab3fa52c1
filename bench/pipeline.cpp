// Measures the real programs while they take draws from Pending Approval to reported; scripts/bench pipeline runs it.
//
//   bench-pipeline watch --socket S --pid P --out FILE
//       asks for the status in turn until SIGTERM; a line for each answer: when, milliseconds, memory of the daemon
//   bench-pipeline requests --url U --ledger FILE --step STEP
//       sends the requests of a step to another sandbox with the same draws, and nothing else; prints the seconds
//   bench-pipeline table --ledger FILE --watched FILE --floors FILE
//       inserts the rows of each step into a plain file with the same indexes, and prints the table
#include <SQLiteCpp/SQLiteCpp.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <stdexcept>
#include <thread>

#include "measured.hpp"
#include "plain_insert.hpp"

namespace drawbridge::bench {
namespace {

namespace asio = boost::asio;

volatile std::sig_atomic_t is_stopped = 0;

std::int64_t rss_kib(int pid) {
    std::ifstream status("/proc/" + std::to_string(pid) + "/status");
    for (std::string word; status >> word;) {
        std::int64_t kib = 0;
        if (word == "VmRSS:" && status >> kib) return kib;
    }
    return 0;
}

int watch(const std::string& socket_path, int pid, const std::string& out_file) {
    std::signal(SIGTERM, [](int) { is_stopped = 1; });
    std::ofstream out(out_file, std::ios::app);
    while (is_stopped == 0) {
        const auto asked_at = SystemClock().now();
        const Stopwatch watch;
        asio::io_context io;
        asio::local::stream_protocol::socket socket(io);
        boost::system::error_code error;
        socket.connect({socket_path}, error);
        if (!error) {
            asio::write(socket,
                        asio::buffer(std::string_view("GET /status HTTP/1.1\r\nHost: drawbridge\r\n"
                                                      "Connection: close\r\n\r\n")),
                        error);
            std::string answer;
            asio::read(socket, asio::dynamic_buffer(answer), error);
            if (answer.starts_with("HTTP/1.1 200"))
                out << asked_at.time_since_epoch().count() << ' ' << watch.seconds() * 1000 << ' ' << rss_kib(pid)
                    << '\n';
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return 0;
}

// What a step sends, by its rows.
std::map<std::string, const char*> draws_of_step = {
    {"approve",
     "SELECT i.batch_id, i.draw_id, c.approver_id, c.notes FROM approval_item i JOIN decision c"
     " ON c.decision_id = i.decision_id ORDER BY i.item_id"},
    {"pay", "SELECT 0, p.draw_id FROM payment p ORDER BY p.payment_id"},
    {"report", "SELECT o.disbursed_date, o.draw_id FROM outbox o ORDER BY o.patch_id"},
};

struct Requests {
    service::DrawsService& service;
    std::string step;
    std::vector<std::vector<service::Approval>> calls{};
    std::vector<std::pair<DrawId, Instant>> draws{};
    std::size_t next = 0;
    std::int64_t failed = 0;
    std::string first_error{};

    void note(const Error& error) {
        ++failed;
        if (first_error.empty()) first_error = error.message;
    }
};

asio::awaitable<void> send_in_turn(Requests& work) {
    while (work.next < (work.step == "approve" ? work.calls.size() : work.draws.size())) {
        const std::size_t mine = work.next++;
        if (work.step == "approve") {
            auto call = std::move(work.calls[mine]);
            const auto answer = co_await work.service.approve(std::move(call));
            if (!answer) work.note(answer.error());
        } else if (work.step == "pay") {
            const auto answer = co_await work.service.read(work.draws[mine].first);
            if (!answer) work.note(answer.error());
        } else {
            service::DrawPatch patch;
            patch.disbursed_date = work.draws[mine].second;
            const auto answer = co_await work.service.patch(work.draws[mine].first, std::move(patch));
            if (!answer) work.note(answer.error());
        }
    }
}

asio::awaitable<void> sweep(Requests& work, std::vector<DrawStatus> statuses) {
    service::ListQuery query;
    for (const auto status : statuses) {
        query.status = status;
        query.after_id = 0;
        for (bool last = false; !last;) {
            const auto page = co_await work.service.list(query);
            if (!page) {
                work.note(page.error());
                co_return;
            }
            query.after_id = page->last_id;
            last = page->last;
        }
    }
}

int send_requests(const std::string& url, const std::string& ledger, const std::string& step) {
    asio::io_context io;
    auto options = sandbox_client(url);
    options.max_connections = 8;
    auto client = service::make_client(io.get_executor(), std::move(options)).value();
    Requests work{.service = *client, .step = step};
    if (const auto found = draws_of_step.find(step); found != draws_of_step.end()) {
        const SQLite::Database db(ledger);
        SQLite::Statement rows(db, found->second);
        for (std::int64_t batch = 0; rows.executeStep();) {
            const DrawId id = rows.getColumn(1).getInt64();
            if (step != "approve") {
                work.draws.emplace_back(id, Instant(std::chrono::milliseconds(rows.getColumn(0).getInt64())));
                continue;
            }
            if (std::exchange(batch, rows.getColumn(0).getInt64()) != batch || work.calls.empty())
                work.calls.emplace_back();
            work.calls.back().push_back({.id = id,
                                         .approver_id = rows.getColumn(2).getInt64(),
                                         .notes = rows.getColumn(3).getString(),
                                         .notification_emails = {}});
        }
    }
    const Stopwatch watch;
    const auto fails = [](const std::exception_ptr& thrown) {
        if (thrown) std::rethrow_exception(thrown);
    };
    if (step == "poll") {
        asio::co_spawn(io, sweep(work, {DrawStatus::pending_approval, DrawStatus::approved, DrawStatus::disbursed}),
                       fails);
    } else if (step == "repoll") {
        asio::co_spawn(io, sweep(work, {DrawStatus::disbursed}), fails);
    } else {
        for (int i = 0; i < (step == "approve" ? 1 : 8); ++i)
            asio::co_spawn(io, send_in_turn(work), fails);
    }
    io.run();
    std::printf("%s %.3f\n", step.c_str(), watch.seconds());
    if (work.failed > 0) std::fprintf(stderr, "%s: %s\n", step.c_str(), work.first_error.c_str());
    return work.failed == 0 ? 0 : 1;
}

struct StepRows {
    const char* name;
    const char* draws;  // how many the step handled
    std::vector<Rows> rows;
    std::string runs = "step = '" + std::string(name) + "'";  // the longest did the work
};

// Readings are numbered, and the first poll reads each draw once.
#define OF_FIRST_POLL "reading_id <= (SELECT count(*) FROM draw)"

const std::vector<StepRows> steps = {
    {"poll",
     "SELECT count(*) FROM draw",
     {{"reading", OF_FIRST_POLL}, {"draw_content", "1"}, {"draw", "1"}},
     "step = 'poll' AND run_id = 1"},
    {"decide", "SELECT count(*) FROM decision", {{"draw_decision", "1"}}},
    {"approve",
     "SELECT count(*) FROM approval_item",
     {{"approval_batch", "1"}, {"approval_item", "1"}, {"reading", "source = 'approve'"}}},
    {"pay", "SELECT count(*) FROM payment", {{"payment_file", "1"}, {"payment", "1"}, {"reading", "source = 'pay'"}}},
    {"repoll",
     "SELECT count(*) FROM reading WHERE source = 'poll' AND NOT " OF_FIRST_POLL,
     {{"reading", "source = 'poll' AND NOT " OF_FIRST_POLL}},
     "step = 'poll' AND run_id > 1"},
    {"confirm", "SELECT count(*) FROM settlement", {{"confirmation_line", "1"}, {"settlement", "1"}}},
    {"report",
     "SELECT count(*) FROM outbox",
     {{"outbox", "1"}, {"outbox_attempt", "1"}, {"reading", "source = 'report'"}}},
};

struct Watched {
    std::int64_t at;
    double ms;
    std::int64_t kib;
};

int print_table(const std::string& ledger, const std::string& watched_file, const std::string& floors_file) {
    SQLite::Database db(ledger, SQLite::OPEN_READWRITE);
    std::vector<Watched> watched;
    std::ifstream answers(watched_file);
    for (Watched one{}; answers >> one.at >> one.ms >> one.kib;)
        watched.push_back(one);
    std::map<std::string, double> requests;
    std::ifstream floors(floors_file);
    double floor = 0;
    for (std::string step; floors >> step >> floor;)
        requests[step] = floor;
    std::printf("%-8s %9s %9s %9s %9s %9s %7s %11s %11s %9s\n", "step", "draws", "seconds", "requests", "inserts",
                "a second", "ratio", "status p99", "longest", "memory");
    double all = 0, all_floors = 0;
    std::int64_t finished = 0;
    for (const auto& step : steps) {
        const std::int64_t draws = db.execAndGet(step.draws).getInt64();
        SQLite::Statement run(db, "SELECT started_at, ended_at FROM step_run WHERE " + step.runs +
                                      " ORDER BY ended_at - started_at DESC LIMIT 1");
        if (!run.executeStep()) throw std::runtime_error(std::string(step.name) + " did not run");
        const std::int64_t began = run.getColumn(0).getInt64(), ended = run.getColumn(1).getInt64();
        const double seconds = static_cast<double>(ended - began) / 1000;
        const double inserts = insert_plainly(db, ledger + ".plain", step.rows);
        std::vector<double> status;
        std::int64_t memory = 0;
        for (const auto& one : watched) {
            if (one.at + static_cast<std::int64_t>(one.ms) < began || one.at > ended) continue;
            status.push_back(one.ms);
            memory = std::max(memory, one.kib);
        }
        std::ranges::sort(status);
        const double p99 = status.empty() ? 0 : status[(status.size() - 1) * 99 / 100];
        const double both = requests[step.name] + inserts;
        std::printf("%-8s %9lld %9.2f %9.2f %9.2f %9.0f %7.2f %8.0f ms %8.0f ms %5lld MiB\n", step.name,
                    static_cast<long long>(draws), seconds, requests[step.name], inserts,
                    static_cast<double>(draws) / seconds, seconds / both, p99, status.empty() ? 0 : status.back(),
                    static_cast<long long>(memory / 1024));
        all += seconds;
        all_floors += both;
        finished = draws;
    }
    std::printf("%-8s %9s %9.2f %9.2f %19s %7.2f\n", "all", "", all, all_floors, "", all / all_floors);
    const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(ledger));
    SQLite::Statement seen(db, "SELECT count(*) FROM draw");
    seen.executeStep();
    std::printf("ledger: %lld MiB, %lld bytes for each of %lld draws seen, of which %lld are finished\n",
                static_cast<long long>(bytes >> 20), static_cast<long long>(bytes / seen.getColumn(0).getInt64()),
                static_cast<long long>(seen.getColumn(0).getInt64()), static_cast<long long>(finished));
    return 0;
}

}  // namespace
}  // namespace drawbridge::bench

int main(int argc, char** argv) {
    CLI::App app{"Measures the whole pipeline; scripts/bench pipeline runs it."};
    app.require_subcommand(1);
    std::string socket, out, url, ledger, step, watched, floors;
    int pid = 0;
    auto& watch = *app.add_subcommand("watch", "the status, in turn, until SIGTERM");
    watch.add_option("--socket", socket, "the operators' socket")->required();
    watch.add_option("--pid", pid, "of the daemon")->required();
    watch.add_option("--out", out, "a line is added for each answer")->required();
    auto& requests = *app.add_subcommand("requests", "the requests of one step");
    requests.add_option("--url", url, "another sandbox with the same draws")->required();
    requests.add_option("--step", step, "poll, approve, pay, repoll or report")->required();
    auto& table = *app.add_subcommand("table", "the rows of each step, plainly, and the table");
    table.add_option("--watched", watched, "of watch")->required();
    table.add_option("--floors", floors, "what requests printed")->required();
    for (auto* one : {&requests, &table})
        one->add_option("--ledger", ledger, "ledger.db, not in use")->required();
    CLI11_PARSE(app, argc, argv);
    using namespace drawbridge::bench;
    if (watch.parsed()) return drawbridge::bench::watch(socket, pid, out);
    return requests.parsed() ? send_requests(url, ledger, step) : print_table(ledger, watched, floors);
}
