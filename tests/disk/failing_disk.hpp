// A disk that fails, in a program that links disk_shim.cpp.
#pragma once

#include <filesystem>

namespace drawbridge::disk {

// From now on, counts every call that changes something below the folder (an absolute path without symbolic links); the
// first is 1. That call fails with this error number, or it and all later ones do.
void fail_disk(const std::filesystem::path& folder, long call, bool for_good, int error);
// No call fails anymore. How many have.
long mend_disk();

}  // namespace drawbridge::disk
