// The reconciliation report from the command line, with and without a daemon.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "e2e/office.hpp"

namespace drawbridge::e2e {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class ReconcileCommand : public testing::Test {
  protected:
    std::string read(const std::string& name) const {
        std::ifstream in(house_.folder.path() / name, std::ios::binary);
        std::stringstream text;
        text << in.rdbuf();
        return text.str();
    }
    std::string path(const std::string& name) const { return (house_.folder.path() / name).string(); }
    static std::size_t rows(const std::string& text) {
        return static_cast<std::size_t>(std::ranges::count(text, '\n'));
    }

    House house_;
};

TEST_F(ReconcileCommand, agrees_when_everything_is_reported) {
    house_.sandbox.add({1, 200'00, "ACH-1"});
    house_.sandbox.add({2, 300'00, "CHK-2"});
    house_.office.run_once();
    house_.office.run_once();
    auto report = house_.office.run({"reconcile"});
    EXPECT_EQ(to_string(report.exit), "exit 0") << report.out << report.err;
    EXPECT_THAT(report.out, HasSubstr("Nothing differs; 2 in flight ($500.00)"));
    house_.people_do_their_part("bank.csv");
    house_.office.run_once();
    house_.office.run_once();
    report = house_.office.run({"reconcile"});
    EXPECT_EQ(to_string(report.exit), "exit 0") << report.out << report.err;
    EXPECT_THAT(report.out, HasSubstr("Nothing differs; 0 in flight ($0.00); 2 agree ($500.00)."));
}

TEST_F(ReconcileCommand, writes_each_format_completely_and_never_overwrites) {
    house_.sandbox.add({1, 200'00, "ACH-1"});
    house_.office.run_once();
    house_.office.run_once();
    for (const char* format : {"text", "csv", "json", "html"}) {
        const auto name = std::string("report.") + format;
        const auto written = house_.office.run({"reconcile", "--format", format, "--output", path(name)});
        EXPECT_EQ(to_string(written.exit), "exit 0") << written.err;
        EXPECT_THAT(written.out, HasSubstr("Nothing differs"));
        struct stat found{};
        ASSERT_EQ(::stat(path(name).c_str(), &found), 0);
        EXPECT_EQ(found.st_mode & 07777U, 0640U);
        const auto again = house_.office.run({"reconcile", "--format", format, "--output", path(name)});
        EXPECT_EQ(to_string(again.exit), "exit 1");
        EXPECT_THAT(again.err, HasSubstr("the file exists"));
    }
    EXPECT_THAT(read("report.csv"), StartsWith("group,class,draw_id,"));
    EXPECT_EQ(rows(read("report.csv")), 2U);
    EXPECT_EQ(Json::parse(read("report.json")).at("lines").size(), 1U);
    EXPECT_THAT(read("report.html"), HasSubstr("</html>"));
    const auto over = house_.office.run({"reconcile", "--output", path("report.csv"), "--overwrite"});
    EXPECT_EQ(to_string(over.exit), "exit 0") << over.err;
    EXPECT_THAT(read("report.csv"), StartsWith("Reconciliation of"));
}

TEST_F(ReconcileCommand, finds_new_differences_with_fresh_readings) {
    house_.sandbox.add({1, 200'00, "ACH-1"});
    house_.office.run_once();
    house_.office.run_once();
    house_.sandbox.act(1, "cancel");
    EXPECT_EQ(to_string(house_.office.run({"reconcile"}).exit), "exit 0") << "the ledger's readings are old";
    const auto fresh = house_.office.run({"reconcile", "--fresh"});
    EXPECT_EQ(to_string(fresh.exit), "exit 1") << fresh.err;
    EXPECT_THAT(fresh.out, HasSubstr("1 draw in question, read again"));
    EXPECT_THAT(fresh.out, HasSubstr("cancelled after its payment was made"));
    house_.office.expect_verified();
}

TEST_F(ReconcileCommand, reports_returns_and_an_unreachable_service) {
    house_.sandbox.add({1, 200'00, "ACH-1"});
    house_.office.run_once();
    house_.office.run_once();
    house_.people_do_their_part("bank.csv");
    house_.office.run_once();
    house_.office.run_once();
    const auto csv = house_.office.run({"reconcile", "--format", "csv"}).out;
    const auto at = csv.find("P00000");
    ASSERT_NE(at, std::string::npos) << csv;
    const auto day = Json::parse(house_.office.run({"reconcile", "--json"}).out).at("head").at("to").get<std::string>();
    house_.office.drop("returned.csv", "payment_reference,status,amount,date\n" + csv.substr(at, 11) +
                                           ",returned,200.00," + day + "\nP0000009999,paid,7.77," + day + "\n");
    house_.office.run_once();
    const auto report = house_.office.run({"reconcile"});
    EXPECT_EQ(to_string(report.exit), "exit 1");
    EXPECT_THAT(report.out, HasSubstr("returned after it was Disbursed at the service: 1, $200.00"));
    EXPECT_THAT(report.out, HasSubstr("returned.csv line 3"));
    EXPECT_THAT(report.out, testing::Not(HasSubstr("FAIL")));
    house_.sandbox.process().kill();
    const auto away = house_.office.run({"reconcile", "--fresh"});
    EXPECT_EQ(to_string(away.exit), "exit 1");
    EXPECT_THAT(away.out, HasSubstr("1 COULD NOT BE READ"));
}

TEST_F(ReconcileCommand, works_through_the_daemon) {
    house_.sandbox.add({1, 200'00, "ACH-1"});
    house_.office.run_once();
    house_.office.run_once();
    const auto without = house_.office.json({"reconcile"});
    auto daemon = house_.office.start_daemon();
    ASSERT_TRUE(eventually([&] { return std::filesystem::exists(house_.office.state() / "drawbridge.sock"); }))
        << house_.office.daemon_log();
    const auto with = house_.office.json({"reconcile", "--fresh"});
    EXPECT_EQ(with.at("classes"), without.at("classes"));
    EXPECT_EQ(with.at("head").at("service").at("fresh_asked"), 1);
    EXPECT_EQ(to_string(house_.office.run({"reconcile", "--from", "2026-13-01"}).exit), "exit 2");
    EXPECT_EQ(to_string(house_.office.run({"reconcile", "--to", "2999-01-01"}).exit), "exit 2");
    EXPECT_EQ(to_string(house_.office.run({"draws", "--min-amount", "abc"}).exit), "exit 2");
    EXPECT_EQ(to_string(house_.office.run({"forecast", "--days", "0"}).exit), "exit 2");
    EXPECT_EQ(to_string(house_.office.run({"draw", "999"}).exit), "exit 1") << "a right question";
    EXPECT_EQ(to_string(house_.office.run({"reconcile", "--format", "pdf"}).exit), "exit 2");
}

}  // namespace
}  // namespace drawbridge::e2e
