#include <algorithm>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

#include "clock_check.hpp"
#include "drawbridge/ledger/facts/decisions.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/restorations.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/store/read_ahead.hpp"
#include "drawbridge/pipeline/after_restore.hpp"
#include "drawbridge/pipeline/high_water.hpp"
#include "drawbridge/pipeline/let_others_run.hpp"
#include "drawbridge/pipeline/payment_files.hpp"
#include "drawbridge/pipeline/steps.hpp"
#include "in_flight.hpp"
#include "observe.hpp"
#include "payable.hpp"
#include "raise_about.hpp"
#include "read_draws.hpp"
#include "step_runner.hpp"

namespace drawbridge::pipeline {
namespace {

// Ascending in status: a draw that moves on during the sweep shows up in a later query or in the next sweep.
constexpr DrawStatus swept[] = {DrawStatus::pending_approval, DrawStatus::approved, DrawStatus::disbursed};
constexpr std::size_t max_drifted_listed = 10;
constexpr int unreadable_per_poll = 100;
// Draws may be added while a list is read, but not so many.
constexpr std::int64_t max_more_than_counted = 10'000;
constexpr std::int64_t max_uncounted = 20'000'000;  // of a service that counts nothing
// While lists lack draws, or until a restoration ends: what the service shows late is found only when all is read.
constexpr std::chrono::milliseconds full_sweep_interval_in_doubt = std::chrono::hours(1);

struct Sweeping {
    Context& context;
    Observer observer;
    ledger::Sweep sweep;
    std::optional<Instant> since;             // incremental: draws modified since then
    std::optional<Instant> should_have_seen;  // full: earlier polls should have shown draws modified before this
    std::int64_t bad = 0;
    std::int64_t without_id = 0;     // of these
    std::string first_without_id{};  // its fault
    std::vector<DrawId> seen;        // with repeats; sorted after the lists are read
    std::vector<DrawId> unread;      // listed with a part of their fields
    std::vector<DrawId> drifted;     // changed without a new modifiedDate
    std::string lacking{};           // the first list that counts more draws than it shows; empty: none
    // No draw was shown as modified since then, but the full sweep found some: the service's filter fails.
    std::optional<Instant> missed_since{};
};

void record_bad(Sweeping& state, const service::BadRecord& record) {
    ++state.bad;
    if (!record.id) {
        if (++state.without_id == 1) state.first_without_id = record.message;
        return;
    }
    ledger::raise_exception(
        state.context.ledger,
        {"poll", "bad_record", record.id, std::nullopt, "",
         record.message + ": it is not decided, approved or paid until the service shows it correctly"},
        state.context.stamp());
    state.seen.push_back(*record.id);
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

// A draw of which the list shows only a part is read by itself if it is new or changed.
void record_incomplete(Sweeping& state, const Draw& draw) {
    state.seen.push_back(draw.id);
    const auto known = ledger::newest_reading(state.context.ledger, draw.id);
    const bool is_changed =
        known && (known->draw.status != draw.status || known->draw.modified_date != draw.modified_date);
    if (known ? is_changed : is_relevant(state, draw)) state.unread.push_back(draw.id);
}

asio::awaitable<void> fetch(Context& context, service::ListQuery query, Result<service::DrawPage>& into) {
    into = co_await context.service.list(query);
}

asio::awaitable<void> store(Sweeping& state, const service::DrawPage& page) {
    // Let the request for the next page leave first: it is in flight while this page is written.
    for (int turns = 0; turns < 4; ++turns)
        co_await let_others_run(state.context.ledger);
    // A lost page can be requested again. The commit that records the complete sweep syncs everything.
    state.context.ledger.transaction_deferred_sync([&] {
        const ledger::ReadAhead known(state.context.ledger, [&] {
            for (const auto& draw : page.draws)
                state.observer.ask(draw);
        });
        for (const auto& draw : page.draws)
            record_draw(state, draw);
        for (const auto& draw : page.incomplete)
            record_incomplete(state, draw);
        for (const auto& record : page.bad)
            record_bad(state, record);
    });
    state.context.progress("poll", state.sweep.draws_read, 0);
}

std::string describe(const service::ListQuery& query) {
    std::string text = "the list of draws";
    if (query.status) text += " that are " + to_string(*query.status);
    if (query.workflow_id) text += " in workflow " + std::to_string(*query.workflow_id);
    if (query.modified_since) text += " modified since " + format_instant(*query.modified_since);
    return text;
}

// Compares what the service counts for a query with what it showed. Draws may leave the list while it is read, so it is
// asked again. A service that counts as many for a query that no draw matches counts something else.
asio::awaitable<Result<void>> check_count(Sweeping& state, service::ListQuery query, std::int64_t counted,
                                          std::int64_t shown, DrawId last_id) {
    if (counted <= shown) co_return Result<void>();
    const auto again = co_await state.context.service.list(query);
    if (!again) co_return std::unexpected(again.error());
    counted = std::min(counted, again->counted);
    if (counted <= shown) co_return Result<void>();
    const std::string which = describe(query);
    // Some services take no id beyond 32 bits.
    query.after_id = std::max<DrawId>(last_id, std::numeric_limits<std::int32_t>::max());
    const auto none = co_await state.context.service.list(query);
    const bool is_about_the_query = !none || none->counted < counted;
    if (is_about_the_query && state.lacking.empty()) {
        state.lacking = which + " shows " + std::to_string(shown) + ", but counts " + std::to_string(counted) +
                        ": draws are missing from it, or its total is wrong";
    }
    co_return Result<void>();
}

std::int64_t records_of(const service::DrawPage& page) {
    return std::ssize(page.draws) + std::ssize(page.incomplete) + std::ssize(page.bad) + page.repeated + page.older;
}

asio::awaitable<Result<void>> sweep_one(Sweeping& state, service::ListQuery query) {
    const service::ListQuery whole = query;
    std::int64_t shown = 0;
    auto page = co_await state.context.service.list(query);
    const std::int64_t counted = page ? page->counted : 0;
    const bool counts_all = page && counted > records_of(*page);  // and not just the records of a page
    const std::int64_t most = counts_all ? 2 * std::min(counted, max_uncounted) + max_more_than_counted : max_uncounted;
    while (page) {
        shown += records_of(*page);
        if (shown > most) {
            co_return fail(ErrorCode::protocol, describe(whole) + " does not end: it shows " + std::to_string(shown) +
                                                    " and counts " + std::to_string(counted));
        }
        if (page->last) {
            co_await store(state, *page);
            co_return co_await check_count(state, whole, counted, shown, page->last_id);
        }
        query.after_id = page->last_id;
        Result<service::DrawPage> next = fail(ErrorCode::cancelled, "not requested");
        std::vector<asio::awaitable<void>> both;
        both.push_back(fetch(state.context, query, next));
        both.push_back(store(state, *page));
        co_await run_all(std::move(both));
        page = std::move(next);
        // Some services have no page after the last one.
        const bool is_past_the_end = !page && page.error().code == ErrorCode::not_found && counts_all;
        if (is_past_the_end && shown >= counted) co_return Result<void>();
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

// Reads draws one by one. A draw that cannot be read becomes an exception and does not delay the others, unless the
// service takes no calls any more.
asio::awaitable<Result<void>> read_some(Sweeping& state, const std::vector<DrawId>& ids) {
    const auto readings = co_await read_draws(state.context, "poll", ids);
    std::optional<Error> error;
    state.context.ledger.transaction([&] {
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (readings[i] && *readings[i]) {
                record_draw(state, **readings[i]);
            } else if (readings[i]) {
                state.observer.missing(ids[i], "poll");
            } else if (is_hopeless(state.context, readings[i].error())) {
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

asio::awaitable<Result<void>> read_singly(Sweeping& state, std::span<const DrawId> ids) {
    constexpr std::size_t at_once = 1000;
    while (!ids.empty()) {
        const auto some = ids.first(std::min(ids.size(), at_once));
        ids = ids.subspan(some.size());
        const std::vector<DrawId> next(some.begin(), some.end());
        if (auto done = co_await read_some(state, next); !done) co_return done;
    }
    co_return Result<void>();
}

// Unfinished draws that a full sweep did not show: they were cancelled, reverted or removed.
asio::awaitable<std::vector<DrawId>> unseen(Sweeping& state) {
    constexpr int draws_at_once = 10'000;
    std::vector<DrawId> ids;
    DrawId after = std::numeric_limits<DrawId>::min();
    while (true) {
        co_await let_others_run();
        const auto unfinished = ledger::unfinished_draws(state.context.ledger, after, draws_at_once);
        if (unfinished.empty()) co_return ids;
        after = unfinished.back();
        std::ranges::copy_if(unfinished, std::back_inserter(ids),
                             [&](DrawId id) { return !std::ranges::binary_search(state.seen, id); });
    }
}

asio::awaitable<std::vector<DrawId>> next_portal_watch(Context& context) {
    constexpr int payments_at_once = 1000;
    const auto most = static_cast<std::size_t>(context.settings.portal_watch_per_poll);
    std::vector<DrawId> ids;
    DrawId& after = context.memory.portal_watch_after;
    while (ids.size() < most) {
        co_await let_others_run();
        const auto up_to = ledger::unfinished_up_to(context.ledger, after, payments_at_once);
        if (!up_to) {
            after = 0;
            break;
        }
        auto waiting = ledger::draws_waiting_for_portal(context.ledger, after, *up_to);
        after = *up_to;
        if (const auto room = most - ids.size(); waiting.size() > room) {
            waiting.resize(room);
            after = waiting.back();
        }
        std::ranges::move(waiting, std::back_inserter(ids));
    }
    co_return ids;
}

// Draws that could not be read before and that this sweep did not show: without a change, no incremental sweep does.
void add_unreadable(Sweeping& state, std::vector<DrawId>& ids) {
    auto& after = state.context.memory.unreadable_after;
    auto unreadable = ledger::unreadable_draws(state.context.ledger, after, unreadable_per_poll);
    if (unreadable.empty() && after > 0)
        unreadable = ledger::unreadable_draws(state.context.ledger, 0, unreadable_per_poll);
    after = unreadable.empty() ? 0 : unreadable.back();
    std::ranges::copy_if(unreadable, std::back_inserter(ids), [&](DrawId id) {
        return !std::ranges::binary_search(state.seen, id) && std::ranges::find(ids, id) == ids.end();
    });
}

asio::awaitable<Result<void>> read_lists(Sweeping& state) {
    for (const auto& query : queries(state)) {
        auto done = co_await sweep_one(state, query);
        if (!done) co_return done;
    }
    std::ranges::sort(state.seen);
    co_return Result<void>();
}

// The draw that set the position was modified since, so the list shows it unless it is gone. An empty list is doubted
// once for a position, and everything is read.
asio::awaitable<Result<void>> doubt_empty_list(Sweeping& state) {
    auto& undoubted = state.context.memory.nothing_modified_since;
    const bool is_empty = state.seen.empty() && state.bad == 0;
    if (!state.since || !is_empty || undoubted == state.since) co_return Result<void>();
    const Instant since = *std::exchange(state.since, std::nullopt);
    state.sweep.full = true;
    auto done = co_await read_lists(state);
    const auto& newest = state.sweep.newest_modified_date;
    if (newest && *newest >= since) {
        state.missed_since = since;
    } else if (done) {
        undoubted = since;
    }
    co_return done;
}

asio::awaitable<Result<void>> sweep(Sweeping& state) {
    auto done = co_await read_lists(state);
    if (done) done = co_await doubt_empty_list(state);
    if (!done) co_return done;
    std::vector<DrawId> ids;
    if (state.since) {
        ids = co_await next_portal_watch(state.context);
        // What the list has just shown is newer than what a reading of its own would be worth.
        std::erase_if(ids, [&](DrawId id) { return std::ranges::binary_search(state.seen, id); });
    } else {
        ids = co_await unseen(state);
    }
    add_unreadable(state, ids);
    std::ranges::sort(state.unread);
    const auto repeated = std::ranges::unique(state.unread);
    ids.insert(ids.end(), state.unread.begin(), repeated.begin());
    co_return co_await read_singly(state, ids);
}

// The subjects of exceptions about the service. A successful poll closes those about the first, a full sweep that read
// all draws those about the second, and one in which each record has an id those about the third.
constexpr std::string_view service_subject = "the Draws Service";
constexpr std::string_view lists_subject = "lists of the Draws Service";
constexpr std::string_view records_subject = "records of the Draws Service";

// One exception for all of them: a deployment of the service may spoil each record.
void tell_of_records_without_id(Sweeping& state) {
    if (state.without_id == 0) return;
    raise_about(state.context, Step::poll, records_subject, "bad_record",
                counted(state.without_id, "record") + " cannot be read and " +
                    (state.without_id == 1 ? "has" : "have") + " no id; the first: " + state.first_without_id +
                    ": what has no id is not decided, approved or paid until the service shows it correctly");
}

bool is_told_of_missing_draws(Context& context) {
    return ledger::has_open_exception(context.ledger, lists_subject, "draws_missing");
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
    std::chrono::milliseconds interval = settings.full_sweep_interval;
    if (restoration || is_told_of_missing_draws(state.context))
        interval = std::min(interval, full_sweep_interval_in_doubt);
    if (now - last_full->started_at >= interval || now < last_full->started_at) {
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

bool fails_for_long(Context& context) {
    return ledger::failed_runs_in_a_row(context.ledger, Step::poll) + 1 >= failed_runs_before_exception;
}

// While polls fail, nothing is approved, paid or reported, so people must know.
void raise_poll_failure(Context& context, const Error& error) {
    if (error.code == ErrorCode::unauthorized) {
        raise_about(context, Step::poll, service_subject, "login_refused",
                    error.message + ": nothing is approved or paid until the login works: check the credentials");
    } else if (error.code != ErrorCode::cancelled && fails_for_long(context)) {
        raise_about(context, Step::poll, service_subject, "service_unreachable",
                    error.message + ": nothing is approved or paid until a poll succeeds");
    }
}

// Whether a sweep counts as complete. One that lacks draws counts only once people know: draws must not be missed in
// silence, and a total that is wrong forever must not stop payments.
bool is_complete(Sweeping& state, StepRunner& runner) {
    Context& context = state.context;
    if (state.lacking.empty()) return true;
    if (fails_for_long(context)) {
        raise_about(context, Step::poll, lists_subject, "draws_missing",
                    state.lacking +
                        ": draws that it does not show are not decided, approved or paid: ask the Draws Service team");
    }
    if (is_told_of_missing_draws(context)) {
        runner.problem(state.lacking);
        return true;
    }
    runner.failed(state.lacking + ": everything is read again");
    return false;
}

}  // namespace

asio::awaitable<StepReport> poll(Context& context) {
    check_clock(context);
    StepRunner runner(context, Step::poll);
    Sweeping state{context, Observer(context), {}, {}, {}, 0, 0, {}, {}, {}, {}, {}};
    // Detect a rollback before acting on the older state.
    const auto checked = co_await check_traces(context);
    const bool traces_known = checked || checked.error().code == ErrorCode::conflict;
    if (!checked) runner.problem(checked.error().message);
    state.sweep.started_at = context.clock.now();
    choose_kind(state);
    const auto done = co_await sweep(state);
    tell_of_records_without_id(state);
    if (!done) {
        raise_poll_failure(context, done.error());
        runner.failed(done.error());
    } else if (is_complete(state, runner)) {
        state.sweep.completed_at = context.clock.now();
        context.ledger.transaction([&] {
            ledger::record_sweep(context.ledger, state.sweep);
            ledger::close_exceptions_of_subject(context.ledger, service_subject, "a poll succeeded", context.stamp());
            if (state.sweep.full && state.lacking.empty()) {
                ledger::close_exceptions_of_subject(context.ledger, lists_subject, "every list shows what it counts",
                                                    context.stamp());
                if (state.without_id == 0) {
                    ledger::close_exceptions_of_subject(context.ledger, records_subject, "every record has an id",
                                                        context.stamp());
                }
            }
        });
        // The comparison needs every trace, so it waits until the witness can be read.
        if (state.sweep.full && traces_known) {
            co_await complete_interrupted_plan(context);  // it compares whole files
            if (const auto compared = compare_after_restore(context)) runner.problem("after the restore: " + *compared);
        }
        report_late_approvals(context);
    }
    raise_overdue_releases(context);
    if (!state.drifted.empty()) runner.problem(drift(state.drifted));
    if (state.missed_since) {
        runner.problem("the service shows no draw modified since " + format_instant(*state.missed_since) +
                       ", although there are some: everything was read: check that it honors modifiedDate[gte]");
    }
    co_return runner.finish(summarize(state));
}

}  // namespace drawbridge::pipeline
