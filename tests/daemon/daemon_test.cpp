// The real daemon: readiness, the lock, signals, requests.
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <nlohmann/json.hpp>

#include "support/program.hpp"

namespace drawbridge::daemon {
namespace {

using nlohmann::json;
using test::eventually;
using test::Office;
using test::Program;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Receives the notifications to systemd.
class NotifySocket {
  public:
    explicit NotifySocket(const std::filesystem::path& path) : fd_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.native().copy(address.sun_path, sizeof address.sun_path - 1);
        EXPECT_EQ(::bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    }
    NotifySocket(const NotifySocket&) = delete;
    NotifySocket& operator=(const NotifySocket&) = delete;
    ~NotifySocket() { ::close(fd_); }

    // True after a message with this text arrives.
    bool received(std::string_view text) {
        char buffer[2048];
        for (ssize_t size = 0; (size = ::recv(fd_, buffer, sizeof buffer, 0)) > 0;) {
            received_.append(buffer, static_cast<std::size_t>(size));
            received_ += '\n';
        }
        return received_.contains(text);
    }

  private:
    int fd_;
    std::string received_;
};

// A service that accepts connections and never answers.
class SilentService {
  public:
    SilentService() : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        EXPECT_EQ(::bind(fd_, reinterpret_cast<const sockaddr*>(&address), size), 0);
        EXPECT_EQ(::listen(fd_, 8), 0);
        EXPECT_EQ(::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size), 0);
        port_ = ntohs(address.sin_port);
    }
    SilentService(const SilentService&) = delete;
    SilentService& operator=(const SilentService&) = delete;
    ~SilentService() { ::close(fd_); }
    [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
    // Waits for a connection. The caller closes it.
    [[nodiscard]] int accept() const { return ::accept(fd_, nullptr, nullptr); }

  private:
    int fd_;
    int port_ = 0;
};

class DaemonTest : public ::testing::Test {
  protected:
    Program start(std::vector<std::string> environment = {}) {
        environment.push_back("NOTIFY_SOCKET=" + office.path("notify").string());
        return Program(office.command({"run"}), std::move(environment));
    }
    [[nodiscard]] bool serves() const { return std::filesystem::exists(office.path("state/drawbridge.sock")); }

    Office office;
    NotifySocket notify{office.path("notify")};
};

TEST_F(DaemonTest, notifies_systemd_of_ready_status_and_stopping) {
    Program daemon = start({"WATCHDOG_USEC=2000000"});
    ASSERT_TRUE(eventually([&] { return notify.received("READY=1"); })) << daemon.err();
    EXPECT_TRUE(serves());
    EXPECT_TRUE(eventually([&] { return notify.received("STATUS=poll: FAILED"); }));
    EXPECT_TRUE(eventually([&] { return notify.received("WATCHDOG=1"); }));
    daemon.signal(SIGTERM);
    EXPECT_EQ(daemon.wait(), 0);
    EXPECT_TRUE(notify.received("STOPPING=1"));
    EXPECT_FALSE(serves());
    EXPECT_THAT(daemon.out(), IsEmpty());
    EXPECT_THAT(daemon.err(), HasSubstr("stopped"));
}

TEST_F(DaemonTest, each_line_to_the_journal_has_its_priority) {
    Program daemon = start({"JOURNAL_STREAM=8:1"});
    ASSERT_TRUE(eventually([&] { return daemon.err().contains("<3>poll failed: "); })) << daemon.err();
    EXPECT_THAT(daemon.err(), testing::StartsWith("<4>created a new ledger in " + office.path("state").string()));
    EXPECT_THAT(daemon.err(), HasSubstr("<6>ready: "));
    daemon.signal(SIGINT);
    EXPECT_EQ(daemon.wait(), 0);
}

TEST_F(DaemonTest, a_second_process_cannot_use_the_ledger) {
    Program daemon = start();
    ASSERT_TRUE(eventually([&] { return notify.received("READY=1"); })) << daemon.err();
    for (const std::vector<std::string>& words : {std::vector<std::string>{"run"}, {"run", "--once"}}) {
        const auto second = office.run(words);
        EXPECT_TRUE(notify.received("READY=1"));  // reads what came meanwhile: the daemon waits until somebody does
        EXPECT_EQ(second.code, 75);
        EXPECT_THAT(second.err,
                    ContainsRegex("another drawbridge process owns this ledger \\(pid [0-9]+, drawbridge run\\): "
                                  "stop it first"));
    }
    EXPECT_TRUE(serves()) << "the first daemon's socket still works";
    EXPECT_EQ(office.run({"status"}).code, 0);
}

TEST_F(DaemonTest, reports_a_locked_ledger_without_a_socket) {
    Program daemon = start();
    ASSERT_TRUE(eventually([&] { return notify.received("READY=1"); })) << daemon.err();
    std::filesystem::remove(office.path("state/drawbridge.sock"));
    const auto status = office.run({"status"});
    EXPECT_EQ(status.code, 75);
    EXPECT_THAT(status.err, HasSubstr("another drawbridge process owns this ledger"));
}

TEST_F(DaemonTest, replaces_the_stale_socket_of_a_killed_daemon) {
    {
        Program killed = start();
        ASSERT_TRUE(eventually([&] { return notify.received("READY=1"); })) << killed.err();
        killed.signal(SIGKILL);
        EXPECT_EQ(killed.wait(), 128 + SIGKILL);
    }
    ASSERT_TRUE(serves());
    EXPECT_EQ(office.run({"status"}).code, 0) << "without a daemon, despite the stale socket";
    Program daemon = start();
    ASSERT_TRUE(eventually([&] { return daemon.err().contains("ready: "); })) << daemon.err();
    const auto status = json::parse(office.run({"status", "--json"}).out);
    EXPECT_TRUE(status["daemon"]["running"].get<bool>());
}

TEST_F(DaemonTest, serves_requests_while_a_step_runs) {
    Program daemon = start();
    ASSERT_TRUE(eventually([&] { return notify.received("READY=1"); })) << daemon.err();
    EXPECT_EQ(office.run({"pay", "--now", "--reason", "late"}).code, 0);
    EXPECT_EQ(office.run({"pause", "--reason", "look"}).code, 0);
    const auto refused = office.run({"pay", "--now"});
    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.err, HasSubstr("paused"));
    const auto status = json::parse(office.run({"status", "--json"}).out);
    EXPECT_TRUE(status["daemon"]["running"].get<bool>());
    EXPECT_FALSE(status["service"].is_null());
    EXPECT_EQ(status["needs_attention"]["paused"]["reason"], "look");
    EXPECT_EQ(office.run({"resume", "--reason", "fine"}).code, 0);
    EXPECT_EQ(office.run({"verify"}).code, 0);
    daemon.signal(SIGTERM);
    EXPECT_EQ(daemon.wait(), 0);
    EXPECT_THAT(daemon.err(), HasSubstr("late"));
}

