// The row of a shape of explanations. Private to this module.
#pragma once

#include <cstdint>
#include <string>

#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

// Stores the shape if it is new.
[[nodiscard]] std::int64_t explanation_shape_id(Ledger& ledger, const std::string& shape);

}  // namespace drawbridge::ledger
