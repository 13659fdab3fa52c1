#include <gtest/gtest.h>

#include "config/config_fixture.hpp"
#include "drawbridge/config/controls.hpp"

namespace drawbridge::config {
namespace {

using std::chrono::days;

TEST_F(ConfigTest, archived_files_are_sealed_after_thirty_days_and_never_deleted_by_default) {
    EXPECT_EQ(load(minimal)->archive.seal_after, days(30));
    EXPECT_FALSE(load(minimal)->archive.delete_after);
    const auto config = load(minimal + "archive: {seal_after: 0d, delete_after: 2557d}\n");
    ASSERT_TRUE(config) << to_string(config.error());
    EXPECT_EQ(config->archive.seal_after, days(0));
    EXPECT_EQ(config->archive.delete_after, days(2557));
    EXPECT_FALSE(load(minimal + "archive: {seal_after: never, delete_after: never}\n")->archive.seal_after);
    const auto status_of = [](const Config& of) { return controls(of).back(); };
    EXPECT_EQ(status_of(*config).key, "archive.seal_after");
    EXPECT_TRUE(status_of(*config).is_on);
    EXPECT_FALSE(status_of(*load(minimal + "archive: {seal_after: never}\n")).is_on);
}

TEST_F(ConfigTest, refuses_deletion_before_seven_years_and_of_unsealed_files) {
    const Case table[] = {
        {"archive: {delete_after: 2556d}\n", "c.yaml:6:25: archive.delete_after is shorter than 7 years"},
        {"archive: {delete_after: 3000d, seal_after: never}\n", "only sealed files are deleted"},
        {"archive: {delete_after: 3000d, seal_after: 3000d}\n", "is not longer than archive.seal_after"},
        {"archive: {seal_after: soon}\n", "archive.seal_after"},
    };
    for (const Case& row : table) {
        const std::string said = report(minimal + row.yaml);
        EXPECT_NE(said.find(row.report), std::string::npos) << row.yaml << said;
        EXPECT_FALSE(said.starts_with("valid")) << row.yaml;
    }
}

}  // namespace
}  // namespace drawbridge::config
