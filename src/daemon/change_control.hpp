// Change control of rules and payees: the one place that says which bytes are in force. What is not under control is in
// force as the file has it; the rest as the ledger has it, never as the file does.
#pragma once

#include <expected>
#include <string>

#include "drawbridge/config/config.hpp"
#include "drawbridge/daemon/inputs.hpp"
#include "drawbridge/ledger/ledger.hpp"

namespace drawbridge::daemon {

// Holds what was read from the files against the ledger: the first is the baseline, changed bytes are proposed.
void compare_with_ledger(ledger::Ledger& ledger, const config::Config& config, const Inputs& from_files,
                         const ledger::Stamp& stamp);

// Puts what the ledger has in force in the place of what is under control. Diagnostics: there is no baseline yet, or
// this program cannot read what is in force; then nothing was put anywhere.
[[nodiscard]] std::expected<void, text::Diagnostics> take_in_force(ledger::Ledger& ledger, const config::Config& config,
                                                                   rules::RuleSet& rules,
                                                                   disbursement::PayeeDirectory& payees);

// What waits for two persons: "; changed payees 1a2b3c4d5e6f wait for two persons: drawbridge changes". Empty: nothing.
[[nodiscard]] std::string what_waits(ledger::Ledger& ledger);

// Records what was changed in drawbridge.yaml since the last start. That change control was switched off is an
// exception, too.
void note_settings(ledger::Ledger& ledger, const config::Config& config, const ledger::Stamp& stamp);

}  // namespace drawbridge::daemon
