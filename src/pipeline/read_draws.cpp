#include "read_draws.hpp"

#include <algorithm>

#include "in_flight.hpp"

namespace drawbridge::pipeline {
namespace {

namespace asio = boost::asio;

// Shared by the workers of one call; all run on one thread.
struct Work {
    Context& context;
    std::string_view step;
    std::vector<DrawId> ids;
    std::vector<FreshReading> results;
    std::size_t done, total;
    std::size_t next = 0;
    std::optional<Error> given_up{};
};

asio::awaitable<void> work(Work& shared) {
    while (shared.next < shared.ids.size()) {
        const std::size_t mine = shared.next++;
        if (shared.given_up) {
            shared.results[mine] = std::unexpected(*shared.given_up);
            continue;
        }
        FreshReading reading = co_await shared.context.service.read(shared.ids[mine]);
        if (reading && *reading && (*reading)->id != shared.ids[mine]) {
            reading = fail(ErrorCode::protocol, "draw " + std::to_string(shared.ids[mine]) +
                                                    " was requested, but the service answered with draw " +
                                                    std::to_string((*reading)->id));
        }
        if (!reading && is_hopeless(shared.context, reading.error())) shared.given_up = reading.error();
        shared.results[mine] = std::move(reading);
        shared.context.progress(shared.step, static_cast<std::int64_t>(++shared.done),
                                static_cast<std::int64_t>(shared.total));
    }
}

}  // namespace

bool is_hopeless(const Context& context, const Error& error) {
    return error.code == ErrorCode::unauthorized || error.code == ErrorCode::cancelled ||
           ((error.code == ErrorCode::unavailable || error.code == ErrorCode::limited) &&
            !context.service.takes_calls());
}

asio::awaitable<std::vector<FreshReading>> read_draws(Context& context, std::string_view step, std::vector<DrawId> ids,
                                                      std::size_t before, std::size_t total) {
    context.service.begin_fresh_reads();
    Work shared{context, step, std::move(ids), {}, before, total};
    if (total == 0) shared.total = shared.ids.size();
    shared.results.resize(shared.ids.size());
    const auto width =
        std::min<std::size_t>(static_cast<std::size_t>(context.config.service.max_connections), shared.ids.size());
    std::vector<asio::awaitable<void>> workers;
    workers.reserve(width);
    for (std::size_t i = 0; i < width; ++i)
        workers.push_back(work(shared));
    co_await run_all(std::move(workers));
    co_return std::move(shared.results);
}

}  // namespace drawbridge::pipeline
