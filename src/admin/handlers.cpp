#include "drawbridge/admin/handlers.hpp"

#include <algorithm>
#include <utility>

#include "alerts_view.hpp"
#include "approve.hpp"
#include "backtest.hpp"
#include "call.hpp"
#include "checks_view.hpp"
#include "delivery_view.hpp"
#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/ledger/disk_space.hpp"
#include "drawbridge/ledger/draws.hpp"
#include "drawbridge/ledger/invariant_checks.hpp"
#include "health.hpp"
#include "ingest.hpp"
#include "keeping.hpp"
#include "questions.hpp"
#include "resolutions.hpp"
#include "rules_view.hpp"
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
    return approve_draws(context, call.body, *reason, stamp(context, call));
}

Answer act_on_exception(AdminContext& context, const Call& call) {
    const auto id = whole_number(call.path[1], "the exception's id", 1, INT64_MAX);
    if (!id) return std::unexpected(id.error());
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    const ledger::Resolution what{*id, *reason};
    if (call.path[2] == "undo") return undo(context, what, stamp(context, call));
    if (const auto row = ledger::find_exception(context.ledger, *id);
        row && !row->closed_at && needs_settlement(*row)) {
        return fail(ErrorCode::invalid_input,
                    "say what is to become of " + row->what.subject + ": resolve " + call.path[1] +
                        " --by-hand (the bank has it) or --again (the bank does not have it: upload it again)");
    }
    const auto match = call.body.value("match", json(""));
    if (!match.is_string()) return fail(ErrorCode::invalid_input, "'match' is not the text of a payment's id");
    return resolve(context, what, match.get<std::string>(), stamp(context, call));
}

Answer deliver(AdminContext& context, const Call& call) {
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    std::string file = call.path[1];
    if (call.path[0] == "exceptions") {
        const auto id = whole_number(call.path[1], "the exception's id", 1, INT64_MAX);
        if (!id) return std::unexpected(id.error());
        auto found = file_of_exception(context, *id);
        if (!found) return std::unexpected(found.error());
        file = std::move(*found);
    }
    const auto how = call.body.find("how");
    return settle_delivery(context, file, how != call.body.end() && how->is_string() ? how->get<std::string>() : "",
                           *reason, stamp(context, call));
}

Answer reissue_draw(AdminContext& context, const Call& call, DrawId id) {
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    const auto payment = context.reissue(id, *reason, stamp(context, call));
    if (!payment) return std::unexpected(payment.error());
    crash_point("reissue.committed");
    return json{{"draw_id", id}, {"after_payment", disbursement::format_payment_id(*payment)}};
}

Answer reissue(AdminContext& context, const Call& call) {
    const bool by_draw = call.path[0] == "draws";
    const auto id = whole_number(call.path[1], by_draw ? "the draw's id" : "the exception's id", 1, INT64_MAX);
    if (!id) return std::unexpected(id.error());
    if (by_draw) return reissue_draw(context, call, *id);
    const auto row = ledger::find_exception(context.ledger, *id);
    if (!row || !row->what.draw_id) {
        return fail(ErrorCode::not_found, "there is no exception " + call.path[1] +
                                              " about a draw: 'drawbridge exceptions' lists the open ones");
    }
    return reissue_draw(context, call, *row->what.draw_id);
}

Answer release(AdminContext& context, const Call& call) {
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    const auto file = context.release(call.path[1], *reason, stamp(context, call));
    if (!file) return std::unexpected(file.error());
    return json{{"file", view(*file)}};
}

Answer void_file(AdminContext& context, const Call& call) {
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    const auto file = context.void_file(call.path[1], *reason, stamp(context, call));
    if (!file) return std::unexpected(file.error());
    return json{{"file", view(*file)}};
}

Answer void_payment(AdminContext& context, const Call& call) {
    const auto id = disbursement::parse_payment_id(call.path[1]);
    if (!id) {
        return fail(ErrorCode::invalid_input, "'" + call.path[1].substr(0, 40) +
                                                  "' is no payment id: it is written like P0000000012, as 'drawbridge "
                                                  "file NAME' shows it");
    }
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    const auto voided = context.void_payment(*id, *reason, stamp(context, call));
    if (!voided) return std::unexpected(voided.error());
    return json{{"payment_id", call.path[1]}, {"draw_id", voided->draw_id}, {"file", view(voided->file)}};
}

Answer act_on_check(AdminContext& context, const Call& call) {
    const auto number = whole_number(call.path[1], "the check number", 1, INT64_MAX);
    if (!number) return std::unexpected(number.error());
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    return act_on_check(context, *number, call.path[2], *reason, stamp(context, call));
}

