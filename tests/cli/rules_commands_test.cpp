#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "drawbridge/cli/cli.hpp"
#include "support/temporary_folder.hpp"

namespace drawbridge::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* good_rules = "version: 1\nrules: [{name: a, when: {workflowId: 1}, hold: x}]\n";
constexpr const char* suspicious_rules =
    "version: 1\nrules: [{name: a, when: {workflowId: {gt: 1, lt: 2}}, hold: x}]\n";
constexpr const char* broken_rules = "version: 1\nrules: [{name: a, when: {workflowid: 1}, hold: x}]\n";

class RulesCommands : public testing::Test {
  protected:
    std::string write(const std::string& name, const std::string& content) {
        const auto path = folder_.path() / name;
        std::ofstream(path, std::ios::binary) << content;
        return path.string();
    }

    int run(std::vector<const char*> arguments) {
        arguments.insert(arguments.begin(), "drawbridge");
        testing::internal::CaptureStdout();
        testing::internal::CaptureStderr();
        const int code = main(static_cast<int>(arguments.size()), arguments.data());
        out_ = testing::internal::GetCapturedStdout();
        err_ = testing::internal::GetCapturedStderr();
        return code;
    }

    test::TemporaryFolder folder_;
    std::string out_, err_;
};

TEST_F(RulesCommands, check_distinguishes_valid_suspicious_and_broken_files) {
    const std::string good = write("good.yaml", good_rules);
    const std::string suspicious = write("suspicious.yaml", suspicious_rules);
    const std::string broken = write("broken.yaml", broken_rules);
    EXPECT_EQ(run({"rules", "check", good.c_str()}), 0);
    EXPECT_EQ(out_, good + ": no mistakes found\n");
    EXPECT_EQ(run({"rules", "check", "--strict", good.c_str()}), 0);
    EXPECT_EQ(run({"rules", "check", suspicious.c_str()}), 0);
    EXPECT_THAT(err_, HasSubstr(":2:9: warning: rule 'a' can never match"));
    EXPECT_EQ(run({"rules", "check", "--strict", suspicious.c_str()}), 3);
    EXPECT_EQ(out_, "");
    EXPECT_EQ(run({"rules", "check", "--strict", "--json", suspicious.c_str()}), 3);
    EXPECT_THAT(out_, HasSubstr("\"ok\": false"));
    EXPECT_EQ(run({"rules", "check", broken.c_str()}), 78);
    EXPECT_THAT(err_, HasSubstr(":2:26: unknown key 'workflowid' in 'when': did you mean 'workflowId'?"));
    EXPECT_EQ(run({"rules", "check", "--strict", broken.c_str()}), 78);
    EXPECT_EQ(run({"rules", "check", (good + ".none").c_str()}), 78);
    EXPECT_EQ(run({"rules", "check"}), 2);
    EXPECT_EQ(run({"rules"}), 2);
}

TEST_F(RulesCommands, test_distinguishes_passing_failing_and_broken_files) {
    write("good.yaml", good_rules);
    const std::string head = "version: 1\nrules: good.yaml\nnow: 2026-03-04\ntests:\n";
    const std::string passing =
        write("p.yaml", head + "  - {name: one, draw: {workflowId: 1}, expect: {outcome: hold, rule: a}}\n");
    const std::string failing =
        write("f.yaml", head + "  - {name: two, draw: {workflowId: 2}, expect: {outcome: hold, rule: a}}\n");
    const std::string none = write("n.yaml", "version: 1\ntests: []\n");
    EXPECT_EQ(run({"rules", "test", passing.c_str()}), 0);
    EXPECT_EQ(out_, "1 test, 0 failed\n");
    const std::string junit = (folder_.path() / "out.xml").string();
    EXPECT_EQ(run({"rules", "test", failing.c_str(), "--junit", junit.c_str()}), 1);
    EXPECT_EQ(err_, failing +
                        ":5:5: test 'two' failed: draw 1: expected hold by rule 'a', decided hold by no rule: no rule "
                        "matches\n");
    EXPECT_EQ(out_, "no test exercises rule 'a'\n1 test, 1 failed\n");
    std::ifstream written(junit);
    const std::string xml(std::istreambuf_iterator<char>(written), {});
    EXPECT_THAT(xml, HasSubstr("tests=\"1\" failures=\"1\""));
    EXPECT_EQ(run({"rules", "test", failing.c_str(), "--json"}), 1);
    EXPECT_THAT(out_, HasSubstr("\"ok\": false"));
    EXPECT_EQ(run({"rules", "test", passing.c_str(), "--junit", "/nowhere/out.xml"}), 1);
    EXPECT_EQ(run({"rules", "test", none.c_str()}), 78);
    EXPECT_THAT(err_, HasSubstr(":2:8: there are no tests"));
    EXPECT_EQ(run({"rules", "test", (none + ".none").c_str()}), 78);
    EXPECT_EQ(run({"rules", "test"}), 2);
}

TEST_F(RulesCommands, test_refuses_what_check_refuses_in_tests_of_the_configuration_next_to_them) {
    write("good.yaml", good_rules);
    const std::string tests = "tests: [{name: one, draw: {workflowId: 1}, expect: {outcome: hold, rule: a}}]\n";
    const auto in_zone = [&](const std::string& zone) {
        return write("rules.test.yaml", "version: 1\nrules: good.yaml\nnow: 2026-03-04\n" + zone + tests);
    };
    const auto file = in_zone("timezone: America/New_York\n");
    EXPECT_EQ(run({"rules", "test", file.c_str()}), 0) << err_;
    write("drawbridge.yaml", "pay: {timezone: America/Chicago}\npayees: {key: fieldB}\n");
    EXPECT_EQ(run({"rules", "test", file.c_str()}), 78);
    EXPECT_EQ(err_, file +
                        ": timezone is America/New_York, but pay.timezone is America/Chicago: leave timezone out: "
                        "the tests then use pay.timezone\n");
    for (const char* same : {"", "timezone: America/Chicago\npayee_key: fieldB\n"}) {
        in_zone(same);
        EXPECT_EQ(run({"rules", "test", file.c_str()}), 0) << same << err_;
    }
    in_zone("payee_key: fieldA\n");
    EXPECT_EQ(run({"rules", "test", file.c_str()}), 78);
    write("drawbridge.yaml", "no: [yaml");
    EXPECT_EQ(run({"rules", "test", file.c_str()}), 0) << "`check` reports its mistakes: " << err_;
}

TEST_F(RulesCommands, the_shipped_tests_name_no_zone_so_that_they_fit_every_office) {
    std::ifstream shipped(DRAWBRIDGE_SOURCE_DIR "/config/examples/rules.test.yaml");
    const std::string text(std::istreambuf_iterator<char>(shipped), {});
    EXPECT_THAT(text, AllOf(HasSubstr("tests:"), Not(HasSubstr("timezone"))));
}

TEST_F(RulesCommands, the_shipped_tests_pass_and_exercise_every_rule) {
    EXPECT_EQ(run({"rules", "test", DRAWBRIDGE_SOURCE_DIR "/config/examples/rules.test.yaml"}), 0) << err_;
    EXPECT_EQ(out_, "4 tests, 0 failed\n");
}

}  // namespace
}  // namespace drawbridge::cli
