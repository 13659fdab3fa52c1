// Parts of the key table: how payments leave, and who controls changes to rules and payees. Private to this module.
#pragma once

#include <span>

#include "drawbridge/config/keys.hpp"

namespace drawbridge::config {

[[nodiscard]] std::span<const Key> rail_keys();            // `ach` and `checks`
[[nodiscard]] std::span<const Key> delivery_keys();        // `delivery`
[[nodiscard]] std::span<const Key> control_keys();         // `change_control`
[[nodiscard]] std::span<const Key> acknowledgment_keys();  // `pay.acknowledge_within`
[[nodiscard]] std::span<const Key> console_keys();         // `console`

}  // namespace drawbridge::config
