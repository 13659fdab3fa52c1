// What may be released without a person, and from which account. Private to this module.
#pragma once

#include <optional>
#include <string>

#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

// Why no file is released without a person now, as a sentence's beginning. nullopt: those within the limit may be.
[[nodiscard]] std::optional<std::string> why_none_is_automatic(Context& context);

// Why this file waits for a person: together with what was released without a person today (the office's day) from the
// same account, it exceeds the limit. The text names limit, used amount and file. nullopt: no person is needed.
[[nodiscard]] std::optional<std::string> over_release_limit(Context& context, const ledger::FileRow& file);

// Whether the configuration still names the account that the file pays from: an ACH originator at its bank, or a check
// account.
[[nodiscard]] bool pays_from_configured_account(Context& context, const ledger::FileRow& file);

}  // namespace drawbridge::pipeline
