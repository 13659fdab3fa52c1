#include "drawbridge/daemon/progress_line.hpp"

#include <unistd.h>

#include <cstdio>
#include <string>

#include "drawbridge/text/show.hpp"

namespace drawbridge::daemon {
namespace {

// Short steps need no progress line, and redrawing more often flickers.
constexpr std::chrono::milliseconds first_after{300};
constexpr std::chrono::milliseconds redraw_after{100};

}  // namespace

ProgressLine::ProgressLine() : terminal_(::isatty(STDERR_FILENO) == 1), began_(std::chrono::steady_clock::now()) {}

void ProgressLine::show(std::string_view step, std::int64_t done, std::int64_t total) {
    if (!terminal_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - began_ < first_after || now - last_ < redraw_after) return;
    last_ = now;
    shown_ = true;
    std::string line = "\r\x1b[K" + std::string(step) + "  " + text::grouped(done);
    line += total > 0 ? " of " + text::grouped(total) + " …" : " …";
    std::fputs(line.c_str(), stderr);
    std::fflush(stderr);
}

void ProgressLine::clear() {
    began_ = std::chrono::steady_clock::now();
    if (!shown_) return;
    shown_ = false;
    std::fputs("\r\x1b[K", stderr);
    std::fflush(stderr);
}

}  // namespace drawbridge::daemon
