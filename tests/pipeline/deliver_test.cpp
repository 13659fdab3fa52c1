// Files on their way to a real OpenSSH server: the line breaks at every point, banks take files away, people settle
// what cannot be known.
#include "drawbridge/pipeline/deliver.hpp"

#include <fstream>
#include <sstream>

#include "delivery/openpgp_keys.hpp"
#include "delivery/sftp_server.hpp"
#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/payments.hpp"
#include "drawbridge/ledger/restorations.hpp"
#include "drawbridge/ledger/runs.hpp"
#include "drawbridge/pipeline/after_restore.hpp"
#include "drawbridge/pipeline/check_orders.hpp"
#include "drawbridge/pipeline/payment_files.hpp"
#include "drawbridge/pipeline/transfer_worker.hpp"
#include "pipeline/pipeline_fixture.hpp"

namespace drawbridge::pipeline {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

// Every step asks it for the time before it is recorded: a test may act just then.
class HookedClock : public Clock {
  public:
    explicit HookedClock(const Clock& clock) : clock_(clock) {}
    [[nodiscard]] Instant now() const override {
        if (hook) hook();
        return clock_.now();
    }
    std::function<void()> hook;

  private:
    const Clock& clock_;
};

class Delivering : public Pipeline {
  protected:
    Delivering() : hooked_(clock_), bank_(folder_.path() / "bank"), line_(bank_.port()) {
        auto settings = context_->settings;
        auto rules = context_->rules;
        auto payees = context_->payees;
        shared_.emplace(
            Shared{*ledger_, *service_, spool_, hooked_, std::move(settings), std::move(rules), std::move(payees)});
        context_.emplace(*shared_);
        context_->transfer_worker = &transfer_worker_;
        use_server(line_.port());
    }

    void use_server(int port) {
        delivery::SftpOptions sftp;
        sftp.host = "127.0.0.1";
        sftp.port = port;
        sftp.user = bank_.user();
        sftp.private_key = Secret(e2e::read_file(bank_.client_key()));
        sftp.host_key = bank_.host_key();
        sftp.folder = bank_.inbox();
        context_->settings.ach_delivery.sftp = sftp;
        context_->settings.check_delivery.sftp = sftp;
    }
    void use_key(const test::OpenPgpKey& key) {
        delivery::OpenPgpOptions openpgp;
        openpgp.public_key_file = key.public_key_file();
        openpgp.fingerprint = key.fingerprint();
        context_->settings.ach_delivery.openpgp = openpgp;
    }

    // Pays one more draw; the name of the file that was released for it.
    std::string release_a_file(const std::string& payee = "PAYEE-1") {
        add(++last_draw_, 4, payee);
        run_well({poll, pay});
        return files().back().name;
    }
    [[nodiscard]] std::vector<ledger::FileRow> files() { return ledger::payment_files(*ledger_, false); }
    [[nodiscard]] fs::path outgoing(const std::string& name) {
        return folder_.path() / "state" / "spool" / "outgoing" / name;
    }
    // Those of a file's upload, "intent uploaded delivered".
    std::string steps(const std::string& name) {
        std::string all;
        const auto file = ledger::find_file(*ledger_, name);
        for (const auto& fact : ledger::delivery_steps(*ledger_, file->file_id))
            all += (all.empty() ? "" : " ") + std::string(disbursement::to_string(fact.step));
        return all;
    }
    ledger::DeliveryRow delivery(const std::string& name) {
        return ledger::find_delivery(*ledger_, ledger::find_file(*ledger_, name)->file_id).value();
    }
    // Does this once, when the whole upload is at the server under its temporary name, before that is recorded.
    void after_upload_of(const std::string& name, std::function<void()> then) {
        const auto size = fs::file_size(outgoing(name));
        hooked_.hook = [this, size, name, then = std::move(then)] {
            const auto temporary = bank_.inbox() / ("tmp-1-" + name + ".part");
            std::error_code error;
            if (fs::file_size(temporary, error) != size || error) return;
            const auto act = then;
            hooked_.hook = nullptr;  // and with it this function: only `act` is left
            act();
        };
    }
    [[nodiscard]] ledger::Stamp eva() { return {clock_.now(), "uid 7 (eva)", 7}; }
    Result<ledger::FileRow> settle(const std::string& name, Settlement how) {
        return settle_delivery(*context_, name, how, "asked the bank", eva());
    }
    void expect_delivered(const std::string& name) {
        EXPECT_THAT(bank_.names(), ElementsAre(name));
        EXPECT_EQ(sha256_hex(bank_.content(name)), delivery(name).sha256);
        EXPECT_TRUE(delivery(name).delivered_at.has_value());
        EXPECT_FALSE(fs::exists(outgoing(name)));
        EXPECT_EQ(e2e::read_file(folder_.path() / "state" / delivery(name).archived_as), bank_.content(name));
        EXPECT_FALSE(delivery_due(*context_));
        EXPECT_THAT(reasons(), IsEmpty());
        expect_clean_ledger();
    }

