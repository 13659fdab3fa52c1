// Rules in the operators' API: the explanation of a decision, and the text of a rule set. Private to this module.
#pragma once

#include <string>

#include "drawbridge/admin/handlers.hpp"
#include "views.hpp"

namespace drawbridge::admin {

// Uses the rules in force, or those in body.rules (body.file is their name in diagnostics). Records nothing.
[[nodiscard]] Result<json> explain(AdminContext& context, DrawId id, const json& body);

// `prefix`: the rule set's SHA-256, or a unique prefix of it.
[[nodiscard]] Result<json> show_rule_set(AdminContext& context, const std::string& prefix);

// Those in force, each with its text and how often it decided lately.
[[nodiscard]] json rules_in_force(AdminContext& context);
// The text of a rule file in the body. Error (invalid_input): it is missing or not text.
[[nodiscard]] Result<std::string> rule_text_in(const json& body, const char* key);
// What is wrong with the text in body.rules, line by line. Nothing is recorded.
[[nodiscard]] Result<json> check_rules(const json& body);

}  // namespace drawbridge::admin
