// A person with write access to the ledger file rewrites facts and restores every trigger. `verify` reports it, with or
// without a running daemon.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "e2e/office.hpp"

namespace drawbridge::e2e {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;

namespace fs = std::filesystem;

class Tampering : public testing::Test {
  protected:
    Tampering() {
        house_.office.write_rules(
            "version: 1\napprover_id: 1201\nrules:\n  - {name: all, when: always, approve: {}}\n");
        for (const std::int64_t id : {1, 2, 3})
            house_.sandbox.add({id, 100'00 + id, "ACH-" + std::to_string(id)});
        house_.office.run_once();
        house_.people_do_their_part("bank.csv");
        house_.office.run_once();
        house_.office.expect_verified();
    }

    std::string sqlite(const std::string& sql) const {
        Command command;
        command.arguments = {"/usr/bin/sqlite3", (house_.office.state() / "ledger.db").string(), sql};
        command.stdout_file = house_.office.folder() / "sqlite.out";
        command.stderr_file = house_.office.folder() / "sqlite.err";
        fs::remove(command.stdout_file);
        fs::remove(command.stderr_file);
        Process process(command);
        EXPECT_TRUE(process.wait(std::chrono::seconds(20)).has_value());
        EXPECT_EQ(read_file(command.stderr_file), "");
        return read_file(command.stdout_file);
    }
    void tamper(const std::string& sql) const {
        const auto drops = sqlite("SELECT 'DROP TRIGGER ' || name || ';' FROM sqlite_schema WHERE type = 'trigger'");
        const auto triggers = sqlite("SELECT sql || ';' FROM sqlite_schema WHERE type = 'trigger'");
        static_cast<void>(sqlite("BEGIN;" + drops + sql + ";" + triggers + "COMMIT;"));
    }
    std::size_t entries() const { return house_.office.audit("seq", "true").size(); }
    fs::path manifest() const { return fs::directory_iterator(house_.office.state() / "spool" / "manifests")->path(); }

    House house_;
};

TEST_F(Tampering, verify_reports_rewritten_facts_and_exits_with_1) {
    ABOUT_THE_FILE();
    tamper(
        "UPDATE payment_file SET release_ordered_by = 'uid 4242 (innocent)';"
        "UPDATE settlement SET confirmed_on = '2020-01-02';"
        "DELETE FROM invariant_check");
    const auto outcome = house_.office.run({"verify"});
    EXPECT_EQ(to_string(outcome.exit), "exit 1");
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("the rows of payment_file are not those that were recorded"),
                                   HasSubstr("the rows of settlement are not"),
                                   HasSubstr("the rows of invariant_check are not those that were recorded: 0 rows, "),
                                   HasSubstr("the ledger's rows no longer match the line")));
    const auto daemon = house_.office.start_daemon();
    ASSERT_TRUE(eventually([&] { return fs::exists(house_.office.state() / "drawbridge.sock"); }))
        << house_.office.daemon_log();
    const auto asked = house_.office.run({"verify"});
    EXPECT_EQ(to_string(asked.exit), "exit 1") << "through the running daemon";
    EXPECT_THAT(asked.out, HasSubstr("the rows of settlement are not"));
}

TEST_F(Tampering, verify_compares_a_hash_noted_earlier) {
    const auto noted = house_.office.json({"verify"}).at("trail");
    const auto entry = std::to_string(noted.at("entry").get<std::int64_t>());
    const auto hash = noted.at("hash").get<std::string>();
    house_.sandbox.add({4, 104'00, "ACH-4"});
    house_.office.run_once();
    const auto same = house_.office.run({"verify", "--head", entry + ":" + hash});
    EXPECT_EQ(to_string(same.exit), "exit 0") << same.out << same.err;
    EXPECT_THAT(same.out, HasSubstr(entry + ":" + hash));
    EXPECT_THAT(house_.office.run({"verify", "--head", entry}).out, HasSubstr(entry + ":" + hash));
    const auto other = house_.office.run({"verify", "--head", entry + ":" + std::string(64, '0')});
    EXPECT_EQ(to_string(other.exit), "exit 1");
    EXPECT_THAT(other.out, HasSubstr("entry " + entry + " is " + hash));
    const auto beyond = house_.office.run({"verify", "--head", "999999:" + hash});
    EXPECT_EQ(to_string(beyond.exit), "exit 1");
    EXPECT_THAT(beyond.err, HasSubstr("the audit trail has no entry 999999"));
    // Too large for a number: a wrong value, not an alarm.
    const auto wrong = house_.office.run({"verify", "--head", "99999999999999999999999:" + hash});
    EXPECT_EQ(to_string(wrong.exit), "exit 2");
    EXPECT_THAT(wrong.out + wrong.err, Not(AnyOf(HasSubstr("rewritten"), HasSubstr("older copy"))));
}

TEST_F(Tampering, verify_reports_an_edited_or_removed_manifest_line) {
    const auto path = manifest();
    const auto bytes = read_file(path);
    auto edited = bytes;
    edited.replace(edited.find("\"released_by\":\""), 15, "\"released_by\":\"x");
    std::ofstream(path, std::ios::trunc) << edited;
    auto outcome = house_.office.run({"verify"});
    EXPECT_EQ(to_string(outcome.exit), "exit 1");
    EXPECT_THAT(outcome.out, HasSubstr("the line, or the ledger's record of it, was changed"));
    std::ofstream(path, std::ios::trunc) << "";
    outcome = house_.office.run({"verify"});
    EXPECT_EQ(to_string(outcome.exit), "exit 1");
    EXPECT_THAT(outcome.out, HasSubstr("is in no manifest"));
    const auto copies = house_.folder.path() / "copies";
    fs::create_directory(copies);
    std::ofstream(copies / path.filename()) << edited;
    EXPECT_THAT(house_.office.run({"verify", "--manifests", copies.string()}).out,
                HasSubstr("the manifests in " + copies.string()));
}

TEST_F(Tampering, the_daemon_compares_the_manifests_by_itself_and_a_backup_does_not_close_what_it_found) {
    house_.office.configure("verify: {every: 1s}\n");
    auto daemon = house_.office.start_daemon();
    // At its start, a line that it does not know would begin a restoration.
    ASSERT_TRUE(eventually([&] { return house_.office.daemon_log().contains("poll:"); })) << house_.office.daemon_log();
    auto forged = read_file(manifest());
    forged.replace(forged.find("\"audit_seq\":"), 12, "\"audit_seq\":999");
    std::ofstream(manifest(), std::ios::app) << forged;
    const auto found = [&] {
        const auto open = house_.office.run({"exceptions"}).out;
        return open.find("invariant_violated") != std::string::npos;
    };
    EXPECT_TRUE(eventually(found, std::chrono::seconds(30))) << house_.office.daemon_log();
    EXPECT_THAT(house_.office.run({"exceptions"}).out, HasSubstr("is not in the ledger"));
    EXPECT_EQ(to_string(house_.office.run({"backup"}).exit), "exit 0");
    EXPECT_TRUE(found());
    daemon.signal(SIGTERM);
    ASSERT_TRUE(daemon.wait(std::chrono::seconds(20)));
}

TEST_F(Tampering, idle_runs_add_nothing_to_the_audit_trail) {
    house_.office.run_once();
    const auto before = entries();
    for (int run = 0; run < 3; ++run)
        house_.office.run_once();
    EXPECT_EQ(entries(), before);
}

}  // namespace
}  // namespace drawbridge::e2e
