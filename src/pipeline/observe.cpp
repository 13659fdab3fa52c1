#include "observe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "drawbridge/domain/shown_date.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/restorations.hpp"
#include "drawbridge/ledger/facts/returns.hpp"
#include "payable.hpp"

namespace drawbridge::pipeline {
namespace {

ledger::ExceptionDetails about(const Draw& draw, const ledger::LivePayment& payment, std::string_view reason,
                               std::string detail) {
    return {"poll", std::string(reason), draw.id, payment.payment_id, "", std::move(detail)};
}

std::string what_to_do(const ledger::LivePayment& payment) {
    if (payment.release_ordered) {
        return payment.file_name +
               " was released: if the bank has it, stop or recall the payment there; if it still waits for its upload, "
               "void it; or have the draw corrected";
    }
    return payment.file_name + " has not gone out and cannot be released: void it, or have the draw corrected";
}

// The service accepted the date of a Disbursed draw, and shows it as Approved again.
ledger::ExceptionDetails went_back_after_report(const Draw& draw, const ledger::LivePayment& payment) {
    return about(draw, payment, "status_went_back",
                 "the draw was reverted to Approved after a payment of " + payment.amount.to_display() +
                     " was reported; it is not paid again: ask who or what reverted it, and have it marked Disbursed");
}

// The service accepted the date, and shows another one or none: it was never stored, or somebody changed it.
std::optional<ledger::ExceptionDetails> fault_after_report(const TimeZone& office, const Draw& draw,
                                                           const ledger::LivePayment& payment) {
    if (!payment.reported_date) return std::nullopt;
    if (draw.status == DrawStatus::approved) return went_back_after_report(draw, payment);
    if (draw.disbursed_date && is_same_day(office, *draw.disbursed_date, *payment.reported_date)) return std::nullopt;
    return about(draw, payment, "reported_date_changed",
                 "the service accepted " + format_date(office.date_of(*payment.reported_date)) +
                     " as the disbursed date and now shows " +
                     (draw.disbursed_date ? format_date(office.date_of(*draw.disbursed_date)) : std::string("none")) +
                     ": enter it in the portal again, and ask who or what changed it");
}

// What the service shows now under the id of a paid draw, and did not when it was paid.
struct SincePayment {
    std::vector<std::string> changes;
    // Of another time: a service that was restored, or lost its numbers, may use an id again.
    bool is_another_request = false;
};

SincePayment since_payment(Context& context, const Draw& draw, const ledger::LivePayment& payment) {
    if (payment.is_content_same) return {};
    const auto paid = ledger::find_reading(context.ledger, payment.reading_id)->draw;
    SincePayment since{changes_between(context, paid, draw), draw.requested_date != paid.requested_date};
    if (since.is_another_request) {
        since.changes.push_back("it was requested at " + format_instant(paid.requested_date) +
                                " and is now requested at " + format_instant(draw.requested_date));
    }
    return since;
}

std::optional<ledger::ExceptionDetails> change_after_payment(Context& context, const Draw& draw,
                                                             const ledger::LivePayment& payment,
                                                             const SincePayment& since) {
    if (since.changes.empty()) return std::nullopt;
    constexpr std::string_view reason = "draw_changed_after_payment";
    auto detail = fmt::format("since the payment of {} was made, {}: {}", payment.amount.to_display(),
                              fmt::join(since.changes, "; "), what_to_do(payment));
    if (ledger::is_resolved_by_person(context.ledger, draw.id, reason, detail)) return std::nullopt;
    return about(draw, payment, reason, std::move(detail));
}

std::string amount_after_payment(const Draw& draw, const ledger::LivePayment& payment, const SincePayment& since) {
    std::string changes =
        "the approved amount is now " + (draw.amount_approved ? draw.amount_approved->to_display() : "null");
    for (const auto& change : since.changes)
        changes += "; " + change;
    return fmt::format("{}; the payment was {}: {}", changes, payment.amount.to_display(), what_to_do(payment));
}

// The exception for a draw with a live payment, if its reading calls for one.
std::optional<ledger::ExceptionDetails> fault_after_payment(Context& context, const Draw& draw,
                                                            const ledger::LivePayment& payment) {
    const std::string paid = payment.amount.to_display();
    const auto since = since_payment(context, draw, payment);
    if (since.is_another_request) {
        if (auto changed = change_after_payment(context, draw, payment, since)) return changed;
    }
    switch (draw.status) {
        case DrawStatus::cancelled:
            return about(draw, payment, "cancelled_after_payment",
                         "the draw was cancelled at the service after a payment of " + paid +
                             " was made: " + what_to_do(payment));
        case DrawStatus::not_submitted:
        case DrawStatus::submitted:
        case DrawStatus::pending_approval:
            return about(draw, payment, "status_went_back",
                         "the draw was reverted to " + to_string(draw.status) + " after a payment of " + paid +
                             " was made; it is not paid again: " + what_to_do(payment));
        case DrawStatus::approved:
        case DrawStatus::disbursed:
            if (draw.amount_approved == payment.amount) {
                auto changed = change_after_payment(context, draw, payment, since);
                return changed ? changed : fault_after_report(context.settings.plan.zone, draw, payment);
            }
            return about(draw, payment, "amount_changed_after_payment", amount_after_payment(draw, payment, since));
    }
    return std::nullopt;
}

// In the portal, a draw that waits to be paid looks like one that was paid. While a restored ledger is being compared,
// it does not know what was paid.
std::optional<ledger::ExceptionDetails> disbursed_unpaid(Context& context, DrawId id) {
    if (!ledger::is_disbursed_unpaid(context.ledger, id) || ledger::open_restoration(context.ledger))
        return std::nullopt;
    constexpr std::string_view reason = "disbursed_unpaid";
    std::string detail =
        "the draw was Approved and is now Disbursed, and Drawbridge has not paid it: find out whether somebody else "
        "did";
    if (ledger::is_resolved_by_person(context.ledger, id, reason, detail)) return std::nullopt;
    return ledger::ExceptionDetails{"poll", std::string(reason), id, std::nullopt, "", std::move(detail)};
}

std::optional<ledger::ExceptionDetails> fault_in(Context& context, const Draw& draw, bool is_new) {
    if (!is_known(draw.status)) {
        return ledger::ExceptionDetails{"poll",
                                        "unknown_status",
                                        draw.id,
                                        std::nullopt,
                                        "",
                                        "the service shows it with " + to_string(draw.status) +
                                            ", which is unknown here: the draw is not approved or paid"};
    }
    if (is_new) return std::nullopt;  // it has no payment yet
    if (const auto payment = ledger::live_payment(context.ledger, draw.id))
        return fault_after_payment(context, draw, *payment);
    return draw.status == DrawStatus::disbursed ? disbursed_unpaid(context, draw.id) : std::nullopt;
}

}  // namespace

void tell_if_disbursed_unpaid(Context& context, DrawId id) {
    if (const auto wrong = disbursed_unpaid(context, id))
        ledger::raise_exception(context.ledger, *wrong, {context.clock.now(), std::string(daemon_actor)});
}

Observer::Observer(Context& context, DrawId first, DrawId last) : context_(context) {
    for (const DrawId id : ledger::draws_with_open_exceptions(context.ledger, first, last))
        with_open_exceptions_.insert(id);
}

void Observer::ask(const Draw& draw) {
    ledger::ask_before_reading(context_.ledger, draw);
}

ledger::RecordedReading Observer::observe(const Draw& draw, ledger::ReadingSource source) {
    // What a reading shows is the daemon's finding, even if a person asked for the reading.
    const ledger::Stamp stamp{context_.clock.now(), std::string(daemon_actor)};
    auto recorded = ledger::record_reading(context_.ledger, draw, source, stamp.at);
    const bool has_exceptions = with_open_exceptions_.contains(draw.id);
    if (!recorded.changed && !has_exceptions) return recorded;
    const auto wrong = fault_in(context_, draw, recorded.first);
    if (has_exceptions) {
        if (recorded.changed) {
            ledger::close_exceptions_of_reason(context_.ledger, draw.id, "disbursed_otherwise",
                                               "the service shows something else now", stamp);
        }
        std::vector<std::string> still_true;
        if (wrong) still_true.push_back(wrong->reason_code);
        ledger::close_exceptions(context_.ledger, draw.id, "poll", still_true, "the service shows it correctly again",
                                 stamp);
        if (draw.status != DrawStatus::pending_approval) {
            ledger::close_exceptions(context_.ledger, draw.id, "approve", {"approval_overtaken"},
                                     "the draw is now " + to_string(draw.status), stamp);
        }
        for (const std::string_view reason : {"bad_record", "draw_gone"}) {
            ledger::close_exceptions_of_reason(context_.ledger, draw.id, reason, "the service shows it correctly again",
                                               stamp);
        }
        const bool is_pending = draw.status == DrawStatus::pending_approval;
        ledger::close_exceptions_of_reason(context_.ledger, draw.id, is_pending ? "read_failing" : "still_pending",
                                           "the draw is now " + to_string(draw.status), stamp);
        const bool is_payable = draw.status == DrawStatus::approved || draw.status == DrawStatus::pending_approval ||
                                (draw.status == DrawStatus::disbursed && ledger::is_reissued(context_.ledger, draw.id));
        if (!is_payable) {
            ledger::close_exceptions(context_.ledger, draw.id, "pay", {}, "the draw is now " + to_string(draw.status),
                                     stamp);
        }
    }
    if (wrong && ledger::raise_exception(context_.ledger, *wrong, stamp)) with_open_exceptions_.insert(draw.id);
    return recorded;
}

void Observer::unreadable(DrawId id, std::string_view step, const Error& error) {
    ledger::raise_exception(context_.ledger,
                            {std::string(step), "bad_record", id, std::nullopt, "",
                             error.message + ": the draw is not processed until the service shows it correctly"},
                            context_.stamp());
    with_open_exceptions_.insert(id);
}

void Observer::missing(DrawId id, std::string_view step) {
    ledger::raise_exception(
        context_.ledger,
        {std::string(step), "draw_gone", id, std::nullopt, "",
         "the service no longer knows this draw (404): it is not processed: ask the service's support"},
        context_.stamp());
    with_open_exceptions_.insert(id);
}

}  // namespace drawbridge::pipeline
