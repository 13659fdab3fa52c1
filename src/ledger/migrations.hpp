// The numbered SQL files of migrations/, embedded by CMake. Private to this module.
#pragma once

#include <span>
#include <string_view>

namespace drawbridge::ledger {

struct Migration {
    int version;  // from 1, without gaps
    std::string_view name;
    std::string_view sql;
};

[[nodiscard]] std::span<const Migration> migrations();

}  // namespace drawbridge::ledger
