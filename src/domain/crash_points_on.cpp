// For tests only: crashes at DRAWBRIDGE_CRASH_AT=name:n and hangs at DRAWBRIDGE_HANG_AT=name:n. Its clock runs
// DRAWBRIDGE_CLOCK_SHIFT seconds ahead, and the ledger's log is copied after DRAWBRIDGE_CHECKPOINT_PAGES.
#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>

#include "drawbridge/domain/checkpoint_pages.hpp"
#include "drawbridge/domain/clock_shift.hpp"
#include "drawbridge/domain/crash_point.hpp"

namespace drawbridge {
namespace {

struct Trigger {
    std::string name;
    int countdown = 0;
};

[[noreturn]] void refuse(const char* variable, const char* text) {
    std::fprintf(stderr, "%s=%s: want NAME:N with a known crash point and N from 1\n", variable, text);
    std::abort();
}

Trigger read_trigger(const char* variable) {
    const char* text = std::getenv(variable);
    if (text == nullptr) return {};
    const std::string_view value(text);
    const auto colon = value.rfind(':');
    if (colon == std::string_view::npos) refuse(variable, text);
    Trigger trigger{std::string(value.substr(0, colon)), 0};
    const std::string_view count = value.substr(colon + 1);
    const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), trigger.countdown);
    const bool known = std::ranges::find(crash_points, trigger.name) != std::end(crash_points);
    if (error != std::errc() || end != count.data() + count.size() || trigger.countdown < 1 || !known)
        refuse(variable, text);
    return trigger;
}

// Counts down on each visit; true when the trigger fires.
bool is_due(Trigger& trigger, std::string_view name) {
    if (trigger.countdown == 0 || trigger.name != name) return false;
    --trigger.countdown;
    return trigger.countdown == 0;
}

}  // namespace

void crash_point(std::string_view name) {
    if (std::ranges::find(crash_points, name) == std::end(crash_points)) {
        std::fprintf(stderr, "crash point '%.*s' is not listed\n", static_cast<int>(name.size()), name.data());
        std::abort();
    }
    static Trigger crash = read_trigger("DRAWBRIDGE_CRASH_AT");
    static Trigger hang = read_trigger("DRAWBRIDGE_HANG_AT");
    if (is_due(crash, name)) ::raise(SIGKILL);
    if (is_due(hang, name)) ::raise(SIGSTOP);
}

std::chrono::seconds clock_shift() {
    static const char* const text = std::getenv("DRAWBRIDGE_CLOCK_SHIFT");
    return std::chrono::seconds(text == nullptr ? 0 : std::atoll(text));
}

int checkpoint_pages(int standard) {
    const char* const text = std::getenv("DRAWBRIDGE_CHECKPOINT_PAGES");
    return text == nullptr ? standard : std::atoi(text);
}

}  // namespace drawbridge
