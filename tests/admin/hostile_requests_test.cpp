// Malformed requests on both listeners: each gets a clear answer, and the next request is served.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <nlohmann/json.hpp>
#include <thread>

#include "admin/fixed_clock.hpp"
#include "admin/office.hpp"
#include "drawbridge/admin/server.hpp"
#include "ledger/ledger_fixture.hpp"

namespace drawbridge::admin {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Both servers on one thread: nothing else touches the ledger while they run.
class HostileRequests : public ledger::LedgerFixture {
  protected:
    HostileRequests() {
        options_.socket = folder.path() / "s.sock";
        auto socket = Server::listen(io_.get_executor(), context_, options_);
        auto port = Server::listen_for_monitoring(io_.get_executor(), context_, "127.0.0.1", 0, options_);
        if (!socket || !port) throw std::runtime_error("cannot listen");
        servers_.push_back(std::move(*socket));
        servers_.push_back(std::move(*port));
        for (auto& server : servers_) {
            asio::co_spawn(io_, server->serve(), [](const std::exception_ptr& failure) {
                if (failure) std::rethrow_exception(failure);
            });
        }
        thread_ = std::thread([this] { io_.run(); });
    }
    ~HostileRequests() override {
        asio::post(io_, [this] {
            for (auto& server : servers_)
                server->stop();
        });
        thread_.join();
    }
    HostileRequests(const HostileRequests&) = delete;
    HostileRequests& operator=(const HostileRequests&) = delete;

