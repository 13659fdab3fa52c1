#include "service.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <utility>

#include "struck.hpp"

namespace draws_sandbox {
namespace {

constexpr std::string_view draws_path = "/caseBudgets/draws";

Problem no_such_path() {
    return {404, "no_such_path", "there is nothing at this path"};
}

Visit at(Endpoint endpoint, std::int64_t draw_id = 0) {
    Visit visit;
    visit.endpoint = endpoint;
    visit.draw_id = draw_id;
    return visit;
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
    return {404, "no_such_draw", fmt::format("there is no draw {}", id)};
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

Visit Service::refused(const Problem& problem) const {
    Visit visit;
    visit.refusal = refuse(problem);
    return visit;
}

Visit Service::refused_method(std::string_view allowed) const {
    auto visit = refused({405, "method_not_allowed", fmt::format("use {}", allowed)});
    visit.refusal.headers.emplace_back("Allow", allowed);
    return visit;
}

Visit Service::route(const Request& request) const {
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

Visit Service::admit(const Request& request) {
    auto visit = route(request);
    if (visit.endpoint) {
        log_.received(*visit.endpoint);
        visit.strikes = faults_.strike(*visit.endpoint);
    }
    return visit;
}

Reply Service::answer(const Request& request, const Visit& visit) {
    if (!visit.endpoint) return visit.refusal;
    const auto& strikes = visit.strikes;
    if (strikes.has(FaultKind::token_revoked)) tokens_.revoke_all();
    auto instead = reply_instead(strikes);
    auto reply = instead ? std::move(*instead) : handle(request, visit);
    // A handler that commits has died before that already, when it was to.
    if (strikes.has(FaultKind::die_before_commit) || strikes.has(FaultKind::die_after_commit)) die();
    strike_reply(strikes, reply);
    return reply;
}

Reply Service::handle(const Request& request, const Visit& visit) {
    if (*visit.endpoint == Endpoint::token) return issue_token(request);
    if (auto refusal = unauthorized(request)) return std::move(*refusal);
    switch (*visit.endpoint) {
        case Endpoint::list: return list(request, visit);
        case Endpoint::read: return read(visit);
        case Endpoint::patch: return patch(request, visit);
        case Endpoint::approve: return approve(request, visit);
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
