// The Draws Service of a test: the real draws-sandbox on a port and a store of its own, and the people at its portal.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "e2e/process.hpp"

namespace drawbridge::e2e {

using Json = nlohmann::json;

inline constexpr std::string_view client_id = "office";
inline constexpr std::string_view client_secret = "a-secret-of-the-tests";

struct NewDraw {
    std::int64_t id = 0;
    std::optional<std::int64_t> cents;
    std::string payee;  // fieldA; empty: null
    std::int64_t workflow = 12;
    int status = 3;
};

class Sandbox {
  public:
    // Keeps its store in folder/sandbox.db; `arguments` are added to the command line.
    explicit Sandbox(std::filesystem::path folder, std::vector<std::string> arguments = {});

    [[nodiscard]] std::uint16_t port() const { return port_; }
    [[nodiscard]] Process& process() { return process_; }
    // On the same store and the same port, after it died.
    void restart();

    // One request to the portal. Throws when the answer is no success.
    Json portal(std::string_view method, const std::string& path, const Json& body = nullptr) const;

    void add(const NewDraw& draw) const;
    [[nodiscard]] Json draw(std::int64_t id) const;
    void edit(std::int64_t id, const Json& fields) const;
    void act(std::int64_t id, const std::string& act, const Json& body = Json::object()) const;
    // Marks everything that is Approved as disbursed.
    void disburse_all_approved() const;
    void arm_fault(const Json& fault) const;
    void clear_faults() const;
    // Requests received at an endpoint ("patch") since it started.
    [[nodiscard]] std::int64_t requests(const std::string& endpoint) const;
    // How often a bulk approval asked for each draw since it started.
    [[nodiscard]] Json approvals_asked() const;

  private:
    void start(std::uint16_t port);

    std::filesystem::path folder_;
    std::vector<std::string> arguments_;
    std::uint16_t port_ = 0;
    Process process_;
};

// "1234.50" as the number that JSON carries.
[[nodiscard]] double json_amount(std::int64_t cents);
// The other way, exact for anything below 10^13 dollars.
[[nodiscard]] std::int64_t cents_of(const Json& amount);
// "1234.50", for files.
[[nodiscard]] std::string decimal(std::int64_t cents);

}  // namespace drawbridge::e2e
