// What is left when the ledger is rolled back, with its mark and its manifests: backups, or traces that are older
// still.
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "drawbridge/ledger/facts/exports.hpp"
#include "drawbridge/ledger/facts/resolutions.hpp"
#include "drawbridge/pipeline/payment_files.hpp"
#include "drawbridge/pipeline/worker.hpp"
#include "pipeline/restore_fixture.hpp"

namespace drawbridge::pipeline {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

namespace fs = std::filesystem;

// The manifests and the mark come from a backup that is older than the ledger's.
class OldTraces : public AfterRestore {
  protected:
    // Draw 1 is paid before the traces are copied, draw 2 before the backup of the ledger, draw 3 after it.
    void lose_payment_of_draw_3() {
        pay_draw(1);
        const auto night = folder_.path() / "night";
        fs::copy(state_ / "spool/manifests", night, fs::copy_options::recursive);
        fs::copy_file(state_ / "ledger.mark", folder_.path() / "night.mark");
        pay_draw(2);
        add(3, 4);
        run_well({poll});
        back_up_ledger();
        fs::copy_file(state_ / "ledger.mark", folder_.path() / "noon.mark");
        run_well({pay});
        bank_takes_files();
        close();
        fs::remove_all(state_ / "spool/manifests");
        fs::copy(night, state_ / "spool/manifests", fs::copy_options::recursive);
    }
    void pay_draw(DrawId id) {
        add(id, 4);
        run_well({poll, pay});
        bank_takes_files();
    }
    void restore_with_mark(const char* mark) {
        fs::copy_file(folder_.path() / mark, state_ / "ledger.mark", fs::copy_options::overwrite_existing);
        restore_ledger();
        ledger_->transaction(
            [&] { ledger::begin_restoration(*ledger_, ledger::RestoredHow::restored, "noon.db", context_->stamp()); });
        run_well({poll});
    }
    void expect_draw_3_is_not_paid() {
        EXPECT_EQ(ledger::open_restoration(*ledger_)->complete, false);
        EXPECT_THAT(reasons(), UnorderedElementsAre("ledger_is_older", "possibly_paid"));
        EXPECT_TRUE(end_restoration());
        run_well({poll, pay});
        EXPECT_THAT(files(), SizeIs(2));
        EXPECT_EQ(state_of(3), "blocked");
    }
};

TEST_F(OldTraces, manifests_that_lack_an_export_of_the_ledger_are_incomplete) {
    lose_payment_of_draw_3();
    restore_with_mark("noon.mark");
    EXPECT_THAT(ledger::open_restoration(*ledger_)->summary, HasSubstr("which this ledger knows, is in no manifest"));
    expect_draw_3_is_not_paid();
}

TEST_F(OldTraces, a_mark_older_than_the_ledger_makes_the_manifests_incomplete) {
    lose_payment_of_draw_3();
    const auto line = [&] {  // of draw 2, as if the manifests were those of noon
        restore_with_mark("night.mark");
        const auto text = ledger::export_line(*ledger_, files().back().file_id)->text;
        close();
        return text;
    }();
    const auto manifest = fs::directory_iterator(state_ / "spool/manifests")->path();
    std::ofstream(manifest, std::ios::app) << line << "\n";
    restore_with_mark("night.mark");
    EXPECT_THAT(ledger::open_restoration(*ledger_)->summary, HasSubstr("the mark is older than the ledger"));
    EXPECT_THAT(ledger::open_restoration(*ledger_)->summary, ::testing::Not(HasSubstr("in no manifest")));
    expect_draw_3_is_not_paid();
}

TEST_F(OldTraces, that_nothing_else_was_sent_is_not_undone_draw_by_draw) {
    lose_payment_of_draw_3();
    restore_with_mark("noon.mark");
    const auto row = ledger::open_exceptions(*ledger_).back();
    ASSERT_EQ(row.what.reason_code, "possibly_paid");
    ASSERT_TRUE(end_restoration(/*nothing_else_sent=*/true));
    const auto undone = ledger_->transaction([&] {
        return ledger::undo_resolution(*ledger_, {row.exception_id, "the bank has paid it"},
                                       {clock_.now(), "uid 12 (cy)", 12});
    });
    ASSERT_FALSE(undone) << "it would hold nothing";
    EXPECT_THAT(undone.error().message, HasSubstr("void it before it is released"));
}

// The whole state folder is rolled back in place, with the mark and the manifests.
class RolledBack : public AfterRestore {
  protected:
    RolledBack() {
        fs::create_directories(backups_);
        configure();
    }
    void configure() override {
        context_->disk = &disk_;
        config_.backup.folder = backups_;
    }
    void roll_back(const fs::path& kept = {}) {
        close();
        put_back_snapshot(kept);
        open();
    }
    void back_up_as(const char* name) {
        back_up_ledger();
        fs::copy_file(folder_.path() / "old.db", backups_ / name);
    }

