// Reads many draws one by one, with several requests in flight. Private to this module.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

using FreshReading = Result<std::optional<Draw>>;  // nullopt: the service does not know the draw

// One result per id, in order. A draw that cannot be read does not affect the others. If the service refuses our
// credentials, it stops: the remaining results carry the same error.
//
// `before` and `total`: how many were read in calls before, and in all of them, for the progress of `step`; 0: these
// are all.
[[nodiscard]] boost::asio::awaitable<std::vector<FreshReading>> read_draws(Context& context, std::string_view step,
                                                                           std::vector<DrawId> ids,
                                                                           std::size_t before = 0,
                                                                           std::size_t total = 0);
// The service cannot be asked now, or not by us: reading other draws would fail, too.
[[nodiscard]] bool is_hopeless(const Context& context, const Error& error);

}  // namespace drawbridge::pipeline
