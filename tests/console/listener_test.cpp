// Raw bytes against the listener: what is refused, what is limited, and that a healthy browser notices nothing of it.
#include "drawbridge/console/listener.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <future>
#include <thread>

#include "console/raw_client.hpp"
#include "support/program.hpp"

namespace drawbridge::console {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using namespace std::chrono_literals;

// Says what came; /slow takes its time, /stream answers in pieces.
class Pieces final : public BodyStream {
  public:
    [[nodiscard]] asio::awaitable<Result<std::optional<std::string>>> next() override {
        std::optional<std::string> piece;
        if (++count_ <= 3) piece = "piece " + std::to_string(count_) + "\n";
        if (count_ == 4 && breaks_) co_return fail(ErrorCode::unavailable, "gone");
        co_return piece;
    }
    bool breaks_ = false;

  private:
    int count_ = 0;
};

class ListenerTest : public ::testing::Test {
  protected:
    ListenerTest() {
        settings_.listen = "127.0.0.1:0";
        settings_.origin = "http://localhost:8080";
        settings_.limits.head = 700ms;
        settings_.limits.idle = 700ms;
        settings_.limits.max_connections = 40;
        settings_.limits.max_connections_per_address = 30;
        settings_.limits.max_large_bodies = 2;
    }
    ~ListenerTest() override {
        if (!thread_.joinable()) return;
        asio::post(io_, [this] { listener_->stop(); });
        thread_.join();
    }
    ListenerTest(const ListenerTest&) = delete;
    ListenerTest& operator=(const ListenerTest&) = delete;

    void start() {
        auto opened = Listener::open(io_.get_executor(), settings_,
                                     [this](WebRequest request) { return answer(std::move(request)); });
        if (!opened) throw std::runtime_error(opened.error().message);
        listener_ = std::move(*opened);
        asio::co_spawn(io_, listener_->serve(), [](const std::exception_ptr& failure) {
            if (failure) std::rethrow_exception(failure);
        });
        thread_ = std::thread([this] { io_.run(); });
    }

    asio::awaitable<Reply> answer(WebRequest request) {
        ++answered_;
        Reply reply;
        reply.content_type = "text/plain";
        reply.body = request.method + " " + request.target + " " + std::to_string(request.body.size());
        if (request.path() == "/stream" || request.path() == "/broken") {
            auto pieces = std::make_shared<Pieces>();
            pieces->breaks_ = request.path() == "/broken";
            reply.stream = pieces;
        }
        co_return reply;
    }

    [[nodiscard]] RawClient client() const { return RawClient(listener_->port()); }
    [[nodiscard]] std::string exchange(const std::string& bytes) const {
        const auto one = client();
        one.send(bytes);
        return one.read_all();
    }

    // Waits until the listener has exactly that many connections.
    void wait_for_connections(std::size_t count) {
        const auto give_up = std::chrono::steady_clock::now() + 10s;
        std::size_t seen = 0;
        while (std::chrono::steady_clock::now() < give_up) {
            std::promise<std::size_t> counted;
            asio::post(io_, [&] { counted.set_value(listener_->connections()); });
            seen = counted.get_future().get();
            if (seen == count) return;
            std::this_thread::sleep_for(1ms);
        }
        FAIL() << "the listener has " << seen << " connections, not " << count;
    }

    static std::string get(const std::string& target, const std::string& fields = "Connection: close\r\n") {
        return "GET " + target + " HTTP/1.1\r\nHost: localhost:8080\r\n" + fields + "\r\n";
    }
    static constexpr const char* of_a_page = "Origin: http://localhost:8080\r\nCookie: drawbridge-session=abc\r\n";
    static std::string post_head(const std::string& target, std::size_t size, const std::string& fields = of_a_page) {
        return "POST " + target + " HTTP/1.1\r\nHost: localhost:8080\r\nConnection: close\r\n" + fields +
               "Content-Length: " + std::to_string(size) + "\r\n\r\n";
    }
    static std::string post(const std::string& target, const std::string& body) {
        return post_head(target, body.size()) + body;
    }