    Worker disk_{Worker::AtEnd::leave};
    fs::path snapshot_ = folder_.path() / "snapshot", backups_ = folder_.path() / "backups";
};

TEST_F(RolledBack, is_noticed_by_any_backup_whatever_its_name) {
    add(1, 4);
    run_well({poll});
    back_up_as("pre-upgrade.db");
    back_up_as("ledger-20310101T070000Z.db");
    take_snapshot();
    run_well({pay});
    bank_takes_files();
    back_up_as("ledger-20260303T070000Z.db");
    back_up_as("ledger-20260304T070000Z.db");
    roll_back();
    run_well({poll});
    ASSERT_TRUE(ledger::open_restoration(*ledger_));
    EXPECT_TRUE(end_restoration());
    close();
    open();
    run_well({poll, pay});
    EXPECT_FALSE(ledger::open_restoration(*ledger_)) << "all that is lost is known";
    EXPECT_THAT(outgoing(), IsEmpty());
}

// With the database alone rolled back, as after a failover to a standby of the server that lagged.
TEST_F(RolledBack, what_a_step_read_from_the_bank_is_not_lost_unnoticed) {
    add(1, 4);
    run_well({poll, pay});
    back_up_ledger();
    const auto file = ledger::payment_files(*ledger_, /*unreleased_only=*/false).front();
    const auto payment = ledger::load_file(*ledger_, file.file_id).file.payments.front();
    std::ofstream(state_ / "inbox" / "bank.csv") << "payment_reference,status,amount,date\n"
                                                 << disbursement::format_payment_id(payment.payment_id) << ",paid,"
                                                 << payment.amount.to_string() << "," << format_date(today()) << "\n";
    run_well({confirm});
    EXPECT_EQ(state_of(1), "paid");
    restore_ledger();
    EXPECT_TRUE(ledger::open_restoration(*ledger_)) << "although no file has left since the backup";
}

TEST_F(RolledBack, is_noticed_by_a_backup_whose_name_has_any_characters) {
    add(1, 4);
    run_well({poll});
    take_snapshot();
    run_well({pay});
    bank_takes_files();
    ASSERT_EQ(::mkfifo((backups_ / "pipe.db").c_str(), 0600), 0) << "nobody writes to it";
    for (const char* name : {"before the move #2.db", "100%41?.bak", "BACKUP"}) {
        back_up_as(name);
        roll_back();
        run_well({poll});
        EXPECT_TRUE(ledger::open_restoration(*ledger_)) << name;
        fs::remove(backups_ / name);
    }
}

TEST_F(RolledBack, a_folder_that_was_left_behind_is_noticed_by_the_one_beside_it) {
    add(1, 4);
    run_well({poll});
    take_snapshot();
    run_well({pay});
    bank_takes_files();
    close();
    fs::copy(state_, folder_.path() / "moved", fs::copy_options::recursive);
    open();
    roll_back();
    run_well({poll});
    const auto restoration = ledger::open_restoration(*ledger_);
    ASSERT_TRUE(restoration);
    EXPECT_THAT(restoration->detail, HasSubstr("moved/ledger.db"));
    EXPECT_TRUE(end_restoration());
    close();
    open();
    run_well({poll, pay});
    EXPECT_FALSE(ledger::open_restoration(*ledger_)) << "it is known";
}

TEST_F(RolledBack, is_noticed_by_a_manifest_even_if_this_copy_has_released_as_many_files) {
    add(1, 4);
    run_well({poll});
    take_snapshot();
    run_well({pay});
    bank_takes_files();
    roll_back("spool/manifests");
    context_->memory.traces_checked = true;  // the daemon went on running
    run_well({pay});
    bank_takes_files();
    close();
    open();
    run_well({poll});
    ASSERT_TRUE(ledger::open_restoration(*ledger_));
    EXPECT_TRUE(end_restoration());
    close();
    open();
    run_well({poll});
    EXPECT_FALSE(ledger::open_restoration(*ledger_)) << "all that is lost is known";
}

}  // namespace
}  // namespace drawbridge::pipeline
