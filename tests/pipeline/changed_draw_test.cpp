// Draws that change at the service after somebody approved them, and people who change them.
#include <filesystem>

#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/people.hpp"
#include "drawbridge/ledger/facts/resolutions.hpp"
#include "drawbridge/pipeline/payment_files.hpp"
#include "pipeline/pipeline_fixture.hpp"

namespace drawbridge::pipeline {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ChangedDraw : public Pipeline {
  protected:
    ChangedDraw() { config_.pay.release = config::Release::manual; }

    std::vector<std::string> makers() {
        std::vector<std::string> all;
        for (const auto& maker : ledger::makers_of(*ledger_, files().back().file_id))
            all.push_back(maker.by + " " + ledger::describe(maker));
        return all;
    }
    // Two minutes after now, by the service's dates.
    void edit_later(DrawId id, e2e::Json changes, std::chrono::seconds after = std::chrono::minutes(2)) {
        changes["modifiedDate"] = format_instant(clock_.now() + after);
        sandbox_.edit(id, changes);
    }
    void resolve_first() {
        const auto id = ledger::open_exceptions(*ledger_).front().exception_id;
        ledger_->transaction([&] { ASSERT_TRUE(ledger::close_exception(*ledger_, id, "it is right", eva())); });
    }
    void add_linked_person(const std::string& name, std::int64_t uid, const std::string& email) {
        const auto person = add_person(name, uid, ledger::Role::releaser);
        const ledger::Change link{person, ledger::ChangeKind::link, {}, ledger::Identity::email, email};
        ledger_->transaction(
            [&] { ASSERT_TRUE(ledger::make_change(*ledger_, link, "test", {clock_.now(), "test", 1})); });
    }
};

TEST_F(ChangedDraw, names_another_payee_and_is_held_until_a_person_looks) {
    add(1);
    run_well({poll, decide, approve});
    sandbox_.edit(1, {{"fieldA", "PAYEE-2"}});
    run_well({poll, pay});
    EXPECT_THAT(files(), IsEmpty());
    EXPECT_EQ(state_of(1), "blocked");
    ASSERT_THAT(reasons(), ElementsAre("draw_changed"));
    EXPECT_THAT(ledger::open_exceptions(*ledger_).front().what.detail,
                HasSubstr("the payee was 'PAYEE-1' and is now 'PAYEE-2'"));
    resolve_first();
    sandbox_.edit(1, {{"fieldA", "PAYEE-3"}});
    run_well({poll, pay});
    EXPECT_THAT(reasons(), ElementsAre("draw_changed")) << "the person allowed PAYEE-2, not PAYEE-3";
    sandbox_.edit(1, {{"fieldA", "PAYEE-2"}});
    run_well({poll, pay});
    EXPECT_THAT(files(), SizeIs(1));
    EXPECT_THAT(makers(), Contains(HasSubstr("lifted the hold of draw 1")));
    expect_clean_ledger();
}

TEST_F(ChangedDraw, that_was_approved_in_the_portal_is_held_too) {
    add(1, 4);
    run_well({poll});
    sandbox_.edit(1, {{"fieldA", "PAYEE-2"}});
    run_well({poll, pay});
    EXPECT_THAT(reasons(), ElementsAre("draw_changed"));
    sandbox_.edit(1, {{"fieldA", "PAYEE-1"}});
    run_well({poll, pay});
    EXPECT_THAT(reasons(), IsEmpty());
    EXPECT_EQ(state_of(1), "paying");
}

TEST_F(ChangedDraw, with_another_description_is_paid) {
    add(1);
    run_well({poll, decide, approve});
    sandbox_.edit(1, {{"description", "phase 2"}});
    run_well({poll, pay});
    EXPECT_EQ(state_of(1), "paying");
}

// The rules approved it; then somebody reopens it and approves it by hand.
TEST_F(ChangedDraw, approved_again_in_the_portal_names_whoever_did_that) {
    add_linked_person("Ben", 8, "ben@draws.example.gov");
    add(1);
    run_well({poll, decide, approve, poll});
    clock_.ahead += std::chrono::minutes(1);
    sandbox_.act(1, "reopen", {{"status", 3}});
    run_well({poll});
    clock_.ahead += std::chrono::minutes(1);
    sandbox_.act(1, "approve", {{"by", "ben@draws.example.gov"}});
    run_well({poll, pay});
    ASSERT_THAT(files(), SizeIs(1));
    EXPECT_THAT(makers(), Contains(HasSubstr("Ben approved draw 1 in the portal")));
    EXPECT_FALSE(release_now(files().front().name, "mine", {clock_.now(), "uid 8 (ben)", 8}));
}

// The answer to our approval is lost; the draw is reopened and approved by hand before it is read back.
TEST_F(ChangedDraw, approved_again_while_our_answer_is_lost_names_whoever_did_that) {
    add_linked_person("Ben", 8, "ben@draws.example.gov");
    add(1);
    run_well({poll, decide});
    fault(R"({"endpoint": "approve", "kind": "close_after_commit", "times": 1})");
    EXPECT_FALSE(run(approve).ok);
    clock_.ahead += std::chrono::minutes(1);
    sandbox_.act(1, "reopen", {{"status", 3}});
    run_well({poll});
    clock_.ahead += std::chrono::minutes(1);
    sandbox_.act(1, "approve", {{"by", "ben@draws.example.gov"}});
    run_well({approve, pay});
    ASSERT_THAT(files(), SizeIs(1));
    EXPECT_THAT(makers(), Contains(HasSubstr("Ben approved draw 1 in the portal")));
}

TEST_F(ChangedDraw, approved_for_more_while_our_answer_is_lost_is_not_paid) {
    add(1);
    run_well({poll, decide});
    fault(R"({"endpoint": "approve", "kind": "close_after_commit", "times": 1})");
    EXPECT_FALSE(run(approve).ok);
    sandbox_.act(1, "reopen", {{"status", 3}});
    run_well({poll});
    sandbox_.act(1, "approve", {{"amount", 9000.0}});
    run_well({approve, pay});
    EXPECT_THAT(files(), IsEmpty());
    EXPECT_THAT(reasons(), ElementsAre("amount_changed"));
}

TEST_F(ChangedDraw, names_whoever_changed_the_approved_amount_before_it_was_first_read) {
    add_linked_person("Ben", 8, "ben@draws.example.gov");
    use_rules("version: 1\napprover_id: 1201\nrules:\n  - {name: wait, when: always, hold: approved in the portal}\n");
    add(1);
    run_well({poll, decide});
    sandbox_.act(1, "approve");
    edit_later(1, {{"amountApproved", 9000.0}, {"modifiedBy", "ben@draws.example.gov"}});
    run_well({poll, pay});
    ASSERT_THAT(reasons(), ElementsAre("draw_changed"));
    EXPECT_THAT(ledger::open_exceptions(*ledger_).front().what.detail,
                HasSubstr("$100.01 was requested and $9,000.00 is approved"));
    resolve_first();
    run_well({pay});
    ASSERT_THAT(files(), SizeIs(1));
    EXPECT_THAT(makers(), Contains(HasSubstr("Ben changed draw 1 in the portal")));
    EXPECT_FALSE(release_now(files().front().name, "mine", {clock_.now(), "uid 8 (ben)", 8}));
}

TEST_F(ChangedDraw, names_another_payee_before_its_approval_was_first_read) {
    use_rules("version: 1\napprover_id: 1201\nrules:\n  - {name: wait, when: always, hold: approved in the portal}\n");
    for (const DrawId id : {1, 2, 3})
        add(id);
    run_well({poll, decide});
    sandbox_.edit(1, {{"fieldA", "PAYEE-2"}});  // and the approval is for that
    for (const DrawId id : {1, 2, 3})
        sandbox_.act(id, "approve");
    edit_later(2, {{"fieldA", "PAYEE-2"}, {"modifiedBy", "mallory@draws.example.gov"}});
    edit_later(3, {{"description", "phase 2"}, {"modifiedBy", "mallory@draws.example.gov"}});
    run_well({poll, pay});
    EXPECT_EQ(state_of(1), "paying");
    EXPECT_EQ(state_of(2), "blocked");
    EXPECT_EQ(state_of(3), "paying");
    ASSERT_THAT(reasons(), ElementsAre("draw_changed"));
    EXPECT_THAT(ledger::open_exceptions(*ledger_).front().what.detail,
                AllOf(HasSubstr("mallory@draws.example.gov changed the draw at "),
                      HasSubstr("the payee was 'PAYEE-1' and is now 'PAYEE-2'")));
    resolve_first();
    run_well({pay});
    EXPECT_EQ(state_of(2), "paying");
    expect_clean_ledger();
}

TEST_F(ChangedDraw, by_somebody_else_after_its_approval_and_before_it_was_ever_read_is_held) {
    for (const DrawId id : {1, 2, 3})
        add(id);
    for (const DrawId id : {1, 2, 3})
        sandbox_.act(id, "approve");
    edit_later(2, {{"workflowId", 12}, {"modifiedBy", "mallory@draws.example.gov"}});
    edit_later(3, {{"workflowId", 12}, {"modifiedBy", "mallory@draws.example.gov"}}, std::chrono::seconds(10));
    run_well({poll, pay});
    EXPECT_EQ(state_of(1), "paying");
    EXPECT_EQ(state_of(2), "blocked");
    EXPECT_EQ(state_of(3), "blocked");
    EXPECT_THAT(reasons(), ElementsAre("draw_changed", "draw_changed"));
}

// Whoever approved it, and whatever the date of the wrong answer: nobody approved the other amount.
TEST_F(ChangedDraw, approved_for_another_amount_stays_held_after_a_wrong_answer) {
    add(1);
    run_well({poll, decide, approve, poll});
    add(2);
    run_well({poll});
    sandbox_.act(2, "approve");
    run_well({poll});
    for (const DrawId id : {1, 2})
        sandbox_.edit(id, {{"amountApproved", 9000.0}});
    run_well({poll, pay});
    EXPECT_THAT(reasons(), ElementsAre("amount_changed", "amount_changed"));
    // The service shows Pending Approval with a new modifiedDate, and then the approval of before.
    for (const int status : {3, 4}) {
        for (const DrawId id : {1, 2})
            sandbox_.edit(id, {{"status", status}, {"amountApproved", 9001.0}});
        run_well({poll});
        for (const DrawId id : {1, 2})
            EXPECT_EQ(static_cast<int>(ledger::newest_reading(*ledger_, id)->draw.status), status);
    }
    run_well({pay});
    EXPECT_THAT(files(), IsEmpty());
    EXPECT_THAT(reasons(), ElementsAre("amount_changed", "amount_changed"));
}

TEST_F(ChangedDraw, names_whoever_changed_the_request_in_the_portal) {
    add_linked_person("Ben", 8, "ben@draws.example.gov");
    add(1);
    run_well({poll});
    sandbox_.edit(1, {{"amountRequested", 150.0}, {"modifiedBy", "ben@draws.example.gov"}});
    run_well({poll, decide, approve, pay});
    ASSERT_THAT(files(), SizeIs(1));
    EXPECT_THAT(makers(), Contains(HasSubstr("Ben changed draw 1 in the portal")));
}

TEST_F(ChangedDraw, approved_without_an_amount_is_paid_what_was_requested_or_nothing) {
    add(20, 4);
    sandbox_.edit(20, {{"amountApproved", nullptr}});
    run_well({poll, pay});
    EXPECT_THAT(reasons(), ElementsAre("amount_missing"));
    sandbox_.edit(20, {{"amountApproved", 5000.0}});
    run_well({poll, pay});
    EXPECT_THAT(reasons(), ElementsAre("amount_changed")) << "nobody approved that amount";
    sandbox_.edit(20, {{"amountApproved", 100.2}});
    run_well({poll, pay});
    EXPECT_EQ(state_of(20), "paying");
    EXPECT_THAT(reasons(), IsEmpty());
}

TEST_F(ChangedDraw, in_a_workflow_that_is_not_configured_is_an_exception) {
    config_.service.workflows = {12};
    add(1, 4);
    run_well({poll});
    sandbox_.edit(1, {{"workflowId", 14}});
    run_well({pay});
    EXPECT_THAT(reasons(), ElementsAre("workflow_not_configured"));
    sandbox_.edit(1, {{"workflowId", 12}});
    run_well({pay});
    EXPECT_THAT(reasons(), IsEmpty());
    EXPECT_EQ(state_of(1), "paying");
}

TEST_F(ChangedDraw, voided_after_its_release_makes_the_voider_a_maker_of_the_next_file) {
    add(1, 4);
    run_well({poll, pay});
    const auto staged = folder_.path() / "state/spool/staged" / files().front().name;
    std::filesystem::rename(staged, folder_.path() / "taken");
    ASSERT_TRUE(void_file(*context_, files().front().name, "lost", eva()));
    run_well({pay});
    ASSERT_THAT(files(), SizeIs(2));
    EXPECT_THAT(makers(), ElementsAre(HasSubstr("voided a file of which there may be a copy, with draw 1")));
    EXPECT_FALSE(release_now(files().back().name, "mine", eva()));
    EXPECT_TRUE(release_now(files().back().name, "seen", {clock_.now(), "uid 8 (bo)", 8}));
    expect_clean_ledger();
}

TEST_F(ChangedDraw, paid_before_it_names_another_payee_is_an_exception_and_not_reported) {
    config_.pay.release = config::Release::automatic;
    add(1, 4);
    run_well({poll, pay});
    bank_says(ledger::load_file(*ledger_, files().front().file_id).file.payments.front(), "paid");
    sandbox_.edit(1, {{"fieldA", "PAYEE-2"}, {"caseId", 77}, {"status", 5}});
    run_well({poll});
    EXPECT_THAT(
        exception_details("draw_changed_after_payment"),
        ElementsAre(AllOf(HasSubstr("the payee was 'PAYEE-1' and is now 'PAYEE-2'"), HasSubstr("the case was"))));
    run_well({report});
    EXPECT_NE(state_of(1), "reported");
    EXPECT_TRUE(sandbox_.draw(1).at("disbursedDate").is_null());
    resolve_all("draw_changed_after_payment", eva());
    sandbox_.edit(1, {{"fieldE", "seen"}});
    run_well({poll});
    EXPECT_THAT(reasons(), IsEmpty()) << "a person knows of exactly this";
    const auto resolved = ledger::exceptions_of_draw(*ledger_, 1).back().exception_id;
    ASSERT_TRUE(
        ledger_->transaction([&] { return ledger::undo_resolution(*ledger_, {resolved, "too early"}, eva()); }));
    sandbox_.edit(1, {{"fieldE", "seen again"}});
    run_well({poll});
    EXPECT_THAT(reasons(), ElementsAre("draw_changed_after_payment")) << "nobody knows of it any more";
    resolve_all("draw_changed_after_payment", eva());
    sandbox_.edit(1, {{"caseId", 78}});
    run_well({poll});
    EXPECT_THAT(reasons(), ElementsAre("draw_changed_after_payment")) << "another change";
    resolve_all("draw_changed_after_payment", eva());
    run_well({report});
    EXPECT_EQ(state_of(1), "reported");
    expect_clean_ledger();
}

// In the portal, a draw that waits to be paid and one that was paid are both Approved.
TEST_F(ChangedDraw, disbursed_while_it_waits_to_be_paid_is_an_exception) {
    add(1, 4);
    add(2, 5);
    run_well({poll});
    EXPECT_THAT(reasons(), IsEmpty()) << "draw 2 was Disbursed before Drawbridge saw it";
    sandbox_.edit(1, {{"status", 5}});
    run_well({poll});
    EXPECT_EQ(state_of(1), "external");
    EXPECT_THAT(reasons(), ElementsAre("disbursed_unpaid"));
    resolve_all("disbursed_unpaid", eva());
    sandbox_.edit(1, {{"fieldE", "seen"}});
    run_well({poll});
    EXPECT_THAT(reasons(), IsEmpty()) << "a person knows of it";
}

TEST_F(ChangedDraw, disbursed_while_its_file_waits_is_an_exception_once_the_file_is_void) {
    add(1, 4);
    run_well({poll, pay});
    sandbox_.edit(1, {{"status", 5}});
    run_well({poll});
    EXPECT_THAT(reasons(), IsEmpty()) << "it has a payment";
    ASSERT_TRUE(void_file(*context_, files().front().name, "wrong day", eva()));
    EXPECT_THAT(reasons(), ElementsAre("disbursed_unpaid"));
    sandbox_.edit(1, {{"status", 4}});
    run_well({poll, pay});
    EXPECT_THAT(reasons(), ElementsAre("disbursed_elsewhere")) << "a person lets it be paid";
    expect_clean_ledger();
}

// As after a restore of the service, which gives the numbers of lost draws again.
TEST_F(ChangedDraw, whose_number_is_used_again_for_a_like_request_is_an_exception) {
    config_.pay.release = config::Release::automatic;
    add(1, 4);
    run_well({poll, pay});
    bank_says(ledger::load_file(*ledger_, files().front().file_id).file.payments.front(), "paid");
    sandbox_.edit(1, {{"status", 5}});
    run_well({poll, report});
    ASSERT_EQ(state_of(1), "reported");
    const auto date = sandbox_.draw(1).at("disbursedDate");
    sandbox_.edit(1, {{"requestedDate", "2026-03-05T09:00:00Z"}, {"status", 3}, {"disbursedDate", nullptr}});
    for (const int status : {3, 4}) {
        sandbox_.edit(1, {{"status", status}});
        run_well({poll});
        EXPECT_THAT(reasons(), ElementsAre("draw_changed_after_payment")) << status;
    }
    sandbox_.edit(1, {{"status", 5}, {"disbursedDate", date}});
    run_well({poll});
    EXPECT_THAT(exception_details("draw_changed_after_payment"),
                ElementsAre(HasSubstr("and is now requested at 2026-03-05T09:00:00.000Z")));
}

TEST_F(ChangedDraw, paid_before_its_amount_and_payee_change_names_both_changes) {
    config_.pay.release = config::Release::automatic;
    add(1, 4);
    run_well({poll, pay});
    sandbox_.edit(1, {{"fieldA", "PAYEE-2"}, {"amountApproved", 999.0}});
    run_well({poll});
    EXPECT_THAT(exception_details("amount_changed_after_payment"),
                ElementsAre(AllOf(HasSubstr("the approved amount is now $999.00"),
                                  HasSubstr("the payee was 'PAYEE-1' and is now 'PAYEE-2'"))));
}

TEST_F(ChangedDraw, paid_before_its_description_changes_is_no_exception) {
    config_.pay.release = config::Release::automatic;
    add(1, 4);
    run_well({poll, pay});
    sandbox_.edit(1, {{"description", "another text"}});
    run_well({poll});
    EXPECT_THAT(reasons(), IsEmpty());
}

TEST_F(ChangedDraw, voided_while_it_was_staged_makes_nobody_a_maker) {
    add(1, 4);
    run_well({poll, pay});
    ASSERT_TRUE(void_file(*context_, files().front().name, "wrong day", eva()));
    run_well({pay});
    EXPECT_THAT(makers(), IsEmpty());
}

}  // namespace
}  // namespace drawbridge::pipeline
