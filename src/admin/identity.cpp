#include "drawbridge/admin/identity.hpp"

#include <pwd.h>

#include <array>

namespace drawbridge::admin {

std::string describe_user(uid_t uid) {
    std::string text = "uid " + std::to_string(uid);
    passwd entry{};
    passwd* found = nullptr;
    std::array<char, 16384> buffer{};
    if (getpwuid_r(uid, &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr) {
        text += " (" + std::string(found->pw_name) + ")";
    }
    return text;
}

}  // namespace drawbridge::admin
