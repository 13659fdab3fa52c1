#include "admission.hpp"

#include <algorithm>
#include <map>

namespace drawbridge::console {
namespace {

using Place = Connections::iterator;

// Whose body is on its way, of the address that has the most of these.
Place oldest_sender(Connections& connections) {
    const auto is_sending = [](const auto& one) { return one->has_head && !one->is_answering && one->is_open(); };
    std::map<std::string_view, std::size_t> of_address;
    for (const auto& one : connections) {
        if (is_sending(one)) ++of_address[one->address];
    }
    auto oldest = connections.end();
    for (auto at = connections.begin(); at != connections.end(); ++at) {
        if (!is_sending(*at)) continue;
        if (oldest == connections.end() || of_address[(*at)->address] > of_address[(*oldest)->address]) oldest = at;
    }
    return oldest;
}

// Whoever has been silent or slow the longest leaves: else a few hundred of them would keep everybody out. False:
// all of them are being served.
bool make_room(Connections& connections) {
    auto slowest = std::ranges::find_if(connections, [](const auto& one) { return !one->has_head && one->is_open(); });
    if (slowest == connections.end()) slowest = oldest_sender(connections);
    if (slowest == connections.end()) return false;
    (*slowest)->close();
    return true;
}

}  // namespace

bool admit(Connections& connections, std::string_view address, const Limits& limits) {
    if (connections.size() >= limits.max_connections && !make_room(connections)) return false;
    const auto same = std::ranges::count_if(connections, [&](const auto& one) { return one->address == address; });
    return address.empty() || static_cast<std::size_t>(same) < limits.max_connections_per_address;
}

bool has_room_for_large_body(const Connections& connections, std::string_view address, const Limits& limits) {
    const auto all = std::ranges::count_if(connections, [](const auto& one) { return one->has_large_body; });
    const auto same = std::ranges::count_if(connections, [&](const auto& one) {
        return one->has_large_body && !one->address.empty() && one->address == address;
    });
    const auto most = static_cast<std::ptrdiff_t>(limits.max_large_bodies);
    return all < most && same < std::max<std::ptrdiff_t>(most / 2, 1);
}

}  // namespace drawbridge::console
