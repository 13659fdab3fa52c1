#include "drawbridge/domain/steps.hpp"

#include <algorithm>

namespace drawbridge {

std::string_view to_string(Step step) {
    switch (step) {
        case Step::poll: return "poll";
        case Step::decide: return "decide";
        case Step::approve: return "approve";
        case Step::pay: return "pay";
        case Step::deliver: return "deliver";
        case Step::confirm: return "confirm";
        case Step::report: break;
    }
    return "report";
}

std::optional<Step> parse_step(std::string_view name) {
    const auto* const found = std::ranges::find(all_steps, name, [](Step step) { return to_string(step); });
    return found == all_steps.end() ? std::nullopt : std::optional(*found);
}

}  // namespace drawbridge