    DrawId last_draw_ = 0;
    HookedClock hooked_;
    test::SftpServer bank_;
    test::Line line_;
    TransferWorker transfer_worker_;
};

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

TEST_F(Delivering, files_that_were_released_before_are_left_where_they_are) {
    context_->settings.ach_delivery = {};
    const auto name = release_a_file();
    use_server(line_.port());
    EXPECT_FALSE(delivery_due(*context_));
    run_well({deliver});
    EXPECT_TRUE(fs::exists(outgoing(name)));
    EXPECT_THAT(bank_.names(), IsEmpty());
}

TEST_F(Delivering, each_rail_has_a_way_of_its_own) {
    context_->settings.check_delivery = {};
    const auto ach = release_a_file();
    const auto check = release_a_file("PAYEE-3");
    run_well({deliver});
    EXPECT_THAT(bank_.names(), ElementsAre(ach));
    EXPECT_TRUE(fs::exists(outgoing(check)));
}

// A snapshot that was rolled back in place shows nowhere else.
TEST_F(Delivering, a_file_at_the_server_that_this_ledger_did_not_write_stops_everything) {
    const auto name = release_a_file();
    const std::string unknown = "ACH-20260301-Z.ach";
    std::ofstream(bank_.inbox() / unknown) << "of a ledger that knew more";
    std::ofstream(bank_.inbox() / "welcome.txt") << "of the bank";
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_EQ(steps(name), "");
    EXPECT_THAT(reasons(), ElementsAre("ledger_is_older", "sent_file_unknown"));
    EXPECT_TRUE(ledger::is_paused(*ledger_));

    add(++last_draw_, 4);
    ASSERT_TRUE(compare_after_restore(*context_).has_value());
    ledger_->transaction(
        [&] { ASSERT_TRUE(ledger::resolve_restoration(*ledger_, /*nothing_else_sent=*/true, "asked", eva())); });
    const auto settled = settle(name, Settlement::again);
    ASSERT_TRUE(settled) << settled.error().message;
    ledger_->transaction([&] { ledger::set_paused(*ledger_, false, "asked", eva()); });
    run_well({deliver});
    EXPECT_THAT(bank_.names(), Contains(name)) << "what a person has looked at is known from then on";
    run_well({poll, pay, deliver});
    EXPECT_THAT(bank_.names(), SizeIs(4));
    expect_clean_ledger();
}

// The promise over everything: wherever the line breaks, the bank gets each file once and whole, or a person is asked.
class CutAnywhere : public Delivering, public ::testing::WithParamInterface<bool> {};

TEST_P(CutAnywhere, the_bank_gets_the_file_once) {
    constexpr int cuts = 16;
    auto name = release_a_file();
    run_well({deliver});
    const auto all = GetParam() ? line_.sent() : line_.received();
    expect_delivered(name);
    for (int cut = 1; cut <= cuts; ++cut) {
        SCOPED_TRACE("cut " + std::to_string(cut) + " of " + std::to_string(cuts));
        fs::remove(bank_.inbox() / name);
        name = release_a_file();
        const auto at = all * cut / cuts - 20;
        line_.cut_after(GetParam() ? at : test::Line::whole, GetParam() ? test::Line::whole : at);
        run(deliver);
        line_.mend();
        for (int again = 0; again < 3; ++again)
            run(deliver);
        expect_delivered(name);
    }
}

INSTANTIATE_TEST_SUITE_P(Bytes, CutAnywhere, ::testing::Bool(), [](const auto& direction) {
    return direction.param ? std::string("ToTheServer") : std::string("FromTheServer");
});

TEST_F(Delivering, a_rename_without_an_answer_is_settled_by_looking) {
    const auto name = release_a_file();
    after_upload_of(name, [this] { line_.lose_next_answer(); });
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_EQ(steps(name), "intent uploaded unknown");
    EXPECT_THAT(bank_.names(), ElementsAre(name)) << "the server did it";
    line_.mend();
    run_well({deliver});
    EXPECT_EQ(steps(name), "intent uploaded unknown delivered");
    expect_delivered(name);
}

TEST_F(Delivering, a_file_that_the_bank_may_have_taken_is_not_sent_again) {
    const auto name = release_a_file();
    after_upload_of(name, [this] { line_.lose_next_answer(); });
    EXPECT_FALSE(run(deliver).ok);
    fs::remove(bank_.inbox() / name);  // the bank takes it
    line_.mend();
    EXPECT_FALSE(run(deliver).ok);
    run_well({deliver});
    EXPECT_EQ(steps(name), "intent uploaded unknown uncertain");
    EXPECT_THAT(reasons(), ElementsAre("delivery_uncertain"));
    EXPECT_FALSE(delivery_due(*context_)) << "it waits for a person";
    EXPECT_THAT(bank_.names(), IsEmpty());
    ASSERT_TRUE(settle(name, Settlement::by_hand));
    EXPECT_FALSE(settle(name, Settlement::again)) << "it is delivered";
    run_well({deliver});
    EXPECT_THAT(bank_.names(), IsEmpty());
    EXPECT_THAT(reasons(), IsEmpty());
    EXPECT_FALSE(fs::exists(outgoing(name))) << "it is in the archive";
    expect_clean_ledger();
}

TEST_F(Delivering, a_person_may_order_that_it_is_sent_again) {
    const auto name = release_a_file();
    after_upload_of(name, [this, name] { fs::remove(bank_.inbox() / ("tmp-1-" + name + ".part")); });
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_THAT(reasons(), ElementsAre("delivery_uncertain"));
    ASSERT_TRUE(settle(name, Settlement::again));
    run_well({deliver});
    EXPECT_THAT(steps(name), HasSubstr("uncertain again intent uploaded delivered"));
    expect_delivered(name);
}

TEST_F(Delivering, another_file_of_that_name_is_never_written_over) {
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
    ASSERT_TRUE(settle(name, Settlement::again));
    run_well({deliver});
    expect_delivered(name);
}

TEST_F(Delivering, a_file_that_came_in_the_way_of_the_rename_is_a_conflict) {
    const auto name = release_a_file();
    after_upload_of(name, [this, name] { std::ofstream(bank_.inbox() / name) << "something else\n"; });
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_EQ(steps(name), "intent uploaded refused conflict");
    EXPECT_EQ(bank_.content(name), "something else\n");
}

TEST_F(Delivering, what_a_person_has_put_there_already_counts) {
    const auto name = release_a_file();
    fs::copy_file(outgoing(name), bank_.inbox() / name);
    run_well({deliver});
    EXPECT_EQ(steps(name), "delivered");
    expect_delivered(name);
}

TEST_F(Delivering, a_pause_stops_it_between_its_steps) {
    const auto name = release_a_file();
    const auto pause = [this](bool paused) {
        ledger_->transaction([&] { ledger::set_paused(*ledger_, paused, "test", eva()); });
    };
    pause(true);
    EXPECT_FALSE(delivery_due(*context_));
    run_well({deliver});
    EXPECT_EQ(steps(name), "");
    pause(false);
    after_upload_of(name, [pause] { pause(true); });
    run_well({deliver});
    EXPECT_EQ(steps(name), "intent uploaded");
    EXPECT_THAT(bank_.names(), Not(Contains(name)));
    pause(false);
    run_well({deliver});
    EXPECT_EQ(steps(name), "intent uploaded delivered");
    expect_delivered(name);
}

TEST_F(Delivering, a_server_with_another_key_gets_nothing) {
    const auto name = release_a_file();
    test::make_ssh_key(folder_.path() / "other");
    context_->settings.ach_delivery.sftp->host_key = test::public_key(folder_.path() / "other");
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_THAT(reasons(), ElementsAre("delivery_host_key"));
    EXPECT_THAT(bank_.names(), IsEmpty());
    use_server(line_.port());
    run_well({deliver});
    EXPECT_THAT(steps(name), HasSubstr("unreachable intent uploaded delivered"));
    expect_delivered(name);
}

TEST_F(Delivering, a_refused_login_is_a_case_that_closes_itself) {
    const auto name = release_a_file();
    test::make_ssh_key(folder_.path() / "other");
    context_->settings.ach_delivery.sftp->private_key = Secret(e2e::read_file(folder_.path() / "other"));
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_THAT(reasons(), ElementsAre("delivery_login_refused"));
    use_server(line_.port());
    run_well({deliver});
    expect_delivered(name);
}

TEST_F(Delivering, an_outage_becomes_a_case_and_the_waits_grow) {
    const auto name = release_a_file();
    context_->settings.delivery_retry_base = std::chrono::seconds(10);
    bank_.stop();
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_THAT(reasons(), IsEmpty()) << "it may mend itself";
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

TEST_F(Delivering, a_server_that_cannot_store_becomes_a_case) {
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

TEST_F(Delivering, a_full_disk_of_the_bank_delays_a_file_and_leaves_one_copy) {
    const auto name = release_a_file();
    bank_.fill_disk();
    for (const auto* temporary : {"tmp-1-", "tmp-2-", "tmp-3-"}) {
        const auto report = run(deliver);
        EXPECT_FALSE(report.ok);
        ASSERT_EQ(report.problems.size(), 1U);
        EXPECT_THAT(report.problems.front(), HasSubstr("failure (a full disk, a quota, or a file in the way)"));
        // What an upload left goes before the next one begins: the disk is not filled up with halves.
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

TEST_F(Delivering, a_file_that_someone_took_or_changed_is_not_sent) {
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

TEST_F(Delivering, the_copy_waits_while_the_archive_has_another_file_of_its_name) {
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

TEST_F(Delivering, a_file_in_doubt_is_sent_to_no_second_server) {
    const auto name = release_a_file();
    after_upload_of(name, [this] { line_.lose_next_answer(); });
    EXPECT_FALSE(run(deliver).ok);
    line_.mend();
    use_server(bank_.port());  // another address
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_THAT(reasons(), ElementsAre("delivery_server_changed"));
    use_server(line_.port());
    run_well({deliver});
    expect_delivered(name);
}

TEST_F(Delivering, a_file_waits_when_no_server_is_configured_any_more) {
    const auto name = release_a_file();
    context_->settings.ach_delivery = {};
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_THAT(reasons(), ElementsAre("delivery_not_configured"));
    use_server(line_.port());
    run_well({deliver});
    expect_delivered(name);
}

TEST_F(Delivering, a_failure_ends_when_a_person_has_settled_what_failed) {
    const auto name = release_a_file();
    context_->settings.ach_delivery = {};
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_FALSE(ledger::last_run(*ledger_, Step::deliver)->ok);
    ASSERT_TRUE(settle(name, Settlement::by_hand));
    // The copy is archived by a run that succeeds; where it was taken away before, nothing would be left to do.
    run_well({deliver});
    EXPECT_TRUE(ledger::last_run(*ledger_, Step::deliver)->ok);
    EXPECT_FALSE(delivery_due(*context_));
    ledger_->transaction([&] {
        const auto at = clock_.now();
        ledger::record_run(*ledger_, {Step::deliver, at, at, false, "failed at a file that was voided since"});
    });
    EXPECT_TRUE(delivery_due(*context_));
    run_well({deliver});
    EXPECT_TRUE(ledger::last_run(*ledger_, Step::deliver)->ok);
    EXPECT_FALSE(delivery_due(*context_));
}

TEST_F(Delivering, what_a_person_brought_to_the_bank_is_not_sent) {
    const auto name = release_a_file();
    EXPECT_FALSE(settle(name, Settlement::again)) << "it is not in doubt";
    EXPECT_FALSE(settle("absent", Settlement::by_hand));
    ASSERT_TRUE(settle(name, Settlement::by_hand));
    run_well({deliver});
    EXPECT_THAT(bank_.names(), IsEmpty());
    EXPECT_EQ(steps(name), "delivered");
    EXPECT_FALSE(fs::exists(outgoing(name)));
    expect_clean_ledger();
}

TEST_F(Delivering, a_person_cannot_settle_what_is_being_uploaded_just_now) {
    const auto name = release_a_file();
    std::optional<Result<ledger::FileRow>> settled;
    after_upload_of(name, [&] { settled = settle(name, Settlement::by_hand); });
    run_well({deliver});
    ASSERT_TRUE(settled.has_value());
    ASSERT_FALSE(*settled) << "it would be brought there by hand while it is renamed";
    EXPECT_THAT(settled->error().message, HasSubstr("is being uploaded just now"));
    EXPECT_EQ(steps(name), "intent uploaded delivered");
    expect_delivered(name);
}

// While another file is uploaded a person brings this one: it is not uploaded any more.
TEST_F(Delivering, what_a_person_settles_while_another_is_uploaded_is_left_alone) {
    const auto first = release_a_file();
    add(++last_draw_, 4);
    run_well({poll, pay});
    const auto second = files().back().name;
    ASSERT_NE(first, second);
    after_upload_of(first, [&] { ASSERT_TRUE(settle(second, Settlement::by_hand)); });
    run_well({deliver});
    EXPECT_THAT(bank_.names(), ElementsAre(first));
    EXPECT_EQ(steps(second), "delivered");
    expect_clean_ledger();
}

TEST_F(Delivering, an_order_to_void_a_check_counts_when_its_file_is_at_the_bank) {
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
    EXPECT_EQ(state_of(last_draw_), "paying") << "the bank does not know yet, the check may be cashed";
    bank_.start();
    run_well({deliver});
    EXPECT_EQ(state_of(last_draw_), "returned");
    expect_clean_ledger();
}

TEST_F(Delivering, a_file_goes_out_encrypted_and_its_plain_form_stays_in_the_house) {
    const test::OpenPgpKey key(folder_.path());
    use_key(key);
    const auto name = release_a_file();
    EXPECT_FALSE(fs::exists(outgoing(name))) << "never in plain";
    EXPECT_EQ(files().back().state, ledger::FileState::staged);
    ASSERT_TRUE(files().back().order);
    EXPECT_EQ(files().back().order->waits_for, "encryption");
    run_well({deliver});
    EXPECT_EQ(files().back().state, ledger::FileState::released);
    ASSERT_THAT(bank_.names(), ElementsAre(name + ".pgp"));
    const auto plain = key.decrypt(bank_.content(name + ".pgp"));
    EXPECT_EQ(sha256_hex(plain), files().back().sha256);
    EXPECT_EQ(sha256_hex(bank_.content(name + ".pgp")), delivery(name).encryption->sha256);
    const auto day = (folder_.path() / "state" / delivery(name).archived_as).parent_path();
    EXPECT_EQ(e2e::read_file(day / name), plain);
    EXPECT_TRUE(fs::is_empty(outgoing("").parent_path()));
    EXPECT_TRUE(fs::is_empty(folder_.path() / "state" / "spool" / "staged"));
    expect_clean_ledger();
}

TEST_F(Delivering, the_folder_gets_encrypted_files_too) {
    const test::OpenPgpKey key(folder_.path());
    use_key(key);
    context_->settings.ach_delivery.sftp.reset();
    const auto name = release_a_file();
    EXPECT_TRUE(delivery_due(*context_));
    run_well({deliver});
    EXPECT_EQ(sha256_hex(key.decrypt(e2e::read_file(outgoing(name + ".pgp")))), files().back().sha256);
    EXPECT_FALSE(delivery_due(*context_));
    EXPECT_EQ(ledger::undelivered(*ledger_).count, 0);
    expect_clean_ledger();
}

TEST_F(Delivering, what_cannot_be_encrypted_does_not_go_out_in_plain) {
    const test::OpenPgpKey key(folder_.path());
    use_key(key);
    const auto name = release_a_file();
    const auto right = *context_->settings.ach_delivery.openpgp;
    context_->settings.ach_delivery.openpgp.reset();
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_THAT(reasons(), ElementsAre("encryption_failed"));
    context_->settings.ach_delivery.openpgp = right;
    context_->settings.ach_delivery.openpgp->fingerprint = std::string(40, 'A');
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_THAT(bank_.names(), IsEmpty());
    EXPECT_FALSE(fs::exists(outgoing(name)));
    context_->settings.ach_delivery.openpgp = right;
    run_well({deliver});
    EXPECT_THAT(bank_.names(), ElementsAre(name + ".pgp"));
    EXPECT_THAT(reasons(), IsEmpty());
}

}  // namespace
}  // namespace drawbridge::pipeline
