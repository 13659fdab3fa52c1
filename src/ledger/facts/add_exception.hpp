// Raises an exception and says which. Private to this module.
#pragma once

#include <cstdint>
#include <optional>

#include "drawbridge/ledger/facts/exceptions.hpp"

namespace drawbridge::ledger {

// nullopt: the same exception is open already.
[[nodiscard]] std::optional<std::int64_t> add_exception(Ledger& ledger, const ExceptionDetails& what,
                                                        const Stamp& stamp);

}  // namespace drawbridge::ledger
