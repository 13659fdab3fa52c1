// A value that must not be shown: no formatter, no stream operator, wiped when it goes.
#pragma once

#include <string>
#include <utility>

namespace drawbridge {

class Secret {
  public:
    Secret() = default;
    explicit Secret(std::string value) : value_(std::move(value)) {}
    Secret(const Secret&) = default;
    Secret& operator=(const Secret& other);
    Secret(Secret&& other) noexcept;
    Secret& operator=(Secret&& other) noexcept;
    ~Secret();

    [[nodiscard]] bool empty() const { return value_.empty(); }
    // For the one place that sends it.
    [[nodiscard]] const std::string& reveal() const { return value_; }

  private:
    void wipe() noexcept;
    std::string value_;
};

}  // namespace drawbridge
