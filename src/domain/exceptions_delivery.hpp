// What goes wrong with released files on their way to the bank. Private to this module.
#pragma once

#include "exception_words.hpp"

namespace drawbridge::exceptions {

inline constexpr ExceptionKind delivery_kinds[] = {
    {"delivery_failing",
     Step::deliver,
     {},
     "A file cannot be delivered to the bank",
     "The upload keeps failing, the bank's server cannot be reached, or the Draws Service fails at a draw that is read "
     "again before the upload. The detail has the message.",
     "If the detail names a draw, do what it says, and nothing else. Otherwise ask the bank whether its server is "
     "down, and check the network. Drawbridge retries automatically, with backoff, and closes this when the upload "
     "works. If the file must leave today, run `drawbridge pause --reason …` first, so that it is "
     "not sent twice; bring it to the bank another way, run `drawbridge deliver NAME --by-hand --reason …`, then "
     "`drawbridge resume --reason …`. If the file must not leave, run `drawbridge pause --reason …` and ask the bank. "
     "If the bank does not "
     "have it, have it delete the file's `tmp-…part`; a releaser runs `drawbridge deliver NAME --again --reason …`; "
     "then void the file.",
     closes,
     tries_on,
     close},
    {"delivery_host_key",
     Step::deliver,
     {},
     "The bank's server presents a different key",
     "The server's host key is not the one in `delivery.sftp.host_key`. Nothing was sent. Somebody may be intercepting "
     "the connection.",
     "Call the bank at a phone number that you already had, and ask whether it changed the key. Only if the bank "
     "confirms the new key, have the administrator change `delivery.sftp.host_key`. This closes when the server "
     "answers.",
     closes,
     tries_on,
     close},
    {"delivery_login_refused",
     Step::deliver,
     {},
     "The bank's server refuses the login",
     "The server does not accept the office's key, or the key cannot be read.",
     "Ask the bank to register the public key for this user. The administrator can test it with `drawbridge check "
     "--online`. This closes when the server answers.",
     closes,
     tries_on,
     close},
    {"delivery_uncertain",
     Step::deliver,
     {},
     "The bank may have the file, or may not",
     "The server has the file neither under its name nor under its temporary name; or the bank confirmed or returned a "
     "payment of it after an upload failed; or the ledger was restored while the file was on its way. The file is not "
     "sent again automatically.",
     "Ask the bank whether it has the file: the detail has its name and SHA-256. If the bank has the file, run "
     "`drawbridge resolve ID --by-hand --reason …`. If the bank is certain that it does not, run `drawbridge resolve "
     "ID --again --reason …`.",
     refused,
     "Refused. Say which: `--by-hand` (the bank has the file) or `--again` (the bank does not have it: upload it "
     "again).",
     {deliver_by_hand, deliver_again}},
    {"delivery_conflict",
     Step::deliver,
     {},
     "The bank's server has another file with that name",
     "A file that is not ours has the same name as this one. It was not overwritten.",
     "Ask the bank what that file is. When it is gone, run `drawbridge resolve ID --again --reason …`. If it is the "
     "payment after all, run `drawbridge resolve ID --by-hand --reason …`.",
     refused,
     "Refused. Say which: `--by-hand` (the bank has the file) or `--again` (the bank does not have it: upload it "
     "again).",
     {deliver_by_hand, deliver_again}},
    {"delivery_server_changed",
     Step::deliver,
     {},
     "A file may be on a server that is no longer configured",
     "An upload had begun when `delivery.sftp` was changed to another server. The file is not sent to the new server.",
     "Ask the bank that runs the old server whether it has the file. If so, run `drawbridge resolve ID --by-hand "
     "--reason …`. If not, have the administrator configure the old server again until the file is delivered. If the "
     "bank is certain that it does not have the file, not even as `tmp-…part`, a releaser runs `drawbridge resolve ID "
     "--again --reason …`: the file goes to the new server, or can be voided while money movement is paused.",
     refused,
     "Refused. Say which: `--by-hand` (the bank has the file) or `--again` (the bank does not have it: upload it "
     "again).",
     {deliver_by_hand, deliver_again}},
    {"delivery_not_configured",
     Step::deliver,
     {},
     "No server is configured for a released file",
     "The file was released to go by SFTP, but no server is configured for it anymore.",
     "Have the administrator configure `delivery.sftp` again. Or bring the file to the bank and run `drawbridge "
     "resolve ID --by-hand --reason …`.",
     closes,
     tries_on,
     {deliver_by_hand, resolve, undo}},
    {"outgoing_file_missing",
     Step::deliver,
     {},
     "A file is gone from spool/outgoing",
     "Somebody took the file out of `spool/outgoing` before Drawbridge delivered it.",
     "Find out who took it, and ask the bank whether it has the file. If so, run `drawbridge resolve ID --by-hand "
     "--reason …`. If not, place the same file there again.",
     closes,
     tries_on,
     {deliver_by_hand, resolve, undo}},
    {"outgoing_file_changed",
     Step::deliver,
     {},
     "A file in spool/outgoing was changed",
     "The file is not the one that was released: its SHA-256 differs. It is not sent.",
     "Somebody may have changed who is paid. Keep a copy, and find out who changed it. Then place the right file "
     "there; Drawbridge delivers it automatically.",
     closes,
     tries_on,
     close},
    {"encryption_failed",
     Step::deliver,
     {},
     "A file cannot be encrypted",
     "The bank's key is missing, has expired or is not the one configured, or gpg is not installed. The file is not "
     "sent unencrypted.",
     "Have the administrator fix what the detail names; if the key has expired, ask the bank for its new one. "
     "Drawbridge retries automatically.",
     closes,
     tries_on,
     void_or_close},
    {"archive_conflict",
     Step::deliver,
     {},
     "The copy of a delivered file cannot be archived",
     "The bank has the file. Its copy cannot move to `archive/`, because another file with that name is there.",
     "Find out what that other file is, and move it away. Drawbridge then archives the copy automatically and closes "
     "this.",
     closes,
     tries_on,
     close},
    {"acknowledgment_differs",
     Step::deliver,
     {},
     "The bank's count of a file differs",
     "The bank acknowledges a different number of payments, or a different total, than the file has. All movement of "
     "money was paused.",
     "Call the bank now: ask what it received, and have it stop the file. Somebody may have changed the file on its "
     "way. Compare with `drawbridge file NAME`. When it is cleared up, resolve this, then run `drawbridge resume "
     "--reason …`. The file is still expected to be acknowledged with its own numbers.",
     lifts,
     "Closes it, so that `drawbridge resume` is accepted. Money stays paused until then.",
     {resolve, resume, undo},
     /*pauses=*/true},
    {"acknowledgment_unsent",
     Step::deliver,
     {},
     "The bank has a file that it should not have",
     "The bank acknowledges a file that was voided, or that is not released or not delivered yet. If it was voided, "
     "its draws may be in another file, too. All movement of money was paused. Until this is resolved, the file is "
     "neither sent nor voided, and the draws of a voided one are not paid in another.",
     "Call the bank now: ask whether it has the file and who brought it, and have it stop the file if it was voided or "
     "never released. If the bank keeps a file that was released, run `drawbridge deliver NAME --by-hand --reason …`. "
     "This list is not compared later: with `pay.acknowledge_within`, then also run `drawbridge acknowledge NAME "
     "--payments N --total AMOUNT --reason …`. "
     "When it is cleared up, resolve this, then run `drawbridge resume --reason …`.",
     lifts,
     "Closes it, so that `drawbridge resume` is accepted. Money stays paused until then. The person who resolves it "
     "cannot release a file that pays one of its draws.",
     {deliver_by_hand, resolve, resume, undo},
     /*pauses=*/true},
    {"acknowledgment_missing",
     Step::deliver,
     {},
     "The bank has not acknowledged a file",
     "The file went out, and the bank has not acknowledged it within `pay.acknowledge_within`. All movement of money "
     "was paused.",
     "Ask the bank whether it has the file, how many payments it counts and what their total is. Then run `drawbridge "
     "acknowledge NAME --payments N --total AMOUNT --reason …`, which closes this, and `drawbridge resume --reason …`. "
     "If the bank will not say, resolve this and resume.",
     lifts,
     "Closes it for good, so that `drawbridge resume` is accepted: Drawbridge does not ask about this file again. "
     "Money stays paused until then.",
     {acknowledge, resolve, resume, undo},
     /*pauses=*/true},
    {"acknowledgment_unknown",
     Step::deliver,
     {},
     "The bank acknowledges a file that is not ours",
     "The acknowledgment names a file that this ledger does not know.",
     "Ask the bank what that file is, whom it pays, and who brought it. When in doubt, run `drawbridge pause --reason "
     "…`. Then resolve this.",
     closes,
     nothing_else,
     {pause, resolve, undo}},
    {"acknowledgment_refused",
     Step::deliver,
     {},
     "An acknowledgment was not accepted",
     "Nobody with the role finance or operator handed in the acknowledgment, or it would leave nobody who may release "
     "what follows. The detail says which.",
     "Have a person from finance acknowledge it in their own name: `drawbridge acknowledge NAME --payments N --total "
     "AMOUNT --reason …`. Then "
     "resolve this.",
     closes,
     "Closes it. The acknowledgment is not recorded.",
     {acknowledge, resolve, undo}},
    {"sent_file_unknown",
     Step::deliver,
     {},
     "A sent file is not in the ledger",
     "A file is in `spool/outgoing`, or at the bank's server under a name that only this office uses, but neither a "
     "manifest nor this ledger knows it.",
     "Ask the bank whether it has the file, whom it pays, and who sent it: another ledger may be in use. Then resolve "
     "this.",
     closes,
     nothing_else,
     {pause, resolve, undo}},
    {"sent_file_unsure",
     Step::deliver,
     {},
     "A released file may not have left",
     "After a restore, the manifest says that the file was released, and nothing proves that it left. It counts as "
     "released and is not sent again.",
     "Ask the bank whether it has the file. If not, bring exactly the same file to the bank yourself. Then resolve "
     "this.",
     lifts,
     "Closes it. From then on, the waiting period of its prenotes runs, and its credits may count as paid by time.",
     {deliver_by_hand, resolve, undo}},
    {"sent_file_differs",
     Step::deliver,
     {},
     "The bank has another file with this name",
     "A file that went out has the same name as one that the restored ledger shows as not released.",
     "Do not release the file in the ledger. Ask the bank what it has: that is what counts. Then void the one in the "
     "ledger (`drawbridge void NAME --reason …`).",
     closes,
     file_stays,
     void_or_close},
};

}  // namespace drawbridge::exceptions
