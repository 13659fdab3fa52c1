#include "drawbridge/admin/handlers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/system/system_error.hpp>
#include <type_traits>
#include <utility>

#include "alerts_view.hpp"
#include "approve.hpp"
#include "archive.hpp"
#include "backtest.hpp"
#include "call.hpp"
#include "changes.hpp"
#include "checks_view.hpp"
#include "console_requests.hpp"
#include "console_sessions.hpp"
#include "documented.hpp"
#include "drawbridge/ledger/facts/draws.hpp"
#include "drawbridge/ledger/store/disk_space.hpp"
#include "drawbridge/pipeline/refresh.hpp"
#include "drawbridge/text/sanitize.hpp"
#include "exception_acts.hpp"
#include "file_acts.hpp"
#include "file_view.hpp"
#include "health.hpp"
#include "ingest.hpp"
#include "passkeys_view.hpp"
#include "people.hpp"
#include "reads.hpp"
#include "respond.hpp"
#include "routes.hpp"
#include "rules_view.hpp"
#include "upkeep.hpp"
#include "views.hpp"

namespace drawbridge::admin {
namespace {

Answer explain_draw(AdminContext& context, const Call& call) {
    const auto id = whole_number(call.path[1], "the draw's id", 1, INT64_MAX);
    if (!id) return std::unexpected(id.error());
    return explain(context, *id, call.body);
}

Answer approve(AdminContext& context, const Call& call) {
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    return approve_draws(context, call, *reason);
}

Answer check_act(AdminContext& context, const Call& call) {
    const auto number = whole_number(call.path[1], "the check number", 1, INT64_MAX);
    if (!number) return std::unexpected(number.error());
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    return act_on_check(context, *number, call.path[2], *reason, stamp(context, call));
}

Answer set_paused(AdminContext& context, const Call& call, bool paused) {
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    // nothing_else_sent also lifts holds after the restoration has ended, because the bank may answer later.
    const bool nothing_else_sent = !paused && flag_in(call.body, "nothing_else_sent");
    if (ledger::is_paused(context.ledger) == paused && !nothing_else_sent) {
        return fail(ErrorCode::conflict, paused ? "all movement of money is already paused" : "nothing is paused");
    }
    if (!paused) {
        const bool despite_exceptions = flag_in(call.body, "despite_exceptions");
        return resume(context, {nothing_else_sent, despite_exceptions}, *reason, stamp(context, call));
    }
    context.ledger.transaction([&] { ledger::set_paused(context.ledger, paused, *reason, stamp(context, call)); });
    return json{{"paused", paused}};
}

Answer reload(AdminContext& context, const Call& call) {
    const auto by = stamp(context, call);
    if (context.program.status().daemon && call.body.contains("reason")) {
        const auto reason = reason_of(call);
        if (!reason) return std::unexpected(reason.error());
        context.ledger.transaction(
            [&] { ledger::audit(context.ledger, by, "reload.ordered", "rules and payees", *reason); });
    }
    const auto in_force = context.program.reload(by);
    if (!in_force) return std::unexpected(in_force.error());
    return json{{"in_force", *in_force}};
}

// The person who hands in a file is responsible for all of its bytes.
Result<std::string> own_upload(const Call& call) {
    const std::string& upload = call.path[1];
    if (spool::Spool::is_upload_of(call.uid.value_or(0), upload)) return upload;
    return fail(ErrorCode::not_found, "you have no upload '" + text::for_terminal(upload) + "': upload the file again");
}

Answer start_upload(AdminContext& context, const Call& call) {
    return begin_upload(context, call.uid.value_or(0));
}

Answer append_bytes(AdminContext& context, const Call& call) {
    const auto upload = own_upload(call);
    if (!upload) return std::unexpected(upload.error());
    const auto given = call.query.find("offset");
    const auto offset = whole_number(given == call.query.end() ? "" : given->second, "offset", 0, INT64_MAX / 2);
    if (!offset) return std::unexpected(offset.error());
    return append_upload(context, *upload, static_cast<std::uint64_t>(*offset), call.bytes);
}

constexpr std::size_t max_refreshed_draws = 500;

asio::awaitable<Answer> refresh(AdminContext& context, Call call) {
    std::vector<DrawId> ids;
    const auto given = call.body.find("ids");
    const bool is_list = given != call.body.end() && given->is_array() && !given->empty() &&
                         given->size() <= max_refreshed_draws &&
                         std::ranges::all_of(*given, [](const json& id) { return id.is_number_integer(); });
    if (!is_list) co_return fail(ErrorCode::invalid_input, "'ids' must be a list of 1 to 500 draw ids");
    for (const auto& id : *given) {
        ids.push_back(id.get<DrawId>());
        if (ledger::newest_reading(context.ledger, ids.back())) continue;
        co_return fail(ErrorCode::not_found, "draw " + std::to_string(ids.back()) + " is not in the ledger");
    }
    const auto count = static_cast<std::int64_t>(ids.size());
    pipeline::Refreshed refreshed{count, 0, count, "the daemon is stopping"};
    const auto turn = co_await context.turn.take("refresh");
    pipeline::Context own(context.shared);
    if (turn) refreshed = co_await pipeline::refresh(own, std::move(ids));
    co_return json{{"asked", refreshed.asked},
                   {"changed", refreshed.changed},
                   {"failed", refreshed.failed},
                   {"problem", refreshed.problem},
                   {"at", format_instant(context.clock.now())}};
}

asio::awaitable<Answer> test_alerts(AdminContext& context, Call call) {
    const auto reason = reason_of(call);
    if (!reason) co_return std::unexpected(reason.error());
    auto by = stamp(context, call);
    const auto tests = co_await context.program.test_alerts(*reason, std::move(by));
    if (!tests) co_return std::unexpected(tests.error());
    json answer = {{"tests", tests_view(*tests)}};
    co_return Answer(std::move(answer));
}

bool is_cancellation(const std::exception& failure) {
    const auto* error = dynamic_cast<const boost::system::system_error*>(&failure);
    return error != nullptr && error->code() == asio::error::operation_aborted;
}

// A bug in this program: the caller gets an error, and the daemon continues.
Response internal_error(const std::string& what) {
    return error_answer(500, "internal",
                        "internal error: " + what +
                            ": see in `drawbridge status` and `drawbridge audit` what was recorded before you try "
                            "again, and please report this");
}

// Plain text instead of JSON, for monitoring systems.
Response metrics_answer(AdminContext& context) {
    return {200, metrics_text(context), "text/plain; version=0.0.4; charset=utf-8"};
}
asio::awaitable<Response> metrics(AdminContext& context, Call /*call*/) {
    co_return metrics_answer(context);
}
asio::awaitable<Response> health(AdminContext& context, Call /*call*/) {
    co_return healthz(context);
}
asio::awaitable<Response> readiness(AdminContext& context, Call /*call*/) {
    co_return readyz(context);
}

// Raw bytes instead of JSON, because a bank's file may have any format.
asio::awaitable<Response> archived_bytes(AdminContext& context, Call call) {
    auto bytes = co_await show_archived(context, std::move(call));
    if (!bytes) co_return respond(std::unexpected(bytes.error()));
    co_return Response{200, std::move(*bytes), "application/octet-stream"};
}

asio::awaitable<Answer> back_up(AdminContext& context, Call call) {
    auto by = stamp(context, call);
    return back_up(context, std::move(call.body), std::move(by));
}
asio::awaitable<Answer> verify(AdminContext& context, Call call) {
    auto by = stamp(context, call);
    return verify_view(context, std::move(by), std::move(call.query["entry"]));
}
asio::awaitable<Answer> preview_upload(AdminContext& context, Call call) {
    auto upload = own_upload(call);
    if (!upload) co_return std::unexpected(upload.error());
    co_return co_await preview(context, *std::move(upload), std::move(call.body));
}
asio::awaitable<Answer> take_upload(AdminContext& context, Call call) {
    auto upload = own_upload(call);
    if (!upload) co_return std::unexpected(upload.error());
    auto by = stamp(context, call);
    co_return co_await take(context, *std::move(upload), std::move(call.body), std::move(by));
}
Answer status(AdminContext& context, const Call& /*call*/) {
    return to_json(status_of(context));
}
Answer rule_set(AdminContext& context, const Call& call) {
    return show_rule_set(context, call.path[1]);
}
Answer rules_view(AdminContext& context) {
    return rules_in_force(context);
}
Answer check_rule_file(AdminContext& /*context*/, const Call& call) {
    return check_rules(call.body);
}
Answer backtest_rules(AdminContext& context, const Call& call) {
    return backtest(context, call.body);
}
Answer pause(AdminContext& context, const Call& call) {
    return set_paused(context, call, /*paused=*/true);
}
Answer resume_all(AdminContext& context, const Call& call) {
    return set_paused(context, call, /*paused=*/false);
}

Response respond_with_names(AdminContext& context, Answer answer) {
    if (answer) name_people(context.ledger, *answer);
    return respond(answer);
}

// Wraps a synchronous function as a handler.
template <auto answer_now>
asio::awaitable<Response> now(AdminContext& context, Call call) {
    if constexpr (std::is_invocable_v<decltype(answer_now), AdminContext&>) {
        co_return respond_with_names(context, answer_now(context));
    } else {
        co_return respond_with_names(context, answer_now(context, call));
    }
}
// Wraps a coroutine as a handler.
template <asio::awaitable<Answer> (*answer)(AdminContext&, Call)>
asio::awaitable<Response> later(AdminContext& context, Call call) {
    auto answered = co_await answer(context, std::move(call));
    co_return respond_with_names(context, std::move(answered));
}

using enum ledger::Role;
constexpr Allowed readers{viewer, auditor, finance, operate, releaser};
constexpr Allowed everybody{viewer, auditor, finance, operate, releaser, admin};
constexpr Allowed checkers{auditor, operate, releaser};
constexpr Allowed auditors{auditor, finance, operate, releaser, admin};
constexpr Allowed refreshers{auditor, finance, operate, releaser};
constexpr Allowed archivists{auditor, finance, operate};
constexpr Allowed pausers{finance, operate, releaser};
constexpr Allowed operators{operate};
constexpr Allowed operators_and_finance{operate, finance};  // finance: only exceptions of step confirm
constexpr Allowed finance_alone{finance};
constexpr Allowed releasers{releaser};
constexpr Allowed operators_and_releasers{operate, releaser};  // a delivery: releaser only to send a file again
constexpr Allowed admins{admin};

constexpr Route table[] = {
    {"GET", "/status", readers, Maker::no, now<status>},
    {"GET", "/pulse", everybody, Maker::no, now<get_pulse>},
    {"GET", "/find", readers, Maker::no, now<find_anything>},
    {"GET", "/draws", readers, Maker::no, now<get_draws>},
    {"GET", "/draws/*", readers, Maker::no, now<get_draw>},
    {"POST", "/draws/*/explain", readers, Maker::no, now<explain_draw>, ConsoleAccess::session},
    {"POST", "/draws/approve", operators, Maker::yes, now<approve>},
    {"POST", "/draws/refresh", refreshers, Maker::no, later<refresh>, ConsoleAccess::passkey},
    {"POST", "/draws/*/reissue", operators, Maker::yes, now<reissue>},
    {"POST", "/rules/backtest", readers, Maker::no, now<backtest_rules>, ConsoleAccess::passkey},
    {"GET", "/rules", readers, Maker::no, now<rules_view>},
    {"POST", "/rules/check", readers, Maker::no, now<check_rule_file>, ConsoleAccess::passkey},
    {"GET", "/rules/*", readers, Maker::no, now<rule_set>},
    {"GET", "/exceptions", readers, Maker::no, now<get_exceptions>},
    {"GET", "/exceptions/*", readers, Maker::no, now<get_exception>},
    {"POST", "/exceptions/resolve", operators_and_finance, Maker::yes, now<resolve_exceptions>},
    {"POST", "/exceptions/*/resolve", operators_and_finance, Maker::yes, now<act_on_exception>},
    {"POST", "/exceptions/*/undo", operators_and_finance, Maker::yes, now<act_on_exception>},
    {"POST", "/exceptions/*/reissue", operators, Maker::yes, now<reissue>},
    {"POST", "/exceptions/*/deliver", operators_and_releasers, Maker::yes, now<deliver>},
    {"GET", "/files", readers, Maker::no, now<get_files>},
    {"GET", "/files/*", readers, Maker::no, now<get_file>},
    {"POST", "/files/*/release", releasers, Maker::no, later<release>},
    {"POST", "/files/*/void", operators, Maker::yes, now<void_file>},
    {"POST", "/files/*/deliver", operators_and_releasers, Maker::yes, now<deliver>},
    {"POST", "/files/*/acknowledge", operators_and_finance, Maker::yes, now<acknowledge_file>},
    {"POST", "/payments/*/void", operators, Maker::yes, now<void_payment>},
    {"GET", "/confirmations", readers, Maker::no, now<get_confirmations>},
    {"GET", "/confirmations/*", readers, Maker::no, now<get_confirmation>},
    {"GET", "/calendar", readers, Maker::no, now<get_calendar>},
    {"GET", "/forecast", readers, Maker::no, now<get_forecast>},
    {"GET", "/checks", readers, Maker::no, now<get_checks>},
    {"POST", "/checks/*/void", operators, Maker::yes, now<check_act>},
    {"POST", "/checks/*/stop", operators, Maker::yes, now<check_act>},
    {"POST", "/checks/*/withdraw", operators, Maker::yes, now<check_act>},
    {"POST", "/ingest", finance_alone, Maker::no, now<start_upload>, ConsoleAccess::passkey},
    {"POST", "/ingest/*/bytes", finance_alone, Maker::no, now<append_bytes>, ConsoleAccess::passkey},
    {"POST", "/ingest/*/preview", finance_alone, Maker::no, later<preview_upload>, ConsoleAccess::passkey},
    {"POST", "/ingest/*/take", finance_alone, Maker::yes, later<take_upload>},
    {"POST", "/pay", operators, Maker::yes, later<pay>},
    {"POST", "/pause", pausers, Maker::no, now<pause>, ConsoleAccess::passkey},
    {"POST", "/resume", operators, Maker::yes, now<resume_all>},
    {"POST", "/reload", operators, Maker::no, now<reload>},
    {"GET", "/alerts", readers, Maker::no, now<get_alerts>},
    {"POST", "/alerts/test", operators, Maker::no, later<test_alerts>},
    {"GET", "/runs", readers, Maker::no, now<get_runs>},
    {"GET", "/metrics", everybody, Maker::no, metrics},
    {"GET", "/healthz", everybody, Maker::no, health},
    {"GET", "/readyz", everybody, Maker::no, readiness},
    {"GET", "/verify", checkers, Maker::no, later<verify>},
    {"GET", "/reconcile", readers, Maker::no, now<get_reconcile>},
    {"GET", "/archive", archivists, Maker::no, later<archive_view>},
    {"POST", "/archive/show", archivists, Maker::no, archived_bytes},
    {"POST", "/backup", operators, Maker::no, later<back_up>},
    {"GET", "/backups", readers, Maker::no, now<get_backups>},
    {"GET", "/exports", readers, Maker::no, now<exports_view>},
    {"GET", "/audit", auditors, Maker::no, now<get_audit>},
    {"GET", "/acts", auditors, Maker::no, now<get_signed_acts>},
    {"GET", "/acts/*", auditors, Maker::no, now<get_signed_act>},
    {"GET", "/openapi.json", everybody, Maker::no, now<openapi>},
    {"GET", "/changes", readers, Maker::no, now<changes_view>},
    {"GET", "/changes/*", readers, Maker::no, now<show_change>},
    {"POST", "/changes/*/accept", operators_and_releasers, Maker::yes, now<accept_change>},
    {"POST", "/changes/*/reject", operators_and_releasers, Maker::yes, now<reject_change>},
    {"GET", "/people", everybody, Maker::no, now<people_view>},
    {"POST", "/people", admins, Maker::no, now<add_person>},
    {"POST", "/people/*/link", admins, Maker::no, now<change_link>},
    {"POST", "/people/*/unlink", admins, Maker::no, now<change_link>},
    {"POST", "/people/*/grant", admins, Maker::no, now<change_role>},
    {"POST", "/people/*/revoke", admins, Maker::no, now<change_role>},
    {"POST", "/people/*/lock", admins, Maker::no, now<change_lock>},
    {"POST", "/people/*/unlock", admins, Maker::no, now<change_lock>},
    {"POST", "/people/changes/*/confirm", admins, Maker::no, now<confirm_person_change>},
    {"POST", "/people/changes/*/reject", admins, Maker::no, now<reject_person_change>},
    {"POST", "/people/*/invite", admins, Maker::no, now<invite_person>, ConsoleAccess::not_served},
    {"GET", "/passkeys", everybody, Maker::no, now<passkeys_view>},
    {"POST", "/passkeys/*/confirm", admins, Maker::no, now<confirm_passkey>, ConsoleAccess::not_served},
    {"POST", "/passkeys/*/lock", admins, Maker::no, now<lock_passkey>},
    {"GET", "/sessions", everybody, Maker::no, now<get_sessions>},
    {"POST", "/sessions/*/end", everybody, Maker::no, now<end_session_of>},
    {"POST", "/console/link", everybody, Maker::no, now<make_console_link>, ConsoleAccess::not_served},
};

}  // namespace

std::span<const Route> routes() {
    return table;
}

// The caller's right is looked at before the body is.
asio::awaitable<Response> answer_request(AdminContext& context, Request request) {
    auto call = parse_request(request);
    if (!call) co_return respond(std::unexpected(call.error()));
    const Route* route = find_route(*call);
    if (route == nullptr) co_return refuse_unrouted(*call);
    call->standing = standing_of(context, request);
    call->is_signed = request.is_signed;
    call->groups = request.groups;
    if (auto allowed = authorize(context, *route, *call); !allowed) {
        co_return respond(std::unexpected(allowed.error()));
    }
    if (auto known = check_parameters(*route, *call); !known) co_return respond(std::unexpected(known.error()));
    if (context.reports != nullptr && is_report(*route)) {
        auto response = co_await context.reports->answer(request);
        if (response) co_return std::move(*response);
    }
    if (route->pattern == "/ingest/*/bytes") {
        call->bytes = std::move(request.body);
    } else {
        auto body = read_body(request.body);
        if (!body) co_return respond(std::unexpected(body.error()));
        call->body = std::move(*body);
        if (auto known = check_body(*route, *call); !known) co_return respond(std::unexpected(known.error()));
    }
    auto response = co_await route->handler(context, std::move(*call));
    constexpr int done = 200;
    if (route->method != "GET" && response.status == done) {
        context.program.acted();  // first: what the mark does not name is logged at the next start
        ledger::advance_high_water_mark(context.ledger);
    }
    response.read_from = context.read_from;
    co_return response;
}

asio::awaitable<Response> handle(AdminContext& context, Request request) {
    const std::string route = request.method + " " + request.target;
    // An act that fails because the disk is full did not happen. The daemon continues.
    std::optional<std::string> full;
    std::string failed;
    bool is_cut_short = false;
    try {
        if (request.by_console) {
            auto response = co_await answer_console(context, std::move(request));
            co_return response;
        }
        auto response = co_await answer_request(context, std::move(request));
        co_return response;
    } catch (const std::exception& failure) {
        full = ledger::no_space(context.ledger, failure);
        is_cut_short = context.turn.is_closed() && is_cancellation(failure);
        if (!full && !is_cut_short && ledger::is_fatal(failure)) throw;
        failed = failure.what();
    }
    if (is_cut_short) {
        co_return respond(fail(ErrorCode::cancelled,
                               "the daemon is stopping and cut this short: see `drawbridge status` after the next "
                               "start before you repeat it"));
    }
    if (full) co_return respond(fail(ErrorCode::unavailable, std::move(*full) + "; then repeat the request"));
    context.program.log(Program::LogLevel::error, route + " failed: " + failed);
    co_return internal_error(failed);
}

Response handle_monitoring(AdminContext& context, const Request& request) {
    if (request.method != "GET" && request.method != "HEAD") return refuse_method(request.method, "GET, HEAD");
    Request asked = request;
    asked.method = "GET";
    const auto call = parse_request(asked);
    if (!call) return respond(std::unexpected(call.error()));
    if (matches("/metrics", call->path)) return metrics_answer(context);
    if (matches("/healthz", call->path)) return healthz(context);
    if (matches("/readyz", call->path)) return readyz(context);
    return respond(fail(ErrorCode::not_found, "only /metrics, /healthz and /readyz are served here"));
}

}  // namespace drawbridge::admin
