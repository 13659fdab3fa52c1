// Checks that every example in docs/rules.md does what the page says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "drawbridge/rules/decide.hpp"
#include "drawbridge/rules/rule_tests.hpp"

namespace drawbridge::rules {
namespace {

struct Block {
    int line = 0;
    std::string language;  // the text after the fence: "yaml", "yaml check", "text"
    std::string text;
};

std::vector<Block> read_manual_blocks() {
    std::ifstream file(DRAWBRIDGE_SOURCE_DIR "/docs/rules.md");
    std::vector<Block> blocks;
    bool inside = false;
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        if (line.starts_with("```")) {
            inside = !inside;
            if (inside) blocks.push_back({number, line.substr(3), {}});
        } else if (inside) {
            blocks.back().text += line + "\n";
        }
    }
    return blocks;
}

std::string indented(const std::string& text, const std::string& by) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at) + 1;
        result += by + text.substr(at, end - at);
        at = end;
    }
    return result;
}

std::string report(const std::string& text) {
    const auto set = parse_rules(text, "rules.yaml");
    return to_string(set ? set->warnings : set.error());
}

class Manual : public testing::Test {
  protected:
    void run(const Block& block) {
        if (block.text.starts_with("draw:")) return take_draw(block.text);
        if (block.text.contains("\ntests:")) return run_tests(block.text);
        if (block.text.starts_with("version:")) {
            if (rules_.empty()) rules_ = block.text;
            EXPECT_EQ(report(block.text), "");
        } else if (block.text.starts_with("- name:")) {
            EXPECT_EQ(report("version: 1\napprover_id: 1\nrules:\n" + indented(block.text, "  ")), "");
        } else {
            run_conditions(block.text);
        }
    }

    // The rule test parser reads the draw, so that the page shows it as an operator would write it.
    void take_draw(const std::string& text) {
        const std::string tests =
            "version: 1\ntests:\n  - name: x\n" + indented(text, "    ") + "    expect: {outcome: hold}\n";
        const auto parsed = parse_rule_tests(tests, "draw");
        ASSERT_TRUE(parsed.has_value()) << to_string(parsed.error());
        sample_ = parsed->tests.front();
    }

    void run_tests(const std::string& text) {
        const auto tests = parse_rule_tests(text, "tests");
        ASSERT_TRUE(tests.has_value()) << to_string(tests.error());
        const auto report = run_rule_tests(*tests, parse_rules(rules_, "rules.yaml").value());
        for (const auto& result : report.results)
            EXPECT_THAT(result.failures, testing::IsEmpty()) << result.name;
        EXPECT_THAT(report.unexercised, testing::IsEmpty());
    }

    // Each line is a condition and, after '#', whether it is true of the sample draw.
    void run_conditions(const std::string& text) {
        ASSERT_EQ(sample_.draws.size(), 1U);
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = text.find('\n', at);
            const std::string line = text.substr(at, end - at);
            at = end + 1;
            const std::size_t comment = line.rfind(" # ");
            ASSERT_NE(comment, std::string::npos) << line;
            const auto set = parse_rules("version: 1\napprover_id: 1\nrules:\n  - name: a\n    when:\n      " +
                                             line.substr(0, comment) + "\n    approve: {}\n",
                                         line);
            ASSERT_TRUE(set.has_value()) << to_string(set.error());
            const auto decision = decide(sample_.draws[0], ListedHistory(sample_.history, find_draw_field("fieldA")),
                                         *set, sample_.now, zone_);
            const auto& result = decision.explanation[0].conditions;
            bool unknown = false;
            for (const auto& condition : result)
                unknown = unknown || condition.unknown;
            const std::string truth = decision.outcome == Outcome::approve ? "true" : unknown ? "unknown" : "false";
            EXPECT_THAT(line.substr(comment + 3), testing::StartsWith(truth)) << line;
            ++conditions_;
        }
    }

    TimeZone zone_ = TimeZone::find("America/New_York").value();
    std::string rules_;  // the first example of the page
    RuleTest sample_;
    int conditions_ = 0;
};

TEST_F(Manual, every_example_does_what_the_page_says) {
    const auto blocks = read_manual_blocks();
    int checked = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        SCOPED_TRACE("docs/rules.md:" + std::to_string(blocks[i].line));
        if (blocks[i].language == "yaml check") {
            ASSERT_LT(i + 1, blocks.size());
            EXPECT_EQ(report(blocks[i].text), blocks[i + 1].text);
            ++checked;
        } else if (blocks[i].language == "yaml") {
            run(blocks[i]);
        } else {
            ASSERT_EQ(blocks[i].language, "text") << "no test knows what to do with this";
            ASSERT_TRUE(i > 0 && blocks[i - 1].language == "yaml check");
        }
    }
    EXPECT_EQ(checked, 2);
    EXPECT_GT(conditions_, 30);
}

}  // namespace
}  // namespace drawbridge::rules
