#include "drawbridge/admin/handlers.hpp"

#include <algorithm>
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>
#include <charconv>
#include <map>
#include <utility>

#include "alerts_view.hpp"
#include "approve.hpp"
#include "backtest.hpp"
#include "checks_view.hpp"
#include "delivery_view.hpp"
#include "drawbridge/admin/reconcile.hpp"
#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/ledger/draws.hpp"
#include "drawbridge/ledger/invariant_checks.hpp"
#include "health.hpp"
#include "ingest.hpp"
#include "keeping.hpp"
#include "resolutions.hpp"
#include "rules_view.hpp"
#include "views.hpp"

namespace drawbridge::admin {
namespace {

constexpr int default_limit = 1000;
constexpr int largest_limit = 10'000;

using Answer = Result<json>;

// A request taken apart: decoded path segments and query parameters, the body as an object.
struct Call {
    std::string method;
    std::vector<std::string> path;
    std::map<std::string, std::string> query;
    json body = json::object();
    std::string actor;
    std::string bytes = {};  // of an upload

    // "POST /files/*/release": `*` stands for any one segment.
    [[nodiscard]] bool is(std::string_view wanted_method, std::initializer_list<std::string_view> pattern) const {
        if (method != wanted_method || path.size() != pattern.size()) return false;
        auto segment = path.begin();
        for (const std::string_view part : pattern) {
            if (part != "*" && part != *segment) return false;
            ++segment;
        }
        return true;
    }
};

Result<Call> take_apart(const Request& request) {
    const auto url = boost::urls::parse_origin_form(request.target);
    if (!url) return fail(ErrorCode::invalid_input, "the request's address is not a path: " + request.target);
    Call call{.method = request.method, .path = {}, .query = {}, .actor = request.actor};
    for (const auto& segment : url->segments())
        call.path.push_back(segment);
    for (const auto& parameter : url->params()) {
        if (!call.query.emplace(parameter.key, parameter.value).second) {
            return fail(ErrorCode::invalid_input, "parameter '" + parameter.key + "' is given twice");
        }
    }
    if (call.is("POST", {"ingest", "*", "bytes"})) {
        call.bytes = request.body;
        return call;
    }
    if (request.body.empty()) return call;
    call.body = json::parse(request.body, nullptr, /*allow_exceptions=*/false);
    if (!call.body.is_object()) return fail(ErrorCode::invalid_input, "the body is not a JSON object");
    return call;
}

Result<std::int64_t> whole_number(std::string_view text, std::string_view what, std::int64_t low, std::int64_t high) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < low || value > high) {
        return fail(ErrorCode::invalid_input, std::string(what) + " '" + std::string(text) +
                                                  "' is not a whole number from " + std::to_string(low) + " to " +
                                                  std::to_string(high));
    }
    return value;
}

Result<std::string> reason_of(const Call& call) {
    const auto found = call.body.find("reason");
    if (found == call.body.end() || !found->is_string()) {
        return fail(ErrorCode::invalid_input, "a reason is missing: say why, it is kept with the act");
    }
    auto reason = found->get<std::string>();
    if (reason.find_first_not_of(" \t\r\n") == std::string::npos) {
        return fail(ErrorCode::invalid_input, "the reason is empty: say why, it is kept with the act");
    }
    return reason;
}

ledger::Stamp stamp(const AdminContext& context, const Call& call) {
    return {context.clock.now(), call.actor};
}

template <class Rows>
json list_view(std::string_view name, const Rows& rows) {
    json list = json::array();
    for (const auto& row : rows)
        list.push_back(view(row));
    return {{std::string(name), std::move(list)}};
}

// The last run of each stage, and what became of everything approved in the newest runs of `pay`.
Answer get_runs(AdminContext& context) {
    json answer = list_view("runs", ledger::last_runs(context.ledger));
    answer.update(list_view("pay_runs", ledger::pay_runs(context.ledger, /*limit=*/20)));
    return answer;
}

Answer get_draws(AdminContext& context, const Call& call) {
    bool with_fields = false;
    ledger::DrawFilter filter;
    filter.limit = default_limit;
    for (const auto& [key, value] : call.query) {
        if (key == "stage") {
            if (!ledger::is_stage(value)) {
                return fail(ErrorCode::invalid_input, "there is no stage '" + value + "': see `drawbridge status`");
            }
            filter.stage = value;
        } else if (key == "fields") {
            if (value != "true") return fail(ErrorCode::invalid_input, "parameter 'fields' can only be true");
            with_fields = true;
        } else if (key == "after") {
            const auto after = whole_number(value, "after", 0, INT64_MAX);
            if (!after) return std::unexpected(after.error());
            filter.after_id = *after;
        } else if (key == "limit") {
            const auto limit = whole_number(value, "limit", 1, largest_limit);
            if (!limit) return std::unexpected(limit.error());
            filter.limit = static_cast<int>(*limit);
        } else {
            return fail(ErrorCode::invalid_input, "unknown parameter '" + key + "'");
        }
    }
    ++filter.limit;  // one more tells whether there are more
    auto rows = ledger::list_draws(context.ledger, filter);
    const bool more = rows.size() == static_cast<std::size_t>(filter.limit);
    if (more) rows.pop_back();
    json answer = list_view("draws", rows);
    if (with_fields) {
        for (auto& draw : answer["draws"]) {
            const auto known = ledger::newest_reading(context.ledger, draw["id"].get<DrawId>());
            if (known) draw["fields"] = view(known->draw);
        }
    }
    answer["next_after"] = more ? json(rows.back().draw_id) : json(nullptr);
    return answer;
}

