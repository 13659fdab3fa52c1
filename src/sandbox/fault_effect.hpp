#pragma once
// Owns the effect of faults on a reply as a whole: its status, its bytes, its delivery to the client.
// Must never touch a draw.

#include <chrono>
#include <optional>

#include "faults.hpp"
#include "message.hpp"

namespace draws_sandbox {

// How long the request waits before it is processed.
[[nodiscard]] std::chrono::milliseconds wait_before(const ActiveFaults& faults);
// The reply to a request that a fault prevents; nullopt: process it.
[[nodiscard]] std::optional<Reply> reply_instead(const ActiveFaults& faults);
// Applies the faults to the reply of a processed request.
void apply_to_reply(const ActiveFaults& faults, Reply& reply);

}  // namespace draws_sandbox
