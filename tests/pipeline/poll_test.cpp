#include <algorithm>
#include <set>

#include "pipeline/pipeline_fixture.hpp"

namespace drawbridge::pipeline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Polling : public Pipeline {
  protected:
    void poll_incrementally() { context_->settings.full_sweep_interval = std::chrono::hours(24); }
};

TEST_F(Polling, mirrors_pending_approved_and_disbursed_draws_over_many_pages) {
    for (DrawId id = 1; id <= 20; ++id)
        add(id, /*status=*/static_cast<int>(id % 6));
    run_well({poll});
    for (DrawId id = 1; id <= 20; ++id)
        EXPECT_EQ(state_of(id) != "unknown", id % 6 >= 3) << id;
    expect_clean_ledger();
}

TEST_F(Polling, only_the_configured_workflows_are_seen) {
    sandbox_.add({.id = 1, .cents = 100, .payee = "PAYEE-1", .workflow = 12});
    sandbox_.add({.id = 2, .cents = 100, .payee = "PAYEE-1", .workflow = 14});
    sandbox_.add({.id = 3, .cents = 100, .payee = "PAYEE-1", .workflow = 21});
    config_.service.workflows = {12, 21};
    run_well({poll});
    EXPECT_EQ(state_of(1), "pending");
    EXPECT_EQ(state_of(2), "unknown");
    EXPECT_EQ(state_of(3), "pending");
}

class Untrustworthy : public Polling, public ::testing::WithParamInterface<const char*> {};

TEST_P(Untrustworthy, answers_that_do_not_match_the_request_fail_the_poll) {
    for (DrawId id = 1; id <= 8; ++id)
        add(id, id < 5 ? 3 : 1);
    fault((R"({"endpoint": "list", "times": 50, "kind": ")" + std::string(GetParam()) + R"("})").c_str());
    const auto report = run(poll);
    EXPECT_FALSE(report.ok);
    ASSERT_FALSE(report.problems.empty());
    EXPECT_THAT(report.problems.back(), HasSubstr("does not match the request"));
    EXPECT_EQ(state_of(6), "unknown") << "unrequested draws are not recorded";
}

INSTANTIATE_TEST_SUITE_P(service, Untrustworthy,
                         ::testing::Values("ignore_filters", "ignore_page_size", "repeat_page"));

TEST_F(Polling, a_draw_that_is_listed_twice_stops_nothing) {
    for (DrawId id = 1; id <= 8; ++id)
        add(id);
    fault(R"({"endpoint": "list", "times": 50, "kind": "duplicate_record"})");
    run_well({poll});
    EXPECT_EQ(state_of(1), "pending");
    EXPECT_EQ(state_of(8), "pending");
    EXPECT_THAT(reasons(), IsEmpty());
}

TEST_F(Polling, a_cancelled_or_reverted_draw_is_read_individually) {
    for (DrawId id = 1; id <= 3; ++id)
        add(id);
    run_well({poll});
    sandbox_.act(1, "cancel");
    sandbox_.act(2, "reopen", {{"status", 1}});
    run_well({poll});
    EXPECT_EQ(state_of(1), "cancelled");
    EXPECT_EQ(state_of(2), "pending");
    run_well({decide});
    EXPECT_EQ(state_of(2), "pending") << "rules do not decide a draw in status 1";
    EXPECT_EQ(state_of(3), "approving");
}

TEST_F(Polling, an_unreadable_draw_does_not_delay_others) {
    for (DrawId id = 1; id <= 3; ++id)
        add(id);
    run_well({poll});
    sandbox_.act(1, "cancel");  // no sweep shows it now: it is read individually
    fault(R"({"endpoint": "read", "kind": "invalid_json", "times": 10})");
    run_well({poll, decide, approve});
    EXPECT_THAT(reasons(), ElementsAre("bad_record"));
    EXPECT_EQ(asked(1), 0) << "not approved on an old reading";
    EXPECT_EQ(state_of(2), "approved");
    sandbox_.clear_faults();
    run_well({poll});
    EXPECT_THAT(reasons(), IsEmpty());
    EXPECT_EQ(state_of(1), "cancelled");
}

