// Exceptions about the bank's files and their lines. Private to this module.
#pragma once

#include "exception_words.hpp"

namespace drawbridge::exceptions {

// How a person states the outcome of a payment that a disputed line names.
#define LIST_THE_OUTCOME                                                                                            \
    "If it names a payment that has no confirmation, hand in a list with what is true, `returned` or `paid`, such " \
    "as `P0000000123,returned,1250.00,2026-03-06` below its header (see finance.md). Then resolve this."

inline constexpr ExceptionKind confirm_kinds[] = {
    {"file_refused",
     Step::confirm,
     {},
     "A bank file could not be read",
     "Nothing of the file was applied. Its report in `quarantine/` names every bad line.",
     "Read the report. Ask the bank for a corrected file, or correct the one you exported, and hand it in with "
     "`drawbridge ingest FILE`. Then resolve this.",
     lifts,
     "Closes it. Credits may count as paid by time again (`ach.confirm_after_banking_days`); that waits while a bank "
     "file is unread.",
     {ingest, resolve, undo}},
    {"bank_files_stuck",
     Step::confirm,
     {},
     "A bank file cannot be taken or kept",
     "Three runs in a row could not take a file from `inbox/`, or could not move a file to `archive/` or "
     "`quarantine/`. A file that was not taken may contain returns.",
     "The detail says why. Have the administrator make the folder writable for Drawbridge, or free space there. "
     "Remove no file from `spool/claimed/`. The next run that takes and keeps every file closes this.",
     closes,
     "Closes it. The next run opens it again if a file still cannot be taken or kept.",
     close},
    {"banking_days_missed",
     Step::confirm,
     {},
     "Drawbridge did not look for returns on enough days",
     "By the clock, credits would count as paid (`ach.confirm_after_banking_days`), but a banking day counts only if "
     "the "
     "confirm step ran on it. The machine's clock leaped ahead or was behind, or Drawbridge was off. The credits stay "
     "unconfirmed.",
     "Have the administrator check the clock. If the clock is wrong, correct it. Otherwise keep Drawbridge running: "
     "the "
     "credits count as paid after enough banking days. This closes then.",
     closes,
     "Closes it. The next run of `confirm` opens it again if credits still wait.",
     close},
    {"unknown_payment",
     Step::confirm,
     {},
     "The bank names a payment that is not ours",
     "No payment of ours has the reference on the line, or the bank rejects a whole file or batch and names no "
     "payment. If the payment left before the ledger was restored, the detail names its draw and file.",
     "Run `drawbridge exception ID`: it shows which payments the line may mean. Spreadsheets round long numbers. If "
     "it is one of them, run `drawbridge resolve ID --match PAYMENT --reason …`. If not, ask the bank, and resolve "
     "this.",
     closes,
     line_not_applied,
     {match, ingest, resolve, undo}},
    {"ambiguous_reference",
     Step::confirm,
     {},
     "The line may mean more than one payment",
     "The reference fits more than one payment, or the references on the line contradict each other: perhaps it is "
     "about "
     "a payment of another instance or program at the same bank.",
     "Run `drawbridge exception ID` to see the payments, and `drawbridge resolve ID --match PAYMENT --reason …` to "
     "say which one. Or hand in a corrected line with the trace number or the payment id.",
     closes,
     line_not_applied,
     {match, ingest, resolve, undo}},
    {"amount_differs",
     Step::confirm,
     {},
     "The bank reports a different amount",
     "The amount on the line is not the payment's amount. The line was not applied.",
     "Ask the bank what it paid. If the line was wrong, hand in a corrected one. If the payment's file has not gone "
     "out, first find out where the line comes from: somebody may have brought the file to the bank.",
     closes,
     line_not_applied,
     {ingest, resolve, undo}},
    {"bank_file_reads_differently",
     Step::confirm,
     {},
     "A bank file was applied under another profile",
     "The same bytes were applied before, and under the profile of this name, or the one that was chosen, they say "
     "something else. Bytes are applied once, so nothing was changed.",
     "Find out which profile is right. If it was the first one, resolve this. If it is this one, what was applied is "
     "wrong: ask the bank what became of each payment, add an empty line at the end of the file, and hand it in under "
     "the right name. A return then counts against the payment that was taken for paid; what still differs becomes "
     "exceptions of its own.",
     closes,
     nothing_else,
     {ingest, resolve, undo}},
    {"payment_not_released",
     Step::confirm,
     {},
     "The bank names a payment that has not gone out",
     "The payment's file is not released, is not uploaded yet, or was voided, but a line from the bank is about the "
     "payment. While this is open, the draw is not paid again, and the file cannot be released, uploaded or voided, "
     "because its draws could be paid twice.",
     "Find out whether somebody brought the file to the bank. If the line is a mistake, resolve this. If the bank has "
     "the file, it must not go out a second time. If the file waits for its upload, or is `possibly_sent`, run "
     "`drawbridge deliver NAME --by-hand --reason …`, then `drawbridge resolve ID --match PAYMENT --reason …`. If it "
     "was voided, "
     "leave this open, and void the "
     "file that pays its draws again, or have the bank stop it. Otherwise leave this open and call the administrator.",
     lifts,
     "Lets the file be released, uploaded or voided again, and the draw be paid. The line is not applied.",
     {ingest, resolve, undo}},
    {"dated_before_payment",
     Step::confirm,
     {},
     "The bank's date is before the payment",
     "The line is dated before the release of the payment. It was not applied.",
     "Check the date, and the reference: the line may mean another payment. If both are right, the clock was ahead at "
     "the release: match the line to the payment that it names. Otherwise, hand in a file with only the corrected "
     "line.",
     closes,
     line_not_applied,
     {match, ingest, resolve, undo}},
    {"dated_in_the_future",
     Step::confirm,
     {},
     "The bank's date is in the future",
     "The line is dated later than the next banking day. It was not applied.",
     "Hand in a file with only that line: corrected, or unchanged once that day has come. Handing in the same file "
     "again has no effect.",
     closes,
     line_not_applied,
     {match, ingest, resolve, undo}},
    {"settled_differently",
     Step::confirm,
     {},
     "The bank contradicts itself",
     "An earlier confirmation, or another line of the same file, says something else about the payment: for example, "
     "that the bank paid it after the day on which this line says that it came back or was stopped. If two lines "
     "contradict each other, neither was applied.",
     "Ask the bank which one is true. If it is this line and the payment has no confirmation yet, run `drawbridge "
     "resolve ID --match PAYMENT --reason …`. That also records a check as paid which the bank cashed although it was "
     "told to void or stop it, unless its draw is to be paid again. If a person matched the earlier one wrongly, undo "
     "that first: `drawbridge resolve ID --undo --reason …`. If a bank file said wrongly that the payment came back, "
     "that "
     "cannot be undone: order no reissue, which would pay it twice, and have the draw marked as Disbursed in the "
     "portal.",
     closes,
     line_not_applied,
     {match, ingest, resolve, undo}},
    {"listed_twice",
     Step::confirm,
     {},
     "The bank lists a payment as paid twice",
     "Two lines of one file say that the payment was paid, and no bank reference shows that they are about one debit. "
     "The first line counts. The second was not applied: the bank may have debited the account twice.",
     "Look for two debits in the bank's portal, or ask the bank. If there are two, demand one back; if the second "
     "debit "
     "is another payment, run `drawbridge resolve ID --match PAYMENT --reason …`. If there is one, resolve this.",
     closes,
     line_not_applied,
     {match, ingest, resolve, undo}},
    {"currency_not_usd",
     Step::confirm,
     {},
     "A line in another currency",
     "Every payment of ours is in US dollars. No payment was changed.",
     "Ask the bank what the line means. Then resolve this.",
     closes,
     line_not_applied,
     close},
    {"returned",
     Step::confirm,
     {},
     "A payment was returned",
     "The bank sent the money back. The detail has the return code and what to do about it. The draw is not paid again "
     "automatically.",
     "Do what the detail says: usually, get the right bank details from the payee. When the cause is fixed, run "
     "`drawbridge resolve ID --reissue --reason …` to pay the draw again. If it should not be paid again, resolve "
     "this, and have the draw cancelled in the portal.",
     closes,
     "Closes it. The draw is not paid again.",
     {reissue, resolve, undo}},
    {"voided",
     Step::confirm,
     {},
     "A payment was voided at the bank",
     "The bank says that the payment was voided. The draw is not paid again automatically.",
     "Find out why. When the cause is fixed, run `drawbridge resolve ID --reissue --reason …` to pay the draw again. "
     "If it should not be paid again, resolve this, and have the draw cancelled in the portal.",
     closes,
     "Closes it. The draw is not paid again.",
     {reissue, resolve, undo}},
    {"returned_after_paid",
     Step::confirm,
     {},
     "A payment was returned after it was confirmed",
     "The payment is recorded as returned. The draw is not paid again automatically.",
     "Do what the detail says: usually, get the right bank details from the payee. When the cause is fixed, run "
     "`drawbridge resolve ID --reissue --reason …` to pay the draw again. A draw that was reported keeps its first "
     "disbursed date.",
     closes,
     "Closes it. The draw is not paid again.",
     {reissue, resolve, undo}},
    {"case_stopped",
     Step::confirm,
     {},
     "Returned: deceased, frozen or sanctioned",
     "The bank returned a payment with R14, R15, R16 or R90. Nothing more is paid for that case, to that payee, or to "
     "another payee with the same bank details.",
     "Escalate to the program and, for a sanction, to legal. Resolve this only when they agree that the case and the "
     "payee may be paid again.",
     lifts,
     "Lets the case and the payee be paid again, from the next run of `pay`. The person who resolves it cannot release "
     "the file that pays the draw.",
     close},
    {"duplicate_entry_returned",
     Step::confirm,
     {},
     "The bank says that a payment was sent twice",
     "A payment was returned, or a whole file or batch rejected, as a duplicate (R24, or AM05, DU01 to DU05 or DUPL). "
     "The one that came first may be paid. All movement of money was paused.",
     "Release nothing. Ask the bank what it received twice: this payment, or a whole file. When it is cleared up, "
     "resolve this, then run `drawbridge resume --reason …`.",
     lifts,
     "Closes it, so that `drawbridge resume` is accepted. Money stays paused until then.",
     {resolve, resume, undo},
     /*pauses=*/true},
    {"payee_correction",
     Step::confirm,
     {},
     "The bank corrects a payee's data",
     "A notification of change: the payment or prenote went through, and the bank says that the account or the name is "
     "out of date. The payee's next payment is held until the field is corrected. A code about nothing in `payees.csv` "
     "(C08, C09, C13, C14) or an unknown one causes no hold.",
     "Put the correction into `payees.csv` by the day that the detail names: Nacha allows six banking days. The "
     "bank's file in `archive/` has the whole account number. Then resolve this.",
     closes,
     "Closes it. The reminders end. A hold stays until the field in `payees.csv` is corrected.",
     close},
    {"disputed_return",
     Step::confirm,
     {},
     "The banks dispute a return",
     "A dishonored or contested return (R61 to R77), or a refused notification of change (C61 to C69). The payment is "
     "unchanged.",
     "Ask your bank what it needs from you, and where the money is. " LIST_THE_OUTCOME,
     closes,
     dispute_stays,
     {ingest, resolve, undo}},
    {"impossible_return",
     Step::confirm,
     {},
     "A line that leaves open what happened to a payment",
     "A return has an unknown code, or one that does not apply to credits; or the bank reversed or adjusted our "
     "payment; or money came in that is not marked as a return; or money went out with the number and the amount of a "
     "check of ours, but is not marked as a check. The payment is unchanged.",
     "Ask the bank what the line means, and whether money left the account or came back. " LIST_THE_OUTCOME,
     closes,
     dispute_stays,
     {ingest, resolve, undo}},
    {"return_rate_high",
     Step::confirm,
     {},
     "Too many ACH entries were returned",
     "More ACH entries of the last 60 days were returned than Nacha allows: 0.5% as unauthorized, 3% for bad account "
     "data (R02, R03, R04), or 15% overall.",
     "Find what the returned payments have in common before the bank asks: a program, a requester, old bank details. "
     "`drawbridge status` shows the rates. This closes with the first bank file after the rate has fallen.",
     closes,
     "Closes it. The next bank file opens it again while the rate is too high.",
     close},
};

#undef LIST_THE_OUTCOME

}  // namespace drawbridge::exceptions
