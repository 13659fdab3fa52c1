#include "journal_catalog.hpp"

#include <algorithm>
#include <iterator>

#include "drawbridge/daemon/programs.hpp"
#include "drawbridge/domain/assert.hpp"

namespace drawbridge::daemon {
namespace {

using spdlog::level::debug;
using spdlog::level::err;
using spdlog::level::info;
using spdlog::level::warn;

constexpr MessageKind all[] = {
    {"6838cd3973444f77b6c7f6b2c8d1f0b4", "", info, "The daemon is ready",
     "Ledger, rules, payees and the operators' socket are open; the steps run from now on."},
    {"3a0e69a4ece549039cc71f950da3b40d", "", info, "The daemon has stopped", "What was committed stands."},
    {"0894396efae74171bb595b10b5f2d19f", "", info, "A step ran", "STAGE names it; the message counts what it did."},
    {"81d8dd17f8d34bc5b378639d307ded2c", "", err, "A step failed",
     "STAGE names it. Nothing is lost: the next run goes on. When it fails again and again, the message says at what."},
    {"33653340e0cb43b38d1c4aa07cfd4556", "", warn, "A step met a problem",
     "It went on without what the message names; the next run tries it again."},
    {"28457369951248a0a8a8fd53ac8ba59d", "", err, "A reload was refused",
     "The old rules and payees stay in force. Mend the file at the place that is named; `drawbridge check` names all."},
    {"7f035a2bd46d466a8f713715cdb080af", "", warn, "Alerts do not go out, or do again",
     "They wait in the ledger and are tried again. `drawbridge alerts` shows why."},
    {"d7c9443620914523a3fc92b18a2e8c26", "exception.opened", warn, "An exception was opened",
     "It waits for a person: `drawbridge exceptions`, and docs/operators.md for what to do about its reason code."},
    {"d2c48308c8db429eaad74d634c6f77d9", "exception.closed", info, "An exception was closed",
     "By whoever is named, or because what it was about has been mended."},
    {"2cf12c548f2d4130bc32ae3c6b51249f", "decided.", debug, "A draw was decided",
     "RULE names the rule; `drawbridge rules explain --draw DRAW_ID` says why."},
    {"86a357ce2d754bf7947ea6fc705ee9ca", "approval.", debug, "An approval was submitted or answered", ""},
    {"d104d2eea660493381cde41987cb2730", "file.planned", info, "A payment file was planned",
     "Its payments and numbers are in the ledger; the file is written next."},
    {"b5b80f6268ed4c3ab4a57685f226dd18", "file.staged", info, "A payment file was written",
     "FILE_SHA256 is what it must be when it is released."},
    {"21c177fea34a48ae96412b1ea5659223", "file.release_ordered", info, "The release of a payment file was ordered", ""},
    {"5d1e7a0c9b6f4f0fb3c52f4b6d8c1a27", "file.release_", warn,
     "The release of a payment file waits, or did not happen",
     "It waits for the service or for encryption and goes by itself; refused or lapsed, its exception says what to "
     "do."},
    {"2c1d01c05dfd422ab053de80834ff66f", "file.released", info, "A payment file has gone out",
     "It is in spool/outgoing, for the bank to take."},
    {"8191af530cbb4651868cd9896a189633", "file.voided", warn, "A payment file was voided",
     "Before it had gone out; its draws may be paid anew."},
    {"dab2bf9771504d98a686487ba1561f25", "payment.", debug, "The bank spoke of a payment",
     "Paid, returned or void, as the confirmation says."},
    {"6bc1a574d56e48c589157e4409d94574", "confirmation_file.applied", info, "A confirmation file was applied",
     "FILE_SHA256 is that of its bytes: the same bytes again change nothing."},
    {"c4989c9b414c4321982346214522fe63", "confirmation_file.refused", warn, "A confirmation file was refused",
     "Nothing of it was applied. Its report is beside it in quarantine/."},
    {"1f34e4097047479aa1d905a150981f04", "report.", debug, "A disbursement was reported to the service", ""},
    {"78ad26570bad4d84a3af80c1d08c5e23", "movement.paused", warn, "All movement of money was paused",
     "Until `drawbridge resume`."},
    {"480ecaa9c97e4cc195b28d17704e7b40", "movement.resumed", info, "Money moves again", ""},
    {"c6b60268b23445ee84ea9eb0fc018a31", "inputs.reloaded", info, "Rules and payees were reloaded",
     "They are in force from the next step on."},
    {"40309bdbbefd4d0984dc04c8b87bb221", "change.", warn, "Rules or payees were changed, or a change was decided",
     "Under change control: the baseline, what was proposed, who agreed, and what came of it. `drawbridge changes`."},
    {"491beefb870b4b48a9003f91214d46ad", "configuration.changed", warn, "drawbridge.yaml was changed",
     "The message names each key, before and now; accounts, secrets and addresses are not shown."},
    {"5c0b7d2f1a9e4e0f8f4e0c6f3a61d7e2", "facts.differ", err, "The ledger was changed by something else",
     "Rows, digests or the audit trail are not what Drawbridge wrote. Pause, and run `drawbridge verify`."},
    {"93b691fbdab945768c9e3db6462bf216", "", info, "Something else was recorded in the audit trail",
     "ACTION, SUBJECT and ACTOR say what, about what and by whom."},
};

const MessageKind& titled(std::string_view title) {
    const auto found = std::ranges::find(all, title, &MessageKind::title);
    DRAWBRIDGE_ASSERT(found != std::end(all), "a kind of message is in the table");
    return *found;
}

}  // namespace

std::span<const MessageKind> journal_messages() {
    return all;
}

const MessageKind& kind_of_action(std::string_view action) {
    const MessageKind* best = &titled("Something else was recorded in the audit trail");
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
    return titled("Alerts do not go out, or do again");
}

}  // namespace kinds

std::string journal_catalog() {
    std::string out = "# What the messages of drawbridge mean, for `journalctl --catalog`.\n";
    for (const auto& kind : all) {
        out += "\n-- " + std::string(kind.id) + "\n";
        out += "Subject: " + std::string(kind.title) +
               "\nDefined-By: Drawbridge\n"
               "Documentation: man:drawbridge(1)\n"
               "Documentation: file:///usr/share/doc/drawbridge/docs/operators.md\n\n@MESSAGE@\n";
        if (!kind.meaning.empty()) out += std::string(kind.meaning) + "\n";
    }
    return out;
}

}  // namespace drawbridge::daemon
