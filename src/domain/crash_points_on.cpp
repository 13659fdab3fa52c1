// For tests only: dies at DRAWBRIDGE_CRASH_AT=name:n, hangs at DRAWBRIDGE_HANG_AT=name:n; its clock is set forward by
// DRAWBRIDGE_CLOCK_SHIFT seconds.
#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>

#include "drawbridge/domain/clock_shift.hpp"
#include "drawbridge/domain/crash_point.hpp"

namespace drawbridge {
namespace {

struct Wanted {
    std::string name;
    int countdown = 0;
};

[[noreturn]] void refuse(const char* variable, const char* text) {
    std::fprintf(stderr, "%s=%s: want NAME:N with a known crash point and N from 1\n", variable, text);
    std::abort();
}

Wanted read_wanted(const char* variable) {
    const char* text = std::getenv(variable);
    if (text == nullptr) return {};
    const std::string_view value(text);
    const auto colon = value.rfind(':');
    if (colon == std::string_view::npos) refuse(variable, text);
    Wanted wanted{std::string(value.substr(0, colon)), 0};
    const std::string_view count = value.substr(colon + 1);
    const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), wanted.countdown);
    const bool known = std::ranges::find(crash_points, wanted.name) != std::end(crash_points);
    if (error != std::errc() || end != count.data() + count.size() || wanted.countdown < 1 || !known)
        refuse(variable, text);
    return wanted;
}

// It is the one that is wanted, and its turn has come.
bool is_due(Wanted& wanted, std::string_view name) {
    if (wanted.countdown == 0 || wanted.name != name) return false;
    --wanted.countdown;
    return wanted.countdown == 0;
}

}  // namespace

void crash_point(std::string_view name) {
    if (std::ranges::find(crash_points, name) == std::end(crash_points)) {
        std::fprintf(stderr, "crash point '%.*s' is not listed\n", static_cast<int>(name.size()), name.data());
        std::abort();
    }
    static Wanted crash = read_wanted("DRAWBRIDGE_CRASH_AT");
    static Wanted hang = read_wanted("DRAWBRIDGE_HANG_AT");
    if (is_due(crash, name)) ::raise(SIGKILL);
    if (is_due(hang, name)) ::raise(SIGSTOP);
}

std::chrono::seconds clock_shift() {
    static const char* const text = std::getenv("DRAWBRIDGE_CLOCK_SHIFT");
    return std::chrono::seconds(text == nullptr ? 0 : std::atoll(text));
}

}  // namespace drawbridge
