// Lists that the site saves for other programs, and how readers filter and find what is listed.
#include "console/site_fixture.hpp"

namespace drawbridge::console {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

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

TEST_F(SiteTest, one_match_opens_at_once_and_several_are_listed) {
    start();
    EXPECT_EQ(header_in(get("/find?q=one"), "Location"), "/draws/17");
    EXPECT_THAT(get("/find?q=two"), AllOf(HasSubstr("200 OK"), HasSubstr("/checks/10001")));
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

}  // namespace
}  // namespace drawbridge::console
