#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>

#include "drawbridge/ledger/exceptions.hpp"
#include "drawbridge/ledger/restorations.hpp"
#include "drawbridge/ledger/runs.hpp"
#include "drawbridge/pipeline/after_restore.hpp"
#include "drawbridge/pipeline/high_water.hpp"
#include "drawbridge/pipeline/steps.hpp"
#include "in_flight.hpp"
#include "observe.hpp"
#include "read_draws.hpp"
#include "step_runner.hpp"

namespace drawbridge::pipeline {
namespace {

// Ascending in status: a draw that moves on while we sweep is seen by a later sweep, at the latest.
constexpr DrawStatus swept[] = {DrawStatus::pending_approval, DrawStatus::approved, DrawStatus::disbursed};
constexpr std::size_t max_drifted_listed = 10;

struct Sweeping {
    Context& context;
    Observer observer;
    ledger::Sweep sweep;
    std::optional<Instant> since;             // incremental: what was modified from here on
    std::optional<Instant> should_have_seen;  // full: what was modified before this, earlier polls should have shown
    std::int64_t bad = 0;
    std::vector<DrawId> seen;     // unordered, may repeat
    std::vector<DrawId> drifted;  // changed behind the back of modifiedDate
};

void record_bad(Sweeping& state, const service::BadRecord& record) {
    ledger::raise_exception(state.context.ledger,
                            {"poll", "bad_record", record.id, std::nullopt, record.id ? "" : record.field,
                             record.message + ": it is not decided, approved or paid until the service shows it well"},
                            state.context.stamp());
    ++state.bad;
    if (record.id) state.seen.push_back(*record.id);
}

// A draw that is not submitted, submitted or cancelled and was never seen with work before it is none of ours.
bool is_ours(Sweeping& state, const Draw& draw) {
    if (draw.status >= DrawStatus::pending_approval) return true;
    return ledger::newest_reading(state.context.ledger, draw.id).has_value();
}

void take(Sweeping& state, const Draw& draw) {
    ++state.sweep.draws_read;
    auto& newest = state.sweep.newest_modified_date;
    newest = newest ? std::max(*newest, draw.modified_date) : draw.modified_date;
    state.seen.push_back(draw.id);
    if (!is_ours(state, draw)) return;
    const auto recorded = state.observer.observe(draw, ledger::ReadingSource::poll);
    if (!recorded.changed) return;
    ++state.sweep.draws_changed;
    if (state.should_have_seen && draw.modified_date < *state.should_have_seen) state.drifted.push_back(draw.id);
}

asio::awaitable<void> fetch(Context& context, service::ListQuery query, Result<service::DrawPage>& into) {
    into = co_await context.service.list(query);
}

asio::awaitable<void> store(Sweeping& state, const service::DrawPage& page) {
    // Lets the request for the next page leave first: it travels while this page is written.
    for (int turns = 0; turns < 4; ++turns)
        co_await asio::post(asio::use_awaitable);
    // What a page shows can be asked for again; that the sweep is complete is recorded by a commit that syncs all.
    state.context.ledger.transaction_deferred_sync([&] {
        for (const auto& draw : page.draws)
            take(state, draw);
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
        Result<service::DrawPage> next = fail(ErrorCode::cancelled, "not asked for");
        std::vector<asio::awaitable<void>> both;
        both.push_back(fetch(state.context, query, next));
        both.push_back(store(state, *page));
        co_await run_all(std::move(both));
        page = std::move(next);
    }
    co_return std::unexpected(page.error());
}

std::vector<service::ListQuery> queries(const Sweeping& state) {
    const auto& settings = state.context.settings;
    std::vector<std::optional<std::int64_t>> workflows(settings.workflows.begin(), settings.workflows.end());
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
            query.page_size = settings.page_size;
            all.push_back(query);
        }
    }
    return all;
}

// Reads draws singly. One that cannot be read is a case of its own: the sweep before it showed that the service
// answers, and the other draws are not held up.
asio::awaitable<Result<void>> read_singly(Sweeping& state, std::vector<DrawId> ids) {
    const auto readings = co_await read_draws(state.context, "poll", ids);
    std::optional<Error> error;
    state.context.ledger.transaction([&] {
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (readings[i] && *readings[i]) {
                take(state, **readings[i]);
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

// Unfinished draws that a full sweep did not show were cancelled, put back or removed.
std::vector<DrawId> unseen(Sweeping& state) {
    std::ranges::sort(state.seen);
    std::vector<DrawId> ids;
    for (const auto id : ledger::unfinished_draws(state.context.ledger)) {
        if (!std::ranges::binary_search(state.seen, id)) ids.push_back(id);
    }
    return ids;
}

std::vector<DrawId> next_turn_of_portal_watch(Context& context) {
    auto ids = ledger::draws_waiting_for_portal(context.ledger, context.portal_watch_after,
                                                context.settings.portal_watch_per_poll);
    context.portal_watch_after = ids.empty() ? 0 : ids.back();
    return ids;
}

asio::awaitable<Result<void>> sweep(Sweeping& state) {
    for (const auto& query : queries(state)) {
        auto done = co_await sweep_one(state, query);
        if (!done) co_return done;
    }
    // Named: g++ 12 destroys twice what a conditional makes inside a co_await expression.
    auto ids = state.since ? next_turn_of_portal_watch(state.context) : unseen(state);
    co_return co_await read_singly(state, std::move(ids));
}

// Full or incremental, and from when. The mark is the service's time, but never ahead of ours: one draw that was
// modified in the year 9999 must not hide all others.
void choose_kind(Sweeping& state) {
    const auto& settings = state.context.settings;
    const auto now = state.sweep.started_at;
    const auto last_full = ledger::last_full_sweep(state.context.ledger);
    // A ledger that was put back is held against all that the service shows.
    const auto restoration = ledger::open_restoration(state.context.ledger);
    if (restoration && !restoration->compared_at) return;
    const auto newest = ledger::newest_modified_date(state.context.ledger);
    if (!last_full || !newest || settings.full_sweep_every.count() == 0) return;
    const Instant mark = std::min(*newest, now) - settings.sweep_overlap;
    if (now - last_full->started_at >= settings.full_sweep_every || now < last_full->started_at) {
        state.should_have_seen = mark;
    } else {
        state.since = mark;
        state.sweep.full = false;
    }
}

std::string drift(const std::vector<DrawId>& drifted) {
    std::string text = counted(static_cast<std::int64_t>(drifted.size()), "draw") +
                       " had changed without a new modifiedDate, found by the full sweep:";
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

// What these exceptions are about. A poll that goes well closes them.
constexpr std::string_view service_subject = "the Draws Service";
constexpr int failed_polls_before_exception = 3;

void raise_about_service(Context& context, std::string_view reason, std::string detail) {
    context.ledger.transaction([&] {
        ledger::raise_exception(
            context.ledger,
            {"poll", std::string(reason), std::nullopt, std::nullopt, std::string(service_subject), std::move(detail)},
            context.stamp());
    });
}

// Nothing is approved, paid or reported meanwhile: people must hear of it.
void tell_of_failure(Context& context, const Error& error) {
    if (error.code == ErrorCode::unauthorized) {
        raise_about_service(context, "login_refused",
                            error.message +
                                ": nothing is approved or paid until the login works: see to the "
                                "credentials");
    } else if (error.code != ErrorCode::cancelled &&
               ledger::failed_polls_in_a_row(context.ledger) + 1 >= failed_polls_before_exception) {
        raise_about_service(context, "service_unreachable",
                            error.message + ": nothing is approved or paid until a poll goes well");
    }
}

// Times that were recorded while the clock ran ahead are ignored; a person must know that they are wrong.
void look_at_clock(Context& context) {
    constexpr std::chrono::minutes tolerance{1};
    const auto last = ledger::last_run_ended_at(context.ledger);
    const Instant now = context.clock.now();
    if (!last || *last <= now + tolerance) return;
    context.ledger.transaction([&] {
        ledger::raise_exception(
            context.ledger,
            {"poll", "clock_went_back", std::nullopt, std::nullopt, "the clock",
             "the last run was recorded at " + format_instant(*last) + ", and it is " + format_instant(now) +
                 " now: times in the future are ignored. See to the machine's clock, and void payment files whose "
                 "dates are wrong"},
            context.stamp());
    });
}

}  // namespace

asio::awaitable<StepReport> poll(Context& context) {
    look_at_clock(context);
    StepRunner runner(context, Step::poll);
    Sweeping state{context, Observer(context), {}, {}, {}, 0, {}, {}};
    // A rollback is found before anything is done on what it brought back.
    const auto looked = co_await look_at_traces(context);
    const bool traces_known = looked || looked.error().code == ErrorCode::conflict;
    if (!looked) runner.problem(looked.error().message);
    state.sweep.started_at = context.clock.now();
    choose_kind(state);
    const auto done = co_await sweep(state);
    if (done) {
        state.sweep.completed_at = context.clock.now();
        context.ledger.transaction([&] {
            ledger::record_sweep(context.ledger, state.sweep);
            ledger::close_exceptions_of_subject(context.ledger, service_subject, "a poll went well", context.stamp());
        });
        // What a trace knows belongs into the comparison: it waits until the witness can be read.
        if (state.sweep.full && traces_known) {
            if (const auto compared = compare_after_restore(context)) runner.problem("after the restore: " + *compared);
        }
    } else {
        tell_of_failure(context, done.error());
        runner.failed(done.error());
    }
    if (!state.drifted.empty()) runner.problem(drift(state.drifted));
    co_return runner.finish(summarize(state));
}

}  // namespace drawbridge::pipeline
