// Reads single draws again, outside any step, for a report that must know what the service shows now.
//
// It records readings as a poll does, and acts on none of them.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <vector>

#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

struct Refreshed {
    std::int64_t asked = 0;
    std::int64_t changed = 0;  // readings that differ from the last one
    std::int64_t failed = 0;   // unreadable, or unknown to the service
    std::string problem;       // the first failure
};

// No step may run at the same time: draws would change while it works.
[[nodiscard]] boost::asio::awaitable<Refreshed> refresh(Context& context, std::vector<DrawId> ids);

}  // namespace drawbridge::pipeline
