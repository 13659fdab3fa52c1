#include "text_comparison.hpp"

#include <algorithm>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/domain/assert.hpp"

namespace drawbridge::rules {
namespace {

constexpr std::string_view blanks = " \t\r\n";

std::string_view visible(std::string_view text) {
    return trimmed(text, blanks);
}

}  // namespace

bool TextComparison::SameCharacter::operator()(char a, char b) const {
    return case_sensitive ? a == b : to_lower(a) == to_lower(b);
}

bool TextComparison::same(std::string_view a, std::string_view b) const {
    return std::ranges::equal(a, b, same_);
}

bool TextComparison::has_outer_blank(std::string_view text) {
    return visible(text).size() != text.size();
}

bool TextComparison::equal(std::string_view a, std::string_view b) const {
    return same(visible(a), visible(b));
}

bool TextComparison::contains(std::string_view text, std::string_view part) const {
    return part.empty() || !std::ranges::search(text, part, same_).empty();
}

// Only the blanks at the ends of the whole text count for nothing: "rent " does not begin "rental".
bool TextComparison::starts_with(std::string_view text, std::string_view part) const {
    text = visible(text);
    part.remove_prefix(std::min(part.find_first_not_of(blanks), part.size()));
    return text.size() >= part.size() && same(text.substr(0, part.size()), part);
}

bool TextComparison::ends_with(std::string_view text, std::string_view part) const {
    text = visible(text);
    part = part.substr(0, part.find_last_not_of(blanks) + 1);  // npos + 1 is 0
    return text.size() >= part.size() && same(text.substr(text.size() - part.size()), part);
}

bool TextComparison::compare(Operator op, std::string_view found, std::string_view wanted) const {
    switch (op) {
        case Operator::equal:
        case Operator::in: return equal(found, wanted);
        case Operator::contains: return contains(found, wanted);
        case Operator::starts_with: return starts_with(found, wanted);
        case Operator::ends_with: return ends_with(found, wanted);
        case Operator::gt:
        case Operator::gte:
        case Operator::lt:
        case Operator::lte:
        case Operator::matches:
        case Operator::older_than:
        case Operator::newer_than:
        case Operator::is_null:
        case Operator::is_not_null: break;
    }
    DRAWBRIDGE_ASSERT(false, "the parser allows no other operator on text");
}

}  // namespace drawbridge::rules
