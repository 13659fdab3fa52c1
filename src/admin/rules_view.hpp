// What the operators' API says of rules: why a draw is decided as it is, and the text of a rule set. Private to this
// module.
#pragma once

#include <string>

#include "drawbridge/admin/handlers.hpp"
#include "views.hpp"

namespace drawbridge::admin {

// By the rules in force, or by those in body.rules (body.file is what diagnostics call them). Nothing is recorded.
[[nodiscard]] Result<json> explain(AdminContext& context, DrawId id, const json& body);

// `prefix`: the set's SHA-256, or a beginning of it that no other set has.
[[nodiscard]] Result<json> show_rule_set(AdminContext& context, const std::string& prefix);

// Those in force, each with its text and how often it decided lately.
[[nodiscard]] json rules_in_force(AdminContext& context);
// What is wrong with the text in body.rules, line by line. Nothing is recorded.
[[nodiscard]] Result<json> check_rules(const json& body);

}  // namespace drawbridge::admin
