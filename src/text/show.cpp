#include "drawbridge/text/show.hpp"

#include <array>
#include <string_view>

namespace drawbridge::text {

std::string grouped(std::int64_t number) {
    std::string digits = std::to_string(number);
    const std::size_t first = digits.starts_with('-') ? 1 : 0;
    for (std::size_t at = digits.size(); at > first + 3;) {
        at -= 3;
        digits.insert(at, 1, ',');
    }
    return digits;
}

std::string span(std::chrono::milliseconds length) {
    struct Unit {
        std::int64_t seconds;
        std::string_view name;
    };
    constexpr std::array<Unit, 4> units = {Unit{86'400, "d"}, Unit{3'600, "h"}, Unit{60, "m"}, Unit{1, "s"}};
    std::int64_t left = std::chrono::duration_cast<std::chrono::seconds>(length).count();
    std::string shown;
    int parts = 0;
    for (const auto& unit : units) {
        const std::int64_t count = left / unit.seconds;
        if (parts == 1 && count == 0) break;
        if (count <= 0 || parts == 2) continue;
        if (parts > 0) shown += ' ';
        shown += std::to_string(count);
        shown += unit.name;
        left %= unit.seconds;
        ++parts;
    }
    return shown.empty() ? "0s" : shown;
}

}  // namespace drawbridge::text