Answer get_draw(AdminContext& context, const Call& call) {
    const auto id = whole_number(call.path[1], "the draw's id", 1, INT64_MAX);
    if (!id) return std::unexpected(id.error());
    const auto row = ledger::find_draw(context.ledger, *id);
    if (!row) {
        return fail(ErrorCode::not_found,
                    "draw " + call.path[1] + " is not in the ledger: it was never seen in a poll");
    }
    json answer = {{"draw", view(*row)}};
    if (const auto known = ledger::newest_reading(context.ledger, *id)) answer["fields"] = view(known->draw);
    answer.update(list_view("exceptions", ledger::exceptions_of_draw(context.ledger, *id)));
    answer.update(list_view("timeline", ledger::timeline(context.ledger, *id)));
    return answer;
}

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

Answer get_exception(AdminContext& context, const Call& call) {
    const auto id = whole_number(call.path[1], "the exception's id", 1, INT64_MAX);
    if (!id) return std::unexpected(id.error());
    return exception_view(context, *id);
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

Answer get_files(AdminContext& context) {
    json files = json::array();
    for (const auto& file : ledger::payment_files(context.ledger, /*unreleased_only=*/false)) {
        json row = view(file);
        row["delivery"] = delivery_view(context.ledger, file.file_id);
        files.push_back(std::move(row));
    }
    return json{{"files", std::move(files)}};
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

Answer get_file(AdminContext& context, const Call& call) {
    const auto file = ledger::find_file(context.ledger, call.path[1]);
    if (!file) return fail(ErrorCode::not_found, "there is no payment file named " + call.path[1]);
    json answer = {{"file", view(*file)}};
    answer["file"]["delivery"] = delivery_steps_view(context.ledger, file->file_id);
    json payments = json::array();
    for (const auto& payment : ledger::load_file(context.ledger, file->file_id).file.payments) {
        payments.push_back(
            {{"payment_id", disbursement::format_payment_id(payment.payment_id)},
             {"draw_id", payment.draw_id},
             {"amount", payment.amount.to_string()},
             {"payee_key", payment.payee.key},
             {"payee_name", payment.payee.name},
             {"account", payment.payee.account_number ? json(payment.payee.account_number->masked()) : json(nullptr)},
             {"trace_number", payment.trace_number ? json(*payment.trace_number) : json(nullptr)},
             {"check_number", payment.check_number ? json(*payment.check_number) : json(nullptr)}});
    }
    answer["payments"] = std::move(payments);
    return answer;
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
    if (ledger::is_paused(context.ledger) == paused) {
        return fail(ErrorCode::conflict, paused ? "all movement of money is paused already" : "nothing is paused");
    }
    if (!paused) {
        const bool nothing_else_sent = call.body.value("nothing_else_sent", json(false)) == true;
        return resume(context, nothing_else_sent, *reason, stamp(context, call));
    }
    context.ledger.transaction([&] { ledger::set_paused(context.ledger, paused, *reason, stamp(context, call)); });
    return json{{"paused", paused}};
}

Answer reload(AdminContext& context, const Call& call) {
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

Answer get_alerts(AdminContext& context, const Call& call) {
    int limit = default_limit;
    for (const auto& [key, value] : call.query) {
        if (key != "limit") return fail(ErrorCode::invalid_input, "unknown parameter '" + key + "'");
        const auto number = whole_number(value, "limit", 1, largest_limit);
        if (!number) return std::unexpected(number.error());
        limit = static_cast<int>(*number);
    }
    return alerts_view(context, limit);
}

template <class T>
Result<void> take(std::optional<T>& into, Result<T> value) {
    if (!value) return std::unexpected(value.error());
    into = *value;
    return {};
}

// A slice of the reconciliation report.
Answer get_reconcile(AdminContext& context, const Call& call) {
    constexpr std::int64_t longest_days = 36'500;
    ReconcileQuery query;
    for (const auto& [key, value] : call.query) {
        Result<void> taken;
        std::optional<std::int64_t> days;
        if (key == "from") {
            taken = take(query.from, parse_date(value));
        } else if (key == "to") {
            taken = take(query.to, parse_date(value));
        } else if (key == "as_of") {
            taken = take(query.as_of, parse_instant(value));
        } else if (key == "overdue_after") {
            taken = take(days, whole_number(value, "overdue_after", 0, longest_days));
            query.overdue_after_days = days.value_or(0);
        } else if (key == "after") {
            query.after = value;
        } else {
            taken = fail(ErrorCode::invalid_input, "unknown parameter '" + key + "'");
        }
        if (!taken) return std::unexpected(taken.error());
    }
    const auto slice = reconcile_slice(context, query);
    if (!slice) return std::unexpected(slice.error());
    return to_json(*slice);
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
    if (call.is("GET", {"verify"})) return verify_view(context, stamp(context, call));
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
    if (auto answer = answer_monitoring(context, *call)) co_return std::move(*answer);
    if (call->is("POST", {"pay"})) co_return respond(co_await pay(context, *call));
    if (call->is("POST", {"backup"})) co_return respond(co_await back_up(context, call->body, call->actor));
    if (call->is("POST", {"draws", "refresh"})) co_return respond(co_await refresh(context, *call));
    if (call->is("POST", {"alerts", "test"})) co_return respond(co_await test_alerts(context, *call));
    if (call->is("POST", {"ingest", "*", "preview"}))
        co_return respond(co_await preview(context, call->path[1], call->body));
    if (call->is("POST", {"ingest", "*", "take"}))
        co_return respond(co_await take(context, call->path[1], call->body, call->actor));
    co_return respond(answer_now(context, *call));
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
