#pragma once
// Owns the names of the service's endpoints, used by faults and request counts.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace draws_sandbox {

enum class Endpoint : std::uint8_t { token, list, read, patch, approve };

inline constexpr std::size_t endpoint_count = 5;
inline constexpr std::array<std::string_view, endpoint_count> endpoint_names{"token", "list", "read", "patch",
                                                                             "approve"};

[[nodiscard]] constexpr std::string_view name_of(Endpoint endpoint) {
    return endpoint_names[static_cast<std::size_t>(endpoint)];
}

[[nodiscard]] constexpr std::optional<Endpoint> endpoint_named(std::string_view name) {
    for (std::size_t i = 0; i < endpoint_count; ++i) {
        if (endpoint_names[i] == name) return static_cast<Endpoint>(i);
    }
    return std::nullopt;
}

}  // namespace draws_sandbox
