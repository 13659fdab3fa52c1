// Reads many draws singly, several requests at a time. Private to this module.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

using FreshReading = Result<std::optional<Draw>>;  // nullopt: the service does not know the draw

// One result for each id, in their order: a draw that cannot be read leaves the others alone. Where the service refuses
// our credentials the rest is given up: those results carry the same error.
[[nodiscard]] boost::asio::awaitable<std::vector<FreshReading>> read_draws(Context& context, std::string_view step,
                                                                           std::vector<DrawId> ids);

}  // namespace drawbridge::pipeline
