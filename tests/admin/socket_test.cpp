// Server and client over a real unix socket.
#include <gmock/gmock.h>
#include <grp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fstream>
#include <future>
#include <nlohmann/json.hpp>
#include <numeric>
#include <thread>

#include "admin/fixed_clock.hpp"
#include "admin/office.hpp"
#include "console_state.hpp"
#include "drawbridge/admin/client.hpp"
#include "drawbridge/admin/console.hpp"
#include "drawbridge/admin/identity.hpp"
#include "drawbridge/admin/server.hpp"
#include "ledger/ledger_fixture.hpp"

namespace drawbridge::admin {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

// Runs the server in its own thread. Nothing else uses the ledger meanwhile.
class SocketTest : public ledger::LedgerFixture {
  protected:
    SocketTest() { options_.socket = folder.path() / "s.sock"; }
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
    // Reads until the server closes the connection.
    static std::string read_all(int fd) {
        std::string all;
        char buffer[4096];
        for (ssize_t size = 0; (size = ::read(fd, buffer, sizeof buffer)) > 0;)
            all.append(buffer, static_cast<std::size_t>(size));
        return all;
    }

    // A draw to pay, which the service shows only after a while.
    void pay_slowly() {
        office_.shared.rules = rules::parse_rules("version: 1\napprover_id: 1201\nrules: []\n", "r").value();
        read(test::sample_draw(1, DrawStatus::approved, "125.00"));
        office_.service.before_read = [this] { return wait_for_the_answer(); };
    }
    asio::awaitable<void> wait_for_the_answer() {
        if (!std::exchange(paying_is_said_, true)) paying_.set_value();
        asio::steady_timer timer(io_, answer_after_);
        co_await timer.async_wait(asio::use_awaitable);
    }

