#pragma once
// Owns everything that answers requests: the store, the service's interface, the portal and the OpenAPI document.
// Must never touch a socket.

#include <chrono>
#include <string>

#include "faults.hpp"
#include "generator.hpp"
#include "http_server.hpp"
#include "options.hpp"
#include "portal.hpp"
#include "request_log.hpp"
#include "service.hpp"
#include "store.hpp"
#include "tokens.hpp"
#include "workflows.hpp"

namespace draws_sandbox {

struct SandboxPlan {
    std::string base_path;  // "" or "/api"
    std::string database = ":memory:";
    std::string faults_file;  // a JSON array of faults to arm at startup; "": none
    GeneratorPlan draws;
    Client client;
    Options options;
    std::chrono::milliseconds token_lifetime{3'600'000};
};

class Sandbox {
  public:
    // Throws std::runtime_error if the plan cannot be carried out.
    explicit Sandbox(const SandboxPlan& plan);

    // `received` must outlive the call of `answer`.
    [[nodiscard]] Admitted admit(const Request& received);

  private:
    void arm_from(const std::string& file);
    [[nodiscard]] Reply answer(const Request& request, const RoutedRequest& routed);

    std::string base_path_;
    Store store_;
    Workflows workflows_;
    TokenStore tokens_;
    FaultRegistry faults_;
    RequestLog log_;
    Service service_;
    Portal portal_;
};

}  // namespace draws_sandbox
