#include <algorithm>
#include <boost/asio/post.hpp>
#include <iterator>
#include <limits>
#include <utility>

#include "drawbridge/ledger/facts/decisions.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/restorations.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/store/read_ahead.hpp"
#include "drawbridge/pipeline/after_restore.hpp"
#include "drawbridge/pipeline/high_water.hpp"
#include "drawbridge/pipeline/steps.hpp"
#include "in_flight.hpp"
#include "observe.hpp"
#include "payable.hpp"
#include "read_draws.hpp"
#include "step_runner.hpp"

namespace drawbridge::pipeline {
namespace {

// Ascending in status: a draw that moves on during the sweep shows up in a later query or in the next sweep.
constexpr DrawStatus swept[] = {DrawStatus::pending_approval, DrawStatus::approved, DrawStatus::disbursed};
constexpr std::size_t max_drifted_listed = 10;
constexpr int unreadable_per_poll = 100;

struct Sweeping {
    Context& context;
    Observer observer;
    ledger::Sweep sweep;
    std::optional<Instant> since;             // incremental: draws modified since then
    std::optional<Instant> should_have_seen;  // full: earlier polls should have shown draws modified before this
    std::int64_t bad = 0;
    std::vector<DrawId> seen;     // with repeats; sorted after the lists are read
    std::vector<DrawId> drifted;  // changed without a new modifiedDate
};

void record_bad(Sweeping& state, const service::BadRecord& record) {
    ledger::raise_exception(
        state.context.ledger,
        {"poll", "bad_record", record.id, std::nullopt, record.mark,
         record.message + ": it is not decided, approved or paid until the service shows it correctly"},
        state.context.stamp());
    ++state.bad;
    if (record.id) state.seen.push_back(*record.id);
}

// Ignore a draw that is not submitted, submitted or cancelled and was never seen in a later status or unreadable.
bool is_relevant(Sweeping& state, const Draw& draw) {
    const bool is_new_to_see =
        draw.status >= DrawStatus::pending_approval || state.observer.has_open_exceptions(draw.id);
    if (is_new_to_see && is_configured(state.context, draw)) return true;
    return ledger::newest_reading(state.context.ledger, draw.id).has_value();
}

void record_draw(Sweeping& state, const Draw& draw) {
    ++state.sweep.draws_read;
    auto& newest = state.sweep.newest_modified_date;
    if (draw.modified_date <= state.sweep.started_at)
        newest = newest ? std::max(*newest, draw.modified_date) : draw.modified_date;
    state.seen.push_back(draw.id);
    if (!is_relevant(state, draw)) return;
    const auto recorded = state.observer.observe(draw, ledger::ReadingSource::poll);
    if (!recorded.changed) return;
    ++state.sweep.draws_changed;
    if (state.should_have_seen && draw.modified_date < *state.should_have_seen) state.drifted.push_back(draw.id);
}

asio::awaitable<void> fetch(Context& context, service::ListQuery query, Result<service::DrawPage>& into) {
    into = co_await context.service.list(query);
}

asio::awaitable<void> store(Sweeping& state, const service::DrawPage& page) {
    // Let the request for the next page leave first: it is in flight while this page is written.
    for (int turns = 0; turns < 4; ++turns)
        co_await asio::post(asio::use_awaitable);
    // A lost page can be requested again. The commit that records the complete sweep syncs everything.
    state.context.ledger.transaction_deferred_sync([&] {
        const ledger::ReadAhead known(state.context.ledger, [&] {
            for (const auto& draw : page.draws)
                state.observer.ask(draw);
        });
        for (const auto& draw : page.draws)
            record_draw(state, draw);
        for (const auto& record : page.bad)
            record_bad(state, record);
    });
    state.context.progress("poll", state.sweep.draws_read, 0);
}

asio::awaitable<Result<void>> sweep_one(Sweeping& state, service::ListQuery query) {
    auto page = co_await state.context.service.list(query);
    while (page) {
        if (page->last) {
            co_await store(state, *page);
            co_return Result<void>();
        }
        query.after_id = page->last_id;
        Result<service::DrawPage> next = fail(ErrorCode::cancelled, "not requested");
        std::vector<asio::awaitable<void>> both;
        both.push_back(fetch(state.context, query, next));
        both.push_back(store(state, *page));
        co_await run_all(std::move(both));
        page = std::move(next);
    }
    co_return std::unexpected(page.error());
}

std::vector<service::ListQuery> queries(const Sweeping& state) {
    const auto& configured = state.context.config.service;
    std::vector<std::optional<std::int64_t>> workflows(configured.workflows.begin(), configured.workflows.end());
    if (workflows.empty()) workflows.emplace_back(std::nullopt);
    std::vector<std::optional<DrawStatus>> statuses(std::begin(swept), std::end(swept));
    if (state.since) statuses = {std::nullopt};
    std::vector<service::ListQuery> all;
    for (const auto& status : statuses) {
        for (const auto& workflow : workflows) {
            service::ListQuery query;
            query.status = status;
            query.workflow_id = workflow;
            query.modified_since = state.since;
            query.page_size = configured.page_size;
            all.push_back(query);
        }
    }
    return all;
}

// Reads draws one by one. A draw that cannot be read becomes an exception and does not delay the others: the sweep
// before showed that the service answers.
asio::awaitable<Result<void>> read_singly(Sweeping& state, std::vector<DrawId> ids) {
    const auto readings = co_await read_draws(state.context, "poll", ids);
    std::optional<Error> error;
    state.context.ledger.transaction([&] {
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (readings[i] && *readings[i]) {
                record_draw(state, **readings[i]);
            } else if (readings[i]) {
                state.observer.missing(ids[i], "poll");
            } else if (readings[i].error().code == ErrorCode::unauthorized ||
                       readings[i].error().code == ErrorCode::cancelled) {
                error = readings[i].error();
            } else {
                state.observer.unreadable(ids[i], "poll", readings[i].error());
                ++state.bad;
            }
        }
    });
    if (error) co_return std::unexpected(*error);
    co_return Result<void>();
}

// Unfinished draws that a full sweep did not show: they were cancelled, reverted or removed.
asio::awaitable<std::vector<DrawId>> unseen(Sweeping& state) {
    constexpr int draws_at_once = 10'000;
    std::vector<DrawId> ids;
    DrawId after = std::numeric_limits<DrawId>::min();
    while (true) {
        co_await asio::post(asio::use_awaitable);
        const auto unfinished = ledger::unfinished_draws(state.context.ledger, after, draws_at_once);
        if (unfinished.empty()) co_return ids;
        after = unfinished.back();
        std::ranges::copy_if(unfinished, std::back_inserter(ids),
                             [&](DrawId id) { return !std::ranges::binary_search(state.seen, id); });
    }
}

std::vector<DrawId> next_portal_watch(Context& context) {
    auto ids = ledger::draws_waiting_for_portal(context.ledger, context.portal_watch_after,
                                                context.settings.portal_watch_per_poll);
    context.portal_watch_after = ids.empty() ? 0 : ids.back();
    return ids;
}

// Draws that could not be read before and that this sweep did not show: without a change, no incremental sweep does.
void add_unreadable(Sweeping& state, std::vector<DrawId>& ids) {
    auto& after = state.context.unreadable_after;
    auto unreadable = ledger::unreadable_draws(state.context.ledger, after, unreadable_per_poll);
    if (unreadable.empty() && after > 0)
        unreadable = ledger::unreadable_draws(state.context.ledger, 0, unreadable_per_poll);
    after = unreadable.empty() ? 0 : unreadable.back();
    std::ranges::copy_if(unreadable, std::back_inserter(ids), [&](DrawId id) {
        return !std::ranges::binary_search(state.seen, id) && std::ranges::find(ids, id) == ids.end();
    });
}

asio::awaitable<Result<void>> sweep(Sweeping& state) {
    for (const auto& query : queries(state)) {
        auto done = co_await sweep_one(state, query);
        if (!done) co_return done;
    }
    std::ranges::sort(state.seen);
    std::vector<DrawId> ids;
    if (state.since) {
        ids = next_portal_watch(state.context);
    } else {
        ids = co_await unseen(state);
    }
    add_unreadable(state, ids);
    co_return co_await read_singly(state, std::move(ids));
}

// Full or incremental, and since when. The position is in the service's time, but dates ahead of ours do not count: one
// draw modified in the year 9999 must not hide all others, even if the service's clock is behind.
void choose_kind(Sweeping& state) {
    const auto& settings = state.context.settings;
    const auto now = state.sweep.started_at;
    const auto last_full = ledger::last_full_sweep(state.context.ledger);
    // A restored ledger is compared with everything that the service shows.
    const auto restoration = ledger::open_restoration(state.context.ledger);
    if (restoration && !restoration->compared_at) return;
    const auto newest = ledger::newest_modified_date(state.context.ledger, now);
    if (!last_full || !newest || settings.full_sweep_interval.count() == 0) return;
    const Instant position = *newest - settings.sweep_overlap;
    if (now - last_full->started_at >= settings.full_sweep_interval || now < last_full->started_at) {
        state.should_have_seen = position;
    } else {
        state.since = position;
        state.sweep.full = false;
    }
}

std::string drift(const std::vector<DrawId>& drifted) {
    std::string text = counted(static_cast<std::int64_t>(drifted.size()), "draw") +
                       " changed without a new modifiedDate, found by the full sweep:";
    for (std::size_t i = 0; i < drifted.size() && i < max_drifted_listed; ++i)
        text += " " + std::to_string(drifted[i]);
    return drifted.size() > max_drifted_listed ? text + " …" : text;
}

std::string summarize(const Sweeping& state) {
    std::string text = counted(state.sweep.draws_read, "draw") + " read (" +
                       (state.sweep.full ? "full sweep" : "changes") + "), " +
                       std::to_string(state.sweep.draws_changed) + " new or changed";
    if (state.bad > 0) text += ", " + counted(state.bad, "record") + " unreadable";
    if (!state.drifted.empty()) text += ", " + std::to_string(state.drifted.size()) + " drifted";
    return text;
}

// The subject of exceptions about the service. A successful poll closes them.
constexpr std::string_view service_subject = "the Draws Service";

void raise_about_service(Context& context, std::string_view reason, std::string detail) {
    context.ledger.transaction([&] {
        ledger::raise_exception(
            context.ledger,
            {"poll", std::string(reason), std::nullopt, std::nullopt, std::string(service_subject), std::move(detail)},
            context.stamp());
    });
}

// While polls fail, nothing is approved, paid or reported, so people must know.
void raise_poll_failure(Context& context, const Error& error) {
    if (error.code == ErrorCode::unauthorized) {
        raise_about_service(
            context, "login_refused",
            error.message + ": nothing is approved or paid until the login works: check the credentials");
    } else if (error.code != ErrorCode::cancelled &&
               ledger::failed_runs_in_a_row(context.ledger, Step::poll) + 1 >= failed_runs_before_exception) {
        raise_about_service(context, "service_unreachable",
                            error.message + ": nothing is approved or paid until a poll succeeds");
    }
}

// Times recorded while the clock was ahead are ignored. A person must know that they are wrong.
void check_clock(Context& context) {
    constexpr std::chrono::minutes tolerance{1};
    const auto last = ledger::last_run_ended_at(context.ledger);
    const Instant now = context.clock.now();
    if (!last || *last <= now + tolerance) return;
    context.ledger.transaction([&] {
        ledger::raise_exception(
            context.ledger,
            {"poll", "clock_went_back", std::nullopt, std::nullopt, "the clock",
             "the last run was recorded at " + format_instant(*last) + ", and it is " + format_instant(now) +
                 " now: times in the future are ignored. Check the machine's clock, and void payment files with wrong "
                 "dates"},
            context.stamp());
    });
}

}  // namespace

