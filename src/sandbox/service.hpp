#pragma once
// Owns the service's own interface as specified: token, list, read, update, bulk approval.
// Must never offer an act that only people can do in the portal, and never touch a socket.

#include <cstdint>
#include <expected>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "draw.hpp"
#include "endpoint.hpp"
#include "faults.hpp"
#include "message.hpp"
#include "options.hpp"
#include "query.hpp"
#include "request_log.hpp"
#include "store.hpp"
#include "tokens.hpp"
#include "workflows.hpp"

namespace draws_sandbox {

struct Client {
    std::string id;
    std::string secret;
    std::string email = "integration@draws.example.gov";  // modifiedBy of changes through the interface
};

// A request with its endpoint and the faults that apply to it.
struct RoutedRequest {
    std::optional<Endpoint> endpoint;
    std::int64_t draw_id = 0;  // for read and patch
    ActiveFaults faults;
    Reply refusal;  // if there is no endpoint
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
    TokenStore& tokens;
    FaultRegistry& faults;
    RequestLog& log;
};

class Service {
  public:
    Service(const ServiceParts& parts, Client client, const Options& options)
        : store_(parts.store),
          workflows_(parts.workflows),
          tokens_(parts.tokens),
          faults_(parts.faults),
          log_(parts.log),
          client_(std::move(client)),
          options_(options) {}

    [[nodiscard]] RoutedRequest admit(const Request& request);
    [[nodiscard]] Reply answer(const Request& request, const RoutedRequest& routed);

  private:
    struct Approval {
        std::int64_t draw_id;
        std::int64_t approver_id;
        Value notes;
    };

    [[nodiscard]] RoutedRequest route(const Request& request) const;
    [[nodiscard]] Reply handle(const Request& request, const RoutedRequest& routed);
    [[nodiscard]] std::optional<Reply> unauthorized(const Request& request) const;
    // A refusal in the configured error format.
    [[nodiscard]] Reply refuse(const Problem& problem) const;
    [[nodiscard]] RoutedRequest refused(const Problem& problem) const;
    [[nodiscard]] RoutedRequest refused_method(std::string_view allowed) const;

    [[nodiscard]] Reply issue_token(const Request& request);
    [[nodiscard]] Reply list(const Request& request, const RoutedRequest& routed);
    [[nodiscard]] Reply read(const RoutedRequest& routed);
    [[nodiscard]] Reply patch(const Request& request, const RoutedRequest& routed);
    [[nodiscard]] Reply approve(const Request& request, const RoutedRequest& routed);

    // The current store, or its copy from the time when the fault `stale` was armed.
    [[nodiscard]] Store& view_for(const RoutedRequest& routed);
    [[nodiscard]] ListQuery apply_to_query(ListQuery query, const RoutedRequest& routed) const;

    [[nodiscard]] std::expected<Changes, Problem> read_changes(const nlohmann::json& body, const Draw& draw) const;
    [[nodiscard]] std::expected<std::vector<Approval>, Problem> read_approvals(const Request& request) const;
    [[nodiscard]] static std::expected<Approval, Problem> read_approval(const nlohmann::json& entry);
    [[nodiscard]] std::vector<ApprovalResult> approve_all(const std::vector<Approval>& approvals,
                                                          const RoutedRequest& routed);
    [[nodiscard]] std::expected<Draw, Problem> approve_one(const Approval& approval, Instant at);

    Store& store_;
    Workflows& workflows_;
    TokenStore& tokens_;
    FaultRegistry& faults_;
    RequestLog& log_;
    Client client_;
    Options options_;
};

// Parses the body of an update or a bulk approval.
[[nodiscard]] std::expected<nlohmann::json, Problem> parse_json_body(const Request& request);
[[nodiscard]] Problem no_such_draw(std::int64_t id);
// Sends SIGKILL to this process: the crash that a test requested.
[[noreturn]] void die();

}  // namespace draws_sandbox
