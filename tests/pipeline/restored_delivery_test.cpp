// An older ledger is restored while files are on their way to the bank's server or encrypted for its folder. A file
// that may have arrived is not sent again, and a file of our own is not mistaken for an unknown one.
#include <gmock/gmock.h>

#include <fstream>

#include "delivery/openpgp_keys.hpp"
#include "delivery/sftp_server.hpp"
#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/facts/evidence.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/release_orders.hpp"
#include "drawbridge/ledger/facts/resolutions.hpp"
#include "drawbridge/pipeline/deliver.hpp"
#include "drawbridge/pipeline/transfer_worker.hpp"
#include "pipeline/restore_fixture.hpp"

namespace drawbridge::pipeline {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

namespace fs = std::filesystem;

class DeliveryAfterRestore : public AfterRestore {
  protected:
    DeliveryAfterRestore() { configure(); }

    void configure() override {
        context_->transfer_worker = &transfer_worker_;
        context_->settings.ach_delivery = target_;
    }
    void use(DeliveryTarget target) {
        target_ = std::move(target);
        configure();
    }
    DeliveryTarget by_sftp() {
        delivery::SftpOptions sftp;
        sftp.host = "127.0.0.1";
        sftp.port = bank_.port();
        sftp.user = bank_.user();
        sftp.private_key = Secret(e2e::read_file(bank_.client_key()));
        sftp.host_key = bank_.host_key();
        sftp.folder = bank_.inbox();
        return {.sftp = sftp, .openpgp = std::nullopt};
    }
    DeliveryTarget encrypted() {
        delivery::OpenPgpOptions openpgp;
        openpgp.public_key_file = key_.public_key_file();
        openpgp.fingerprint = key_.fingerprint();
        return {.sftp = std::nullopt, .openpgp = openpgp};
    }
    // Its release is ordered in this ledger, and a crash came before the move.
    void order_only(const std::string& name) {
        const auto file = ledger::find_file(*ledger_, name).value();
        const ledger::Stamp by{clock_.now(), "uid 7 (bo)", 7};
        ledger_->transaction([&] {
            const auto method = delivery_method(context_->settings, file.rail);
            ASSERT_TRUE(ledger::make_release_order(*ledger_, file, method, "agreed", by));
            if (method.encrypted) return;  // it waits
            ASSERT_TRUE(ledger::order_release(*ledger_, file, "agreed", by));
            ledger::order_delivery(*ledger_, file.file_id, method, by);
        });
        ledger::write_high_water_mark(*ledger_);
    }
    // Advances the audit trail and the mark.
    void advance_audit_trail() {
        ledger_->transaction([&] {
            ledger::set_paused(*ledger_, /*paused=*/true, "lunch", context_->stamp());
            ledger::set_paused(*ledger_, /*paused=*/false, "lunch", context_->stamp());
        });
        ledger::write_high_water_mark(*ledger_);
    }
    // The bank takes the files that arrived; after that only the bank knows.
    void bank_takes(const std::string& name) { fs::remove(bank_.inbox() / name); }
    // It is unsure whether the file that pays draw 1 left. Its credit counts as paid after two banking days.
    void make_one_uncertain() {
        plan_one();
        use(by_sftp());
        back_up_ledger();
        release_all();
        restore_ledger();
        config_.ach->confirm_after_banking_days = 2;
        run_well({poll});
        ASSERT_TRUE(end_restoration());
    }
    std::string plan_one() {
        release_by_hand();
        add(++last_draw_, 4);
        run_well({poll, pay});
        return files().back().name;
    }