asio::awaitable<StepReport> poll(Context& context) {
    check_clock(context);
    StepRunner runner(context, Step::poll);
    Sweeping state{context, Observer(context), {}, {}, {}, 0, {}, {}};
    // Detect a rollback before acting on the older state.
    const auto checked = co_await check_traces(context);
    const bool traces_known = checked || checked.error().code == ErrorCode::conflict;
    if (!checked) runner.problem(checked.error().message);
    state.sweep.started_at = context.clock.now();
    choose_kind(state);
    const auto done = co_await sweep(state);
    if (done) {
        state.sweep.completed_at = context.clock.now();
        context.ledger.transaction([&] {
            ledger::record_sweep(context.ledger, state.sweep);
            ledger::close_exceptions_of_subject(context.ledger, service_subject, "a poll succeeded", context.stamp());
        });
        // The comparison needs every trace, so it waits until the witness can be read.
        if (state.sweep.full && traces_known) {
            co_await complete_interrupted_plan(context);  // it compares whole files
            if (const auto compared = compare_after_restore(context)) runner.problem("after the restore: " + *compared);
        }
    } else {
        raise_poll_failure(context, done.error());
        runner.failed(done.error());
    }
    if (!state.drifted.empty()) runner.problem(drift(state.drifted));
    co_return runner.finish(summarize(state));
}

}  // namespace drawbridge::pipeline
