#include "release_checks.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <utility>

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/domain/elapsed.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/restorations.hpp"
#include "drawbridge/ledger/facts/returns.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/store/read_ahead.hpp"
#include "drawbridge/pipeline/forecast.hpp"
#include "drawbridge/pipeline/let_others_run.hpp"
#include "observe.hpp"
#include "payable.hpp"
#include "read_draws.hpp"
#include "release_limit.hpp"

namespace drawbridge::pipeline {
namespace {

namespace asio = boost::asio;

using disbursement::Payee;
using disbursement::PlannedPayment;
using ledger::FileRow;

// Draws recorded per transaction, with the time before the first of them was requested.
constexpr std::size_t draws_per_batch = 500;

std::string named(DrawId id) {
    return "draw " + std::to_string(id);
}

// Which readings a release may rest on now. The clock may go back and show the time of a reading a second time, so the
// time that has passed counts, too.
struct Fresh {
    Instant from, until;
    std::chrono::nanoseconds elapsed_from;

    [[nodiscard]] bool has(const Context& context, DrawId id) const {
        const auto known = context.memory.read_at.find(id);
        if (known == context.memory.read_at.end()) return false;
        const auto& [at, elapsed] = known->second;
        return at >= from && at <= until && elapsed >= elapsed_from;
    }
};

// A person's order needs readings from after the order.
Fresh fresh_for(const Context& context, const FileRow& file) {
    const Instant now = context.clock.now();
    Fresh fresh{now - max_reading_age, now, context.clock.elapsed() - max_reading_age};
    if (file.order && file.order->ordered.actor != daemon_actor)
        fresh.from = std::max(fresh.from, file.order->ordered.at);
    return fresh;
}

// Records the readings. Error: what concerns the service and not a single draw, with the first draw that met it.
std::optional<Error> record(Context& context, const std::vector<DrawId>& ids, const std::vector<FreshReading>& readings,
                            Instant asked_at, std::vector<std::string>& faults) {
    std::optional<ErrorCode> unreachable;
    std::vector<std::string> unread;
    context.ledger.transaction([&] {
        Observer observer(context);
        const ledger::ReadAhead known(context.ledger, [&] {
            for (const auto& reading : readings) {
                if (reading && *reading) observer.ask(**reading);
            }
        });
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const auto& reading = readings[i];
            if (reading && *reading) {
                observer.observe(**reading, ledger::ReadingSource::pay);
                note_reading(context, ids[i], asked_at);
            } else if (reading) {
                observer.missing(ids[i], "pay");
                faults.push_back(named(ids[i]) + " is no longer known to the service (404)");
            } else if (reading.error().code == ErrorCode::protocol) {
                observer.unreadable(ids[i], "pay", reading.error());
                faults.push_back(named(ids[i]) + " cannot be read: " + reading.error().message);
            } else {
                if (!unreachable) unreachable = reading.error().code;
                unread.push_back(named(ids[i]) + " cannot be read: " + reading.error().message);
            }
        }
    });
    if (!unreachable) return std::nullopt;
    return Error{*unreachable, first_of(unread)};
}

// The last answer about the draw was unusable, and no usable one came since.
std::optional<std::string> unreadable(Context& context, DrawId id) {
    for (const auto& row : ledger::exceptions_of_draw(context.ledger, id)) {
        if (row.closed_at) continue;
        if (row.what.reason_code == "bad_record") return "cannot be read: " + row.what.detail;
        if (row.what.reason_code == "draw_gone") return "is gone: " + row.what.detail;
    }
    return std::nullopt;
}

// What changed at the service since planning. The description, the fields of write-back and modifiedDate may change.
std::optional<std::string> change_of(Context& context, const PlannedPayment& payment, const Draw& planned,
                                     const Draw& now, ledger::FileId before) {
    if (!may_be_paid(context, now, before)) return "is now " + to_string(now.status);
    if (now.amount_approved != payment.amount) {
        return "is now " + to_string(now.status) + " for " +
               (now.amount_approved ? now.amount_approved->to_display() : std::string("no amount")) +
               " but the file pays " + payment.amount.to_display();
    }
    // Also by the configuration: `payees.key` may name another field now.
    const auto key = payee_key(context, now);
    const auto* payee = key ? context.payees.find(*key) : nullptr;
    if (key != payee_key(context, planned) || (payee != nullptr && payee->key != payment.payee.key))
        return "now names the payee '" + key.value_or("") + "' but the file pays '" + payment.payee.key + "'";
    if (now.case_id != planned.case_id) return "is now in another case";
    if (now.workflow_id != planned.workflow_id) {
        return "is now in workflow " + std::to_string(now.workflow_id) + " but was in " +
               std::to_string(planned.workflow_id);
    }
    if (!is_configured(context, now)) {
        return "is in workflow " + std::to_string(now.workflow_id) + ", which is no longer configured";
    }
    return std::nullopt;
}

// The file has the payee's details as of planning.
std::optional<std::string> change_of_payee(Context& context, const Payee& planned) {
    const auto* payee = context.payees.find(planned.key);
    if (payee == nullptr) return "payee '" + planned.key + "' is no longer in payees.csv";
    if (*payee != planned) return "payee '" + planned.key + "' changed in payees.csv after the file was planned";
    return std::nullopt;
}

// Repeats the questions of planning about the payments of a file.
class PaymentChecks {
  public:
    PaymentChecks(Context& context, const FileRow& file, BusinessDate planned_on)
        : context_(context),
          before_(ledger::first_file_of_run(context.ledger, file.file_id)),
          recheck_(context.payees, context.settings.plan, context.clock.now(), planned_on,
                   plan_history(context, planned_on, file.created_at, before_)) {}

