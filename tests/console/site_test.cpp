// The whole console before a daemon of the test: what it asks, what browsers get, and what it never lets through.
#include "drawbridge/console/site.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <optional>
#include <set>
#include <thread>

#include "console/fake_daemon.hpp"
#include "console/raw_client.hpp"
#include "drawbridge/api/request_head.hpp"
#include "drawbridge/console/listener.hpp"
#include "drawbridge/domain/web_address.hpp"
#include "drawbridge/pages/assets.hpp"
#include "pages/screen_list.hpp"
#include "screens.hpp"
#include "support/temporary_folder.hpp"

namespace drawbridge::console {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using namespace std::chrono_literals;

const std::string token = "token-of-the-session";
const std::string cookie = "Cookie: drawbridge-session=" + token + "\r\n";
const std::string ours = "Origin: http://localhost:8080\r\nSec-Fetch-Site: same-origin\r\n";

class Noon final : public Clock {
  public:
    [[nodiscard]] Instant now() const override {
        return parse_instant("2026-11-23T17:00:00Z").value() + std::chrono::minutes(minutes_later);
    }
    std::atomic<int> minutes_later = 0;
};

json error(const std::string& message) {
    return {{"error", {{"code", "x"}, {"message", message}}}};
}

class SiteTest : public ::testing::Test {
  protected:
    SiteTest() {
        settings_.listen = "127.0.0.1:0";
        settings_.origin = "http://localhost:8080";
        settings_.socket = folder_.path() / "console.sock";
    }
    ~SiteTest() override {
        asio::post(io_, [this] {
            listener_->stop();
            site_->stop();
        });
        thread_.join();
    }
    SiteTest(const SiteTest&) = delete;
    SiteTest& operator=(const SiteTest&) = delete;

    void start(bool with_daemon = true) {
        if (with_daemon) start_daemon();
        site_.emplace(io_.get_executor(), settings_, clock_,
                      [](const std::string& failure) { ADD_FAILURE() << failure; });
        listener_ = Listener::open(io_.get_executor(), settings_, [this](WebRequest request) {
                        return site_->answer(std::move(request));
                    }).value();
        const auto rethrow = [](const std::exception_ptr& failure) {
            if (failure) std::rethrow_exception(failure);
        };
        asio::co_spawn(io_, listener_->serve(), rethrow);
        asio::co_spawn(io_, site_->serve(), rethrow);
        thread_ = std::thread([this] { io_.run(); });
    }
    void start_daemon() {
        std::filesystem::remove(settings_.socket);
        daemon_.emplace(settings_.socket, [this](const FakeDaemon::Asked& asked) { return answer(asked); });
    }

