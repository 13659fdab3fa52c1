// What the tables of exception kinds share: acts and words about `resolve`. Private to this module.
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

// What `resolve` does, where it is the same for several.
inline constexpr std::string_view nothing_else = "Closes it. Nothing else changes.";
inline constexpr std::string_view still_unpaid =
    "Does not lift it: the next run of `pay` opens it again while the cause is there.";
inline constexpr std::string_view pays_it =
    "Orders that the draw is paid all the same, at the next run of `pay`. The order holds for exactly what the detail "
    "says: if that changes, the draw is held again. Whoever resolves it cannot release the file that pays the draw.";
inline constexpr std::string_view payment_stays = "Closes it. The payment stays as it is.";
inline constexpr std::string_view file_stays =
    "Closes it. It does not change the file: Drawbridge opens it again when the file is to leave.";
inline constexpr std::string_view tries_on =
    "Closes it. Drawbridge tries again either way, and opens it again at the next failure.";
inline constexpr std::string_view line_not_applied =
    "Closes it. The line is not applied. What waited for an answer goes on: silence of the bank may count as payment, "
    "and a draw that is ordered to be paid again may be paid. Resolve it only when the bank has said what is true.";

}  // namespace drawbridge::exceptions
