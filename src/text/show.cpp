#include "drawbridge/text/show.hpp"

#include <algorithm>
#include <array>

#include "drawbridge/text/utf8.hpp"

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

std::string counted(std::int64_t count, std::string_view what) {
    std::string text = grouped(count) + " " + std::string(what);
    if (count == 1) return text;
    if (text.ends_with("ch")) return text + "es";
    const bool turns = text.ends_with('y') && !std::string_view("aeiou").contains(text[text.size() - 2]);
    if (turns) text.replace(text.size() - 1, 1, "ie");
    return text + "s";
}

std::string short_duration(std::chrono::milliseconds duration) {
    struct Unit {
        std::int64_t seconds;
        std::string_view name;
    };
    constexpr std::array<Unit, 4> units = {Unit{86'400, "d"}, Unit{3'600, "h"}, Unit{60, "m"}, Unit{1, "s"}};
    std::int64_t left = std::chrono::duration_cast<std::chrono::seconds>(duration).count();
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

std::string quoted(std::string_view text) {
    constexpr std::size_t max_shown = 60;
    const std::string_view front = utf8_prefix(text, max_shown);
    return "'" + std::string(front) + (front.size() < text.size() ? "…'" : "'");
}

std::string without_route(std::string_view message) {
    const bool has_route = message.starts_with("GET /") || message.starts_with("POST /");
    const auto end = message.find(": ");
    return std::string(has_route && end != std::string_view::npos ? message.substr(end + 2) : message);
}

}  // namespace drawbridge::text
