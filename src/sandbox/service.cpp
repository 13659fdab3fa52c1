#include "service.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <utility>

#include "fault_effect.hpp"

namespace draws_sandbox {
namespace {

constexpr std::string_view draws_path = "/caseBudgets/draws";

Problem no_such_path() {
    return {404, "no_such_path", "there is no such path"};
}

RoutedRequest at(Endpoint endpoint, std::int64_t draw_id = 0) {
    RoutedRequest routed;
    routed.endpoint = endpoint;
    routed.draw_id = draw_id;
    return routed;
}

bool is_bearer(std::string_view scheme) {
    return std::ranges::equal(scheme, std::string_view("bearer"),
                              [](unsigned char a, unsigned char b) { return std::tolower(a) == b; });
}

}  // namespace

void die() {
    ::kill(::getpid(), SIGKILL);
    std::abort();
}

Problem no_such_draw(std::int64_t id) {
    return {404, "no_such_draw", fmt::format("draw {} does not exist", id)};
}

Reply Service::refuse(const Problem& problem) const {
    auto reply = problem_reply(problem);
    switch (options_.error_body) {
        case ErrorBody::problem: break;
        case ErrorBody::text:
            reply.content_type = "text/plain; charset=utf-8";
            reply.body = problem.detail + "\n";
            break;
        case ErrorBody::empty:
            reply.content_type.clear();
            reply.body.clear();
            break;
    }
    return reply;
}

RoutedRequest Service::refused(const Problem& problem) const {
    RoutedRequest routed;
    routed.refusal = refuse(problem);
    return routed;
}

RoutedRequest Service::refused_method(std::string_view allowed) const {
    auto routed = refused({405, "method_not_allowed", fmt::format("use {}", allowed)});
    routed.refusal.headers.emplace_back("Allow", allowed);
    return routed;
}

RoutedRequest Service::route(const Request& request) const {
    const std::string_view path = request.path;
    const std::string_view method = request.method;
    if (path == "/oauth/token") return method == "POST" ? at(Endpoint::token) : refused_method("POST");
    if (path == draws_path) return method == "GET" ? at(Endpoint::list) : refused_method("GET");
    if (path == "/caseBudgets/draws/approve") return method == "POST" ? at(Endpoint::approve) : refused_method("POST");
    const bool below = path.starts_with(draws_path) && path.substr(draws_path.size()).starts_with('/');
    const auto id = below ? parse_integer(path.substr(draws_path.size() + 1)) : std::nullopt;
    if (!id) return refused(no_such_path());
    if (method == "GET") return at(Endpoint::read, *id);
    if (method == "PATCH") return at(Endpoint::patch, *id);
    return refused_method("GET, PATCH");
}

RoutedRequest Service::admit(const Request& request) {
    auto routed = route(request);
    if (routed.endpoint) {
        log_.received(*routed.endpoint);
        routed.faults = faults_.match(*routed.endpoint, [&](std::int64_t draw) {
            if (routed.endpoint != Endpoint::approve) return routed.draw_id == draw;
            const auto body = nlohmann::json::parse(request.body, nullptr, /*allow_exceptions=*/false);
            return std::ranges::any_of(body, [draw](const auto& entry) {
                return entry.is_object() && entry.value("id", std::int64_t{0}) == draw;
            });
        });
    }
    return routed;
}

Reply Service::answer(const Request& request, const RoutedRequest& routed) {
    if (!routed.endpoint) return routed.refusal;
    const auto& faults = routed.faults;
    if (faults.has(FaultKind::token_revoked)) tokens_.revoke_all();
    auto instead = reply_instead(faults);
    auto reply = instead ? std::move(*instead) : handle(request, routed);
    // A handler that commits has already died by then if the fault is armed.
    if (faults.has(FaultKind::die_before_commit) || faults.has(FaultKind::die_after_commit)) die();
    apply_to_reply(faults, reply);
    return reply;
}

Reply Service::handle(const Request& request, const RoutedRequest& routed) {
    if (*routed.endpoint == Endpoint::token) return issue_token(request);
    if (auto refusal = unauthorized(request)) return std::move(*refusal);
    switch (*routed.endpoint) {
        case Endpoint::list: return list(request, routed);
        case Endpoint::read: return read(routed);
        case Endpoint::patch: return patch(request, routed);
        case Endpoint::approve: return approve(request, routed);
        case Endpoint::token: break;
    }
    return refuse(no_such_path());
}

std::optional<Reply> Service::unauthorized(const Request& request) const {
    const std::string_view header = request.authorization;
    const auto space = header.find(' ');
    const bool bearer = space != std::string_view::npos && is_bearer(header.substr(0, space));
    if (bearer && tokens_.accepts(header.substr(space + 1), now())) return std::nullopt;
    auto reply = refuse({401, "unauthorized", "a valid access token is required: see POST /oauth/token"});
    reply.headers.emplace_back("WWW-Authenticate",
                               bearer ? R"(Bearer realm="draws", error="invalid_token")" : R"(Bearer realm="draws")");
    return reply;
}

}  // namespace draws_sandbox
