#include "release_limit.hpp"

#include <variant>

#include "clock_check.hpp"
#include "drawbridge/ledger/facts/restorations.hpp"

namespace drawbridge::pipeline {
namespace {

using disbursement::AchProfile;
using disbursement::CheckProfile;
using disbursement::FileProfile;
using disbursement::Rail;

// Both debit the same account: an ACH originator at its bank, or a check account.
bool is_same_account(const FileProfile& a, const FileProfile& b) {
    if (const auto* ach = std::get_if<AchProfile>(&a)) {
        const auto* other = std::get_if<AchProfile>(&b);
        return other != nullptr && ach->odfi == other->odfi && ach->origin_id == other->origin_id &&
               ach->company_id == other->company_id;
    }
    const auto* other = std::get_if<CheckProfile>(&b);
    return other != nullptr && std::get<CheckProfile>(a).account == other->account;
}

// A release dated in the future counts too: the clock was set back.
Money used_today(Context& context, const FileProfile& account) {
    const auto& zone = context.settings.plan.zone;
    const auto now = context.clock.now();
    constexpr auto max_day = std::chrono::hours(25);
    Money used;
    for (const auto& one : ledger::releases_since(context.ledger, now - max_day, daemon_actor)) {
        const bool counts = one.waits || zone.date_of(one.at) >= zone.date_of(now);
        if (counts && (!one.profile || is_same_account(*one.profile, account))) used += one.total;
    }
    return used;
}

// What the lost ledger released that day is not known.
bool was_restored_today(Context& context) {
    const auto restored_at = ledger::last_incomplete_restore(context.ledger);
    const auto& zone = context.settings.plan.zone;
    return restored_at && zone.date_of(*restored_at) >= zone.date_of(context.clock.now());
}

}  // namespace

std::optional<std::string> why_none_is_automatic(Context& context) {
    if (context.config.pay.release != config::Release::automatic) return "pay.release was auto and is manual now";
    return why_clock_is_in_doubt(context);
}

std::optional<std::string> over_release_limit(Context& context, const ledger::FileRow& file) {
    const auto& limit = context.config.pay.release_limit;
    if (!limit) return std::nullopt;
    const bool moves_money = file.kind == disbursement::FileKind::payments;
    if (moves_money && was_restored_today(context))
        return file.name +
               " (the ledger was restored today, and the manifests do not show everything that was released before)";
    Money used = moves_money ? used_today(context, ledger::profile_of(context.ledger, file.file_id)) : Money();
    if (moves_money && file.order && file.order->ordered.actor == daemon_actor) used = used - file.total;  // it waits
    if (used + file.total <= *limit) return std::nullopt;
    return file.name + " (limit " + limit->to_display() + " a day for its account, used " + used.to_display() +
           ", this file " + file.total.to_display() + ")";
}

bool pays_from_configured_account(Context& context, const ledger::FileRow& file) {
    const auto& plan = context.settings.plan;
    if (file.rail == Rail::ach ? !plan.ach : !plan.check) return false;
    return is_same_account(ledger::profile_of(context.ledger, file.file_id),
                           disbursement::profile_for(plan, file.rail));
}

}  // namespace drawbridge::pipeline