TEST_F(Polling, only_modified_draws_are_read_between_full_sweeps) {
    poll_incrementally();
    context_->settings.sweep_overlap = std::chrono::milliseconds(0);
    for (DrawId id = 1; id <= 9; ++id) {
        add(id);
        sandbox_.edit(id, {{"modifiedDate", "2026-03-01T10:00:0" + std::to_string(id)}});
    }
    run_well({poll});
    sandbox_.act(4, "cancel");
    add(10);
    const auto report = run(poll);
    EXPECT_THAT(report.summary, HasSubstr("(changes), 2 new or changed"));
    EXPECT_THAT(report.summary, HasSubstr("3 draws read")) << "the two, and the one at the position itself";
    EXPECT_EQ(state_of(4), "cancelled");
    EXPECT_EQ(state_of(10), "pending");
}

TEST_F(Polling, a_full_sweep_reports_drifted_draws) {
    poll_incrementally();
    for (DrawId id = 1; id <= 3; ++id)
        add(id);
    run_well({poll});
    sandbox_.edit(2, {{"amountRequested", 5.0}, {"modifiedDate", "2020-01-01T00:00:00"}});
    EXPECT_THAT(run(poll).summary, HasSubstr("0 new or changed"));
    clock_.ahead = std::chrono::hours(25);
    const auto report = run(poll);
    EXPECT_TRUE(report.ok);
    EXPECT_THAT(report.summary, HasSubstr("1 drifted"));
    ASSERT_FALSE(report.problems.empty());
    EXPECT_THAT(report.problems.back(), HasSubstr("without a new modifiedDate, found by the full sweep: 2"));
}

TEST_F(Polling, a_draw_that_could_not_be_read_is_read_again_between_full_sweeps) {
    poll_incrementally();
    for (DrawId id = 1; id <= 3; ++id) {
        add(id);
        sandbox_.edit(id, {{"modifiedDate", "2026-03-01T10:00:00"}});
    }
    add(4);
    run_well({poll});
    for (const DrawId id : {1, 2}) {
        ledger_->transaction([&] {
            ledger::raise_exception(*ledger_, {"poll", id == 1 ? "bad_record" : "draw_gone", id, std::nullopt, "", "?"},
                                    {clock_.now(), "test"});
        });
    }
    fault(R"({"endpoint": "read", "kind": "status", "drawId": 1, "code": 500, "times": 2})");
    const auto report = run(poll);
    EXPECT_THAT(report.summary, HasSubstr("(changes)"));
    EXPECT_THAT(reasons(), ElementsAre("bad_record")) << "the other can be read";
    run_well({poll, decide});
    EXPECT_THAT(reasons(), IsEmpty());
    EXPECT_EQ(state_of(1), "approving");
}

TEST_F(Polling, a_draw_modified_in_the_future_hides_no_other) {
    poll_incrementally();
    add(1);
    add(2);
    sandbox_.edit(1, {{"modifiedDate", "2036-01-01T00:00:00"}});
    const auto an_hour_ago = format_service_instant(clock_.now() - std::chrono::hours(1));
    sandbox_.edit(2, {{"modifiedDate", an_hour_ago}});
    run_well({poll, poll});
    // The service's clock is behind.
    add(3);
    sandbox_.edit(3, {{"modifiedDate", an_hour_ago}});
    EXPECT_THAT(run(poll).summary, HasSubstr("(changes)"));
    EXPECT_EQ(state_of(3), "pending");
}

TEST_F(Polling, a_failed_poll_does_not_advance_the_position) {
    poll_incrementally();
    add(1);
    run_well({poll});
    sandbox_.act(1, "cancel");
    fault(R"({"endpoint": "list", "kind": "status", "code": 500, "times": 2})");
    EXPECT_FALSE(run(poll).ok);
    run_well({poll});
    EXPECT_EQ(state_of(1), "cancelled");
}