    FixedClock clock_;
    asio::io_context io_{1};
    ServerOptions options_;
    Office office_{*ledger, clock_, folder.path()};
    AdminContext& context_ = office_.context;
    std::unique_ptr<Server> server_;
    std::thread thread_;
    std::exception_ptr failure_;
    std::promise<void> paying_;
    bool paying_is_said_ = false;
    milliseconds answer_after_{200};
};

TEST_F(SocketTest, an_act_is_recorded_with_the_peers_uid_from_the_kernel) {
    start();
    const auto answer = post("/pause", R"({"reason": "because"})");
    ASSERT_TRUE(answer) << answer.error().message;
    ASSERT_TRUE(*answer);
    EXPECT_EQ((*answer)->status, 200);
    const auto status = get("/status");
    ASSERT_TRUE(status && *status);
    EXPECT_EQ(json::parse((*status)->body)["needs_attention"]["paused"]["by"], describe_user(::getuid()));
}

TEST_F(SocketTest, any_local_user_may_connect_and_the_server_removes_the_socket) {
    start();
    struct stat found{};
    ASSERT_EQ(::stat(options_.socket.c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 0777U, 0666U);
    stop();
    EXPECT_NE(::stat(options_.socket.c_str(), &found), 0);
    EXPECT_FALSE(failure_);
}

// The roles of a supplementary group, as reported by the kernel. The request cannot name groups.
TEST_F(SocketTest, roles_follow_from_the_peers_groups) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can act with other uids";
    constexpr unsigned office = 5900;
    ASSERT_EQ(::chown(folder.path().c_str(), 5800, office), 0);
    std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
    start();
    const auto status_for = [this](unsigned uid, std::vector<gid_t> groups) {
        const pid_t child = ::fork();
        if (child == 0) {
            const bool changed = ::setgroups(groups.size(), groups.data()) == 0 && ::setresgid(uid, uid, uid) == 0 &&
                                 ::setresuid(uid, uid, uid) == 0;
            const int fd = connect();
            const std::string_view asked = "GET /runs HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n";
            const bool sent = ::write(fd, asked.data(), asked.size()) == static_cast<ssize_t>(asked.size());
            const auto answered = read_all(fd);
            ::_exit(!changed || !sent                             ? 9
                    : answered.find(" 200 ") != std::string::npos ? 2
                    : answered.find(" 403 ") != std::string::npos ? 4
                                                                  : 8);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        return WEXITSTATUS(status) * 100;
    };
    EXPECT_EQ(status_for(5001, {}), 400);
    EXPECT_EQ(status_for(5001, {5777}), 400);
    EXPECT_EQ(status_for(5001, {5777, office}), 200);
    std::vector<gid_t> many(100);
    std::iota(many.begin(), many.end(), 6000U);
    EXPECT_EQ(status_for(5001, many), 400);
    many.push_back(office);
    EXPECT_EQ(status_for(5001, many), 200) << "more groups than fit the first buffer";
    EXPECT_EQ(status_for(office, {}), 200) << "the primary group counts";
    EXPECT_EQ(status_for(5800, {}), 200) << "the folder's owner";
}

TEST_F(SocketTest, a_deeply_nested_body_is_refused_and_the_daemon_continues) {
    start();
    const auto answer = post("/pause", R"({"reason": )" + std::string(500'000, '[') + std::string(500'000, ']') + "}");
    ASSERT_TRUE(answer && *answer);
    EXPECT_EQ((*answer)->status, 400);
    EXPECT_EQ(get("/runs").value()->status, 200);
    EXPECT_EQ(post("/pause", R"({"reason": "[[[[ \\\" [[[ is only text"})").value()->status, 200);
}

TEST_F(SocketTest, one_user_gets_at_most_half_of_the_connections) {
    options_.max_connections = 4;
    options_.read_deadline = seconds(60);
    start();
    const std::vector<int> silent{connect(), connect()};
    const int third = connect();
    EXPECT_EQ(read_all(third), "") << "closed at once";
    ::close(third);
    for (const int fd : silent)
        ::close(fd);
}

TEST_F(SocketTest, who_sends_half_a_request_keeps_nobody_out) {
    options_.max_connections = 2;
    options_.read_deadline = seconds(60);
    Console console;
    context_.console = &console;
    options_.console_uid = ::geteuid();  // which may have all connections, as two local users would have together
    start();
    const std::vector<int> slow{connect(), connect()};
    for (const int fd : slow)
        ASSERT_EQ(::write(fd, "GET /status HTTP/1.1\r\nX: ", 25), 25);
    const auto answer = get("/status");
    ASSERT_TRUE(answer && *answer);
    EXPECT_EQ((*answer)->status, 401);
    EXPECT_EQ(read_all(slow.front()), "") << "the oldest one made room";
    for (const int fd : slow)
        ::close(fd);
}

TEST_F(SocketTest, a_missing_server_is_not_an_error) {
    const auto answer = get("/status");
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_FALSE(*answer);
}

TEST_F(SocketTest, a_stale_socket_is_replaced_but_no_other_file) {
    {
        const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        options_.socket.native().copy(address.sun_path, sizeof address.sun_path - 1);
        ASSERT_EQ(::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        ::close(fd);
    }
    EXPECT_FALSE(get("/status").value()) << "a stale socket without a server";
    start();
    EXPECT_EQ(get("/runs").value()->status, 200);
    stop();
    std::ofstream(options_.socket) << "a file";
    const auto refused = Server::listen(io_.get_executor(), context_, options_);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("a file that is not a socket exists there"));
    EXPECT_TRUE(std::filesystem::exists(options_.socket));
}

TEST_F(SocketTest, an_invalid_request_is_refused_and_the_next_one_is_served) {
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

TEST_F(SocketTest, a_silent_peer_is_disconnected_at_the_deadline) {
    options_.read_deadline = milliseconds(100);
    start();
    const int fd = connect();
    EXPECT_EQ(read_all(fd), "");
    ::close(fd);
    EXPECT_EQ(get("/runs").value()->status, 200);
}

TEST_F(SocketTest, a_stop_answers_running_requests_and_drops_silent_peers) {
    pay_slowly();
    start();
    const int silent = connect();
    auto paid = std::async(std::launch::async, [this] { return post("/pay", R"({"reason": "now"})"); });
    paying_.get_future().wait();
    stop();
    const auto answer = paid.get();
    ASSERT_TRUE(answer && *answer);
    EXPECT_EQ((*answer)->status, 200);
    EXPECT_THAT(json::parse((*answer)->body)["summary"].get<std::string>(), HasSubstr("1 payment planned ($125.00)"));
    EXPECT_EQ(read_all(silent), "");
    ::close(silent);
}

TEST_F(SocketTest, an_act_that_is_cut_short_is_answered) {
    pay_slowly();
    answer_after_ = std::chrono::hours(1);
    start();
    auto paid = std::async(std::launch::async, [this] { return post("/pay", R"({"reason": "now"})"); });
    paying_.get_future().wait();
    asio::post(io_, [this] {
        context_.turn.close();
        server_->stop();
        server_->cut_short();
    });
    const auto answer = paid.get();
    ASSERT_TRUE(answer && *answer);
    EXPECT_EQ((*answer)->status, 503);
    EXPECT_THAT((*answer)->body, HasSubstr("the daemon is stopping and cut this short"));
    stop();
    EXPECT_FALSE(failure_);
    EXPECT_TRUE(ledger::payment_files(*ledger, /*unreleased_only=*/false).empty());
}

TEST_F(SocketTest, the_consoles_socket_answers_sessions_only) {
    Console console;
    context_.console = &console;
    options_.console_uid = ::geteuid();
    start();
    for (const std::string header : {"", "Authorization: Session guess\r\n", "Authorization: Basic eDp5\r\n"}) {
        const int fd = connect();
        const std::string request = "GET /status HTTP/1.1\r\nHost: x\r\n" + header + "\r\n";
        ASSERT_EQ(::write(fd, request.data(), request.size()), static_cast<ssize_t>(request.size()));
        EXPECT_THAT(read_all(fd), HasSubstr(" 401 ")) << header;
        ::close(fd);
    }
    stop();
}

TEST_F(SocketTest, the_consoles_socket_reads_that_a_page_asks_by_itself) {
    Console console;
    context_.console = &console;
    options_.console_uid = ::geteuid();
    const Instant now = clock_.now(), before = now - std::chrono::minutes(1);
    start();
    for (const bool by_itself : {true, false}) {
        console.state().sessions.put("uid 0", "token",
                                     {.who = {}, .last_used = before, .ends = now + std::chrono::hours(1)}, now,
                                     now + std::chrono::hours(1));
        const int fd = connect();
        const std::string request = std::string("GET /me HTTP/1.1\r\nHost: x\r\nAuthorization: Session token\r\n") +
                                    (by_itself ? "Drawbridge-By-Itself: 1\r\n" : "") + "\r\n";
        ASSERT_EQ(::write(fd, request.data(), request.size()), static_cast<ssize_t>(request.size()));
        EXPECT_THAT(read_all(fd), HasSubstr(" 200 "));
        ::close(fd);
        EXPECT_EQ(console.state().sessions.find("token", now)->last_used, by_itself ? before : now);
    }
    stop();
}

TEST_F(SocketTest, the_consoles_socket_hangs_up_on_any_other_uid) {
    Console console;
    context_.console = &console;
    options_.console_uid = static_cast<std::int64_t>(::geteuid()) + 1;
    start();
    const int fd = connect();
    EXPECT_EQ(read_all(fd), "");
    ::close(fd);
    stop();
}

}  // namespace
}  // namespace drawbridge::admin
