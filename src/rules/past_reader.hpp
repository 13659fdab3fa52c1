// Conditions on other draws (duplicate_within, case_total, payee_count …), from YAML to PastTests. It reports what is
// wrong.
#pragma once

#include <string_view>
#include <vector>

#include "drawbridge/rules/rule_set.hpp"
#include "drawbridge/text/yaml.hpp"

namespace drawbridge::rules {

// duplicate_within, case_total, case_count, requester_total …
[[nodiscard]] const std::vector<std::string_view>& past_keys();

// One test for each operator. False when an error was reported.
[[nodiscard]] bool read_past_tests(text::YamlReader& reader, std::string_view key, const text::YamlNode& node,
                                   std::vector<Condition>& into);

// "case", "requester", "workflow" or, where `payee_too`, "payee".
[[nodiscard]] std::optional<Subject> find_subject(std::string_view name, bool payee_too);

}  // namespace drawbridge::rules
