// A value that must never be shown: no formatter, no stream operator, wiped on destruction.
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
    // Only for the code that sends or encrypts it.
    [[nodiscard]] const std::string& reveal() const { return value_; }

  private:
    void wipe() noexcept;
    std::string value_;
};

}  // namespace drawbridge
