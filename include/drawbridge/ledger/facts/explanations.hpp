// How the ledger stores why the rules decided as they did. Draws that the same rules decide have nearly the same
// explanation: what they have in common, the shape, is stored once, and the rest, the values, with each decision.
//
// A shape is the JSON of an explanation with `?` in place of each value; the values are a JSON array in the same order,
// in which 1 and 0 mean true and false, 2 for the decision's reason, and greater numbers for the texts of the
// array itself, of which 3 is the first. Together they give exactly the JSON that was recorded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

struct SplitExplanation {
    std::string shape;
    std::string values;
};
// `json` without white space between its tokens, as nlohmann/json dumps it.
[[nodiscard]] SplitExplanation split_explanation(std::string_view json, std::string_view reason);
// nullopt: the values are not those of the shape.
[[nodiscard]] std::optional<std::string> join_explanation(std::string_view shape, std::string_view values,
                                                          std::string_view reason);

// The explanation of a recorded decision; nullopt: there is no such decision, or its row was changed.
[[nodiscard]] std::optional<std::string> explanation_json(Ledger& ledger, std::int64_t decision_id);

}  // namespace drawbridge::ledger
