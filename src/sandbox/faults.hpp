#pragma once
// Owns the armed faults and decides which of them apply to a request.
// Must never apply one: the handlers and the HTTP server do.

#include <cstdint>
#include <expected>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "endpoint.hpp"
#include "seeded_random.hpp"

namespace draws_sandbox {

enum class FaultKind : std::uint8_t {
    // The connection and the process
    die_before_commit,
    die_after_commit,
    close_before_commit,
    close_after_commit,
    reset_before_commit,
    reset_after_commit,
    timeout_before_commit,
    timeout_after_commit,
    close_after_response,
    delay,
    trickle,
    truncated,
    // The answer as a whole
    status,
    redirect,
    token_revoked,
    content_type,
    invalid_json,
    padding,
    // The draws that read and list show
    stale,
    status_backwards,
    page_shift,
    duplicate_record,
    repeat_page,
    ignore_filters,
    ignore_page_size,
    ignore_sort,
    // Bulk approval
    refuse_draw,
    partial,
    missing_results,
    foreign_result,
    reordered,
    edit_amount,
};

struct Fault {
    std::int64_t number = 0;
    Endpoint endpoint = Endpoint::list;
    FaultKind kind = FaultKind::status;
    std::int64_t times = 1;  // how many more requests it applies to
    std::int64_t skip = 0;   // how many requests pass before it applies
    double probability = 1;  // that it applies to a matching request
    SeededRandom random{1};  // from the fault's `seed`
    nlohmann::json parameters;

    [[nodiscard]] std::int64_t integer(const char* name, std::int64_t otherwise) const;
    [[nodiscard]] bool flag(const char* name, bool otherwise) const;
    [[nodiscard]] std::string text(const char* name, std::string_view otherwise) const;
};

// The faults that apply to one request.
class ActiveFaults {
  public:
    void add(const Fault& fault) { faults_.push_back(fault); }
    [[nodiscard]] const Fault* find(FaultKind kind) const;
    [[nodiscard]] bool has(FaultKind kind) const { return find(kind) != nullptr; }

  private:
    std::vector<Fault> faults_;
};

class FaultRegistry {
  public:
    // The error says what is wrong with the request.
    [[nodiscard]] std::expected<Fault, std::string> arm(const nlohmann::json& request);
    // Counts the request against every armed fault of its endpoint. Returns the faults that apply to it.
    // `names` tells whether the request is about a draw.
    [[nodiscard]] ActiveFaults match(Endpoint endpoint, const std::function<bool(std::int64_t draw)>& names);
    // A fault that refuses this draw, if any; it is counted.
    [[nodiscard]] std::optional<Fault> refusal(std::int64_t draw);
    [[nodiscard]] nlohmann::ordered_json json() const;
    void clear() { armed_.clear(); }

  private:
    std::vector<Fault> armed_;
    std::int64_t last_number_ = 0;
};

}  // namespace draws_sandbox