Answer set_paused(AdminContext& context, const Call& call, bool paused) {
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    // What the bank has can be known later than the rest: it lifts holds of a ledger that works again, too.
    const bool nothing_else_sent = !paused && call.body.value("nothing_else_sent", json(false)) == true;
    if (ledger::is_paused(context.ledger) == paused && !nothing_else_sent) {
        return fail(ErrorCode::conflict, paused ? "all movement of money is paused already" : "nothing is paused");
    }
    if (!paused) {
        return resume(context, nothing_else_sent, *reason, stamp(context, call));
    }
    context.ledger.transaction([&] { ledger::set_paused(context.ledger, paused, *reason, stamp(context, call)); });
    return json{{"paused", paused}};
}

Answer reload(AdminContext& context, const Call& call) {
    if (!context.reload) {
        return fail(ErrorCode::conflict,
                    "no daemon runs, so there is nothing to reload: rules and payees are read at the next start, and "
                    "`drawbridge check` says now whether they are good");
    }
    const auto by = stamp(context, call);
    if (call.body.contains("reason")) {
        const auto reason = reason_of(call);
        if (!reason) return std::unexpected(reason.error());
        context.ledger.transaction(
            [&] { ledger::audit(context.ledger, by, "reload.ordered", "rules and payees", *reason); });
    }
    const auto in_force = context.reload(by);
    if (!in_force) return std::unexpected(in_force.error());
    return json{{"in_force", *in_force}};
}

Answer append_bytes(AdminContext& context, const Call& call) {
    const auto given = call.query.find("offset");
    const auto offset = whole_number(given == call.query.end() ? "" : given->second, "offset", 0, INT64_MAX / 2);
    if (!offset) return std::unexpected(offset.error());
    return append_upload(context, call.path[1], static_cast<std::uint64_t>(*offset), call.bytes);
}

Answer answer_now(AdminContext& context, const Call& call) {
    if (call.is("GET", {"status"})) return status_view(context);
    if (call.is("GET", {"draws"})) return get_draws(context, call);
    if (call.is("GET", {"draws", "*"})) return get_draw(context, call);
    if (call.is("POST", {"draws", "*", "explain"})) return explain_draw(context, call);
    if (call.is("POST", {"draws", "approve"})) return approve(context, call);
    if (call.is("POST", {"rules", "backtest"})) return backtest(context, call.body);
    if (call.is("GET", {"rules", "*"})) return show_rule_set(context, call.path[1]);
    if (call.is("GET", {"exceptions"})) return exceptions_view(context);
    if (call.is("GET", {"exceptions", "*"})) return get_exception(context, call);
    if (call.is("POST", {"exceptions", "*", "resolve"})) return act_on_exception(context, call);
    if (call.is("POST", {"exceptions", "*", "undo"})) return act_on_exception(context, call);
    if (call.is("POST", {"exceptions", "*", "reissue"})) return reissue(context, call);
    if (call.is("POST", {"draws", "*", "reissue"})) return reissue(context, call);
    if (call.is("POST", {"exceptions", "*", "deliver"})) return deliver(context, call);
    if (call.is("POST", {"files", "*", "deliver"})) return deliver(context, call);
    if (call.is("GET", {"files"})) return get_files(context);
    if (call.is("GET", {"files", "*"})) return get_file(context, call);
    if (call.is("POST", {"files", "*", "release"})) return release(context, call);
    if (call.is("POST", {"files", "*", "void"})) return void_file(context, call);
    if (call.is("POST", {"payments", "*", "void"})) return void_payment(context, call);
    if (call.is("POST", {"ingest"})) return begin_upload(context);
    if (call.is("POST", {"ingest", "*", "bytes"})) return append_bytes(context, call);
    if (call.is("GET", {"checks"})) return checks_view(context);
    for (const std::string_view act : {"void", "stop", "withdraw"}) {
        if (call.is("POST", {"checks", "*", act})) return act_on_check(context, call);
    }
    if (call.is("POST", {"pause"})) return set_paused(context, call, /*paused=*/true);
    if (call.is("POST", {"resume"})) return set_paused(context, call, /*paused=*/false);
    if (call.is("POST", {"reload"})) return reload(context, call);
    if (call.is("GET", {"alerts"})) return get_alerts(context, call);
    if (call.is("GET", {"runs"})) return get_runs(context);
    if (call.is("GET", {"backups"})) return backups_view(context);
    if (call.is("GET", {"exports"})) return exports_view(context);
    if (call.is("GET", {"reconcile"})) return get_reconcile(context, call);
    return fail(ErrorCode::not_found,
                "there is nothing at " + call.method + " /" + (call.path.empty() ? std::string() : call.path.front()));
}

asio::awaitable<Answer> pay(AdminContext& context, Call call) {
    const auto reason = reason_of(call);
    if (!reason) co_return std::unexpected(reason.error());
    const auto outcome = co_await context.pay(std::move(call.actor), *reason);
    if (!outcome) co_return std::unexpected(outcome.error());
    co_return json{{"ok", outcome->ok}, {"summary", outcome->summary}, {"problems", outcome->problems}};
}

