// The monitoring endpoints of a running daemon, and the watchdog for a daemon that hangs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <regex>
#include <thread>

#include "e2e/http.hpp"
#include "e2e/office.hpp"

namespace drawbridge::e2e {
namespace {

using testing::HasSubstr;

std::uint16_t monitoring_port(const Office& office) {
    std::smatch match;
    const std::string log = office.daemon_log();
    static const std::regex said("metrics on port ([0-9]+)");
    return std::regex_search(log, match, said) ? static_cast<std::uint16_t>(std::stoi(match[1])) : std::uint16_t{0};
}

TEST(Monitoring, serves_health_and_metrics_on_a_loopback_port) {
    House house;
    house.office.configure("metrics: {listen: \"127.0.0.1:0\"}\n");
    auto daemon = house.office.start_daemon();
    ASSERT_TRUE(eventually([&] { return monitoring_port(house.office) != 0; })) << house.office.daemon_log();
    const auto port = monitoring_port(house.office);
    house.sandbox.add({1, 250'00, "ACH-1"});
    EXPECT_TRUE(eventually([&] { return http_request(port, "GET", "/readyz", "").status == 200; }));
    ASSERT_TRUE(eventually([&] { return house.office.state_of(1) == "approved"; })) << house.office.daemon_log();
    EXPECT_EQ(http_request(port, "GET", "/healthz", "").status, 200);
    const auto metrics = http_request(port, "GET", "/metrics", "").body;
    for (const char* name : {"token", "list", "approve"})
        EXPECT_THAT(metrics,
                    HasSubstr("drawbridge_requests_total{endpoint=\"" + std::string(name) + "\",outcome=\"2xx\"} "));
    EXPECT_THAT(metrics, HasSubstr("drawbridge_draws{state=\"approved\"} 1\n"));
    EXPECT_THAT(metrics, HasSubstr("drawbridge_step_runs_total{outcome=\"ok\",step=\"poll\"} "));
    EXPECT_EQ(http_request(port, "GET", "/draws", "").status, 404) << "no other path is served";
    EXPECT_EQ(http_request(port, "POST", "/pause", "{\"reason\": \"x\"}").status, 405);
    house.office.run({"pause", "--reason", "bank holiday"});
    const auto paused = http_request(port, "GET", "/readyz", "");
    EXPECT_EQ(paused.status, 503);
    EXPECT_THAT(paused.body, HasSubstr("paused"));
    daemon.signal(SIGTERM);
    const auto exit = daemon.wait(std::chrono::seconds(10));
    ASSERT_TRUE(exit.has_value());
    EXPECT_EQ(to_string(*exit), "exit 0") << house.office.daemon_log();
}

// Receives the notifications to systemd.
class NotifySocket {
  public:
    explicit NotifySocket(const std::filesystem::path& path) : fd_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.native().copy(address.sun_path, sizeof address.sun_path - 1);
        EXPECT_EQ(::bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    }
    NotifySocket(const NotifySocket&) = delete;
    NotifySocket& operator=(const NotifySocket&) = delete;
    ~NotifySocket() { ::close(fd_); }

    // The number of such messages since the last call.
    int received(std::string_view message) {
        char buffer[4096];
        int count = 0;
        for (ssize_t size = 0; (size = ::recv(fd_, buffer, sizeof buffer, MSG_DONTWAIT)) >= 0;)
            count += std::string_view(buffer, static_cast<std::size_t>(size)).starts_with(message) ? 1 : 0;
        return count;
    }

  private:
    int fd_;
};

TEST(Watchdog, a_hanging_step_sends_no_watchdog_pings) {
    House house;
    NotifySocket systemd(house.folder.path() / "notify");
    auto daemon = house.office.start_daemon({{"NOTIFY_SOCKET", (house.folder.path() / "notify").string()},
                                             {"WATCHDOG_USEC", "400000"},
                                             {"DRAWBRIDGE_HANG_AT", "decide.decisions_committed:1"}},
                                            "tests/drawbridge-crash");
    ASSERT_TRUE(eventually([&] { return systemd.received("WATCHDOG=1") > 0; })) << house.office.daemon_log();
    ASSERT_TRUE(eventually([&] { return systemd.received("WATCHDOG=1") > 0; })) << "the running daemon sends pings";
    house.sandbox.add({1, 250'00, "ACH-1"});
    ASSERT_TRUE(eventually(
        [&] {
            systemd.received("");
            // systemd's criterion: a whole interval without a ping.
            std::this_thread::sleep_for(std::chrono::milliseconds(1200));
            return systemd.received("WATCHDOG=1") == 0;
        },
        std::chrono::seconds(30)));
    EXPECT_TRUE(daemon.running()) << "the process hangs but is alive";
    daemon.kill();
    house.office.run_once();
    EXPECT_EQ(house.office.state_of(1), "paying");
}

}  // namespace
}  // namespace drawbridge::e2e
