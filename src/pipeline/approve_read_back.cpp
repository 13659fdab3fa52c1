#include "approve_read_back.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "observe.hpp"
#include "read_draws.hpp"

namespace drawbridge::pipeline {
namespace {

using ledger::ApprovalOutcome;
using ledger::LearnedBy;
using ledger::OpenApproval;

// After this many submissions without an approval, the draw needs a person.
constexpr int max_submissions = 5;

// Whether the service shows the draw differently than when it was submitted, now or in a poll since.
bool has_changed(Context& context, const OpenApproval& item, const Draw& draw) {
    const auto known = ledger::newest_reading(context.ledger, draw.id);
    return !known || known->reading_id != item.reading_id || known->draw != draw;
}

// An outage of the approvals alone uses up no draw's attempts.
bool is_last_attempt(Context& context, const OpenApproval& item, bool answered) {
    return item.earlier_attempts + 1 >= max_submissions &&
           (answered || ledger::another_was_approved_since(context.ledger, item));
}

// An approval without a result, and what is known of it since.
struct Unresolved {
    const OpenApproval& item;
    const std::optional<Draw>& draw;  // as the service shows it; nullopt: it does not know the draw
    bool answered = false;            // the service answered the call
    bool accepted = false;            // it took the draw without an error
};

// The outcome of a call is unknown. What the service shows of the draw now tells it. A 404 or a status that nobody
// knows does not: the exception about it closes once the draw is shown again, and then the draw must not be forgotten.
void resolve_by_reading(Context& context, Observer& observer, const Unresolved& approval, ApproveTally& tally) {
    const auto& [item, draw, answered, accepted] = approval;
    if (!draw) return observer.missing(item.draw_id, "approve");
    switch (draw->status) {
        case DrawStatus::approved:
        case DrawStatus::disbursed:
            close_item(context, item, ApprovalOutcome::approved, LearnedBy::read_back, to_string(draw->status));
            tell_if_disbursed(context, item.draw_id, draw->status);
            ++tally.approved;
            tally.amount += draw->amount_approved.value_or(Money());
            break;
        case DrawStatus::pending_approval:
            if (accepted || has_changed(context, item, *draw) || is_last_attempt(context, item, answered)) {
                close_item(context, item, ApprovalOutcome::abandoned, LearnedBy::read_back, "still pending");
                raise_approval(
                    context, item.draw_id, "approval_not_taking",
                    "the approval was submitted and the draw is still pending; it may need another approver: check "
                    "it in the portal, or ask the service's support");
                ++tally.refused;
            } else {
                close_item(context, item, ApprovalOutcome::not_applied, LearnedBy::read_back, "still pending");
                ++tally.again;
            }
            break;
        case DrawStatus::not_submitted:
        case DrawStatus::submitted:
        case DrawStatus::cancelled:
            close_item(context, item, ApprovalOutcome::abandoned, LearnedBy::read_back, to_string(draw->status));
            raise_approval(context, item.draw_id, "approval_overtaken",
                           "while the approval was in progress the draw became " + to_string(draw->status) +
                               ": it is not paid unless it is approved again");
            ++tally.refused;
            break;
    }
    // Last, so that the exceptions raised above refer to the reading that they are based on.
    observer.observe(*draw, ledger::ReadingSource::approve);
}

}  // namespace

asio::awaitable<Result<void>> read_back(Context& context, ApproveTally& tally, bool answered,
                                        const std::unordered_set<DrawId>& accepted) {
    const auto items = ledger::open_approvals(context.ledger);
    if (items.empty()) co_return Result<void>();
    std::vector<DrawId> ids;
    ids.reserve(items.size());
    for (const auto& item : items)
        ids.push_back(item.draw_id);
    const auto readings = co_await read_draws(context, "approve", ids);
    std::optional<Error> first_error;
    Observer observer(context);
    context.ledger.transaction([&] {
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (readings[i]) {
                resolve_by_reading(context, observer,
                                   {.item = items[i],
                                    .draw = *readings[i],
                                    .answered = answered,
                                    .accepted = accepted.contains(items[i].draw_id)},
                                   tally);
            } else if (!is_hopeless(context, readings[i].error())) {
                // Its item stays open, and does not block other draws.
                observer.unreadable(items[i].draw_id, "approve", readings[i].error());
            } else if (!first_error) {
                first_error = readings[i].error();
            }
        }
    });
    if (first_error) co_return std::unexpected(*first_error);
    co_return Result<void>();
}

void raise_approval(Context& context, DrawId id, std::string_view reason, std::string detail) {
    ledger::raise_exception(context.ledger, {"approve", std::string(reason), id, std::nullopt, "", std::move(detail)},
                            context.stamp());
}

void tell_if_disbursed(Context& context, DrawId id, DrawStatus status) {
    if (status != DrawStatus::disbursed || ledger::live_payment(context.ledger, id)) return;
    raise_approval(context, id, "approval_overtaken",
                   "with its approval, the draw became Disbursed, and Drawbridge has not paid it: find out who did");
}

void close_item(Context& context, const OpenApproval& item, ApprovalOutcome outcome, LearnedBy learned_by,
                std::string_view detail) {
    ledger::close_approval(context.ledger, item, outcome, learned_by, detail, context.stamp());
}

}  // namespace drawbridge::pipeline
