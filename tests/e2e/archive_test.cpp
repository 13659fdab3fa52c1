// Archived files with the real program: sealed despite crashes, shown and audited, checked for changes, readable after
// a rekey and a restore, deleted only by policy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <sstream>

#include "e2e/office.hpp"

namespace drawbridge::e2e {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

namespace fs = std::filesystem;

OfficeOptions with(const std::string& archive) {
    OfficeOptions options;
    options.more = "archive: " + archive + "\n";
    return options;
}

// A bank file is in the archive and not sealed yet.
struct Kept : House {
    explicit Kept(const std::string& archive = "{seal_after: 0d}") : House(with("{seal_after: never}")) {
        sandbox.add({1, 200'07, "ACH-1"});
        office.run_once();
        people_do_their_part("bank.csv");
        content = read_file(office.state() / "inbox" / "bank.csv");
        office.run_once();
        EXPECT_THAT(stored(), ElementsAre(HasSubstr("bank.csv")));
        configure(archive);
    }
    void configure(const std::string& archive) const {
        const auto file = office.folder() / "drawbridge.yaml";
        auto yaml = read_file(file);
        const auto at = yaml.find("archive: ");
        yaml.replace(at, yaml.find('\n', at) - at, "archive: " + archive);
        write_file(file, yaml);
    }
    [[nodiscard]] std::vector<fs::path> stored() const {
        std::vector<fs::path> files;
        for (const auto& entry : fs::recursive_directory_iterator(office.state() / "spool" / "archive")) {
            if (entry.is_regular_file()) files.push_back(entry.path());
        }
        return files;
    }
    [[nodiscard]] std::vector<std::string> audit(const std::string& action) const {
        return office.audit("detail", "action = '" + action + "'");
    }
    [[nodiscard]] Outcome show() const { return office.run({"archive", "show", "bank.csv", "--reason", "a claim"}); }
    void expect_sealed() const {
        const auto files = stored();
        ASSERT_THAT(files, SizeIs(1));
        EXPECT_THAT(files.front().string(), HasSubstr("bank.csv.sealed"));
        EXPECT_EQ(show().out, content);
        office.expect_verified();
    }

    std::string content;
};

class DiesSealing : public testing::TestWithParam<std::string> {};

TEST_P(DiesSealing, the_file_stays_readable_and_the_next_run_continues) {
    const Kept house;
    const auto died = house.office.run_to_crash(GetParam() + ":1");
    ASSERT_EQ(died.exit.signal, SIGKILL) << died.out << died.err;
    EXPECT_EQ(house.show().out, house.content) << "plain or sealed";
    house.office.expect_verified();
    house.office.run_once();
    house.expect_sealed();
    EXPECT_THAT(house.office.json({"archive", "list"}).at("files"), SizeIs(1));
}

std::string point_name(const testing::TestParamInfo<std::string>& point) {
    return point.param.substr(point.param.find('.') + 1);
}
INSTANTIATE_TEST_SUITE_P(AtEveryPoint, DiesSealing,
                         testing::Values("archive.sealed_written", "archive.sealed_durable",
                                         "archive.sealed_committed"),
                         point_name);

TEST(Archive, a_daemon_seals_and_shows_files_and_audits_the_reader) {
    const Kept house;
    {
        const auto daemon = house.office.start_daemon();
        ASSERT_TRUE(eventually([&] {
            const auto files = house.stored();
            return files.size() == 1 && files.front().extension() == ".sealed";
        })) << house.office.daemon_log();
        const auto listed = house.office.json({"archive", "list"}).at("files");
        ASSERT_THAT(listed, SizeIs(1));
        EXPECT_EQ(listed[0].at("state"), "sealed");
        const auto sha256 = listed[0].at("sha256").get<std::string>();
        EXPECT_EQ(house.office.run({"archive", "show", sha256.substr(0, 10), "--reason", "x"}).out, house.content);
        EXPECT_EQ(house.show().out, house.content);
        const auto missing = house.office.run({"archive", "show", "other.csv", "--reason", "x"});
        EXPECT_EQ(to_string(missing.exit), "exit 1");
        EXPECT_THAT(missing.err, HasSubstr("the archive has no file 'other.csv'"));
        EXPECT_EQ(house.office.run({"archive", "show", "bank.csv"}).exit.code, 2) << "without a reason";
        const auto file = house.folder.path() / "shown.csv";
        EXPECT_EQ(house.office.run({"archive", "show", "bank.csv", "--reason", "x", "--output", file}).exit.code, 0);
        EXPECT_EQ(read_file(file), house.content);
    }
    EXPECT_THAT(house.audit("archive.shown"), AllOf(SizeIs(3), testing::Contains(HasSubstr("a claim"))));
    house.expect_sealed();
}

TEST(Archive, ingesting_the_same_bytes_again_changes_nothing) {
    const Kept house;
    house.office.run_once();
    house.office.drop("bank.csv", house.content);
    house.office.run_once();
    house.office.run_once();
    house.expect_sealed();
}

TEST(Archive, verify_finds_a_sealed_file_that_was_edited_replaced_or_removed) {
    Kept house;
    house.sandbox.add({2, 300'07, "ACH-2"});
    house.office.run_once();
    house.people_do_their_part("other.csv");
    house.office.run_once();
    const auto files = house.stored();
    ASSERT_THAT(files, SizeIs(2));
    house.office.expect_verified();
    const auto one = read_file(files[0]), other = read_file(files[1]);
    const auto found = [&] {
        const auto outcome = house.office.run({"verify"});
        EXPECT_EQ(to_string(outcome.exit), "exit 1");
        return outcome.out;
    };
    auto edited = one;
    edited[edited.size() / 2] = static_cast<char>(edited[edited.size() / 2] ^ 1);
    write_file(files[0], edited);
    EXPECT_THAT(found(), AllOf(HasSubstr("does not open"), HasSubstr("is neither in the archive nor in quarantine")));
    write_file(files[0], other);
    write_file(files[1], one);
    EXPECT_THAT(found(), HasSubstr("is not the file that was sealed there: it was replaced"));
    write_file(files[1], other);
    EXPECT_THAT(found(), HasSubstr("is neither in the archive nor in quarantine"));
    write_file(files[0], one);
    house.office.expect_verified();
    fs::remove(files[0]);
    EXPECT_THAT(found(), HasSubstr("is neither in the archive nor in quarantine"));
    write_file(files[0], one);
    house.office.expect_verified();
}

TEST(Archive, verify_finds_an_edited_plain_file_which_is_never_sealed) {
    const Kept house;
    const auto file = house.stored().front();
    write_file(file, house.content + "\n");
    house.office.run_once();
    EXPECT_THAT(house.stored(), ElementsAre(file));
    EXPECT_EQ(to_string(house.office.run({"verify"}).exit), "exit 1");
}

TEST(Archive, sealed_files_stay_readable_after_each_rekey) {
    const Kept house;
    house.office.run_once();
    for (const std::string name : {"first_key", "second_key"}) {
        const auto key = house.folder.path() / name;
        ASSERT_EQ(house.office.run({"keygen", key}).exit.code, 0);
        ASSERT_EQ(house.office.run({"rekey", "--key", key, "--reason", "yearly"}).exit.code, 0);
        fs::copy_file(key, house.office.state() / "sealing.key", fs::copy_options::overwrite_existing);
        house.expect_sealed();
    }
}

TEST(Archive, an_older_ledger_recognizes_files_that_were_sealed_later) {
    const Kept house;
    const auto backup = house.folder.path() / "before.db";
    ASSERT_EQ(house.office.run({"backup", backup}).exit.code, 0);
    house.office.run_once();
    house.expect_sealed();
    ASSERT_EQ(house.office.restore(backup).exit.code, 0);
    const auto run = house.office.run({"run", "--once"});
    EXPECT_THAT(run.out + run.err, HasSubstr("1 found sealed by a newer copy of the ledger"));
    EXPECT_THAT(house.audit("archive.found_sealed"), SizeIs(1));
    house.expect_sealed();
}

TEST(Archive, deletes_only_by_policy_after_recording_and_keeps_unfinished_files) {
    const Kept house("{seal_after: 0d, delete_after: 2557d}");
    house.office.run_once();
    house.expect_sealed();
    const auto later = [](int days) {
        return std::map<std::string, std::string>{{"DRAWBRIDGE_CLOCK_SHIFT", std::to_string(days * 86'400LL)}};
    };
    static_cast<void>(house.office.run_test_program({"run", "--once"}, later(2555)));
    house.expect_sealed();
    for (const int day : {2559, 2559, 2560}) {
        static_cast<void>(house.office.run_test_program({"run", "--once"}, later(day)));
        house.expect_sealed();  // the clock may have leapt
    }
    auto dying = later(2561);
    dying["DRAWBRIDGE_CRASH_AT"] = "archive.deletion_committed:1";
    EXPECT_EQ(house.office.run_test_program({"run", "--once"}, dying).exit.signal, SIGKILL);
    EXPECT_THAT(house.stored(), SizeIs(1)) << "recorded first";
    static_cast<void>(house.office.run_test_program({"run", "--once"}, later(2561)));
    EXPECT_THAT(house.stored(), IsEmpty());
    EXPECT_EQ(house.office.json({"archive", "list"}).at("files")[0].at("state"), "deleted");
    EXPECT_THAT(house.show().err, HasSubstr("was deleted at"));
    EXPECT_THAT(house.audit("archive.deleted"), ElementsAre(HasSubstr("2557 days")));
    house.office.expect_verified();
}

TEST(Archive, a_file_with_an_open_exception_is_not_deleted) {
    const Kept house("{seal_after: 0d, delete_after: 2557d}");
    house.office.drop("unknown.csv", "payment_reference,status,amount,date\nP9999999999,paid,1.00,2026-11-20\n");
    house.office.run_once();
    const auto open = house.office.json({"exceptions"}).at("exceptions");
    ASSERT_THAT(open, SizeIs(1));
    const auto id = std::to_string(open[0].at("id").get<int>());
    std::map<std::string, std::string> later;
    for (const int day : {2559, 2560, 2561}) {
        later = {{"DRAWBRIDGE_CLOCK_SHIFT", std::to_string(day * 86'400LL)}};
        static_cast<void>(house.office.run_test_program({"run", "--once"}, later));
    }
    EXPECT_THAT(house.stored(), ElementsAre(HasSubstr("unknown.csv"))) << "the other file had no reason to stay";
    const auto resolved = house.office.run_test_program({"resolve", id, "--reason", "not a payment of ours"}, later);
    ASSERT_EQ(to_string(resolved.exit), "exit 0") << resolved.err;
    static_cast<void>(house.office.run_test_program({"run", "--once"}, later));
    EXPECT_THAT(house.stored(), IsEmpty());
}

}  // namespace
}  // namespace drawbridge::e2e