    // By ascending draw.
    void check(std::span<const ledger::PaidDraw> draws) {
        std::vector<DrawId> ids;
        std::vector<std::int64_t> payment_ids;
        for (const auto& paid : draws) {
            ids.push_back(paid.draw_id);
            payment_ids.push_back(paid.position.payment_id);
        }
        std::ranges::move(ledger::bank_objections(context_.ledger, payment_ids), std::back_inserter(objections));
        const ledger::FactsOfDraws facts(context_.ledger, ids, before_);
        const auto newest = ledger::newest_readings(context_.ledger, ids);
        for (const auto& payment : ledger::load_payments(context_.ledger, payment_ids))
            check(payment, newest.at(payment.draw_id), facts);
    }

    std::vector<std::string> objections;  // by the bank
    std::vector<std::string> faults;

  private:
    void check(const PlannedPayment& payment, const ledger::KnownDraw& now, const ledger::FactsOfDraws& facts) {
        if (auto why = fault_in_draw(payment, now, facts)) {
            faults.push_back(named(payment.draw_id) + " " + *why);
        } else if (auto changed = change_of_payee(context_, payment.payee)) {
            faults.push_back(named(payment.draw_id) + ": " + *changed);
        } else {
            auto payable = to_payable(context_, facts, now.draw, now.reading_id, before_);
            payable.remittance = payment.remittance;  // the description may change
            if (const auto exception = recheck_.check(payable)) {
                faults.push_back(named(exception->draw_id) + " would not be paid now (" + exception->reason_code +
                                 "): " + exception->detail);
            }
        }
    }

    std::optional<std::string> fault_in_draw(const PlannedPayment& payment, const ledger::KnownDraw& now,
                                             const ledger::FactsOfDraws& facts) {
        if (facts.of(payment.draw_id).has_open_exceptions) {
            if (auto why = unreadable(context_, payment.draw_id)) return why;
        }
        if (now.reading_id == payment.reading_id) return change_of(context_, payment, now.draw, now.draw, before_);
        return change_of(context_, payment, ledger::find_reading(context_.ledger, payment.reading_id)->draw, now.draw,
                         before_);
    }

