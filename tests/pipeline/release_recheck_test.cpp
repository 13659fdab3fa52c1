// The checks repeated when a file leaves: its draws at the service, the payees, the bank's reports, its dates. And an
// order that has to wait.
#include <boost/asio/post.hpp>
#include <filesystem>
#include <fstream>

#include "delivery/openpgp_keys.hpp"
#include "drawbridge/ledger/facts/deliveries.hpp"
#include "drawbridge/ledger/facts/passkeys.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/pipeline/deliver.hpp"
#include "drawbridge/pipeline/transfer_worker.hpp"
#include "pipeline/pipeline_fixture.hpp"

namespace drawbridge::pipeline {
namespace {

namespace fs = std::filesystem;
using ledger::FileState;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* service_down_twice = R"({"endpoint": "read", "kind": "status", "code": 503, "times": 2})";

class ReleaseRecheck : public Pipeline {
  protected:
    ReleaseRecheck() {
        config_.pay.release = config::Release::manual;
        context_->transfer_worker = &transfer_worker_;
        add(1, 4);
        run_well({poll, pay});
    }
    [[nodiscard]] ledger::FileRow file(std::size_t at = 0) {
        return ledger::payment_files(*ledger_, /*unreleased_only=*/false).at(at);
    }
    [[nodiscard]] bool has_left(const std::string& name) {
        return fs::exists(folder_.path() / "state/spool/outgoing" / name);
    }
    [[nodiscard]] ledger::Stamp eva() { return {clock_.now(), "uid 7 (eva)"}; }
    Result<ledger::FileRow> release_it(std::size_t at = 0) { return release_now(file(at).name, "agreed", eva()); }
    void expect_refused(const std::string& because) {
        const auto refused = release_it();
        ASSERT_FALSE(refused) << because;
        EXPECT_THAT(refused.error().message,
                    AllOf(HasSubstr("draw 1"), HasSubstr(because), HasSubstr("void the file")));
        EXPECT_EQ(file().state, FileState::staged);
        EXPECT_FALSE(file().order);
        EXPECT_FALSE(has_left(file().name));
        EXPECT_THAT(reasons(), Contains("draws_changed"));
        EXPECT_TRUE(void_file(*context_, file().name, "as it says", eva()));
        expect_clean_ledger();
    }
    void use_payees(std::string csv) {
        context_->payees = disbursement::PayeeDirectory::read(csv, "payees.csv").value();
    }
    // The bank returns the payment of draw 1 (Returns in returns_test.cpp says what a batch looks like).
    void drop_return(const std::string& code) {
        const auto payment = ledger::load_file(*ledger_, file().file_id).file.payments.front();
        const auto padded = [](std::string text, std::size_t width) {
            text.resize(width, ' ');
            return text;
        };
        const auto cents = std::to_string(payment.amount.cents());
        const std::string amount = std::string(12 - cents.size(), '0') + cents;
        std::ofstream(folder_.path() / "state/inbox/returns.ach")
            << padded("5200CITY HOUSING    " + padded("", 20) + "1123456789PPDDRAWPMT   " + padded("", 15) +
                          "1091000010000001",
                      94)
            << "\n621091000019" << padded("123456789", 17) << amount.substr(2) << padded("", 15)
            << padded("JANE ROE", 22) << "  1091000010000001\n"
            << padded("799" + code + *payment.trace_number + padded("", 6) + "09100001", 79) << "091000010000001\n"
            << "82000000020009100001000000000000" << amount << "1123456789" << padded("", 25) << "091000010000001\n";
        clock_.ahead += std::chrono::seconds(1);
        run_well({confirm});
    }
    void use_key(const test::OpenPgpKey& key) {
        delivery::OpenPgpOptions openpgp;
        openpgp.public_key_file = key.public_key_file();
        openpgp.fingerprint = key.fingerprint();
        context_->settings.ach_delivery.openpgp = openpgp;
    }

