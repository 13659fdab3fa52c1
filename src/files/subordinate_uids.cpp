#include "drawbridge/files/subordinate_uids.hpp"

#include <charconv>
#include <cstdint>
#include <fstream>
#include <string_view>

namespace drawbridge::files {
namespace {

std::optional<std::uint64_t> number(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace

std::optional<std::string> login_of_subordinate(uid_t uid, const std::filesystem::path& ranges) {
    std::ifstream file(ranges);
    for (std::string line; std::getline(file, line);) {  // anna:100000:65536
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == 0 || first == std::string::npos || second == std::string::npos) continue;
        const auto from = number(std::string_view(line).substr(first + 1, second - first - 1));
        const auto count = number(std::string_view(line).substr(second + 1));
        if (from && count && uid >= *from && uid - *from < *count) return line.substr(0, first);
    }
    return std::nullopt;
}

}  // namespace drawbridge::files