    [[nodiscard]] FakeDaemon::Answer answer(const FakeDaemon::Asked& asked) const {
        const std::string request = asked.method + " " + asked.target.substr(0, asked.target.find('?'));
        if (request == "POST /session/link" || request == "POST /session")
            return {200, {{"token", token}, {"me", {{"read_only", true}}}}};
        if (request == "POST /enroll/begin") return {200, {{"person", {{"name", "Anna"}}}}};
        if (is_over_ || asked.authorization != "Session " + token) return {401, error("there is no session")};
        if (request == "GET /me") {
            return {200,
                    {{"person", {{"id", 1}, {"name", "Anna Berg"}}},
                     {"roles", roles_},
                     {"how", "passkey"},
                     {"expires", "2026-11-23T17:15:00.000Z"},
                     {"read_only", false},
                     {"keys", json::array()}}};
        }
        if (request == "POST /rules/check") return {200, {{"ok", true}, {"diagnostics", json::array()}}};
        if (request == "GET /pulse") return {200, {{"audit_seq", 7}, {"open_exceptions", 2}}};
        if (request == "GET /draws/17") return {200, {{"draw", {{"id", 17}}}}};
        if (request == "GET /draws/404") return {404, error("draw 404 is not in the ledger")};
        if (request == "GET /draws" && asked.target.find("fields=true") != std::string::npos) {
            if (asked.target.find("state=lost") != std::string::npos) return {400, error("unknown state 'lost'")};
            const bool is_second = asked.target.ends_with("&after=17");
            if (is_second && asked.target.find("text=broken") != std::string::npos) return {503, error("stopping")};
            const json row = {{"id", is_second ? 18 : 17}, {"state", "held"}, {"case_name", "=1+1"}};
            return {200, {{"draws", {row}}, {"next_after", is_second ? json(nullptr) : json(17)}}};
        }
        const json line = {
            {"line", 7}, {"outcome", "applied"}, {"says", "paid"}, {"payment_reference", "0910"}, {"amount", "100.00"}};
        if (request == "GET /confirmations/3f9c2a71be04")
            return {200, {{"lines", {line}}, {"problems", {"=line 3: no amount"}}, {"next_after", nullptr}}};
        if (asked.target == "/ingest/u%201/preview") return {200, {{"lines", {line}}, {"lines_left_out", 5}}};
        if (request == "POST /rules/backtest") {
            const bool is_second = asked.body.find("\"after\":400") != std::string::npos;
            const json changes(300, json{{"draw_id", 17}});
            return {200,
                    {{"draws", 400}, {"amount", "1.00"}, {"changes", changes}, {"next_after", is_second ? 800 : 400}}};
        }
        if (request == "GET /acts") {
            const json first = {{"act_id", 1}, {"text", "<b>"}}, second = {{"act_id", 2}, {"text", "x"}};
            return {200, {{"acts", {first, second}}, {"next_after", nullptr}}};
        }
        if (request == "GET /find") {
            const bool one = asked.target.ends_with("=one");
            json matches = {{{"kind", "draw"}, {"id", "17"}, {"title", "a draw"}, {"path", "/draws/17"}}};
            if (!one)
                matches.push_back({{"kind", "check"}, {"id", "10001"}, {"title", "a check"}, {"path", "/checks"}});
            return {200, {{"matches", matches}}};
        }
        if (request == "POST /acts/challenge") {
            return {200,
                    {{"act_id", "act-1"},
                     {"text", "release ACH-1\ntotal: $1.00"},
                     {"challenge", "Y2hhbGxlbmdl"},
                     {"rp_id", "localhost"},
                     {"credentials", json::array()}}};
        }
        return {200, json::object()};
    }

