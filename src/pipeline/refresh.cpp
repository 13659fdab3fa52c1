#include "drawbridge/pipeline/refresh.hpp"

#include <utility>

#include "observe.hpp"
#include "read_draws.hpp"

namespace drawbridge::pipeline {

boost::asio::awaitable<Refreshed> refresh(Context& context, std::vector<DrawId> ids) {
    auto readings = co_await read_draws(context, "refresh", ids);
    Refreshed refreshed;
    refreshed.asked = static_cast<std::int64_t>(ids.size());
    Observer observer(context);
    context.ledger.transaction([&] {
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const auto& reading = readings[i];
            if (reading && *reading) {
                if (observer.observe(**reading, ledger::ReadingSource::poll).changed) ++refreshed.changed;
                continue;
            }
            ++refreshed.failed;
            if (refreshed.problem.empty()) {
                refreshed.problem = "draw " + std::to_string(ids[i]) + ": " +
                                    (reading ? "the service no longer knows it (404)" : reading.error().message);
            }
            if (reading) observer.missing(ids[i], "poll");
        }
    });
    co_return refreshed;
}

}  // namespace drawbridge::pipeline
