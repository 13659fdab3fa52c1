// The exception catalog: every reason code with its step, its title, what it means, what to do, and what a person may
// do about it. It is the only list of them: `drawbridge exceptions`, the operators' API, the alerts and
// docs/exceptions.md are made from it, and the ledger raises no exception that is not in it.
//
// Its texts go to people as they are, in a terminal, a mail and a web page: plain text, commands and keys between
// backticks, no names and no amounts. It decides nothing: what an act does is the pipeline's.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "drawbridge/domain/steps.hpp"

namespace drawbridge {

enum class ExceptionAct {
    resolve,          // resolve ID: close it
    match,            // resolve ID --match PAYMENT: apply the bank's line to a payment
    undo,             // resolve ID --undo: take a person's resolve or match back
    reissue,          // resolve ID --reissue: pay the draw again
    approve,          // approve DRAW: in place of a rule
    release,          // release NAME: let the payment file go to the bank
    void_payment,     // void NAME, void --payment PAYMENT: end what has not gone out
    void_check,       // void --check NUMBER, stop --check NUMBER: an order to the bank; with --withdraw: take it back
    deliver_by_hand,  // resolve ID --by-hand: the bank has the file
    deliver_again,    // resolve ID --again: the bank does not have the file, upload it again
    acknowledge,      // acknowledge NAME: the bank's count and total
    accept_change,    // accept HASH
    reject_change,    // reject HASH
    ingest,           // ingest FILE: hand in a corrected bank file
    pause,            // pause all movement of money
    resume,           // resume it
};

inline constexpr std::array all_exception_acts = {
    ExceptionAct::resolve,         ExceptionAct::match,         ExceptionAct::undo,         ExceptionAct::reissue,
    ExceptionAct::approve,         ExceptionAct::release,       ExceptionAct::void_payment, ExceptionAct::void_check,
    ExceptionAct::deliver_by_hand, ExceptionAct::deliver_again, ExceptionAct::acknowledge,  ExceptionAct::accept_change,
    ExceptionAct::reject_change,   ExceptionAct::ingest,        ExceptionAct::pause,        ExceptionAct::resume};

// "deliver_by_hand". The operators' API uses these words.
[[nodiscard]] std::string_view to_string(ExceptionAct act);

template <class Enum>
class EnumSet {
  public:
    constexpr EnumSet() = default;
    constexpr EnumSet(std::initializer_list<Enum> members) {
        for (const Enum member : members)
            bits_ |= bit(member);
    }
    [[nodiscard]] constexpr bool has(Enum member) const { return (bits_ & bit(member)) != 0; }
    [[nodiscard]] constexpr EnumSet without(Enum member) const {
        EnumSet rest = *this;
        rest.bits_ &= ~bit(member);
        return rest;
    }
    [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }

  private:
    static constexpr std::uint32_t bit(Enum member) { return std::uint32_t{1} << static_cast<unsigned>(member); }
    std::uint32_t bits_ = 0;
};
using ExceptionActs = EnumSet<ExceptionAct>;

enum class ResolveEffect {
    lifts,    // it ends what the exception holds up: a hold, a stop, a condition of `resume`, a retry
    closes,   // it only closes the exception: a cause that remains still counts
    refused,  // `resolve` alone is refused: another act says what is true
};

struct ExceptionKind {
    std::string_view reason_code;  // "no_payee"
    std::optional<Step> step;      // whose work needs a person; nullopt: any step's
    EnumSet<Step> also;            // other steps that raise it too
    std::string_view title;        // "No payee for this draw"
    std::string_view meaning;      // sentences
    std::string_view what_to_do;   // sentences, the most urgent first
    ResolveEffect resolve_effect = ResolveEffect::closes;
    std::string_view resolve_does;  // sentences: what `resolve` does
    ExceptionActs acts;             // while it is open; `undo` once a person has closed it
    bool pauses = false;            // all movement of money is paused when it is raised
    // It says what happened, not why the draw waits: what the service shows of the draw later does not close it.
    bool lasts = false;
};

// Grouped by step, in the order in which a draw meets them; those of any step last.
[[nodiscard]] std::span<const ExceptionKind> exception_kinds();

// The step that the ledger stores with an exception: what deliver raises counts as pay.
[[nodiscard]] Step ledger_step(Step step);

// The kind with this code and step, as the ledger stores them; nullptr: that step raises no such exception.
[[nodiscard]] const ExceptionKind* find_exception_kind(std::string_view reason_code, std::string_view step);
// The first kind with this code, of any step; nullptr: no such code.
[[nodiscard]] const ExceptionKind* find_exception_kind(std::string_view reason_code);

// docs/exceptions.md.
[[nodiscard]] std::string exception_reference();

}  // namespace drawbridge
