// The client side of the daemon's socket: one blocking request.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>

#include "drawbridge/admin/handlers.hpp"

namespace drawbridge::admin {

// nullopt: no daemon listens there (no socket, or a stale one). Errors: this user may not use the socket; the daemon
// does not answer in time; its answer is not HTTP. `request.actor` is not sent, because the daemon asks the kernel.
[[nodiscard]] Result<std::optional<Response>> call(const std::filesystem::path& socket, const Request& request,
                                                   std::chrono::milliseconds deadline);

}  // namespace drawbridge::admin
