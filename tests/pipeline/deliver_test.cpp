// What is uploaded to a real OpenSSH server, when, and what people do about it.
#include "drawbridge/pipeline/deliver.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/passkeys.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/restorations.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/pipeline/after_restore.hpp"
#include "drawbridge/pipeline/check_orders.hpp"
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
using ::testing::SizeIs;

// Somebody took the file to the bank while the server was down.
TEST_F(Delivering, a_file_is_not_uploaded_while_the_bank_names_a_payment_in_it) {
    const auto name = release_a_file();
    confirm_newest_payment();
    ASSERT_THAT(reasons(), ElementsAre("payment_not_released"));
    run(deliver);
    EXPECT_THAT(bank_.names(), IsEmpty());
    EXPECT_THAT(reasons(), Contains("draws_changed"));
    ASSERT_TRUE(resolve(name, DeliveryResolution::by_hand));
    run_well({deliver});
    EXPECT_THAT(bank_.names(), IsEmpty());
    EXPECT_THAT(reasons(), ElementsAre("payment_not_released"));
    expect_clean_ledger();
}

TEST_F(Delivering, a_file_that_a_locked_person_released_is_not_uploaded) {
    config_.pay.release = config::Release::manual;
    const auto ben = add_person("Ben", 5002, ledger::Role::releaser);
    const auto name = release_a_file();
    ASSERT_TRUE(release_now(name, "agreed", {clock_.now(), "uid 5002 (ben)", 5002}));
    change_person(ben, ledger::ChangeKind::lock);
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_THAT(bank_.names(), IsEmpty());
    EXPECT_THAT(reasons(), Contains("release_not_allowed"));
    change_person(ben, ledger::ChangeKind::unlock);
    clock_.ahead += std::chrono::hours(1);
    run_well({deliver});
    expect_delivered(name);
}

TEST_F(Delivering, a_released_file_is_uploaded_renamed_and_archived) {
    const auto name = release_a_file();
    ASSERT_TRUE(fs::exists(outgoing(name)));
    EXPECT_TRUE(delivery_due(*context_));
    run_well({deliver});
    EXPECT_EQ(steps(name), "intent uploaded delivered");
    expect_delivered(name);
    run_well({deliver});
    EXPECT_EQ(steps(name), "intent uploaded delivered");
}

TEST_F(Delivering, files_released_before_sftp_was_configured_stay_in_outgoing) {
    context_->settings.ach_delivery = {};
    const auto name = release_a_file();
    use_server(proxy_.port());
    EXPECT_FALSE(delivery_due(*context_));
    run_well({deliver});
    EXPECT_TRUE(fs::exists(outgoing(name)));
    EXPECT_THAT(bank_.names(), IsEmpty());
}

TEST_F(Delivering, each_rail_has_its_own_delivery) {
    context_->settings.check_delivery = {};
    const auto ach = release_a_file();
    const auto check = release_a_file("PAYEE-3");
    run_well({deliver});
    EXPECT_THAT(bank_.names(), ElementsAre(ach));
    EXPECT_TRUE(fs::exists(outgoing(check)));
}

// A snapshot rolled back in place shows up nowhere else.
TEST_F(Delivering, an_unknown_file_of_ours_on_the_server_stops_everything) {
    const auto name = release_a_file();
    const std::string unknown = "ACH-20260301-Z.ach";
    std::ofstream(bank_.inbox() / unknown) << "from a later copy of the ledger";
    std::ofstream(bank_.inbox() / "welcome.txt") << "from the bank";
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_EQ(steps(name), "");
    EXPECT_THAT(reasons(), ElementsAre("ledger_is_older", "sent_file_unknown"));
    EXPECT_TRUE(ledger::is_paused(*ledger_));

    add(++last_draw_, 4);
    ASSERT_TRUE(compare_after_restore(*context_).has_value());
    const ledger::Stamp cy{clock_.now(), "uid 8 (cy)", 8};
    ledger_->transaction(
        [&] { ASSERT_TRUE(ledger::resolve_restoration(*ledger_, /*nothing_else_sent=*/true, "asked", cy)); });
    const auto resolved = resolve(name, DeliveryResolution::again);
    ASSERT_TRUE(resolved) << resolved.error().message;
    set_paused(false);
    run_well({deliver});
    EXPECT_THAT(bank_.names(), Contains(name)) << "once a person has resolved it, the name is known";
    run_well({poll, pay, deliver});
    EXPECT_THAT(bank_.names(), SizeIs(3)) << "cy answers for the draw, so another person releases its file";
    ASSERT_TRUE(release_now(files().back().name, "agreed", eva()));
    run_well({deliver});
    EXPECT_THAT(bank_.names(), SizeIs(4));
    expect_clean_ledger();
}

