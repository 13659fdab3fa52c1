#include "draw.hpp"

#include <algorithm>

namespace draws_sandbox {

std::optional<Field> find_field(std::string_view name) {
    const auto found = std::ranges::find(fields, name, &FieldInfo::name);
    if (found == fields.end()) return std::nullopt;
    return static_cast<Field>(found - fields.begin());
}

Value instant_value(Instant instant) {
    return std::int64_t{instant.time_since_epoch().count()};
}

std::string_view status_name(std::int64_t status) {
    static constexpr std::array<std::string_view, 6> names{"Not Submitted",    "Submitted", "Cancelled",
                                                           "Pending Approval", "Approved",  "Disbursed"};
    return is_status(status) ? names[static_cast<std::size_t>(status)] : "Unknown";
}

void apply_changes(Draw& draw, const Changes& changes) {
    for (const auto& [field, value] : changes)
        draw[field] = value;
}

}  // namespace draws_sandbox