TEST_F(DaemonTest, reload_loads_valid_rules_and_keeps_the_old_ones_otherwise) {
    Program daemon = start();
    ASSERT_TRUE(eventually([&] { return notify.received("READY=1"); })) << daemon.err();
    const auto rule_set = [&] { return json::parse(office.run({"status", "--json"}).out)["rule_set"]; };
    const auto before = rule_set();
    office.write("rules.yaml", "version: 1\nrules: [\n");
    const auto refused = office.run({"reload"});
    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.err, HasSubstr("rules.yaml:"));
    EXPECT_EQ(rule_set(), before);
    EXPECT_THAT(office.run({"status"}).out, HasSubstr("not in force: "));
    office.write("rules.yaml", "version: 1\napprover_id: 1202\nrules: []\n");
    EXPECT_EQ(office.run({"reload"}).code, 0);
    EXPECT_TRUE(eventually([&] { return rule_set() != before; }));
    const auto by_command = rule_set();
    office.write("rules.yaml", "version: 1\napprover_id: 1203\nrules: []\n");
    daemon.signal(SIGHUP);
    EXPECT_TRUE(eventually([&] { return rule_set() != by_command; }));
}

TEST_F(DaemonTest, reads_a_dropped_file_without_waiting_for_the_poll) {
    auto config = test::read_whole(office.path("drawbridge.yaml"));
    config.replace(config.find("every: 200ms"), 12, "every: 1h");
    office.write("drawbridge.yaml", config + "confirmations: {quiet_period: 100ms}\n");
    Program daemon = start();
    ASSERT_TRUE(eventually([&] { return daemon.err().contains("confirm: "); })) << daemon.err();
    office.write("state/inbox/bank.csv", "payment_reference,status,amount,date\nX-1,paid,1.00,2026-03-04\n");
    EXPECT_TRUE(eventually([&] { return daemon.err().contains("confirm: 1 file applied"); })) << daemon.err();
    daemon.signal(SIGTERM);
    EXPECT_EQ(daemon.wait(), 0);
}

TEST_F(DaemonTest, stops_without_waiting_for_a_silent_service) {
    const SilentService service;
    auto config = test::read_whole(office.path("drawbridge.yaml"));
    config.replace(config.find("http://127.0.0.1:1"), 18, service.url());
    office.write("drawbridge.yaml", config);
    Program daemon = start();
    const int call = service.accept();  // the poll waits for its token now
    ASSERT_TRUE(notify.received("READY=1"));
    EXPECT_EQ(json::parse(office.run({"status", "--json"}).out)["daemon"]["doing"], "poll");
    const auto asked = std::chrono::steady_clock::now();
    daemon.signal(SIGTERM);
    EXPECT_EQ(daemon.wait(), 0) << daemon.err();
    EXPECT_LT(std::chrono::steady_clock::now() - asked, std::chrono::seconds(10));
    ::close(call);
    EXPECT_EQ(office.run({"verify"}).code, 0);
}

TEST_F(DaemonTest, a_second_signal_ends_the_grace_period) {
    const SilentService service;
    auto config = test::read_whole(office.path("drawbridge.yaml"));
    config.replace(config.find("http://127.0.0.1:1"), 18, service.url());
    office.write("drawbridge.yaml", config);
    Program daemon = start();
    const int call = service.accept();
    const auto asked = std::chrono::steady_clock::now();
    daemon.signal(SIGTERM);
    ASSERT_TRUE(eventually([&] { return notify.received("STOPPING=1"); }));
    daemon.signal(SIGTERM);
    EXPECT_EQ(daemon.wait(), 0) << daemon.err();
    EXPECT_LT(std::chrono::steady_clock::now() - asked, std::chrono::seconds(2));
    ::close(call);
}

TEST_F(DaemonTest, exits_with_78_for_a_wrong_configuration) {
    office.write("rules.yaml", "version: 1\nruls: []\n");
    Program daemon = start();
    EXPECT_EQ(daemon.wait(), 78);
    EXPECT_THAT(daemon.err(), HasSubstr("rules.yaml:2:1"));
    EXPECT_FALSE(notify.received("READY=1"));
}

}  // namespace
}  // namespace drawbridge::daemon
