// Holds what a rule would approve beyond its limits or those of the whole set.
#pragma once

#include "drawbridge/rules/decide.hpp"
#include "evaluate.hpp"

namespace drawbridge::rules {

// `decision` approves by `rule`, which stands last in its explanation. Every limit is looked at, so that the reason
// names the one that holds the draw longest.
void keep_to_limits(const Rule& rule, const RuleSet& rules, const Situation& situation, const TimeZone& zone,
                    Decision& decision);

}  // namespace drawbridge::rules