    [[nodiscard]] std::string exchange(const std::string& bytes) const {
        const RawClient client(listener_->port());
        client.send(bytes);
        return client.read_all();
    }
    [[nodiscard]] std::string get(const std::string& target, const std::string& fields = cookie) const {
        return exchange("GET " + target + " HTTP/1.1\r\nHost: localhost:8080\r\nConnection: close\r\n" + fields +
                        "\r\n");
    }
    [[nodiscard]] std::string post(const std::string& target, const std::string& body,
                                   const std::string& fields = cookie + ours,
                                   const std::string& type = "application/x-www-form-urlencoded",
                                   const std::string& method = "POST") const {
        return exchange(method + " " + target +
                        " HTTP/1.1\r\nHost: localhost:8080\r\nConnection: close\r\nContent-Type: " + type +
                        "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + fields + "\r\n" + body);
    }

    const test::TemporaryFolder folder_;
    Settings settings_;
    Noon clock_;
    std::atomic<bool> is_over_ = false;
    json roles_ = {"operator"};
    asio::io_context io_{1};
    std::optional<FakeDaemon> daemon_;
    std::optional<Site> site_;
    std::unique_ptr<Listener> listener_;
    std::thread thread_;
};

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

TEST_F(SiteTest, one_match_opens_at_once_and_several_are_listed) {
    start();
    EXPECT_EQ(header_in(get("/find?q=one"), "Location"), "/draws/17");
    EXPECT_THAT(get("/find?q=two"), AllOf(HasSubstr("200 OK"), HasSubstr("/checks/10001")));
}

// Without the chunks' sizes.
std::string unchunked(const std::string& answer) {
    std::string all, rest = body_in(answer);
    for (std::size_t size = 1; size > 0 && !rest.empty();) {
        const auto end = rest.find("\r\n");
        size = std::stoul(rest.substr(0, end), nullptr, 16);
        all += rest.substr(end + 2, size);
        rest.erase(0, end + 2 + size + 2);
    }
    return all;
}

TEST_F(SiteTest, a_list_is_saved_page_by_page_with_the_filters_of_its_page) {
    start();
    const std::string answer = get("/draws.csv?state=held&min_amount=%245&after=3");
    EXPECT_EQ(status_in(answer), 200);
    EXPECT_EQ(header_in(answer, "Content-Type"), "text/csv; charset=utf-8");
    EXPECT_EQ(header_in(answer, "Content-Disposition"), "attachment; filename=\"draws-2026-11-23.csv\"");
    const std::string csv = unchunked(answer);
    EXPECT_TRUE(csv.starts_with("id,state,status,amount,")) << csv;
    EXPECT_THAT(csv, HasSubstr("\n17,held,,,,'=1+1,"));
    EXPECT_THAT(csv, HasSubstr("\n18,held,,,,'=1+1,"));
    const std::string first = "GET /draws?limit=500&fields=true&state=held&min_amount=5.00";
    EXPECT_THAT(daemon_->requests(), ElementsAre("GET /me", "GET /pulse", first, first + "&after=17"));
}

TEST_F(SiteTest, a_list_that_is_refused_is_a_page_and_one_that_breaks_off_is_not_whole) {
    start();
    EXPECT_EQ(status_in(get("/draws.csv?state=lost")), 400);
    const std::string broken = get("/draws.csv?text=broken");
    EXPECT_EQ(status_in(broken), 200);
    EXPECT_FALSE(broken.ends_with("0\r\n\r\n")) << broken;
    EXPECT_EQ(status_in(get("/draws.csv", "")), 303) << "without a session";
}

TEST_F(SiteTest, signed_acts_are_saved_as_the_command_prints_them) {
    start();
    const auto saved = json::parse(unchunked(get("/signed-acts.json")));
    ASSERT_EQ(saved["acts"].size(), 2U);
    EXPECT_EQ(saved["acts"][0]["text"], "<b>");
}

TEST_F(SiteTest, the_report_of_a_bank_file_says_why_it_was_refused_before_its_lines) {
    start();
    const std::string answer = get("/bank-files/3f9c2a71be04/report.csv");
    EXPECT_EQ(header_in(answer, "Content-Disposition"), "attachment; filename=\"bank-file-report-2026-11-23.csv\"");
    EXPECT_THAT(unchunked(answer), AllOf(HasSubstr("\n,refused,,,,,,,,,,,'=line 3: no amount\n"),
                                         HasSubstr("\n7,applied,paid,0910,100.00,")));
    daemon_->forget();
    const std::string preview = get("/bank-files/preview.csv?upload=u%201&name=paid.csv&profile=ours");
    EXPECT_EQ(header_in(preview, "Content-Type"), "text/csv; charset=utf-8");
    EXPECT_THAT(body_in(preview), AllOf(HasSubstr("\n,left out,,,,,,,,,,,5 further lines are not in this report\n"),
                                        HasSubstr("\n7,applied,paid,0910,100.00,")));
    EXPECT_EQ(daemon_->asked().back().target, "/ingest/u%201/preview");
    EXPECT_EQ(json::parse(daemon_->asked().back().body),
              json({{"name", "paid.csv"}, {"profile", "ours"}, {"limit", 20'000}, {"keep", true}}));
}

TEST_F(SiteTest, a_backtest_that_stops_early_says_so) {
    start();
    const std::string answer =
        post("/rules/try",
             "--b\r\nContent-Disposition: form-data; name=\"rules\"; filename=\"new.yaml\"\r\n\r\nx\r\n--b--\r\n",
             cookie + ours, "multipart/form-data; boundary=b");
    EXPECT_THAT(answer, HasSubstr("This is not all: it stopped after 600 changes and looked at 800 decisions"));
}

TEST_F(SiteTest, what_was_closed_today_stands_beneath_all_open_exceptions) {
    start();
    static_cast<void>(get("/exceptions"));
    EXPECT_THAT(daemon_->requests(), ElementsAre("GET /me", "GET /pulse", "GET /exceptions?total=true&limit=150",
                                                 "GET /exceptions?total=true&limit=10&closed_on=2026-11-23"));
    daemon_->forget();
    static_cast<void>(get("/exceptions?closed_on=2026-11-20&step=pay"));
    EXPECT_THAT(daemon_->requests(), ElementsAre("GET /me", "GET /pulse",
                                                 "GET /exceptions?total=true&limit=150&step=pay&closed_on=2026-11-20"));
}

TEST_F(SiteTest, a_day_of_the_calendar_is_asked_for_with_its_cash_unless_it_is_over) {
    start();
    static_cast<void>(get("/calendar/2026-11-25"));
    EXPECT_THAT(daemon_->requests(), ElementsAre("GET /me", "GET /pulse", "GET /calendar?from=2026-11-25&to=2026-11-25",
                                                 "GET /forecast?days=3"));
    daemon_->forget();
    static_cast<void>(get("/calendar/2026-11-20"));
    EXPECT_THAT(daemon_->requests(),
                ElementsAre("GET /me", "GET /pulse", "GET /calendar?from=2026-11-20&to=2026-11-20"));
}

TEST_F(SiteTest, words_lead_to_the_list_with_these_filters) {
    start();
    EXPECT_EQ(header_in(get("/find?q=state%3Aheld%20amount%3A%3E5000%20Smith"), "Location"),
              "/draws?state=held&min_amount=5000.01&text=Smith");
    EXPECT_EQ(header_in(get("/draws?text=state%3Aheld&payee=Maple"), "Location"), "/draws?payee=Maple&state=held");
    EXPECT_EQ(status_in(get("/draws?text=Smith&payee=Maple")), 200);
}

TEST_F(SiteTest, draws_are_filtered_by_amounts_as_pages_show_them) {
    start();
    daemon_->forget();
    EXPECT_EQ(status_in(get("/draws?min_amount=%24500&max_amount=1%2C000.00")), 200);
    EXPECT_EQ(daemon_->requests().at(2), "GET /draws?total=true&limit=150&min_amount=500.00&max_amount=1000.00");
    const std::string wrong = get("/draws?max_amount=1%2C00");
    EXPECT_EQ(status_in(wrong), 400);
    EXPECT_THAT(wrong, HasSubstr("To $: &#39;1,00&#39; is not an amount: write it like 1234.50 or $1,234.50"));
}

TEST_F(SiteTest, a_filter_that_draws_do_not_have_is_refused) {
    start();
    for (const char* list : {"/draws?evil=1", "/draws.csv?evil=1"}) {
        const std::string answer = get(list);
        EXPECT_EQ(status_in(answer), 400);
        EXPECT_THAT(answer, HasSubstr("no filter &#39;evil&#39;"));
    }
}

TEST_F(SiteTest, pulses_come_while_somebody_listens) {
    start();
    const RawClient client(listener_->port());
    client.send("GET /events HTTP/1.1\r\nHost: localhost:8080\r\n" + cookie + "\r\n");
    const std::string stream = client.read_until("\"open_exceptions\"");
    EXPECT_EQ(header_in(stream, "Content-Type"), "text/event-stream");
    EXPECT_THAT(stream, HasSubstr("event: pulse\ndata: {\"audit_seq\":7"));
}

TEST_F(SiteTest, a_stream_tells_that_the_daemon_leaves_and_returns) {
    start();
    const RawClient client(listener_->port());
    client.send("GET /events HTTP/1.1\r\nHost: localhost:8080\r\n" + cookie + "\r\n");
    EXPECT_THAT(client.read_until("event: pulse"), HasSubstr("event: pulse"));
    daemon_.reset();
    EXPECT_THAT(client.read_until("event: away"), HasSubstr("event: away"));
    EXPECT_THAT(get("/events"), HasSubstr("event: away")) << "one that begins now";
    start_daemon();
    EXPECT_THAT(client.read_until("event: pulse"), HasSubstr("\"open_exceptions\"")) << "also where nothing changed";
}

TEST_F(SiteTest, a_stream_without_a_session_says_that_it_is_over) {
    start();
    EXPECT_THAT(get("/events", ""), HasSubstr("event: over"));
    EXPECT_THAT(get("/events", "Cookie: drawbridge-session=old\r\n"), HasSubstr("event: over"));
}

TEST_F(SiteTest, a_session_has_a_few_streams) {
    settings_.limits.max_streams_per_session = 2;
    start();
    std::vector<RawClient> tabs;
    for (int i = 0; i < 2; ++i) {
        tabs.emplace_back(listener_->port());
        tabs.back().send("GET /events HTTP/1.1\r\nHost: localhost:8080\r\n" + cookie + "\r\n");
        EXPECT_THAT(tabs.back().read_until("event: pulse"), HasSubstr("200 OK"));
    }
    EXPECT_EQ(status_in(get("/events")), 429);
}

TEST_F(SiteTest, without_the_daemon_pages_say_so) {
    start(/*with_daemon=*/false);
    const std::string answer = get("/draws");
    EXPECT_EQ(status_in(answer), 503);
    EXPECT_THAT(answer, HasSubstr("The daemon does not answer"));
    EXPECT_THAT(post("/api/acts/challenge", "{}", cookie + ours, "application/json"),
                HasSubstr("\"code\":\"unavailable\""));
}

TEST_F(SiteTest, today_shows_what_was_known_when_the_daemon_is_gone) {
    start();
    EXPECT_EQ(status_in(get("/")), 200);
    daemon_.reset();
    const std::string answer = get("/");
    EXPECT_EQ(status_in(answer), 503);
    EXPECT_THAT(answer, AllOf(HasSubstr("Anna Berg"), HasSubstr("What you see is as of")));
    // Not to anybody else.
    EXPECT_THAT(get("/", "Cookie: drawbridge-session=another\r\n"), Not(HasSubstr("Anna Berg")));
    // Nor for longer than a restart takes.
    clock_.minutes_later = 3;
    EXPECT_THAT(get("/"), Not(HasSubstr("Anna Berg")));
}

TEST_F(SiteTest, today_is_forgotten_when_the_session_is_over) {
    start();
    EXPECT_EQ(status_in(get("/")), 200);
    is_over_ = true;
    EXPECT_EQ(status_in(get("/")), 303);
    daemon_.reset();
    EXPECT_THAT(get("/"), Not(HasSubstr("Anna Berg")));
}

TEST_F(SiteTest, today_is_forgotten_when_a_stream_ends_with_its_session) {
    start();
    EXPECT_EQ(status_in(get("/")), 200);
    const RawClient client(listener_->port());
    client.send("GET /events HTTP/1.1\r\nHost: localhost:8080\r\n" + cookie + "\r\n");
    EXPECT_THAT(client.read_until("event: pulse"), HasSubstr("event: pulse"));
    is_over_ = true;
    EXPECT_THAT(client.read_until("event: over"), HasSubstr("event: over"));
    daemon_.reset();
    EXPECT_THAT(get("/"), Not(HasSubstr("Anna Berg")));
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
