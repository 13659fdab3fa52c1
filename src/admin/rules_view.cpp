#include "rules_view.hpp"

#include <algorithm>
#include <utility>

#include "call.hpp"
#include "drawbridge/ledger/facts/decisions.hpp"
#include "drawbridge/ledger/facts/draws.hpp"
#include "drawbridge/ledger/reports/history.hpp"
#include "drawbridge/ledger/reports/rule_hits.hpp"
#include "drawbridge/rules/decide.hpp"
#include "drawbridge/text/json.hpp"

namespace drawbridge::admin {
namespace {

Result<rules::RuleSet> rules_of(AdminContext& context, const json& body) {
    if (!body.contains("rules")) {
        const rules::RuleSet& in_force = context.shared.rules;
        if (!in_force.sha256.empty()) return in_force;
        return fail(ErrorCode::conflict, "no rules are in force: `drawbridge check` lists the mistakes");
    }
    const auto file = body.find("file");
    const bool named = file != body.end() && file->is_string();
    const auto text = rule_text_in(body, "rules");
    if (!text) return std::unexpected(text.error());
    auto parsed = rules::parse_rules(*text, named ? file->get<std::string>() : "rules");
    if (!parsed) return fail(ErrorCode::invalid_input, text::to_string(parsed.error()));
    return std::move(*parsed);
}

json diagnostics_view(const text::Diagnostics& diagnostics) {
    json list = json::array();
    for (const auto& one : diagnostics) {
        list.push_back(
            to_json(records::Diagnostic{.file = one.file,
                                        .line = one.line,
                                        .column = one.column,
                                        .message = one.message,
                                        .hint = if_any(one.hint),
                                        .severity = one.severity == text::Severity::error ? "error" : "warning"}));
    }
    return list;
}

std::vector<std::string> words_of(const std::vector<rules::Limit>& limits) {
    std::vector<std::string> words;
    for (const auto& limit : limits)
        words.push_back(limit.words());
    return words;
}

// Lines from `first` (counted from 1) up to the one before `end`; 0: to the end.
std::string lines_between(std::string_view text, int first, int end) {
    std::string lines;
    for (int line = 1; !text.empty(); ++line) {
        const auto length = std::min(text.find('\n'), text.size() - 1) + 1;
        if (line >= first && (end == 0 || line < end)) lines += text.substr(0, length);
        text.remove_prefix(length);
    }
    return lines;
}

// After its approval, the draw as it was when it was decided, or else without what the approval added.
Draw as_pending(ledger::Ledger& ledger, const ledger::KnownDraw& known) {
    if (known.draw.status == DrawStatus::pending_approval) return known.draw;
    if (const auto decided = ledger::newest_decided_reading(ledger, known.draw.id)) {
        if (const auto reading = ledger::find_reading(ledger, *decided);
            reading && reading->draw.status == DrawStatus::pending_approval)
            return reading->draw;
    }
    Draw draw = known.draw;
    draw.status = DrawStatus::pending_approval;
    draw.approved_by.reset();
    draw.approved_date.reset();
    draw.amount_approved.reset();
    draw.disbursed_by.reset();
    draw.disbursed_date.reset();
    draw.amount_disbursed.reset();
    return draw;
}

}  // namespace

Result<std::string> rule_text_in(const json& body, const char* key) {
    const auto found = body.find(key);
    if (found == body.end() || !found->is_string())
        return fail(ErrorCode::invalid_input, std::string("'") + key + "' must be the text of a rule file");
    return found->get<std::string>();
}

Result<json> explain(AdminContext& context, DrawId id, const json& body) {
    const auto known = ledger::newest_reading(context.ledger, id);
    if (!known) {
        return fail(ErrorCode::not_found, "draw " + std::to_string(id) + " is not in the ledger: no poll has read it");
    }
    const auto set = rules_of(context, body);
    if (!set) return std::unexpected(set.error());
    const Draw draw = as_pending(context.ledger, *known);
    const Instant now = context.clock.now();
    const ledger::LedgerHistory history(context.ledger, *set, context.shared.settings.payee_key, /*run=*/0, id);
    auto decision = rules::decide(draw, history, *set, now, context.zone);
    for (auto& rule : decision.explanation) {
        for (auto& limit : rule.limits) {
            if (limit.per == rules::LimitPer::run && limit.note.empty())
                limit.note = "this run only: draws that the next run approves before may reach it";
        }
    }
    json answer = {{"draw_id", id},
                   {"status", to_string(known->draw.status)},
                   {"as_if_pending", known->draw.status != DrawStatus::pending_approval},
                   {"at", format_instant(now)},
                   {"decision", text::parse_json(rules::explanation_json(decision)).value()}};
    if (decision.outcome == rules::Outcome::approve) {
        answer["approver_id"] = decision.approver_id;
        answer["notes"] = decision.notes;
        answer["notify"] = decision.notify;
        if (auto reason = ledger::held_as_submitted(context.ledger, id)) answer["held_because"] = std::move(*reason);
    }
    return answer;
}

Result<json> show_rule_set(AdminContext& context, const std::string& prefix) {
    const auto good = check_hash_prefix(prefix, "the hash of a rule set", "a hash in `drawbridge draw ID`");
    if (!good) return std::unexpected(good.error());
    auto found = ledger::find_rule_sets(context.ledger, prefix);
    // The ledger records a rule set with its first decision. Before that, only the program has it.
    const rules::RuleSet& in_force = context.shared.rules;
    const bool recorded = std::ranges::find(found, in_force.sha256, &ledger::RuleSetText::sha256) != found.end();
    if (!recorded && in_force.sha256.starts_with(prefix)) found.push_back({in_force.sha256, in_force.text});
    if (found.empty()) return fail(ErrorCode::not_found, "no rule set was used whose hash begins with " + prefix);
    if (found.size() > 1) {
        return fail(ErrorCode::conflict, "several rule sets begin with " + prefix + ": give more digits of the hash");
    }
    return json{{"sha256", found.front().sha256}, {"text", found.front().text}};
}

json rules_in_force(AdminContext& context) {
    const rules::RuleSet& set = context.shared.rules;
    const auto hits = ledger::rule_hits(context.ledger, set.sha256);
    json list = json::array();
    json never = json::array();
    for (std::size_t at = 0; at < set.rules.size(); ++at) {
        const auto& rule = set.rules[at];
        const auto found = std::ranges::find(hits, rule.name, &ledger::RuleHits::rule);
        const bool hit = found != hits.end();
        if (!hit && rule.enabled) never.push_back(rule.name);
        const int next = at + 1 < set.rules.size() ? set.rules[at + 1].line : 0;
        records::Rule record{.name = rule.name,
                             .action = std::holds_alternative<rules::Approve>(rule.outcome) ? "approve" : "hold",
                             .enabled = rule.enabled,
                             .shadow = rule.shadow,
                             .limits = words_of(rule.limits),
                             .line = rule.line,
                             .text = lines_between(set.text, rule.line, next)};
        if (hit) {
            record.draws = found->draws;
            record.amount = found->amount;
            record.last_hit = found->last_at;
        }
        list.push_back(to_json(record));
    }
    const auto none = std::ranges::find(hits, std::string(), &ledger::RuleHits::rule);
    records::RuleHits no_rule;
    if (none != hits.end()) no_rule = {.draws = none->draws, .amount = none->amount};
    return {{"sha256", to_json(if_any(set.sha256))},
            {"text", set.text},
            {"limits", words_of(set.limits)},
            {"rules", std::move(list)},
            {"no_rule", to_json(no_rule)},
            {"never_matched", std::move(never)},
            {"problems", context.program.status().reload_problems},
            {"warnings", diagnostics_view(set.warnings)}};
}

Result<json> check_rules(const json& body) {
    const auto text = rule_text_in(body, "rules");
    if (!text) return std::unexpected(text.error());
    const auto file = body.value("file", json("rules.yaml"));
    if (!file.is_string()) return fail(ErrorCode::invalid_input, "'file' must be the name of a rule file");
    const auto parsed = rules::parse_rules(*text, file.get<std::string>());
    return json{{"ok", parsed.has_value()},
                {"diagnostics", diagnostics_view(parsed ? parsed->warnings : parsed.error())}};
}

}  // namespace drawbridge::admin