    Context& context_;
    ledger::FileId before_;
    disbursement::Recheck recheck_;
};

void check_prenotes(Context& context, const disbursement::PlannedFile& planned, std::vector<std::string>& faults) {
    for (const auto& prenote : planned.prenotes) {
        if (auto changed = change_of_payee(context, prenote.payee)) {
            faults.push_back("prenote " + prenote.trace_number + ": " + *changed);
        } else if (const auto hold = ledger::payment_hold_for(context.ledger, prenote.payee, std::nullopt)) {
            faults.push_back("prenote " + prenote.trace_number + ": " + hold->detail);
        }
    }
}

}  // namespace

void note_reading(Context& context, DrawId id, Instant asked_at) {
    context.memory.read_at[id] = {asked_at, context.clock.elapsed()};
}

asio::awaitable<std::vector<ledger::PaidDraw>> draws_of(Context& context, FileRow file) {
    constexpr int draws_per_turn = 2000;
    std::vector<ledger::PaidDraw> draws;
    if (file.kind == disbursement::FileKind::check_orders) co_return draws;  // its payments belong to other files
    for (ledger::PaymentPosition after;; after = draws.back().position) {
        const auto some = ledger::paid_draws(context.ledger, file.file_id, after, draws_per_turn);
        draws.insert(draws.end(), some.begin(), some.end());
        if (some.size() < draws_per_turn) break;
        co_await let_others_run();
    }
    std::ranges::sort(draws, {}, &ledger::PaidDraw::draw_id);
    co_return draws;
}

bool readings_are_fresh(Context& context, const FileRow& file, const std::vector<ledger::PaidDraw>& draws) {
    const auto fresh = fresh_for(context, file);
    return std::ranges::all_of(draws, [&](const auto& paid) { return fresh.has(context, paid.draw_id); });
}

asio::awaitable<Result<std::vector<std::string>>> reread_draws(Context& context, FileRow file) {
    std::vector<DrawId> ids;
    const auto fresh = fresh_for(context, file);
    for (const auto& paid : co_await draws_of(context, file)) {
        if (!fresh.has(context, paid.draw_id)) ids.push_back(paid.draw_id);
    }
    std::vector<std::string> faults;
    for (std::size_t from = 0; from < ids.size(); from += draws_per_batch) {
        const auto end = std::min(ids.size(), from + draws_per_batch);
        const std::vector<DrawId> batch(ids.begin() + static_cast<std::ptrdiff_t>(from),
                                        ids.begin() + static_cast<std::ptrdiff_t>(end));
        const Instant asked_at = context.clock.now();
        const auto readings = co_await read_draws(context, "release", batch, from, ids.size());
        auto unreachable = record(context, batch, readings, asked_at, faults);
        if (unreachable) co_return std::unexpected(*std::move(unreachable));
    }
    std::erase_if(context.memory.read_at,
                  [then = context.clock.now() - max_reading_age](const auto& known) { return known.second.at < then; });
    co_return Result<std::vector<std::string>>(std::move(faults));
}

std::optional<ReleaseFault> fault_since_restore(Context& context, const FileRow& file) {
    if (!ledger::may_have_left_before(context.ledger, file.file_id)) return std::nullopt;
    return ReleaseFault{possibly_sent,
                        "its planning began before the ledger was restored, and no manifest shows what left after "
                        "that: it may be at the bank"};
}

std::optional<ReleaseFault> fault_in_bytes(Context& context, const FileRow& file) {
    if (auto fault = fault_since_restore(context, file)) return fault;
    const auto sha256 = context.spool.staged_sha256(file.name);
    if (!sha256 && context.spool.has_staged(file.name)) {
        return ReleaseFault{"staged_file_changed",
                            "the file in spool/staged cannot be read as a file: make it a file that Drawbridge's user "
                            "can read, with the bytes that were written"};
    }
    if (!sha256) {
        return ReleaseFault{
            "staged_file_missing",
            "someone removed the file from spool/staged before it was released: restore it, or find out where it went"};
    }
    if (*sha256 == file.sha256) return std::nullopt;
    return ReleaseFault{
        "staged_file_changed",
        "the file in spool/staged is not the one that was written (its SHA-256 differs): it is not released"};
}

