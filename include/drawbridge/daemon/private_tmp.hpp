// systemd's PrivateTmp= gives a service a /tmp and a /var/tmp that nobody else sees, and that end with the service.
#pragma once

#include <filesystem>
#include <istream>

namespace drawbridge::daemon {

// `mounts`: /proc/self/mountinfo of the service. `folder` is canonical.
[[nodiscard]] bool is_in_private_tmp(const std::filesystem::path& folder, std::istream& mounts);

}  // namespace drawbridge::daemon
