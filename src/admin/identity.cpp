#include "drawbridge/admin/identity.hpp"

#include <pwd.h>

#include <array>

namespace drawbridge::admin {

std::optional<std::string> name_of_user(uid_t uid) {
    passwd entry{};
    passwd* found = nullptr;
    std::array<char, 16384> buffer{};
    if (getpwuid_r(uid, &entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr) return std::nullopt;
    return found->pw_name;
}

std::string describe_user(uid_t uid) {
    const auto name = name_of_user(uid);
    return "uid " + std::to_string(uid) + (name ? " (" + *name + ")" : std::string());
}

std::optional<std::int64_t> find_user(const std::string& name) {
    passwd entry{};
    passwd* found = nullptr;
    std::array<char, 16384> buffer{};
    if (getpwnam_r(name.c_str(), &entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr)
        return std::nullopt;
    return found->pw_uid;
}

std::string UserNames::describe(uid_t uid, SteadyTime now) {
    constexpr std::chrono::minutes kept{1};
    constexpr std::size_t max_kept = 1000;
    if (const auto found = known_.find(uid); found != known_.end() && now < found->second.until) {
        return found->second.text;
    }
    if (known_.size() >= max_kept) known_.clear();
    auto& known = known_[uid];
    known = {look_up_(uid), now + kept};
    return known.text;
}

}  // namespace drawbridge::admin
