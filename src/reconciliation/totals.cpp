#include "drawbridge/reconciliation/totals.hpp"

#include <algorithm>
#include <type_traits>

#include "drawbridge/domain/described.hpp"

namespace drawbridge::reconciliation {
namespace {

// Each number of a record to the same number of the other.
template <class T>
void add(T& to, const T& more) {
    if constexpr (Record<T>) {
        for_each_member<T>([&](const char*, auto member) { add(to.*member, more.*member); });
    } else if constexpr (is_map<T>) {
        for (const auto& [key, value] : more)
            add(to[key], value);
    } else if constexpr (std::is_same_v<T, Ages>) {
        for (std::size_t age = 0; age < to.size(); ++age)
            add(to[age], more[age]);
    } else {
        to += more;
    }
}

}  // namespace

ClassTotal& ClassTotal::operator+=(const ClassTotal& other) {
    add(*this, other);
    return *this;
}

std::size_t age_index(std::int64_t days) {
    return static_cast<std::size_t>(std::ranges::find_if(age_limits, [&](int limit) { return days <= limit; }) -
                                    age_limits.begin());
}

std::string age_words(std::size_t index) {
    if (index == age_limits.size()) return "over " + std::to_string(age_limits.back()) + " days";
    const int low = index == 0 ? 0 : age_limits[index - 1] + 1;
    return std::to_string(low) + "-" + std::to_string(age_limits[index]) + " days";
}

ClassTotal Totals::of(LineClass line_class) const {
    const auto found = classes.find(line_class);
    return found == classes.end() ? ClassTotal() : found->second;
}

ClassTotal Totals::of(LineGroup group) const {
    ClassTotal sum;
    for (const auto& [line_class, total] : classes) {
        if (words(line_class).group == group) sum += total;
    }
    return sum;
}

Ages Totals::ages_in_flight() const {
    Ages sum{};
    for (const auto& [line_class, of_class] : ages) {
        if (words(line_class).group == LineGroup::in_flight) add(sum, of_class);
    }
    return sum;
}

std::int64_t Totals::differences() const {
    return of(LineGroup::differs).lines;
}

Totals& Totals::operator+=(const Totals& other) {
    add(*this, other);
    return *this;
}

}  // namespace drawbridge::reconciliation