    TransferWorker transfer_worker_;
};

TEST_F(ReleaseRecheck, a_draw_cancelled_after_the_poll_is_not_paid) {
    sandbox_.act(1, "cancel");
    expect_refused("draw 1 is now Cancelled");
}

TEST_F(ReleaseRecheck, a_changed_amount_payee_case_or_workflow_stops_the_file) {
    const std::pair<e2e::Json, std::string> changes[] = {{{{"amountApproved", 9.99}}, "for $9.99 but the file pays"},
                                                         {{{"fieldA", "PAYEE-2"}}, "now names the payee 'PAYEE-2'"},
                                                         {{{"caseId", 4711}}, "is now in another case"},
                                                         {{{"workflowId", 99}}, "is now in workflow 99"}};
    for (const auto& [change, because] : changes) {
        const auto before = sandbox_.draw(1);
        sandbox_.edit(1, change);
        const auto refused = release_it();
        ASSERT_FALSE(refused) << because;
        EXPECT_THAT(refused.error().message, AllOf(HasSubstr("draw 1"), HasSubstr(because)));
        EXPECT_FALSE(has_left(file().name));
        for (const auto& [name, value] : change.items())
            sandbox_.edit(1, {{name, before.at(name)}});
        run_well({poll});
    }
    ASSERT_TRUE(release_it()) << "each change was reverted";
    EXPECT_TRUE(has_left(file().name));
}

TEST_F(ReleaseRecheck, a_changed_description_does_not_stop_the_file) {
    sandbox_.edit(1, {{"description", "second visit"}, {"fieldE", "seen"}});
    const auto released = release_it();
    ASSERT_TRUE(released) << released.error().message;
    EXPECT_EQ(released->state, FileState::released);
    EXPECT_THAT(reasons(), IsEmpty());
}

TEST_F(ReleaseRecheck, an_order_waits_during_an_outage_and_then_completes) {
    fault(service_down_twice);
    const auto ordered = release_it();
    ASSERT_TRUE(ordered) << ordered.error().message;
    EXPECT_EQ(ordered->state, FileState::staged);
    ASSERT_TRUE(ordered->order);
    EXPECT_EQ(ordered->order->waits_for, "the service");
    EXPECT_TRUE(ordered->order->waits_since);
    EXPECT_FALSE(has_left(file().name));
    const auto again = release_it();
    ASSERT_FALSE(again);
    EXPECT_THAT(again.error().message, HasSubstr("its release was ordered by uid 7 (eva)"));
    run_well({pay});
    EXPECT_EQ(file().state, FileState::released);
    EXPECT_EQ(file().release_ordered_by, "uid 7 (eva)");
    EXPECT_TRUE(has_left(file().name));
    expect_clean_ledger();
}

TEST_F(ReleaseRecheck, the_order_of_a_locked_person_ends_and_another_may_release_the_file) {
    const auto ben = add_person("Ben", 5002, ledger::Role::releaser);
    add_person("Cara", 5003, ledger::Role::releaser);
    fault(service_down_twice);
    ASSERT_TRUE(release_now(file().name, "agreed", {clock_.now(), "uid 5002 (ben)", 5002}));
    ASSERT_TRUE(file().order);
    change_person(ben, ledger::ChangeKind::lock);
    EXPECT_FALSE(run(pay).ok);
    EXPECT_EQ(file().state, FileState::staged);
    EXPECT_FALSE(file().order);
    EXPECT_THAT(reasons(), ElementsAre("release_not_allowed"));
    EXPECT_FALSE(release_now(file().name, "agreed", {clock_.now(), "uid 5002 (ben)", 5002}));
    ASSERT_TRUE(release_now(file().name, "agreed", {clock_.now(), "uid 5003 (cara)", 5003}));
    EXPECT_EQ(file().state, FileState::released);
    EXPECT_EQ(file().release_ordered_by, "uid 5003 (cara)");
    EXPECT_THAT(reasons(), IsEmpty());
    expect_clean_ledger();
}

TEST_F(ReleaseRecheck, an_order_does_not_pass_to_whom_the_uid_is_given_next) {
    const auto ben = add_person("Ben", 5002, ledger::Role::releaser);
    fault(service_down_twice);
    ASSERT_TRUE(release_now(file().name, "agreed", {clock_.now(), "uid 5002 (ben)", 5002}));
    clock_.ahead += std::chrono::seconds(1);
    ledger_->transaction([&] {
        const ledger::Change unlink{ben, ledger::ChangeKind::unlink, {}, ledger::Identity::uid, "5002"};
        EXPECT_TRUE(ledger::make_change(*ledger_, unlink, "test", {clock_.now(), "test", 1}));
    });
    change_person(ben, ledger::ChangeKind::lock);
    add_person("Nina", 5002, ledger::Role::releaser);
    EXPECT_FALSE(run(pay).ok);
    EXPECT_EQ(file().state, FileState::staged);
    EXPECT_THAT(reasons(), ElementsAre("release_not_allowed"));
    ASSERT_TRUE(release_now(file().name, "agreed", {clock_.now(), "uid 5002 (nina)", 5002}));
    EXPECT_EQ(file().state, FileState::released);
    expect_clean_ledger();
}

TEST_F(ReleaseRecheck, the_order_that_a_locked_passkey_signed_ends) {
    const auto ben = add_person("Ben", 5002, ledger::Role::releaser);
    const ledger::Stamp root{clock_.now(), "root", 0};
    const ledger::Stamp in_console{clock_.now(), "Ben (console)", ledger::console_uid(ben)};
    const auto lost = sign(ben, "POST /files/" + file().name + "/release", "Ben's laptop");
    fault(service_down_twice);
    ASSERT_TRUE(release_now(file().name, "agreed", in_console));
    ASSERT_TRUE(file().order);
    ledger_->transaction([&] { EXPECT_TRUE(ledger::lock_passkey(*ledger_, lost, "stolen", root)); });
    EXPECT_FALSE(run(pay).ok);
    EXPECT_EQ(file().state, FileState::staged);
    EXPECT_FALSE(file().order);
    EXPECT_THAT(reasons(), ElementsAre("release_not_allowed"));
    EXPECT_THAT(ledger::open_exceptions(*ledger_).front().what.detail,
                HasSubstr("'Ben's laptop', which has been locked"));
}

TEST_F(ReleaseRecheck, an_order_lapses_when_its_files_date_is_missed) {
    fault(service_down_twice);
    ASSERT_TRUE(release_it());
    clock_.ahead = std::chrono::days(8);
    EXPECT_FALSE(run(pay).ok);
    EXPECT_THAT(reasons(), ElementsAre("settlement_date_passed"));
    EXPECT_EQ(file().state, FileState::staged);
    EXPECT_FALSE(file().order);
    EXPECT_FALSE(has_left(file().name));
    EXPECT_FALSE(release_it()) << "it may be ordered again but is still too late";
    EXPECT_TRUE(void_file(*context_, file().name, "too late", eva()));
    expect_clean_ledger();
}

TEST_F(ReleaseRecheck, a_return_that_holds_the_payee_stops_a_staged_file) {
    ASSERT_TRUE(release_it());
    add(2, 4);
    run_well({poll, pay});
    drop_return("R15");
    const auto refused = release_it(1);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, AllOf(HasSubstr("draw 2"), HasSubstr("case_stopped")));
    EXPECT_FALSE(has_left(file(1).name));
}

TEST_F(ReleaseRecheck, a_removed_payee_stops_the_file) {
    use_payees(std::string(test::sample_payees)
                   .erase(std::string_view(test::sample_payees).find("PAYEE-1"),
                          std::string_view("PAYEE-1,Ana Alvarez,ach,021000021,123456789,"
                                           "checking,PPD,,,,,\n")
                              .size()));
    expect_refused("payee 'PAYEE-1' is no longer in payees.csv");
}

TEST_F(ReleaseRecheck, a_changed_payee_stops_the_file) {
    std::string csv(test::sample_payees);
    csv.replace(csv.find("123456789"), 9, "111111111");
    use_payees(std::move(csv));
    expect_refused("payee 'PAYEE-1' changed in payees.csv");
}

TEST_F(ReleaseRecheck, a_payee_named_by_another_field_than_at_planning_stops_the_file) {
    sandbox_.add({.id = 2, .cents = 10000, .payee = "PAYEE-1", .workflow = 12, .status = 4});
    sandbox_.edit(2, {{"fieldB", "PAYEE-2"}});
    run_well({poll, pay});
    context_->settings.payee_key = find_draw_field("fieldB");
    const auto refused = release_it(1);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("draw 2 now names the payee 'PAYEE-2' but the file pays 'PAYEE-1'"));
}

