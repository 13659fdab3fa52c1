#pragma once
// Owns the faults that were asked for: which are armed, and which strike the request at hand.
// Must never carry one out: the handlers and the HTTP server do.

#include <cstdint>
#include <expected>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "endpoint.hpp"

namespace draws_sandbox {

enum class FaultKind : std::uint8_t {
    die_before_commit,
    die_after_commit,
    close_before_commit,
    close_after_commit,
    status,
    delay,
    refuse_draw,
    invalid_json,
    truncated,
};

struct Fault {
    std::int64_t number = 0;
    Endpoint endpoint = Endpoint::list;
    FaultKind kind = FaultKind::status;
    std::int64_t times = 1;  // how many requests it still strikes
    std::int64_t skip = 0;   // how many it lets pass before
    nlohmann::json parameters;

    [[nodiscard]] std::int64_t integer(const char* name, std::int64_t otherwise) const;
    [[nodiscard]] std::string text(const char* name, std::string_view otherwise) const;
};

// The faults that strike one request.
class Strikes {
  public:
    void add(const Fault& fault) { faults_.push_back(fault); }
    [[nodiscard]] const Fault* find(FaultKind kind) const;
    [[nodiscard]] bool has(FaultKind kind) const { return find(kind) != nullptr; }

  private:
    std::vector<Fault> faults_;
};

class FaultDesk {
  public:
    // The error says what is wrong with the request.
    [[nodiscard]] std::expected<std::int64_t, std::string> arm(const nlohmann::json& request);
    // Counts the request against every armed fault of its endpoint.
    [[nodiscard]] Strikes strike(Endpoint endpoint);
    // A fault that refuses this draw, counted once when there is one.
    [[nodiscard]] std::optional<Fault> refusal(std::int64_t draw);
    [[nodiscard]] nlohmann::ordered_json json() const;
    void clear() { armed_.clear(); }

  private:
    std::vector<Fault> armed_;
    std::int64_t last_number_ = 0;
};

}  // namespace draws_sandbox
