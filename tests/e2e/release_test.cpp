// A person releases a file while the service has changed its draws or does not respond.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "e2e/office.hpp"

namespace drawbridge::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class Release : public testing::Test {
  protected:
    Release() {
        house_.sandbox.add({1, 100'00, "ACH-1"});
        house_.office.run_once();
        const auto answer = house_.office.json({"files"});
        name_ = answer.at("files").at(0).at("name");
    }
    Outcome release() const { return house_.office.run({"release", name_, "--reason", "agreed"}); }
    std::string shown(const std::vector<std::string>& command) const { return house_.office.run(command).out; }

    House house_{OfficeOptions{.release = "manual"}};
    std::string name_;
};

TEST_F(Release, pays_no_draw_that_was_cancelled_after_the_last_poll) {
    house_.sandbox.act(1, "cancel");
    const auto refused = release();
    EXPECT_EQ(to_string(refused.exit), "exit 1");
    EXPECT_THAT(refused.err, AllOf(HasSubstr("draw 1 is now Cancelled"), HasSubstr("void the file")));
    EXPECT_THAT(files_in(house_.office.outgoing()), IsEmpty());
    house_.office.expect_verified();
}

TEST_F(Release, waits_for_an_unreachable_service_and_shows_it) {
    house_.sandbox.process().kill();
    const auto ordered = release();
    EXPECT_EQ(to_string(ordered.exit), "exit 0") << ordered.err;
    for (const auto& text : {ordered.out, shown({"files"}), shown({"file", name_}), shown({"status"})})
        EXPECT_THAT(text, AllOf(HasSubstr("release ordered by"), HasSubstr("waits for the service since")));
    EXPECT_THAT(files_in(house_.office.outgoing()), IsEmpty());
    house_.sandbox.restart();
    house_.office.run_once();
    EXPECT_THAT(files_in(house_.office.outgoing()), SizeIs(1));
    house_.office.expect_verified();
}

TEST_F(Release, through_the_daemon_also_reads_the_draws) {
    house_.sandbox.add({2, 200'00, "CHK-1"});
    house_.office.run_once();
    auto daemon = house_.office.start_daemon();
    ASSERT_TRUE(eventually([&] { return std::filesystem::exists(house_.office.state() / "drawbridge.sock"); }));
    house_.sandbox.act(1, "cancel");
    EXPECT_THAT(release().err, HasSubstr("draw 1 is now Cancelled")) << house_.office.daemon_log();
    const auto answer = house_.office.json({"files"});
    const auto& files = answer.at("files");
    const std::string other = files.at(files.at(0).at("name") == name_ ? 1 : 0).at("name");
    house_.sandbox.process().kill();
    EXPECT_THAT(house_.office.run({"release", other, "--reason", "agreed"}).out, HasSubstr("waits for the service"));
    house_.sandbox.restart();
    EXPECT_TRUE(eventually([&] { return files_in(house_.office.outgoing()).size() == 1; }, std::chrono::seconds(60)))
        << house_.office.daemon_log();
    daemon.signal(SIGTERM);
    EXPECT_TRUE(daemon.wait(std::chrono::seconds(15)).has_value());
    house_.office.expect_verified();
}

}  // namespace
}  // namespace drawbridge::e2e