TEST_F(ReleaseRecheck, another_paying_account_than_at_planning_stops_the_file) {
    context_->settings.plan.ach->company_id = "1999999999";
    const auto refused = release_it();
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, AllOf(HasSubstr("it pays from another account"), HasSubstr("void the file")));
    EXPECT_THAT(reasons(), ElementsAre("paying_account_changed"));
    ASSERT_TRUE(void_file(*context_, file().name, "as it says", eva()));
    run_well({pay});
    EXPECT_TRUE(release_it(1));
    expect_clean_ledger();
}

TEST_F(ReleaseRecheck, an_automatic_order_ends_once_release_is_manual_or_the_limit_is_lower) {
    for (const bool by_limit : {false, true}) {
        config_.pay.release = config::Release::automatic;
        clock_.ahead += std::chrono::minutes(10);  // its draw must be read again
        fault(service_down_twice);
        ASSERT_TRUE(release_now(file().name, "release: auto", {clock_.now(), std::string(daemon_actor)}));
        ASSERT_TRUE(file().order) << "it waits for the service";
        if (by_limit)
            config_.pay.release_limit = Money::from_cents(1);
        else
            config_.pay.release = config::Release::manual;
        clock_.ahead += std::chrono::minutes(10);
        run(pay);
        EXPECT_FALSE(file().order);
        EXPECT_FALSE(has_left(file().name));
        EXPECT_THAT(exception_details("release_not_allowed"),
                    ElementsAre(HasSubstr(by_limit ? "over pay.release_limit" : "is manual now")));
        resolve_all("release_not_allowed", eva());
    }
    EXPECT_TRUE(release_it()) << "a person may";
}

