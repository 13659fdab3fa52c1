// Writes the configured texts into the draws' own fields. Part of the report step; private to this module.
//
// It reads a draw before it writes to it: a value that a person changed since the payment was planned stays. A field
// that the service refuses is dropped with an exception; the other fields are written. A draw at which the service
// keeps failing becomes an exception and is retried; dates and other draws do not wait for it.
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
    std::optional<Error> given_up;  // the service is unavailable: the next run continues
};

[[nodiscard]] boost::asio::awaitable<WrittenBack> write_back(Context& context, Observer& observer);

// After this many failed attempts, a PATCH for one draw becomes an exception; it is still retried, with growing
// backoff.
inline constexpr int attempts_before_exception = 3;
// Whether a PATCH that was tried so often may be tried again.
[[nodiscard]] bool is_patch_due(const Context& context, int attempts, const std::optional<Instant>& last_attempt_at);

// Reason codes that a reported date does not close.
[[nodiscard]] const std::vector<std::string>& write_back_reasons();

}  // namespace drawbridge::pipeline
