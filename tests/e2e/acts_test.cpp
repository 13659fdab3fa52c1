// The audit trail records every act of the operators' API with its person and reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string_view>

#include "e2e/office.hpp"
#include "service/scripted_server.hpp"

namespace drawbridge::e2e {
namespace {

using service::testing::Received;
using service::testing::ScriptedServer;
using testing::IsEmpty;
using testing::Not;

// The POST routes in the API's header, except those marked "no act".
std::set<std::string> acts_of_the_api() {
    const std::string header = read_file(std::string(DRAWBRIDGE_SOURCE_DIR) + "/include/drawbridge/admin/handlers.hpp");
    static const std::regex route(R"(//   POST (/\S+)([^\n]*))");
    std::set<std::string> acts;
    for (std::sregex_iterator at(header.begin(), header.end(), route), end; at != end; ++at) {
        if ((*at)[2].str().find("not an act") == std::string::npos) acts.insert((*at)[1].str());
    }
    return acts;
}

constexpr std::string_view a_host_key =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBFzvhLkOYXK0nVYT3kV+4lMRqcnzTM2PA3Aey7HOAe2";

class Acts : public testing::Test {
  protected:
    Acts() : server_([](const Received&) { return service::testing::answer(204); }) {
        house_.office.configure("alerts: {webhook: {url: \"" + server_.url() +
                                "/hook\"}}\nconsole: {origin: \"http://localhost:1\"}\n");
    }

    void act(const std::string& route, std::vector<std::string> words) {
        const std::string reason = "because-" + std::to_string(done_.size()) + "-" + words.front();
        words.insert(words.end(), {"--reason", reason});
        const auto outcome = house_.office.run(words);
        EXPECT_EQ(to_string(outcome.exit), "exit 0") << route << ": " << outcome.err;
        done_[route] = reason;
    }
    // For acts without a reason: `what` is the subject of the audit row.
    void act_without_reason(const std::string& route, const std::vector<std::string>& words, const std::string& what) {
        const auto outcome = house_.office.run(words);
        EXPECT_EQ(to_string(outcome.exit), "exit 0") << route << ": " << outcome.err;
        done_[route] = what;
    }
    // Only without a daemon: the ledger allows one connection.
    void expect_all_audited() const {
        for (const auto& [route, reason] : done_)
            EXPECT_THAT(house_.office.audit("seq", "actor LIKE 'uid %' AND detail LIKE '%" + reason + "%'"),
                        Not(IsEmpty()))
                << route << " is not audited with the caller and the reason";
    }

    std::string file_that_waits(const std::string& rail) const {
        const auto answer = house_.office.json({"files"});
        for (const auto& file : answer.at("files")) {
            const bool pays = file.at("kind") == "payments";
            if (pays && file.at("state") == "staged" && file.at("rail") == rail) return file.at("name");
        }
        return "none";
    }
    std::string exception_of(std::int64_t draw) const {
        const auto answer = house_.office.json({"exceptions"});
        for (const auto& row : answer.at("exceptions")) {
            if (row.at("draw_id") == draw) return std::to_string(row.at("id").get<std::int64_t>());
        }
        return "0";
    }

    std::string payment_of(std::int64_t draw, const std::string& file) const {
        const auto answer = house_.office.json({"file", file});
        for (const auto& row : answer.at("payments")) {
            if (row.at("draw_id") == draw) return row.at("payment_id").get<std::string>();
        }
        return "none";
    }
    // Root appoints an admin with another uid. From then on root has no role.
    void act_on_people() {
        std::filesystem::permissions(house_.folder.path(), std::filesystem::perms(0755));
        act("/people", {"people", "add", "Anna"});
        act("/people/ID/link", {"people", "link", "1", "--uid", "5001"});
        act("/people/ID/unlink", {"people", "unlink", "1", "--uid", "5001"});
        house_.office.run({"people", "link", "1", "--uid", "5001", "--reason", "again"});
        act("/people/ID/lock", {"people", "lock", "1"});
        act("/people/ID/unlock", {"people", "unlock", "1"});
        act("/people/ID/invite", {"people", "invite", "1"});
        act("/people/ID/grant", {"people", "role", "1", "admin"});
        const auto waits =
            house_.office.run_as(5001, {"people", "role", "1", "admin", "--revoke", "--reason", "because-revoked"});
        EXPECT_EQ(to_string(waits.exit), "exit 0") << waits.err;
        done_["/people/ID/revoke"] = "because-revoked";
        act("/people/changes/ID/reject", {"people", "reject", "1"});
        house_.office.run_as(5001, {"people", "role", "1", "viewer", "--reason", "to read"});
        const auto confirmed = house_.office.run({"people", "confirm", "2", "--reason", "because-confirmed"});
        EXPECT_EQ(to_string(confirmed.exit), "exit 0") << confirmed.err;
        done_["/people/changes/ID/confirm"] = "because-confirmed";
    }

