// What goes wrong with payment files before they leave, and with checks. Private to this module.
#pragma once

#include "exception_words.hpp"

namespace drawbridge::exceptions {

inline constexpr ExceptionKind file_kinds[] = {
    {"pay_run_incomplete",
     Step::pay,
     {},
     "A pay run does not add up",
     "In one run of `pay`, the approved total is not the sum of exported, held and exceptions. This is a defect.",
     "Release nothing. Run `drawbridge verify`, keep its output, and contact the developers.",
     closes,
     "Closes it. `drawbridge verify` still names the run.",
     {pause, resolve, undo}},
    {"file_not_valid",
     Step::pay,
     {},
     "A payment file did not come out as planned",
     "Before writing the file, Drawbridge found that it is not what was planned. It was not written. This is a defect, "
     "or a bad disk.",
     "Keep everything as it is, and contact the developers. The draws stay planned and are not paid twice.",
     closes,
     "Closes it. The next run opens it again if the file still comes out wrong.",
     void_or_close},
    {"staged_file_missing",
     Step::pay,
     {},
     "A payment file is gone from spool/staged",
     "Somebody took the file, or its encrypted form, out of `spool/staged` before it was released.",
     "Find out who took it, and ask the bank whether it has the file, by name. If it does not, place the same file "
     "there again, or void the file. If it does, never void it, because its draws would be paid twice: if its release "
     "had been ordered, have somebody who may release it run `drawbridge deliver NAME --by-hand --reason …`.",
     closes,
     file_stays,
     {release, void_payment, resolve, undo}},
    {"staged_file_changed",
     Step::pay,
     {},
     "A payment file in spool/staged was changed",
     "The file is not the one that Drawbridge wrote: its SHA-256 differs. It is not released.",
     "Somebody may have changed who is paid. Keep a copy, and find out who changed it. Then place the right file there "
     "and release it, or void it: its draws are paid in the next one.",
     closes,
     file_stays,
     {release, void_payment, resolve, undo}},
    {"released_on_lost_host",
     Step::pay,
     {},
     "A released file was only on a host that is gone",
     "Another host released the file, or was about to, into its own `spool/outgoing`, where the bank picks it up. This "
     "host has taken over and cannot see that folder. The file counts as released and is not offered again.",
     "Ask the bank whether it has the file: the detail has its name and SHA-256. If the bank has it, run `drawbridge "
     "deliver NAME --by-hand --reason …`. If not, make sure that nobody picks it up from the lost host when that host "
     "comes back, bring the copy in this host's `spool/archive` to the bank yourself, and then run the same command.",
     closes,
     "Closes it. The file stays released.",
     {deliver_by_hand, resolve, undo}},
    {"draws_changed",
     Step::pay,
     {},
     "A draw in a payment file changed",
     "When the file was about to leave, a draw in it could not be read, had changed, or would no longer be paid: "
     "because of a return, a change to the payee, a line from the bank or a restore. The detail names it. The file is "
     "not released, or not uploaded.",
     "Look at the draw that the detail names. Have it corrected and release the file again, or void the file: the "
     "draws that are still right are paid in the next one.",
     closes,
     file_stays,
     {release, void_payment, resolve, undo}},
    {"release_waits",
     Step::pay,
     {},
     "A payment file waits for a draw that cannot be read",
     "The release was ordered, and for at least 15 minutes the Draws Service has failed whenever Drawbridge reads a "
     "draw of the file again, although it answers polls. The detail names the draw. A file never leaves before each of "
     "its draws is read again.",
     "Void the file (`drawbridge void NAME --reason …`): its other draws are paid in the next one. Or have the Draws "
     "Service team look at the draw: Drawbridge retries automatically, with backoff, and closes this when the file "
     "leaves.",
     closes,
     tries_on,
     void_or_close},
    {"settlement_date_passed",
     Step::pay,
     {},
     "A payment file is too late for its settlement date",
     "The file was not released, or not uploaded, in time for its effective entry date. An order to release it has "
     "lapsed. If nobody ordered its release, the next poll or pay run after its last chance opens this.",
     "Void the file (`drawbridge void NAME --reason …`). The next run of `pay` pays its draws with a new date.",
     closes,
     file_stays,
     void_or_close},
    {"planned_in_future",
     Step::pay,
     {},
     "A payment file was planned with wrong dates",
     "The file was planned while this machine's clock was ahead. It is not released.",
     "Void the file. The next run of `pay` pays its draws with the right dates. Handle the exception "
     "`clock_went_back` too.",
     closes,
     file_stays,
     void_or_close},
    {"possibly_sent",
     Step::pay,
     {},
     "A payment file may already be at the bank",
     "The file was planned, or its planning had begun, before the ledger was restored, and no manifest says what left "
     "after that. It can no longer be released.",
     "Ask the bank whether it has the file, by name. If it does, have somebody who may release it run `drawbridge "
     "deliver NAME --by-hand --reason …`: the file then counts as released. If it does not, void the file: its draws "
     "stay held as `possibly_paid`. Resolve those exceptions only for draws that the bank did not pay.",
     closes,
     file_stays,
     void_or_close},
    {"paying_account_changed",
     Step::pay,
     {},
     "The file pays from an account that is no longer configured",
     "The ACH originator, its bank or the check account in the configuration is another one than when the file was "
     "planned. It is not released.",
     "If the change was right, void the file: the next run of `pay` pays its draws from the new account. If not, undo "
     "the change in the configuration, and release the file.",
     closes,
     file_stays,
     void_or_close},
    {"release_not_allowed",
     Step::pay,
     {},
     "Another person must release this file",
     "When the file was about to leave, the person who ordered its release was a maker of the file, was locked, no "
     "longer had the role releaser, or had signed with a passkey that was locked since; or the order was made while "
     "the clock was ahead, or by a schedule that may no longer release it. The order has ended.",
     "Have another releaser, who is not a maker of the file, run `drawbridge release NAME --reason …`. `drawbridge "
     "file "
     "NAME` shows the makers. A file that is already released and waits for its upload is not uploaded: void it, and "
     "release the next one.",
     closes,
     file_stays,
     {release, void_payment, resolve, undo}},
};

inline constexpr ExceptionKind check_kinds[] = {
    {"check_voided",
     Step::pay,
     {},
     "The bank was told to void the check",
     "The order has gone out, and the payment has ended.",
     "Decide whether the draw should be paid again. If so, run `drawbridge resolve ID --reissue --reason …`. If not, "
     "resolve this, and have the draw cancelled in the portal.",
     closes,
     "Closes it. The draw is not paid again.",
     {reissue, resolve, undo},
     /*pauses=*/false,
     /*lasts=*/true},
    {"check_stopped",
     Step::pay,
     {},
     "The bank was told to stop the check",
     "The order has gone out, and the payment has ended.",
     "Decide whether the draw should be paid again. If so, run `drawbridge resolve ID --reissue --reason …`. If not, "
     "resolve this, and have the draw cancelled in the portal.",
     closes,
     "Closes it. The draw is not paid again.",
     {reissue, resolve, undo},
     /*pauses=*/false,
     /*lasts=*/true},
    {"check_stale",
     Step::pay,
     {},
     "A check has not been cashed for a long time",
     "The check is older than `checks.stale_after`, and the bank has not paid it.",
     "Ask the payee. If the check is lost, run `drawbridge void --check NUMBER --reason …`. This closes with the "
     "bank's line that the check was paid, or when the order to void or stop it goes out.",
     closes,
     "Closes it. Drawbridge does not open it again for this check.",
     {void_check, resolve, undo},
     /*pauses=*/false,
     /*lasts=*/true},
    {"check_order_overtaken",
     Step::pay,
     {},
     "A check was paid or returned before it could be voided",
     "The bank paid or returned the check before the order to void or stop it was sent. The order was withdrawn, and "
     "the bank was told nothing.",
     "If the check was paid and should not have been, recover the money outside Drawbridge. Then resolve this.",
     closes,
     nothing_else,
     close,
     /*pauses=*/false,
     /*lasts=*/true},
    {"check_order_too_late",
     Step::pay,
     {},
     "A check was paid, and the order to void it has gone out",
     "The bank says that the check was paid or returned, and a file with the order to void or stop it has gone out as "
     "well. The payment counts as the bank says.",
     "Ask the bank which of the two is true. Then resolve this.",
     closes,
     payment_stays,
     close,
     /*pauses=*/false,
     /*lasts=*/true},
    {"order_not_expressible",
     Step::pay,
     {},
     "The check file has no code for this order",
     "The layout that `checks.layout` names has no code for the void or stop that was ordered. The bank was told "
     "nothing.",
     "Tell the bank now, in the way that it requires, not to pay the check. Then take the order back (`drawbridge void "
     "--check NUMBER --withdraw --reason …`), or have the administrator add the code under `codes` in the layout.",
     closes,
     "Closes it. The next run opens it again if the order is still waiting.",
     {void_check, resolve, undo},
     /*pauses=*/false,
     /*lasts=*/true},
};

}  // namespace drawbridge::exceptions
