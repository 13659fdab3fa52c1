#include <algorithm>

#include "drawbridge/ledger/exceptions.hpp"
#include "drawbridge/pipeline/stages.hpp"
#include "observe.hpp"
#include "read_draws.hpp"
#include "run_stage.hpp"

namespace drawbridge::pipeline {
namespace {

// Ascending in status: a draw that moves on while we sweep is seen by a later sweep, at the latest.
constexpr DrawStatus swept[] = {DrawStatus::pending_approval, DrawStatus::approved, DrawStatus::disbursed};

struct Sweeping {
    Context& context;
    Observer observer;
    ledger::Sweep sweep;
    std::int64_t bad = 0;
    std::vector<DrawId> seen;  // unordered, may repeat
};

void record_bad(Sweeping& state, const service::BadRecord& record) {
    ledger::raise_exception(state.context.ledger,
                            {"poll", "bad_record", record.id, std::nullopt, record.id ? "" : record.field,
                             record.message + ": it is not decided, approved or paid until the service shows it well"},
                            state.context.stamp());
    ++state.bad;
    if (record.id) state.seen.push_back(*record.id);
}

void take(Sweeping& state, const Draw& draw) {
    const auto recorded = state.observer.observe(draw, ledger::ReadingSource::poll);
    ++state.sweep.draws_read;
    if (recorded.changed) ++state.sweep.draws_changed;
    auto& newest = state.sweep.newest_modified_date;
    newest = newest ? std::max(*newest, draw.modified_date) : draw.modified_date;
    state.seen.push_back(draw.id);
}

asio::awaitable<Result<void>> sweep_one(Sweeping& state, service::ListQuery query) {
    while (true) {
        auto page = co_await state.context.service.list(query);
        if (!page) co_return std::unexpected(page.error());
        state.context.ledger.transaction([&] {
            for (const auto& draw : page->draws)
                take(state, draw);
            for (const auto& record : page->bad)
                record_bad(state, record);
        });
        state.context.progress("poll", state.sweep.draws_read, 0);
        if (page->last) co_return Result<void>();
        query.after_id = page->last_id;
    }
}

asio::awaitable<Result<void>> sweep_all(Sweeping& state) {
    std::vector<std::optional<std::int64_t>> workflows(state.context.settings.workflows.begin(),
                                                       state.context.settings.workflows.end());
    if (workflows.empty()) workflows.emplace_back(std::nullopt);
    for (const auto status : swept) {
        for (const auto& workflow : workflows) {
            service::ListQuery query;
            query.status = status;
            query.workflow_id = workflow;
            query.page_size = state.context.settings.page_size;
            auto swept_one = co_await sweep_one(state, query);
            if (!swept_one) co_return swept_one;
        }
    }
    co_return Result<void>();
}

// Unfinished draws that the sweep did not show were cancelled, put back or removed: each is read by itself.
asio::awaitable<Result<void>> read_unseen(Sweeping& state) {
    std::ranges::sort(state.seen);
    std::vector<DrawId> unseen;
    for (const auto id : ledger::unfinished_draws(state.context.ledger)) {
        if (!std::ranges::binary_search(state.seen, id)) unseen.push_back(id);
    }
    const auto readings = co_await read_draws(state.context, "poll", unseen);
    std::optional<Error> first_error;
    state.context.ledger.transaction([&] {
        for (std::size_t i = 0; i < unseen.size(); ++i) {
            if (!readings[i]) {
                if (!first_error) first_error = readings[i].error();
            } else if (*readings[i]) {
                take(state, **readings[i]);
            } else {
                state.observer.missing(unseen[i], "poll");
            }
        }
    });
    if (first_error) co_return std::unexpected(*first_error);
    co_return Result<void>();
}

}  // namespace

asio::awaitable<StageReport> poll(Context& context) {
    StageRunner runner(context, "poll");
    Sweeping state{context, Observer(context), {}, 0, {}};
    state.sweep.started_at = context.clock.now();
    auto done = co_await sweep_all(state);
    if (done) done = co_await read_unseen(state);
    if (done) {
        state.sweep.completed_at = context.clock.now();
        context.ledger.transaction([&] { ledger::record_sweep(context.ledger, state.sweep); });
    } else {
        runner.failed(done.error());
    }
    std::string summary = counted(state.sweep.draws_read, "draw") + " read, " +
                          std::to_string(state.sweep.draws_changed) + " new or changed";
    if (state.bad > 0) summary += ", " + counted(state.bad, "record") + " unreadable";
    co_return runner.finish(std::move(summary));
}

}  // namespace drawbridge::pipeline
