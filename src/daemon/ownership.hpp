// Files belong to the state folder's owner, whoever acts. Private to this module.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace drawbridge::daemon {

// Where root runs this process and the folder belongs to somebody else: from here on the process opens and makes files
// as that user (effective ids; the real uid, which is who acts, stays 0). What only root may read is read before.
// Throws when the system refuses. Nothing for other users, or when there is no such folder.
void act_as_owner_of(const std::filesystem::path& state_dir);

// Of this process, the primary one among them.
[[nodiscard]] std::vector<std::int64_t> own_groups();

}  // namespace drawbridge::daemon