TEST_F(Polling, three_failed_polls_raise_an_exception_that_a_successful_poll_closes) {
    add(1);
    fault(R"({"endpoint": "list", "kind": "status", "code": 503, "times": 100})");
    for (int number = 1; number <= 2; ++number)
        EXPECT_FALSE(run(poll).ok);
    EXPECT_THAT(reasons(), ::testing::IsEmpty()) << "a short outage is no exception";
    EXPECT_FALSE(run(poll).ok);
    EXPECT_THAT(reasons(), ::testing::ElementsAre("service_unreachable"));
    sandbox_.clear_faults();
    connect();  // the circuit would stay open for half a minute
    run_well({poll});
    EXPECT_THAT(reasons(), ::testing::IsEmpty());
}

TEST_F(Polling, a_refused_login_is_an_exception_at_once) {
    fault(R"({"endpoint": "token", "kind": "status", "code": 401, "times": 100})");
    EXPECT_FALSE(run(poll).ok);
    EXPECT_THAT(reasons(), ::testing::ElementsAre("login_refused"));
}

TEST_F(Polling, a_clock_that_was_ahead_raises_one_exception_and_delays_nothing) {
    add(1);
    clock_.ahead = std::chrono::hours(24 * 365 * 5);
    run_well({poll});
    clock_.ahead = std::chrono::hours(0);
    run_well({poll});
    EXPECT_THAT(reasons(), ::testing::ElementsAre("clock_went_back"));
    run_well({poll});
    EXPECT_THAT(reasons(), ::testing::ElementsAre("clock_went_back"));
}

TEST_F(Polling, an_outage_at_a_cutoff_keeps_the_last_error_short) {
    constexpr DrawId draws = 60;
    for (DrawId id = 1; id <= draws; ++id)
        add(id, 4);
    run_well({poll});
    fault(R"({"endpoint": "read", "kind": "status", "code": 503, "times": 10000})");
    EXPECT_FALSE(run(pay).complete);
    EXPECT_LT(service_->health().last_error.size(), 1000U);
}

// The sandbox, but its lists hide draws, count too many, or show records without an id.
class HidingService final : public service::DrawsService {
  public:
    explicit HidingService(service::DrawsService& real) : real_(real) {}
    [[nodiscard]] bool takes_calls() const override { return real_.takes_calls(); }
    [[nodiscard]] service::Task<service::DrawPage> list(service::ListQuery query) override {
        if (before_page) before_page(query);
        if (finds_no_changes && query.modified_since) co_return service::DrawPage();
        auto page = co_await real_.list(query);
        if (page) {
            std::erase_if(page->draws, [&](const Draw& draw) { return hidden.contains(draw.id); });
            page->last = page->last || page->draws.empty();  // as the client takes an empty page
            if (shows_only_a_part) {
                page->incomplete = std::exchange(page->draws, {});
                for (Draw& draw : page->incomplete)
                    draw.description.reset();
            }
            for (const Draw& draw : without_id ? std::exchange(page->draws, {}) : std::vector<Draw>())
                page->bad.push_back({.id = std::nullopt, .field = "id", .message = "id of " + draw.requested_by});
            if (query.after_id < 1000) page->counted += too_many;
            if (counts_everything) page->counted = 1000;
            if (is_endless && page->last) {
                page->last = false;
                page->last_id = query.after_id + 1;
                page->bad.resize(1000, {.id = std::nullopt, .field = "", .message = "no id"});
            }
        }
        co_return page;
    }
    void begin_fresh_reads() override { real_.begin_fresh_reads(); }
    [[nodiscard]] service::Task<std::optional<Draw>> read(DrawId id) override {
        ++reads;
        return real_.read(id);
    }
    [[nodiscard]] service::Task<std::optional<Draw>> patch(DrawId id, service::DrawPatch patch) override {
        return real_.patch(id, std::move(patch));
    }
    [[nodiscard]] service::Task<service::ApprovalAnswer> approve(std::vector<service::Approval> approvals) override {
        return real_.approve(std::move(approvals));
    }

