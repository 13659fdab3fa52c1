#pragma once
// Owns the service's own interface, as the specification gives it: token, list, read, update, bulk approval.
// Must never offer what only people can do in the portal, and never touch a socket.

#include <cstdint>
#include <expected>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "draw.hpp"
#include "endpoint.hpp"
#include "faults.hpp"
#include "message.hpp"
#include "query.hpp"
#include "request_log.hpp"
#include "store.hpp"
#include "tokens.hpp"
#include "workflows.hpp"

namespace draws_sandbox {

struct Client {
    std::string id;
    std::string secret;
    std::string email = "integration@draws.example.gov";  // modifiedBy of what the interface changes
};

// A request whose endpoint is known and whose faults are drawn.
struct Visit {
    std::optional<Endpoint> endpoint;
    std::int64_t draw_id = 0;  // of read and patch
    Strikes strikes;
    Reply refusal;  // when there is no endpoint
};

class Service {
  public:
    Service(Store& store, Workflows& workflows, TokenDesk& tokens, FaultDesk& faults, RequestLog& log, Client client)
        : store_(store),
          workflows_(workflows),
          tokens_(tokens),
          faults_(faults),
          log_(log),
          client_(std::move(client)) {}

    [[nodiscard]] Visit admit(const Request& request);
    [[nodiscard]] Reply answer(const Request& request, const Visit& visit);

  private:
    struct Approval {
        std::int64_t draw_id;
        std::int64_t approver_id;
        Value notes;
    };

    [[nodiscard]] Reply handle(const Request& request, const Visit& visit);
    [[nodiscard]] std::optional<Reply> unauthorized(const Request& request) const;

    [[nodiscard]] Reply issue_token(const Request& request);
    [[nodiscard]] Reply list(const Request& request);
    [[nodiscard]] Reply read(std::int64_t id);
    [[nodiscard]] Reply patch(const Request& request, const Visit& visit);
    [[nodiscard]] Reply approve(const Request& request, const Visit& visit);

    [[nodiscard]] std::expected<Changes, Problem> read_changes(const nlohmann::json& body, const Draw& draw) const;
    [[nodiscard]] static std::expected<Approval, Problem> read_approval(const nlohmann::json& entry);
    [[nodiscard]] std::expected<Draw, Problem> approve_one(const Approval& approval, Instant at);

    Store& store_;
    Workflows& workflows_;
    TokenDesk& tokens_;
    FaultDesk& faults_;
    RequestLog& log_;
    Client client_;
};

[[nodiscard]] Problem no_such_draw(std::int64_t id);
// SIGKILL to this very process: the crash that a test asked for.
[[noreturn]] void die();

}  // namespace draws_sandbox
