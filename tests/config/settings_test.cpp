// The stored settings of drawbridge.yaml that reveal later changes, and the keys of change control.
#include "drawbridge/config/settings.hpp"

#include <gmock/gmock.h>

#include "config_fixture.hpp"
#include "drawbridge/text/yaml.hpp"

namespace drawbridge::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Settings : public ConfigTest {
  protected:
    [[nodiscard]] std::string of(const std::string& yaml) const {
        return settings_of(text::parse_yaml(yaml, "c.yaml").value());
    }
};

TEST_F(Settings, do_not_depend_on_the_layout_of_the_file) {
    EXPECT_EQ(of("b: {c: 1, d: [x, y]}\n# comment\na: 'z'\n"), "a: z\nb.c: 1\nb.d[0]: x\nb.d[1]: y\n");
    EXPECT_EQ(of("a: z\nb:\n  d:\n    - x\n    - y\n  c: 1\n"), of("b: {c: 1, d: [x, y]}\na: \"z\"\n"));
}

TEST_F(Settings, show_what_was_added_removed_and_changed) {
    EXPECT_THAT(
        what_changed(of("pay: {release: manual}\nreport: {time_of_day: '12:00'}\n"),
                     of("pay: {release: auto, cutoffs: ['10:00']}\n")),
        ElementsAre("pay.cutoffs[0]: added 10:00", "pay.release: manual -> auto", "report.time_of_day: removed 12:00"));
    EXPECT_THAT(what_changed(of("change_control: second_person\n"), of("change_control: {rules: off}\n")),
                ElementsAre("change_control.rules: added off", "change_control: removed second_person"));
    EXPECT_THAT(what_changed("a: 1\n", "a: 1\n"), IsEmpty());
}

TEST_F(Settings, never_show_an_account_a_secret_or_a_url) {
    const std::vector<std::pair<std::string, std::string>> hidden = {
        {"alerts: {webhook: {url: 'https://x.example/S3CRET'}}\n", "alerts.webhook.url: (not shown) -> (not shown)"},
        {"checks: {account_number: S3CRET}\n", "checks.account_number: (not shown) -> (not shown)"},
        {"confirmations: {account_numbers: [S3CRET]}\n",
         "confirmations.account_numbers[0]: (not shown) -> (not shown)"},
        {"ledger: {sealing_key: S3CRET}\n", "ledger.sealing_key: (not shown) -> (not shown)"}};
    for (const auto& [yaml, line] : hidden) {
        auto other = yaml;
        other.replace(other.find("S3CRET"), 6, "0THER");
        EXPECT_THAT(what_changed(of(yaml), of(other)), ElementsAre(line));
    }
    EXPECT_THAT(what_changed(of("checks: {account_number_file: a}\n"), of("checks: {account_number_file: b}\n")),
                ElementsAre("checks.account_number_file: a -> b"))
        << "the file name shows which account is used";
}

TEST_F(Settings, two_hosts_have_the_same_digest_unless_more_differs_than_what_belongs_to_a_machine) {
    const auto digest = [&](const std::string& yaml) {
        const auto config = load(yaml);
        EXPECT_TRUE(config) << yaml;
        return config ? config->settings_sha256 : std::string();
    };
    const std::string here = digest(minimal);
    EXPECT_EQ(digest(minimal + "# a comment\nmetrics: {listen: 127.0.0.1:9464}\n"), here);
    EXPECT_NE(digest(minimal + "report: {time_of_day: \"12:00\"}\n"), here);
}

TEST_F(Settings, change_control_is_off_by_default) {
    EXPECT_FALSE(load(minimal)->change_control.any());
    const auto both = load(minimal + "change_control: second_person\n");
    ASSERT_TRUE(both) << to_string(both.error());
    EXPECT_EQ(both->change_control.rules, Control::second_person);
    EXPECT_EQ(both->change_control.payees, Control::second_person);
    const auto one = load(minimal + "change_control: {rules: second_person}\n");
    EXPECT_EQ(one->change_control.rules, Control::second_person);
    EXPECT_EQ(one->change_control.payees, Control::off);
    EXPECT_FALSE(load(minimal + "change_control: off\n")->change_control.any());
    EXPECT_THAT(report(minimal + "change_control: {rules: two}\n"), HasSubstr("change_control.rules cannot be 'two'"));
    EXPECT_THAT(report(minimal + "change_control: second\n"), HasSubstr("change_control cannot be 'second'"));
    EXPECT_THAT(report(minimal + "change_control: {rule: off}\n"), HasSubstr("did you mean 'rules'"));
    EXPECT_THAT(report(minimal + "change_control: [off]\n"), HasSubstr("c.yaml:6:"));
}

}  // namespace
}  // namespace drawbridge::config
