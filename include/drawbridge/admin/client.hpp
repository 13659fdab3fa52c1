// The sub-commands' side of the socket: one blocking request.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>

#include "drawbridge/admin/handlers.hpp"

namespace drawbridge::admin {

// nullopt: nobody listens there (no socket, or a stale one). Errors: the socket is not for this user; the daemon does
// not answer in time; what it answers is no HTTP. `request.actor` is not sent: the daemon asks the kernel.
[[nodiscard]] Result<std::optional<Response>> call(const std::filesystem::path& socket, const Request& request,
                                                   std::chrono::milliseconds deadline);

}  // namespace drawbridge::admin