    std::set<DrawId> hidden;
    std::int64_t too_many = 0;
    int reads = 0;
    bool counts_everything = false;  // whatever the query asks for
    bool is_endless = false;
    bool without_id = false;
    bool finds_no_changes = false;
    bool shows_only_a_part = false;  // of each draw
    std::function<void(const service::ListQuery& query)> before_page;

  private:
    service::DrawsService& real_;
};

class LackingLists : public Polling {
  protected:
    explicit LackingLists(DrawId before = 0) : hiding_(*service_) {
        Shared with_hiding{*ledger_, hiding_,           *spool_,         clock_,
                           config_,  shared_->settings, context_->rules, context_->payees};
        context_.reset();
        shared_.emplace(std::move(with_hiding));
        context_.emplace(*shared_);
        poll_incrementally();
        for (DrawId id = 1; id <= 8; ++id)
            add(before + id);
    }
    // Three times, as the daemon does.
    void poll_until_told() {
        for (int number = 1; number <= 2; ++number) {
            const auto report = run(poll);
            EXPECT_FALSE(report.ok);
            EXPECT_THAT(report.summary, HasSubstr("(full sweep)"));
            EXPECT_THAT(report.problems, ElementsAre(HasSubstr("draws are missing from it, or its total is wrong")));
            EXPECT_THAT(reasons(), IsEmpty()) << "it may pass";
        }
        const auto report = run(poll);
        EXPECT_TRUE(report.ok) << "people know: nothing else waits";
        EXPECT_THAT(report.problems, ElementsAre(HasSubstr("draws are missing")));
        EXPECT_THAT(reasons(), ElementsAre("draws_missing"));
    }

    HidingService hiding_;
};

TEST_F(LackingLists, a_draw_shown_in_part_is_read_once_by_id) {
    hiding_.shows_only_a_part = true;
    run_well({poll});
    EXPECT_EQ(hiding_.reads, 8);
    EXPECT_EQ(state_of(8), "pending");
    EXPECT_EQ(ledger::newest_reading(*ledger_, 8)->draw, **run_to_end(service_->read(8)))
        << "with what the list does not show";
    run_well({poll});
    EXPECT_EQ(hiding_.reads, 8) << "nothing changed";
    sandbox_.act(3, "cancel");
    run_well({poll});
    EXPECT_EQ(hiding_.reads, 9);
    EXPECT_EQ(state_of(3), "cancelled");
}

TEST_F(LackingLists, a_sweep_does_not_count_until_people_know_what_it_lacks) {
    hiding_.hidden = {2, 5};
    poll_until_told();
    EXPECT_THAT(ledger::open_exceptions(*ledger_).front().what.detail,
                HasSubstr("draws that are Pending Approval shows 6, but counts 8"));
    EXPECT_EQ(state_of(1), "pending");
    EXPECT_THAT(run(poll).summary, HasSubstr("(changes)")) << "the last counts";
    EXPECT_THAT(reasons(), ElementsAre("draws_missing"));
    hiding_.hidden.clear();
    clock_.ahead += std::chrono::hours(1);
    const auto report = run(poll);
    EXPECT_THAT(report.summary, HasSubstr("(full sweep)")) << "long before the next one is due";
    EXPECT_EQ(state_of(5), "pending");
    EXPECT_THAT(reasons(), IsEmpty());
}

