#pragma once
// Owns what the faults that strike a request do to its reply as a whole: its status, its bytes, its way to the client.
// Must never touch a draw.

#include <chrono>
#include <optional>

#include "faults.hpp"
#include "message.hpp"

namespace draws_sandbox {

// How long the request waits before anything is done with it.
[[nodiscard]] std::chrono::milliseconds wait_before(const Strikes& strikes);
// The reply to a request that is not carried out at all.
[[nodiscard]] std::optional<Reply> reply_instead(const Strikes& strikes);
// What befalls the reply to a request that was carried out.
void strike_reply(const Strikes& strikes, Reply& reply);

}  // namespace draws_sandbox
