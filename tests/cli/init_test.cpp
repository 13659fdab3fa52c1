// `drawbridge init`, with an answers file and interactively.
#include <gmock/gmock.h>
#include <grp.h>

#include <filesystem>

#include "support/program.hpp"

namespace drawbridge::cli {
namespace {

using test::TemporaryFolder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

namespace fs = std::filesystem;

const std::string answers =
    "service_url: https://draws.example.gov/api\n"
    "client_id: office\n"
    "client_secret: s3cret-of-the-test\n"
    "approver_id: 1201\n"
    "state_dir: STATE\n"
    "pay_by: both\n"
    "odfi_routing_number: \"091000019\"\n"
    "odfi_name: FIRST BANK\n"
    "origin_id: \"1123456789\"\n"
    "origin_name: CITY HOUSING OFFICE\n"
    "company_name: \"CITY \\\"HOUSING\\\"\"\n"
    "company_id: \"1123456789\"\n"
    "check_account: \"4400123456\"\n"
    "first_check_number: 10001\n"
    "day_limit: 250000.00\n";

class Init : public ::testing::Test {
  protected:
    std::string answers_file(std::string text) {
        const auto at = text.find("STATE");
        if (at != std::string::npos) text.replace(at, 5, (folder_.path() / "state").string());
        test::write_whole(folder_.path() / "answers.yaml", text);
        return (folder_.path() / "answers.yaml").string();
    }
    [[nodiscard]] fs::path office() const { return folder_.path() / "office"; }
    // Runs init and types the answers line by line.
    test::Outcome type(const std::string& lines, const std::string& folder = {}) {
        test::write_whole(folder_.path() / "typed", lines);
        const int typed = ::open((folder_.path() / "typed").c_str(), O_RDONLY);
        const int before = ::dup(STDIN_FILENO);
        ::dup2(typed, STDIN_FILENO);
        auto outcome = test::run({"init", folder.empty() ? office().string() : folder});
        ::dup2(before, STDIN_FILENO);
        ::close(before);
        ::close(typed);
        return outcome;
    }

