// The numbered SQL files of migrations/, which CMake embeds. Private to this module.
#pragma once

#include <span>
#include <string_view>

namespace drawbridge::ledger {

// The first schema that was released. Ledgers with a lower number cannot be opened.
inline constexpr int first_schema = 100;

struct Migration {
    int version;  // from first_schema, without gaps
    std::string_view name;
    std::string_view sql;
};

// In order; the first creates the whole schema, each later one changes the schema before it.
[[nodiscard]] std::span<const Migration> migrations();

// The schema that this program reads and writes.
[[nodiscard]] inline int newest_schema() {
    return migrations().back().version;
}

}  // namespace drawbridge::ledger
