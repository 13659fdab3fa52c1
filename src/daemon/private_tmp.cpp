#include "drawbridge/daemon/private_tmp.hpp"

#include <algorithm>
#include <sstream>
#include <string>

namespace drawbridge::daemon {

bool is_in_private_tmp(const std::filesystem::path& folder, std::istream& mounts) {
    for (std::string line; std::getline(mounts, line);) {
        std::istringstream fields(line);
        std::string id, parent, device, root, place;  // proc(5): 36 35 98:0 /systemd-private-…/tmp /tmp rw …
        fields >> id >> parent >> device >> root >> place;
        const std::filesystem::path at(place);
        if (root.contains("/systemd-private-") && std::ranges::mismatch(at, folder).in1 == at.end()) return true;
    }
    return false;
}

}  // namespace drawbridge::daemon
