#include "backtest.hpp"

#include <chrono>
#include <utility>

#include "console_state.hpp"
#include "drawbridge/ledger/facts/decisions.hpp"
#include "drawbridge/ledger/reports/history.hpp"
#include "drawbridge/rules/decide.hpp"
#include "rules_view.hpp"

namespace drawbridge::admin {
namespace {

// A slice ends at whichever limit comes first, so that even many rules block the daemon only for a moment.
constexpr int draws_per_slice = 500;
constexpr std::chrono::milliseconds slice_time(200);

Result<rules::RuleSet> set_of(AdminContext& context, const json& body, const char* text_key, const char* file_key) {
    if (!body.contains(text_key)) {
        if (!context.shared.rules.sha256.empty()) return context.shared.rules;
        return fail(ErrorCode::conflict, "no rules are in force: `drawbridge check` lists the mistakes");
    }
    const auto text = rule_text_in(body, text_key);
    if (!text) return std::unexpected(text.error());
    const std::string name = text_in(body, file_key);
    auto parsed = rules::parse_rules(*text, name.empty() ? "rules" : name);
    if (!parsed) return fail(ErrorCode::invalid_input, text::to_string(parsed.error()));
    return std::move(*parsed);
}

// Limits depend on what other rules approved at the time, so a replay ignores them.
rules::RuleSet without_limits(rules::RuleSet set) {
    set.limits.clear();
    for (auto& rule : set.rules)
        rule.limits.clear();
    return set;
}

records::Decided decided_record(const rules::Decision& decision) {
    return {std::string(to_string(decision.outcome)), if_any(decision.rule), decision.reason};
}

}  // namespace

Result<json> backtest(AdminContext& context, const json& body) {
    if (!body.contains("rules"))
        return fail(ErrorCode::invalid_input, "'rules' is missing: send the text of the candidate rule file");
    auto candidate = set_of(context, body, "rules", "file");
    if (!candidate) return std::unexpected(candidate.error());
    auto base = set_of(context, body, "base", "base_file");
    if (!base) return std::unexpected(base.error());
    Instant since{};
    if (const auto given = body.find("since"); given != body.end()) {
        const auto parsed = given->is_string() ? parse_instant(given->get<std::string>())
                                               : fail(ErrorCode::invalid_input, "'since' must be a date");
        if (!parsed) return std::unexpected(parsed.error());
        since = *parsed;
    }
    const rules::RuleSet before = without_limits(std::move(*base)), after = without_limits(std::move(*candidate));
    ledger::LedgerHistory before_history(context.ledger, before, context.shared.settings.payee_key, /*run=*/0);
    ledger::LedgerHistory after_history(context.ledger, after, context.shared.settings.payee_key, /*run=*/0);
    const auto draws =
        ledger::decided_draws(context.ledger, since, body.value("after", std::int64_t{0}), draws_per_slice);
    records::Backtest slice{.base = before.sha256,
                            .candidate = after.sha256,
                            .not_replayed = {"limits"},
                            .approximations = {"other draws count as they are in the ledger today"}};
    std::size_t replayed = 0;
    const auto slice_end = std::chrono::steady_clock::now() + slice_time;
    for (const auto& [decision_id, at, decided] : draws) {
        if (replayed > 0 && std::chrono::steady_clock::now() >= slice_end) break;
        ++replayed;
        Draw draw = decided;
        draw.status = DrawStatus::pending_approval;
        before_history.set_as_of(at);
        after_history.set_as_of(at);
        const auto was = rules::decide(draw, before_history, before, at, context.zone);
        const auto would = rules::decide(draw, after_history, after, at, context.zone);
        slice.amount += draw.amount_requested.value_or(Money());
        if (was.outcome == would.outcome && was.rule == would.rule) continue;
        slice.changes.push_back({.draw_id = draw.id,
                                 .decided_at = at,
                                 .amount = draw.amount_requested,
                                 .base = decided_record(was),
                                 .candidate = decided_record(would)});
    }
    slice.draws = static_cast<std::int64_t>(replayed);
    const bool more = replayed < draws.size() || draws.size() == static_cast<std::size_t>(draws_per_slice);
    slice.next_after = more ? std::optional(draws[replayed - 1].decision_id) : std::nullopt;
    return to_json(slice);
}

}  // namespace drawbridge::admin
