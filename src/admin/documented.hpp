// Holds a request to what the OpenAPI document says of its route. A misspelled "preview" or "expect" must never carry
// out an act that the caller only wanted to look at. Private to this module.
#pragma once

#include "call.hpp"
#include "routes.hpp"

namespace drawbridge::admin {

// Error (invalid_input): a parameter that the route does not have.
[[nodiscard]] Result<void> check_parameters(const Route& route, const Call& call);
// Error (invalid_input): a member that the route's body does not have, a member of another type (a flag is true or
// false, nothing else), or an "expect" that compares nothing. Which members are required is for the handler to say.
[[nodiscard]] Result<void> check_body(const Route& route, const Call& call);

}  // namespace drawbridge::admin