    Settings settings_;
    asio::io_context io_{1};
    std::unique_ptr<Listener> listener_;
    std::thread thread_;
    std::atomic<int> answered_ = 0;
};

TEST_F(ListenerTest, a_request_is_answered_with_every_security_header) {
    start();
    const std::string answer = exchange(get("/draws?state=held"));
    EXPECT_EQ(status_in(answer), 200);
    EXPECT_EQ(body_in(answer), "GET /draws?state=held 0");
    EXPECT_EQ(header_in(answer, "Content-Security-Policy"),
              "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
              "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
              "trusted-types 'none'");
    EXPECT_EQ(header_in(answer, "Referrer-Policy"), "no-referrer");
    EXPECT_EQ(header_in(answer, "X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(header_in(answer, "Cross-Origin-Opener-Policy"), "same-origin");
    EXPECT_EQ(header_in(answer, "Cross-Origin-Resource-Policy"), "same-origin");
    EXPECT_EQ(header_in(answer, "Cache-Control"), "no-store");
    EXPECT_THAT(header_in(answer, "Permissions-Policy"), HasSubstr("publickey-credentials-get=(self)"));
    EXPECT_THAT(header_in(answer, "Permissions-Policy"), HasSubstr("camera=()"));
    EXPECT_EQ(header_in(answer, "Strict-Transport-Security"), "");
}

TEST_F(ListenerTest, an_https_origin_sends_strict_transport_security) {
    settings_.origin = "https://console.example.gov";
    start();
    const auto answer = exchange("GET / HTTP/1.1\r\nHost: console.example.gov\r\nConnection: close\r\n\r\n");
    EXPECT_EQ(header_in(answer, "Strict-Transport-Security"), "max-age=31536000");
}

TEST_F(ListenerTest, refusals_have_the_headers_too_and_nothing_is_handed_on) {
    start();
    const std::string head = "POST / HTTP/1.1\r\nHost: localhost:8080\r\n";
    const std::pair<std::string, int> table[] = {
        {head + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", 400},
        {head + "Transfer-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello", 400},
        {head + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello", 400},
        {"GET / HTTP/1.0\r\nHost: localhost:8080\r\n\r\n", 505},
        {"GET / HTTP/1.1\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: localhost:8080\r\nHost: localhost:8080\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421},
        {"GET http://localhost:8080/ HTTP/1.1\r\nHost: localhost:8080\r\n\r\n", 400},
        {"GET / HTTP/1.1\nHost: localhost:8080\n\n", 400},
        {"GET / HTTP/1.1\r\nHost: localhost:8080\r\nA: b\r\n c\r\n\r\n", 400},
        {"\x16\x03\x01\x02\r\n\r\n", 400},
        {"GET /" + std::string(17'000, 'a'), 431},
        {head + "Content-Length: 70000\r\n\r\n", 413},
        {"POST /api/ingest/u/bytes HTTP/1.1\r\nHost: localhost:8080\r\nContent-Length: 3000000\r\n\r\n", 413},
    };
    for (const auto& [bytes, status] : table) {
        const std::string answer = exchange(bytes);
        EXPECT_EQ(status_in(answer), status) << bytes.substr(0, 80);
        EXPECT_EQ(header_in(answer, "X-Content-Type-Options"), "nosniff") << bytes.substr(0, 80);
        EXPECT_EQ(header_in(answer, "Connection"), "close") << bytes.substr(0, 80);
    }
    EXPECT_EQ(answered_, 0);
}

TEST_F(ListenerTest, a_connection_serves_one_request_after_the_other) {
    start();
    const auto one = client();
    one.send(get("/a", ""));
    EXPECT_THAT(one.read_until("GET /a 0"), HasSubstr("200 OK"));
    one.send(get("/b", ""));
    EXPECT_THAT(one.read_until("GET /b 0"), HasSubstr("200 OK"));
    EXPECT_EQ(answered_, 2);
}

TEST_F(ListenerTest, what_comes_behind_a_request_is_dropped_with_the_connection) {
    start();
    const std::string answer = exchange(
        "POST / HTTP/1.1\r\nHost: localhost:8080\r\nContent-Length: 2\r\n\r\nab"
        "GET /smuggled HTTP/1.1\r\nHost: localhost:8080\r\n\r\n");
    EXPECT_THAT(answer, HasSubstr("POST / 2"));
    EXPECT_THAT(answer, Not(HasSubstr("smuggled")));
    EXPECT_EQ(answered_, 1);
}

TEST_F(ListenerTest, a_body_of_a_file_may_be_large_and_others_may_not) {
    start();
    EXPECT_EQ(status_in(exchange(post("/api/ingest/u/bytes", std::string(1 << 20, 'x')))), 200);
    EXPECT_EQ(status_in(exchange(post("/rules/try", std::string(1 << 20, 'x')))), 200);
    EXPECT_EQ(status_in(exchange(post("/pause", std::string(65'536, 'x')))), 200);
    EXPECT_EQ(status_in(exchange(post("/pause", std::string(65'537, 'x')))), 413);
}

TEST_F(ListenerTest, a_head_request_gets_the_head_alone) {
    start();
    const std::string answer = exchange("HEAD /a HTTP/1.1\r\nHost: localhost:8080\r\nConnection: close\r\n\r\n");
    EXPECT_EQ(status_in(answer), 200);
    EXPECT_EQ(header_in(answer, "Content-Length"), "8");
    EXPECT_EQ(body_in(answer), "");
}

TEST_F(ListenerTest, a_stream_comes_in_chunks_and_a_broken_one_has_no_last_chunk) {
    start();
    const std::string whole = exchange(get("/stream"));
    EXPECT_THAT(whole, HasSubstr("Transfer-Encoding: chunked"));
    EXPECT_THAT(whole, HasSubstr("8\r\npiece 1\n\r\n"));
    EXPECT_TRUE(whole.ends_with("\r\n0\r\n\r\n")) << whole;
    EXPECT_FALSE(exchange(get("/broken")).ends_with("0\r\n\r\n"));
}

TEST_F(ListenerTest, who_is_slow_loses_the_connection_and_others_notice_nothing) {
    start();
    std::vector<RawClient> slow;
    for (int i = 0; i < 20; ++i) {
        slow.push_back(client());
        slow.back().send(i % 2 == 0 ? "GET / HTTP/1.1\r\nHo" : "");
    }
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(status_in(exchange(get("/"))), 200);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 500ms);
    for (const auto& one_of_them : slow)
        EXPECT_TRUE(one_of_them.is_closed());
    EXPECT_EQ(answered_, 1);
}

TEST_F(ListenerTest, a_slow_body_ends_too) {
    settings_.limits.min_body_bytes_per_second = 64 << 10;
    start();
    const auto one = client();
    one.send("POST / HTTP/1.1\r\nHost: localhost:8080\r\nContent-Length: 100\r\n\r\nabc");
    EXPECT_TRUE(one.is_closed());
    EXPECT_EQ(answered_, 0);
}

TEST_F(ListenerTest, one_address_does_not_keep_the_others_out) {
    start();
    std::vector<RawClient> many;
    for (std::size_t i = 0; i < settings_.limits.max_connections_per_address; ++i)
        many.push_back(client());
    wait_for_connections(many.size());
    EXPECT_TRUE(client().is_closed());
    many.clear();
    wait_for_connections(0);
    EXPECT_EQ(status_in(exchange(get("/"))), 200);
}

TEST_F(ListenerTest, an_address_that_is_at_its_limit_keeps_no_other_one_out) {
    start();
    std::vector<RawClient> many;
    for (std::size_t i = 0; i < settings_.limits.max_connections_per_address; ++i) {
        many.push_back(client());
        many.back().send(get("/", ""));
        EXPECT_EQ(status_in(many.back().read_until("GET / 0")), 200) << "its connection is one of them";
    }
    EXPECT_TRUE(client().is_closed());
    const RawClient other(listener_->port(), INADDR_LOOPBACK + 1);
    other.send(get("/"));
    EXPECT_EQ(status_in(other.read_all()), 200);
}

// 600 clients from twelve addresses, each with one byte of its head now and then. More than there is room for: those
// that have been at it the longest make room.
TEST_F(ListenerTest, six_hundred_slow_clients_do_not_keep_others_out) {
    rlimit files{};
    ::getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &files), 0);
    if (files.rlim_max < 2000) GTEST_SKIP() << "not run: this process may have too few open files";
    settings_.limits = Limits();
    start();
    std::vector<RawClient> slow;
    for (std::uint32_t i = 0; i < 600; ++i) {
        slow.emplace_back(listener_->port(), INADDR_LOOPBACK + 256 + i / 50);
        slow.back().send(i % 3 == 0 ? "" : "GET / HTTP/1.1\r\nA: ");
    }
    for (int i = 0; i < 50; ++i) {
        for (std::size_t one = static_cast<std::size_t>(i); one < slow.size(); one += 50)
            slow[one].send("a");
        const std::string answer = exchange(get("/" + std::to_string(i)));
        EXPECT_EQ(status_in(answer), 200) << i;
        EXPECT_EQ(body_in(answer), "GET /" + std::to_string(i) + " 0");
    }
    EXPECT_EQ(answered_, 50);
}

// Who is being served stays, however many come.
TEST_F(ListenerTest, no_newcomer_takes_the_place_of_a_request) {
    settings_.limits.max_connections = 4;
    settings_.limits.head = 10s;
    start();
    const auto uploading = client();
    uploading.send("POST /pause HTTP/1.1\r\nHost: localhost:8080\r\nContent-Length: 4\r\n\r\nab");
    EXPECT_EQ(status_in(exchange(get("/"))), 200) << "by now its head was read";
    std::vector<RawClient> others;
    for (int i = 0; i < 12; ++i) {
        others.push_back(client());
        others.back().send("GET / HTTP/1.1\r\n");
    }
    EXPECT_EQ(status_in(exchange(get("/"))), 200);
    uploading.send("cd");
    EXPECT_THAT(uploading.read_until("POST /pause 4"), HasSubstr("200 OK"));
}

TEST_F(ListenerTest, large_bodies_are_few_at_a_time) {
    start();
    const std::string head = post_head("/api/ingest/u/bytes", 1'000'000);
    std::vector<RawClient> large;
    large.push_back(client());
    large.back().send(head);
    EXPECT_EQ(status_in(exchange(get("/"))), 200) << "by now its head was read";
    EXPECT_EQ(status_in(exchange(head)), 503) << "half of them are for one address";
    const RawClient other(listener_->port(), INADDR_LOOPBACK + 1), third(listener_->port(), INADDR_LOOPBACK + 2);
    other.send(head);
    EXPECT_EQ(status_in(exchange(get("/"))), 200) << "by now its head was read";
    third.send(head);
    EXPECT_EQ(status_in(third.read_all()), 503);
    large.clear();
    EXPECT_TRUE(test::eventually([&] {
        return status_in(exchange(post("/api/ingest/u/bytes", std::string(100'000, 'x')))) == 200;
    })) << "its place is free again";
}

// Its body is not waited for.
TEST_F(ListenerTest, a_large_body_is_taken_in_a_session_and_from_a_page_of_the_console) {
    start();
    const auto status_of = [&](const std::string& fields) {
        const auto one = client();
        one.send(post_head("/api/ingest/u/bytes", 1'000'000, fields));
        return status_in(one.read_all());
    };
    EXPECT_EQ(status_of(""), 403);
    EXPECT_EQ(status_of("Origin: https://evil.example\r\nCookie: drawbridge-session=abc\r\n"), 403);
    EXPECT_EQ(status_of("Origin: http://localhost:8080\r\n"), 401);
    EXPECT_EQ(status_of("Origin: http://localhost:8080\r\nCookie: drawbridge-session=a b\r\n"), 401);
}

TEST_F(ListenerTest, a_body_that_began_fast_must_go_on) {
    settings_.limits.min_body_bytes_per_second = 64 << 10;
    start();
    const auto one = client();
    one.send(post_head("/api/ingest/u/bytes", 1'000'000) + std::string(999'999, 'x'));
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_TRUE(one.is_closed());
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
    EXPECT_EQ(answered_, 0);
}

// Those of the address that has the most of them make room.
TEST_F(ListenerTest, connections_without_a_body_make_room_for_others) {
    settings_.limits.max_connections = 6;
    settings_.limits.head = 10s;
    start();
    const auto uploading = client();
    uploading.send(post_head("/pause", 4) + "ab");
    EXPECT_EQ(status_in(exchange(get("/"))), 200) << "by now its head was read";
    std::vector<RawClient> without;
    for (std::uint32_t i = 0; i < 20; ++i) {
        without.emplace_back(listener_->port(), INADDR_LOOPBACK + 1 + i % 2);
        without.back().send(post_head("/sign-out", 65'536));
    }
    wait_for_connections(settings_.limits.max_connections);
    EXPECT_EQ(status_in(exchange(get("/"))), 200);
    uploading.send("cd");
    EXPECT_THAT(uploading.read_until("POST /pause 4"), HasSubstr("200 OK"));
}

TEST_F(ListenerTest, reports_an_unusable_certificate_at_startup) {
    settings_.certificate = "/nonexistent/tls.pem";
    settings_.key = "/nonexistent/tls.key";
    const auto opened = Listener::open(io_.get_executor(), settings_, nullptr);
    ASSERT_FALSE(opened);
    EXPECT_THAT(opened.error().message, HasSubstr("/nonexistent/tls.pem"));
}

}  // namespace
}  // namespace drawbridge::console
