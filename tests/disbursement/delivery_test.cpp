// Which delivery steps lead to which state, and what the files on the server mean.
#include "drawbridge/disbursement/delivery.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/samples.hpp"

namespace drawbridge::disbursement {
namespace {

using enum DeliveryStep;
using std::chrono::milliseconds;
using std::chrono::minutes;

DeliveryState state_after(const std::vector<DeliveryStep>& steps) {
    std::vector<DeliveryFact> facts;
    int upload = 0;
    for (const auto step : steps) {
        DeliveryFact fact{.step = step, .at = test::at("2026-03-04T15:00:00"), .by = "drawbridge"};
        fact.detail = std::string(to_string(step)) + "!";
        if (step == intent) {
            fact.server = "sftp://a@b:22/c";
            fact.temporary_name = temporary_name("x.ach", ++upload);
        }
        facts.push_back(fact);
    }
    return delivery_state(facts);
}

TEST(DeliveryState, follows_from_the_steps) {
    struct Case {
        std::vector<DeliveryStep> steps;
        DeliveryPhase phase;
        int uploads, failures;
    };
    const Case cases[] = {
        {{}, DeliveryPhase::waiting, 0, 0},
        {{unreachable}, DeliveryPhase::waiting, 0, 1},
        {{unreachable, unreachable}, DeliveryPhase::waiting, 0, 2},
        {{intent}, DeliveryPhase::uploading, 1, 0},
        {{intent, failed}, DeliveryPhase::waiting, 1, 1},
        {{intent, failed, intent}, DeliveryPhase::uploading, 2, 1},
        {{intent, uploaded}, DeliveryPhase::unconfirmed, 1, 0},
        {{intent, uploaded, refused}, DeliveryPhase::unconfirmed, 1, 1},
        {{intent, uploaded, unknown}, DeliveryPhase::unconfirmed, 1, 1},
        {{intent, uploaded, unknown, unreachable}, DeliveryPhase::unconfirmed, 1, 2},
        {{intent, uploaded, unknown, damaged}, DeliveryPhase::waiting, 1, 2},
        {{intent, uploaded, unknown, uncertain}, DeliveryPhase::needs_person, 1, 2},
        {{conflict}, DeliveryPhase::needs_person, 0, 1},
        {{intent, uploaded, uncertain, again}, DeliveryPhase::waiting, 1, 0},
        {{intent, uploaded, uncertain, again, intent}, DeliveryPhase::uploading, 2, 0},
        {{intent, uploaded, delivered}, DeliveryPhase::delivered, 1, 0},
        {{intent, uploaded, unknown, delivered}, DeliveryPhase::delivered, 1, 0},
    };
    for (const auto& each : cases) {
        std::string name;
        for (const auto step : each.steps)
            name += std::string(to_string(step)) + " ";
        SCOPED_TRACE(name);
        const auto state = state_after(each.steps);
        EXPECT_EQ(to_string(state.phase), to_string(each.phase));
        EXPECT_EQ(state.uploads, each.uploads);
        EXPECT_EQ(state.failures, each.failures);
    }
}

TEST(DeliveryState, remembers_where_the_newest_upload_is) {
    const auto state = state_after({intent, failed, intent, uploaded, unknown});
    EXPECT_EQ(state.temporary_name, "tmp-2-x.ach.part");
    EXPECT_EQ(state.server, "sftp://a@b:22/c");
    EXPECT_EQ(state.last_problem, "unknown!");
    EXPECT_EQ(state_after({intent, uploaded, unknown, delivered}).last_problem, "");
}

TEST(DeliveryState, has_a_name_for_each_step_that_parses_back) {
    for (int i = 0; i <= static_cast<int>(delivered); ++i) {
        const auto step = static_cast<DeliveryStep>(i);
        EXPECT_EQ(parse_delivery_step(to_string(step)), step);
    }
    EXPECT_FALSE(parse_delivery_step("lost").has_value());
}

TEST(DeliveryVerdict, is_decided_before_an_upload) {
    const RemoteFile wanted{10, "aa"};
    EXPECT_EQ(before_upload(std::nullopt, wanted), DeliveryVerdict::upload);
    EXPECT_EQ(before_upload(RemoteFile{10, "aa"}, wanted), DeliveryVerdict::delivered);
    EXPECT_EQ(before_upload(RemoteFile{10, "bb"}, wanted), DeliveryVerdict::conflict);
    EXPECT_EQ(before_upload(RemoteFile{9, ""}, wanted), DeliveryVerdict::conflict);
    // The right size alone does not prove that a file nobody is known to have sent is ours.
    EXPECT_EQ(before_upload(RemoteFile{10, ""}, wanted), DeliveryVerdict::conflict);
}

TEST(DeliveryVerdict, is_decided_after_an_upload) {
    const RemoteFile wanted{10, "aa"}, same{10, "aa"}, unread{10, ""}, other{10, "bb"}, part{3, "cc"};
    struct Case {
        std::optional<RemoteFile> temporary, final_;
        DeliveryVerdict verdict;
    };
    const Case cases[] = {
        {same, std::nullopt, DeliveryVerdict::rename},
        {unread, std::nullopt, DeliveryVerdict::rename},
        {part, std::nullopt, DeliveryVerdict::upload_again},
        {other, std::nullopt, DeliveryVerdict::upload_again},
        {std::nullopt, same, DeliveryVerdict::delivered},
        {std::nullopt, unread, DeliveryVerdict::delivered},
        {std::nullopt, other, DeliveryVerdict::conflict},
        {std::nullopt, part, DeliveryVerdict::conflict},
        // both names, as if the server crashed during the rename
        {same, same, DeliveryVerdict::delivered},
        {unread, unread, DeliveryVerdict::conflict},
        {same, other, DeliveryVerdict::conflict},
        // a bank that removes files at once looks the same as one that lost it
        {std::nullopt, std::nullopt, DeliveryVerdict::uncertain},
    };
    int number = 0;
    for (const auto& each : cases) {
        EXPECT_EQ(after_upload(each.temporary, each.final_, wanted), each.verdict) << "case " << number;
        ++number;
    }
}

TEST(DeliveryWait, grows_with_each_failure_up_to_a_maximum) {
    const milliseconds base = std::chrono::seconds(10);
    EXPECT_EQ(delivery_wait(0, base), milliseconds(0));
    EXPECT_EQ(delivery_wait(1, base), base);
    EXPECT_EQ(delivery_wait(4, base), 8 * base);
    EXPECT_EQ(delivery_wait(1000, base), minutes(15));
    EXPECT_EQ(delivery_wait(1000, milliseconds(0)), milliseconds(0));
}

}  // namespace
}  // namespace drawbridge::disbursement