// Another instance shares the folder, with file id modifiers of its own.
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

TEST_F(Delivering, a_run_begins_no_other_file_after_five_minutes) {
    const auto first = release_a_file();
    const auto second = release_a_file("PAYEE-2");
    after_upload_of(first, [this] { clock_.ahead += std::chrono::minutes(6); });
    run_well({deliver});
    EXPECT_EQ(steps(first), "intent uploaded delivered");
    EXPECT_EQ(steps(second), "");
    EXPECT_TRUE(delivery_due(*context_));
    run_well({deliver});
    EXPECT_EQ(steps(second), "intent uploaded delivered");
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

TEST_F(Delivering, a_file_of_another_instance_on_the_server_is_not_ours) {
    context_->settings.plan.numbers.file_id_modifiers = "ABCDEFGHIJKLM";
    const auto name = release_a_file();
    std::ofstream(bank_.inbox() / "ACH-20260301-Z.ach") << "of the other instance";
    run_well({deliver});
    EXPECT_THAT(reasons(), IsEmpty());
    EXPECT_THAT(bank_.names(), Contains(name));
    expect_clean_ledger();
}

TEST_F(Delivering, a_second_upload_checks_the_draws_again) {
    const auto name = file_with_failed_upload();
    ASSERT_THAT(steps(name), EndsWith("intent failed"));
    sandbox_.act(last_draw_, "cancel");
    clock_.ahead += std::chrono::minutes(10);
    run(deliver);
    EXPECT_THAT(bank_.names(), Not(Contains(name)));
    EXPECT_THAT(reasons(), Contains("draws_changed"));
    for (const auto& row : ledger::open_exceptions(*ledger_)) {
        if (row.what.reason_code != "draws_changed") continue;
        EXPECT_THAT(row.what.detail, HasSubstr("--again"));
    }
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

TEST_F(Delivering, an_upload_gets_the_files_name_only_if_its_draws_are_still_right) {
    const auto name = release_a_file();
    after_upload_of(name, [this] { set_paused(true); });
    run(deliver);
    ASSERT_EQ(steps(name), "intent uploaded");
    sandbox_.act(last_draw_, "cancel");
    set_paused(false);
    clock_.ahead += std::chrono::minutes(10);
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_EQ(steps(name), "intent uploaded failed");
    EXPECT_THAT(bank_.names(), IsEmpty()) << "nor under its temporary name";
    EXPECT_THAT(reasons(), Contains("draws_changed"));
    EXPECT_FALSE(void_file(*context_, name, "a draw changed", eva()));
    ASSERT_TRUE(resolve(name, DeliveryResolution::again));
    EXPECT_TRUE(void_file(*context_, name, "a draw changed", eva()));
    expect_clean_ledger();
}

TEST_F(Delivering, an_upload_that_the_bank_took_before_it_could_be_taken_back_is_uncertain) {
    const auto name = release_a_file();
    after_upload_of(name, [this] { set_paused(true); });
    run(deliver);
    set_paused(false);
    sandbox_.act(last_draw_, "cancel");
    clock_.ahead += std::chrono::minutes(10);
    hooked_.hook = [this, name] {
        if (std::ranges::count(reasons(), "draws_changed") > 0) fs::remove(bank_.inbox() / ("tmp-1-" + name + ".part"));
    };
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_EQ(steps(name), "intent uploaded uncertain");
    EXPECT_THAT(reasons(), Contains("delivery_uncertain"));
}

// No dollar moves on one person's word: whoever lifts a hold of a file that waits for its upload becomes its maker.
TEST_F(Delivering, a_file_is_not_uploaded_after_its_releaser_had_a_hand_in_it) {
    const auto name = release_a_file();
    ASSERT_TRUE(ledger::makers_of(*ledger_, files().back().file_id).empty()) << "it was released automatically";
    ledger_->transaction(
        [&] { ledger::record_maker_act(*ledger_, ledger::MakerAct::lifted, {.draw = last_draw_}, eva()); });
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_THAT(bank_.names(), IsEmpty());
    EXPECT_EQ(steps(name), "");
    EXPECT_THAT(reasons(), Contains("release_not_allowed"));
    // The ledger itself refuses it, too.
    const disbursement::DeliveryFact fact{.step = disbursement::DeliveryStep::intent,
                                          .at = clock_.now(),
                                          .by = "test",
                                          .server = "s",
                                          .temporary_name = "t",
                                          .size_bytes = 1};
    EXPECT_ANY_THROW(
        ledger_->transaction([&] { ledger::record_delivery_step(*ledger_, delivery(name).file_id, fact); }));
    EXPECT_TRUE(void_file(*context_, name, "a new one", eva()));
    run_well({pay});
    EXPECT_THAT(bank_.names(), IsEmpty()) << "the next file waits for another person";
    expect_clean_ledger();
}

TEST_F(Delivering, a_file_whose_payments_the_bank_settled_is_at_the_bank) {
    const auto name = file_with_failed_upload();
    ASSERT_THAT(steps(name), EndsWith("intent failed"));
    confirm_newest_payment();
    EXPECT_THAT(reasons(), Not(Contains("payment_not_released")));
    clock_.ahead += std::chrono::minutes(10);
    run(deliver);
    EXPECT_THAT(bank_.names(), Not(Contains(name))) << "it is not sent a second time";
    EXPECT_THAT(reasons(), Contains("delivery_uncertain"));
    const auto said = resolve(name, DeliveryResolution::again);
    ASSERT_FALSE(said);
    EXPECT_THAT(said.error().message, HasSubstr("the bank has it"));
    EXPECT_TRUE(resolve(name, DeliveryResolution::by_hand));
    expect_clean_ledger();
}

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

TEST_F(Delivering, a_different_file_of_that_name_is_never_overwritten) {
    const auto name = release_a_file();
    std::ofstream(bank_.inbox() / name) << "something else\n";
    EXPECT_FALSE(run(deliver).ok);
    run_well({deliver});
    EXPECT_EQ(steps(name), "conflict");
    EXPECT_THAT(reasons(), ElementsAre("delivery_conflict"));
    EXPECT_EQ(bank_.content(name), "something else\n");
    fs::remove(bank_.inbox() / name);
    run_well({deliver});
    EXPECT_THAT(bank_.names(), IsEmpty()) << "a person decides";
    ASSERT_TRUE(resolve(name, DeliveryResolution::again));
    run_well({deliver});
    expect_delivered(name);
}

TEST_F(Delivering, a_file_that_appears_before_the_rename_is_a_conflict) {
    const auto name = release_a_file();
    after_upload_of(name, [this, name] { std::ofstream(bank_.inbox() / name) << "something else\n"; });
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_EQ(steps(name), "intent uploaded refused conflict");
    EXPECT_EQ(bank_.content(name), "something else\n");
}

TEST_F(Delivering, a_file_that_a_person_already_uploaded_counts_as_delivered) {
    const auto name = release_a_file();
    fs::copy_file(outgoing(name), bank_.inbox() / name);
    run_well({deliver});
    EXPECT_EQ(steps(name), "delivered");
    expect_delivered(name);
}

TEST_F(Delivering, a_pause_stops_a_delivery_between_its_steps) {
    const auto name = release_a_file();
    set_paused(true);
    EXPECT_FALSE(delivery_due(*context_));
    run_well({deliver});
    EXPECT_EQ(steps(name), "");
    set_paused(false);
    after_upload_of(name, [this] { set_paused(true); });
    run_well({deliver});
    EXPECT_EQ(steps(name), "intent uploaded");
    EXPECT_THAT(bank_.names(), Not(Contains(name)));
    set_paused(false);
    run_well({deliver});
    EXPECT_EQ(steps(name), "intent uploaded delivered");
    expect_delivered(name);
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

TEST_F(Delivering, a_removed_or_changed_file_is_not_sent) {
    const auto name = release_a_file();
    const auto bytes = e2e::read_file(outgoing(name));
    fs::remove(outgoing(name));
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_THAT(reasons(), ElementsAre("outgoing_file_missing"));
    std::ofstream(outgoing(name)) << bytes << "7";
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_THAT(reasons(), ElementsAre("outgoing_file_missing", "outgoing_file_changed"));
    EXPECT_THAT(bank_.names(), IsEmpty());
    std::ofstream(outgoing(name)) << bytes;
    run_well({deliver});
    expect_delivered(name);
}

TEST_F(Delivering, the_copy_stays_while_the_archive_has_a_different_file_of_its_name) {
    const auto first = release_a_file();
    run_well({deliver});
    const auto archive = (folder_.path() / "state" / delivery(first).archived_as).parent_path();
    fs::remove(bank_.inbox() / first);
    const auto name = release_a_file();
    std::ofstream(archive / name) << "something else\n";
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_EQ(steps(name), "intent uploaded delivered");
    EXPECT_THAT(reasons(), ElementsAre("archive_conflict"));
    EXPECT_TRUE(fs::exists(outgoing(name)));
    EXPECT_EQ(e2e::read_file(archive / name), "something else\n");
    fs::remove(archive / name);
    run_well({deliver});
    EXPECT_EQ(steps(name), "intent uploaded delivered") << "nothing was sent again";
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

TEST_F(Delivering, a_file_waits_if_its_server_is_no_longer_configured) {
    const auto name = release_a_file();
    context_->settings.ach_delivery = {};
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_THAT(reasons(), ElementsAre("delivery_not_configured"));
    use_server(proxy_.port());
    run_well({deliver});
    expect_delivered(name);
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

TEST_F(Delivering, a_check_is_void_once_the_bank_has_the_order_file) {
    const auto issued = release_a_file("PAYEE-3");
    run_well({deliver});
    fs::remove(bank_.inbox() / issued);
    const auto number = ledger::load_file(*ledger_, files().back().file_id).file.payments.front().check_number.value();
    const auto ordered = order_check(*context_, number, checks::CheckAction::void_check, "lost", eva());
    ASSERT_TRUE(ordered) << ordered.error().message;
    bank_.stop();
    run_well({pay});
    const auto name = files().back().name;
    ASSERT_NE(name, issued);
    EXPECT_EQ(files().back().state, ledger::FileState::released);
    run(deliver);
    EXPECT_EQ(state_of(last_draw_), "paying") << "the bank does not have the order yet; the check may be cashed";
    bank_.start();
    run_well({deliver});
    EXPECT_EQ(state_of(last_draw_), "returned");
    expect_clean_ledger();
}

TEST_F(Delivering, a_file_that_the_bank_acknowledges_is_not_uploaded_while_that_is_open) {
    const auto name = file_with_failed_upload();
    const auto file = *ledger::find_file(*ledger_, name);
    std::ofstream(folder_.path() / "state/inbox/ack.csv")
        << "file_name,payments,total\n"
        << name << "," << file.payment_count << "," << file.total.to_string() << "\n";
    clock_.ahead += std::chrono::seconds(1);
    run_well({confirm});
    ASSERT_THAT(reasons(), Contains("acknowledgment_unsent"));
    // A second person lets other files move.
    const ledger::Stamp bo{clock_.now(), "uid 8 (bo)", 8};
    ledger_->transaction([&] { ledger::set_paused(*ledger_, /*paused=*/false, "the other files must go", bo); });
    clock_.ahead += std::chrono::hours(1);
    run(deliver);
    EXPECT_THAT(steps(name), Not(HasSubstr("delivered"))) << "the bank has the file twice";
}

TEST_F(Delivering, a_check_of_a_file_that_waits_for_its_upload_is_not_voided_alone) {
    config_.pay.release = config::Release::manual;
    add(1, 4, "PAYEE-3");
    add(2, 4, "PAYEE-3");
    run_well({poll, pay});
    ASSERT_TRUE(release_now(files().back().name, "agreed", {clock_.now(), "uid 9 (cy)", 9}));
    // Draw 2 names another payee for a while, so the file is not uploaded yet.
    clock_.ahead += std::chrono::minutes(10);
    sandbox_.edit(2, {{"fieldA", "PAYEE-2"}});
    run(deliver);
    ASSERT_THAT(bank_.names(), IsEmpty());
    const auto ordered = order_check(*context_, 1, checks::CheckAction::void_check, "lost", eva());
    ASSERT_FALSE(ordered) << "the bank does not know the check yet";
    EXPECT_THAT(ordered.error().message, HasSubstr("void its file"));
}

}  // namespace
}  // namespace drawbridge::pipeline
