// Exceptions about the Draws Service: what it shows, its answers to approvals and reports. Private to this module.
#pragma once

#include "exception_words.hpp"

namespace drawbridge::exceptions {

inline constexpr ExceptionKind poll_kinds[] = {
    {"bad_record",
     Step::poll,
     {Step::approve, Step::pay},
     "A draw cannot be read",
     "The Draws Service sends a record that Drawbridge cannot read. The detail names the field. An amount may have two "
     "decimals; more are accepted only within a billionth of a dollar of a cent, as sums of binary numbers have them.",
     "Tell the Draws Service team which draw and which field. Until the record can be read, Drawbridge does not "
     "decide, approve or pay the draw; then it closes this. Records without an id are one exception: the first full "
     "sweep without such a record closes it.",
     closes,
     "Closes it. Do not resolve it while the record is bad: Drawbridge may then act on the last record that it could "
     "read.",
     close},
    {"unknown_status",
     Step::poll,
     {},
     "A draw has an unknown status",
     "The Draws Service gives the draw a status that this version of Drawbridge does not know.",
     "Ask the Draws Service team what the status means. If it is new, ask for an update of Drawbridge. The draw is not "
     "approved or paid in the meantime. This closes when the draw has a status that Drawbridge knows.",
     closes,
     "Closes it. The draw stays where it is.",
     close},
    {"draw_gone",
     Step::poll,
     {Step::approve, Step::pay, Step::report},
     "The service no longer has this draw",
     "The Draws Service answers 404 (not found) for a draw that it showed before.",
     "Ask the Draws Service team what happened to the draw. If it has a payment that has not gone out, void that; if "
     "the payment has gone out, have the bank stop or recall it. Drawbridge does nothing with the draw until the "
     "service shows it again, and then closes this.",
     closes,
     "Closes it. A report that waits for the draw is tried again. The next 404 opens it again.",
     void_or_close},
    {"service_unreachable",
     Step::poll,
     {},
     "The Draws Service cannot be reached or understood",
     "Three polls in a row failed. The detail has the error.",
     "If it does not answer, check the network of this machine, then ask the Draws Service team whether it is down. If "
     "its answers cannot be read, send the team the detail. In the meantime, nothing is approved, paid or reported, "
     "and nothing is lost. The next poll that succeeds closes this.",
     closes,
     "Closes it. The next poll that fails opens it again.",
     close},
    {"draws_missing",
     Step::poll,
     {},
     "A list of the Draws Service lacks draws",
     "In three polls in a row, a list showed fewer draws than its own total counts, as the detail says. Either the "
     "service hides draws, or its total is wrong. Drawbridge works on with the draws that it sees. A draw that it does "
     "not see is not decided, approved or paid; a draw that it knows is read by its id.",
     "Ask the Draws Service team to compare the list with its total. Until then, Drawbridge reads all draws again "
     "every hour. The first full sweep in which every list shows what it counts closes this.",
     closes,
     "Closes it. If a list still lacks draws, polls fail until the third opens it again.",
     close},
    {"login_refused",
     Step::poll,
     {},
     "The Draws Service refuses the login",
     "The Draws Service does not accept the credentials that Drawbridge uses.",
     "Ask the Draws Service team whether the credentials were changed or locked. Have the administrator put valid ones "
     "in the files that `service.client_id_file` and `service.client_secret_file` name. The next poll reads these "
     "files "
     "again. If they are in `credentials/`, systemd gives the daemon copies at its start: restart the daemon. In the "
     "meantime, nothing is approved or paid. The next poll that succeeds closes this.",
     closes,
     "Closes it. The next poll that is refused opens it again.",
     close},
    {"clock_went_back",
     Step::poll,
     {},
     "This machine's clock went back",
     "The clock shows an earlier time than the last run recorded. Drawbridge ignores recorded times that are in the "
     "future.",
     "Release no file until the clock is right. Have the administrator check the clock and its time synchronization. "
     "Void every payment file whose dates are wrong; the next run of `pay` pays its draws. Then resolve this.",
     closes,
     "Closes it. The next poll opens it again if the last run is still in the future.",
     void_or_close},
    {"clock_leapt",
     Step::poll,
     {},
     "This machine's clock leaped ahead",
     "While Drawbridge ran, the clock moved ahead by more than the time that passed; or the machine was stopped for "
     "that "
     "long. Limits for a day count by the clock, so no file is released by the schedule (`pay.release: auto`) until "
     "this "
     "is resolved.",
     "Have the administrator check the clock and its time synchronization. If it was behind and is right now, resolve "
     "this. If it is wrong, release no file until it is set right, void every payment file whose dates are wrong, and "
     "then resolve this.",
     closes,
     "Closes it. Files may be released by the schedule again.",
     void_or_close},
    {"clock_differs",
     Step::poll,
     {},
     "This machine's clock differs from the Draws Service's",
     "The Draws Service's answers show a time that differs from this machine's by more than an hour. Limits for a day "
     "count by this machine's clock, so no file is released by the schedule (`pay.release: auto`) while they differ.",
     "Have the administrator check this machine's clock and its time synchronization. If it is wrong, release no file "
     "until it is set right, and void every payment file whose dates are wrong. If it is right, tell the Draws Service "
     "team; until they set theirs right, people release files. The next run in which the clocks agree closes this.",
     closes,
     "Closes it. The next run opens it again if the clocks still differ.",
     void_or_close},
    {"cancelled_after_payment",
     Step::poll,
     {},
     "A draw was cancelled after it was paid",
     "The draw was cancelled in the portal after Drawbridge made a payment for it. The detail says whether the file "
     "has gone to the bank.",
     "If the file has gone out, have the bank stop or recall the payment at once (a check: `drawbridge stop --check "
     "NUMBER --reason …`). If not, void the file: its other draws are paid in the next one. If the cancellation was a "
     "mistake, have the draw restored in the portal; then this closes.",
     closes,
     payment_stays,
     {void_payment, void_check, resolve, undo}},
    {"status_went_back",
     Step::poll,
     {},
     "A paid draw went back to an earlier status",
     "The draw is Pending Approval or earlier again, but Drawbridge has already made a payment for it; or it is "
     "Approved again, but its payment was already reported. It is not paid a second time.",
     "Find out who changed the draw, and why. If the payment must not stand, have the bank stop or recall it if the "
     "file has gone out; otherwise void the file. If it may stand, have the draw corrected in the portal; then this "
     "closes.",
     closes,
     payment_stays,
     {void_payment, void_check, resolve, undo}},
    {"amount_changed_after_payment",
     Step::poll,
     {},
     "The amount of a paid draw was changed",
     "The approved amount is no longer the amount that Drawbridge paid.",
     "Find out who changed it, and why. If the file has not gone out, void it. If it has, work out the difference with "
     "the payee outside Drawbridge, or have the amount corrected in the portal; this closes when both amounts agree.",
     closes,
     payment_stays,
     {void_payment, void_check, resolve, undo}},
    {"draw_changed_after_payment",
     Step::poll,
     {},
     "A paid draw now shows another payee, case or request",
     "Under the id of this draw, the service shows another payee, case, workflow or date of the request than the "
     "payment was made for. The disbursed date is not reported while this is open.",
     "Find out who changed the draw, and why: if it names another payee now, or is a new request under an old id, that "
     "was not paid. If the payment must not stand, void its file, or have the bank stop or recall it. If the payment "
     "was right, have the draw corrected in the portal; then this closes. For a new request, have a new draw made. "
     "Resolve it only if the draw means the same payment.",
     closes,
     payment_stays,
     {void_payment, void_check, resolve, undo}},
    {"disbursed_unpaid",
     Step::poll,
     {},
     "A draw is Disbursed, but was not paid",
     "The draw was Approved and waited to be paid, and now the service shows it as Disbursed. Drawbridge has made no "
     "payment for it, or the file was voided, and makes none for a draw that is Disbursed.",
     "Find out whether somebody else paid it: the treasury, the portal's history. If so, resolve this. If somebody "
     "marked it by mistake, have it set back to Approved in the portal; then this closes, and the draw waits as "
     "`disbursed_elsewhere` until a person lets it be paid.",
     closes,
     nothing_else,
     close},
    {"reported_date_changed",
     Step::poll,
     {},
     "The service no longer shows the reported date",
     "The Draws Service accepted the disbursed date of this draw, and now shows another one or none. Either it never "
     "stored the date, or somebody changed it.",
     "Enter the date from the detail in the portal again; this closes when the service shows it. Find out who changed "
     "it; if nobody did, tell the Draws Service team. The date is not sent a second time.",
     closes,
     payment_stays,
     close},
};

inline constexpr ExceptionKind approve_kinds[] = {
    {"approval_refused",
     Step::approve,
     {},
     "The service refused the approval",
     "The Draws Service did not accept the approval. The detail has its message.",
     "Fix the cause at the service: the approver's rights, the group, the draw's status. Then approve the draw in the "
     "portal or with `drawbridge approve DRAW --reason …`. The rules decide it again only when its request changes: "
     "the "
     "amount, the case, the group or a field. This closes when the draw leaves Pending Approval.",
     closes,
     "Closes it. The draw stays held.",
     {approve, resolve, undo}},
    {"approvals_failing",
     Step::approve,
     {},
     "No approval gets through",
     "Three runs of `approve` in a row failed, and the service took no approval in the last. The detail has its "
     "answer.",
     "Ask the Draws Service team whether Drawbridge may approve draws, and whether the bulk approval works. In the "
     "meantime no draw is approved, and nothing is lost. This closes when the service takes an approval.",
     closes,
     "Closes it. The next run that fails opens it again.",
     close},
    {"approval_overtaken",
     Step::approve,
     {},
     "The draw changed during its approval",
     "While the approval was under way, the draw moved to another status at the service, perhaps to Disbursed at "
     "once. Nothing is paid on that approval.",
     "Look at the draw in the portal: who changed it, and why? It is paid only if a person approves it again, or a "
     "rule "
     "once its request has changed. Then resolve this.",
     closes,
     nothing_else,
     close},
    {"approval_not_taking",
     Step::approve,
     {},
     "The draw is still pending after its approval",
     "The approval was submitted, and the draw is still Pending Approval. Either it changed without being approved, "
     "or the service took the approval without an error, or five submissions had no effect. Drawbridge does not submit "
     "it again until its request changes.",
     "Look at the draw in the portal: it may need another approver. If not, ask the Draws Service team. This closes "
     "when the draw leaves Pending Approval.",
     closes,
     "Closes it. The approval is not submitted again.",
     {approve, resolve, undo}},
};

inline constexpr ExceptionKind report_kinds[] = {
    {"disbursed_otherwise",
     Step::report,
     {},
     "The service shows another disbursement",
     "The bank confirmed the payment. But the service shows a disbursed date from before the payment was released, or "
     "another disbursed amount than the payment's: somebody else may have paid the draw, or entered the wrong values. "
     "Drawbridge does not replace them before a person has looked.",
     "Find out who entered that, and whether the draw was paid twice. If it was, have the bank stop or recall one "
     "payment. If nobody else paid it, resolve this. If the service shows something else, this closes.",
     lifts,
     "Sends the date of the payment with the next report. It replaces the date that the service shows.",
     close},
    {"disbursed_date_forbidden",
     Step::report,
     {},
     "The service refuses the disbursed date",
     "The draw is Disbursed, but the service refused a date for it three times: the workflow seems to forbid manual "
     "dates.",
     "Have manual dates allowed in the workflow, or enter the date that the detail names in the portal. Then resolve "
     "this.",
     lifts,
     "Sends the date again with the next report.",
     close},
    {"write_back_failing",
     Step::report,
     {},
     "The service fails at the text for a draw",
     "The service keeps failing when Drawbridge reads this draw or writes a text of `report.write_back` to it. The "
     "detail has its answer. The date and other draws do not wait for it.",
     "Tell the Draws Service team which draw. Drawbridge retries automatically, with backoff, and closes this when "
     "the text is there, or when nothing is left to write.",
     closes,
     tries_on,
     close},
    {"write_back_refused",
     Step::report,
     {},
     "The service refuses the text for a field",
     "The workflow forbids the field, or the text is too long. That text was dropped; other fields and the date are "
     "sent.",
     "Write the text in the portal by hand if it matters. For the future, have the field allowed in the workflow, or "
     "the text shortened under `report.write_back`. Then resolve this.",
     closes,
     "Closes it. The text is not sent again.",
     close},
    {"write_back_overtaken",
     Step::report,
     {},
     "Somebody changed a field before Drawbridge wrote it",
     "A person changed the field at the service after the payment was planned. Drawbridge did not overwrite it.",
     "Write the text in the portal by hand if it matters; the detail has it. Then resolve this.",
     closes,
     "Closes it. The text is not sent again.",
     close},
    {"write_back_untrue",
     Step::report,
     {},
     "A field reports a confirmation that was undone",
     "Drawbridge wrote text about a confirmation to the draw, and a person has since undone that confirmation.",
     "Correct the field in the portal; the detail names it and its text. Then resolve this.",
     closes,
     "Closes it. The text stays in the portal.",
     close},
    {"report_limited",
     Step::report,
     {},
     "The service asks to wait with the disbursed date",
     "The service keeps asking Drawbridge to wait (429, or 503 with Retry-After) when it sends the date. It refused "
     "nothing. The detail has its answer.",
     "Ask the Draws Service team for a higher limit, or set `service.max_requests_per_second`. Drawbridge retries "
     "automatically, with backoff, and closes this when the service has the date.",
     closes,
     tries_on,
     close},
    {"report_refused",
     Step::report,
     {},
     "The service does not accept the disbursed date",
     "The service keeps refusing the date, fails at it, or accepts it but does not show it. The detail has its answer.",
     "Tell the Draws Service team. Drawbridge retries automatically, with backoff, and closes this when the service "
     "has the date.",
     closes,
     tries_on,
     close},
};

}  // namespace drawbridge::exceptions
