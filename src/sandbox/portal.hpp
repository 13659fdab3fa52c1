#pragma once
// Owns the acts of people in the service's own portal (submit, cancel, approve, mark as disbursed, edit, configure
// workflows), and what a test needs to see and arrange (request counts, faults). JSON in and out, no token.
// Must never be reachable from another machine.

#include <cstdint>
#include <expected>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "draw.hpp"
#include "faults.hpp"
#include "message.hpp"
#include "request_log.hpp"
#include "store.hpp"
#include "tokens.hpp"
#include "workflows.hpp"

namespace draws_sandbox {

class Portal {
  public:
    Portal(Store& store, Workflows& workflows, TokenStore& tokens, FaultRegistry& faults, RequestLog& log)
        : store_(store), workflows_(workflows), tokens_(tokens), faults_(faults), log_(log) {}

    // `request.path` starts with /portal.
    [[nodiscard]] Reply answer(const Request& request);

  private:
    using Path = std::vector<std::string_view>;

    [[nodiscard]] Reply draws(const Request& request, const Path& path);
    [[nodiscard]] Reply create_draw(const nlohmann::json& body);
    [[nodiscard]] Reply edit_draw(std::int64_t id, const nlohmann::json& body);
    [[nodiscard]] Reply act(std::int64_t id, std::string_view act, const nlohmann::json& body, bool force);
    [[nodiscard]] Reply disburse_many(const nlohmann::json& body, bool force);
    [[nodiscard]] std::expected<Draw, Problem> perform(std::int64_t id, std::string_view act,
                                                       const nlohmann::json& body, bool force);

    [[nodiscard]] Reply workflow(const Request& request, const Path& path);
    [[nodiscard]] Reply requests(const Request& request);
    [[nodiscard]] Reply faults(const Request& request);
    [[nodiscard]] Reply summary();

    Store& store_;
    Workflows& workflows_;
    TokenStore& tokens_;
    FaultRegistry& faults_;
    RequestLog& log_;
};

}  // namespace draws_sandbox
