// Server and client over a real unix socket.
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fstream>
#include <future>
#include <nlohmann/json.hpp>
#include <thread>

#include "drawbridge/admin/client.hpp"
#include "drawbridge/admin/identity.hpp"
#include "drawbridge/admin/server.hpp"
#include "ledger/ledger_fixture.hpp"

namespace drawbridge::admin {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

class FixedClock final : public Clock {
  public:
    [[nodiscard]] Instant now() const override { return test::at("2026-03-04T15:30:00"); }
};

// A server on a thread of its own: nothing else touches the ledger while it runs.
class SocketTest : public ledger::LedgerFixture {
  protected:
    SocketTest() {
        options_.socket = folder.path() / "s.sock";
        context_.pay = [this](std::string actor, std::string reason) {
            return pay_slowly(std::move(actor), std::move(reason));
        };
    }
    ~SocketTest() override { stop(); }
    SocketTest(const SocketTest&) = delete;
    SocketTest& operator=(const SocketTest&) = delete;

    void start() {
        auto listening = Server::listen(io_.get_executor(), context_, options_);
        ASSERT_TRUE(listening) << listening.error().message;
        server_ = std::move(*listening);
        asio::co_spawn(io_, server_->serve(), [this](const std::exception_ptr& failure) { failure_ = failure; });
        thread_ = std::thread([this] { io_.run(); });
    }
    void stop() {
        if (!thread_.joinable()) return;
        asio::post(io_, [this] { server_->stop(); });
        thread_.join();
        server_.reset();
    }

    Result<std::optional<Response>> get(const std::string& target) {
        Request request;
        request.method = "GET";
        request.target = target;
        request.actor = "uid 0 (forged)";
        return call(options_.socket, request, seconds(10));
    }
    Result<std::optional<Response>> post(const std::string& target, const std::string& body) {
        Request request;
        request.method = "POST";
        request.target = target;
        request.body = body;
        return call(options_.socket, request, seconds(10));
    }

    int connect() const {
        const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        options_.socket.native().copy(address.sun_path, sizeof address.sun_path - 1);
        EXPECT_EQ(::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        return fd;
    }
    // Everything until the server closes.
    static std::string read_all(int fd) {
        std::string all;
        char buffer[4096];
        for (ssize_t size = 0; (size = ::read(fd, buffer, sizeof buffer)) > 0;)
            all.append(buffer, static_cast<std::size_t>(size));
        return all;
    }

    asio::awaitable<Result<PayOutcome>> pay_slowly(std::string actor, std::string) {
        paying_.set_value();
        asio::steady_timer timer(io_, milliseconds(200));
        co_await timer.async_wait(asio::use_awaitable);
        PayOutcome outcome;
        outcome.summary = actor;
        co_return Result<PayOutcome>(std::move(outcome));
    }

    FixedClock clock_;
    asio::io_context io_{1};
    ServerOptions options_;
    AdminContext context_{.ledger = *ledger,
                          .clock = clock_,
                          .state_dir = folder.path(),
                          .live = [] { return Live(); },
                          .pay = {},
                          .release = {},
                          .void_file = {},
                          .reload = {},
                          .rules = {},
                          .zone = TimeZone::find("America/New_York").value()};
    std::unique_ptr<Server> server_;
    std::thread thread_;
    std::exception_ptr failure_;
    std::promise<void> paying_;
};

TEST_F(SocketTest, AnActIsRecordedUnderWhatTheKernelSaysOfThePeer) {
    start();
    const auto answer = post("/pause", R"({"reason": "because"})");
    ASSERT_TRUE(answer) << answer.error().message;
    ASSERT_TRUE(*answer);
    EXPECT_EQ((*answer)->status, 200);
    const auto status = get("/status");
    ASSERT_TRUE(status && *status);
    EXPECT_EQ(json::parse((*status)->body)["needs_attention"]["paused"]["by"], describe_user(::getuid()));
}

TEST_F(SocketTest, TheSocketIsForItsGroupAndGoesWithTheServer) {
    start();
    struct stat found{};
    ASSERT_EQ(::stat(options_.socket.c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 0777U, 0660U);
    stop();
    EXPECT_NE(::stat(options_.socket.c_str(), &found), 0);
    EXPECT_FALSE(failure_);
}

TEST_F(SocketTest, NobodyListeningIsNoError) {
    const auto answer = get("/status");
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_FALSE(*answer);
}

TEST_F(SocketTest, AStaleSocketIsReplacedButNoOtherFile) {
    {
        const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        options_.socket.native().copy(address.sun_path, sizeof address.sun_path - 1);
        ASSERT_EQ(::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        ::close(fd);
    }
    EXPECT_FALSE(get("/status").value()) << "a stale socket: nobody listens";
    start();
    EXPECT_EQ(get("/runs").value()->status, 200);
    stop();
    std::ofstream(options_.socket) << "a file";
    const auto refused = Server::listen(io_.get_executor(), context_, options_);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("no socket is in the way"));
    EXPECT_TRUE(std::filesystem::exists(options_.socket));
}

TEST_F(SocketTest, WhatIsNoRequestIsRefusedAndTheNextOneIsServed) {
    options_.max_body_bytes = 100;
    start();
    int fd = connect();
    const std::string nonsense = "nonsense\r\n\r\n";
    ASSERT_EQ(::write(fd, nonsense.data(), nonsense.size()), static_cast<ssize_t>(nonsense.size()));
    EXPECT_THAT(read_all(fd), HasSubstr("400"));
    ::close(fd);
    const auto large = post("/pause", R"({"reason": ")" + std::string(200, 'x') + "\"}");
    ASSERT_TRUE(large && *large);
    EXPECT_EQ((*large)->status, 413);
    EXPECT_EQ(get("/runs").value()->status, 200);
}

TEST_F(SocketTest, ASilentPeerIsLeftAtTheDeadline) {
    options_.read_deadline = milliseconds(100);
    start();
    const int fd = connect();
    EXPECT_EQ(read_all(fd), "");
    ::close(fd);
    EXPECT_EQ(get("/runs").value()->status, 200);
}

TEST_F(SocketTest, AStopAnswersWhatIsInHandAndDropsWhoSaysNothing) {
    start();
    const int silent = connect();
    auto paid = std::async(std::launch::async, [this] { return post("/pay", R"({"reason": "now"})"); });
    paying_.get_future().wait();
    stop();
    const auto answer = paid.get();
    ASSERT_TRUE(answer && *answer);
    EXPECT_EQ((*answer)->status, 200);
    EXPECT_EQ(json::parse((*answer)->body)["summary"], describe_user(::getuid()));
    EXPECT_EQ(read_all(silent), "");
    ::close(silent);
}

}  // namespace
}  // namespace drawbridge::admin
