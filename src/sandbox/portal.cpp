#include "portal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "query.hpp"
#include "service.hpp"
#include "wire.hpp"

namespace draws_sandbox {
namespace {

std::vector<std::string_view> split(std::string_view path) {
    std::vector<std::string_view> parts;
    while (!path.empty()) {
        path.remove_prefix(1);  // the slash
        const auto slash = std::min(path.find('/'), path.size());
        parts.push_back(path.substr(0, slash));
        path.remove_prefix(slash);
    }
    return parts;
}

std::string parameter(const Request& request, std::string_view name) {
    const auto parameters = parse_parameters(request.query);
    if (!parameters) return {};
    const auto found = std::ranges::find_if(*parameters, [name](const auto& entry) { return entry.first == name; });
    return found == parameters->end() ? std::string{} : found->second;
}

// An empty body counts as an empty object.
std::expected<nlohmann::json, Problem> parse_body(const Request& request) {
    if (request.body.empty()) return nlohmann::json::object();
    auto body = parse_json(request.body);
    if (!body) return std::unexpected(Problem{400, "invalid_json", "the body is not valid JSON, or nests too deeply"});
    return std::move(*body);
}

Problem no_portal_path() {
    return {404, "no_such_path", "the portal has no such path"};
}

Reply wrong_request(std::string detail) {
    return problem_reply({400, "bad_request", std::move(detail)});
}

}  // namespace

Reply Portal::answer(const Request& request) {
    if (!request.from_loopback) return problem_reply({403, "forbidden", "the portal answers only this machine"});
    const auto path = split(request.path);
    if (path.size() < 2) return problem_reply(no_portal_path());
    if (path[1] == "draws") return draws(request, path);
    if (path[1] == "workflows") return workflow(request, path);
    if (path.size() != 2) return problem_reply(no_portal_path());
    if (path[1] == "requests") return requests(request);
    if (path[1] == "faults") return faults(request);
    if (path[1] == "summary" && request.method == "GET") return summary();
    if (path[1] == "disburse" && request.method == "POST") {
        const auto body = parse_body(request);
        return body ? disburse_many(*body, parameter(request, "force") == "true") : problem_reply(body.error());
    }
    if (path[1] == "tokens" && request.method == "DELETE") {
        tokens_.revoke_all();
        return json_reply(200, "{}");
    }
    return problem_reply(no_portal_path());
}

Reply Portal::draws(const Request& request, const Path& path) {
    const auto body = parse_body(request);
    if (!body) return problem_reply(body.error());
    if (path.size() == 2 && request.method == "POST") return create_draw(*body);
    const auto id = path.size() > 2 ? parse_integer(path[2]) : std::nullopt;
    if (!id) return problem_reply(no_portal_path());
    if (path.size() == 4 && request.method == "POST") {
        return act(*id, path[3], *body, parameter(request, "force") == "true");
    }
    if (path.size() != 3) return problem_reply(no_portal_path());
    if (request.method == "PATCH") return edit_draw(*id, *body);
    if (request.method != "GET") return problem_reply({405, "method_not_allowed", "use GET or PATCH"});
    const auto draw = store_.find(*id);
    return draw ? json_reply(200, draw_json(*draw, View::portal)) : problem_reply(no_such_draw(*id));
}

Reply Portal::workflow(const Request& request, const Path& path) {
    const auto id = path.size() == 3 ? parse_integer(path[2]) : std::nullopt;
    if (!id) return problem_reply(no_portal_path());
    if (request.method == "PUT") {
        const auto body = parse_body(request);
        if (!body) return problem_reply(body.error());
        if (const auto set = workflows_.set(*id, *body); !set) return wrong_request(set.error());
    } else if (request.method != "GET") {
        return problem_reply({405, "method_not_allowed", "use GET or PUT"});
    }
    return json_reply(200, workflow_json(*id, workflows_.of(*id)).dump());
}

Reply Portal::requests(const Request& request) {
    if (request.method == "DELETE") log_.clear();
    const auto draw = parse_integer(parameter(request, "drawId"));
    const auto last = parse_integer(parameter(request, "last"));
    return json_reply(200, log_.json(draw, last && *last >= 0 ? static_cast<std::size_t>(*last) : 50));
}

Reply Portal::faults(const Request& request) {
    if (request.method == "DELETE") faults_.clear();
    if (request.method == "POST") {
        const auto body = parse_body(request);
        if (!body) return problem_reply(body.error());
        const auto fault = faults_.arm(*body);
        if (!fault) return wrong_request(fault.error());
        if (fault->kind == FaultKind::stale) store_.save_past();
        return json_reply(201, fmt::format(R"({{"fault":{}}})", fault->number));
    }
    return json_reply(200, faults_.json().dump());
}

Reply Portal::summary() {
    std::int64_t count = 0;
    std::int64_t cents = 0;
    std::string body = R"({"statuses":[)";
    for (const auto& total : store_.totals()) {
        if (count > 0) body += ',';
        body += fmt::format(R"({{"status":{},"name":"{}","count":{},"amount":)", total.status,
                            status_name(total.status), total.count);
        append_amount(body, total.cents);
        body += '}';
        count += total.count;
        cents += total.cents;
    }
    body += fmt::format(R"(],"count":{},"amount":)", count);
    append_amount(body, cents);
    body += '}';
    return json_reply(200, std::move(body));
}

}  // namespace draws_sandbox
