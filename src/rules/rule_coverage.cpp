#include "rule_coverage.hpp"

#include <algorithm>
#include <utility>

#include "drawbridge/text/show.hpp"

namespace drawbridge::rules {
namespace {

constexpr std::size_t max_boxes = 64;

std::int64_t number_of(const FieldValue& value) {
    if (const auto* money = std::get_if<Money>(&value)) return money->cents();
    if (const auto* instant = std::get_if<Instant>(&value)) return instant->time_since_epoch().count();
    return std::get<std::int64_t>(value);
}

NumberSet numbers_beside(Operator op, std::int64_t wanted) {
    if (op == Operator::gt) return NumberSet::above(wanted);
    if (op == Operator::gte) return NumberSet::below(wanted).complement();
    if (op == Operator::lt) return NumberSet::below(wanted);
    if (op == Operator::lte) return NumberSet::above(wanted).complement();
    return NumberSet::between(wanted, wanted);
}

// Every value that a field can have when the rules see the draw.
FieldSpace domain_of(const DrawField& field, TextComparison texts) {
    if (field.kind == FieldKind::text) return {field.nullable, TextSet(texts)};
    if (field.kind == FieldKind::money) return {field.nullable, NumberSet::between(0, NumberSet::highest)};
    if (field.name == "status") {
        const auto pending = static_cast<std::int64_t>(DrawStatus::pending_approval);
        return {field.nullable, NumberSet::between(pending, pending)};
    }
    return {field.nullable, NumberSet::all()};
}

class SpaceBuilder {
  public:
    explicit SpaceBuilder(bool case_sensitive) : texts_(case_sensitive) {}

    // The draws for which `condition` is true or, negated, false (not unknown).
    std::vector<Box> boxes(const Condition& condition, bool negated) {
        if (const auto* all = std::get_if<AllOf>(&condition.node)) {
            return negated ? union_with(all->parts, negated) : intersected(all->parts, negated);
        }
        if (const auto* any = std::get_if<AnyOf>(&condition.node)) {
            return negated ? intersected(any->parts, negated) : union_with(any->parts, negated);
        }
        if (const auto* negation = std::get_if<Not>(&condition.node)) return boxes(negation->part.front(), !negated);
        if (const auto* sum = std::get_if<HistoryTest>(&condition.node)) return kept({sum_box(*sum, negated)});
        if (const auto* twin = std::get_if<DuplicateTest>(&condition.node)) return {duplicate_box(*twin, negated)};
        return kept({test_box(std::get<Test>(condition.node), negated)});
    }

    // Drops the empty boxes and remembers why.
    std::vector<Box> kept(std::vector<Box> from) {
        std::erase_if(from, [this](const Box& box) {
            for (const auto& [dimension, space] : box) {
                if (!space.empty()) continue;
                if (impossible_.empty()) impossible_ = name(dimension);
                return true;
            }
            return false;
        });
        if (from.size() > max_boxes) too_many_ = true;
        return from;
    }

    static void restrict(Box& box, const Dimension& dimension, const FieldSpace& space) {
        const auto [found, added] = box.try_emplace(dimension, space);
        if (!added) found->second = found->second.intersection(space);
    }

    [[nodiscard]] bool too_many() const { return too_many_; }
    [[nodiscard]] const std::string& impossible() const { return impossible_; }

  private:
    static std::string name(const Dimension& dimension) {
        if (dimension.kind == Dimension::Kind::day) return "the day";
        if (dimension.kind == Dimension::Kind::history) return dimension.history;
        std::string names(dimension.field->name);
        if (dimension.other != nullptr) names += " and " + std::string(dimension.other->name);
        return names;
    }

    std::vector<Box> union_with(const std::vector<Condition>& parts, bool negated) {
        std::vector<Box> all;
        for (const Condition& part : parts) {
            if (too_many_) break;
            for (Box& box : boxes(part, negated))
                all.push_back(std::move(box));
        }
        return kept(std::move(all));
    }

