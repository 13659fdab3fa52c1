// The makers of a payment file: everyone who had a hand in it. No maker releases it.
#pragma once

#include "drawbridge/domain/error.hpp"
#include "drawbridge/ledger/ledger.hpp"
#include "drawbridge/ledger/payments.hpp"

namespace drawbridge::ledger {

// Whether the person behind `stamp` may release this file. Error (forbidden): that person had a hand in it; the message
// says in what.
[[nodiscard]] Result<void> check_may_release(Ledger& ledger, const FileRow& file, const Stamp& stamp);

}  // namespace drawbridge::ledger
