// The part of the table of keys that is `delivery`. Private to this room.
#pragma once

#include <span>

#include "drawbridge/config/keys.hpp"

namespace drawbridge::config {

[[nodiscard]] std::span<const Key> delivery_keys();

}  // namespace drawbridge::config
