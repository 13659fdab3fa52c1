// Whatever breaks or lies between an upload and its record, the bank gets each file once, or a person decides.
#include "drawbridge/ledger/facts/runs.hpp"
#include "pipeline/deliver_fixture.hpp"

namespace drawbridge::pipeline {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// The main promise: wherever the connection breaks, the bank gets each file once and complete, or a person decides.
class CutAnywhere : public Delivering, public ::testing::WithParamInterface<bool> {};

TEST_P(CutAnywhere, the_bank_gets_the_file_exactly_once) {
    constexpr int cuts = 16;
    auto name = release_a_file();
    run_well({deliver});
    const auto all = GetParam() ? proxy_.sent() : proxy_.received();
    expect_delivered(name);
    for (int cut = 1; cut <= cuts; ++cut) {
        SCOPED_TRACE("cut " + std::to_string(cut) + " of " + std::to_string(cuts));
        fs::remove(bank_.inbox() / name);
        name = release_a_file();
        const auto at = all * cut / cuts - 20;
        proxy_.cut_after(GetParam() ? at : test::TcpProxy::unlimited, GetParam() ? test::TcpProxy::unlimited : at);
        run(deliver);
        proxy_.restore();
        for (int again = 0; again < 3; ++again)
            run(deliver);
        expect_delivered(name);
    }
}

// Many banks take a file as soon as it is complete, under whatever name.
TEST_P(CutAnywhere, a_complete_upload_that_the_bank_took_is_not_sent_again) {
    constexpr int cuts = 16;
    auto name = release_a_file();
    run_well({deliver});
    const auto all = GetParam() ? proxy_.sent() : proxy_.received();
    int taken = 0;
    for (int cut = 1; cut <= cuts; ++cut) {
        SCOPED_TRACE("cut " + std::to_string(cut) + " of " + std::to_string(cuts));
        fs::remove(bank_.inbox() / name);
        name = release_a_file();
        const auto size = fs::file_size(outgoing(name));
        const auto at = all * cut / cuts - 20;
        proxy_.cut_after(GetParam() ? at : test::TcpProxy::unlimited, GetParam() ? test::TcpProxy::unlimited : at);
        run(deliver);
        proxy_.restore();
        const auto temporary = bank_.inbox() / ("tmp-1-" + name + ".part");
        const bool is_complete = fs::exists(temporary) && fs::file_size(temporary) == size;
        if (is_complete) fs::remove(temporary);
        for (int again = 0; again < 3; ++again)
            run(deliver);
        if (is_complete) {
            ++taken;
            EXPECT_THAT(bank_.names(), IsEmpty()) << steps(name);
            EXPECT_THAT(reasons(), ElementsAre("delivery_uncertain")) << steps(name);
            ASSERT_TRUE(resolve(name, DeliveryResolution::by_hand));
            run_well({deliver});
        } else {
            expect_delivered(name);
        }
    }
    EXPECT_GT(taken, 0);
    expect_clean_ledger();
}

INSTANTIATE_TEST_SUITE_P(Bytes, CutAnywhere, ::testing::Bool(), [](const auto& direction) {
    return direction.param ? std::string("ToTheServer") : std::string("FromTheServer");
});

TEST_F(Delivering, a_rename_without_an_answer_is_resolved_by_a_lookup) {
    const auto name = release_a_file();
    after_upload_of(name, [this] { proxy_.lose_next_answer(); });
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_EQ(steps(name), "intent uploaded unknown");
    EXPECT_THAT(bank_.names(), ElementsAre(name)) << "the server renamed it";
    proxy_.restore();
    run_well({deliver});
    EXPECT_EQ(steps(name), "intent uploaded unknown delivered");
    expect_delivered(name);
}

TEST_F(Delivering, a_file_that_the_bank_may_have_is_not_sent_again) {
    const auto name = release_a_file();
    after_upload_of(name, [this] { proxy_.lose_next_answer(); });
    EXPECT_FALSE(run(deliver).ok);
    fs::remove(bank_.inbox() / name);  // the bank takes it
    proxy_.restore();
    EXPECT_FALSE(run(deliver).ok);
    run_well({deliver});
    EXPECT_EQ(steps(name), "intent uploaded unknown uncertain");
    EXPECT_THAT(reasons(), ElementsAre("delivery_uncertain"));
    EXPECT_FALSE(delivery_due(*context_)) << "it waits for a person";
    EXPECT_THAT(bank_.names(), IsEmpty());
    ASSERT_TRUE(resolve(name, DeliveryResolution::by_hand));
    EXPECT_FALSE(resolve(name, DeliveryResolution::again)) << "it is delivered";
    run_well({deliver});
    EXPECT_THAT(bank_.names(), IsEmpty());
    EXPECT_THAT(reasons(), IsEmpty());
    EXPECT_FALSE(fs::exists(outgoing(name))) << "it is in the archive";
    expect_clean_ledger();
}

class TakenUpload : public Delivering, public testing::WithParamInterface<const char*> {};

TEST_P(TakenUpload, is_uncertain) {
    const auto name = release_a_file();
    bank_.behave_oddly(GetParam());
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_EQ(steps(name), "intent unknown");
    bank_.behave();
    EXPECT_FALSE(run(deliver).ok);
    run_well({deliver});
    EXPECT_EQ(steps(name), "intent unknown uncertain");
    EXPECT_THAT(reasons(), ElementsAre("delivery_uncertain"));
    EXPECT_THAT(bank_.names(), IsEmpty()) << "it is not sent again";
    expect_clean_ledger();
}
// The bank takes the complete upload before its server answers, or the server refuses the last bytes.
INSTANTIATE_TEST_SUITE_P(WhateverTheServerAnswers, TakenUpload, testing::Values("cuts_at_close", "takes_and_denies"));

TEST_F(Delivering, an_upload_that_arrives_with_other_bytes_is_removed) {
    const auto name = release_a_file();
    bank_.behave_oddly("endless_reads");
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_EQ(steps(name), "intent damaged");
    EXPECT_THAT(bank_.names(), IsEmpty());
    bank_.behave();
    run_well({deliver});
    expect_delivered(name);
}

TEST_F(Delivering, an_upload_that_the_bank_took_while_it_was_looked_up_is_uncertain) {
    const auto name = release_a_file();
    bank_.behave_oddly("takes_before_read");
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_EQ(steps(name), "intent uncertain");
    EXPECT_THAT(reasons(), ElementsAre("delivery_uncertain"));
}

// Its size is right, but the server lets nobody read it, and nothing was answered after the last byte.
TEST_F(Delivering, an_upload_that_is_not_known_to_be_complete_is_replaced) {
    auto name = release_a_file();
    bank_.behave_oddly("hides_reads");
    run_well({deliver});
    const auto all = proxy_.sent();
    int replaced = 0;
    for (int cut = 1; cut < 32; ++cut) {
        fs::remove(bank_.inbox() / name);
        name = release_a_file();
        proxy_.cut_after(all * cut / 32, test::TcpProxy::unlimited);
        run(deliver);
        proxy_.restore();
        for (int again = 0; again < 3; ++again)
            run(deliver);
        if (steps(name).contains("intent unknown damaged intent uploaded delivered")) ++replaced;
        expect_delivered(name);
    }
    EXPECT_GT(replaced, 0);
}

TEST_F(Delivering, a_write_only_drop_box_that_hides_its_files_gets_one_copy) {
    const auto name = release_a_file();
    bank_.behave_oddly("hides_reads");
    run_well({deliver});
    EXPECT_EQ(steps(name), "intent uploaded delivered");
    expect_delivered(name);
}

TEST_F(Delivering, a_rename_that_the_server_only_claims_is_repeated) {
    const auto name = release_a_file();
    bank_.behave_oddly("ignores_renames");
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_EQ(steps(name), "intent uploaded refused");
    EXPECT_TRUE(fs::exists(outgoing(name)));
    bank_.behave();
    run_well({deliver});
    EXPECT_EQ(steps(name), "intent uploaded refused delivered");
    expect_delivered(name);
}

TEST_F(Delivering, a_rename_that_was_done_and_denied_is_no_failure) {
    const auto name = release_a_file();
    bank_.behave_oddly("denies_renames");
    const auto report = run(deliver);
    EXPECT_TRUE(report.ok) << report.problems.front();
    EXPECT_EQ(steps(name), "intent uploaded refused delivered");
    expect_delivered(name);
}

// The server takes uploads and refuses every rename: the office must be able to end it.
TEST_F(Delivering, a_file_whose_rename_fails_is_voided_once_a_releaser_says_that_the_bank_does_not_have_it) {
    const auto name = release_a_file();
    bank_.behave_oddly("ignores_renames");
    EXPECT_FALSE(run(deliver).ok);
    const auto early = resolve(name, DeliveryResolution::again);
    ASSERT_FALSE(early) << "the next run may rename it";
    EXPECT_THAT(early.error().message, HasSubstr("run 'drawbridge pause --reason …' first"));
    const auto refused = void_file(*context_, name, "the bank cannot", eva());
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("drawbridge pause"));
    set_paused(true);
    ASSERT_TRUE(resolve(name, DeliveryResolution::again));
    const auto voided = void_file(*context_, name, "the bank cannot", {clock_.now(), "uid 8 (max)", 8});
    ASSERT_TRUE(voided) << voided.error().message;
    set_paused(false);
    run_well({deliver});
    EXPECT_THAT(bank_.names(), Not(Contains(name)));
    expect_clean_ledger();
}

TEST_F(Delivering, a_file_whose_rename_keeps_failing_may_be_uploaded_again) {
    const auto name = release_a_file();
    bank_.behave_oddly("ignores_renames");
    for (int tries = 0; tries < 3; ++tries)
        EXPECT_FALSE(run(deliver).ok);
    ASSERT_THAT(reasons(), ElementsAre("delivery_failing"));
    ASSERT_TRUE(resolve(name, DeliveryResolution::again));
    bank_.behave();
    run_well({deliver});
    EXPECT_THAT(steps(name), EndsWith("again intent uploaded delivered"));
    expect_delivered(name);
}

}  // namespace
}  // namespace drawbridge::pipeline
