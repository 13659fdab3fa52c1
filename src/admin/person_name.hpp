// Names of people: what reads as another person's name is refused, because admins confirm a change by the name that
// they see. Private to this module.
#pragma once

#include <optional>
#include <string_view>

namespace drawbridge::admin {

// Why no person may have this name: "has …". nullopt: one may.
[[nodiscard]] std::optional<std::string_view> fault_in_name(std::string_view name);

// Whether people would take them for one name: case and spaces do not count.
[[nodiscard]] bool is_same_name(std::string_view a, std::string_view b);

}  // namespace drawbridge::admin
