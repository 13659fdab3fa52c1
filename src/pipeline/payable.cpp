#include "payable.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "drawbridge/domain/payee_key.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/guards.hpp"
#include "drawbridge/ledger/facts/payment_voids.hpp"
#include "drawbridge/ledger/facts/restorations.hpp"
#include "drawbridge/ledger/facts/returns.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/facts/write_back.hpp"

namespace drawbridge::pipeline {
namespace {

// Whether Drawbridge ran on `wanted` days after that of `since`, as far back as runs are kept. Runs up to `after` do
// not count: the clock may have been behind.
bool ran_on_days_since(Context& context, Instant since, std::int64_t after, int wanted) {
    const auto& zone = context.settings.plan.zone;
    const std::chrono::sys_days today(zone.date_of(context.clock.now()));
    auto day = std::max(std::chrono::sys_days(zone.date_of(since)), today - ledger::idle_run_retention);
    wanted = std::min(wanted, static_cast<int>(ledger::idle_run_retention.count()) - 1);
    const std::tuple watched{day, after, wanted};
    if (context.memory.watched_since.contains(watched)) return true;
    int found = 0;
    while (found < wanted && day < today) {
        day += std::chrono::days(1);
        if (ledger::newest_run(context.ledger, zone, day) > after) ++found;
    }
    if (found >= wanted) context.memory.watched_since.insert(watched);
    return found >= wanted;
}

// By the clock, or because the clock leapt: then Drawbridge has not run on two days since.
bool is_recent(Context& context, const ledger::EarlierPayment& earlier) {
    const auto& settings = context.settings.plan;
    const int window = settings.guards.duplicate_days;
    const std::chrono::sys_days today(disbursement::plan_date(settings, context.clock.now()));
    if (std::chrono::sys_days(earlier.created_on) >= today - std::chrono::days(window)) return true;
    return !ran_on_days_since(context, settings.zone.to_instant(earlier.created_on, std::chrono::minutes(0)),
                              earlier.after_run, std::min(window, 2));
}

// What the guards need to know about the payee and earlier payments.
void add_standing(Context& context, disbursement::Payable& payable, ledger::FileId before) {
    const auto& settings = context.settings.plan;
    const auto& guards = settings.guards;
    if (guards.payee_hold_days <= 0 && !guards.prenotes_required && guards.duplicate_days <= 0) return;
    const auto* payee = payable.payee_key ? context.payees.find(*payable.payee_key) : nullptr;
    if (payee == nullptr) return;
    auto standing = ledger::payee_standing(context.ledger, *payee, guards.prenotes_required);
    payable.details_fingerprint = std::move(standing.details_fingerprint);
    payable.account_fingerprint = std::move(standing.account_fingerprint);
    payable.details_since = standing.details_since;
    if (payable.details_since)
        payable.details_were_watched =
            ran_on_days_since(context, *payable.details_since, standing.details_after, guards.payee_hold_days);
    payable.prenote = std::move(standing.prenote);
    // When the waiting time is over, the absence of a return is enough.
    auto& prenote = payable.prenote;
    if (prenote.state == disbursement::PrenoteStatus::State::waiting &&
        disbursement::prenote_wait_is_over(prenote, settings, context.clock.now()) &&
        ran_on_days_since(context, *prenote.sent_at, prenote.sent_after, guards.prenote_wait_days)) {
        prenote.state = disbursement::PrenoteStatus::State::not_needed;
    }
    if (guards.duplicate_days <= 0 || !payable.amount) return;
    const auto earlier = ledger::earlier_payment(context.ledger, payable.draw_id, payee->key,
                                                 payable.account_fingerprint, *payable.amount, before);
    if (earlier && is_recent(context, *earlier)) {
        payable.duplicate_of = fmt::format("{} of draw {} on {}", disbursement::format_payment_id(earlier->payment_id),
                                           earlier->draw, format_date(earlier->created_on));
    }
}

// Finds texts in the draw that only this office's write-back can have written, but that the ledger has no record of.
// They show that the ledger is an older copy.
void add_unknown_write_backs(Context& context, const Draw& draw, std::vector<std::string>& signs) {
    for (const auto& [step, templates] : context.config.report.write_back) {
        for (const auto& [field, text] : templates) {
            const auto* known = find_draw_field(field);
            if (known == nullptr) continue;
            const auto value = known->get(draw);
            const auto* shown = std::get_if<std::string>(&value);
            if (shown == nullptr || !text.may_have_produced(*shown)) continue;
            if (ledger::knows_write_back(context.ledger, draw.id, field, *shown)) continue;
            signs.push_back("its " + field + " is '" + *shown + "', which Drawbridge writes when a payment is " +
                            (step == disbursement::WriteBackEvent::export_ ? "released" : "settled") +
                            ", and the ledger has no such payment: it may be an older copy; ask the bank whether that "
                            "payment went out before this one is paid");
        }
    }
}

// The text that tells the payee what a payment is for. Checks carry the standard one if there is no ACH profile.
const disbursement::RemittanceTemplate& remittance_of(const config::Config& config) {
    static const disbursement::RemittanceTemplate standard;
    return config.ach ? config.ach->remittance : standard;
}

std::optional<disbursement::Held> held(std::optional<ledger::PaymentHold> hold) {
    if (!hold) return std::nullopt;
    return disbursement::Held{std::move(hold->reason_code), std::move(hold->detail)};
}

std::optional<disbursement::Held> hold_of(Context& context, const ledger::FactsOfDraws& facts, const Draw& draw,
                                          const std::optional<std::string>& payee_key) {
    const auto& known = facts.of(draw.id);
    if (known.is_voided) {
        if (auto hold = ledger::void_hold(context.ledger, draw.id))
            return disbursement::Held{std::string(disbursement::reason::payment_voided), std::move(*hold)};
    }
    if (known.has_open_exceptions) {
        if (auto hold = held(ledger::bank_reported_paid_hold(context.ledger, draw.id))) return hold;
    }
    if (known.is_in_acknowledged_void) {
        if (auto hold = held(ledger::acknowledged_void_hold(context.ledger, draw.id))) return hold;
    }
    if (known.is_held_after_restore) {
        if (auto hold = held(ledger::restored_hold(context.ledger, draw.id))) return hold;
    }
    const auto* payee = payee_key && facts.is_any_payee_held() ? context.payees.find(*payee_key) : nullptr;
    return payee == nullptr ? std::nullopt : held(ledger::payment_hold_for(context.ledger, *payee, draw.case_id));
}

std::string quoted(const std::optional<std::string>& text) {
    return text ? "'" + *text + "'" : "empty";
}

// What changed after an approval that Drawbridge first saw after that change. Empty: nothing that decides who is paid
// and how much.
std::string change_before_seen(const Context& context, const ledger::ChangedBeforeSeen& change, const Draw& now) {
    const auto seen = ledger::find_reading(context.ledger, change.reading_id)->draw;
    const bool by_another = seen.modified_by != seen.approved_by;
    const std::string who = fmt::format(
        "{} changed the draw at {}, after {} had approved it at {} and before it was read", seen.modified_by,
        format_instant(seen.modified_date), seen.approved_by.value_or("somebody"), format_instant(*seen.approved_date));
    if (!change.pending_reading_id) {
        // Some services store the time of an approval and that of the change that it makes one after the other, and
        // name the person in two ways.
        constexpr std::chrono::seconds same_act{2};
        return by_another && seen.modified_date - *seen.approved_date > same_act ? who : "";
    }
    const auto pending = ledger::find_reading(context.ledger, *change.pending_reading_id)->draw;
    auto changes = changes_between(context, pending, now);
    if (by_another && pending.amount_requested != now.amount_approved && now.amount_approved) {
        changes.push_back((pending.amount_requested ? pending.amount_requested->to_display() : std::string("nothing")) +
                          " was requested and " + now.amount_approved->to_display() + " is approved");
    }
    return changes.empty() ? "" : fmt::format("{}: {}", who, fmt::join(changes, "; "));
}

// The draw as it was when somebody agreed to pay it, if it may have changed since. Whoever orders a reissue agrees to
// the payment that came back.
std::optional<ledger::ReadingId> agreed_reading(const ledger::DrawFacts& known) {
    return ledger::open_reissue(known.last_payment) ? std::optional(known.last_payment->reading_id)
                                                    : known.changed_since;
}

}  // namespace

bool is_configured(const Context& context, const Draw& draw) {
    const auto& workflows = context.config.service.workflows;
    return workflows.empty() || std::ranges::find(workflows, draw.workflow_id) != workflows.end();
}

bool may_be_paid(Context& context, const Draw& draw, ledger::FileId before) {
    return draw.status == DrawStatus::approved ||
           (draw.status == DrawStatus::disbursed && ledger::open_reissue(context.ledger, draw.id, before).has_value());
}

std::optional<std::string> payee_key(const Context& context, const Draw& draw) {
    const auto value = context.settings.payee_key->get(draw);
    if (const auto* text = std::get_if<std::string>(&value)) return std::string(trimmed_payee_key(*text));
    return std::nullopt;
}

std::vector<std::string> changes_between(const Context& context, const Draw& before, const Draw& now) {
    std::vector<std::string> changes;
    if (payee_key(context, now) != payee_key(context, before)) {
        changes.push_back("the payee was " + quoted(payee_key(context, before)) + " and is now " +
                          quoted(payee_key(context, now)));
    }
    const auto name_of = [](const std::optional<std::int64_t>& id) { return id ? std::to_string(*id) : "none"; };
    if (now.case_id != before.case_id)
        changes.push_back("the case was " + name_of(before.case_id) + " and is now " + name_of(now.case_id));
    if (now.workflow_id != before.workflow_id) {
        changes.push_back("the workflow was " + std::to_string(before.workflow_id) + " and is now " +
                          std::to_string(now.workflow_id));
    }
    return changes;
}

disbursement::Payable to_payable(Context& context, const ledger::FactsOfDraws& facts, const Draw& draw,
                                 ledger::ReadingId reading_id, ledger::FileId before) {
    const auto& known = facts.of(draw.id);
    disbursement::Payable payable;
    payable.draw_id = draw.id;
    payable.reading_id = reading_id;
    payable.amount = draw.amount_approved;
    payable.agreed_amount = known.agreed_amount;
    payable.payee_key = payee_key(context, draw);
    payable.remittance = remittance_of(context.config).expand(draw);
    payable.workflow_id = draw.workflow_id;
    if (known.has_lifts) payable.lifted = ledger::lifts_of(context.ledger, draw.id);
    add_standing(context, payable, before);
    payable.disbursed_elsewhere = ledger::disbursed_elsewhere(draw, known);
    add_unknown_write_backs(context, draw, payable.disbursed_elsewhere);
    if (known.changed_before_seen)
        payable.changed_since_approval = change_before_seen(context, *known.changed_before_seen, draw);
    // A person who orders a reissue agrees to the amount that was returned.
    if (const auto amount = ledger::open_reissue(known.last_payment)) payable.agreed_amount = amount;
    if (const auto agreed = agreed_reading(known)) {
        const auto changes = changes_between(context, ledger::find_reading(context.ledger, *agreed)->draw, draw);
        if (!changes.empty())
            payable.changed_since_approval = fmt::format("when the draw was approved, {}", fmt::join(changes, "; "));
    }
    if (known.is_approval_unrequested) {
        for (const auto& row : ledger::exceptions_of_draw(context.ledger, draw.id)) {
            if (row.what.reason_code == disbursement::reason::approval_unrequested)
                payable.approval_unrequested = row.what.detail;
        }
    }
    payable.held = hold_of(context, facts, draw, payable.payee_key);
    return payable;
}

disbursement::PlanHistory plan_history(Context& context, BusinessDate day, Instant now, ledger::FileId before) {
    const auto begins = context.settings.plan.zone.to_instant(day, std::chrono::hours(0));
    return {ledger::planned_on(context.ledger, {.date = day, .begins = begins, .now = now}, before)};
}

}  // namespace drawbridge::pipeline
