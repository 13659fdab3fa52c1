// A list of ids as one value of a statement. Private to this module.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <string>
#include <vector>

namespace drawbridge::ledger {

// After IN: the ids of id_list(), by one placeholder.
#define LISTED_IDS "(SELECT CAST(value AS INTEGER) FROM json_each(?))"

[[nodiscard]] inline std::string id_list(const std::vector<std::int64_t>& ids) {
    return fmt::format("[{}]", fmt::join(ids, ","));
}

}  // namespace drawbridge::ledger
