#include "drawbridge/rules/history.hpp"

#include <algorithm>
#include <utility>

#include "drawbridge/domain/assert.hpp"

namespace drawbridge::rules {
namespace {

using std::chrono::milliseconds;

bool is_null(const FieldValue& value) {
    return std::holds_alternative<std::monostate>(value);
}

// Which of its groups a limit counts a draw in.
std::string group_of(std::optional<Subject> by, std::optional<std::int64_t> case_id, const std::string& requested_by,
                     std::int64_t workflow_id) {
    if (!by) return {};
    switch (*by) {
        case Subject::case_id: return case_id ? std::to_string(*case_id) : std::string("null");
        case Subject::requester: return requested_by;
        case Subject::workflow: return std::to_string(workflow_id);
        case Subject::payee: break;
    }
    DRAWBRIDGE_ASSERT(false, "no limit goes by payee");
}

BusinessDate first_day(Period period, Instant now, const TimeZone& zone) {
    const std::chrono::sys_days today = zone.date_of(now);
    if (period != Period::week) return today;
    return today - (std::chrono::weekday(today) - std::chrono::Monday);
}

}  // namespace

std::optional<Money> weight(const Draw& draw) {
    return draw.amount_approved ? draw.amount_approved : draw.amount_requested;
}

History History::of(std::vector<Draw> draws, const DrawField* payee_key) {
    std::erase_if(draws, [](const Draw& draw) { return draw.status == DrawStatus::cancelled; });
    return {payee_key, [draws = std::move(draws)](const DrawField& field, const FieldValue& value, Instant since) {
                std::vector<PastDraw> found;
                for (const Draw& draw : draws) {
                    if (draw.requested_date < since || field.get(draw) != value) continue;
                    found.push_back({draw.id, draw.requested_date, weight(draw)});
                }
                return found;
            }};
}

void History::count(Tally& tally, const TallyKey& key, const Use& use, int times) {
    if (!key.rule.empty() && key.rule != use.rule) return;
    if (key.per == Period::run ? !use.this_run : use.decided_at < tally.begin) return;
    CountAndTotal& sum = tally.by_group[group_of(key.by, use.case_id, use.requested_by, use.workflow_id)];
    const Money amount = use.amount.value_or(Money());
    sum.count += times;
    sum.total = times > 0 ? sum.total + amount : sum.total - amount;
}

void History::add_use(Use use) {
    if (const auto known = uses_.find(use.draw_id); known != uses_.end()) {
        if (known->second.decided_at > use.decided_at) return;
        withdraw_use(use.draw_id);
    }
    for (auto& [key, tally] : tallies_)
        count(tally, key, use, 1);
    const DrawId id = use.draw_id;
    uses_.emplace(id, std::move(use));
}

void History::withdraw_use(DrawId id) {
    const auto known = uses_.find(id);
    if (known == uses_.end()) return;
    for (auto& [key, tally] : tallies_)
        count(tally, key, known->second, -1);
    uses_.erase(known);
}

const History::Tally& History::tally(const TallyKey& key, Instant begin) const {
    const auto [found, added] = tallies_.try_emplace(key);
    Tally& tally = found->second;
    const bool same_period = key.per == Period::run || tally.begin == begin;
    if (!added && same_period) return tally;
    tally = {begin, {}};
    for (const auto& [id, use] : uses_)
        count(tally, key, use, 1);
    return tally;
}

const DrawField* History::field_of(Subject subject) const {
    switch (subject) {
        case Subject::case_id: return find_draw_field("caseId");
        case Subject::requester: return find_draw_field("requestedBy");
        case Subject::workflow: return find_draw_field("workflowId");
        case Subject::payee: return payee_key_;
    }
    return nullptr;
}

// Kept for the draws that come after this one: within a run nothing else changes what is known.
const History::Loaded& History::load(const DrawField& field, const FieldValue& value, Instant since) const {
    Loaded& loaded = loaded_[Key{&field, value}];
    if (!loaded.totals.empty() && loaded.since <= since) return loaded;
    loaded.since = since;
    loaded.draws = load_(field, value, since);
    std::ranges::sort(loaded.draws, {}, &PastDraw::requested_date);
    loaded.totals.assign(1, Money());
    loaded.places.clear();
    for (const PastDraw& past : loaded.draws) {
        loaded.places.emplace(past.id, loaded.places.size());
        loaded.totals.push_back(loaded.totals.back() + past.amount.value_or(Money()));
    }
    return loaded;
}

std::optional<CountAndTotal> History::others(Subject subject, const Draw& draw, milliseconds over) const {
    const DrawField* field = field_of(subject);
    if (field == nullptr) return std::nullopt;
    const FieldValue value = field->get(draw);
    if (is_null(value)) return std::nullopt;
    const Instant since = draw.requested_date - over;
    const Loaded& loaded = load(*field, value, since);
    const auto first = std::ranges::lower_bound(loaded.draws, since, {}, &PastDraw::requested_date);
    const auto skipped = static_cast<std::size_t>(first - loaded.draws.begin());
    CountAndTotal sum{loaded.draws.end() - first, loaded.totals.back() - loaded.totals[skipped]};
    // The draw itself stands among them once it is known.
    const auto own = loaded.places.find(draw.id);
    if (own != loaded.places.end() && own->second >= skipped) {
        --sum.count;
        sum.total = sum.total - loaded.draws[own->second].amount.value_or(Money());
    }
    return sum;
}

std::optional<std::int64_t> History::duplicates(const Draw& draw, milliseconds within) const {
    const auto amount = weight(draw);
    if (!draw.case_id || !amount) return std::nullopt;
    const Loaded& loaded = load(*field_of(Subject::case_id), *draw.case_id, draw.requested_date - within);
    return std::ranges::count_if(loaded.draws, [&](const PastDraw& past) {
        return past.id != draw.id && past.amount == amount && past.requested_date >= draw.requested_date - within &&
               past.requested_date <= draw.requested_date + within;
    });
}

std::optional<CountAndTotal> History::used(const Limit& limit, const std::string& rule, const Draw& draw, Instant now,
                                           const TimeZone& zone) const {
    if (limit.by == Subject::case_id && !draw.case_id) return std::nullopt;
    const TallyKey key{rule, limit.per, limit.by};
    const Tally& tally = this->tally(key, period_begin(limit.per, now, zone));
    const std::string group = group_of(limit.by, draw.case_id, draw.requested_by, draw.workflow_id);
    const auto found = tally.by_group.find(group);
    CountAndTotal sum = found == tally.by_group.end() ? CountAndTotal() : found->second;
    if (const auto own = uses_.find(draw.id); own != uses_.end()) {
        Tally without{tally.begin, {{group, sum}}};
        count(without, key, own->second, -1);
        sum = without.by_group.at(group);
    }
    return sum;
}

Instant period_begin(Period period, Instant now, const TimeZone& zone) {
    if (period == Period::run) return now;
    return zone.to_instant(first_day(period, now, zone), std::chrono::minutes(0));
}

Instant period_end(Period period, Instant now, const TimeZone& zone) {
    if (period == Period::run) return now;
    const std::chrono::sys_days first = first_day(period, now, zone);
    return zone.to_instant(first + std::chrono::days(period == Period::week ? 7 : 1), std::chrono::minutes(0));
}

}  // namespace drawbridge::rules
