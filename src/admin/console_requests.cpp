#include "console_requests.hpp"

#include "console_sessions.hpp"
#include "respond.hpp"
#include "routes.hpp"

namespace drawbridge::admin {
namespace {

// Not of the operators' API: what needs no session, or is about the session itself.
std::optional<Answer> answer_without_session(AdminContext& context, const Call& call) {
    const auto is = [&](std::string_view method, std::string_view pattern) {
        return call.method == method && matches(pattern, call.path);
    };
    if (is("POST", "/session/link")) return open_by_link(context, call.body);
    if (is("POST", "/session/challenge")) return make_session_challenge(context);
    if (is("POST", "/session")) return open_by_passkey(context, call.body);
    if (is("POST", "/enroll/begin")) return begin_enrollment(context, call.body);
    if (is("POST", "/enroll")) return enroll(context, call.body);
    return std::nullopt;
}

Result<void> check_access(AdminContext& context, const Route& route, const Session& session) {
    switch (console_access(route)) {
        case ConsoleAccess::as_method:
        case ConsoleAccess::session: return {};
        case ConsoleAccess::passkey:
            if (!is_read_only(context, session)) return {};
            return fail(ErrorCode::forbidden,
                        "this session is read-only: sign in with a passkey that another person has confirmed");
        case ConsoleAccess::signature:
            return fail(ErrorCode::forbidden, "this act is signed with a passkey: ask for POST /acts/challenge first");
        case ConsoleAccess::not_served: break;
    }
    return fail(ErrorCode::not_found, "this is done on the server, with the command line");
}

// Searches the bytes that respond() wrote: no text value can contain an unescaped `"next":`.
bool has_more_slices(const Response& response) {
    const auto says = [&](std::string_view member) { return response.body.find(member) != std::string::npos; };
    if (response.status != 200 || (!says("\"next\":") && !says("\"next_after\":"))) return false;
    return !says("\"next\":null") && !says("\"next_after\":null");
}

// One at a time for each person.
asio::awaitable<Response> answer_heavy(AdminContext& context, std::string who, Call call, Request request) {
    struct UnderWay {
        HeavyRequests& requests;
        const std::string& who;
        const Clock& clock;
        bool has_more = false;
        ~UnderWay() { requests.end(who, has_more, clock.now()); }
    };
    auto& requests = context.console->state().heavy;
    if (auto may = requests.begin(who, call, context.clock.now()); !may)
        co_return respond(std::unexpected(may.error()));
    UnderWay under_way{requests, who, context.clock};  // however it ends
    auto response = co_await answer_request(context, std::move(request));
    under_way.has_more = has_more_slices(response);
    co_return response;
}

}  // namespace

Request in_the_name_of(const Session& session, Request request) {
    request.actor = session.who.actor;
    request.uid = session.who.uid;
    request.groups = session.who.groups;
    request.person = session.who.person;
    return request;
}

asio::awaitable<Response> answer_console(AdminContext& context, Request request) {
    const auto fault = [](const Error& error) { return respond(std::unexpected(error)); };
    auto call = parse_request(request);
    if (!call) co_return fault(call.error());
    const Route* route = find_route(*call);
    const bool is_upload = route != nullptr && route->pattern == "/ingest/*/bytes";
    if (!is_upload) {
        auto body = read_body(request.body);
        if (!body) co_return fault(body.error());
        call->body = std::move(*body);
    }
    if (const auto answered = answer_without_session(context, *call)) co_return respond(*answered);
    // A tab that is left open asks once a second, and loads again what changed: that is no use of the session.
    const bool is_pulse = call->method == "GET" && matches("/pulse", call->path);
    auto session = find_session(context, request.session, is_pulse || request.by_itself);
    if (!session) co_return fault(session.error());
    if (call->method == "DELETE" && matches("/session", call->path))
        co_return respond(end_session(context, request.session));
    if (call->method == "GET" && matches("/me", call->path)) co_return respond(Answer(me_view(context, *session)));
    if (call->method == "POST" && matches("/acts/challenge", call->path)) {
        const auto made = co_await make_act_challenge(context, *session, request.session, std::move(call->body));
        co_return respond(made);
    }
    if (call->method == "POST" && matches("/acts/*", call->path)) {
        auto done = co_await perform_act(context, *session, request.session, call->path[1], std::move(call->body));
        co_return done;
    }
    if (route == nullptr) co_return refuse_unrouted(*call);
    if (auto served = check_access(context, *route, *session); !served) co_return fault(served.error());
    auto named = in_the_name_of(*session, std::move(request));
    if (!HeavyRequests::has(route->pattern)) {
        auto response = co_await answer_request(context, std::move(named));
        co_return response;
    }
    auto response = co_await answer_heavy(context, session->who.actor, std::move(*call), std::move(named));
    co_return response;
}

}  // namespace drawbridge::admin
