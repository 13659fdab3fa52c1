#include "drawbridge/console/site.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

#include "downloads.hpp"
#include "drawbridge/console/cookies.hpp"
#include "drawbridge/console/request_guard.hpp"
#include "drawbridge/domain/web_address.hpp"
#include "drawbridge/pages/assets.hpp"
#include "drawbridge/pages/filter_words.hpp"
#include "drawbridge/pages/screens.hpp"
#include "screens.hpp"
#include "site_parts.hpp"

namespace drawbridge::console {
namespace {

pages::Theme theme_of(std::string_view value) {
    if (value == "light") return pages::Theme::light;
    return value == "dark" ? pages::Theme::dark : pages::Theme::system;
}

Reply asset_reply(const WebRequest& request) {
    const auto* asset = pages::find_asset(request.path());
    Reply reply;
    reply.content_type = "text/plain; charset=utf-8";
    if (asset == nullptr) {
        reply.status = 404;
        reply.body = "there is no such asset\n";
        return reply;
    }
    reply.content_type = asset->content_type;
    reply.body = asset->bytes;
    reply.is_asset = true;
    return reply;
}

bool is_for_a_script(const WebRequest& request) {
    return !request.segments.empty() && request.segments.front() == "api";
}

// Of GET /me: the only role is admin, which does not read Today.
bool only_administers(const Json& me) {
    return me.is_object() && me.value("roles", Json()) == Json::array({"admin"});
}

int status_of(ErrorCode code) {
    return code == ErrorCode::timeout ? 504 : 503;
}

}  // namespace

Reply html(std::string page, int status) {
    Reply reply;
    reply.status = status;
    reply.body = std::move(page);
    return reply;
}

Reply json_reply(std::string body, int status) {
    Reply reply;
    reply.status = status;
    reply.content_type = "application/json";
    reply.body = std::move(body);
    return reply;
}

Json error_json(std::string_view code, std::string_view message) {
    return {{"error", {{"code", code}, {"message", message}}}};
}

std::string dump(const Json& value) {
    return value.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

Site::Site(asio::any_io_executor executor, const Settings& settings, const Clock& clock,
           std::function<void(const std::string&)> log)
    : settings_(settings),
      clock_(clock),
      log_(std::move(log)),
      daemon_(executor, settings.socket, settings.limits.max_daemon_requests),
      pulses_(executor, daemon_, settings.limits.max_streams_per_session) {
    pulses_.when_over([this](const std::string& token) { remembered_.erase(token); });
}

Site::~Site() = default;

asio::awaitable<Reply> Site::answer(WebRequest request) {
    const bool is_script = is_for_a_script(request);
    std::string failure;
    try {
        auto reply = co_await answer_or_throw(std::move(request));
        co_return reply;
    } catch (const std::exception& error) {
        failure = error.what();
    }
    log_("a request failed: " + failure);
    const Json error = error_json("internal", "the console failed: look at its journal");
    if (is_script) co_return json_reply(dump(error), 500);
    const pages::PageContext page{.now = clock_.now()};
    co_return html(pages::error_page(page, 500, error), 500);
}

Site::Visit Site::visit_of(WebRequest request) const {
    const bool is_public = settings_.is_public();
    pages::PageContext page{.now = clock_.now()};
    page.path = request.target;
    page.theme = theme_of(cookie_value(request.cookie, CookieName::theme, is_public));
    page.has_single_keys = cookie_value(request.cookie, CookieName::keys, is_public) != "off";
    std::string token = cookie_value(request.cookie, CookieName::session, is_public);
    return {std::move(request), std::move(token), std::move(page)};
}

asio::awaitable<Reply> Site::answer_or_throw(WebRequest request) {
    Visit visit = visit_of(std::move(request));
    if (const auto fault = cross_site_fault(visit.request, settings_.origin))
        co_return error_reply(visit, 403, std::string(*fault));
    const auto& segments = visit.request.segments;
    if (!segments.empty() && segments.front() == "assets") co_return asset_reply(visit.request);
    if (is_for_a_script(visit.request)) {
        auto reply = co_await answer_script(std::move(visit));
        co_return reply;
    }
    if (visit.request.method == "GET") {
        auto reply = co_await answer_get(std::move(visit));
        co_return reply;
    }
    if (visit.request.method == "POST") {
        auto reply = co_await answer_post(std::move(visit));
        co_return reply;
    }
    co_return error_reply(visit, 405, "this address only shows a page");
}

asio::awaitable<Reply> Site::answer_get(Visit visit) {
    const auto& segments = visit.request.segments;
    // Where the way in is, no session is needed, and what there was of one is not looked at.
    if (is_at(segments, "/sign-in"))
        co_return html(pages::sign_in_page(visit.page, visit.request.parameter("next")), 200);
    if (is_at(segments, "/open")) co_return html(pages::open_page(visit.page), 200);
    if (is_at(segments, "/enroll")) co_return html(pages::enroll_page(visit.page), 200);
    if (is_at(segments, "/events")) {
        auto reply = co_await events(std::move(visit));
        co_return reply;
    }
    auto known = co_await signed_in(std::move(visit));
    if (!known) co_return std::move(known.error());
    if (is_at(known->request.segments, "/find")) {
        auto reply = co_await find(std::move(*known));
        co_return reply;
    }
    if (is_at(known->request.segments, "/reconciliation")) {
        auto reply = co_await reconciliation(std::move(*known));
        co_return reply;
    }
    if (is_at(known->request.segments, "/reconciliation.csv")) {
        auto reply = co_await reconciliation_csv(std::move(*known));
        co_return reply;
    }
    if (is_at(known->request.segments, "/bank-files/preview.csv")) {
        auto reply = co_await preview_report(std::move(*known));
        co_return reply;
    }
    const bool is_list = is_at(known->request.segments, "/draws");
    if (is_list || is_at(known->request.segments, "/draws.csv")) {
        if (is_list) {
            if (const auto narrowed = pages::draws_by_words(known->request.query)) co_return redirect(narrowed->text());
        }
        auto filters = pages::read_draw_filters(known->request.query);
        if (!filters) co_return error_reply(*known, 400, filters.error().message);
        known->request.query = std::move(*filters);
    }
    if (const auto* download = find_download(known->request.segments)) {
        auto reply = co_await save(std::move(*known), *download);
        co_return reply;
    }
    if (known->request.segments.empty() && only_administers(known->page.me)) co_return redirect("/people");
    const Screen* screen = find_screen(known->request.segments);
    if (screen == nullptr) co_return error_reply(*known, 404, "");
    auto reply = co_await show(std::move(*known), screen);
    co_return reply;
}

// The page's context, with who looks and how things stand. Otherwise: the way to sign in, or that the daemon is away.
asio::awaitable<Site::OrReply<Site::Visit>> Site::signed_in(Visit visit) {
    if (visit.token.empty()) co_return std::unexpected(to_sign_in(visit));
    const auto me = co_await ask(visit, "GET", "/me");
    auto who = json_of(visit, me);
    if (!who) {
        auto old = me ? std::nullopt : remembered(visit);
        co_return std::unexpected(old ? std::move(*old) : std::move(who.error()));
    }
    pages::set_reader(visit.page, std::move(*who));
    const auto pulse = co_await ask(visit, "GET", "/pulse");
    if (pulse && pulse->ok()) visit.page.pulse = pulse->json();
    co_return visit;
}

asio::awaitable<Result<DaemonAnswer>> Site::ask(const Visit& visit, std::string method, std::string target,
                                                std::string body) {
    DaemonRequest request{visit.token, std::move(method), std::move(target), std::move(body), visit.request.by_itself};
    auto answer = co_await daemon_.ask(std::move(request));
    // Whoever asked: the session has ended.
    if (answer && answer->status == 401) remembered_.erase(visit.token);
    co_return answer;
}

Site::OrReply<Json> Site::json_of(const Visit& visit, const Result<DaemonAnswer>& answer) const {
    if (!answer) return std::unexpected(failure_of(visit, answer.error()));
    if (!answer->ok()) return std::unexpected(refusal_of(visit, *answer));
    return answer->json();
}

Reply Site::refusal_of(const Visit& visit, const DaemonAnswer& answer) const {
    if (is_for_a_script(visit.request)) return json_reply(answer.body, answer.status);
    if (answer.status == 401) return to_sign_in(visit);
    return html(pages::error_page(visit.page, answer.status, answer.json()), answer.status);
}

Reply Site::failure_of(const Visit& visit, const Error& error) const {
    const int status = status_of(error.code);
    if (is_for_a_script(visit.request))
        return json_reply(dump(error_json(to_string(error.code), error.message)), status);
    if (error.code == ErrorCode::unavailable) return html(pages::away_page(visit.page), status);
    return error_reply(visit, status, error.message);
}

Reply Site::error_reply(const Visit& visit, int status, const std::string& message) const {
    const Json error = error_json(status == 403 ? "forbidden" : "invalid_input", message);
    if (is_for_a_script(visit.request)) return json_reply(dump(error), status);
    auto reply = html(pages::error_page(visit.page, status, message.empty() ? Json(nullptr) : error), status);
    if (status == 405) reply.fields.emplace_back("Allow", "GET, HEAD");  // it only shows a page
    return reply;
}

Reply Site::to_sign_in(const Visit& visit) const {
    const bool is_page = visit.request.method == "GET";
    Reply reply = redirect("/sign-in?next=" + percent_encoded(is_page ? visit.request.target : "/"));
    if (!visit.token.empty())
        reply.fields.emplace_back("Set-Cookie", set_cookie(CookieName::session, "", settings_.is_public()));
    return reply;
}

}  // namespace drawbridge::console