TEST_F(ReleaseRecheck, an_order_from_while_the_clock_was_ahead_ends_and_can_be_repeated) {
    constexpr std::chrono::minutes jump{2};  // the file still settles on its day
    fault(service_down_twice);
    clock_.ahead += jump;
    ASSERT_TRUE(release_it());
    ASSERT_TRUE(file().order);
    clock_.ahead -= jump;
    EXPECT_FALSE(run(pay).ok);
    EXPECT_FALSE(file().order);
    EXPECT_THAT(reasons(), ElementsAre("release_not_allowed"));
    EXPECT_TRUE(release_it());
    EXPECT_TRUE(has_left(file().name));
}

TEST_F(ReleaseRecheck, a_workflow_that_is_no_longer_configured_stops_the_file) {
    config_.service.workflows = {99};
    expect_refused("workflow 12, which is no longer configured");
}

TEST_F(ReleaseRecheck, a_files_own_and_later_payments_count_for_no_limit) {
    context_->settings.plan.guards.day_limit = Money::from_cents(10001);
    context_->settings.plan.guards.duplicate_days = 30;
    const auto released = release_it();
    ASSERT_TRUE(released) << released.error().message;
}

TEST_F(ReleaseRecheck, a_void_during_the_reads_wins) {
    const auto name = file().name;
    // Like an operator's request, it runs whenever the release yields.
    int looks_left = 100'000;
    std::function<void()> void_when_ordered = [&] {
        if (file().order) {
            EXPECT_TRUE(void_file(*context_, name, "stop", eva()));
        } else if (--looks_left > 0) {
            asio::post(io_, void_when_ordered);
        }
    };
    asio::post(io_, void_when_ordered);
    const auto released = release_now(name, "agreed", eva());
    ASSERT_FALSE(released);
    EXPECT_THAT(released.error().message, HasSubstr("was voided by uid 7 (eva)"));
    EXPECT_EQ(file().state, FileState::voided);
    EXPECT_FALSE(has_left(name));
    expect_clean_ledger();
}

TEST_F(ReleaseRecheck, readings_of_planning_are_fresh_for_five_minutes) {
    config_.pay.release = config::Release::automatic;
    const auto reads = [&] { return sandbox_.requests("read"); };
    add(2, 4, "PAYEE-3");
    run_well({poll});
    const auto before = reads();
    run_well({pay});
    EXPECT_EQ(reads(), before + 1) << "draw 2 for its plan; draw 1 was read a moment ago";
    EXPECT_EQ(file(1).state, FileState::released);
}

