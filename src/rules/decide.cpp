#include "drawbridge/rules/decide.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "evaluate.hpp"
#include "notes.hpp"

namespace drawbridge::rules {
namespace {

// Why a rule does not apply today; empty when it does.
std::string why_skipped(const Rule& rule, BusinessDate today) {
    if (!rule.enabled) return "disabled";
    if (rule.effective_from && today < *rule.effective_from) {
        return "in effect from " + format_date(*rule.effective_from);
    }
    if (rule.effective_to && today > *rule.effective_to) return "in effect until " + format_date(*rule.effective_to);
    return {};
}

std::string would_decide(const Rule& rule) {
    const auto* hold = std::get_if<Hold>(&rule.outcome);
    return hold == nullptr ? std::string(to_string(Outcome::approve)) : "hold: " + hold->reason;
}

// Evaluates the conditions that must all pass. It drops the outermost "all", which every rule has.
RuleResult evaluate_rule(const Rule& rule, const EvaluationContext& context, BusinessDate today) {
    RuleResult evaluated;
    evaluated.rule = rule.name;
    evaluated.skipped = why_skipped(rule, today);
    if (rule.shadow) evaluated.shadow = would_decide(rule);
    if (!evaluated.skipped.empty()) return evaluated;
    ConditionResult result = evaluate(rule.when, context);
    evaluated.matched = result.passed;
    if (std::holds_alternative<AllOf>(rule.when.node)) {
        evaluated.conditions = std::move(result.parts);
    } else {
        evaluated.conditions.push_back(std::move(result));
    }
    return evaluated;
}

// Decide again on the day when a rule takes effect or expires.
void decide_again_at_effective_dates(const Rule& rule, BusinessDate today, const TimeZone& zone,
                                     const EvaluationContext& context) {
    if (!rule.enabled) return;
    const auto at = [&](std::chrono::sys_days day) {
        context.changes_at(zone.to_instant(day, std::chrono::minutes(0)));
    };
    if (rule.effective_from && today < *rule.effective_from) at(std::chrono::sys_days(*rule.effective_from));
    if (rule.effective_to && today <= *rule.effective_to) {
        at(std::chrono::sys_days(*rule.effective_to) + std::chrono::days(1));
    }
}

// Holds a draw that would exceed a limit; true when it does.
bool hold_at_limit(const Rule& rule, const Draw& draw, LimitUsage& limits, const EvaluationContext& context,
                   Decision& decision) {
    auto& evaluated = decision.explanation.back();
    evaluated.limits = limits.check(rule, draw);
    const std::string wanted = draw.amount_requested ? draw.amount_requested->to_display() : "one draw";
    std::string reached;
    for (const LimitResult& limit : evaluated.limits) {
        if (limit.passed) continue;
        // A limit that cannot be checked does not reset with time.
        if (limit.note.empty()) context.changes_at(limits.resets_at(limit.per));
        reached += (reached.empty() ? "" : "; ") + limit.limit + (limit.key.empty() ? "" : " (" + limit.key + ")") +
                   ": " + (limit.note.empty() ? limit.used + " used, " + wanted + " wanted" : limit.note);
    }
    if (reached.empty()) {
        limits.record(rule, draw);
        return false;
    }
    decision.outcome = Outcome::hold;
    decision.rule = rule.name;
    decision.at_limit = true;
    decision.reason = at_limit_reason(rule.name) + reached;
    return true;
}

void apply(const Rule& rule, const Draw& draw, Decision& decision) {
    decision.rule = rule.name;
    if (const auto* hold = std::get_if<Hold>(&rule.outcome)) {
        decision.outcome = Outcome::hold;
        decision.reason = hold->reason;
        return;
    }
    const auto& approve = std::get<Approve>(rule.outcome);
    decision.outcome = Outcome::approve;
    decision.reason = "rule '" + rule.name + "' matches";
    decision.approver_id = approve.approver_id;
    decision.notes = fill_notes(approve.notes, draw);
    decision.notify = approve.notify;
}

// The explanation is text as soon as it is composed: a tree of it would cost more than the decision. Each value is
// followed by a comma; the end of an object or list takes the place of the last one.
void append_text(std::string& json, std::string_view text) {
    const auto is_plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
    if (std::ranges::all_of(text, is_plain)) {
        json.append("\"").append(text).append("\"");
        return;
    }
    // A draw's text comes from outside: bytes that are not UTF-8 must not break the explanation.
    json += nlohmann::json(text).dump(-1, ' ', /*ensure_ascii=*/false, nlohmann::json::error_handler_t::replace);
}

void end(std::string& json, char closing) {
    if (json.back() == ',') json.pop_back();
    json += closing;
    json += ',';
}

void add(std::string& json, std::string_view key, std::string_view text) {
    json.append("\"").append(key).append("\":");
    append_text(json, text);
    json += ',';
}

void add_flag(std::string& json, std::string_view key, bool value) {
    json.append("\"").append(key).append(value ? "\":true," : "\":false,");
}

void add_if_any(std::string& json, std::string_view key, std::string_view text) {
    if (!text.empty()) add(json, key, text);
}

void append(std::string& json, const ConditionResult& result);
void append(std::string& json, const LimitResult& limit);
void append(std::string& json, const RuleResult& result);

template <typename T>
void add_list(std::string& json, std::string_view key, const std::vector<T>& list) {
    json.append("\"").append(key).append("\":[");
    for (const T& one : list)
        append(json, one);
    end(json, ']');
}

void append(std::string& json, const ConditionResult& result) {
    json += '{';
    add_if_any(json, "field", result.field);
    add(json, "operator", result.op);
    if (!result.field.empty()) {
        add(json, "wanted", result.wanted);
        add(json, "found", result.found);
    }
    add_flag(json, "passed", result.passed);
    if (result.unknown) add_flag(json, "unknown", true);
    add_if_any(json, "note", result.note);
    if (result.field.empty()) add_list(json, "parts", result.parts);
    end(json, '}');
}

void append(std::string& json, const LimitResult& limit) {
    json += '{';
    add(json, "limit", limit.limit);
    add(json, "for", limit.key);
    add(json, "used", limit.used);
    add_flag(json, "passed", limit.passed);
    add_if_any(json, "note", limit.note);
    end(json, '}');
}

void append(std::string& json, const RuleResult& result) {
    json += '{';
    add(json, "rule", result.rule);
    add_flag(json, "matched", result.matched);
    add_if_any(json, "skipped", result.skipped);
    add_if_any(json, "shadow", result.shadow);
    add_list(json, "conditions", result.conditions);
    if (!result.limits.empty()) add_list(json, "limits", result.limits);
    end(json, '}');
}

}  // namespace

std::string_view to_string(Outcome outcome) {
    switch (outcome) {
        case Outcome::approve: return "approve";
        case Outcome::hold: return "hold";
    }
    return {};
}

std::string at_limit_reason(std::string_view rule) {
    return "rule '" + std::string(rule) + "' matches, but the limit is reached: ";
}

Decision decide(const Draw& draw, const History& history, const RuleSet& rules, LimitUsage& limits, Instant now,
                const TimeZone& zone) {
    Decision decision;
    decision.decided_at = now;
    decision.rule_set_sha256 = rules.sha256;
    if (draw.status != DrawStatus::pending_approval) {
        decision.reason = "the draw is " + to_string(draw.status) + ", not Pending Approval";
        return decision;
    }
    const BusinessDate today = zone.date_of(now);
    const EvaluationContext context{draw, now, rules.case_sensitive, history, decision.again_at};
    for (const Rule& rule : rules.rules) {
        decide_again_at_effective_dates(rule, today, zone, context);
        decision.explanation.push_back(evaluate_rule(rule, context, today));
        if (!decision.explanation.back().matched || rule.shadow) continue;
        if (std::holds_alternative<Approve>(rule.outcome) && hold_at_limit(rule, draw, limits, context, decision)) {
            return decision;
        }
        apply(rule, draw, decision);
        return decision;
    }
    decision.reason = "no rule matches";
    return decision;
}

Decision decide(const Draw& draw, const History& history, const RuleSet& rules, Instant now, const TimeZone& zone) {
    LimitUsage limits(rules, history, now, zone);
    return decide(draw, history, rules, limits, now, zone);
}

std::string explanation_json(const Decision& decision) {
    std::string json = "{";
    add(json, "outcome", to_string(decision.outcome));
    add(json, "rule", decision.rule);
    add(json, "reason", decision.reason);
    add(json, "rule_set", decision.rule_set_sha256);
    add_list(json, "rules", decision.explanation);
    end(json, '}');
    json.pop_back();
    return json;
}

}  // namespace drawbridge::rules
