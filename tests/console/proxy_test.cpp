// The console behind an office's proxy, real nginx and real haproxy with the configuration of docs/console.md: cookies
// and pulses come through, forwarded headers mean nothing, and what is smuggled through the proxy reaches nobody.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <thread>

#include "console/fake_daemon.hpp"
#include "console/raw_client.hpp"
#include "drawbridge/console/listener.hpp"
#include "drawbridge/console/site.hpp"
#include "drawbridge/domain/clock.hpp"
#include "support/free_port.hpp"
#include "support/temporary_folder.hpp"

extern char** environ;

namespace drawbridge::console {
namespace {

using nlohmann::json;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string session = "token-of-the-session";

class FixedNoon final : public Clock {
  public:
    [[nodiscard]] Instant now() const override { return parse_instant("2026-11-23T17:00:00Z").value(); }
};

// A block of docs/console.md, so that what offices read is what is tried here.
std::string block_of_docs(const std::string& begin) {
    std::ifstream in(std::string(DRAWBRIDGE_SOURCE_DIR) + "/docs/console.md");
    const std::string docs((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    const auto at = docs.find("\n    " + begin);
    if (at == std::string::npos) throw std::runtime_error("docs/console.md has no block '" + begin + "'");
    std::string block;
    std::istringstream lines(docs.substr(at + 1));
    for (std::string line; std::getline(lines, line) && (line.empty() || line.starts_with("    "));)
        block += (line.empty() ? line : line.substr(4)) + "\n";
    return block;
}

void replace(std::string& text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    if (at == std::string::npos) throw std::runtime_error("the block has no '" + from + "'");
    text.replace(at, from.size(), to);
}

class ProxyTest : public ::testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        const std::filesystem::path program = "/usr/sbin/" + GetParam();
        if (!std::filesystem::exists(program)) GTEST_SKIP() << "not run: " << program << " is not installed";
        settings_.listen = "127.0.0.1:0";
        settings_.origin = "https://drawbridge.example.gov";
        settings_.socket = folder_.path() / "console.sock";
        daemon_.emplace(settings_.socket, [](const FakeDaemon::Asked& asked) { return answer(asked); });
        site_.emplace(io_.get_executor(), settings_, clock_, [](const std::string& what) { ADD_FAILURE() << what; });
        listener_ = Listener::open(io_.get_executor(), settings_, [this](WebRequest request) {
                        {
                            const std::lock_guard lock(mutex_);
                            arrived_.push_back(request.method + " " + request.target);
                        }
                        return site_->answer(std::move(request));
                    }).value();
        const auto rethrow = [](const std::exception_ptr& failure) {
            if (failure) std::rethrow_exception(failure);
        };
        asio::co_spawn(io_, listener_->serve(), rethrow);
        asio::co_spawn(io_, site_->serve(), rethrow);
        thread_ = std::thread([this] { io_.run(); });
        start_proxy(program);
    }
    void TearDown() override {
        if (proxy_ > 0) {
            ::kill(proxy_, SIGTERM);
            ::waitpid(proxy_, nullptr, 0);
        }
        if (!thread_.joinable()) return;
        asio::post(io_, [this] {
            listener_->stop();
            site_->stop();
        });
        thread_.join();
    }

    // Plain HTTP on a port in place of TLS and of the unix socket: what is tried is how it passes requests on.
    void start_proxy(const std::filesystem::path& program) {
        port_ = free_port();
        const std::string here = "127.0.0.1:" + std::to_string(port_),
                          console = "127.0.0.1:" + std::to_string(listener_->port());
        const auto file = folder_.path() / "proxy.conf";
        const std::string folder = folder_.path().string();
        std::vector<std::string> words;
        if (GetParam() == "nginx") {
            std::string block = block_of_docs("server {\n");
            replace(block, "listen 443 ssl;", "listen " + here + ";");
            replace(block,
                    "    ssl_certificate /etc/ssl/drawbridge.pem;\n    ssl_certificate_key /etc/ssl/drawbridge.key;\n",
                    "");
            for (int i = 0; i < 2; ++i)
                replace(block, "http://unix:/run/drawbridge-console/http.sock", "http://" + console);
            std::ofstream(file) << "daemon off;\nmaster_process off;\npid " << folder << "/pid;\nerror_log " << folder
                                << "/error.log;\nevents {}\nhttp {\naccess_log off;\nclient_body_temp_path " << folder
                                << "/body;\nproxy_temp_path " << folder << "/proxy;\nfastcgi_temp_path " << folder
                                << "/fastcgi;\nuwsgi_temp_path " << folder << "/uwsgi;\nscgi_temp_path " << folder
                                << "/scgi;\n"
                                << block << "}\n";
            words = {program.string(), "-p", folder, "-e", folder + "/error.log", "-c", file.string()};
        } else {
            std::string block = block_of_docs("frontend drawbridge\n");
            replace(block, "bind :443 ssl crt /etc/haproxy/drawbridge.pem", "bind " + here);
            replace(block, "unix@/run/drawbridge-console/http.sock", console);
            std::ofstream(file) << "global\n    maxconn 100\ndefaults\n    mode http\n    timeout connect 5s\n"
                                   "    timeout client 30s\n    timeout server 30s\n"
                                << block;
            words = {program.string(), "-db", "-q", "-f", file.string()};
        }
        std::vector<char*> arguments;
        for (auto& word : words)
            arguments.push_back(word.data());
        arguments.push_back(nullptr);
        ASSERT_EQ(::posix_spawn(&proxy_, program.c_str(), nullptr, nullptr, arguments.data(), environ), 0);
        for (int i = 0; i < 500 && !is_up(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        ASSERT_TRUE(is_up()) << "the proxy does not listen";
    }
    [[nodiscard]] bool is_up() const {
        try {
            const RawClient client(port_);
            return true;
        } catch (const std::runtime_error&) {
            return false;
        }
    }

    [[nodiscard]] static FakeDaemon::Answer answer(const FakeDaemon::Asked& asked) {
        const std::string request = asked.method + " " + asked.target.substr(0, asked.target.find('?'));
        if (request == "POST /session") return {200, {{"token", session}, {"me", {{"read_only", false}}}}};
        if (asked.authorization != "Session " + session)
            return {401, {{"error", {{"code", "unauthorized"}, {"message", "there is no session"}}}}};
        if (request == "GET /me")
            return {200,
                    {{"person", {{"id", 1}, {"name", "Anna Berg"}}}, {"roles", {"finance"}}, {"read_only", false}}};
        if (request == "GET /pulse") return {200, {{"audit_seq", 7}, {"open_exceptions", 2}}};
        if (asked.target.find("/bytes") != std::string::npos) return {200, {{"size", asked.body.size()}}};
        return {200, json::object()};
    }

    [[nodiscard]] std::string exchange(const std::string& bytes) const {
        const RawClient client(port_);
        client.send(bytes);
        return client.read_all(std::chrono::seconds(3));
    }
    static std::string head(const std::string& request_line, const std::string& fields = {}) {
        return request_line + " HTTP/1.1\r\nHost: drawbridge.example.gov\r\n" + fields;
    }
    [[nodiscard]] std::vector<std::string> arrived() {
        const std::lock_guard lock(mutex_);
        return arrived_;
    }

    const std::string cookie_ = "Cookie: __Host-drawbridge-session=" + session + "\r\n";
    const std::string ours_ = "Origin: https://drawbridge.example.gov\r\nSec-Fetch-Site: same-origin\r\n";
    const test::TemporaryFolder folder_;
    Settings settings_;
    FixedNoon clock_;
    asio::io_context io_{1};
    std::optional<FakeDaemon> daemon_;
    std::optional<Site> site_;
    std::unique_ptr<Listener> listener_;
    std::thread thread_;
    std::mutex mutex_;
    std::vector<std::string> arrived_;
    std::uint16_t port_ = 0;
    pid_t proxy_ = 0;
};

TEST_P(ProxyTest, pages_and_cookies_come_through) {
    const std::string signed_in =
        exchange(head("POST /api/session", ours_ + "Content-Type: application/json\r\n"
                                                   "Content-Length: 2\r\nConnection: close\r\n\r\n{}"));
    EXPECT_EQ(status_in(signed_in), 200) << signed_in;
    // haproxy writes the names of headers in lower case.
    EXPECT_THAT(signed_in, AnyOf(HasSubstr("Set-Cookie: __Host-drawbridge-session=" + session),
                                 HasSubstr("set-cookie: __Host-drawbridge-session=" + session)));
    EXPECT_THAT(signed_in, HasSubstr("; Secure"));
    const std::string page = exchange(head("GET /files", cookie_ + "Connection: close\r\n\r\n"));
    EXPECT_EQ(status_in(page), 200) << page;
    EXPECT_THAT(page, HasSubstr("Anna Berg"));
    EXPECT_THAT(page, HasSubstr("default-src 'none'"));
}

TEST_P(ProxyTest, a_pulse_arrives_while_the_stream_goes_on) {
    const RawClient listening(port_);
    listening.send(head("GET /events", cookie_ + "Accept: text/event-stream\r\n\r\n"));
    EXPECT_THAT(listening.read_until("event: pulse"), HasSubstr("event: pulse")) << "it is not held back";
}

TEST_P(ProxyTest, forwarded_headers_mean_nothing) {
    const std::string lies =
        "X-Forwarded-Host: drawbridge.example.gov\r\nX-Forwarded-Proto: https\r\n"
        "X-Forwarded-For: 127.0.0.1\r\nForwarded: host=drawbridge.example.gov\r\n"
        "X-Remote-User: anna\r\nConnection: close\r\n\r\n";
    EXPECT_EQ(status_in(exchange("GET /files HTTP/1.1\r\nHost: evil.example\r\n" + cookie_ + lies)), 421);
    EXPECT_EQ(status_in(exchange(head("GET /files", lies))), 303) << "without a session: to the sign-in";
    EXPECT_EQ(status_in(exchange(head("POST /api/acts/challenge",
                                      cookie_ + "Origin: https://evil.example\r\nSec-Fetch-Site: cross-site\r\n"
                                                "Content-Type: application/json\r\nContent-Length: 2\r\n"
                                                "Connection: close\r\n\r\n{}"))),
              403);
}

TEST_P(ProxyTest, a_piece_of_a_bank_file_comes_through) {
    const std::string piece(1 << 20, 'x');
    const std::string answer = exchange(
        head("POST /api/ingest/u1/bytes?offset=0", cookie_ + ours_ +
                                                       "Content-Type: application/octet-stream\r\n"
                                                       "Content-Length: 1048576\r\nConnection: close\r\n\r\n") +
        piece);
    EXPECT_EQ(status_in(answer), 200) << answer;
    EXPECT_THAT(answer, HasSubstr("1048576"));
}

// Whatever the proxy makes of them: the hidden request is never served, and the next client gets its own answer.
TEST_P(ProxyTest, nothing_is_smuggled_through) {
    const std::string hidden = "GET /smuggled HTTP/1.1\r\nHost: drawbridge.example.gov\r\n\r\n";
    const std::string post =
        head("POST /pause", cookie_ + ours_ + "Content-Type: application/x-www-form-urlencoded\r\n");
    const auto length = [](std::size_t bytes) { return "Content-Length: " + std::to_string(bytes) + "\r\n"; };
    // By its length the request is a body; by chunks it ends before the hidden one. The other way round: by chunks it
    // is a body, by its length it ends before.
    const std::string by_length = "0\r\n\r\n" + hidden;
    const std::string by_chunks = fmt::format("{:x}\r\n{}\r\n0\r\n\r\n", hidden.size(), hidden);
    const std::string all = length(by_length.size());
    const std::vector<std::string> attempts = {
        post + all + "Transfer-Encoding: chunked\r\n\r\n" + by_length,
        post + "Transfer-Encoding: chunked\r\n" + length(4) + "\r\n" + by_chunks,
        post + length(4) + "Transfer-Encoding: chunked\r\n\r\n" + by_chunks,
        post + all + "Transfer-Encoding: gzip\r\n\r\n" + by_length,
        post + all + "Transfer-Encoding : chunked\r\n\r\n" + by_length,
        post + all + "Transfer-Encoding: xchunked\r\n\r\n" + by_length,
        post + all +
            "Transfer-Encoding:\x0b"
            "chunked\r\n\r\n" +
            by_length,
        post + all + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n" + by_length,
        post + all + "X: y\nTransfer-Encoding: chunked\r\n\r\n" + by_length,
        post + all + "X: y\r\n Transfer-Encoding: chunked\r\n\r\n" + by_length,
        post + length(0) + length(hidden.size()) + "\r\n" + hidden,
        post + "Content-Length: +" + std::to_string(hidden.size()) + "\r\n\r\n" + hidden,
        post + "Content-Length: 0x" + std::to_string(hidden.size()) + "\r\n\r\n" + hidden,
        post + "Content-Length: 0, " + std::to_string(hidden.size()) + "\r\n\r\n" + hidden,
        post + length(hidden.size()) + "Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n" + hidden,
        post + length(hidden.size()) + "Expect: 100-continue\r\n\r\n" + hidden,
        head("GET /files HTTP/1.1\r\nHost: drawbridge.example.gov\r\n\r\nGET /smuggled", "\r\n"),
        head("GET /files%20HTTP/1.1%0d%0aHost:%20drawbridge.example.gov%0d%0a%0d%0aGET%20/smuggled", cookie_ + "\r\n"),
        head("GET http://drawbridge.example.gov/smuggled", "X: y\r\nContent-Length: 4\r\n\r\n") + hidden,
    };
    for (std::size_t i = 0; i < attempts.size(); ++i) {
        const bool says_it_openly =
            attempts[i].starts_with("GET /files HTTP/1.1") || attempts[i].starts_with("GET http:");
        {
            const RawClient attacker(port_);
            attacker.send(attempts[i]);
            static_cast<void>(attacker.read_all(std::chrono::milliseconds(300)));
        }
        const std::string mine =
            exchange(head("GET /sign-in?next=%2Ffiles%2F" + std::to_string(i), "Connection: close\r\n\r\n"));
        EXPECT_EQ(status_in(mine), 200) << i << mine;
        EXPECT_THAT(mine, HasSubstr("Drawbridge")) << i;
        EXPECT_THAT(arrived(), Contains("GET /sign-in?next=%2Ffiles%2F" + std::to_string(i))) << i;
        if (!says_it_openly) {
            EXPECT_THAT(arrived(), Not(Contains(HasSubstr("/smuggled")))) << "attempt " << i;
        }
        const std::lock_guard lock(mutex_);
        arrived_.clear();
    }
}

INSTANTIATE_TEST_SUITE_P(Proxies, ProxyTest, ::testing::Values("nginx", "haproxy"),
                         [](const auto& proxy) { return proxy.param; });

}  // namespace
}  // namespace drawbridge::console