TEST_F(ReleaseRecheck, older_readings_are_repeated) {
    clock_.ahead = std::chrono::minutes(6);
    config_.pay.release = config::Release::automatic;
    sandbox_.act(1, "cancel");
    EXPECT_FALSE(run(pay).ok);
    EXPECT_EQ(file().state, FileState::staged);
    EXPECT_THAT(reasons(), Contains("draws_changed"));
}

// A file with draws 1 and 2, and a service that fails at draw 2 only.
class OneDrawFails : public ReleaseRecheck {
  protected:
    OneDrawFails() {
        open_after_midnight_if_late();
        EXPECT_TRUE(void_file(*context_, file().name, "too small", eva()));
        add(2, 4);
        run_well({poll, pay});
        fault(R"({"endpoint": "read", "kind": "status", "drawId": 2, "code": 500, "times": 1000})");
        EXPECT_TRUE(release_it(1));
        EXPECT_EQ(file(1).payment_count, 2);
        EXPECT_TRUE(file(1).order && file(1).order->waits_for == "the service");
    }
    void wait_until_people_are_told() {
        clock_.ahead += std::chrono::minutes(10);
        run_well({poll, pay});
        EXPECT_THAT(reasons(), IsEmpty()) << "it may pass";
        clock_.ahead += std::chrono::minutes(6);
        run_well({poll, pay});
        ASSERT_THAT(reasons(), ElementsAre("release_waits"));
        EXPECT_FALSE(has_left(file(1).name));
    }
};

TEST_F(OneDrawFails, people_are_told_which_draw_until_the_file_leaves) {
    wait_until_people_are_told();
    const auto told = ledger::open_exceptions(*ledger_).front().what;
    EXPECT_EQ(told.subject, file(1).name);
    EXPECT_THAT(told.detail, AllOf(HasSubstr("draw 2 cannot be read"), HasSubstr("answered 500"),
                                   HasSubstr("void the file; its other draws are paid in the next one")));
    sandbox_.clear_faults();
    run_well({pay});
    EXPECT_EQ(file(1).state, FileState::released);
    EXPECT_TRUE(has_left(file(1).name));
    EXPECT_THAT(reasons(), IsEmpty());
    expect_clean_ledger();
}

TEST_F(OneDrawFails, after_a_void_the_other_draws_are_paid_in_the_next_file) {
    wait_until_people_are_told();
    EXPECT_TRUE(void_file(*context_, file(1).name, "as it says", eva()));
    EXPECT_THAT(reasons(), IsEmpty());
    EXPECT_FALSE(run(pay).ok) << "draw 2 still cannot be read";
    EXPECT_EQ(file(2).payment_count, 1);
    ASSERT_TRUE(release_it(2));
    EXPECT_TRUE(has_left(file(2).name));
    EXPECT_FALSE(has_left(file(1).name));
    expect_clean_ledger();
}

TEST_F(OneDrawFails, an_outage_of_the_service_is_not_told_as_a_draws) {
    fault(R"({"endpoint": "list", "kind": "status", "code": 500, "times": 1000})");
    clock_.ahead += std::chrono::minutes(16);
    EXPECT_FALSE(run(poll).ok);
    run_well({pay});
    EXPECT_THAT(reasons(), IsEmpty());
}

TEST_F(OneDrawFails, the_order_is_tried_again_with_growing_backoff) {
    context_->settings.release_retry = std::chrono::seconds(10);
    const auto is_tried_after = [&](std::chrono::seconds wait) {
        const auto before = sandbox_.requests("read");
        clock_.ahead += wait;
        run_well({pay});
        return sandbox_.requests("read") > before;
    };
    EXPECT_FALSE(is_tried_after(std::chrono::seconds(5)));
    EXPECT_TRUE(is_tried_after(std::chrono::seconds(6)));
    EXPECT_TRUE(is_tried_after(std::chrono::seconds(12)));
    EXPECT_FALSE(is_tried_after(std::chrono::seconds(12))) << "it has waited for longer than that";
    EXPECT_TRUE(is_tried_after(std::chrono::seconds(15)));
    clock_.ahead += std::chrono::hours(1);
    EXPECT_TRUE(is_tried_after(std::chrono::minutes(0)));
    EXPECT_FALSE(is_tried_after(std::chrono::minutes(4)));
    EXPECT_TRUE(is_tried_after(std::chrono::minutes(2))) << "never longer than five minutes";
}

