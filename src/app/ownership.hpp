// Files belong to the owner of the state folder, whoever runs the command. Private to this module.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace drawbridge::app {

// If root runs this process and another user owns the folder: from now on the process opens and creates files as that
// user. It sets the effective ids; the real uid, which identifies the person, stays 0. Read files that only root can
// read before. Throws if the system refuses. Does nothing for other users or if the folder does not exist.
void act_as_owner_of(const std::filesystem::path& state_dir);

// The same, as the user of the package's units if root owns the folder and it is theirs: systemd gives it to that user.
// Also if the folder does not exist yet.
void act_as_service_user_of(const std::filesystem::path& state_dir);

// The groups of this process, including the primary group.
[[nodiscard]] std::vector<std::int64_t> own_groups();

}  // namespace drawbridge::app
