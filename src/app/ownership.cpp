#include "ownership.hpp"

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace drawbridge::app {
namespace {

// The groups that the daemon has as that user. For an unknown user, only the folder's group.
std::vector<gid_t> groups_of(uid_t uid, gid_t gid) {
    passwd entry{};
    passwd* found = nullptr;
    std::array<char, 16384> buffer{};
    if (::getpwuid_r(uid, &entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr) return {gid};
    std::vector<gid_t> groups(64);
    auto count = static_cast<int>(groups.size());
    if (::getgrouplist(found->pw_name, gid, groups.data(), &count) < 0) {
        groups.resize(static_cast<std::size_t>(count));
        if (::getgrouplist(found->pw_name, gid, groups.data(), &count) < 0) return {gid};
    }
    groups.resize(static_cast<std::size_t>(count));
    return groups;
}

// Libraries look for files in it, and fail where they may not: libpq for a client's certificate.
void use_home_of(uid_t uid) {
    passwd entry{};
    passwd* found = nullptr;
    std::array<char, 16384> buffer{};
    const bool is_known = ::getpwuid_r(uid, &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr;
    // NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread reads the environment yet
    ::setenv("HOME", is_known ? found->pw_dir : "/nonexistent", /*replace=*/1);
}

void act_as(uid_t uid, gid_t gid, const std::filesystem::path& state_dir) {
    const auto groups = groups_of(uid, gid);
    if (::setgroups(groups.size(), groups.data()) == 0 && ::setegid(gid) == 0 && ::seteuid(uid) == 0) {
        use_home_of(uid);
        return;
    }
    throw std::system_error(errno, std::generic_category(),
                            "cannot act as the user of " + state_dir.string() + " (uid " + std::to_string(uid) + ")");
}

// As the units name it: /var/lib/drawbridge, or /var/lib/drawbridge-NAME.
bool is_of_unit(const std::filesystem::path& state_dir) {
    const auto name = state_dir.filename().string();
    return state_dir.parent_path() == "/var/lib" && (name == "drawbridge" || name.starts_with("drawbridge-"));
}

}  // namespace

void act_as_owner_of(const std::filesystem::path& state_dir) {
    struct stat status{};
    if (::geteuid() != 0 || ::stat(state_dir.c_str(), &status) != 0 || status.st_uid == 0) return;
    act_as(status.st_uid, status.st_gid, state_dir);
}

void act_as_service_user_of(const std::filesystem::path& state_dir) {
    act_as_owner_of(state_dir);
    if (::geteuid() != 0 || !is_of_unit(state_dir)) return;
    passwd entry{};
    passwd* found = nullptr;
    std::array<char, 16384> buffer{};
    if (::getpwnam_r("drawbridge", &entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr) return;
    act_as(found->pw_uid, found->pw_gid, state_dir);
}

std::vector<std::int64_t> own_groups() {
    std::vector<gid_t> groups(static_cast<std::size_t>(std::max(0, ::getgroups(0, nullptr))));
    const int count = ::getgroups(static_cast<int>(groups.size()), groups.data());
    groups.resize(static_cast<std::size_t>(std::max(0, count)));
    std::vector<std::int64_t> all(groups.begin(), groups.end());
    all.push_back(::getgid());
    return all;
}

}  // namespace drawbridge::app
