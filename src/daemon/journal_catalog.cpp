#include "drawbridge/daemon/journal_catalog.hpp"

#include <algorithm>
#include <iterator>

#include "drawbridge/domain/assert.hpp"

namespace drawbridge::daemon {
namespace {

using spdlog::level::debug;
using spdlog::level::err;
using spdlog::level::info;
using spdlog::level::warn;

constexpr MessageKind all[] = {
    {"6838cd3973444f77b6c7f6b2c8d1f0b4", "", info, "The daemon is ready",
     "The ledger, rules, payees and the operators' socket are open. The steps run from now on."},
    {"3a0e69a4ece549039cc71f950da3b40d", "", info, "The daemon has stopped", "Committed work is safe."},
    {"0894396efae74171bb595b10b5f2d19f", "", info, "A step ran", "STEP names it. The message counts what it did."},
    {"81d8dd17f8d34bc5b378639d307ded2c", "", err, "A step failed",
     "STEP names it, and the message gives the reason. Nothing is lost: the next run continues."},
    {"33653340e0cb43b38d1c4aa07cfd4556", "", warn, "A step met a problem",
     "It skipped what the message names. The next run retries it."},
    {"28457369951248a0a8a8fd53ac8ba59d", "", err, "A reload was refused",
     "The old rules and payees stay in force. Correct the file at the line in the message. `drawbridge check` lists "
     "all mistakes."},
    {"7f035a2bd46d466a8f713715cdb080af", "", warn, "Alerts cannot be sent, or can be sent again",
     "They wait in the ledger and are retried. `drawbridge alerts` shows the reason."},
    {"d7c9443620914523a3fc92b18a2e8c26", "exception.opened", warn, "An exception was opened",
     "It needs a person. See `drawbridge exceptions`, and docs/exceptions.md for its reason code."},
    {"d2c48308c8db429eaad74d634c6f77d9", "exception.closed", info, "An exception was closed",
     "The person in the message closed it, or Drawbridge did because its cause is gone."},
    {"2cf12c548f2d4130bc32ae3c6b51249f", "decided.", debug, "Draws were decided",
     "An entry for one draw has RULE and DRAW_ID; an entry for many names the decisions. `drawbridge rules explain "
     "--draw DRAW_ID` explains the decision."},
    {"86a357ce2d754bf7947ea6fc705ee9ca", "approval.", debug, "Approvals were submitted or answered", ""},
    {"d104d2eea660493381cde41987cb2730", "file.planned", info, "A payment file was planned",
     "Its payments and numbers are in the ledger. The file is written next."},
    {"b5b80f6268ed4c3ab4a57685f226dd18", "file.staged", info, "A payment file was written",
     "FILE_SHA256 is the hash that the file must have when it is released."},
    {"21c177fea34a48ae96412b1ea5659223", "file.release_ordered", info, "The release of a payment file was ordered", ""},
    {"5d1e7a0c9b6f4f0fb3c52f4b6d8c1a27", "file.release_", warn, "The release of a payment file waits or was refused",
     "A release that waits for the service or for encryption continues without another order. For a refused or expired "
     "release, see its exception."},
    {"2c1d01c05dfd422ab053de80834ff66f", "file.released", info, "A payment file was released",
     "It is in spool/outgoing for the bank."},
    {"8191af530cbb4651868cd9896a189633", "file.voided", warn, "A payment file was voided",
     "It was voided before its release. Its draws may be paid again."},
    {"dab2bf9771504d98a686487ba1561f25", "payment.", debug, "The bank confirmed, returned or voided payments",
     "The confirmation says which were paid, returned or void."},
    {"6bc1a574d56e48c589157e4409d94574", "confirmation_file.applied", info, "A confirmation file was applied",
     "FILE_SHA256 is the hash of its bytes. The same bytes again change nothing."},
    {"c4989c9b414c4321982346214522fe63", "confirmation_file.refused", warn, "A confirmation file was refused",
     "Nothing in it was applied. The file and its report are in quarantine/."},
    {"1f34e4097047479aa1d905a150981f04", "report.", debug, "Disbursements were reported to the service", ""},
    {"78ad26570bad4d84a3af80c1d08c5e23", "movement.paused", warn, "All movement of money was paused",
     "It stays paused until `drawbridge resume --reason …`."},
    {"480ecaa9c97e4cc195b28d17704e7b40", "movement.resumed", info, "Movement of money was resumed", ""},
    {"c6b60268b23445ee84ea9eb0fc018a31", "inputs.reloaded", info, "Rules and payees were reloaded",
     "They are in force from the next step."},
    {"40309bdbbefd4d0984dc04c8b87bb221", "change.", warn, "Rules or payees were changed, or a change was decided",
     "Under change control: the baseline, a proposal, an acceptance or a rejection. See `drawbridge changes`."},
    {"491beefb870b4b48a9003f91214d46ad", "configuration.changed", warn, "drawbridge.yaml was changed",
     "The message names each key with its old and new value. Accounts, secrets and URLs are not shown."},
    {"5c0b7d2f1a9e4e0f8f4e0c6f3a61d7e2", "facts.differ", err,
     "The ledger was changed by something other than Drawbridge",
     "Rows, digests or the audit trail differ from what Drawbridge wrote. Pause, and run `drawbridge verify`."},
    {"93b691fbdab945768c9e3db6462bf216", "", info, "Anything else was recorded in the audit trail",
     "See ACTION, SUBJECT and ACTOR."},
};

const MessageKind& titled(std::string_view title) {
    const auto found = std::ranges::find(all, title, &MessageKind::title);
    DRAWBRIDGE_ASSERT(found != std::end(all), "the message kind must be in the table");
    return *found;
}

}  // namespace

const MessageKind& kind_of_action(std::string_view action) {
    const MessageKind* best = &titled("Anything else was recorded in the audit trail");
    for (const auto& kind : all) {
        if (!kind.actions.empty() && action.starts_with(kind.actions) && kind.actions.size() > best->actions.size())
            best = &kind;
    }
    return *best;
}

namespace kinds {

const MessageKind& ready() {
    return titled("The daemon is ready");
}
const MessageKind& stopped() {
    return titled("The daemon has stopped");
}
const MessageKind& step_ran() {
    return titled("A step ran");
}
const MessageKind& step_failed() {
    return titled("A step failed");
}
const MessageKind& problem() {
    return titled("A step met a problem");
}
const MessageKind& reload_refused() {
    return titled("A reload was refused");
}
const MessageKind& alerts_fail() {
    return titled("Alerts cannot be sent, or can be sent again");
}

}  // namespace kinds

std::string journal_catalog() {
    std::string out = "# The meaning of drawbridge's journal messages, for `journalctl --catalog`.\n";
    for (const auto& kind : all) {
        out += "\n-- " + std::string(kind.id) + "\n";
        out += "Subject: " + std::string(kind.title) +
               "\nDefined-By: Drawbridge\n"
               "Documentation: man:drawbridge(1)\n"
               "Documentation: file:///usr/share/doc/drawbridge/docs/monitoring.md\n\n@MESSAGE@\n";
        if (!kind.meaning.empty()) out += std::string(kind.meaning) + "\n";
    }
    return out;
}

}  // namespace drawbridge::daemon