    std::vector<Box> intersected(const std::vector<Condition>& parts, bool negated) {
        std::vector<Box> all = {Box()};
        for (const Condition& part : parts) {
            const std::vector<Box> more = boxes(part, negated);
            if (too_many_) break;
            std::vector<Box> next;
            for (const Box& left : all) {
                for (const Box& right : more) {
                    Box both = left;
                    for (const auto& [dimension, space] : right)
                        restrict(both, dimension, space);
                    next.push_back(std::move(both));
                }
            }
            all = kept(std::move(next));
        }
        return all;
    }

    static Box history_box(std::string asked, std::chrono::milliseconds over, const NumberSet& numbers) {
        Box box;
        restrict(box, {Dimension::Kind::history, nullptr, nullptr, std::move(asked), over}, {false, numbers});
        return box;
    }

    // The current draw counts: a count is at least 1.
    static Box sum_box(const HistoryTest& test, bool negated) {
        const NumberSet wanted = numbers_beside(test.op, number_of(test.wanted));
        const NumberSet possible = NumberSet::between(test.total ? 0 : 1, NumberSet::highest);
        return history_box(test.name() + " over " + text::short_duration(test.over), test.over,
                           (negated ? wanted.complement() : wanted).intersection(possible));
    }

    // The number of duplicates.
    static Box duplicate_box(const DuplicateTest& test, bool negated) {
        return history_box("duplicate_within " + text::short_duration(test.within), test.within,
                           negated ? NumberSet::between(0, 0) : NumberSet::between(1, NumberSet::highest));
    }

    Box test_box(const Test& test, bool negated) {
        Box box;
        restrict_value(box, *test.field, own_values(test, negated));
        if (test.other != nullptr) {
            restrict_value(box, *test.other, {false, domain_of(*test.other, texts_).values});
            restrict_relation(box, test, negated);
        } else if (test.op == Operator::older_than || test.op == Operator::newer_than) {
            const NumberSet older = NumberSet::above(test.age.count());
            const NumberSet ages = test.op == Operator::older_than ? older : NumberSet::below(test.age.count());
            restrict(box, {Dimension::Kind::age, test.field}, {false, negated ? ages.complement() : ages});
        }
        return box;
    }

    void restrict_value(Box& box, const DrawField& field, const FieldSpace& space) const {
        // Drops dimensions without constraint, so that they do not block a proof.
        const FieldSpace domain = domain_of(field, texts_);
        if (!space.covers(domain)) restrict(box, {Dimension::Kind::value, &field}, space.intersection(domain));
    }

    // What a test says about its field alone.
    [[nodiscard]] FieldSpace own_values(const Test& test, bool negated) const {
        const bool text = test.field->kind == FieldKind::text;
        FieldSpace any_value{false, domain_of(*test.field, texts_).values};
        if (test.op == Operator::is_null || test.op == Operator::is_not_null) {
            if ((test.op == Operator::is_not_null) != negated) return any_value;
            if (text) return {true, TextSet::none(texts_)};
            return {true, NumberSet()};
        }
        if (test.wanted.empty()) return any_value;  // it compares with another field or with the time
        if (text) return {false, wanted_texts(test, negated)};
        NumberSet numbers;
        for (const FieldValue& wanted : test.wanted)
            numbers = numbers.union_with(numbers_beside(test.op, number_of(wanted)));
        return {false, negated ? numbers.complement() : numbers};
    }

    [[nodiscard]] TextSet wanted_texts(const Test& test, bool negated) const {
        const bool equality = test.op == Operator::equal || test.op == Operator::in;
        std::vector<std::string> values;
        TextSet claimed(texts_);
        for (const FieldValue& wanted : test.wanted) {
            const auto& text = std::get<std::string>(wanted);
            values.push_back(text);
            claimed = claimed.intersection(
                TextSet::constrained_by(texts_, {equality ? Operator::equal : test.op, text, negated}));
        }
        return equality && !negated ? TextSet::of(texts_, std::move(values)) : claimed;
    }

    // `a lt b` and `b gt a` are the same: normalize to the field that comes first in a draw.
    static void restrict_relation(Box& box, const Test& test, bool negated) {
        Operator op = test.op;
        const bool swapped = test.other < test.field;
        if (swapped && op == Operator::gt) {
            op = Operator::lt;
        } else if (swapped && op == Operator::gte) {
            op = Operator::lte;
        } else if (swapped && op == Operator::lt) {
            op = Operator::gt;
        } else if (swapped && op == Operator::lte) {
            op = Operator::gte;
        }
        const NumberSet wanted = numbers_beside(op, 0);
        const NumberSet relation = (negated ? wanted.complement() : wanted).intersection(NumberSet::between(-1, 1));
        restrict(box, {Dimension::Kind::relation, swapped ? test.other : test.field, swapped ? test.field : test.other},
                 {false, relation});
    }

