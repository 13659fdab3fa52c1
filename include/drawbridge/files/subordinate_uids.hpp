// The uids that a login may use in user namespaces (subuid(5)): most systems give each login 65,536. Whoever has one is
// that login, and could pose as a second person.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>

namespace drawbridge::files {

// The login, by name or number, that this file gives the uid to; nullopt: none. Lines that cannot be read give nothing.
[[nodiscard]] std::optional<std::string> login_of_subordinate(uid_t uid,
                                                              const std::filesystem::path& ranges = "/etc/subuid");

}  // namespace drawbridge::files
