// A list of ids as one value of a statement. Private to this module.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <span>
#include <string>

namespace drawbridge::ledger {

// After IN: the ids of id_list(), by one placeholder.
#define LISTED_IDS "(SELECT value FROM json_each(?))"

[[nodiscard]] inline std::string id_list(std::span<const std::int64_t> ids) {
    return fmt::format("[{}]", fmt::join(ids, ","));
}

}  // namespace drawbridge::ledger
