// The people at the portal of a Draws Service, and what a test arranges there.
#pragma once

#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "e2e/http.hpp"

namespace drawbridge::e2e {

using Json = nlohmann::json;

struct NewDraw {
    std::int64_t id = 0;
    std::optional<std::int64_t> cents;
    std::string payee;  // fieldA; empty: null
    std::int64_t workflow = 12;
    int status = 3;
    std::optional<std::chrono::sys_seconds> requested{};  // and approved; nullopt: now
};

// Clearly after everything that happens in a test.
inline std::chrono::sys_seconds in_two_hours() {
    return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()) + std::chrono::hours(2);
}

class Portal {
  public:
    virtual ~Portal() = default;

    // One request to the portal. Throws if it fails.
    Json portal(std::string_view method, const std::string& path, const Json& body = nullptr) const;

    void add(const NewDraw& draw) const;
    [[nodiscard]] Json draw(std::int64_t id) const;
    void edit(std::int64_t id, const Json& fields) const;
    void act(std::int64_t id, const std::string& act, const Json& body = Json::object()) const;
    // Marks all Approved draws as disbursed.
    void disburse_all_approved() const;
    void arm_fault(const Json& fault) const;
    void clear_faults() const;
    // The number of requests to an endpoint ("patch") since the start.
    [[nodiscard]] std::int64_t requests(const std::string& endpoint) const;
    // How often bulk approvals named each draw since the start.
    [[nodiscard]] Json approvals_asked() const;

  private:
    [[nodiscard]] virtual HttpAnswer answer_of(std::string_view method, const std::string& path,
                                               const std::string& body) const = 0;
};

// The amount as a JSON number: 1234.5.
[[nodiscard]] double json_amount(std::int64_t cents);
// The reverse, exact below 10^13 dollars.
[[nodiscard]] std::int64_t cents_of(const Json& amount);
// "1234.50", for files.
[[nodiscard]] std::string decimal(std::int64_t cents);

}  // namespace drawbridge::e2e
