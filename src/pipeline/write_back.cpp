#include "write_back.hpp"

#include <algorithm>
#include <map>

#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/domain/elapsed.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/write_back.hpp"
#include "effect.hpp"
#include "in_flight.hpp"
#include "read_draws.hpp"

namespace drawbridge::pipeline {
namespace {

namespace asio = boost::asio;
using ledger::FieldOutcome;
using ledger::OpenWriteBack;
using ledger::WriteBackField;

constexpr std::size_t max_per_run = 2000;  // so that the next run's dates are not delayed

struct Writing {
    Context& context;
    Observer& observer;
    std::vector<OpenWriteBack> open;
    std::size_t next = 0;
    WrittenBack done;
};

// The text that the service shows in the draw's field; nullopt: an unknown field.
std::optional<std::string> shown_in(const Draw& draw, const std::string& field) {
    const DrawField* known = find_draw_field(field);
    if (known == nullptr) return std::nullopt;
    const FieldValue value = known->get(draw);
    return std::holds_alternative<std::string>(value) ? std::get<std::string>(value) : std::string();
}

void raise(Writing& state, const OpenWriteBack& open, std::string_view reason, const std::string& field,
           std::string detail) {
    ledger::raise_exception(state.context.ledger,
                            {"report", std::string(reason), open.draw_id, open.payment_id, field, std::move(detail)},
                            state.context.stamp());
}

// In a transaction.
void refuse(Writing& state, const OpenWriteBack& open, const WriteBackField& field, const std::string& answer) {
    ledger::record_field_outcome(state.context.ledger, open, field.field, FieldOutcome::refused, answer, std::nullopt,
                                 state.context.stamp());
    raise(state, open, "write_back_refused", field.field,
          "the service does not accept '" + field.value + "' for " + field.field + " (" + answer +
              "): it is not retried; allow the field in the workflow or shorten the text under report.write_back, "
              "enter it there by hand if needed, and close this exception");
    ++state.done.refused;
}

void finish_if_complete(Writing& state, const OpenWriteBack& open) {
    const auto fields = ledger::write_back_texts(state.context.ledger, open);
    if (!std::ranges::all_of(fields, &WriteBackField::has_outcome)) return;
    ledger::finish_write_back(state.context.ledger, open, state.context.stamp());
    ledger::close_exceptions_of_payment(state.context.ledger, open.payment_id, "write_back_failing",
                                        "nothing is left to write", state.context.stamp());
}

// The service was unavailable or answered with an error: retry at a later run. After a few such failures a person is
// told; after a few errors of another kind, the fields are given up.
void retry_later(Writing& state, const OpenWriteBack& open, const std::vector<WriteBackField>& fields,
                 const Error& error) {
    const bool is_outage = error.code == ErrorCode::unavailable || error.code == ErrorCode::limited ||
                           error.code == ErrorCode::unauthorized || error.code == ErrorCode::timeout ||
                           error.code == ErrorCode::cancelled;
    state.context.ledger.transaction([&] {
        ledger::record_write_back_attempt(state.context.ledger, open, to_string(error.code), error.message,
                                          state.context.clock.now());
        if (open.attempts + 1 < attempts_before_exception) return;
        if (is_outage) {
            if (is_hopeless(state.context, error)) return;
            raise(state, open, "write_back_failing", "",
                  "the service fails at the text for this draw: " + error.message +
                      ": it is retried with growing backoff");
            return;
        }
        for (const auto& field : fields)
            refuse(state, open, field, error.message);
        finish_if_complete(state, open);
    });
    crash_point("write_back.result_committed");
    if (is_hopeless(state.context, error) && !state.done.given_up) state.done.given_up = error;
}

// Records the final texts. False: there is nothing to write.
bool prepare(Writing& state, const OpenWriteBack& open) {
    auto& context = state.context;
    if (!ledger::write_back_texts(context.ledger, open).empty()) return true;
    const auto configured = context.config.report.write_back.find(open.event);
    const bool is_wanted = open.is_true && configured != context.config.report.write_back.end();
    std::map<std::string, std::string> texts;
    if (is_wanted) {
        const auto values = ledger::write_back_values(context.ledger, open, context.settings.plan.zone);
        for (const auto& [field, text] : configured->second)
            texts[field] = text.expand(values);
    }
    context.ledger.transaction([&] {
        if (texts.empty()) {
            ledger::finish_write_back(context.ledger, open, context.stamp());
        } else {
            ledger::record_write_back_texts(context.ledger, open, texts, context.stamp());
        }
    });
    crash_point("write_back.intent_committed");
    return !texts.empty();
}

// Records an outcome for every field that needs no sending, by what the draw shows now. Returns the rest.
std::vector<WriteBackField> to_send(Writing& state, const OpenWriteBack& open,
                                    const std::vector<WriteBackField>& fields, const Draw& draw) {
    std::vector<WriteBackField> rest;
    auto& ledger = state.context.ledger;
    ledger.transaction([&] {
        for (const auto& field : fields) {
            const auto shown = shown_in(draw, field.field);
            const auto stamp = state.context.stamp();
            if (!open.is_true) {
                ledger::record_field_outcome(ledger, open, field.field, FieldOutcome::overtaken, "it is no longer true",
                                             shown, stamp);
            } else if (shown && *shown == field.value) {
                ledger::record_field_outcome(ledger, open, field.field, FieldOutcome::already_there, "", shown, stamp);
                ++state.done.fields;
            } else if (shown && !shown->empty() && std::ranges::find(field.expected, *shown) == field.expected.end()) {
                ledger::record_field_outcome(ledger, open, field.field, FieldOutcome::overtaken,
                                             "it changed after the payment was planned", shown, stamp);
                raise(state, open, "write_back_overtaken", field.field,
                      field.field +
                          " changed at the service after the payment was planned and stays as it is; the text "
                          "was '" +
                          field.value + "': enter it there if needed, and close this exception");
                ++state.done.refused;
            } else {
                rest.push_back(field);
            }
        }
        if (rest.empty()) finish_if_complete(state, open);
    });
    if (rest.empty()) crash_point("write_back.result_committed");
    return rest;
}

void record_written(Writing& state, const OpenWriteBack& open, const std::vector<WriteBackField>& fields,
                    const std::optional<Draw>& answer) {
    state.context.ledger.transaction([&] {
        if (answer) state.observer.observe(*answer, ledger::ReadingSource::report);
        for (const auto& field : fields) {
            const auto shown = answer ? shown_in(*answer, field.field) : std::nullopt;
            const std::string detail = shown && *shown != field.value ? "the service shows '" + *shown + "'" : "";
            ledger::record_field_outcome(state.context.ledger, open, field.field, FieldOutcome::written, detail, shown,
                                         state.context.stamp());
            ++state.done.fields;
        }
        finish_if_complete(state, open);
    });
    crash_point("write_back.result_committed");
}

bool is_about_a_field(const Error& error) {
    return error.code == ErrorCode::conflict || error.code == ErrorCode::invalid_input;
}

asio::awaitable<Result<std::optional<Draw>>> send(Writing& state, DrawId draw_id, std::vector<WriteBackField> fields) {
    service::DrawPatch body;
    for (const auto& field : fields) {
        if (field.field == "description") {
            body.description = field.value;
        } else {
            body.fields[field.field] = field.value;
        }
    }
    auto answer = co_await as_effect(state.context.ledger, state.context.service.patch(draw_id, std::move(body)));
    co_return answer;
}

// One request for all fields. If it is refused, one per field: the service does not say which field it refused.
asio::awaitable<void> send_fields(Writing& state, OpenWriteBack open, std::vector<WriteBackField> fields) {
    std::vector<std::vector<WriteBackField>> requests = {fields};
    for (std::size_t i = 0; i < requests.size(); ++i) {
        std::vector<WriteBackField> some = requests[i];
        std::vector<WriteBackField> sent = some;
        auto answer = co_await send(state, open.draw_id, std::move(sent));
        if (answer) {
            record_written(state, open, some, *answer);
        } else if (!is_about_a_field(answer.error())) {
            // The fields that are left are retried together.
            std::vector<WriteBackField> left;
            for (std::size_t later = i; later < requests.size(); ++later)
                left.insert(left.end(), requests[later].begin(), requests[later].end());
            retry_later(state, open, left, answer.error());
            co_return;
        } else if (some.size() > 1) {
            for (const auto& field : some)
                requests.push_back({field});
        } else {
            state.context.ledger.transaction([&] {
                refuse(state, open, some.front(), answer.error().message);
                finish_if_complete(state, open);
            });
            crash_point("write_back.result_committed");
        }
    }
}

asio::awaitable<void> write_one(Writing& state, OpenWriteBack open) {
    if (!prepare(state, open)) co_return;
    std::vector<WriteBackField> pending;
    for (auto& field : ledger::write_back_texts(state.context.ledger, open)) {
        if (!field.has_outcome) pending.push_back(std::move(field));
    }
    auto reading = co_await state.context.service.read(open.draw_id);
    if (!reading) {
        retry_later(state, open, pending, reading.error());
        co_return;
    }
    if (!*reading) {
        retry_later(state, open, pending, {ErrorCode::not_found, "the service does not know this draw"});
        co_return;
    }
    auto rest = to_send(state, open, pending, **reading);
    if (rest.empty()) co_return;
    co_await send_fields(state, std::move(open), std::move(rest));
}

asio::awaitable<void> work(Writing& state) {
    while (state.next < state.open.size() && !state.done.given_up) {
        OpenWriteBack open = state.open[state.next++];
        co_await write_one(state, std::move(open));
    }
}

}  // namespace

bool is_patch_due(const Context& context, int attempts, const std::optional<Instant>& last_attempt_at) {
    if (attempts == 0 || !last_attempt_at) return true;
    const auto wait = backoff(attempts, context.settings.patch_retry_base, std::chrono::hours(1));
    return has_elapsed(*last_attempt_at, wait, context.clock.now());
}

const std::vector<std::string>& write_back_reasons() {
    static const std::vector<std::string> reasons = {"write_back_failing", "write_back_refused", "write_back_overtaken",
                                                     "write_back_untrue"};
    return reasons;
}

asio::awaitable<WrittenBack> write_back(Context& context, Observer& observer) {
    Writing state{context, observer, {}, 0, {}};
    for (auto& open : ledger::open_write_backs(context.ledger)) {
        if (state.open.size() == max_per_run) break;
        if (is_patch_due(context, open.attempts, open.last_attempt_at)) state.open.push_back(std::move(open));
    }
    std::vector<asio::awaitable<void>> workers;
    const auto worker_count =
        std::min(static_cast<std::size_t>(context.config.service.max_connections), state.open.size());
    workers.reserve(worker_count);
    for (std::size_t i = 0; i < worker_count; ++i)
        workers.push_back(work(state));
    co_await run_all(std::move(workers));
    co_return std::move(state.done);
}

}  // namespace drawbridge::pipeline