    TemporaryFolder folder_;
};

TEST_F(Init, writes_a_configuration_that_passes_check) {
    const auto outcome = test::run({"init", office().string(), "--answers", answers_file(answers)});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("drawbridge check --online"));
    EXPECT_THAT(outcome.out, Not(HasSubstr("s3cret")));
    const auto checked = test::run({"--config", (office() / "drawbridge.yaml").string(), "check"});
    EXPECT_EQ(checked.code, 0) << checked.out << checked.err;
    for (const char* control : {"on   pay.release: ", "on   pay.limits.day: at most $250,000.00",
                                "on   pay.payee_hold: ", "on   pay.duplicate_window: "})
        EXPECT_THAT(checked.out, HasSubstr(control));
    EXPECT_THAT(checked.out, HasSubstr("changes   rules second_person, payees second_person"));
    EXPECT_EQ(fs::status(office() / "credentials").permissions(), fs::perms(0700));
    for (const char* secret : {"client_id", "client_secret", "check_account"})
        EXPECT_EQ(fs::status(office() / "credentials" / secret).permissions(), fs::perms(0600)) << secret;
    for (const char* readable : {"drawbridge.yaml", "rules.yaml", "layouts/issue-csv.yaml"})
        EXPECT_EQ(fs::status(office() / readable).permissions(), fs::perms(0644)) << readable;
    const bool service_reads = ::geteuid() == 0 && ::getgrnam("drawbridge") != nullptr;
    EXPECT_EQ(fs::status(office() / "payees.csv").permissions(), fs::perms(service_reads ? 0640 : 0600));
    EXPECT_THAT(test::read_whole(office() / "drawbridge.yaml"), Not(HasSubstr("s3cret")));
}

TEST_F(Init, writes_the_packages_layout_of_the_check_issue_file) {
    test::run({"init", office().string(), "--answers", answers_file(answers)});
    EXPECT_EQ(test::read_whole(office() / "layouts/issue-csv.yaml"),
              test::read_whole(DRAWBRIDGE_SOURCE_DIR "/config/layouts/issue-csv.yaml"));
}

TEST_F(Init, says_what_to_do_next) {
    const auto outcome = test::run({"init", office().string() + "/", "--answers", answers_file(answers)});
    EXPECT_THAT(outcome.out, HasSubstr("then: systemctl enable --now drawbridge\n"));
    EXPECT_THAT(outcome.out, Not(HasSubstr("witness init"))) << "witness: none";
    EXPECT_THAT(outcome.out, HasSubstr("files sample"));
    fs::remove_all(office());
    auto by_check = answers;
    by_check.replace(by_check.find("pay_by: both"), 12, "pay_by: check");
    for (const char* key :
         {"odfi_routing_number", "odfi_name", "origin_id", "origin_name", "company_name", "company_id"}) {
        const auto at = by_check.find(key);
        by_check.erase(at, by_check.find('\n', at) + 1 - at);
    }
    const auto checks_only = test::run({"init", office().string(), "--answers",
                                        answers_file(by_check + "witness: " + folder_.path().string() + "\n")});
    EXPECT_THAT(checks_only.out, HasSubstr("drawbridge witness init   (once)"));
    EXPECT_THAT(checks_only.out, Not(HasSubstr("files sample"))) << "there is no NACHA file";
    EXPECT_THAT(test::run({"--config", (office() / "drawbridge.yaml").string(), "files", "sample"}).err,
                HasSubstr("drawbridge: ACH is not configured"));
}

// Only the default of an interactive question shows the folders without root.
TEST_F(Init, a_folder_of_an_instance_gets_the_folders_of_its_unit) {
    EXPECT_THAT(type("https://draws.example.gov/api\noffice\ns3cret\n1201\n", "/etc/drawbridge/no-such-office").out,
                HasSubstr("Folder for the ledger and the files [/var/lib/drawbridge-no-such-office]"));
    EXPECT_THAT(type("https://draws.example.gov/api\noffice\ns3cret\n1201\n").out,
                HasSubstr("Folder for the ledger and the files [/var/lib/drawbridge]"));
}

TEST_F(Init, names_the_folder_for_backups_that_the_unit_may_write_to) {
    auto in_place = answers;
    in_place.replace(in_place.find("STATE"), 5, "/var/lib/drawbridge-housing");
    test::run({"init", office().string(), "--answers", answers_file(in_place)});
    EXPECT_THAT(test::read_whole(office() / "drawbridge.yaml"),
                HasSubstr("folder: \"/var/backups/drawbridge-housing\""));
    fs::remove_all(office());
    test::run({"init", office().string(), "--answers", answers_file(answers)});
    EXPECT_THAT(test::read_whole(office() / "drawbridge.yaml"), Not(HasSubstr("/var/backups")));
}

TEST_F(Init, never_overwrites_a_file) {
    fs::create_directories(office());
    test::write_whole(office() / "payees.csv", "mine");
    const auto outcome = test::run({"init", office().string(), "--answers", answers_file(answers)});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("already contains payees.csv: existing files are not overwritten"));
    EXPECT_EQ(test::read_whole(office() / "payees.csv"), "mine");
    EXPECT_FALSE(fs::exists(office() / "drawbridge.yaml"));
}

