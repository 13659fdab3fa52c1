#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "drawbridge/cli/cli.hpp"
#include "support/temporary_folder.hpp"

namespace drawbridge::cli {
namespace {

using testing::HasSubstr;

constexpr const char* good_rules = "version: 1\nrules: [{name: a, when: {workflowId: 1}, hold: x}]\n";
constexpr const char* doubtful_rules = "version: 1\nrules: [{name: a, when: {workflowId: {gt: 1, lt: 2}}, hold: x}]\n";
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

TEST_F(RulesCommands, CheckTellsGoodDoubtfulAndBrokenApart) {
    const std::string good = write("good.yaml", good_rules);
    const std::string doubtful = write("doubtful.yaml", doubtful_rules);
    const std::string broken = write("broken.yaml", broken_rules);
    EXPECT_EQ(run({"rules", "check", good.c_str()}), 0);
    EXPECT_EQ(out_, good + ": good\n");
    EXPECT_EQ(run({"rules", "check", "--strict", good.c_str()}), 0);
    EXPECT_EQ(run({"rules", "check", doubtful.c_str()}), 0);
    EXPECT_THAT(err_, HasSubstr(":2:9: warning: rule 'a' can never match"));
    EXPECT_EQ(run({"rules", "check", "--strict", doubtful.c_str()}), 3);
    EXPECT_EQ(out_, "");
    EXPECT_EQ(run({"rules", "check", "--strict", "--json", doubtful.c_str()}), 3);
    EXPECT_THAT(out_, HasSubstr("\"ok\": false"));
    EXPECT_EQ(run({"rules", "check", broken.c_str()}), 78);
    EXPECT_THAT(err_, HasSubstr(":2:26: unknown key 'workflowid' in 'when': did you mean 'workflowId'?"));
    EXPECT_EQ(run({"rules", "check", "--strict", broken.c_str()}), 78);
    EXPECT_EQ(run({"rules", "check", (good + ".none").c_str()}), 78);
    EXPECT_EQ(run({"rules", "check"}), 2);
    EXPECT_EQ(run({"rules"}), 2);
}

}  // namespace
}  // namespace drawbridge::cli