    [[nodiscard]] int connect_to_socket() const {
        const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        options_.socket.native().copy(address.sun_path, sizeof address.sun_path - 1);
        EXPECT_EQ(::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        return fd;
    }
    [[nodiscard]] int connect_to_port() const {
        const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(servers_.back()->port());
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        EXPECT_EQ(::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        return fd;
    }

    struct Answered {
        int status = 0;  // 0: no answer
        std::string body = {}, head = {};
    };
    static Answered say(int fd, const std::string& bytes) {
        for (std::size_t sent = 0; sent < bytes.size();) {
            const auto size = ::send(fd, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
            if (size <= 0) break;  // already refused
            sent += static_cast<std::size_t>(size);
        }
        ::shutdown(fd, SHUT_WR);
        std::string all;
        char buffer[4096];
        for (ssize_t size = 0; (size = ::read(fd, buffer, sizeof buffer)) > 0;)
            all.append(buffer, static_cast<std::size_t>(size));
        ::close(fd);
        const auto body = all.find("\r\n\r\n");
        if (!all.starts_with("HTTP/1.1 ") || body == std::string::npos) return {};
        return {std::stoi(all.substr(9, 3)), all.substr(body + 4), all.substr(0, body + 2)};
    }

    void expect_refused(int fd, const std::string& bytes, int status) {
        const auto answer = say(fd, bytes);
        EXPECT_EQ(answer.status, status) << bytes.substr(0, 200) << "\n" << answer.body;
        if (answer.status == 0) return;
        const auto body = json::parse(answer.body, nullptr, /*allow_exceptions=*/false);
        ASSERT_TRUE(body.is_object()) << answer.body;
        EXPECT_TRUE(body["error"]["code"].is_string()) << answer.body;
        EXPECT_TRUE(body["error"]["message"].is_string()) << answer.body;
    }
    std::string status() { return say(connect_to_socket(), "GET /status HTTP/1.1\r\nHost: x\r\n\r\n").body; }
    void expect_served() {
        EXPECT_EQ(say(connect_to_socket(), "GET /runs HTTP/1.1\r\nHost: x\r\n\r\n").status, 200);
        EXPECT_EQ(say(connect_to_port(), "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n").status, 200);
    }

    FixedClock clock_;
    asio::io_context io_{1};
    ServerOptions options_;
    Office office_{*ledger, clock_, folder.path()};
    AdminContext& context_ = office_.context;
    std::vector<std::unique_ptr<Server>> servers_;
    std::thread thread_;
};

struct Case {
    const char* what;
    std::string bytes;
    int status;
};

const std::string host = "Host: x\r\n";

std::vector<Case> hostile_requests() {
    const std::string get = "GET /metrics HTTP/1.1\r\n";
    const std::string post = "POST /pause HTTP/1.1\r\n" + host;
    const std::string chunks = "2\r\n{}\r\n0\r\n\r\n";
    return {
        {"gzip", post + "Transfer-Encoding: gzip\r\n\r\n" + chunks, 400},
        {"identity", post + "Transfer-Encoding: identity\r\n\r\n" + chunks, 400},
        {"chunked, then another", post + "Transfer-Encoding: chunked, gzip\r\n\r\n" + chunks, 400},
        {"another, then chunked", post + "Transfer-Encoding: gzip, chunked\r\n\r\n" + chunks, 501},
        {"chunked twice", post + "Transfer-Encoding: chunked, chunked\r\n\r\n" + chunks, 400},
        {"two fields", post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n\r\n" + chunks, 400},
        {"two fields, the other way", post + "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks,
         501},
        {"an empty coding", post + "Transfer-Encoding:\r\n\r\n" + chunks, 400},
        {"almost chunked", post + "Transfer-Encoding: xchunked\r\n\r\n" + chunks, 400},
        {"both lengths", post + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks, 400},
        {"both lengths, the other way", post + "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n" + chunks, 400},
        {"a coding beside a length", post + "Content-Length: 2\r\nTransfer-Encoding: gzip\r\n\r\n{}", 400},
        {"chunked on 1.0", "POST /pause HTTP/1.0\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n" + chunks, 400},
        {"two lengths", post + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} ", 400},
        {"a signed length", post + "Content-Length: +2\r\n\r\n{}", 400},
        {"a length without end", post + "Content-Length: 99999999999999999999999\r\n\r\n{}", 400},
        {"a bad chunk", post + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n", 400},
        {"a body over the limit", post + "Content-Length: 2000000\r\n\r\n" + std::string(2'000'000, ' '), 413},
        {"chunks over the limit",
         post + "Transfer-Encoding: chunked\r\n\r\n1e8480\r\n" + std::string(2'000'000, ' ') + "\r\n0\r\n\r\n", 413},
        {"no host", get + "\r\n", 400},
        {"two hosts", get + host + host + "\r\n", 400},
        {"two hosts on 1.0", "GET /metrics HTTP/1.0\r\n" + host + host + "\r\n", 400},
        {"absolute form", "GET http://x/metrics HTTP/1.1\r\n" + host + "\r\n", 400},
        {"authority form", "CONNECT x:80 HTTP/1.1\r\n" + host + "\r\n", 400},
        {"asterisk form", "OPTIONS * HTTP/1.1\r\n" + host + "\r\n", 400},
        {"no slash", "GET metrics HTTP/1.1\r\n" + host + "\r\n", 400},
        {"a control character", "GET /metrics\x01 HTTP/1.1\r\n" + host + "\r\n", 400},
        {"a tab", "GET /met\trics HTTP/1.1\r\n" + host + "\r\n", 400},
        {"DEL", "GET /metrics\x7f HTTP/1.1\r\n" + host + "\r\n", 400},
        {"no UTF-8", "GET /metrics\xff HTTP/1.1\r\n" + host + "\r\n", 400},
        {"a long target", "GET /" + std::string(10'000, 'a') + " HTTP/1.1\r\n" + host + "\r\n", 414},
        {"a target without end", "GET /" + std::string(2'000'000, 'a'), 431},
        {"a long header", get + host + "X: " + std::string(20'000, 'a') + "\r\n\r\n", 431},
        {"headers without end",
         get + host +
             [] {
                 std::string many;
                 while (many.size() < 1'000'000)
                     many += "X-Header: value\r\n";
                 return many;
             }(),
         431},
        {"HTTP/2.0", "GET /metrics HTTP/2.0\r\n" + host + "\r\n", 505},
        {"HTTP/1.2", "GET /metrics HTTP/1.2\r\n" + host + "\r\n", 505},
        {"a blank before the colon", get + "Host : x\r\n\r\n", 400},
        {"no HTTP at all", std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11) + "\r\n\r\n", 400},
        {"SSH", "SSH-2.0-OpenSSH_9.2\r\n\r\n", 400},
    };
}

TEST_F(HostileRequests, are_refused_on_both_listeners_and_the_next_one_is_served) {
    for (const auto& one : hostile_requests()) {
        SCOPED_TRACE(one.what);
        expect_refused(connect_to_socket(), one.bytes, one.status);
        expect_refused(connect_to_port(), one.bytes, one.status);
        expect_served();
    }
}

TEST_F(HostileRequests, valid_http_variants_are_served) {
    const std::string requests[] = {
        "GET /metrics HTTP/1.1\r\nHost:\r\n\r\n",
        "GET /metrics HTTP/1.1\r\nhOST: x\r\nUser-Agent: curl/7.88.1\r\nAccept: */*\r\n\r\n",
        "GET /metrics HTTP/1.0\r\n\r\n",
        "HEAD /metrics HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /metrics HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "GET /metrics HTTP/1.1\r\nHost: x\r\nTransfer-Encoding:  Chunked \r\n\r\n0\r\n\r\n",
    };
    for (const auto& bytes : requests) {
        EXPECT_EQ(say(connect_to_port(), bytes).status, 200) << bytes;
        if (!bytes.starts_with("GET")) continue;
        EXPECT_EQ(say(connect_to_socket(), bytes).status, 200) << bytes;
    }
    const std::string body = R"({"reason": "because"})";
    EXPECT_EQ(say(connect_to_socket(), "POST /pause HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n15\r\n" +
                                           body + "\r\n0\r\n\r\n")
                  .status,
              200);
    EXPECT_THAT(status(), HasSubstr(R"("paused":{)"));
}

TEST_F(HostileRequests, head_answers_with_the_length_of_the_body_that_it_leaves_out) {
    const std::string head = "HEAD /healthz HTTP/1.1\r\n" + host + "\r\n", get = "GET" + head.substr(4);
    const auto whole = say(connect_to_port(), get), without_body = say(connect_to_port(), head);
    EXPECT_THAT(without_body.body, IsEmpty());
    EXPECT_THAT(without_body.head, HasSubstr(fmt::format("Content-Length: {}\r\n", whole.body.size())));
}

TEST_F(HostileRequests, deeply_nested_json_is_refused) {
    const std::string open(1'000'000, '[');
    std::string objects;
    while (objects.size() < 1'000'000)
        objects += R"({"a":)";
    for (const auto& body :
         {open, objects, R"({"reason":)" + open, std::string(500'000, '[') + std::string(500'000, ']'),
          R"({"reason":)" + std::string(65, '[') + std::string(65, ']') + "}"}) {
        const auto length = "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
        const auto answer = say(connect_to_socket(), "POST /pause HTTP/1.1\r\n" + host + length + body);
        EXPECT_EQ(answer.status, 400) << body.substr(0, 30);
        EXPECT_THAT(answer.body, HasSubstr("nested too deeply"));
    }
    EXPECT_THAT(status(), HasSubstr(R"("paused":null)"));
    expect_served();
}

}  // namespace
}  // namespace drawbridge::admin
