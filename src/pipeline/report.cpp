#include <algorithm>
#include <deque>

#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/domain/shown_date.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/outbox.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/pipeline/let_others_run.hpp"
#include "drawbridge/pipeline/steps.hpp"
#include "effect.hpp"
#include "group_commit.hpp"
#include "observe.hpp"
#include "read_draws.hpp"
#include "step_runner.hpp"
#include "write_back.hpp"

namespace drawbridge::pipeline {
namespace {

using ledger::OpenPatch;
using ledger::PatchOutcome;

constexpr int intents_per_transaction = 500;
constexpr int patches_per_page = 200;

struct Sending {
    explicit Sending(Context& of)
        : context(of),
          observer(of),
          answers(of.ledger, "report.result_committed"),
          newest_known(ledger::newest_open_patch(of.ledger)),
          has_old_readings(ledger::failed_runs_in_a_row(of.ledger, Step::poll) > 0) {}

    Context& context;
    Observer observer;
    GroupCommit answers;
    std::int64_t newest_known;     // patches up to this id are from an earlier run: read back first
    bool has_old_readings;         // the last poll failed: no draw need be Disbursed any more
    std::deque<OpenPatch> page{};  // to be sent next
    std::int64_t read_up_to = 0;   // the last patch that was read into `page`
    std::int64_t sent = 0, reported = 0, waiting = 0, refused = 0, retry = 0;
    std::optional<Error> given_up{};
};

// Records the intents: one per confirmed payment whose draw is Disbursed. All of them are on the disk before any is
// sent.
asio::awaitable<void> open_all(Context& context) {
    DrawId after = 0;
    while (const auto up_to = ledger::unfinished_up_to(context.ledger, after, intents_per_transaction)) {
        co_await let_others_run(context.ledger);
        const auto due = ledger::reports_due(context.ledger, after, *up_to);
        after = *up_to;
        if (due.empty()) continue;
        context.ledger.transaction_deferred_sync([&] {
            const auto stamp = context.stamp();
            for (const auto& report : due) {
                const auto disbursed_date =
                    context.settings.plan.zone.to_instant(report.confirmed_on, context.config.report.time_of_day);
                ledger::open_patch(context.ledger, report, disbursed_date, stamp);
            }
        });
        crash_point("report.intent_committed");
    }
    context.ledger.sync();
}

void raise(Context& context, const OpenPatch& patch, std::string_view reason, std::string detail) {
    ledger::raise_exception(context.ledger,
                            {"report", std::string(reason), patch.draw_id, patch.payment_id, "", std::move(detail)},
                            context.stamp());
}

void finish(Sending& state, const OpenPatch& patch, PatchOutcome outcome, const std::optional<Draw>& draw) {
    auto record = [&state, patch, outcome, draw] {
        if (draw) state.observer.observe(*draw, ledger::ReadingSource::report);
        ledger::close_patch(state.context.ledger, patch, outcome, state.context.stamp());
        ledger::close_exceptions(state.context.ledger, patch.draw_id, "report", write_back_reasons(),
                                 "the service shows the date", state.context.stamp());
    };
    state.answers.add(std::move(record), [&state, patch, draw] {
        if (draw) state.observer.ask(*draw);
        static_cast<void>(ledger::open_exceptions_of_step(state.context.ledger, patch.draw_id, "report"));
    });
    ++state.reported;
}

// A person must act first. The patch waits while the exception is open; once it is closed, the patch is tried again.
void raise_for_person(Sending& state, const OpenPatch& patch, std::string_view reason, std::string detail) {
    state.answers.add([&state, patch, reason = std::string(reason), detail = std::move(detail)] {
        ledger::record_attempt(state.context.ledger, patch, reason, detail, state.context.clock.now());
        raise(state.context, patch, reason, detail);
    });
    ++state.refused;
}

void raise_gone(Sending& state, const OpenPatch& patch) {
    raise_for_person(state, patch, "draw_gone",
                     "the service no longer knows this draw (404): its date is sent when it shows the draw again");
}

void retry_later(Sending& state, const OpenPatch& patch, const Error& error) {
    state.answers.add([&state, patch, error] {
        ledger::record_attempt(state.context.ledger, patch, to_string(error.code), error.message,
                               state.context.clock.now());
        if (is_hopeless(state.context, error) || patch.attempts + 1 < attempts_before_exception) return;
        const bool asks_to_wait = error.code == ErrorCode::limited;
        raise(state.context, patch, asks_to_wait ? "report_limited" : "report_refused",
              (asks_to_wait ? "the service limits requests and has not taken disbursedDate: "
                            : "the service does not accept disbursedDate: ") +
                  error.message + ": it is retried with growing backoff");
    });
    ++state.retry;
    if (is_hopeless(state.context, error) && !state.given_up) state.given_up = error;
}

// The draw is not Disbursed after all: the mirror is updated, and the patch waits.
void wait_for_portal(Sending& state, const OpenPatch& patch, const Draw& draw) {
    state.answers.add([&state, patch, draw] {
        state.observer.observe(draw, ledger::ReadingSource::report);
        ledger::record_attempt(state.context.ledger, patch, "not_disbursed_yet",
                               "the service shows " + to_string(draw.status), state.context.clock.now());
    });
    ++state.waiting;
}

bool shows_date(const Sending& state, const OpenPatch& patch, const Draw& draw) {
    return draw.disbursed_date &&
           is_same_day(state.context.settings.plan.zone, *draw.disbursed_date, patch.disbursed_date);
}

// A person was asked to enter the date in the portal, and the service now shows the bank's day.
bool was_entered_by_hand(const Sending& state, const OpenPatch& patch, const Draw& draw, const std::string& refusal) {
    return !refusal.empty() && patch.attempts >= attempts_before_exception && shows_date(state, patch, draw);
}

// After a lost answer (crash) or a conflict, what the service shows of the draw decides. `refusal` is the text of the
// conflict. False: the patch must be sent.
asio::awaitable<bool> resolved_by_reading(Sending& state, const OpenPatch& patch, std::string refusal) {
    auto reading = co_await state.context.service.read(patch.draw_id);
    if (!reading) {
        retry_later(state, patch, reading.error());
        co_return true;
    }
    if (!*reading) {
        raise_gone(state, patch);
        co_return true;
    }
    const Draw& draw = **reading;
    if (draw.status != DrawStatus::disbursed) {
        wait_for_portal(state, patch, draw);
        co_return true;
    }
    if (draw.disbursed_date == patch.disbursed_date || was_entered_by_hand(state, patch, draw, refusal)) {
        finish(state, patch, PatchOutcome::already_there, draw);
        co_return true;
    }
    if (refusal.empty()) co_return false;
    // Somebody else may have changed the draw at the same moment.
    if (patch.attempts + 1 < attempts_before_exception) {
        retry_later(state, patch, {ErrorCode::conflict, std::move(refusal)});
        co_return true;
    }
    raise_for_person(state, patch, "disbursed_date_forbidden",
                     "the service refuses disbursedDate although the draw is Disbursed (" + refusal +
                         "): its workflow seems to forbid manual disbursement dates: allow them there, or enter " +
                         format_date(state.context.settings.plan.zone.date_of(patch.disbursed_date)) +
                         " in the portal; then close this exception, and the date is sent again");
    co_return true;
}

// An accepted patch counts once the service shows the date and the draw as Disbursed: in its answer, or in a reading if
// the answer has no draw.
asio::awaitable<void> finish_if_shown(Sending& state, const OpenPatch& patch, std::optional<Draw> shown) {
    if (!shown) {
        auto reading = co_await state.context.service.read(patch.draw_id);
        if (!reading) {
            retry_later(state, patch, reading.error());
            co_return;
        }
        shown = std::move(*reading);
    }
    if (shown && shown->status != DrawStatus::disbursed) {
        wait_for_portal(state, patch, *shown);
        co_return;
    }
    if (shown && shows_date(state, patch, *shown)) {
        finish(state, patch, PatchOutcome::accepted, shown);
        co_return;
    }
    const auto& zone = state.context.settings.plan.zone;
    const bool has_date = shown && shown->disbursed_date;
    retry_later(state, patch,
                {ErrorCode::protocol, "it accepted " + format_date(zone.date_of(patch.disbursed_date)) +
                                          " as the disbursed date and shows " +
                                          (has_date ? format_date(zone.date_of(*shown->disbursed_date)) : "none")});
}

// A payment was returned before its report had an outcome. If the service has its date, that remains the draw's only
// one, whatever replaces the payment; else the patch is withdrawn.
asio::awaitable<void> resolve_overtaken(Sending& state) {
    for (const auto& patch : ledger::overtaken_patches(state.context.ledger)) {
        auto reading = co_await state.context.service.read(patch.draw_id);
        if (!reading || !*reading) continue;  // the next run tries again
        const Draw& draw = **reading;
        if (draw.status == DrawStatus::disbursed && shows_date(state, patch, draw)) {
            finish(state, patch, PatchOutcome::already_there, draw);
            continue;
        }
        state.answers.add([&state, patch, draw] {
            state.observer.observe(draw, ledger::ReadingSource::report);
            ledger::withdraw_patch(state.context.ledger, patch, state.context.stamp());
        });
    }
    state.answers.commit();
}

// What the service shows of somebody else's disbursement; empty: nothing. Our date would replace it.
std::string other_disbursement(const Sending& state, const OpenPatch& patch) {
    constexpr std::chrono::days another_zone{1};  // a date may come without its zone
    const auto& [date, amount] = patch.shown;
    const bool is_early = date && patch.first_released_at && *date + another_zone < *patch.first_released_at;
    const bool is_other = amount && *amount != Money() && *amount != patch.amount;  // zero: nobody entered one
    if (!is_early && !is_other) return "";
    const auto& zone = state.context.settings.plan.zone;
    std::string text = "the service shows the draw as disbursed";
    if (date) text += " on " + format_date(zone.date_of(*date));
    if (amount) text += " with " + amount->to_display();
    text += ", and the payment of " + patch.amount.to_display();
    if (patch.first_released_at) text += " was released on " + format_date(zone.date_of(*patch.first_released_at));
    return text +
           ": find out who entered that; if nobody else paid the draw, resolve this exception to send the date " +
           format_date(zone.date_of(patch.disbursed_date)) + " in place of the one shown";
}

asio::awaitable<void> send_one(Sending& state, OpenPatch patch) {
    const bool sent_before = patch.patch_id <= state.newest_known;
    std::string no_refusal;
    if (sent_before || state.has_old_readings) {
        const bool resolved = co_await resolved_by_reading(state, patch, std::move(no_refusal));
        if (resolved) co_return;
    }
    if (std::string other = other_disbursement(state, patch);
        !other.empty() &&
        !ledger::is_resolved_by_person(state.context.ledger, patch.draw_id, "disbursed_otherwise", other)) {
        raise_for_person(state, patch, "disbursed_otherwise", std::move(other));
        co_return;
    }
    service::DrawPatch body;
    body.disbursed_date = patch.disbursed_date;
    auto answer = co_await as_effect(state.context.ledger, state.context.service.patch(patch.draw_id, std::move(body)));
    if (answer) {
        std::optional<Draw> shown = std::move(*answer);
        co_await finish_if_shown(state, patch, std::move(shown));
    } else if (answer.error().code == ErrorCode::conflict) {
        std::string refusal = answer.error().message;
        co_await resolved_by_reading(state, patch, std::move(refusal));
    } else if (answer.error().code == ErrorCode::not_found) {
        raise_gone(state, patch);
    } else {
        retry_later(state, patch, answer.error());
    }
}

// The next patch to send, read from the ledger page by page.
std::optional<OpenPatch> next_patch(Sending& state) {
    while (state.page.empty()) {
        const auto read = ledger::open_patches(state.context.ledger, state.read_up_to, patches_per_page);
        if (read.empty()) return std::nullopt;
        state.read_up_to = read.back().patch_id;
        std::ranges::copy_if(read, std::back_inserter(state.page), [&](const OpenPatch& patch) {
            return is_patch_due(state.context, patch.attempts, patch.last_attempt_at);
        });
    }
    OpenPatch next = state.page.front();
    state.page.pop_front();
    return next;
}

asio::awaitable<void> work(Sending& state) {
    while (!state.given_up) {
        const auto patch = next_patch(state);
        if (!patch) co_return;
        co_await send_one(state, *patch);
        state.context.progress("report", ++state.sent, 0);
    }
}

std::string summarize(Context& context, const Sending& state) {
    std::string text = counted(state.reported, "draw") + " reported";
    if (state.refused > 0) text += ", " + std::to_string(state.refused) + " refused";
    if (state.retry > 0) text += ", " + std::to_string(state.retry) + " to be retried";
    const auto waiting = ledger::waiting_for_portal(context.ledger);
    if (waiting.count > 0) {
        text +=
            ", " + std::to_string(waiting.count) + " wait to be marked Disbursed (" + waiting.amount.to_display() + ")";
    }
    return text;
}

}  // namespace

asio::awaitable<StepReport> report(Context& context) {
    StepRunner runner(context, Step::report);
    Sending state(context);
    co_await resolve_overtaken(state);
    co_await open_all(context);
    std::vector<asio::awaitable<void>> workers;
    workers.reserve(static_cast<std::size_t>(context.config.service.max_connections));
    for (int i = 0; i < context.config.service.max_connections; ++i)
        workers.push_back(work(state));
    co_await state.answers.run(std::move(workers));
    if (state.given_up) runner.failed(*state.given_up);
    // Last and separately, so that no date waits for a text.
    WrittenBack written;
    if (!state.given_up) written = co_await write_back(context, state.observer);
    if (written.given_up) runner.problem("write-back: " + written.given_up->message);
    std::string summary = summarize(context, state);
    if (written.fields > 0) summary += ", " + counted(written.fields, "field") + " written back";
    if (written.refused > 0) summary += ", " + counted(written.refused, "field") + " refused";
    co_return runner.finish(std::move(summary));
}

}  // namespace drawbridge::pipeline
