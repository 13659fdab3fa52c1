#pragma once
// Owns the service's own interface, as the specification gives it: token, list, read, update, bulk approval.
// Must never offer what only people can do in the portal, and never touch a socket.

#include <cstdint>
#include <expected>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "options.hpp"
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

// One entry of a bulk approval's answer.
struct ApprovalResult {
    std::int64_t draw_id;
    std::expected<Draw, Problem> outcome;
};

// What the service works with; all of it outlives the service.
struct ServiceParts {
    Store& store;
    Workflows& workflows;
    TokenDesk& tokens;
    FaultDesk& faults;
    RequestLog& log;
};

class Service {
  public:
    Service(const ServiceParts& parts, Client client, const Options& choices)
        : store_(parts.store),
          workflows_(parts.workflows),
          tokens_(parts.tokens),
          faults_(parts.faults),
          log_(parts.log),
          client_(std::move(client)),
          options_(choices) {}

    [[nodiscard]] Visit admit(const Request& request);
    [[nodiscard]] Reply answer(const Request& request, const Visit& visit);

  private:
    struct Approval {
        std::int64_t draw_id;
        std::int64_t approver_id;
        Value notes;
    };

    [[nodiscard]] Visit route(const Request& request) const;
    [[nodiscard]] Reply handle(const Request& request, const Visit& visit);
    [[nodiscard]] std::optional<Reply> unauthorized(const Request& request) const;
    // A refusal, in the shape that was chosen for errors.
    [[nodiscard]] Reply refuse(const Problem& problem) const;
    [[nodiscard]] Visit refused(const Problem& problem) const;
    [[nodiscard]] Visit refused_method(std::string_view allowed) const;

    [[nodiscard]] Reply issue_token(const Request& request);
    [[nodiscard]] Reply list(const Request& request, const Visit& visit);
    [[nodiscard]] Reply read(const Visit& visit);
    [[nodiscard]] Reply patch(const Request& request, const Visit& visit);
    [[nodiscard]] Reply approve(const Request& request, const Visit& visit);

    // The store as it is, or as it was when the fault `stale` was armed.
    [[nodiscard]] Store& view_for(const Visit& visit);
    [[nodiscard]] ListQuery strike_query(ListQuery query, const Visit& visit) const;

    [[nodiscard]] std::expected<Changes, Problem> read_changes(const nlohmann::json& body, const Draw& draw) const;
    [[nodiscard]] std::expected<std::vector<Approval>, Problem> read_approvals(const Request& request) const;
    [[nodiscard]] static std::expected<Approval, Problem> read_approval(const nlohmann::json& entry);
    [[nodiscard]] std::vector<ApprovalResult> approve_all(const std::vector<Approval>& approvals, const Visit& visit);
    [[nodiscard]] std::expected<Draw, Problem> approve_one(const Approval& approval, Instant at);

    Store& store_;
    Workflows& workflows_;
    TokenDesk& tokens_;
    FaultDesk& faults_;
    RequestLog& log_;
    Client client_;
    Options options_;
};

// The body of an update or a bulk approval.
[[nodiscard]] std::expected<nlohmann::json, Problem> parse_json_body(const Request& request);
[[nodiscard]] Problem no_such_draw(std::int64_t id);
// SIGKILL to this very process: the crash that a test asked for.
[[noreturn]] void die();

}  // namespace draws_sandbox
