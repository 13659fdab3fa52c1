#include "show.hpp"
#include "table.hpp"

namespace drawbridge::cli {
namespace {

std::string truth(const json& result) {
    if (result["passed"].get<bool>()) return "yes      ";
    return result.value("unknown", false) ? "unknown  " : "no       ";
}

void show_condition(const json& condition, std::size_t depth) {
    std::string line = std::string(2 * depth, ' ') + truth(condition);
    const std::string note = condition.contains("note") ? " (" + plain(condition["note"]) + ")" : "";
    if (condition.contains("field")) {
        const auto wanted = plain(condition["wanted"]);
        line += plain(condition["field"]) + " " + plain(condition["operator"]) + (wanted.empty() ? "" : " " + wanted) +
                ": found " + plain(condition["found"]);
    } else {
        line += plain(condition["operator"]) + ":";
    }
    print_line(line + note);
    if (!condition.contains("parts")) return;
    for (const auto& part : condition["parts"])
        show_condition(part, depth + 1);
}

void show_rule(const json& rule) {
    std::string line = "rule '" + plain(rule["rule"]) + "': ";
    if (rule.contains("skipped")) {
        line += "skipped, " + plain(rule["skipped"]);
    } else {
        line += rule["matched"].get<bool>() ? "matches" : "does not match";
    }
    if (rule.contains("shadow")) line += "; in shadow mode, would decide " + plain(rule["shadow"]);
    print_line(line);
    for (const auto& condition : rule["conditions"])
        show_condition(condition, 1);
    if (!rule.contains("limits")) return;
    for (const auto& limit : rule["limits"]) {
        const std::string key = plain(limit["for"]);
        print_line(std::string("  ") + (limit["passed"].get<bool>() ? "open     " : "reached  ") + "limit of " +
                   plain(limit["limit"]) + (key.empty() ? "" : " (" + key + ")") + ": used " + plain(limit["used"]) +
                   (limit.contains("note") ? " (" + plain(limit["note"]) + ")" : ""));
    }
}

}  // namespace

void show_explanation(const json& answer) {
    const auto& decision = answer["decision"];
    const bool pending = !answer["as_if_pending"].get<bool>();
    print_line("draw " + plain(answer["draw_id"]) + " is " + plain(answer["status"]) +
               (pending ? "" : "; this is the decision if it were still pending"));
    print_line("rule set " + plain(decision["rule_set"]) + ", at " + moment(answer["at"]));
    for (const auto& rule : decision["rules"])
        show_rule(rule);
    const std::string winner = plain(decision["rule"]);
    print_line("decision: " + plain(decision["outcome"]) + (winner.empty() ? ": " : " by rule '" + winner + "': ") +
               plain(decision["reason"]));
    if (!answer.contains("approver_id")) return;
    print_line("approver: " + plain(answer["approver_id"]));
    const std::string notes = plain(answer["notes"]);
    if (!notes.empty()) print_line("notes: " + notes);
    for (const auto& address : answer["notify"])
        print_line("notify: " + plain(address));
    if (answer.contains("held_because")) print_line("held all the same: " + plain(answer["held_because"]));
}

}  // namespace drawbridge::cli