TEST_F(Init, reports_every_wrong_answer_and_writes_nothing) {
    auto wrong = answers;
    wrong.replace(wrong.find("091000019"), 9, "091000018");
    wrong.replace(wrong.find("https://"), 8, "http://d");
    wrong.erase(wrong.find("first_check_number"), std::string_view("first_check_number: 10001\n").size());
    const auto outcome = test::run({"init", office().string(), "--answers", answers_file(wrong)});
    EXPECT_EQ(outcome.code, 78);
    for (const char* what :
         {"answers.yaml:7:22: odfi_routing_number: routing number 091000018 has check digit 8, but its first eight "
          "digits give 9: a digit is wrong, or two are swapped",
          "answers.yaml:1:14: service_url: would go unencrypted", "first_check_number is missing: Number of"})
        EXPECT_THAT(outcome.err, HasSubstr(what));
    EXPECT_THAT(outcome.err, Not(HasSubstr("payee"))) << "the bank's routing number is not a payee's";
    auto unused = answers;
    unused.erase(unused.find("pay_by"), std::string_view("pay_by: both\n").size());
    const auto by_default = test::run({"init", office().string(), "--answers", answers_file(unused)});
    EXPECT_EQ(by_default.code, 78);
    for (const char* key : {"check_account", "first_check_number"})
        EXPECT_THAT(by_default.err, HasSubstr(key + std::string(" is not used: pay_by is ach")));
    auto zeros = answers;
    zeros.replace(zeros.find("approver_id: 1201"), 17, "approver_id: 0001201");
    zeros.replace(zeros.find("first_check_number: 10001"), 25, "first_check_number: 010001");
    const auto leading = test::run({"init", office().string(), "--answers", answers_file(zeros)});
    EXPECT_EQ(leading.code, 78);
    for (const char* key : {"approver_id", "first_check_number"})
        EXPECT_THAT(leading.err,
                    HasSubstr(key + std::string(": must be a whole number above zero, without leading zeros")));
    // Neither an unknown key nor an unknown rail hides a wrong value.
    wrong.replace(wrong.find("pay_by: both"), 12, "pay_by: cash");
    const auto unknown = test::run({"init", office().string(), "--answers", answers_file(wrong + "color: red\n")});
    EXPECT_EQ(unknown.code, 78);
    for (const char* what :
         {"unknown key 'color'", "pay_by: answer ach, check or both", "odfi_routing_number: routing"})
        EXPECT_THAT(unknown.err, HasSubstr(what));
    EXPECT_THAT(unknown.err, Not(HasSubstr("first_check_number is missing")));
    EXPECT_THAT(test::run({"init", office().string(), "--answers", "/nowhere"}).err,
                HasSubstr("/nowhere: no such file: name a file that this user can read"));
    const auto of_folder = test::run({"init", office().string(), "--answers", folder_.path().string()});
    EXPECT_EQ(of_folder.code, 78);
    EXPECT_THAT(of_folder.err, HasSubstr("cannot be read: not a regular file: name a file that this user can read"));
    EXPECT_FALSE(fs::exists(office()));
}

TEST_F(Init, asks_again_after_a_wrong_answer_and_uses_defaults) {
    const auto outcome = type("draws.example.gov\nhttps://draws.example.gov/api\noffice\ns3cret\nzero\n1201\n" +
                              (folder_.path() / "state").string() +
                              "\nhere\n/mnt/witness\nMars/"
                              "Olympus\n\n0\n100000.00\n\ncash\nach\n091000018\n091000019\nFIRST BANK\n1123456789\n"
                              "CITY HOUSING OFFICE\nCITY HOUSING\n1123456789\n\n");
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("is not an address like https://draws.example.gov/api"));
    EXPECT_THAT(outcome.out, HasSubstr("unknown time zone"));
    EXPECT_THAT(test::read_whole(office() / "drawbridge.yaml"), HasSubstr("ledger: {witness: \"/mnt/witness\"}"));
    EXPECT_THAT(outcome.out, HasSubstr("answer ach, check or both"));
    EXPECT_THAT(test::read_whole(office() / "drawbridge.yaml"), HasSubstr("timezone: America/New_York"));
    EXPECT_FALSE(fs::exists(office() / "credentials/check_account"));
}

TEST_F(Init, writes_nothing_if_the_input_ends_early) {
    const auto outcome = type("https://draws.example.gov/api\noffice\n");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("nothing was written"));
    EXPECT_FALSE(fs::exists(office()));
}

}  // namespace
}  // namespace drawbridge::cli
