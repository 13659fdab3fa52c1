// Sends PATCH requests with the real client, a fixed number at a time, and prints one line of JSON: how many, how long.
#include <CLI/CLI.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <exception>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "measured.hpp"

namespace {

using namespace drawbridge;

struct Work {
    service::DrawsService& service;
    DrawId first_id;
    std::int64_t draws;
    double seconds;
    bench::Stopwatch watch;
    std::int64_t sent = 0;
    std::int64_t failed = 0;
    std::string first_error;
};

boost::asio::awaitable<void> patch_until_done(Work& work) {
    while (work.watch.seconds() < work.seconds) {
        const DrawId id = work.first_id + work.sent++ % work.draws;
        service::DrawPatch patch;
        patch.fields["fieldE"] = "paid in the morning run";
        const auto outcome = co_await work.service.patch(id, std::move(patch));
        if (outcome) continue;
        ++work.failed;
        if (work.first_error.empty()) work.first_error = outcome.error().message;
    }
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Patches draws of a Draws Service for a while");
    std::string url;
    DrawId first_id = 1;
    std::int64_t draws = 1;
    int in_flight = 8;
    double seconds = 5;
    app.add_option("--url", url, "Base address of the service")->required();
    app.add_option("--first-id", first_id, "The first draw to patch");
    app.add_option("--draws", draws, "Number of draws to patch in turn");
    app.add_option("--in-flight", in_flight, "Concurrent requests");
    app.add_option("--seconds", seconds, "Duration in seconds");
    CLI11_PARSE(app, argc, argv);

    boost::asio::io_context io;
    auto options = bench::sandbox_client(url);
    options.max_connections = in_flight;
    auto client = service::make_client(io.get_executor(), std::move(options));
    if (!client) {
        std::cerr << "patcher: " << client.error().message << '\n';
        return 1;
    }
    if (auto ready = bench::run_to_end(io, (*client)->check()); !ready) {
        std::cerr << "patcher: " << ready.error().message << '\n';
        return 1;
    }
    Work work{
        .service = **client, .first_id = first_id, .draws = draws, .seconds = seconds, .watch = {}, .first_error = {}};
    for (int i = 0; i < in_flight; ++i) {
        boost::asio::co_spawn(io, patch_until_done(work), [](const std::exception_ptr& thrown) {
            if (thrown) std::rethrow_exception(thrown);
        });
    }
    io.restart();
    io.run();
    std::cout << nlohmann::json{{"requests", work.sent},
                                {"failed", work.failed},
                                {"first_error", work.first_error},
                                {"seconds", work.watch.seconds()}}
              << std::endl;
    return work.failed == 0 ? 0 : 1;
}
