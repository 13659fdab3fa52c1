// Carries the configured texts into the draws' own fields. Part of the report event; private to this module.
//
// It reads a draw before it writes to it: what a person changed since the payment was planned is left alone. A field
// that the service refuses is dropped with an exception, and the others go on.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/pipeline/context.hpp"
#include "observe.hpp"

namespace drawbridge::pipeline {

struct WrittenBack {
    std::int64_t fields = 0, refused = 0;
    std::optional<Error> given_up;  // the service is not there: the next run goes on
};

[[nodiscard]] boost::asio::awaitable<WrittenBack> write_back(Context& context, Observer& observer);

// Exceptions that no report of a date settles.
[[nodiscard]] const std::vector<std::string>& write_back_reasons();

}  // namespace drawbridge::pipeline
