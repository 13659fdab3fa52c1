// Two programs, each with a schema of its own in one PostgreSQL database, in one report.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "e2e/office.hpp"
#include "support/postgresql_cluster.hpp"

namespace drawbridge::e2e {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

namespace fs = std::filesystem;

// A schema of its own in each test.
OfficeOptions program_in(const std::string& schema) {
    static int schemas = 0;
    OfficeOptions options;
    options.ledger = "{witness: none, url: \"" + test::PostgresqlCluster::instance().url("office") +
                     "\", schema: " + schema + "_" + std::to_string(::getpid()) + "_" + std::to_string(++schemas) + "}";
    return options;
}

// `housing` with 3 draws, `childcare` with 2 and another time zone, whose days are the same ones.
class SeveralPrograms : public testing::Test {
  protected:
    void SetUp() override {
        add_draws(housing_.sandbox, 3);
        add_draws(childcare_.sandbox, 2);
        const auto folder = childcare_.office.folder();
        auto yaml = read_file(folder / "drawbridge.yaml");
        const std::string zone = "America/New_York";
        yaml.replace(yaml.find(zone), zone.size(), "America/Detroit");
        write_file(folder / "drawbridge.yaml", yaml);
        write_file(folder / "childcare.yaml", yaml);
        housing_.office.run_once();
        childcare_.office.run_once();
    }
    // With --config of both.
    Outcome run(std::vector<std::string> words) const {
        words.insert(words.begin(), {"--config", (childcare_.office.folder() / "childcare.yaml").string()});
        return housing_.office.run(words);
    }
    Outcome reconcile(const std::vector<std::string>& more) const {
        const auto head =
            Json::parse(housing_.office.run({"reconcile", "--json"}).out).at("head").at("from").get<std::string>();
        std::vector<std::string> words = {"reconcile", "--from", head, "--to", head};
        words.insert(words.end(), more.begin(), more.end());
        return run(words);
    }

    House housing_{program_in("housing")}, childcare_{program_in("childcare")};
};

TEST_F(SeveralPrograms, are_in_one_reconciliation) {
    std::int64_t cents = 0;
    for (const std::int64_t id : {1, 2, 3, 1, 2})
        cents += cents_of_draw(id);
    const auto text = reconcile({});
    EXPECT_EQ(to_string(text.exit), "exit 0") << text.out << text.err;
    EXPECT_THAT(text.out, StartsWith("Reconciliation of "));
    EXPECT_THAT(text.out, HasSubstr(", 2 programs\n"));
    EXPECT_THAT(text.out, HasSubstr("of each program: drawbridge America/New_York, childcare"));
    EXPECT_THAT(text.out, HasSubstr("Nothing differs; 5 in flight"));
    EXPECT_THAT(text.out, HasSubstr("\n== childcare\n"));
    const auto json = Json::parse(reconcile({"--json"}).out);
    ASSERT_EQ(json.at("programs").size(), 2U);
    EXPECT_EQ(json.at("programs").at(1).at("program"), "childcare");
    EXPECT_EQ(json.at("programs").at(1).at("report").at("lines").size(), 2U);
    EXPECT_EQ(json.at("sum").at("groups").at("in_flight").at("amount"),
              std::to_string(cents / 100) + "." + std::to_string(100 + cents % 100).substr(1));
    EXPECT_TRUE(json.at("sum").at("adds_up").get<bool>());
    const auto csv = reconcile({"--format", "csv"}).out;
    EXPECT_THAT(csv, StartsWith("program,group,class,"));
    EXPECT_EQ(std::ranges::count(csv, '\n'), 6) << csv;
    EXPECT_THAT(csv, HasSubstr("\nchildcare,in_flight,"));
}

TEST_F(SeveralPrograms, are_in_one_status) {
    const auto status = run({"status"});
    EXPECT_EQ(to_string(status.exit), "exit 0") << status.err;
    EXPECT_THAT(status.out, HasSubstr("\nTotal "));
    EXPECT_EQ(Json::parse(run({"status", "--json"}).out).at("sum").at("seen").at("count"), 5);
}

TEST_F(SeveralPrograms, are_not_mixed_up) {
    const auto refuse = [](const Outcome& outcome, int code, const std::string& why) {
        EXPECT_EQ(outcome.exit.code, code) << outcome.out;
        EXPECT_THAT(outcome.err, HasSubstr(why));
    };
    refuse(run({"reconcile"}), 2, "name them with --from and --to");
    refuse(reconcile({"--format", "html"}), 2, "--format html is about one program");
    refuse(run({"draws"}), 2, "this command is about one program");
    const auto again = (housing_.office.folder() / "drawbridge.yaml").string();
    refuse(housing_.office.run({"--config", again, "status"}), 2, "its ledger was counted already");
    refuse(housing_.office.run({"--config", again, "reconcile", "--from", "2026-01-01", "--to", "2026-01-02"}), 1,
           "are about the same ledger: name each once");
}

}  // namespace
}  // namespace drawbridge::e2e
