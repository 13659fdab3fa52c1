// docs/exceptions.md, made from the catalog.
#include <algorithm>

#include "drawbridge/domain/exception_catalog.hpp"

namespace drawbridge {
namespace {

constexpr std::string_view introduction =
    R"(# Exceptions

An exception is something that a person must look at. `drawbridge exceptions` lists the open ones, oldest first;
`drawbridge exception ID` shows one and what to do. This page lists every reason code, grouped by the pipeline step that
needs the person. `drawbridge exception-reference` prints it.

- **The detail** of an exception names the draw, the file, the amount or the bank's words. Read it first.
- **Most exceptions close automatically** when the cause is gone, and say so. A person closes the others:
  `drawbridge resolve ID --reason …`, which records your name and reason in the audit trail.
- **The last column says what `resolve` does.** **Lifts:** it ends the hold that the exception causes. **Closes:** it
  only closes the exception; a cause that remains still counts. **Refused:** resolve it with the act that the row names.
- **A person who resolves an exception of step `pay` about a draw becomes a maker of the file that pays the draw**, and
  may not release that file. A person who may only hand in bank files (finance) resolves exceptions of step `confirm`.
- **`drawbridge resolve ID --undo --reason …`** undoes a person's resolution or match, as long as nothing depends on it.
  The exception opens again under a new number.
- **Some exceptions pause all movement of money**, and say so. When you have done what they ask for,
  `drawbridge resume --reason …` lets money move again.
- The ledger, the API and the metrics count exceptions of `deliver` as step `pay`.
)";

std::string_view words(ResolveEffect effect) {
    switch (effect) {
        case ResolveEffect::lifts: return "Lifts.";
        case ResolveEffect::closes: return "Closes.";
        case ResolveEffect::refused: break;
    }
    return "Refused.";
}

std::string_view heading(std::optional<Step> step) {
    if (!step) return "Any step";
    switch (*step) {
        case Step::poll: return "poll: what the Draws Service shows";
        case Step::decide: return "decide: rules and payees under change control";
        case Step::approve: return "approve: approvals at the Draws Service";
        case Step::pay: return "pay: draws, payment files, checks and the ledger";
        case Step::deliver: return "deliver: released files on their way to the bank";
        case Step::confirm: return "confirm: what the bank says";
        case Step::report: break;
    }
    return "report: what is written back to the Draws Service";
}

}  // namespace

std::string exception_reference() {
    std::string out(introduction);
    const ExceptionKind* previous = nullptr;
    for (const ExceptionKind& kind : exception_kinds()) {
        if (previous == nullptr || previous->step != kind.step) {
            out += "\n## " + std::string(heading(kind.step)) +
                   "\n\n| reason | means | what to do | `resolve` |\n|---|---|---|---|\n";
        }
        previous = &kind;
        out += "| `" + std::string(kind.reason_code) + "` | **" + std::string(kind.title) + ".** " +
               std::string(kind.meaning) + " | " + std::string(kind.what_to_do) + " | **" +
               std::string(words(kind.resolve_effect)) + "** ";
        // The column already says what the text begins with.
        std::string_view does = kind.resolve_does;
        for (const std::string_view echo : {"Closes it. ", "Refused. "}) {
            if (does.starts_with(echo)) does.remove_prefix(echo.size());
        }
        out += std::string(does) + " |\n";
    }
    return out;
}

}  // namespace drawbridge
