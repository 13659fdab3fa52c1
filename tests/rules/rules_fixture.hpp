// Shared by the tests of decisions: a draw, a time, and rules from text.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "drawbridge/rules/decide.hpp"

namespace drawbridge::rules {

inline const Instant now = parse_instant("2026-03-05T12:00:00").value();
inline const TimeZone utc = TimeZone::find("UTC").value();

inline Draw sample_draw() {
    Draw draw;
    draw.id = 71;
    draw.case_id = 9;
    draw.case_name = "Müller, 12 Hill Street";
    draw.status = DrawStatus::pending_approval;
    draw.requested_by = "ann@example.gov";
    draw.requested_date = parse_instant("2026-03-04T05:06:07").value();
    draw.amount_requested = Money::from_cents(250000);
    draw.description = "March utility bill";
    draw.modified_by = "ann@example.gov";
    draw.modified_date = draw.requested_date;
    draw.field_a = "0012";
    draw.field_b = "";
    draw.workflow_id = 12;
    return draw;
}

inline RuleSet rules_of(const std::string& text) {
    auto set = parse_rules(text, "r.yaml");
    EXPECT_TRUE(set.has_value()) << text << to_string(set.error());
    return set.value_or(RuleSet());
}

inline std::string one_rule(const std::string& when, const std::string& top = "") {
    return "version: 1\napprover_id: 7\n" + top + "rules:\n  - {name: the-rule, when: " + when + ", approve: {}}\n";
}

}  // namespace drawbridge::rules
