#include "drawbridge/rules/history.hpp"
#include "drawbridge/domain/payee_key.hpp"

#include <algorithm>

#include "drawbridge/rules/rule_set.hpp"

namespace drawbridge::rules {
namespace {

FieldValue payee_of(const Draw& draw, const DrawField& key) {
    FieldValue value = key.get(draw);
    auto* const text = std::get_if<std::string>(&value);
    if (text != nullptr) *text = std::string(trimmed_payee_key(*text));
    return text != nullptr && text->empty() ? FieldValue() : value;
}

void add_needs(const Condition& condition, HistoryNeeds& needs) {
    const auto add_all = [&](const std::vector<Condition>& parts) {
        for (const Condition& part : parts)
            add_needs(part, needs);
    };
    if (const auto* all = std::get_if<AllOf>(&condition.node)) add_all(all->parts);
    if (const auto* any = std::get_if<AnyOf>(&condition.node)) add_all(any->parts);
    if (const auto* negation = std::get_if<Not>(&condition.node)) add_all(negation->part);
    if (std::holds_alternative<DuplicateTest>(condition.node)) needs.duplicates = true;
    if (const auto* sum = std::get_if<HistoryTest>(&condition.node)) {
        if (std::ranges::find(needs.sums, sum->of) == needs.sums.end()) needs.sums.push_back(sum->of);
    }
}

}  // namespace

HistoryNeeds history_needs(const RuleSet& rules) {
    HistoryNeeds needs;
    for (const Rule& rule : rules.rules)
        add_needs(rule.when, needs);
    return needs;
}

std::string_view to_string(HistoryOf of) {
    switch (of) {
        case HistoryOf::case_id: return "case";
        case HistoryOf::requester: return "requester";
        case HistoryOf::workflow: return "workflow";
        case HistoryOf::payee: return "payee";
    }
    return {};
}

std::string_view to_string(LimitBy by) {
    switch (by) {
        case LimitBy::everything: return "everything";
        case LimitBy::case_id: return "case";
        case LimitBy::workflow: return "workflow";
        case LimitBy::requester: return "requester";
    }
    return {};
}

std::optional<std::string> limit_key(LimitBy by, const Draw& draw) {
    switch (by) {
        case LimitBy::everything: return std::string();
        case LimitBy::case_id: return draw.case_id ? std::optional(std::to_string(*draw.case_id)) : std::nullopt;
        case LimitBy::workflow: return std::to_string(draw.workflow_id);
        case LimitBy::requester: return draw.requested_by;
    }
    return std::nullopt;
}

FieldValue history_value(HistoryOf of, const Draw& draw, const DrawField* payee_key) {
    switch (of) {
        case HistoryOf::case_id: return find_draw_field("caseId")->get(draw);
        case HistoryOf::requester: return draw.requested_by;
        case HistoryOf::workflow: return draw.workflow_id;
        case HistoryOf::payee: return payee_key == nullptr ? FieldValue() : payee_of(draw, *payee_key);
    }
    return {};
}

bool counts_in_history(const Draw& draw) {
    return draw.status != DrawStatus::cancelled && draw.status != DrawStatus::not_submitted;
}

std::optional<Money> amount_in_history(const Draw& draw) {
    return draw.amount_approved ? draw.amount_approved : draw.amount_requested;
}

std::optional<HistorySum> ListedHistory::sum(HistoryOf of, const Draw& draw, Instant since) const {
    const FieldValue wanted = history_value(of, draw, payee_key_);
    if (std::holds_alternative<std::monostate>(wanted)) return std::nullopt;
    HistorySum sum;
    for (const auto& [other, rule, at, run] : entries_) {
        if (other.id == draw.id || !counts_in_history(other) || other.requested_date <= since) continue;
        if (history_value(of, other, payee_key_) != wanted) continue;
        ++sum.count;
        const auto amount = amount_in_history(other);
        sum.total += amount.value_or(Money());
        if (!amount) ++sum.without_amount;
        if (!sum.oldest || other.requested_date < *sum.oldest) sum.oldest = other.requested_date;
    }
    return sum;
}

std::optional<Duplicate> ListedHistory::duplicate(const Draw& draw, std::chrono::milliseconds within) const {
    std::optional<Duplicate> found;
    if (!draw.case_id || !draw.amount_requested) return found;
    for (const auto& [other, rule, at, run] : entries_) {
        const bool same = other.id != draw.id && counts_in_history(other) && other.case_id == draw.case_id &&
                          other.amount_requested == draw.amount_requested &&
                          other.requested_date >= draw.requested_date - within &&
                          other.requested_date <= draw.requested_date + within;
        if (same && (!found || other.id < found->id)) found = Duplicate{other.id, other.requested_date};
    }
    return found;
}

std::map<std::string, Used> ListedHistory::used(std::string_view rule, LimitBy by, Instant since, bool this_run) const {
    std::map<std::string, Used> used;
    for (const Entry& entry : entries_) {
        const bool counts = !entry.approved_by_rule.empty() && (rule.empty() || entry.approved_by_rule == rule) &&
                            (this_run ? entry.this_run : entry.decided_at && *entry.decided_at >= since);
        const auto key = limit_key(by, entry.draw);
        if (!counts || !key) continue;
        auto& sum = used[*key];
        ++sum.count;
        sum.amount += entry.draw.amount_requested.value_or(Money());
    }
    return used;
}

}  // namespace drawbridge::rules
