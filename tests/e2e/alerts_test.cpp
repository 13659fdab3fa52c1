// Alerts of the whole program: sent once despite crashes, and never delaying payments.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <set>

#include "drawbridge/domain/crash_point.hpp"
#include "e2e/office.hpp"
#include "service/scripted_server.hpp"

namespace drawbridge::e2e {
namespace {

using service::testing::answer;
using service::testing::Received;
using service::testing::Reply;
using service::testing::ScriptedServer;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string webhook_to(const ScriptedServer& server) {
    return "alerts: {webhook: {url: \"" + server.url() + "/hook\"}}\n";
}

// Message ids in order of arrival.
std::vector<std::string> ids(const ScriptedServer& server) {
    std::vector<std::string> all;
    for (const auto& request : server.received())
        all.push_back(Json::parse(request.body).at("id").get<std::string>());
    return all;
}

class AlertsCrash : public testing::TestWithParam<std::string> {};

TEST_P(AlertsCrash, each_alert_is_sent_at_least_once_and_recorded_once) {
    House house;
    ScriptedServer server([](const Received&) { return answer(204); });
    house.office.configure(webhook_to(server));
    house.sandbox.add({1, 100'00, "NOBODY"});
    const auto died = house.office.run_to_crash(GetParam() + ":1");
    EXPECT_EQ(died.exit.signal, SIGKILL) << died.err;
    house.office.run_once();
    house.office.run_once();
    const auto received = ids(server);
    EXPECT_THAT(std::set<std::string>(received.begin(), received.end()), SizeIs(1)) << "one message, one id";
    // An alert in flight at the crash may have arrived. It is sent again with the same id.
    EXPECT_LE(received.size(), GetParam() == "alerts.sent" ? 2U : 1U);
    const auto told = house.office.json({"alerts"});
    ASSERT_THAT(told.at("alerts"), SizeIs(1)) << told.dump(2);
    EXPECT_EQ(told.at("alerts")[0].at("sends")[0].at("outcome"), "sent");
    house.office.expect_verified();
}

std::vector<std::string> alert_points() {
    std::vector<std::string> all;
    for (const auto name : crash_points) {
        if (name.starts_with("alerts.")) all.emplace_back(name);
    }
    return all;
}

std::string point_name(const testing::TestParamInfo<std::string>& point) {
    return point.param.substr(point.param.find('.') + 1);
}

INSTANTIATE_TEST_SUITE_P(AtEveryPoint, AlertsCrash, testing::ValuesIn(alert_points()), point_name);

TEST(Alerts, a_hanging_receiver_delays_neither_payments_nor_shutdown) {
    House house;
    ScriptedServer server([](const Received&) { return Reply{"", Reply::Then::hang}; });
    house.office.configure(webhook_to(server));
    house.sandbox.add({1, 100'00, "NOBODY"});
    house.sandbox.add({2, 100'00, "ACH-1"});
    auto daemon = house.office.start_daemon();
    ASSERT_TRUE(eventually([&] { return std::filesystem::exists(house.office.state() / "drawbridge.sock"); }));
    ASSERT_TRUE(eventually([&] { return house.office.state_of(2) == "approved"; })) << house.office.daemon_log();
    house.office.run({"pay", "--now", "--reason", "month end"});
    house.office.release_what_waits();
    EXPECT_EQ(house.office.state_of(2), "paying");
    EXPECT_TRUE(eventually([&] { return !server.received().empty(); }, std::chrono::seconds(40)))
        << house.office.daemon_log();
    daemon.signal(SIGTERM);
    const auto exit = daemon.wait(std::chrono::seconds(15));
    ASSERT_TRUE(exit.has_value()) << "it does not stop";
    EXPECT_EQ(to_string(*exit), "exit 0") << house.office.daemon_log();
}

TEST(Alerts, status_counts_failing_alerts_and_a_test_shows_the_error) {
    House house;
    std::atomic<int> status = 500;
    ScriptedServer server([&](const Received&) { return answer(status, "broken inside"); });
    house.office.configure(webhook_to(server));
    house.sandbox.add({1, 100'00, "NOBODY"});
    house.office.run_once();
    EXPECT_THAT(house.office.run({"status"}).out, HasSubstr("1 alert cannot be sent by webhook"));
    const auto failed = house.office.run({"alerts", "test", "--reason", "new receiver"});
    EXPECT_EQ(failed.exit.code, 1);
    EXPECT_THAT(failed.err, HasSubstr("answered 500: broken inside"));
    status = 200;
    const auto good = house.office.run({"alerts", "test", "--reason", "new receiver"});
    EXPECT_EQ(good.exit.code, 0) << good.err;
    EXPECT_THAT(good.out, HasSubstr("webhook: the test message was accepted"));
    house.office.run_once();
    const auto told = house.office.json({"alerts"});
    EXPECT_EQ(told.at("alerts")[0].at("sends")[0].at("outcome"), "sent");
    EXPECT_THAT(told.at("ways").at("waiting"), IsEmpty());
    EXPECT_THAT(house.office.run({"alerts"}).out, HasSubstr("webhook sent"));
    house.office.expect_verified();
}

TEST(Alerts, the_heartbeat_is_sent_only_while_the_daemon_is_ready) {
    House house;
    ScriptedServer server([](const Received&) { return answer(204); });
    house.office.configure("alerts: {heartbeat: {url: \"" + server.url() + "/ping\", every: 100ms}}\n");
    auto daemon = house.office.start_daemon();
    ASSERT_TRUE(eventually([&] { return server.received().size() >= 2; })) << house.office.daemon_log();
    EXPECT_EQ(server.received().front().body, R"({"status":"ready"})");
    house.office.run({"pause", "--reason", "something is odd"});
    // One heartbeat may have been in flight when the pause was recorded.
    const auto told = server.received().size();
    house.office.run({"status"});
    EXPECT_LE(server.received().size(), told + 1);
    house.office.run({"resume", "--reason", "it was nothing"});
    EXPECT_TRUE(eventually([&] { return server.received().size() > told + 1; }));
}

}  // namespace
}  // namespace drawbridge::e2e
