#include "drawbridge/rules/limits.hpp"

#include "drawbridge/text/show.hpp"

namespace drawbridge::rules {
namespace {

using std::chrono::days;
using std::chrono::sys_days;

BusinessDate first_day(LimitPer per, BusinessDate today) {
    if (per != LimitPer::week) return today;
    const std::chrono::weekday weekday{sys_days(today)};
    return sys_days(today) - days(weekday.iso_encoding() - 1);
}

}  // namespace

std::string_view to_string(LimitPer per) {
    switch (per) {
        case LimitPer::run: return "run";
        case LimitPer::day: return "day";
        case LimitPer::week: return "week";
    }
    return {};
}

std::string Limit::words() const {
    std::string words;
    if (count) words = text::counted(*count, "draw");
    if (amount) words += (words.empty() ? "" : " and ") + amount->to_display();
    words += " per " + std::string(to_string(per));
    if (by != LimitBy::everything) words += " per " + std::string(to_string(by));
    return words;
}

LimitUsage::LimitUsage(const RuleSet& rules, const History& history, Instant now, const TimeZone& zone)
    : rules_(rules), history_(history), now_(now), zone_(zone) {}

Instant LimitUsage::window_start(LimitPer per) const {
    if (per == LimitPer::run) return now_;
    return zone_.to_instant(first_day(per, zone_.date_of(now_)), std::chrono::minutes(0));
}

Instant LimitUsage::resets_at(LimitPer per) const {
    // Later than this run's instant, so that the run does not decide the draw a second time.
    if (per == LimitPer::run) return now_ + std::chrono::milliseconds(1);
    const sys_days first = first_day(per, zone_.date_of(now_));
    return zone_.to_instant(first + days(per == LimitPer::week ? 7 : 1), std::chrono::minutes(0));
}

std::map<std::string, Used>& LimitUsage::used_by(std::string_view rule, std::size_t index, const Limit& limit) {
    const auto [found, added] = used_.try_emplace(Key(rule, index));
    if (added) found->second = history_.used(rule, limit.by, window_start(limit.per), limit.per == LimitPer::run);
    return found->second;
}

LimitResult LimitUsage::check_one(std::string_view rule, std::size_t index, const Limit& limit, const Draw& draw) {
    LimitResult result;
    result.limit = limit.words();
    result.per = limit.per;
    const auto key = limit_key(limit.by, draw);
    if (!key) {
        result.note = "the draw has no " + std::string(to_string(limit.by)) + ": the limit cannot be checked";
        return result;
    }
    if (limit.by != LimitBy::everything) result.key = std::string(to_string(limit.by)) + " " + *key;
    const Used used = used_by(rule, index, limit)[*key];
    result.used = text::counted(used.count, "draw") + ", " + used.amount.to_display();
    if (limit.amount && !draw.amount_requested) {
        result.note = "amountRequested is null: the limit cannot be checked";
        return result;
    }
    if (limit.amount && *draw.amount_requested > *limit.amount) {
        result.note = "this draw alone exceeds it";
        return result;
    }
    result.passed = (!limit.count || used.count < *limit.count) &&
                    (!limit.amount || used.amount + *draw.amount_requested <= *limit.amount);
    return result;
}

std::vector<LimitResult> LimitUsage::check(const Rule& rule, const Draw& draw) {
    std::vector<LimitResult> results;
    results.reserve(rule.limits.size() + rules_.limits.size());
    for (std::size_t i = 0; i < rule.limits.size(); ++i)
        results.push_back(check_one(rule.name, i, rule.limits[i], draw));
    for (std::size_t i = 0; i < rules_.limits.size(); ++i)
        results.push_back(check_one("", i, rules_.limits[i], draw));
    return results;
}

void LimitUsage::record(const Rule& rule, const Draw& draw) {
    const auto record_one = [&](std::string_view name, std::size_t index, const Limit& limit) {
        const auto key = limit_key(limit.by, draw);
        if (!key) return;
        Used& used = used_by(name, index, limit)[*key];
        ++used.count;
        used.amount += draw.amount_requested.value_or(Money());
    };
    for (std::size_t i = 0; i < rule.limits.size(); ++i)
        record_one(rule.name, i, rule.limits[i]);
    for (std::size_t i = 0; i < rules_.limits.size(); ++i)
        record_one("", i, rules_.limits[i]);
}

}  // namespace drawbridge::rules