    DrawId last_draw_ = 0;
    TransferWorker transfer_worker_;
    test::SftpServer bank_{folder_.path() / "bank"};
    test::OpenPgpKey key_{folder_.path()};
    DeliveryTarget target_;
};

TEST_F(DeliveryAfterRestore, a_file_delivered_after_the_backup_is_uncertain_and_not_sent_again) {
    use(by_sftp());
    add(1, 4);
    run_well({poll, pay});
    const auto name = files().front().name;
    back_up_ledger();
    run_well({deliver});
    ASSERT_THAT(bank_.names(), ElementsAre(name));
    const auto day = ledger::find_delivery(*ledger_, files().front().file_id)->archived_as;
    bank_takes(name);
    restore_ledger();
    fs::copy_file(state_ / day, out(name));  // as it was when the ledger was copied
    run_well({poll});
    EXPECT_THAT(reasons(), UnorderedElementsAre("ledger_is_older", "delivery_uncertain"));
    EXPECT_THAT(exception_details("delivery_uncertain"), ElementsAre(HasSubstr(files().front().sha256)));
    ASSERT_TRUE(end_restoration());
    EXPECT_FALSE(delivery_due(*context_));
    run_well({pay, deliver, deliver});
    EXPECT_THAT(bank_.names(), IsEmpty()) << "the bank took it and does not get it twice";
    ASSERT_TRUE(resolve_delivery(*context_, name, DeliveryResolution::by_hand, "the bank has it",
                                 {clock_.now(), "uid 7 (bo)", 7}));
    EXPECT_THAT(exception_details("delivery_uncertain"), IsEmpty());
    run_well({deliver});
    EXPECT_THAT(bank_.names(), IsEmpty());
    expect_clean_ledger();
}

TEST_F(DeliveryAfterRestore, a_person_who_asked_the_bank_may_order_another_upload) {
    use(by_sftp());
    add(1, 4);
    run_well({poll, pay});
    const auto name = files().front().name;
    back_up_ledger();
    advance_audit_trail();
    restore_ledger();
    run_well({poll});
    ASSERT_TRUE(end_restoration());
    ASSERT_TRUE(
        resolve_delivery(*context_, name, DeliveryResolution::again, "it does not", {clock_.now(), "uid 7 (bo)", 7}));
    run_well({deliver});
    EXPECT_THAT(bank_.names(), ElementsAre(name));
    expect_clean_ledger();
}

TEST_F(DeliveryAfterRestore, a_file_only_ordered_in_the_backup_and_delivered_since_is_uncertain) {
    use(by_sftp());
    const auto name = plan_one();
    order_only(name);
    back_up_ledger();
    run_well({pay, deliver});
    ASSERT_THAT(bank_.names(), ElementsAre(name));
    const auto day = ledger::find_delivery(*ledger_, files().front().file_id)->archived_as;
    bank_takes(name);
    restore_ledger();
    fs::copy_file(state_ / day, out(name));
    run_well({poll});
    EXPECT_THAT(reasons(), Contains("delivery_uncertain"));
    ASSERT_TRUE(end_restoration());
    run_well({pay, deliver, deliver});
    EXPECT_EQ(files().front().state, ledger::FileState::released);
    EXPECT_THAT(bank_.names(), IsEmpty());
    expect_clean_ledger();
}

TEST_F(DeliveryAfterRestore, a_file_only_ordered_in_the_backup_and_still_here_is_delivered) {
    use(by_sftp());
    const auto name = plan_one();
    order_only(name);
    back_up_ledger();
    advance_audit_trail();
    restore_ledger();
    run_well({poll});
    EXPECT_THAT(reasons(), Not(Contains("delivery_uncertain")));
    ASSERT_TRUE(end_restoration());
    run_well({pay, deliver});
    EXPECT_THAT(bank_.names(), ElementsAre(name));
    expect_clean_ledger();
}

TEST_F(DeliveryAfterRestore, a_manifest_alone_does_not_prove_that_a_file_left_by_sftp) {
    const auto name = plan_one();
    use(by_sftp());
    back_up_ledger();
    release_all();
    restore_ledger();
    run_well({poll});
    EXPECT_THAT(reasons(), UnorderedElementsAre("ledger_is_older", "sent_file_unsure"));
    EXPECT_THAT(exception_details("sent_file_unsure"), ElementsAre(AllOf(HasSubstr("by SFTP"), HasSubstr(name))));
    EXPECT_EQ(files().front().state, ledger::FileState::released);
    EXPECT_EQ(files().front().release_ordered_by, "uid 7 (bo)") << "from the manifest";
    ASSERT_TRUE(end_restoration());
    run_well({pay, deliver});
    EXPECT_THAT(bank_.names(), IsEmpty());
    EXPECT_THAT(files(), SizeIs(1)) << "no other file pays its draw";
    expect_clean_ledger();
}

TEST_F(DeliveryAfterRestore, a_manifest_does_not_prove_that_a_file_left_spool_staged) {
    const auto name = plan_one();
    back_up_ledger();
    release_all();
    restore_ledger();
    fs::rename(out(name), staged(name));  // the program died between the manifest's line and the move
    run_well({poll});
    EXPECT_THAT(exception_details("sent_file_unsure"),
                ElementsAre(AllOf(HasSubstr("it is still in spool/staged"), HasSubstr("(SHA-256 "))));
    ASSERT_TRUE(end_restoration());
    run_well({pay});
    EXPECT_THAT(outgoing(), IsEmpty());
    EXPECT_THAT(files(), SizeIs(1));
    expect_clean_ledger();
}

TEST_F(DeliveryAfterRestore, an_uncertain_file_is_not_confirmed_automatically_until_a_person_resolves_it) {
    make_one_uncertain();
    days_pass();
    EXPECT_EQ(state_of(1), "paying");
    resolve_all("sent_file_unsure", context_->stamp());
    run_well({confirm});
    EXPECT_EQ(state_of(1), "paying") << "it reached the bank only now";
    for (const auto& file : ledger::payment_files(*ledger_, /*unreleased_only=*/false))
        EXPECT_TRUE(
            resolve_delivery(*context_, file.name, DeliveryResolution::by_hand, "brought there", context_->stamp()));
    days_pass();
    EXPECT_EQ(state_of(1), "paid");
}

TEST_F(DeliveryAfterRestore, days_before_a_person_resolved_an_uncertain_file_do_not_confirm_it) {
    make_one_uncertain();
    ledger_->transaction([&] {
        ledger::record_evidence(*ledger_, files().front().file_id, disbursement::EvidenceKind::acknowledged, "1 file",
                                context_->stamp());
    });
    days_pass();
    clock_.ahead -= std::chrono::days(14);
    resolve_all("sent_file_unsure", context_->stamp());
    clock_.ahead += std::chrono::days(14);
    run_well({confirm});
    EXPECT_EQ(state_of(1), "paying");
    days_pass();
    EXPECT_EQ(state_of(1), "paid");
}

TEST_F(DeliveryAfterRestore, an_encrypted_file_of_this_ledger_is_recognized) {
    use(encrypted());
    add(1, 4);
    run_well({poll, pay, deliver});
    ASSERT_THAT(outgoing(), ElementsAre(HasSubstr(".pgp")));
    back_up_ledger();
    add(2);
    run_well({poll, decide, approve});
    ledger::write_high_water_mark(*ledger_);
    restore_ledger();
    run_well({poll});
    EXPECT_EQ(ledger::open_restoration(*ledger_)->complete, true) << ledger::open_restoration(*ledger_)->summary;
    EXPECT_THAT(reasons(), UnorderedElementsAre("ledger_is_older", "approved_after_backup"));
    ASSERT_TRUE(end_restoration());
    run_well({pay});
    EXPECT_EQ(state_of(2), "paying");
}

TEST_F(DeliveryAfterRestore, a_changed_or_unknown_encrypted_file_counts_as_unknown) {
    use(encrypted());
    add(1, 4);
    run_well({poll, pay, deliver});
    ASSERT_THAT(outgoing(), SizeIs(1));
    const auto name = outgoing().front();
    back_up_ledger();
    advance_audit_trail();
    add(2, 4);
    restore_ledger();
    std::ofstream(out(name), std::ios::app) << "more";
    std::ofstream(out("ACH-20260105-A.ach.pgp")) << "anything";
    run_well({poll});
    EXPECT_EQ(ledger::open_restoration(*ledger_)->complete, false);
    EXPECT_THAT(exception_details("sent_file_unknown"),
                UnorderedElementsAre(HasSubstr(name), HasSubstr("ACH-20260105-A.ach.pgp")));
    EXPECT_THAT(reasons(), Contains("possibly_paid"));
    ASSERT_TRUE(end_restoration());
    run_well({pay});
    EXPECT_EQ(state_of(2), "blocked");
}

TEST_F(DeliveryAfterRestore, a_file_encrypted_and_released_since_is_not_encrypted_again) {
    use(encrypted());
    const auto name = plan_one();
    order_only(name);
    back_up_ledger();
    const auto plain = e2e::read_file(staged(name));
    run_well({deliver});
    ASSERT_THAT(outgoing(), ElementsAre(name + ".pgp"));
    bank_takes_files();
    restore_ledger();
    std::ofstream(staged(name)) << plain;  // restored by a person
    run_well({poll});
    EXPECT_THAT(reasons(), UnorderedElementsAre("ledger_is_older", "sent_file_unsure"));
    ASSERT_TRUE(end_restoration());
    run_well({pay, deliver});
    EXPECT_THAT(outgoing(), IsEmpty());
    EXPECT_EQ(files().front().state, ledger::FileState::released);
    EXPECT_THAT(files(), SizeIs(1));
    expect_clean_ledger();
}

// A complete state folder from between the order and the move replaces a later one.
TEST_F(DeliveryAfterRestore, a_release_from_a_restored_state_folder_is_never_executed) {
    const auto name = plan_one();
    order_only(name);
    close();
    fs::copy(state_, folder_.path() / "copy", fs::copy_options::recursive);
    open();
    run_well({pay});
    ASSERT_THAT(outgoing(), ElementsAre(name));
    bank_takes_files();
    close();
    state_ = folder_.path() / "copy";
    open();
    run_well({poll});
    EXPECT_THAT(reasons(), Contains("possibly_paid"));
    ASSERT_TRUE(end_restoration());
    EXPECT_FALSE(run(pay).ok);
    EXPECT_FALSE(fs::exists(out(name)));
    EXPECT_THAT(reasons(), Contains("possibly_sent"));
    for (const auto& row : ledger::open_exceptions(*ledger_)) {
        if (row.what.reason_code != "possibly_sent") continue;
        EXPECT_THAT(row.what.detail, AllOf(HasSubstr("void it: its draws stay held as possibly_paid"),
                                           Not(HasSubstr("the next run pays"))));
    }
    resolve_all("possibly_paid", context_->stamp());
    EXPECT_FALSE(run(pay).ok);
    EXPECT_FALSE(fs::exists(out(name))) << "its name and numbers may be used up";
    EXPECT_TRUE(void_file(*context_, name, "the bank has none", {clock_.now(), "uid 12 (cy)", 12}));
}

// The documented case of a new machine: a backup, and no manifests.
TEST_F(DeliveryAfterRestore, a_file_that_the_bank_has_counts_as_released_once_a_releaser_says_so) {
    const auto name = plan_one();
    back_up_ledger();
    release_all();
    bank_takes_files();
    restore_without_traces();
    ASSERT_TRUE(end_restoration());
    const ledger::Stamp bo{clock_.now(), "uid 7 (bo)", 7};
    EXPECT_THAT(release_now(name, "again", bo).error().message, HasSubstr("ask the bank whether it has the file"));
    EXPECT_THAT(reasons(), Contains("possibly_sent"));
    const auto paid =
        disbursement::PlannedPayment(ledger::load_file(*ledger_, files().front().file_id).file.payments[0]);
    bank_says(paid, "paid");
    EXPECT_THAT(reasons(), Contains("payment_not_released"));

    EXPECT_FALSE(resolve_delivery(*context_, name, DeliveryResolution::again, "no", bo));
    const auto found = resolve_delivery(*context_, name, DeliveryResolution::by_hand, "the bank's list has it", bo);
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(found->state, ledger::FileState::released);
    EXPECT_THAT(reasons(), Not(Contains("possibly_sent")));
    for (const auto& row : ledger::open_exceptions(*ledger_)) {
        if (row.what.reason_code != "payment_not_released") continue;
        const auto matched = ledger_->transaction([&] {
            return ledger::match_line(*ledger_, {row.exception_id, "the bank has the file"}, paid.payment_id,
                                      context_->settings.plan.zone, {clock_.now(), "uid 12 (cy)", 12});
        });
        EXPECT_TRUE(matched) << matched.error().message;
    }
    EXPECT_EQ(state_of(1), "paid");
    EXPECT_THAT(reasons(), Not(Contains("payment_not_released")));
    expect_clean_ledger();
}

// Somebody took it there while it was being moved.
TEST_F(DeliveryAfterRestore, a_file_that_vanished_before_its_upload_and_is_at_the_bank_is_not_uploaded) {
    const auto name = plan_one();
    use(by_sftp());
    order_only(name);
    fs::remove(staged(name));
    EXPECT_FALSE(run(pay).ok);
    ASSERT_TRUE(resolve_delivery(*context_, name, DeliveryResolution::by_hand, "the bank's list has it",
                                 {clock_.now(), "uid 7 (bo)", 7}));
    run_well({pay, deliver});
    EXPECT_THAT(bank_.names(), IsEmpty());
    EXPECT_THAT(reasons(), IsEmpty());
    EXPECT_EQ(state_of(1), "paying");
    expect_clean_ledger();
}

TEST_F(DeliveryAfterRestore, a_file_whose_release_had_begun_in_the_backup_may_be_at_the_bank) {
    const auto name = plan_one();
    order_only(name);
    back_up_ledger();
    run_well({pay});
    bank_takes_files();
    restore_without_traces();
    ASSERT_TRUE(end_restoration());
    EXPECT_FALSE(run(pay).ok);
    EXPECT_THAT(reasons(), Contains("possibly_sent"));
    ASSERT_TRUE(void_file(*context_, name, "the bank has none", {clock_.now(), "uid 12 (cy)", 12}));
    run_well({poll, pay});
    EXPECT_THAT(reasons(), Contains("possibly_paid"));
    EXPECT_EQ(state_of(1), "blocked");
    expect_clean_ledger();
}

}  // namespace
}  // namespace drawbridge::pipeline
