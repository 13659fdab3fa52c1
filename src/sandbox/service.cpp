#include "service.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <utility>

#include "wire.hpp"

namespace draws_sandbox {
namespace {

constexpr std::string_view draws_path = "/caseBudgets/draws";

Reply method_not_allowed(std::string_view allowed) {
    auto reply = problem_reply({405, "method_not_allowed", fmt::format("use {}", allowed)});
    reply.headers.emplace_back("Allow", allowed);
    return reply;
}

Visit at(Endpoint endpoint, std::int64_t draw_id = 0) {
    Visit visit;
    visit.endpoint = endpoint;
    visit.draw_id = draw_id;
    return visit;
}

Visit refused(Reply reply) {
    Visit visit;
    visit.refusal = std::move(reply);
    return visit;
}

Visit route_draw(const Request& request, std::string_view id_text) {
    const auto id = parse_integer(id_text);
    if (!id) return refused(problem_reply({404, "no_such_path", "there is nothing at this path"}));
    if (request.method == "GET") return at(Endpoint::read, *id);
    if (request.method == "PATCH") return at(Endpoint::patch, *id);
    return refused(method_not_allowed("GET, PATCH"));
}

Visit route(const Request& request) {
    const std::string_view path = request.path;
    if (path == "/oauth/token") {
        return request.method == "POST" ? at(Endpoint::token) : refused(method_not_allowed("POST"));
    }
    if (path == draws_path) {
        return request.method == "GET" ? at(Endpoint::list) : refused(method_not_allowed("GET"));
    }
    if (path == "/caseBudgets/draws/approve") {
        return request.method == "POST" ? at(Endpoint::approve) : refused(method_not_allowed("POST"));
    }
    if (path.starts_with("/caseBudgets/draws/")) return route_draw(request, path.substr(draws_path.size() + 1));
    return refused(problem_reply({404, "no_such_path", "there is nothing at this path"}));
}

// The token endpoint's errors have the shape that OAuth 2.0 (RFC 6749, 5.2) gives them.
Reply token_error(unsigned status, std::string_view error, std::string_view description) {
    std::string body = R"({"error":)";
    append_json_string(body, error);
    body += R"(,"error_description":)";
    append_json_string(body, description);
    body += '}';
    auto reply = json_reply(status, std::move(body));
    reply.headers.emplace_back("Cache-Control", "no-store");
    return reply;
}

// The form's value when it is there exactly once.
std::optional<std::string> form_field(const Parameters& form, std::string_view name) {
    const auto is_it = [name](const auto& entry) { return entry.first == name; };
    const auto found = std::ranges::find_if(form, is_it);
    if (found == form.end() || std::ranges::count_if(form, is_it) != 1) return std::nullopt;
    return found->second;
}

bool same_word(std::string_view left, std::string_view right) {
    return std::ranges::equal(left, right,
                              [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
}

Reply struck_status(const Fault& fault) {
    const auto code = static_cast<unsigned>(fault.integer("code", 500));
    auto reply = problem_reply({code, "fault", "this answer was asked for through /portal/faults"});
    if (const auto after = fault.integer("retryAfter", -1); after >= 0) {
        reply.headers.emplace_back("Retry-After", std::to_string(after));
    }
    return reply;
}

void strike_answer(const Strikes& strikes, Reply& reply) {
    if (strikes.has(FaultKind::invalid_json)) {
        reply.body = reply.body.substr(0, reply.body.size() / 2) + "}]{";
    }
    if (strikes.has(FaultKind::truncated)) reply.delivery.kind = Delivery::Kind::truncated;
    if (strikes.has(FaultKind::close_after_commit)) reply.delivery.kind = Delivery::Kind::dropped;
    if (const auto* delay = strikes.find(FaultKind::delay)) {
        reply.delivery.delay = std::chrono::milliseconds{delay->integer("ms", 0)};
    }
}

}  // namespace

void die() {
    ::kill(::getpid(), SIGKILL);
    std::abort();
}

Problem no_such_draw(std::int64_t id) {
    return {404, "no_such_draw", fmt::format("there is no draw {}", id)};
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
    Reply reply;
    if (strikes.has(FaultKind::close_before_commit)) {
        reply.delivery.kind = Delivery::Kind::dropped;
    } else if (const auto* status = strikes.find(FaultKind::status)) {
        reply = struck_status(*status);
    } else {
        reply = handle(request, visit);
    }
    if (strikes.has(FaultKind::die_before_commit) || strikes.has(FaultKind::die_after_commit)) die();
    strike_answer(strikes, reply);
    return reply;
}

Reply Service::handle(const Request& request, const Visit& visit) {
    if (*visit.endpoint == Endpoint::token) return issue_token(request);
    if (auto refusal = unauthorized(request)) return std::move(*refusal);
    switch (*visit.endpoint) {
        case Endpoint::list: return list(request);
        case Endpoint::read: return read(visit.draw_id);
        case Endpoint::patch: return patch(request, visit);
        case Endpoint::approve: return approve(request, visit);
        case Endpoint::token: break;
    }
    return problem_reply({404, "no_such_path", "there is nothing at this path"});
}

std::optional<Reply> Service::unauthorized(const Request& request) const {
    const std::string_view header = request.authorization;
    const auto space = header.find(' ');
    const bool bearer = space != std::string_view::npos && same_word(header.substr(0, space), "bearer");
    if (bearer && tokens_.accepts(header.substr(space + 1), now())) return std::nullopt;
    auto reply = problem_reply({401, "unauthorized", "a valid access token is required: see POST /oauth/token"});
    reply.headers.emplace_back("WWW-Authenticate",
                               bearer ? R"(Bearer realm="draws", error="invalid_token")" : R"(Bearer realm="draws")");
    return reply;
}

Reply Service::issue_token(const Request& request) {
    if (!same_word(request.content_type.substr(0, request.content_type.find(';')),
                   "application/x-www-form-urlencoded")) {
        return token_error(400, "invalid_request", "the body must be application/x-www-form-urlencoded");
    }
    const auto form = parse_parameters(request.body);
    if (!form) return token_error(400, "invalid_request", "the form holds a broken percent escape");
    const auto grant_type = form_field(*form, "grant_type");
    if (!grant_type) return token_error(400, "invalid_request", "grant_type is required, once");
    if (*grant_type != "client_credentials") {
        return token_error(400, "unsupported_grant_type", "grant_type must be client_credentials");
    }
    const auto id = form_field(*form, "client_id");
    const auto secret = form_field(*form, "client_secret");
    if (!id || !secret) return token_error(400, "invalid_request", "client_id and client_secret are required, once");
    const bool id_matches = same_secret(*id, client_.id);
    const bool secret_matches = same_secret(*secret, client_.secret);
    if (!id_matches || !secret_matches) return token_error(401, "invalid_client", "unknown client or wrong secret");
    auto reply = json_reply(200, fmt::format(R"({{"access_token":"{}","token_type":"Bearer","expires_in":{}}})",
                                             tokens_.issue(now()), tokens_.lifetime().count()));
    reply.headers.emplace_back("Cache-Control", "no-store");
    return reply;
}

Reply Service::list(const Request& request) {
    const auto query = parse_list_query(request.query, PageRules{});
    if (!query) return problem_reply(query.error());
    const auto total = store_.count(*query);
    const auto draws = store_.page(*query);
    const auto page_count = total / query->page_size + (total % query->page_size == 0 ? 0 : 1);
    std::string body;
    body.reserve(200 + draws.size() * 900);
    body += fmt::format(R"({{"pageNumber":{},"pageSize":{},"pageCount":{},"totalRecordCount":{},"records":[)",
                        query->page_number, query->page_size, page_count, total);
    for (std::size_t i = 0; i < draws.size(); ++i) {
        if (i > 0) body += ',';
        append_draw(body, draws[i], View::published);
    }
    body += "]}";
    return json_reply(200, std::move(body));
}

Reply Service::read(std::int64_t id) {
    const auto draw = store_.find(id);
    if (!draw) return problem_reply(no_such_draw(id));
    return json_reply(200, draw_json(*draw, View::published));
}

}  // namespace draws_sandbox
