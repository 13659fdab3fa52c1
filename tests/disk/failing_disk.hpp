// A disk that fails or loses power, in a program that links disk_shim.cpp. Folders are absolute paths without symbolic
// links.
#pragma once

#include <filesystem>
#include <string>

namespace drawbridge::disk {

// From now on, counts every call that changes something below the folder; the first is 1. That call fails with this
// error number, or it and all later ones do.
void fail_disk(const std::filesystem::path& folder, long call, bool for_good, int error);
// No call fails anymore. How many have.
long mend_disk();

// From now on, records every such call. The power goes off in place of this one: from then on, no call changes anything
// in the house, which has the folder and everything else that the power feeds.
void cut_power(const std::filesystem::path& house, const std::filesystem::path& folder, long call);
// It goes off between two calls.
void cut_power_now();
// Then nothing may leave the process either.
[[nodiscard]] bool power_is_off();
// Whether syncs only say that they did something.
void lie_about_syncs(bool lies);
// The log of the calls before, for DiskLog::read_text(). Nothing is recorded anymore.
std::string restore_power();

}  // namespace drawbridge::disk