    void act_on_changes() {
        const auto& office = house_.office;
        office.configure("change_control: second_person\n");
        office.run({"run", "--once"});
        office.write_rules(read_file(office.folder() / "rules.yaml") + "# changed\n");
        office.run({"run", "--once"});
        const std::string hash = office.json({"changes"}).at("changes")[0].at("sha256");
        act("/changes/SHA256/accept", {"accept", hash});
        act("/changes/SHA256/reject", {"reject", hash});
    }

    // Two released files for a server that does not exist. Then the server is removed from the configuration.
    void act_on_deliveries() {
        const auto& office = house_.office;
        const auto before = read_file(office.folder() / "drawbridge.yaml");
        write_file(office.folder() / "sftp_key", "not read before a server answers\n");
        office.configure("delivery:\n  sftp:\n    host: 127.0.0.1\n    port: 1\n    user: office\n    key_file: " +
                         (office.folder() / "sftp_key").string() + "\n    host_key: " + std::string(a_host_key) + "\n");
        house_.sandbox.add({7, 700'00, "ACH-5"});
        house_.sandbox.add({8, 800'00, "CHK-2"});
        office.run_once();
        const auto check_file = file_that_waits("check");
        office.release_what_waits();
        act("/files/NAME/deliver", {"deliver", check_file, "--by-hand"});
        act("/files/NAME/acknowledge", {"acknowledge", check_file, "--payments", "1", "--total", "800.00"});
        write_file(office.folder() / "drawbridge.yaml", before);
        office.run_once(1);
        std::string id = "0";
        const auto answer = office.json({"exceptions"});
        for (const auto& row : answer.at("exceptions")) {
            if (row.at("reason_code") == "delivery_not_configured") id = row.at("id").dump();
        }
        act("/exceptions/ID/deliver", {"resolve", id, "--by-hand"});
    }

    House house_{OfficeOptions{.release = "manual"}};
    ScriptedServer server_;
    std::map<std::string, std::string> done_;  // each route with its reason
};

TEST_F(Acts, each_act_is_audited_with_its_person) {
    const auto layout = house_.office.folder() / "issue.yaml";
    write_file(layout, std::regex_replace(read_file(layout), std::regex("void: V"), "void: V, stop: S"));
    house_.sandbox.add({1, 100'00, "CHK-1"});
    house_.sandbox.add({2, 200'00, "ACH-1"});
    house_.sandbox.add({3, 30'000'00, "ACH-2"});  // held
    house_.sandbox.add({4, 400'00, "NOBODY"});
    house_.sandbox.add({5, 500'00, "ACH-3"});
    house_.sandbox.add({6, 600'00, "ACH-4"});
    house_.sandbox.add({17, 700'00, "NOBODY-2"});
    house_.office.run_once();
    act("/draws/approve", {"approve", "3"});
    const auto settled = exception_of(4);
    act("/exceptions/ID/resolve", {"resolve", settled});
    act("/exceptions/ID/undo", {"resolve", settled, "--undo"});
    act("/exceptions/resolve", {"resolve", exception_of(4), exception_of(17)});
    act("/files/NAME/void", {"void", file_that_waits("ach")});
    act("/files/NAME/release", {"release", file_that_waits("check")});
    act("/checks/NUMBER/stop", {"stop", "--check", "10001"});
    act("/checks/NUMBER/withdraw", {"stop", "--check", "10001", "--withdraw"});
    act("/checks/NUMBER/void", {"void", "--check", "10001"});
    act("/pause", {"pause"});
    act("/resume", {"resume"});
    act("/pay", {"pay", "--now"});
    act("/alerts/test", {"alerts", "test"});

    // Both payments are returned. One draw is reissued by its id, the other by its exception.
    act("/payments/ID/void", {"void", "--payment", payment_of(6, file_that_waits("ach"))});
    house_.office.run_once();
    house_.office.release_what_waits();
    std::string returned(confirmation_header);
    for (const auto& instruction : house_.bank.collect(house_.office.outgoing())) {
        if (instruction.cents == 200'00 || instruction.cents == 500'00) {
            returned +=
                instruction.reference + ",returned," + decimal(instruction.cents) + "," + instruction.created_on + "\n";
        }
    }
    house_.office.drop("returned.csv", returned);
    house_.office.run_once();
    write_file(house_.office.folder() / "again.csv", returned);
    act("/ingest/ID/take", {"ingest", (house_.office.folder() / "again.csv").string()});
    house_.office.act_as(finance_person, {"ingest", (house_.office.folder() / "again.csv").string()});
    act("/draws/ID/reissue", {"reissue", "2"});
    act("/exceptions/ID/reissue", {"resolve", exception_of(5), "--reissue"});
    act("/archive/show", {"archive", "show", "returned.csv", "--output", (house_.office.folder() / "shown").string()});
    act_on_deliveries();
    act_on_changes();
    const auto copy = house_.office.folder() / "copy-of-the-ledger.db";
    act_without_reason("/backup", {"backup", copy.string()}, copy.filename().string());

    auto daemon = house_.office.start_daemon();
    ASSERT_TRUE(eventually([&] { return std::filesystem::exists(house_.office.state() / "drawbridge.sock"); }));
    act("/reload", {"reload"});
    act("/console/link", {"console", "open"});
    if (::geteuid() == 0) act_on_people();
    daemon.signal(SIGTERM);
    EXPECT_TRUE(daemon.wait(std::chrono::seconds(15)).has_value());

    expect_all_audited();
    for (const auto& route : acts_of_the_api()) {
        if (::geteuid() != 0 && route.starts_with("/people")) continue;
        if (route.starts_with("/passkeys")) continue;  // WebConsoleTest.what_is_done_to_a_passkey_is_audited
        // ConsoleSessions.open_sessions_are_listed_and_an_admin_ends_them
        if (route.starts_with("/sessions")) continue;
        EXPECT_TRUE(done_.contains(route)) << route << ": no test covers its audit row";
    }
    house_.office.expect_verified();
}

// At most 24 lines of 80 columns in every situation, with what needs a person on top.
TEST_F(Acts, status_of_a_busy_ledger_fits_a_screen) {
    for (std::int64_t id = 1; id <= 9; ++id)
        house_.sandbox.add({id, 100'00 * id, (id % 2 == 0 ? "ACH-" : "CHK-") + std::to_string(id)});
    for (std::int64_t id = 10; id <= 14; ++id)
        house_.sandbox.add({id, 30'000'00, "ACH-1"});
    for (std::int64_t id = 15; id <= 19; ++id)
        house_.sandbox.add({id, 100'00, "A payee whose key is much longer than anybody would have thought possible"});
    house_.sandbox.add({20, 100'00, "", 12, 2});
    house_.sandbox.add({21, 100'00, "ACH-1", 12, 5});
    house_.office.run_once();
    house_.office.run({"release", file_that_waits("check"), "--reason", "agreed"});
    house_.office.drop("bad.csv", std::string(confirmation_header) + "123,paid,lots,2026-01-01\n");
    house_.office.drop("good.csv", confirmation_csv(house_.bank.collect(house_.office.outgoing())));
    house_.office.run_once();
    house_.office.run({"pause", "--reason", std::string(300, 'x')});
    Command command;
    command.arguments = {std::string(DRAWBRIDGE_BINARY_DIR) + "/drawbridge", "--config",
                         (house_.office.folder() / "drawbridge.yaml").string(), "status"};
    command.environment = {{"COLUMNS", "80"}, {"LINES", "24"}};
    command.stdout_file = house_.office.folder() / "status.out";
    command.stderr_file = house_.office.folder() / "status.err";
    Process process(command);
    ASSERT_TRUE(process.wait(std::chrono::seconds(20)).has_value());
    const std::string shown = read_file(command.stdout_file);
    std::istringstream lines(shown);
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        const auto characters = std::ranges::count_if(line, [](char c) { return (c & 0xC0) != 0x80; });
        EXPECT_LE(characters, 80) << line;
    }
    EXPECT_LE(count, 23) << "24 lines with the prompt:\n" << shown;
    EXPECT_GE(count, 12) << shown;
    EXPECT_TRUE(shown.starts_with("Needs a person:\n  PAUSED since")) << shown;
    EXPECT_THAT(shown, testing::HasSubstr("open exception"));
    EXPECT_THAT(shown, testing::HasSubstr("waits for release"));
    EXPECT_THAT(shown, testing::HasSubstr("held"));
    EXPECT_THAT(shown, testing::HasSubstr("paid"));
}

}  // namespace
}  // namespace drawbridge::e2e
