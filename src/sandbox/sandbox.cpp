#include "sandbox.hpp"

#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "fault_effect.hpp"
#include "openapi.hpp"

namespace draws_sandbox {
namespace {

Admitted at_once(Reply reply) {
    return {std::chrono::milliseconds{0}, [reply = std::move(reply)] { return reply; }};
}

}  // namespace

Sandbox::Sandbox(const SandboxPlan& plan)
    : base_path_(plan.base_path),
      store_(plan.database),
      workflows_(store_),
      tokens_(plan.token_lifetime),
      service_({store_, workflows_, tokens_, faults_, log_}, plan.client, plan.options),
      portal_(store_, workflows_, tokens_, faults_, log_) {
    if (plan.draws.draws > 0 && store_.empty()) generate(store_, plan.draws);
    store_.build_indexes();
    if (!plan.faults_file.empty()) arm_from(plan.faults_file);
}

void Sandbox::arm_from(const std::string& file) {
    std::ifstream in(file);
    const auto faults = nlohmann::json::parse(in, nullptr, /*allow_exceptions=*/false);
    if (!faults.is_array()) throw std::runtime_error(fmt::format("{}: expected a JSON array of faults", file));
    for (std::size_t i = 0; i < faults.size(); ++i) {
        const auto fault = faults_.arm(faults[i]);
        if (!fault) throw std::runtime_error(fmt::format("{}: fault {}: {}", file, i + 1, fault.error()));
        if (fault->kind == FaultKind::stale) store_.save_past();
    }
}

Admitted Sandbox::admit(const Request& received) {
    auto request = std::make_shared<Request>(received);
    const bool based = !base_path_.empty() && request->path.starts_with(base_path_ + "/");
    if (based) request->path.erase(0, base_path_.size());
    if (request->path == "/portal" || request->path.starts_with("/portal/")) {
        return {std::chrono::milliseconds{0}, [this, request] { return portal_.answer(*request); }};
    }
    if (request->path == "/openapi.json" && request->method == "GET") {
        return at_once(json_reply(200, openapi_document(base_path_)));
    }
    if (!based && !base_path_.empty()) {
        return at_once(problem_reply({404, "no_such_path", fmt::format("every path starts with {}", base_path_)}));
    }
    auto routed = service_.admit(*request);
    const auto wait = wait_before(routed.faults);
    return {wait, [this, request, routed = std::move(routed)] { return answer(*request, routed); }};
}

Reply Sandbox::answer(const Request& request, const RoutedRequest& routed) {
    auto reply = service_.answer(request, routed);
    using enum Delivery::Kind;
    const auto kind = reply.delivery.kind;
    const bool sent = kind == whole || kind == truncated;
    log_.answered({request.method, request.query.empty() ? request.path : request.path + "?" + request.query,
                   sent ? reply.status : 0});
    return reply;
}

}  // namespace draws_sandbox