class WaitingForEncryption : public ReleaseRecheck {
  protected:
    WaitingForEncryption() : key_(folder_.path()) {
        use_key(key_);
        right_ = context_->settings.ach_delivery.openpgp;
        context_->settings.ach_delivery.openpgp->fingerprint = std::string(40, 'A');
        const auto ordered = release_it();
        EXPECT_TRUE(ordered) << ordered.error().message;
        EXPECT_FALSE(run(deliver).ok);
        EXPECT_TRUE(file().order && file().order->waits_for == "encryption");
    }
    void key_comes() { context_->settings.ach_delivery.openpgp = right_; }

    test::OpenPgpKey key_;
    std::optional<delivery::OpenPgpOptions> right_;
};

TEST_F(WaitingForEncryption, a_file_can_be_voided) {
    const auto voided = void_file(*context_, file().name, "not this one", eva());
    ASSERT_TRUE(voided) << voided.error().message;
    key_comes();
    run_well({deliver});
    EXPECT_TRUE(fs::is_empty(folder_.path() / "state/spool/outgoing"));
    EXPECT_TRUE(fs::is_empty(folder_.path() / "state/spool/staged"));
    run_well({pay});
    EXPECT_EQ(file(1).payment_count, 1) << "its draw is paid again";
    expect_clean_ledger();
}

TEST_F(WaitingForEncryption, a_draw_cancelled_while_waiting_is_not_sent) {
    clock_.ahead = std::chrono::minutes(6);
    sandbox_.act(1, "cancel");
    key_comes();
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_THAT(reasons(), Contains("draws_changed"));
    EXPECT_FALSE(has_left(file().name + ".pgp"));
    EXPECT_EQ(file().state, FileState::staged);
}

TEST_F(WaitingForEncryption, a_file_whose_date_passes_while_waiting_is_not_sent) {
    clock_.ahead = std::chrono::days(8);
    key_comes();
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_THAT(reasons(), Contains("settlement_date_passed"));
    EXPECT_FALSE(has_left(file().name + ".pgp"));
    EXPECT_TRUE(void_file(*context_, file().name, "too late", eva()));
    expect_clean_ledger();
}

TEST_F(WaitingForEncryption, the_file_is_sent_once_the_key_is_available) {
    key_comes();
    run_well({deliver});
    EXPECT_EQ(file().state, FileState::released);
    EXPECT_TRUE(has_left(file().name + ".pgp"));
    EXPECT_THAT(reasons(), IsEmpty());
    expect_clean_ledger();
}

// The server is down while the file waits in outgoing/ for its upload.
class WaitingForServer : public ReleaseRecheck {
  protected:
    WaitingForServer() {
        delivery::SftpOptions sftp;
        sftp.host = "127.0.0.1";
        sftp.port = 1;
        sftp.user = "nobody";
        sftp.folder = "/";
        context_->settings.ach_delivery.sftp = sftp;
        EXPECT_TRUE(release_it());
        EXPECT_FALSE(run(deliver).ok);
        EXPECT_EQ(file().state, FileState::released);
    }
};

TEST_F(WaitingForServer, a_file_without_a_started_upload_can_be_voided_and_its_draw_is_paid_again) {
    const auto name = file().name;
    ASSERT_TRUE(has_left(name)) << "it is in outgoing/, which nobody else reads when files go by SFTP";
    const auto voided = void_file(*context_, name, "not this one", eva());
    ASSERT_TRUE(voided) << voided.error().message;
    EXPECT_FALSE(has_left(name));
    EXPECT_EQ(ledger::undelivered(*ledger_).count, 0);
    EXPECT_TRUE(delivery_due(*context_)) << "one more run clears the failure";
    run_well({deliver});
    EXPECT_FALSE(delivery_due(*context_));
    run_well({pay});
    EXPECT_EQ(file(1).payment_count, 1);
    expect_clean_ledger();
}

}  // namespace
}  // namespace drawbridge::pipeline
