// What people do about a delivery: order another upload, say that the bank has the file, or void it.
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/passkeys.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/pipeline/payment_files.hpp"
#include "pipeline/deliver_fixture.hpp"

namespace drawbridge::pipeline {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST_F(Delivering, a_person_may_order_another_upload) {
    const auto name = release_a_file();
    after_upload_of(name, [this, name] { fs::remove(bank_.inbox() / ("tmp-1-" + name + ".part")); });
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_THAT(reasons(), ElementsAre("delivery_uncertain"));
    ASSERT_TRUE(resolve(name, DeliveryResolution::again));
    run_well({deliver});
    EXPECT_THAT(steps(name), HasSubstr("uncertain again intent uploaded delivered"));
    expect_delivered(name);
}

// The console asks for it by the exception.
TEST_F(Delivering, an_upload_that_a_locked_passkey_ordered_again_does_not_begin) {
    const auto cara = add_person("Cara", 5003, ledger::Role::releaser);
    add_person("Ben", 5002, ledger::Role::releaser);
    const auto name = release_a_file();
    after_upload_of(name, [this, name] { fs::remove(bank_.inbox() / ("tmp-1-" + name + ".part")); });
    EXPECT_FALSE(run(deliver).ok);
    ASSERT_THAT(reasons(), ElementsAre("delivery_uncertain"));
    const auto id = ledger::open_exceptions(*ledger_).front().exception_id;
    const ledger::Stamp root{clock_.now(), "root", 0};
    const ledger::Stamp in_console{clock_.now(), "Cara (console)", ledger::console_uid(cara)};
    const auto lost = sign(cara, fmt::format("POST /exceptions/{}/deliver", id), "Cara's laptop");
    ASSERT_TRUE(resolve_delivery(*context_, name, DeliveryResolution::again, "they lack it", in_console));
    ledger_->transaction([&] { EXPECT_TRUE(ledger::lock_passkey(*ledger_, lost, "stolen", root)); });
    run(deliver);
    EXPECT_THAT(bank_.names(), IsEmpty()) << steps(name);
    EXPECT_THAT(reasons(), Contains("release_not_allowed"));
}

TEST_F(Delivering, an_upload_that_waits_for_a_draw_says_which) {
    const auto name = release_a_file();
    clock_.ahead += std::chrono::minutes(6);  // the readings are too old
    fault(R"({"endpoint": "read", "kind": "status", "drawId": 1, "code": 500, "times": 1000})");
    for (int tries = 1; tries <= 3; ++tries)
        EXPECT_FALSE(run(deliver).ok);
    EXPECT_THAT(reasons(), ElementsAre("delivery_failing"));
    EXPECT_THAT(ledger::open_exceptions(*ledger_).front().what.detail,
                AllOf(HasSubstr("draw 1 cannot be read"), HasSubstr("void the file")));
    EXPECT_THAT(bank_.names(), IsEmpty());
    sandbox_.clear_faults();
    run_well({deliver});
    expect_delivered(name);
}

TEST_F(Delivering, a_file_with_a_failed_upload_is_voided_once_a_releaser_says_that_the_bank_does_not_have_it) {
    const auto name = file_with_failed_upload();
    ASSERT_THAT(steps(name), EndsWith("intent failed"));
    const auto refused = void_file(*context_, name, "a draw changed", eva());
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message,
                HasSubstr("an upload began: run 'drawbridge pause --reason …', and ask the bank"));
    ASSERT_TRUE(resolve(name, DeliveryResolution::again));
    const auto voided = void_file(*context_, name, "a draw changed", {clock_.now(), "uid 8 (max)", 8});
    ASSERT_TRUE(voided) << voided.error().message;
    run_well({poll, pay});
    EXPECT_NE(files().back().name, name) << "the next file pays its draw";
    EXPECT_FALSE(ledger::makers_of(*ledger_, files().back().file_id).empty())
        << "the bank may have copies of the first";
    EXPECT_FALSE(release_now(files().back().name, "mine", eva())) << "that the bank does not have the first";
    run(deliver);
    EXPECT_THAT(bank_.names(), Not(Contains(name)));
    expect_clean_ledger();
}

TEST_F(Delivering, a_failure_clears_once_a_person_resolves_it) {
    const auto name = release_a_file();
    context_->settings.ach_delivery = {};
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_FALSE(ledger::last_run(*ledger_, Step::deliver)->ok);
    ASSERT_TRUE(resolve(name, DeliveryResolution::by_hand));
    // A successful run archives the copy. If the copy is gone already, there would be nothing left to do.
    run_well({deliver});
    EXPECT_TRUE(ledger::last_run(*ledger_, Step::deliver)->ok);
    EXPECT_FALSE(delivery_due(*context_));
    ledger_->transaction([&] {
        const auto at = clock_.now();
        ledger::record_run(*ledger_, {Step::deliver, at, at, false, "failed for a file that was voided since"});
    });
    EXPECT_TRUE(delivery_due(*context_));
    run_well({deliver});
    EXPECT_TRUE(ledger::last_run(*ledger_, Step::deliver)->ok);
    EXPECT_FALSE(delivery_due(*context_));
}

TEST_F(Delivering, a_file_delivered_by_hand_is_not_sent) {
    const auto name = release_a_file();
    EXPECT_FALSE(resolve(name, DeliveryResolution::again)) << "its delivery is not uncertain";
    EXPECT_FALSE(resolve("absent", DeliveryResolution::by_hand));
    ASSERT_TRUE(resolve(name, DeliveryResolution::by_hand));
    run_well({deliver});
    EXPECT_THAT(bank_.names(), IsEmpty());
    EXPECT_EQ(steps(name), "delivered");
    EXPECT_FALSE(fs::exists(outgoing(name)));
    expect_clean_ledger();
}

TEST_F(Delivering, a_file_that_a_person_already_uploaded_counts_as_delivered) {
    const auto name = release_a_file();
    fs::copy_file(outgoing(name), bank_.inbox() / name);
    run_well({deliver});
    EXPECT_EQ(steps(name), "delivered");
    expect_delivered(name);
}

TEST_F(Delivering, a_delivery_cannot_be_resolved_during_its_upload) {
    const auto name = release_a_file();
    std::optional<Result<ledger::FileRow>> resolved;
    after_upload_of(name, [&] { resolved = resolve(name, DeliveryResolution::by_hand); });
    run_well({deliver});
    ASSERT_TRUE(resolved.has_value());
    ASSERT_FALSE(*resolved) << "it could be delivered by hand while it is renamed";
    EXPECT_THAT(resolved->error().message, HasSubstr("is being uploaded"));
    EXPECT_EQ(steps(name), "intent uploaded delivered");
    expect_delivered(name);
}

// A person delivers this file by hand while another is uploaded: it is not uploaded.
TEST_F(Delivering, a_file_resolved_during_another_upload_is_not_sent) {
    const auto first = release_a_file();
    add(++last_draw_, 4);
    run_well({poll, pay});
    const auto second = files().back().name;
    ASSERT_NE(first, second);
    after_upload_of(first, [&] { ASSERT_TRUE(resolve(second, DeliveryResolution::by_hand)); });
    run_well({deliver});
    EXPECT_THAT(bank_.names(), ElementsAre(first));
    EXPECT_EQ(steps(second), "delivered");
    expect_clean_ledger();
}

}  // namespace
}  // namespace drawbridge::pipeline
