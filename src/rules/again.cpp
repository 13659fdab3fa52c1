#include "again.hpp"

#include <algorithm>

namespace drawbridge::rules {

std::optional<Instant> earlier(std::optional<Instant> one, std::optional<Instant> other) {
    if (!one || !other) return one ? one : other;
    return std::min(*one, *other);
}

void NextChange::may_change_at(Instant instant) {
    if (instant > now_) at_ = earlier(at_, instant);
}

void NextChange::look_at(const Rule& rule) {
    if (!rule.enabled) return;
    constexpr std::chrono::minutes midnight{0};
    if (rule.effective_from) may_change_at(zone_.to_instant(*rule.effective_from, midnight));
    if (rule.effective_to) {
        const auto day_after = std::chrono::sys_days(*rule.effective_to) + std::chrono::days(1);
        may_change_at(zone_.to_instant(day_after, midnight));
    }
    look_at(rule.when);
}

void NextChange::look_at(const Condition& condition) {
    if (const auto* all = std::get_if<AllOf>(&condition.node)) {
        for (const Condition& part : all->parts)
            look_at(part);
    } else if (const auto* any = std::get_if<AnyOf>(&condition.node)) {
        for (const Condition& part : any->parts)
            look_at(part);
    } else if (const auto* negation = std::get_if<Not>(&condition.node)) {
        look_at(negation->part.front());
    } else if (const auto* test = std::get_if<Test>(&condition.node); test != nullptr && test->age.count() > 0) {
        const FieldValue found = test->field->get(draw_);
        const auto* date = std::get_if<Instant>(&found);
        if (date == nullptr) return;
        // At exactly this age a draw is neither older nor newer.
        may_change_at(*date + test->age);
        may_change_at(*date + test->age + std::chrono::milliseconds(1));
    }
}

}  // namespace drawbridge::rules
