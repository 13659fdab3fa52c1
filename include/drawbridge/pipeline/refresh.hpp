// Reads single draws again, outside any step: for a report that must know what the service shows now.
//
// It records what it reads as a poll does, and does nothing about it.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <vector>

#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

struct Refreshed {
    std::int64_t asked = 0;
    std::int64_t changed = 0;  // they say something new
    std::int64_t failed = 0;   // could not be read, or the service does not know them
    std::string problem;       // of the first that failed
};

// No step may run meanwhile: it would see draws change under its hands.
[[nodiscard]] boost::asio::awaitable<Refreshed> refresh(Context& context, std::vector<DrawId> ids);

}  // namespace drawbridge::pipeline