    TextComparison texts_;
    std::string impossible_;
    bool too_many_ = false;
};

std::int64_t day_number(BusinessDate date) {
    return std::chrono::sys_days(date).time_since_epoch().count();
}

}  // namespace

bool FieldSpace::empty() const {
    return !null && std::visit([](const auto& set) { return set.empty(); }, values);
}

bool FieldSpace::covers(const FieldSpace& other) const {
    if (other.null && !null) return false;
    if (const auto* numbers = std::get_if<NumberSet>(&values)) {
        return numbers->covers(std::get<NumberSet>(other.values));
    }
    return std::get<TextSet>(values).covers(std::get<TextSet>(other.values));
}

FieldSpace FieldSpace::intersection(const FieldSpace& other) const {
    if (const auto* numbers = std::get_if<NumberSet>(&values)) {
        return {null && other.null, numbers->intersection(std::get<NumberSet>(other.values))};
    }
    return {null && other.null, std::get<TextSet>(values).intersection(std::get<TextSet>(other.values))};
}

std::optional<RuleCoverage> rule_coverage(const Rule& rule, bool case_sensitive) {
    SpaceBuilder builder(case_sensitive);
    std::vector<Box> boxes = builder.boxes(rule.when, /*negated=*/false);
    if (builder.too_many()) return std::nullopt;
    if (rule.effective_from || rule.effective_to) {
        const auto from = rule.effective_from ? day_number(*rule.effective_from) : NumberSet::lowest;
        const auto to = rule.effective_to ? day_number(*rule.effective_to) : NumberSet::highest;
        for (Box& box : boxes)
            SpaceBuilder::restrict(box, {Dimension::Kind::day}, {false, NumberSet::between(from, to)});
    }
    return RuleCoverage{std::move(boxes), builder.impossible()};
}

// A box without constraints is every draw. Several boxes cover every draw when the condition is false for none and
// unknown for none: it uses no nullable field.
bool matches_every_draw(const Rule& rule, bool case_sensitive) {
    SpaceBuilder builder(case_sensitive);
    const std::vector<Box> boxes = builder.boxes(rule.when, /*negated=*/false);
    if (std::ranges::any_of(boxes, &Box::empty)) return true;
    const bool is_known = std::ranges::all_of(boxes, [](const Box& box) {
        return std::ranges::none_of(box, [](const auto& asked) {
            const Dimension& dimension = asked.first;
            return (dimension.field != nullptr && dimension.field->nullable) ||
                   (dimension.other != nullptr && dimension.other->nullable);
        });
    });
    return is_known && builder.boxes(rule.when, /*negated=*/true).empty() && !builder.too_many();
}

bool covers(const Box& box, const Box& other) {
    for (const auto& [dimension, space] : box) {
        const auto found = other.find(dimension);
        if (found == other.end() || !space.covers(found->second)) return false;
    }
    return true;
}

bool may_meet(const Box& box, const Box& other) {
    return std::ranges::none_of(box, [&](const auto& side) {
        const auto found = other.find(side.first);
        return found != other.end() && side.second.intersection(found->second).empty();
    });
}

std::optional<Box> with_largest_amount(Box box) {
    const DrawField* amount = find_draw_field("amountRequested");
    const FieldSpace largest{false, NumberSet::between(NumberSet::highest, NumberSet::highest)};
    SpaceBuilder::restrict(box, {Dimension::Kind::value, amount}, largest);
    for (const auto& [dimension, space] : box) {
        const bool is_relation = dimension.kind == Dimension::Kind::relation;
        const bool is_total = dimension.kind == Dimension::Kind::history && dimension.history.contains("_total ");
        if (is_relation && (dimension.field == amount || dimension.other == amount)) return std::nullopt;
        if (is_total && !space.covers(largest)) return std::nullopt;
        if (space.empty()) return std::nullopt;
    }
    return box;
}

}  // namespace drawbridge::rules
