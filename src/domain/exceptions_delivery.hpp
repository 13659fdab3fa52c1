// What goes wrong with released files on their way to the bank. Private to this module.
#pragma once

#include "exception_words.hpp"

namespace drawbridge::exceptions {

inline constexpr ExceptionKind delivery_kinds[] = {
    {"delivery_failing",
     Step::deliver,
     {},
     "A file cannot be delivered to the bank",
     "The upload fails again and again, or the bank's server cannot be reached. The detail has the server's words.",
     "Ask the bank whether its server is down, and check the network. Drawbridge tries again by itself, less and less "
     "often, and closes this when it works. If the file must leave today, run `drawbridge pause` first, so that it is "
     "not sent twice; bring it to the bank another way, run `drawbridge deliver NAME --by-hand --reason …`, then "
     "`drawbridge resume`.",
     closes,
     tries_on,
     close},
    {"delivery_host_key",
     Step::deliver,
     {},
     "The bank's server shows another key",
     "The host key of the server is not the one in `delivery.sftp.host_key`. Nothing was sent. Somebody may stand "
     "between you and the bank.",
     "Call the bank at a number that you knew before, and ask whether it changed the key. Only if the bank confirms "
     "the new key, have the administrator change `delivery.sftp.host_key`. This closes when the server answers.",
     closes,
     tries_on,
     close},
    {"delivery_login_refused",
     Step::deliver,
     {},
     "The bank's server refuses the login",
     "The server does not take the office's key, or the key cannot be read.",
     "Ask the bank to register the public key for this user. The administrator can try it with `drawbridge check "
     "--online`. This closes when the server answers.",
     closes,
     tries_on,
     close},
    {"delivery_uncertain",
     Step::deliver,
     {},
     "The bank may have the file, or may not",
     "The file is at the server neither under its name nor under its temporary name, or the ledger was restored while "
     "it was on its way. It is not sent again by itself.",
     "Ask the bank whether it has the file: the detail has its name and SHA-256. If it has it, run `drawbridge "
     "resolve ID --by-hand --reason …`. If it says for certain that it has not, run `drawbridge resolve ID --again "
     "--reason …`.",
     refused,
     "Refused. Say which: `--by-hand` (the bank has the file) or `--again` (it has not: upload it again).",
     {deliver_by_hand, deliver_again}},
    {"delivery_conflict",
     Step::deliver,
     {},
     "The bank's server has another file of that name",
     "A file that is not ours has the name of this one. Nothing was written over it.",
     "Ask the bank what that file is. When it is gone, run `drawbridge resolve ID --again --reason …`. If it is the "
     "payment after all, run `drawbridge resolve ID --by-hand --reason …`.",
     refused,
     "Refused. Say which: `--by-hand` (the bank has the file) or `--again` (it has not: upload it again).",
     {deliver_by_hand, deliver_again}},
    {"delivery_server_changed",
     Step::deliver,
     {},
     "A file may be at a server that is no longer configured",
     "An upload to one server had begun when `delivery.sftp` was changed to another. The file is not sent to the "
     "second one.",
     "Ask the bank of the first server whether it has the file. If it has, run `drawbridge resolve ID --by-hand "
     "--reason …`. If not, have the administrator configure the first server again until the file is delivered.",
     closes,
     tries_on,
     {deliver_by_hand, resolve, undo}},
    {"delivery_not_configured",
     Step::deliver,
     {},
     "No server is configured for a released file",
     "The file was released to go by SFTP, and no server is configured for it any more.",
     "Have the administrator configure `delivery.sftp` again. Or bring the file to the bank and run `drawbridge "
     "resolve ID --by-hand --reason …`.",
     closes,
     tries_on,
     {deliver_by_hand, resolve, undo}},
    {"outgoing_file_missing",
     Step::deliver,
     {},
     "A file is gone from spool/outgoing",
     "Somebody took the file out of `spool/outgoing` before Drawbridge had delivered it.",
     "Find out who took it, and ask the bank whether it has it. If it has, run `drawbridge resolve ID --by-hand "
     "--reason …`. If not, put the same file back.",
     closes,
     tries_on,
     {deliver_by_hand, resolve, undo}},
    {"outgoing_file_changed",
     Step::deliver,
     {},
     "A file in spool/outgoing was changed",
     "The file is not the one that was released: its SHA-256 differs. It is not sent.",
     "Somebody may have changed who is paid. Keep a copy, and find out who changed it. Then put the right file back; "
     "Drawbridge delivers it by itself.",
     closes,
     tries_on,
     close},
    {"encryption_failed",
     Step::deliver,
     {},
     "A file cannot be encrypted",
     "The bank's key is missing, has expired or is not the one configured, or gpg is not installed. The file does not "
     "go out in plain.",
     "Have the administrator fix what the detail names; if the key has expired, ask the bank for its new one. "
     "Drawbridge tries again by itself.",
     closes,
     tries_on,
     void_or_close},
    {"archive_conflict",
     Step::deliver,
     {},
     "The copy of a delivered file cannot be archived",
     "The bank has the file. Its copy cannot move to `archive/`, because another file of that name is there.",
     "Find out what that other file is, and move it away. Drawbridge archives the copy by itself and closes this.",
     closes,
     tries_on,
     close},
    {"acknowledgment_differs",
     Step::deliver,
     {},
     "The bank's count of a file differs",
     "The bank acknowledges another number of payments, or another total, than the file has. All movement of money "
     "was paused.",
     "Call the bank now: ask what it received, and have it stop the file. Somebody may have changed the file on its "
     "way. Compare with `drawbridge file NAME`. When it is cleared up, resolve this, then run `drawbridge resume "
     "--reason …`.",
     lifts,
     "Closes it, so that `drawbridge resume` is accepted. Money stays paused until then.",
     {resolve, resume, undo},
     /*pauses=*/true},
    {"acknowledgment_missing",
     Step::deliver,
     {},
     "The bank has not acknowledged a file",
     "The file went out, and the bank has not acknowledged it within `pay.acknowledge_within`. All movement of money "
     "was paused.",
     "Ask the bank whether it has the file, how many payments it counts and what they come to. Then run `drawbridge "
     "acknowledge NAME --payments N --total AMOUNT --reason …`, which closes this, and `drawbridge resume --reason "
     "…`. If the bank will not say, resolve this and resume.",
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
     "Ask the bank what that file is, whom it pays, and who brought it. When in doubt, `drawbridge pause --reason …`. "
     "Then resolve this.",
     closes,
     nothing_else,
     {pause, resolve, undo}},
    {"acknowledgment_refused",
     Step::deliver,
     {},
     "An acknowledgment was not taken",
     "The file is not released, is void or is not delivered yet; or root or the daemon's own user handed the "
     "acknowledgment in; or it would leave nobody to release what follows. The detail says which.",
     "If the file was never released, it should not be at the bank: ask at once. Otherwise a person from finance says "
     "it in their own name: `drawbridge acknowledge NAME --payments N --total AMOUNT --reason …`. Then resolve this.",
     closes,
     "Closes it. The acknowledgment is not recorded.",
     {acknowledge, resolve, undo}},
    {"sent_file_unknown",
     Step::deliver,
     {},
     "A sent file is not in the ledger",
     "A file is in `spool/outgoing`, or at the bank's server under a name that only this office uses, and neither a "
     "manifest nor this ledger has it.",
     "Ask the bank whether it has the file, whom it pays, and who sent it: another ledger may be at work. Then "
     "resolve this.",
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
     "Closes it. From then on the waiting time of its prenotes runs, and its credits may count as paid by time.",
     {deliver_by_hand, resolve, undo}},
    {"sent_file_differs",
     Step::deliver,
     {},
     "The bank has another file of this name",
     "A file that went out has the same name as one that the restored ledger has as not released.",
     "Do not release the file in the ledger. Ask the bank what it has: that is what counts. Then void the one in the "
     "ledger (`drawbridge void NAME --reason …`).",
     closes,
     file_stays,
     void_or_close},
};

}  // namespace drawbridge::exceptions
