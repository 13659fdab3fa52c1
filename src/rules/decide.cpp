#include "drawbridge/rules/decide.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "evaluate.hpp"
#include "notes.hpp"

namespace drawbridge::rules {
namespace {

using Json = nlohmann::ordered_json;

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

Json to_json(const ConditionResult& result) {
    Json json;
    if (!result.field.empty()) json["field"] = result.field;
    json["operator"] = result.op;
    if (!result.field.empty()) {
        json["wanted"] = result.wanted;
        json["found"] = result.found;
    }
    json["passed"] = result.passed;
    if (result.unknown) json["unknown"] = true;
    if (!result.note.empty()) json["note"] = result.note;
    if (result.field.empty()) {
        json["parts"] = Json::array();
        for (const ConditionResult& part : result.parts)
            json["parts"].push_back(to_json(part));
    }
    return json;
}

Json to_json(const RuleResult& result) {
    Json json;
    json["rule"] = result.rule;
    json["matched"] = result.matched;
    if (!result.skipped.empty()) json["skipped"] = result.skipped;
    if (!result.shadow.empty()) json["shadow"] = result.shadow;
    json["conditions"] = Json::array();
    for (const ConditionResult& condition : result.conditions)
        json["conditions"].push_back(to_json(condition));
    for (const LimitResult& limit : result.limits) {
        Json one = {{"limit", limit.limit}, {"for", limit.key}, {"used", limit.used}, {"passed", limit.passed}};
        if (!limit.note.empty()) one["note"] = limit.note;
        json["limits"].push_back(std::move(one));
    }
    return json;
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
        if (decision.outcome == Outcome::approve) decision.again_at.reset();
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
    Json json;
    json["outcome"] = to_string(decision.outcome);
    json["rule"] = decision.rule;
    json["reason"] = decision.reason;
    json["rule_set"] = decision.rule_set_sha256;
    json["rules"] = Json::array();
    for (const RuleResult& result : decision.explanation)
        json["rules"].push_back(to_json(result));
    // A draw's text comes from outside: bytes that are not UTF-8 must not break the explanation.
    return json.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

}  // namespace drawbridge::rules
