#include "drawbridge/rules/decide.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "again.hpp"
#include "evaluate.hpp"
#include "limits.hpp"
#include "notes.hpp"

namespace drawbridge::rules {
namespace {

using Json = nlohmann::ordered_json;

// Why a rule is not to be looked at on this day; empty: it is.
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

// The conditions that must all pass, without the outermost "all", which every rule has.
RuleResult look_at(const Rule& rule, const Situation& situation, BusinessDate today) {
    RuleResult looked;
    looked.rule = rule.name;
    looked.skipped = why_skipped(rule, today);
    if (rule.shadow) looked.shadow = would_decide(rule);
    if (!looked.skipped.empty()) return looked;
    ConditionResult result = evaluate(rule.when, situation);
    looked.matched = result.passed;
    if (std::holds_alternative<AllOf>(rule.when.node)) {
        looked.conditions = std::move(result.parts);
    } else {
        looked.conditions.push_back(std::move(result));
    }
    return looked;
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
    for (const LimitResult& limit : result.limits)
        json["limits"].push_back({{"limit", limit.limit}, {"used", limit.used}, {"passed", limit.passed}});
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

Decision decide(const Draw& draw, const History& history, const RuleSet& rules, Instant now, const TimeZone& zone) {
    Decision decision;
    decision.decided_at = now;
    decision.rule_set_sha256 = rules.sha256;
    if (draw.status != DrawStatus::pending_approval) {
        decision.reason = "the draw is " + to_string(draw.status) + ", not Pending Approval";
        return decision;
    }
    decision.reason = "no rule matches";
    const BusinessDate today = zone.date_of(now);
    const Situation situation{draw, history, now, rules.case_sensitive};
    NextChange next(draw, now, zone);
    for (const Rule& rule : rules.rules) {
        decision.explanation.push_back(look_at(rule, situation, today));
        if (rule.shadow) continue;
        next.look_at(rule);
        if (!decision.explanation.back().matched) continue;
        apply(rule, draw, decision);
        if (decision.outcome == Outcome::approve) keep_to_limits(rule, rules, situation, zone, decision);
        break;
    }
    if (decision.outcome == Outcome::hold) decision.decide_again_at = earlier(decision.decide_again_at, next.at());
    return decision;
}

Use use_of(const Decision& decision, const Draw& draw) {
    return {draw.id,      decision.decided_at, /*this_run=*/true, decision.rule,
            draw.case_id, draw.requested_by,   draw.workflow_id,  weight(draw)};
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
    // A draw's text comes from outside; bytes that are not UTF-8 must not stop an explanation.
    return json.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

}  // namespace drawbridge::rules
