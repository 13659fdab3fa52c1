// What forms do without a script, and what scripts ask for.
#include <array>
#include <utility>

#include "drawbridge/console/cookies.hpp"
#include "drawbridge/console/site.hpp"
#include "drawbridge/domain/money.hpp"
#include "drawbridge/domain/web_address.hpp"
#include "drawbridge/pages/act_form.hpp"
#include "drawbridge/pages/html.hpp"
#include "drawbridge/pages/screens.hpp"
#include "drawbridge/text/json.hpp"
#include "screens.hpp"
#include "site_parts.hpp"

namespace drawbridge::console {
namespace {

// Only a page of this console.
std::string local_page(const std::string& next) {
    return pages::Link::local(next) ? next : "/";
}

std::string text_at(const Json& from, const char* key) {
    const auto found = from.is_object() ? from.find(key) : from.end();
    return found != from.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// Of the daemon's routes on its socket for consoles, those that scripts may reach through this one. A sign-in is not
// among them: its token becomes a cookie.
struct Passed {
    std::string_view method, pattern;
};
constexpr Passed passed_on[] = {
    {"GET", "/api/me"},
    {"GET", "/api/pulse"},
    {"GET", "/api/openapi.json"},
    {"POST", "/api/session/challenge"},
    {"POST", "/api/enroll/begin"},
    {"POST", "/api/enroll"},
    {"POST", "/api/acts/challenge"},
    {"POST", "/api/acts/*"},
    {"POST", "/api/ingest"},
    {"POST", "/api/ingest/*/bytes"},
    {"POST", "/api/passkeys/*/lock"},
    {"POST", "/api/draws/refresh"},
};

bool is_passed_on(const WebRequest& request) {
    for (const auto& [method, pattern] : passed_on) {
        if (request.method == method && is_at(request.segments, pattern)) return true;
    }
    return false;
}

// The daemon's address of it, made anew from what was read.
std::string daemon_target(const WebRequest& request) {
    std::string target;
    for (std::size_t i = 1; i < request.segments.size(); ++i)
        target += "/" + percent_encoded(request.segments[i]);
    bool is_first = true;
    for (const auto& [key, value] : request.query) {
        target += std::string(is_first ? "?" : "&") + percent_encoded(key) + "=" + percent_encoded(value);
        is_first = false;
    }
    return target;
}

}  // namespace

asio::awaitable<Reply> Site::answer_post(Visit visit) {
    const auto& segments = visit.request.segments;
    // These two need a script, and say so.
    if (is_at(segments, "/sign-in")) co_return redirect("/sign-in");
    if (is_at(segments, "/enroll")) co_return redirect("/enroll");
    constexpr std::array<std::string_view, 8> with_forms = {
        "/preferences",        "/pause",          "/sign", "/sign-out", "/rules/try", "/draws/*/refresh",
        "/bank-files/preview", "/draws/*/explain"};
    bool has_form = false;
    for (const auto path : with_forms)
        has_form = has_form || is_at(segments, path);
    if (!has_form) co_return error_reply(visit, 405, "this address only shows a page");
    if (is_at(segments, "/sign-out")) {
        auto reply = co_await sign_out(std::move(visit));
        co_return reply;
    }
    auto form = read_form(visit.request.content_type, visit.request.body);
    visit.request.body.clear();
    if (!form) co_return error_reply(visit, 400, form.error().message);
    if (is_at(segments, "/preferences")) co_return prefer(visit, *form);
    auto known = co_await signed_in(std::move(visit));
    if (!known) co_return std::move(known.error());
    const auto is = [&](std::string_view path) { return is_at(known->request.segments, path); };
    if (is("/pause")) {
        auto reply = co_await pause(std::move(*known), std::move(*form));
        co_return reply;
    }
    if (is("/sign")) {
        auto reply = co_await sign(std::move(*known), std::move(*form));
        co_return reply;
    }
    if (is("/bank-files/preview")) {
        auto reply = co_await upload(std::move(*known), std::move(*form));
        co_return reply;
    }
    if (is("/draws/*/refresh")) {
        auto reply = co_await refresh(std::move(*known));
        co_return reply;
    }
    if (is("/draws/*/explain")) {
        auto reply = co_await explain(std::move(*known), std::move(*form));
        co_return reply;
    }
    auto reply = co_await try_rules(std::move(*known), std::move(*form));
    co_return reply;
}

Reply Site::prefer(const Visit&, const Form& form) const {
    Reply reply = redirect(local_page(form.value("next")));
    const auto set = [&](CookieName name, const std::string& value) {
        reply.fields.emplace_back("Set-Cookie", set_cookie(name, value, settings_.is_public()));
    };
    const std::string theme = form.value("theme"), keys = form.value("keys");
    if (theme == "light" || theme == "dark") set(CookieName::theme, theme);
    if (theme == "system") set(CookieName::theme, "");
    if (keys == "off") set(CookieName::keys, keys);
    if (keys == "on") set(CookieName::keys, "");
    return reply;
}

asio::awaitable<Reply> Site::pause(Visit visit, Form form) {
    const Json body = {{"reason", form.value("reason")}};
    const auto answer = co_await ask(visit, "POST", "/pause", dump(body));
    const auto done = json_of(visit, answer);
    if (!done) co_return done.error();
    co_return redirect(local_page(form.value("next")));
}

// An act whose form came here without a script: the text to sign, as a page.
asio::awaitable<Reply> Site::sign(Visit visit, Form form) {
    const auto act = pages::act_from_form(form.fields);
    if (!act) co_return error_reply(visit, 400, act.error().message);
    const Json body = {{"method", act->method}, {"path", act->path}, {"body", act->body}};
    const auto answer = co_await ask(visit, "POST", "/acts/challenge", dump(body));
    const auto challenge = json_of(visit, answer);
    if (!challenge) co_return challenge.error();
    co_return html(pages::sign_page(visit.page, *challenge, act->next), 200);
}

asio::awaitable<Reply> Site::sign_out(Visit visit) {
    // The cookie goes even where the daemon does not answer.
    if (!visit.token.empty()) static_cast<void>(co_await ask(visit, "DELETE", "/session"));
    remembered_.erase(visit.token);
    Reply reply = redirect("/sign-in");
    reply.fields.emplace_back("Set-Cookie", set_cookie(CookieName::session, "", settings_.is_public()));
    co_return reply;
}

// Reads a draw from the service again.
asio::awaitable<Reply> Site::refresh(Visit visit) {
    const std::string id = visit.request.segments.at(1);
    const auto number = text::parse_json(id);
    if (!number || !number->is_number_unsigned()) co_return error_reply(visit, 404, "");
    const Json body = {{"ids", Json::array({*number})}};
    const auto answer = co_await ask(visit, "POST", "/draws/refresh", dump(body));
    const auto done = json_of(visit, answer);
    if (!done) co_return done.error();
    const std::string problem = text_at(*done, "problem");
    if (!problem.empty()) co_return error_reply(visit, 502, problem);
    co_return redirect("/draws/" + percent_encoded(id));
}

// A small bank file from a form; scripts send larger ones in pieces.
asio::awaitable<Reply> Site::upload(Visit visit, Form form) {
    constexpr std::size_t piece = std::size_t{1} << 20;
    if (!form.file || form.file->bytes.empty()) co_return error_reply(visit, 400, "choose a file first");
    const auto begun = co_await ask(visit, "POST", "/ingest", "{}");
    const auto json = json_of(visit, begun);
    if (!json) co_return json.error();
    const std::string id = text_at(*json, "upload");
    for (std::size_t at = 0; at < form.file->bytes.size(); at += piece) {
        const std::string target = "/ingest/" + percent_encoded(id) + "/bytes?offset=" + std::to_string(at);
        const auto sent = co_await ask(visit, "POST", target, form.file->bytes.substr(at, piece));
        const auto taken = json_of(visit, sent);
        if (!taken) co_return taken.error();
    }
    co_return redirect("/bank-files/preview?upload=" + percent_encoded(id) +
                       "&name=" + percent_encoded(form.file->name));
}

// What a rule file of the reader would have decided. Nothing comes into force.
asio::awaitable<Reply> Site::try_rules(Visit visit, Form form) {
    if (!form.file) co_return error_reply(visit, 400, "choose a rule file first");
    const Json file = {{"rules", form.file->bytes}, {"file", form.file->name}};
    const auto checked = co_await ask(visit, "POST", "/rules/check", dump(file));
    const auto check = json_of(visit, checked);
    if (!check) co_return check.error();
    Json replayed = nullptr;
    if (check->value("ok", Json(false)) == true) {
        auto result = co_await backtest(visit, file);
        if (!result) co_return std::move(result.error());
        replayed = std::move(*result);
    }
    const auto rules = co_await ask(visit, "GET", "/rules");
    const auto in_force = json_of(visit, rules);
    const auto listed = co_await ask(visit, "GET", "/changes?limit=50");
    const auto changes = json_of(visit, listed);
    visit.page.path = "/rules";
    co_return html(
        pages::rules_page(visit.page, in_force.value_or(nullptr), changes.value_or(nullptr), *check, replayed), 200);
}

// What a rule file of the reader decides about one draw, beside what the rules in force do.
asio::awaitable<Reply> Site::explain(Visit visit, Form form) {
    const bool has_file = form.file && !form.file->bytes.empty();
    const Json file = {{"rules", has_file ? form.file->bytes : form.value("text")},
                       {"file", has_file ? form.file->name : "pasted rules"}};
    if (text_at(file, "rules").empty()) co_return error_reply(visit, 400, "choose a rule file, or paste its text");
    const std::string draw = "/draws/" + percent_encoded(visit.request.segments.at(1));
    const auto shown = co_await ask(visit, "GET", draw);
    const auto answer = json_of(visit, shown);
    if (!answer) co_return answer.error();
    const auto checked = co_await ask(visit, "POST", "/rules/check", dump(file));
    const auto check = json_of(visit, checked);
    if (!check) co_return check.error();
    Json trial = {{"file", has_file ? Json(form.file->name) : Json("")},
                  {"text", has_file ? Json("") : file["rules"]},
                  {"check", *check}};
    if (check->value("ok", Json(false)) == true) {
        const auto with_file = co_await ask(visit, "POST", draw + "/explain", dump(file));
        auto explained = json_of(visit, with_file);
        if (!explained) co_return std::move(explained.error());
        trial["explanation"] = std::move(*explained);
    }
    const auto asked = co_await ask(visit, "POST", draw + "/explain", "{}");
    const auto in_force = json_of(visit, asked);
    visit.page.path = draw;
    co_return html(pages::draw_page(visit.page, *answer, in_force.value_or(nullptr), trial), 200);
}

// Slice by slice; the daemon goes on with its work in between.
asio::awaitable<Site::OrReply<Json>> Site::backtest(Visit visit, Json body) {
    constexpr std::size_t max_changes = 500;
    Json all = nullptr;
    Money amount;
    Json next = 0;
    while (!next.is_null()) {
        body["after"] = next;
        const auto answer = co_await ask(visit, "POST", "/rules/backtest", dump(body));
        auto slice = json_of(visit, answer);
        if (!slice) co_return std::unexpected(std::move(slice.error()));
        next = slice->value("next_after", Json(nullptr));
        const auto more = Money::parse(text_at(*slice, "amount"));
        if (more) amount += *more;
        if (all.is_null()) {
            all = std::move(*slice);
        } else {
            all["draws"] = all.value("draws", std::int64_t{0}) + slice->value("draws", std::int64_t{0});
            for (auto& change : (*slice)["changes"])
                all["changes"].push_back(std::move(change));
        }
        if (all["changes"].size() >= max_changes) break;
    }
    all["amount"] = amount.to_string();
    all["next_after"] = next;  // not null: it stopped early
    co_return all;
}

asio::awaitable<Reply> Site::answer_script(Visit visit) {
    const auto& request = visit.request;
    const bool opens = request.method == "POST" &&
                       (is_at(request.segments, "/api/session/link") || is_at(request.segments, "/api/session"));
    if (opens) {
        auto reply = co_await open_session(std::move(visit));
        co_return reply;
    }
    if (request.method == "DELETE" && is_at(request.segments, "/api/session")) {
        auto reply = co_await sign_out(std::move(visit));
        reply.status = 200;
        reply.content_type = "application/json";
        reply.body = dump({{"ended", true}});
        co_return reply;
    }
    if (request.method == "GET" && is_at(request.segments, "/api/reconciliation/in-question")) {
        auto reply = co_await draws_in_question(std::move(visit));
        co_return reply;
    }
    if (!is_passed_on(request)) co_return error_reply(visit, 404, "there is nothing here");
    auto answer = co_await ask(visit, request.method, daemon_target(request), std::move(visit.request.body));
    if (!answer) co_return failure_of(visit, answer.error());
    co_return json_reply(std::move(answer->body), answer->status);
}

// The token becomes a cookie that no script sees; a session that was there before ends.
asio::awaitable<Reply> Site::open_session(Visit visit) {
    auto body = text::parse_json(visit.request.body);
    if (!body || !body->is_object()) co_return error_reply(visit, 400, "the body must be a JSON object");
    (*body)["address"] = visit.request.address;
    DaemonRequest request{"", "POST", daemon_target(visit.request), dump(*body)};
    const auto answer = co_await daemon_.ask(std::move(request));
    auto opened = json_of(visit, answer);
    if (!opened) co_return std::move(opened.error());
    const std::string token = text_at(*opened, "token");
    opened->erase("token");
    if (!visit.token.empty()) static_cast<void>(co_await ask(visit, "DELETE", "/session"));
    remembered_.erase(visit.token);
    Reply reply = json_reply(dump(*opened), 200);
    reply.fields.emplace_back("Set-Cookie", set_cookie(CookieName::session, token, settings_.is_public()));
    co_return reply;
}

}  // namespace drawbridge::console
