// Text from outside in every output: no terminal control characters, no bidirectional overrides, no spreadsheet
// formulas, no invalid UTF-8. JSON keeps its meaning.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "drawbridge/text/sanitize.hpp"
#include "drawbridge/text/utf8.hpp"
#include "e2e/office.hpp"
#include "support/quoted_printable.hpp"

namespace drawbridge::e2e {
namespace {

using testing::HasSubstr;

// A formula, CSI as one character and as two bytes, a bidirectional override, markup.
const std::string payload = "=cmd()\u009B2J\x1B[31m\u202Egnp.<b>&\u0085";
const std::string shown = "=cmd()?2J?[31m?gnp.<b>&?";

// Only printable characters and newlines.
void expect_clean(const std::string& what, std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = text::utf8_length(text.substr(at));
        ASSERT_NE(length, 0U) << what << ": invalid UTF-8 at " << at << "\n" << text;
        const char32_t c = text::utf8_character(text.substr(at));
        ASSERT_TRUE(c == U'\n' || !text::is_unprintable(c)) << what << ": U+" << std::hex << unsigned{c} << "\n"
                                                            << text;
        at += length;
    }
}

class OutsideText : public testing::Test {
  protected:
    void SetUp() override {
        house_.office.configure("alerts: {email: {to: [finance@example.gov], from: drawbridge@example.gov, sendmail: " +
                                (house_.office.folder() / "sendmail").string() + "}}\n");
        write_file(house_.office.folder() / "sendmail", "#!/bin/sh\ncat >> \"" + mail().string() + "\"\n");
        std::filesystem::permissions(house_.office.folder() / "sendmail", std::filesystem::perms::owner_all);
        house_.sandbox.add({1, 100'00, "NOBODY"});
        house_.sandbox.add({2, 100'00, "CHK-1"});
        house_.sandbox.edit(1, {{"caseName", payload}, {"description", payload}, {"fieldA", payload}});
        house_.office.run_once();
        house_.office.run_once();
    }
    [[nodiscard]] std::filesystem::path mail() const { return house_.office.folder() / "mail"; }
    // stdout of a command that must succeed.
    std::string out(const std::vector<std::string>& arguments) {
        const auto outcome = house_.office.run(arguments);
        EXPECT_EQ(to_string(outcome.exit), "exit 0") << arguments.front() << ": " << outcome.err;
        return outcome.out;
    }
    // The report finds differences, so the exit code is 1.
    std::string report(const std::string& format) {
        const auto outcome = house_.office.run({"reconcile", "--format", format});
        EXPECT_EQ(to_string(outcome.exit), "exit 1") << outcome.err;
        return outcome.out;
    }
    // An invalid bank file whose name and content are payload and invalid UTF-8.
    void drop_bad_file() {
        house_.office.drop(payload + "\xFF.csv",
                           "payment_reference,status,amount,date\n" + payload + "\xC3(,paid,1.00,2026-11-20\n");
    }

    House house_;
};

TEST_F(OutsideText, is_sanitized_on_a_terminal) {
    for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
             {"draws"}, {"draw", "1"}, {"exceptions"}, {"status"}, {"rules", "explain", "--draw", "1"}, {"alerts"}}) {
        expect_clean(command.front(), out(command));
    }
    EXPECT_THAT(out({"draw", "1"}), HasSubstr(shown));
    const auto refused = house_.office.run({"file", payload + "\xFF"});
    EXPECT_EQ(refused.exit.code, 1);
    EXPECT_THAT(refused.err, HasSubstr(shown));
    expect_clean("stderr", refused.err);
}

TEST_F(OutsideText, is_sanitized_in_csv) {
    const std::string draws = out({"draws", "--csv"});
    EXPECT_THAT(draws, HasSubstr(",'" + shown + ","));
    expect_clean("draws", draws);
    const auto number = house_.office.json({"checks"}).at("checks")[0].at("number").dump();
    EXPECT_EQ(house_.office.run({"void", "--check", number, "--reason", payload + "\xFF"}).exit.code, 2)
        << "a reason has no control characters";
    out({"void", "--check", number, "--reason", "=cmd()\u202e<b>&"});
    const std::string checks = out({"checks", "--csv"});
    EXPECT_THAT(checks, HasSubstr(",'=cmd()?<b>&"));
    expect_clean("checks", checks);
    drop_bad_file();
    house_.office.run_once();
    expect_clean("reconcile", report("csv"));
}

TEST_F(OutsideText, keeps_its_meaning_in_json) {
    for (const std::vector<std::string>& command :
         std::vector<std::vector<std::string>>{{"draws", "--json"}, {"draw", "1", "--json"}, {"exceptions", "--json"}})
        expect_clean(command.front(), out(command));
    const auto draw = Json::parse(out({"draw", "1", "--json"}));
    EXPECT_EQ(draw.at("fields").at("description"), payload);
    drop_bad_file();
    house_.office.run_once();
    expect_clean("reconcile", report("json"));
}

TEST_F(OutsideText, is_sanitized_in_html) {
    drop_bad_file();
    house_.office.run_once();
    const std::string page = report("html");
    expect_clean("page", page);
    EXPECT_THAT(page, testing::Not(HasSubstr("<b>&")));
}

TEST_F(OutsideText, is_sanitized_in_the_log_and_in_mail) {
    drop_bad_file();
    const auto ran = house_.office.run({"run", "--once"});
    EXPECT_THAT(ran.out + ran.err, HasSubstr("=cmd()?2J?[31m?"));
    expect_clean("log", ran.err);
    expect_clean("stdout", ran.out);
    const std::string mails = test::from_quoted_printable(read_file(mail()));
    EXPECT_THAT(mails, HasSubstr("=cmd()?2J?[31m?"));
    expect_clean("mail", mails);
}

}  // namespace
}  // namespace drawbridge::e2e
