// Pages that follow the daemon: streams of news, and what is shown while it is gone.
#include "console/site_fixture.hpp"

namespace drawbridge::console {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

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

}  // namespace
}  // namespace drawbridge::console
