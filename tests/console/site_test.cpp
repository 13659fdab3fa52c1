// The whole console before a daemon of the test: what it asks, what browsers get, and what it never lets through.
#include "drawbridge/console/site.hpp"

#include <set>

#include "console/site_fixture.hpp"
#include "drawbridge/api/request_head.hpp"
#include "drawbridge/domain/web_address.hpp"
#include "drawbridge/pages/assets.hpp"
#include "pages/screen_list.hpp"
#include "screens.hpp"

namespace drawbridge::console {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(SiteTest, every_screen_is_drawn_in_the_name_of_its_session) {
    start();
    for (const auto& screen : screens()) {
        std::string target(screen.pattern);
        if (const auto star = target.find('*'); star != std::string::npos) target.replace(star, 1, "17");
        if (target == "/checks/17") continue;  // the daemon of this test has none
        if (target == "/bank-files/preview") target += "?upload=u1&name=paid.csv";
        daemon_->forget();
        const std::string answer = get(target);
        EXPECT_EQ(status_in(answer), 200) << target;
        EXPECT_EQ(header_in(answer, "Content-Type"), "text/html; charset=utf-8") << target;
        EXPECT_EQ(header_in(answer, "Cache-Control"), "no-store") << target;
        EXPECT_THAT(header_in(answer, "Content-Security-Policy"), HasSubstr("default-src 'none'")) << target;
        EXPECT_THAT(answer, HasSubstr("Anna Berg")) << target;
        EXPECT_LT(answer.size(), 100'000U) << target;
        for (const auto& asked : daemon_->asked())
            EXPECT_EQ(asked.authorization, "Session " + token) << asked.target;
    }
}

TEST_F(SiteTest, without_a_session_every_screen_leads_to_the_sign_in) {
    start();
    for (const auto& screen : screens()) {
        std::string target(screen.pattern);
        if (const auto star = target.find('*'); star != std::string::npos) target.replace(star, 1, "17");
        const std::string answer = get(target, "");
        EXPECT_EQ(status_in(answer), 303) << target;
        EXPECT_EQ(header_in(answer, "Location"), "/sign-in?next=" + percent_encoded(target)) << target;
    }
    EXPECT_TRUE(daemon_->asked().empty());
}

TEST_F(SiteTest, a_session_that_is_over_loses_its_cookie) {
    start();
    const std::string answer = get("/draws", "Cookie: drawbridge-session=old\r\n");
    EXPECT_EQ(status_in(answer), 303);
    EXPECT_EQ(header_in(answer, "Set-Cookie"), "drawbridge-session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0");
}

TEST_F(SiteTest, parameters_of_a_page_are_passed_on_and_others_are_not) {
    start();
    daemon_->forget();
    EXPECT_EQ(status_in(get("/checks?state=stale&evil=1")), 200);
    EXPECT_THAT(daemon_->requests(), ::testing::Contains("GET /checks?limit=150&state=stale"));
    daemon_->forget();
    static_cast<void>(get("/draws?state=held&text=a%20b%26c&after=40"));
    EXPECT_THAT(daemon_->requests(), ElementsAre("GET /me", "GET /pulse",
                                                 "GET /draws?total=true&limit=150&state=held&text=a%20b%26c&after=40"));
    daemon_->forget();
    static_cast<void>(get("/files/ACH%3F%23-1.ach"));
    EXPECT_THAT(daemon_->requests().at(2), HasSubstr("GET /files/ACH%3F%23-1.ach?payments_limit="));
}

TEST_F(SiteTest, a_refusal_of_the_daemon_is_a_page_with_its_words_and_status) {
    start();
    const std::string answer = get("/draws/404");
    EXPECT_EQ(status_in(answer), 404);
    EXPECT_THAT(answer, HasSubstr("Draw 404 is not in the ledger"));
    EXPECT_EQ(status_in(get("/nothing/here")), 404);
}

TEST_F(SiteTest, the_token_becomes_a_cookie_that_no_script_sees) {
    start();
    const std::string answer = post("/api/session/link", R"({"code":"abc"})", ours, "application/json");
    EXPECT_EQ(status_in(answer), 200);
    EXPECT_EQ(header_in(answer, "Set-Cookie"), "drawbridge-session=" + token + "; Path=/; HttpOnly; SameSite=Strict");
    EXPECT_EQ(body_in(answer), R"({"me":{"read_only":true}})");
    EXPECT_EQ(daemon_->asked().at(0).body, R"({"address":"127.0.0.1","code":"abc"})");
    EXPECT_EQ(daemon_->asked().at(0).authorization, "");
}

TEST_F(SiteTest, a_session_that_was_there_before_ends_with_the_new_one) {
    start();
    static_cast<void>(post("/api/session", "{}", "Cookie: drawbridge-session=planted\r\n" + ours, "application/json"));
    EXPECT_THAT(daemon_->requests(), ElementsAre("POST /session", "DELETE /session"));
    EXPECT_EQ(daemon_->asked().at(1).authorization, "Session planted");
}

TEST_F(SiteTest, signing_out_ends_the_session_and_takes_the_cookie) {
    start();
    const std::string answer = post("/sign-out", "");
    EXPECT_EQ(status_in(answer), 303);
    EXPECT_THAT(header_in(answer, "Set-Cookie"), HasSubstr("Max-Age=0"));
    EXPECT_THAT(daemon_->requests(), ElementsAre("DELETE /session"));
}

TEST_F(SiteTest, no_other_site_reaches_a_form_or_an_address_for_scripts) {
    start();
    const std::string evil = "Origin: https://evil.example\r\nSec-Fetch-Site: cross-site\r\n";
    for (const char* target : {"/pause", "/preferences", "/sign", "/sign-out", "/rules/try", "/bank-files/preview",
                               "/api/session", "/api/session/link", "/api/acts/challenge", "/api/acts/act-1",
                               "/api/ingest", "/api/ingest/u/bytes", "/api/enroll"}) {
        for (const std::string& from :
             {evil, std::string(), std::string("Origin: null\r\n"), std::string("Sec-Fetch-Site: same-origin\r\n")}) {
            EXPECT_EQ(status_in(post(target, "reason=x", cookie + from)), 403) << target << ' ' << from;
        }
    }
    EXPECT_EQ(status_in(get("/events", cookie + evil)), 403);
    EXPECT_EQ(status_in(get("/api/me", cookie + evil)), 403);
    EXPECT_TRUE(daemon_->asked().empty());
}

TEST_F(SiteTest, scripts_reach_only_what_the_table_names) {
    start();
    for (const char* target :
         {"/api/pay", "/api/resume", "/api/files/A/release", "/api/console/link", "/api/people/1/invite",
          "/api/passkeys/f/confirm", "/api/session/link/x", "/api", "/api/ingest/u/take"}) {
        EXPECT_EQ(status_in(post(target, "{}", cookie + ours, "application/json")), 404) << target;
    }
    EXPECT_TRUE(daemon_->asked().empty());
    EXPECT_EQ(status_in(post("/api/ingest/u%201/bytes?offset=5", "abc", cookie + ours, "application/octet-stream")),
              200);
    EXPECT_THAT(daemon_->requests(), ElementsAre("POST /ingest/u%201/bytes?offset=5"));
    EXPECT_EQ(daemon_->asked().at(0).body, "abc");
}

TEST_F(SiteTest, an_act_without_a_script_shows_the_text_to_sign) {
    start();
    const std::string answer =
        post("/sign", "act.path=%2Ffiles%2FACH-1%2Frelease&act.next=%2Ffiles&reason=looked+at&expect.total=1.00",
             cookie + "Origin: null\r\nSec-Fetch-Site: same-origin\r\n");
    EXPECT_EQ(status_in(answer), 200);
    EXPECT_THAT(answer, HasSubstr("release ACH-1\ntotal: $1.00"));
    const auto asked = daemon_->asked();
    ASSERT_EQ(asked.size(), 3U);
    EXPECT_EQ(json::parse(asked[2].body), json({{"method", "POST"},
                                                {"path", "/files/ACH-1/release"},
                                                {"body", {{"reason", "looked at"}, {"expect", {{"total", "1.00"}}}}}}));
}

// The values of an attribute, without "&amp;".
std::set<std::string> values_of(const std::string& page, const std::string& before) {
    std::set<std::string> all;
    for (auto at = page.find(before); at != std::string::npos; at = page.find(before, at + 1)) {
        const auto begin = at + before.size();
        std::string value = page.substr(begin, page.find('"', begin) - begin);
        for (auto mark = value.find("&amp;"); mark != std::string::npos; mark = value.find("&amp;"))
            value.erase(mark + 1, 4);
        all.insert(value);
    }
    return all;
}

TEST_F(SiteTest, every_form_and_every_link_of_every_screen_leads_somewhere) {
    start();
    std::set<std::string> forms, links;
    for (const auto& screen : pages::samples::screens()) {
        const std::string page = screen.make(pages::Theme::light, {});
        forms.merge(values_of(page, "method=\"post\" action=\""));
        links.merge(values_of(page, "<a href=\"/"));
    }
    ASSERT_THAT(forms, ::testing::SizeIs(::testing::Ge(6)));
    ASSERT_THAT(links, ::testing::SizeIs(::testing::Ge(50)));
    for (const auto& form : forms)
        EXPECT_THAT(status_in(post(form, "a=b")), ::testing::AllOf(::testing::Ne(404), ::testing::Ne(405))) << form;
    EXPECT_THAT(post("/draws", "a=b"), HasSubstr("\r\nAllow: GET, HEAD\r\n"));
    EXPECT_THAT(post("/draws", "a=b", cookie + ours, "text/plain", "PUT"),
                HasSubstr("\r\nAllow: GET, HEAD, POST, DELETE\r\n"));
    for (const auto& link : links)
        EXPECT_THAT(status_in(get("/" + link.substr(0, link.find('#')))), ::testing::Ne(404)) << link;
}

TEST_F(SiteTest, a_draw_is_read_from_the_service_again) {
    start();
    const std::string answer = post("/draws/17/refresh", "");
    EXPECT_EQ(status_in(answer), 303);
    EXPECT_EQ(header_in(answer, "Location"), "/draws/17");
    EXPECT_EQ(daemon_->asked().back().target, "/draws/refresh");
    EXPECT_EQ(json::parse(daemon_->asked().back().body), json({{"ids", {17}}}));
    EXPECT_EQ(status_in(post("/draws/x/refresh", "")), 404);
}

TEST_F(SiteTest, a_draw_is_explained_with_rules_that_the_reader_pastes) {
    start();
    const std::string type = "multipart/form-data; boundary=b";
    const auto form = [](const std::string& file, const std::string& text) {
        return "--b\r\nContent-Disposition: form-data; name=\"rules\"; filename=\"" +
               std::string(file.empty() ? "" : "new.yaml") + "\"\r\n\r\n" + file +
               "\r\n--b\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\n" + text + "\r\n--b--\r\n";
    };
    EXPECT_EQ(status_in(post("/draws/17/explain", form("", ""), cookie + ours, type)), 400);
    daemon_->forget();
    const std::string pasted = post("/draws/17/explain", form("", "rules: [<b>]"), cookie + ours, type);
    EXPECT_EQ(status_in(pasted), 200);
    EXPECT_THAT(pasted, HasSubstr("rules: [&lt;b&gt;]</textarea>"));
    EXPECT_THAT(daemon_->requests(), ElementsAre("GET /me", "GET /pulse", "GET /draws/17", "POST /rules/check",
                                                 "POST /draws/17/explain", "POST /draws/17/explain"));
    const json sent = {{"rules", "rules: [<b>]"}, {"file", "pasted rules"}};
    EXPECT_EQ(json::parse(daemon_->asked().at(3).body), sent);
    EXPECT_EQ(json::parse(daemon_->asked().at(4).body), sent);
    EXPECT_EQ(daemon_->asked().at(5).body, "{}") << "the rules in force beside it";
    daemon_->forget();
    static_cast<void>(post("/draws/17/explain", form("rules: []", ""), cookie + ours, type));
    EXPECT_EQ(json::parse(daemon_->asked().at(4).body), json({{"rules", "rules: []"}, {"file", "new.yaml"}}));
    // A rule file that is as large as a bank's file may be.
    EXPECT_EQ(status_in(post("/draws/17/explain", form(std::string(200'000, '#'), ""), cookie + ours, type)), 200);
}

TEST_F(SiteTest, a_form_leads_back_to_pages_of_this_console_only) {
    start();
    EXPECT_EQ(header_in(post("/preferences", "theme=dark&next=%2Fdraws%3Fstate%3Dheld"), "Location"),
              "/draws?state=held");
    for (const char* next : {"https%3A%2F%2Fevil.example", "%2F%2Fevil.example", "%2F%5Cevil.example", "javascript%3A1",
                             "%2Fa%0D%0ASet-Cookie%3A%20x%3Dy"}) {
        const std::string answer = post("/preferences", "theme=dark&next=" + std::string(next));
        EXPECT_EQ(header_in(answer, "Location"), "/") << next;
        EXPECT_THAT(answer, Not(HasSubstr("Set-Cookie: x"))) << next;
    }
}

TEST_F(SiteTest, the_reader_chooses_colors_and_keys) {
    start();
    EXPECT_THAT(header_in(post("/preferences", "theme=dark&next=%2F"), "Set-Cookie"),
                HasSubstr("drawbridge-theme=dark;"));
    EXPECT_THAT(get("/me", cookie.substr(0, cookie.size() - 2) + "; drawbridge-theme=dark\r\n"),
                HasSubstr("data-theme=\"dark\""));
    EXPECT_THAT(header_in(post("/preferences", "keys=off&next=%2Fme"), "Set-Cookie"),
                HasSubstr("drawbridge-keys=off;"));
}

TEST_F(SiteTest, whoever_only_administers_begins_with_the_people) {
    start();
    roles_ = {"admin"};
    EXPECT_EQ(header_in(get("/"), "Location"), "/people");
    roles_ = {"admin", "viewer"};
    EXPECT_EQ(status_in(get("/")), 200);
}

TEST_F(SiteTest, a_page_that_loads_itself_again_says_so_to_the_daemon) {
    start();
    const std::string by_itself(api::by_itself_field);
    const auto says_so = [](const FakeDaemon::Asked& asked) { return asked.by_itself; };
    static_cast<void>(get("/"));
    EXPECT_TRUE(std::ranges::none_of(daemon_->asked(), says_so));
    daemon_->forget();
    static_cast<void>(get("/", cookie + by_itself + ": 1\r\n"));
    EXPECT_GE(daemon_->asked().size(), 5U);
    EXPECT_TRUE(std::ranges::all_of(daemon_->asked(), says_so));
    for (const char* module : {"modules/live.js", "modules/retry.js"})
        EXPECT_THAT(std::string(pages::find_asset(pages::asset_link(module).text())->bytes), HasSubstr(by_itself));
}

TEST_F(SiteTest, assets_are_kept_for_good_and_nothing_else_is) {
    start();
    for (const auto& asset : pages::assets()) {
        const std::string answer = get(pages::asset_link(asset.name).text(), "");
        EXPECT_EQ(status_in(answer), 200) << asset.name;
        EXPECT_EQ(header_in(answer, "Cache-Control"), "public, max-age=31536000, immutable") << asset.name;
        EXPECT_EQ(header_in(answer, "Content-Type"), asset.content_type) << asset.name;
        EXPECT_EQ(body_in(answer), asset.bytes) << asset.name;
    }
    const std::string missing = get("/assets/0/app.css", "");
    EXPECT_EQ(status_in(missing), 404);
    EXPECT_EQ(header_in(missing, "Cache-Control"), "no-store");
}

TEST_F(SiteTest, what_leads_in_needs_no_session) {
    start();
    for (const char* target : {"/sign-in?next=%2Fdraws", "/open", "/enroll"}) {
        EXPECT_EQ(status_in(get(target, "")), 200) << target;
    }
    EXPECT_THAT(get("/sign-in?next=https%3A%2F%2Fevil.example", ""), Not(HasSubstr("evil")));
    EXPECT_TRUE(daemon_->asked().empty());
}

}  // namespace
}  // namespace drawbridge::console
