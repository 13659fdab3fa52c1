// Which routing numbers the ABA assigns. For what people enter now and for files that are judged: a number that was
// recorded before is read as it is.
#pragma once

#include <string_view>

#include "drawbridge/domain/bank_numbers.hpp"

namespace drawbridge {

// By the first two digits: 00 (US government), 01-12, 21-32, 61-72, 80.
[[nodiscard]] bool is_assigned_routing(int first_two);
[[nodiscard]] bool is_assigned_routing(const RoutingNumber& number);

// RoutingNumber::parse(), which also refuses what is not assigned.
[[nodiscard]] Result<RoutingNumber> parse_assigned_routing(std::string_view text);

}  // namespace drawbridge
