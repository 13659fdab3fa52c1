// The steps of the pipeline and their names: the only list of them. The daemon decides when to run each. Other acts
// (backup, verify, release) are not steps.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace drawbridge {

enum class Step { poll, decide, approve, pay, deliver, confirm, report };

// In the order in which a draw passes through them.
inline constexpr std::array all_steps = {Step::poll,    Step::decide,  Step::approve, Step::pay,
                                         Step::deliver, Step::confirm, Step::report};

// "poll". The ledger, the operators' API and the metrics use these names.
[[nodiscard]] std::string_view to_string(Step step);
[[nodiscard]] std::optional<Step> parse_step(std::string_view name);

}  // namespace drawbridge
