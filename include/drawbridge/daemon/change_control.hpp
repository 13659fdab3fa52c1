// Change control of rules and payees: decides which bytes are in force. Without change control, the bytes of the file;
// with change control, the bytes in the ledger, never those of the file.
#pragma once

#include <expected>
#include <string>

#include "drawbridge/config/config.hpp"
#include "drawbridge/config/inputs.hpp"
#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::daemon {

// Raises `inputs_refused`: the changed files have errors. compare_with_ledger() closes it.
void raise_refused(ledger::Ledger& ledger, const text::Diagnostics& problems, const ledger::Stamp& stamp);

// Compares the files with the ledger. The first bytes become the baseline; changed bytes become a proposal.
void compare_with_ledger(ledger::Ledger& ledger, const config::Config& config, const config::Inputs& from_files,
                         const ledger::Stamp& stamp);

// Replaces rules and payees under change control by those in force in the ledger. Diagnostics: there is no baseline
// yet, or this program cannot read the bytes in force; then nothing is replaced.
[[nodiscard]] std::expected<void, text::Diagnostics> take_in_force(ledger::Ledger& ledger, const config::Config& config,
                                                                   rules::RuleSet& rules,
                                                                   disbursement::PayeeDirectory& payees);

// "; changed payees 1a2b3c4d5e6f wait for two people: drawbridge changes". Empty: nothing waits.
[[nodiscard]] std::string waiting_changes(ledger::Ledger& ledger);

// Records what changed in drawbridge.yaml since the last start. Raises an exception if change control was turned off.
void note_settings(ledger::Ledger& ledger, const config::Config& config, const ledger::Stamp& stamp);

}  // namespace drawbridge::daemon
