// A bank's server that is down, refuses, is full, or is no longer the one that is configured.
#include "pipeline/deliver_fixture.hpp"

namespace drawbridge::pipeline {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST_F(Delivering, nothing_is_sent_while_the_server_cannot_list_its_folder) {
    const auto name = release_a_file();
    bank_.behave_oddly("cannot_list");
    for (int i = 0; i < 3; ++i)
        EXPECT_THAT(run(deliver).problems, ElementsAre(HasSubstr("cannot list the folder")));
    EXPECT_EQ(steps(name), "unreachable unreachable unreachable");
    EXPECT_THAT(reasons(), ElementsAre("delivery_failing"));
    EXPECT_THAT(bank_.names(), IsEmpty());
    bank_.behave();
    run_well({deliver});
    expect_delivered(name);
}

TEST_F(Delivering, a_server_that_lets_nobody_list_its_folder_gets_files_and_one_warning) {
    bank_.behave_oddly("unlisted");
    const auto name = release_a_file();
    EXPECT_THAT(run(deliver).problems, ElementsAre(HasSubstr("files are sent without looking for those of a newer")));
    expect_delivered(name);
    const auto server = address(*context_->settings.ach_delivery.sftp);
    EXPECT_THAT(ledger::listing_denied(*ledger_, server), HasSubstr("cannot list the folder"));
    fs::remove(bank_.inbox() / name);
    release_a_file();
    EXPECT_THAT(run(deliver).problems, IsEmpty());
    bank_.behave();
    release_a_file();
    run_well({deliver});
    EXPECT_EQ(ledger::listing_denied(*ledger_, server), "");
}

TEST_F(Delivering, a_server_with_an_unexpected_host_key_gets_nothing) {
    const auto name = release_a_file();
    test::make_ssh_key(folder_.path() / "other");
    context_->settings.ach_delivery.sftp->host_key = test::public_key(folder_.path() / "other");
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_THAT(reasons(), ElementsAre("delivery_host_key"));
    EXPECT_THAT(bank_.names(), IsEmpty());
    use_server(proxy_.port());
    run_well({deliver});
    EXPECT_THAT(steps(name), HasSubstr("unreachable intent uploaded delivered"));
    expect_delivered(name);
}

TEST_F(Delivering, a_refused_login_raises_an_exception_that_closes_on_success) {
    const auto name = release_a_file();
    test::make_ssh_key(folder_.path() / "other");
    context_->settings.ach_delivery.sftp->private_key = Secret(e2e::read_file(folder_.path() / "other"));
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_THAT(reasons(), ElementsAre("delivery_login_refused"));
    use_server(proxy_.port());
    run_well({deliver});
    expect_delivered(name);
}

TEST_F(Delivering, an_outage_becomes_an_exception_with_growing_backoff) {
    const auto name = release_a_file();
    context_->settings.delivery_retry_base = std::chrono::seconds(10);
    bank_.stop();
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_THAT(reasons(), IsEmpty()) << "a short outage is no exception";
    EXPECT_FALSE(delivery_due(*context_));
    for (const auto wait : {10, 20}) {
        clock_.ahead += std::chrono::seconds(wait - 1);
        EXPECT_FALSE(delivery_due(*context_));
        clock_.ahead += std::chrono::seconds(2);
        EXPECT_TRUE(delivery_due(*context_));
        EXPECT_FALSE(run(deliver).ok);
    }
    EXPECT_THAT(reasons(), ElementsAre("delivery_failing"));
    EXPECT_EQ(ledger::undelivered(*ledger_).count, 1);
    bank_.start();
    clock_.ahead += std::chrono::minutes(1);
    run_well({deliver});
    expect_delivered(name);
}

// `run --once` starts a new program each time: only the ledger knows the earlier failures.
TEST_F(Delivering, an_outage_becomes_an_exception_although_each_program_runs_once) {
    const auto name = release_a_file();
    bank_.stop();
    for (int program = 1; program <= 3; ++program) {
        EXPECT_THAT(reasons(), IsEmpty());
        TransferWorker worker;
        context_->transfer_worker = &worker;
        EXPECT_FALSE(run(deliver).ok);
    }
    context_->transfer_worker = &transfer_worker_;
    EXPECT_THAT(reasons(), ElementsAre("delivery_failing"));
    bank_.start();
    run_well({deliver});
    expect_delivered(name);
}

TEST_F(Delivering, a_server_that_cannot_store_files_raises_an_exception) {
    const auto name = release_a_file();
    const auto folder = context_->settings.ach_delivery.sftp->folder;
    context_->settings.ach_delivery.sftp->folder = folder + "/absent";
    for (int i = 0; i < 3; ++i)
        EXPECT_FALSE(run(deliver).ok);
    EXPECT_EQ(steps(name), "intent failed intent failed intent failed");
    EXPECT_THAT(reasons(), ElementsAre("delivery_failing"));
    context_->settings.ach_delivery.sftp->folder = folder;
    run_well({deliver});
    expect_delivered(name);
}

TEST_F(Delivering, a_full_disk_at_the_bank_delays_a_file_and_leaves_one_partial_copy) {
    const auto name = release_a_file();
    bank_.fill_disk();
    for (const auto* temporary : {"tmp-1-", "tmp-2-", "tmp-3-"}) {
        const auto report = run(deliver);
        EXPECT_FALSE(report.ok);
        ASSERT_EQ(report.problems.size(), 1U);
        EXPECT_THAT(report.problems.front(), HasSubstr("failure (a full disk, a quota, or an existing file)"));
        // A partial upload is removed before the next one starts, so that partial copies do not fill the disk.
        EXPECT_THAT(bank_.names(), ElementsAre(temporary + name + ".part"));
        EXPECT_FALSE(delivery(name).delivered_at.has_value());
        EXPECT_TRUE(fs::exists(outgoing(name)));
        EXPECT_EQ(ledger::undelivered(*ledger_).count, 1);
    }
    EXPECT_EQ(steps(name), "intent failed intent failed intent failed");
    EXPECT_THAT(reasons(), ElementsAre("delivery_failing"));
    expect_clean_ledger();
    bank_.free_disk();
    run_well({deliver});
    EXPECT_EQ(steps(name), "intent failed intent failed intent failed intent uploaded delivered");
    expect_delivered(name);
}

TEST_F(Delivering, a_file_waits_if_its_server_is_no_longer_configured) {
    const auto name = release_a_file();
    context_->settings.ach_delivery = {};
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_THAT(reasons(), ElementsAre("delivery_not_configured"));
    use_server(proxy_.port());
    run_well({deliver});
    expect_delivered(name);
}

TEST_F(Delivering, a_file_that_waits_for_a_server_that_is_no_longer_configured_may_go_to_the_new_one) {
    const auto name = release_a_file();
    after_upload_of(name, [this] { proxy_.lose_next_answer(); });
    EXPECT_FALSE(run(deliver).ok);
    proxy_.restore();
    fs::rename(bank_.inbox() / name, folder_.path() / "of the old server");
    use_server(bank_.port());
    EXPECT_FALSE(run(deliver).ok);
    ASSERT_THAT(reasons(), ElementsAre("delivery_server_changed"));
    ASSERT_TRUE(resolve(name, DeliveryResolution::again));
    run_well({deliver});
    expect_delivered(name);
}

TEST_F(Delivering, an_uncertain_delivery_is_not_sent_to_a_second_server) {
    const auto name = release_a_file();
    after_upload_of(name, [this] { proxy_.lose_next_answer(); });
    EXPECT_FALSE(run(deliver).ok);
    proxy_.restore();
    use_server(bank_.port());  // another address
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_THAT(reasons(), ElementsAre("delivery_server_changed"));
    use_server(proxy_.port());
    run_well({deliver});
    expect_delivered(name);
}

}  // namespace
}  // namespace drawbridge::pipeline