class LackingListsOfLargeIds : public LackingLists {
  protected:
    LackingListsOfLargeIds() : LackingLists(3'000'000'000) {}
};

TEST_F(LackingListsOfLargeIds, are_noticed_too) {
    hiding_.hidden = {3'000'000'002, 3'000'000'005};
    poll_until_told();
    EXPECT_THAT(ledger::open_exceptions(*ledger_).front().what.detail, HasSubstr("shows 6, but counts 8"));
}

TEST_F(LackingLists, a_draw_that_a_list_hides_is_not_taken_for_gone) {
    run_well({poll});
    hiding_.hidden = {2, 5};
    clock_.ahead += std::chrono::hours(25);
    poll_until_told();
    EXPECT_EQ(state_of(2), "pending");
    run_well({decide, approve});
    EXPECT_EQ(approved(2), 1) << "it is read by its id";
    EXPECT_THAT(reasons(), ElementsAre("draws_missing"));
}

TEST_F(LackingLists, an_empty_page_behind_a_total_that_promises_more_is_noticed) {
    hiding_.hidden = {4, 5, 6};  // all of page 2 of 3
    poll_until_told();
    EXPECT_THAT(ledger::open_exceptions(*ledger_).front().what.detail, HasSubstr("shows 3, but counts 8"));
    hiding_.hidden = {1, 2, 3, 4, 5, 6, 7, 8};
    clock_.ahead += std::chrono::hours(1);
    EXPECT_TRUE(run(poll).ok);
    EXPECT_THAT(reasons(), ElementsAre("draws_missing"));
}

TEST_F(LackingLists, a_total_that_is_wrong_forever_stops_nothing) {
    hiding_.too_many = 100;
    poll_until_told();
    run_well({decide, approve, poll});
    EXPECT_EQ(state_of(1), "approved");
    const auto& open = ledger::open_exceptions(*ledger_);
    ledger_->transaction([&] {
        EXPECT_TRUE(
            ledger::close_exception(*ledger_, open.front().exception_id, "so it is", {clock_.now(), "uid 7 (eva)", 7}));
    });
    clock_.ahead += std::chrono::hours(25);
    poll_until_told();
}

TEST_F(LackingLists, a_total_of_something_else_is_ignored) {
    hiding_.counts_everything = true;
    run_well({poll});
    hiding_.counts_everything = false;
    hiding_.too_many = -100;
    clock_.ahead += std::chrono::hours(25);
    run_well({poll});
    EXPECT_THAT(reasons(), IsEmpty());
}

TEST_F(LackingLists, records_without_an_id_are_one_exception_until_a_full_sweep_shows_none) {
    context_->settings.full_sweep_interval = std::chrono::milliseconds(0);
    hiding_.without_id = true;
    run_well({poll, poll});
    EXPECT_THAT(exception_details("bad_record"),
                ElementsAre(HasSubstr("8 records cannot be read and have no id; the first: id of ")));
    hiding_.without_id = false;
    run_well({poll});
    EXPECT_THAT(reasons(), IsEmpty());
    EXPECT_EQ(state_of(8), "pending");
}

TEST_F(LackingLists, a_filter_by_modification_that_finds_nothing_is_noticed_and_everything_is_read) {
    hiding_.finds_no_changes = true;
    run_well({poll});
    add(9);
    const auto report = run(poll);
    EXPECT_TRUE(report.ok);
    EXPECT_THAT(report.summary, HasSubstr("(full sweep), 1 new or changed"));
    EXPECT_THAT(report.problems, ElementsAre(HasSubstr("check that it honors modifiedDate[gte]")));
    EXPECT_EQ(state_of(9), "pending");
}

TEST_F(LackingLists, an_empty_list_of_changes_is_doubted_once_if_the_last_change_is_out_of_sight) {
    config_.service.workflows = {12};
    run_well({poll});
    for (DrawId id = 1; id <= 8; ++id)
        sandbox_.edit(id, {{"workflowId", 14}});
    for (int number = 0; number < 3; ++number)
        EXPECT_THAT(run(poll).problems, IsEmpty());
    EXPECT_THAT(run(poll).summary, HasSubstr("(changes)"));
}

TEST_F(LackingLists, a_list_that_does_not_end_fails_the_poll) {
    hiding_.is_endless = true;
    const auto report = run(poll);
    EXPECT_FALSE(report.ok);
    EXPECT_THAT(report.problems, ElementsAre(HasSubstr("does not end: it shows 11008 and counts 8")));
}

TEST_F(LackingLists, draws_that_leave_a_list_while_it_is_read_are_not_missing) {
    hiding_.before_page = [&](const service::ListQuery& query) {
        if (query.status == DrawStatus::pending_approval && query.after_id == 3) sandbox_.act(8, "cancel");
    };
    run_well({poll});
    EXPECT_THAT(reasons(), IsEmpty());
    EXPECT_EQ(state_of(7), "pending");
}

}  // namespace
}  // namespace drawbridge::pipeline
