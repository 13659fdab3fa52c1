// Words that a person types to narrow a list down: `state:held amount:>5000 case:Smith`. What they mean is the address
// of that list with its filters, so that the page shows what it was narrowed to.
#pragma once

#include <optional>
#include <string_view>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/pages/html.hpp"
#include "drawbridge/pages/screens.hpp"

namespace drawbridge::pages {

// The list that words typed anywhere are about. nullopt: the text has no such word, says more than the list can be
// asked for, or contradicts itself (state:held state:paid).
[[nodiscard]] std::optional<Link> list_of_words(std::string_view text);

// The list of draws for a query whose `text` has such words: they become filters and replace what the query says.
// nullopt: it has none, or contradicts itself: the list then looks for the text as it is.
[[nodiscard]] std::optional<Link> draws_by_words(const Query& query);

// The query of the list of draws, its amounts as the daemon reads them: "$1,000" is "1000.00". Error (invalid_input):
// an invalid amount, or a filter that the list does not have.
[[nodiscard]] Result<Query> read_draw_filters(Query query);

}  // namespace drawbridge::pages