constexpr std::size_t largest_refresh = 500;

asio::awaitable<Answer> refresh(AdminContext& context, Call call) {
    std::vector<DrawId> ids;
    const auto given = call.body.find("ids");
    const bool is_list = given != call.body.end() && given->is_array() && !given->empty() &&
                         given->size() <= largest_refresh &&
                         std::ranges::all_of(*given, [](const json& id) { return id.is_number_integer(); });
    if (!is_list) co_return fail(ErrorCode::invalid_input, "'ids' must be a list of 1 to 500 draws");
    for (const auto& id : *given) {
        ids.push_back(id.get<DrawId>());
        if (ledger::newest_reading(context.ledger, ids.back())) continue;
        co_return fail(ErrorCode::not_found, "draw " + std::to_string(ids.back()) + " is not in the ledger");
    }
    const auto refreshed = co_await context.refresh(std::move(ids));
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
    const auto tests = co_await context.test_alerts(*reason, std::move(by));
    if (!tests) co_return std::unexpected(tests.error());
    json answer = {{"tests", view(*tests)}};
    co_return Answer(std::move(answer));
}

asio::awaitable<Answer> answer_in_time(AdminContext& context, Call call) {
    if (call.is("POST", {"pay"})) co_return co_await pay(context, std::move(call));
    if (call.is("POST", {"backup"})) co_return co_await back_up(context, call.body, call.actor);
    if (call.is("GET", {"verify"})) {
        co_return co_await verify_view(context, std::move(call.actor), std::move(call.query["entry"]));
    }
    if (call.is("POST", {"draws", "refresh"})) co_return co_await refresh(context, std::move(call));
    if (call.is("POST", {"alerts", "test"})) co_return co_await test_alerts(context, std::move(call));
    if (call.is("POST", {"ingest", "*", "preview"})) co_return co_await preview(context, call.path[1], call.body);
    if (call.is("POST", {"ingest", "*", "take"})) {
        co_return co_await take(context, call.path[1], call.body, call.actor);
    }
    co_return answer_now(context, call);
}

int http_status(ErrorCode code) {
    switch (code) {
        case ErrorCode::invalid_input: return 400;
        case ErrorCode::not_found: return 404;
        case ErrorCode::conflict: return 409;
        case ErrorCode::unauthorized: return 401;
        case ErrorCode::forbidden: return 403;
        case ErrorCode::timeout: return 504;
        case ErrorCode::unavailable:
        case ErrorCode::cancelled: return 503;
        case ErrorCode::protocol:
        case ErrorCode::outcome_unknown: return 502;
        case ErrorCode::exhausted: return 409;
    }
    return 500;
}

// A file's name may be no UTF-8; what cannot be shown is replaced.
std::string dump(const json& value) {
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

Response respond(const Answer& answer) {
    if (answer) return {200, dump(*answer)};
    const auto& error = answer.error();
    return {http_status(error.code), dump({{"error", {{"code", to_string(error.code)}, {"message", error.message}}}})};
}

// Not in the envelope of the other answers: what monitoring systems understand.
std::optional<Response> answer_monitoring(AdminContext& context, const Call& call) {
    if (call.is("GET", {"metrics"})) {
        return Response{200, metrics_text(context), "text/plain; version=0.0.4; charset=utf-8"};
    }
    if (call.is("GET", {"healthz"})) return healthz(context);
    if (call.is("GET", {"readyz"})) return readyz(context);
    return std::nullopt;
}

}  // namespace

asio::awaitable<Response> handle(AdminContext& context, Request request) {
    const auto call = take_apart(request);
    if (!call) co_return respond(std::unexpected(call.error()));
    // An act for which the disk has no room did not happen, and the daemon goes on.
    std::optional<std::string> full;
    try {
        if (auto answer = answer_monitoring(context, *call)) co_return std::move(*answer);
        auto answer = co_await answer_in_time(context, *call);
        co_return respond(answer);
    } catch (const std::exception& failure) {
        full = ledger::no_space(context.ledger, failure);
        if (!full) throw;
    }
    co_return respond(fail(ErrorCode::unavailable, std::move(*full) + ", then order it again"));
}

Response handle_monitoring(AdminContext& context, const Request& request) {
    if (request.method != "GET" && request.method != "HEAD") {
        return respond(fail(ErrorCode::invalid_input, "only GET is answered here"));
    }
    Request asked = request;
    asked.method = "GET";
    const auto call = take_apart(asked);
    if (!call) return respond(std::unexpected(call.error()));
    if (auto answer = answer_monitoring(context, *call)) return std::move(*answer);
    return respond(fail(ErrorCode::not_found, "here are /metrics, /healthz and /readyz"));
}

}  // namespace drawbridge::admin