std::optional<ReleaseFault> fault_in_plan(Context& context, const FileRow& file) {
    const auto& plan = context.settings.plan;
    if (is_from_clock_ahead(file.created_at, context.clock.now())) {
        return ReleaseFault{"planned_in_future", "it was planned at " + format_instant(file.created_at) +
                                                     ", while the clock was ahead: its dates are wrong"};
    }
    // An order to void or stop a check goes to the account that the check was drawn on.
    if (file.kind == disbursement::FileKind::payments && !pays_from_configured_account(context, file)) {
        return ReleaseFault{"paying_account_changed",
                            "it pays from another account than the configuration names now, and would go to another "
                            "bank or debit an account that is no longer used"};
    }
    if (auto missed = missed_settlement(context.ledger, plan, file, context.clock.now()))
        return ReleaseFault{settlement_date_passed, *std::move(missed)};
    return std::nullopt;
}

namespace {

// Whether other tasks run while a question about many draws is answered.
enum class Turns { many, one };

asio::awaitable<std::vector<std::string>> faults_of_draws(Context& context, FileRow file, Turns turns) {
    constexpr std::size_t payments_per_turn = 250;
    if (file.kind == disbursement::FileKind::check_orders)
        co_return ledger::confirmed_checks(context.ledger, file.file_id);
    const auto planned = ledger::load_file_without_payments(context.ledger, file.file_id).file;
    PaymentChecks checks(context, file, planned.creation_date);
    const auto draws = co_await draws_of(context, file);
    for (std::size_t from = 0; from < draws.size(); from += payments_per_turn) {
        const auto some = std::span(draws).subspan(from, std::min(payments_per_turn, draws.size() - from));
        checks.check(some);
        if (turns == Turns::many) co_await let_others_run();
    }
    auto faults = std::move(checks.objections);
    std::ranges::move(checks.faults, std::back_inserter(faults));
    check_prenotes(context, planned, faults);
    co_return faults;
}

}  // namespace

bool is_faultless(Context& context, ledger::FileId file_id) {
    constexpr std::chrono::minutes max_age{1};  // what depends on the time is asked again
    const auto found = context.memory.faultless.find(file_id);
    if (found == context.memory.faultless.end()) return false;
    const auto& known = found->second;
    const auto age = context.clock.now() - known.at;
    return known.changes == ledger::changes_made(context.ledger) && known.payees_sha256 == context.payees.sha256() &&
           age >= Instant::duration(0) && age < max_age;
}

void note_faultless(Context& context, ledger::FileId file_id) {
    context.memory.faultless[file_id] = {ledger::changes_made(context.ledger), context.payees.sha256(),
                                         context.clock.now()};
}

// The answer counts only if no fact changed while the draws were asked about. If people keep changing facts, nobody
// else gets a turn.
asio::awaitable<std::optional<ReleaseFault>> fault_in_draws(Context& context, FileRow file) {
    constexpr int rounds = 3;
    if (is_faultless(context, file.file_id)) co_return std::nullopt;
    context.memory.faultless.erase(file.file_id);
    std::vector<std::string> faults;
    bool is_certain = false;
    for (int round = 1; round <= rounds; ++round) {
        const auto changes = ledger::changes_made(context.ledger);
        const auto turns = round < rounds ? Turns::many : Turns::one;
        faults = co_await faults_of_draws(context, file, turns);
        is_certain = ledger::changes_made(context.ledger) == changes;
        if (is_certain) break;
    }
    if (faults.empty() && is_certain) note_faultless(context, file.file_id);
    if (faults.empty()) co_return std::nullopt;
    co_return ReleaseFault{"draws_changed", first_of(faults)};
}

std::string first_of(const std::vector<std::string>& faults) {
    if (faults.size() == 1) return faults.front();
    return faults.front() + " (and " + std::to_string(faults.size() - 1) + " more)";
}

}  // namespace drawbridge::pipeline
