// Shared by the tables of exception kinds: acts, and texts about `resolve`. Private to this module.
#pragma once

#include "drawbridge/domain/exception_catalog.hpp"

namespace drawbridge::exceptions {

using enum ExceptionAct;
using enum ResolveEffect;

inline constexpr std::optional<Step> any_step;
inline constexpr EnumSet<Step> every_step = {Step::poll,    Step::decide,  Step::approve, Step::pay,
                                             Step::deliver, Step::confirm, Step::report};

inline constexpr ExceptionActs close = {resolve, undo};
inline constexpr ExceptionActs void_or_close = {void_payment, resolve, undo};

// What `resolve` does, where several kinds share the text.
inline constexpr std::string_view nothing_else = "Closes it. Nothing else changes.";
inline constexpr std::string_view still_unpaid =
    "Closes it. The draw stays unpaid: the next run of `pay` opens it again until the cause is fixed.";
inline constexpr std::string_view pays_it =
    "Orders Drawbridge to pay the draw anyway, at the next run of `pay`. The order covers exactly what the detail "
    "says; if that changes, the draw is held again. The person who resolves it cannot release the file that pays the "
    "draw.";
inline constexpr std::string_view payment_stays = "Closes it. The payment stays as it is.";
inline constexpr std::string_view dispute_stays =
    "Closes it. The payment stays as it is, and time never confirms it: until a list says what happened to it, it "
    "counts as not confirmed, and the line stays under what needs a person in `drawbridge reconcile`.";
inline constexpr std::string_view file_stays =
    "Closes it. It does not change the file: Drawbridge opens it again when the file is about to leave.";
inline constexpr std::string_view tries_on =
    "Closes it. Drawbridge retries either way, and opens it again at the next failure.";
inline constexpr std::string_view line_not_applied =
    "Closes it. The line is not applied. Resolve it only after the bank has told you what is true: from then on, "
    "credits that waited for it may count as paid by time, and a draw with an order to pay it again may be paid.";

}  // namespace drawbridge::exceptions
