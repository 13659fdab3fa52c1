// Shows the progress of a long step in one line on the terminal. Does nothing if stderr is not a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

namespace drawbridge::daemon {

class ProgressLine {
  public:
    ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    ~ProgressLine() { clear(); }
    // `total` 0: unknown.
    void show(std::string_view step, std::int64_t done, std::int64_t total);
    void clear();

  private:
    bool terminal_;
    bool shown_ = false;
    std::chrono::steady_clock::time_point began_, last_;
};

}  // namespace drawbridge::daemon
