// Which routing numbers the ABA assigns. Used for new input and for validating files. A number recorded earlier is read
// without this check.
#pragma once

#include <string_view>

#include "drawbridge/domain/bank_numbers.hpp"

namespace drawbridge {

// Whether such routing numbers are assigned, by their first two digits: 00 (US government), 01-12, 21-32, 61-72, 80.
[[nodiscard]] bool is_assigned_routing(int first_two);
[[nodiscard]] bool is_assigned_routing(const RoutingNumber& number);

// Like RoutingNumber::parse(), but also refuses unassigned numbers.
[[nodiscard]] Result<RoutingNumber> parse_assigned_routing(std::string_view text);

}  // namespace drawbridge
