// When time alone may change what was decided about a draw: an age that is reached, a rule whose days begin or end.
#pragma once

#include <optional>

#include "drawbridge/rules/rule_set.hpp"

namespace drawbridge::rules {

// Of two times the earlier one; none: never.
[[nodiscard]] std::optional<Instant> earlier(std::optional<Instant> one, std::optional<Instant> other);

class NextChange {
  public:
    NextChange(const Draw& draw, Instant now, const TimeZone& zone) : draw_(draw), now_(now), zone_(zone) {}

    void look_at(const Rule& rule);
    [[nodiscard]] std::optional<Instant> at() const { return at_; }

  private:
    void look_at(const Condition& condition);
    void may_change_at(Instant instant);

    const Draw& draw_;
    Instant now_;
    const TimeZone& zone_;
    std::optional<Instant> at_;
};

}  // namespace drawbridge::rules
