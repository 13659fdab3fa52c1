// Exceptions about the ledger, its copies, the files under change control and the machine. Private to this module.
#pragma once

#include "exception_words.hpp"

namespace drawbridge::exceptions {

inline constexpr ExceptionKind change_kinds[] = {
    {"change_proposed",
     Step::decide,
     {Step::pay},
     "Changed rules or payees wait for two people",
     "`rules.yaml` or `payees.csv` was changed. The old version stays in force until two people have accepted the new "
     "one.",
     "Look at it with `drawbridge changes show HASH`; the detail has the hash. If it is right, two people each run "
     "`drawbridge accept HASH --reason …`. If not, one person runs `drawbridge reject HASH --reason …`, and the file "
     "is corrected.",
     refused,
     "Refused. It closes when the change is accepted, rejected or withdrawn.",
     {accept_change, reject_change}},
    {"change_baseline",
     Step::decide,
     {Step::pay},
     "Change control began with files that nobody accepted",
     "The `rules.yaml` or `payees.csv` that was in force when change control began stays in force, although two people "
     "have not reviewed it.",
     "Have two people review the file that the detail names. If something is wrong, correct the file: the correction "
     "waits for two people. Then resolve this.",
     closes,
     "Closes it. The file is in force either way.",
     close},
    {"change_control_off",
     Step::decide,
     {Step::pay},
     "Change control was switched off",
     "`change_control` was switched off in `drawbridge.yaml`. From now on one person's change to the file takes "
     "effect at once.",
     "Ask the administrator who switched it off, and why. If that was not agreed, have it switched on again, and "
     "review rules and payees for changes made since then. Then resolve this.",
     closes,
     "Closes it. Change control stays off.",
     close},
    {"inputs_refused",
     Step::decide,
     {},
     "Changed rules or payees have an error",
     "A changed `rules.yaml`, `payees.csv` or file beside them could not be read, or its tests fail. The old rules and "
     "payees stay in force.",
     "Run `drawbridge check`, which names each error, and correct the file. The daemon reads it again automatically, "
     "and closes this when it has no error.",
     closes,
     "Closes it. The old rules and payees stay in force. The next start uses them too if the file is under change "
     "control; otherwise it fails until the file is corrected.",
     close},
};

inline constexpr ExceptionKind ledger_kinds[] = {
    {"invariant_violated",
     Step::pay,
     {},
     "The ledger breaks a money-safety invariant",
     "A check of the ledger found something that must never happen. Drawbridge has a defect, or somebody changed the "
     "ledger file.",
     "Pause at once: `drawbridge pause --reason …`. Release nothing. Run `drawbridge verify`, which names every "
     "violation, keep its output, and contact the developers. The next check of all invariants that finds nothing "
     "closes this.",
     closes,
     "Closes it. The next check opens it again if the invariant is still violated.",
     {pause, resolve, undo}},
    {"backup_failed",
     Step::pay,
     {},
     "A backup of the ledger failed",
     "The copy of the ledger that was due could not be made. The detail says why: disk, folder, permissions, or a "
     "ledger that breaks an invariant.",
     "Have the administrator fix what the detail names, then run `drawbridge backup`. The next good copy closes this.",
     closes,
     tries_on,
     close},
    {"witness_unreachable",
     Step::pay,
     {},
     "The witness of the ledger cannot be used",
     "The folder of `ledger.witness` cannot be read or written, does not respond, has no witness, or has another "
     "ledger's witness. Until this closes, nothing is approved, planned, released or uploaded.",
     "Have the administrator mount the folder, or let the daemon's user write there. For a new folder run `drawbridge "
     "witness init`. This closes when the witness can be used.",
     closes,
     tries_on,
     close},
    {"passkey_cloned",
     Step::pay,
     {},
     "A passkey may have been copied",
     "An act or a sign-in in the console was signed with a passkey whose counter did not increase: two devices have "
     "the key, or an old signature was replayed. It was refused, and the key neither signs nor signs in while this is "
     "open.",
     "Ask the passkey's owner. Unless a broken device explains it, lock the key with `drawbridge people lock-key "
     "FINGERPRINT --reason …`, and invite the owner to enroll another. Then resolve this.",
     closes,
     "Closes it. The key can sign again, unless it is locked.",
     close},
    {"payee_key_changed",
     Step::pay,
     {},
     "Another field of the draws names the payee",
     "`payees.key` was changed in `drawbridge.yaml`. A draw that was approved before would be paid to the payee in the "
     "new field. All movement of money was paused.",
     "Ask the administrator who changed it, and why. If that was not agreed, have it changed back. Look at each draw "
     "that is approved or in a file that is not released: if the new field names the wrong payee, have the draw "
     "corrected in the portal, and void its file. Then resolve this and run `drawbridge resume --reason …`.",
     closes,
     "Closes it, so that `drawbridge resume` can end the pause.",
     {resume, resolve},
     /*pauses=*/true},
    {"ledger_is_older",
     Step::pay,
     {},
     "The ledger may be an older copy",
     "The ledger was restored, was copied, is older than the one that last released a file, is new in a folder that "
     "files were already sent from, or is new while `backup.folder` has a backup of another ledger. All movement of "
     "money is paused.",
     "If the newest ledger still exists, stop the daemon and put that one in place. If not, wait until the daemon has "
     "compared this one with the service and the files sent (`drawbridge status` says so), look at every exception "
     "that it raised, and ask the bank. Repeat what people did since this ledger was written and what must still hold: "
     "locked persons and passkeys, roles, voids, rejected changes; the journal shows it. Then run `drawbridge resume "
     "--reason …`.",
     closes,
     "Closes it. Money stays paused: only `drawbridge resume` lets it move.",
     {resume, resolve},
     /*pauses=*/true},
    {"acts_lost",
     Step::pay,
     {},
     "The restored ledger does not know what people did since",
     "The ledger that was in place when `drawbridge restore` ran has acts of people that the backup does not have. The "
     "detail lists them: changes of people and passkeys, voids, orders about checks, resolutions that were undone, "
     "changes of rules and payees. A person who was locked may act again, and a payment that was voided may be paid. "
     "If that ledger could not be read to its end, one of these exceptions says so instead of a list.",
     "Repeat each act that must still hold, and then resolve this. If the subject names a person, the acts took "
     "something from that person, who cannot resolve it. Until then, `drawbridge resume` is refused.",
     closes,
     "Closes it, so that `drawbridge resume` can end the pause.",
     {resume, resolve},
     /*pauses=*/true},
    {"bank_files_unread",
     Step::pay,
     {},
     "The restored ledger has not read all of the bank's files",
     "`spool/archive` has files of the bank that this ledger, which is older, never read: a return or an "
     "acknowledgment in "
     "them has no effect yet. The detail names them.",
     "Hand in each file again: `drawbridge archive show PATH --output FILE --reason …`, then `drawbridge ingest FILE`. "
     "Then resolve this. "
     "Until then, `drawbridge resume` is refused.",
     closes,
     "Closes it, so that `drawbridge resume` can end the pause.",
     {resume, resolve},
     /*pauses=*/true},
    {"paid_after_backup",
     Step::pay,
     {},
     "Held: a file paid it after the backup",
     "A manifest shows that a file paid this draw after the restored ledger was written. It is not paid again. The "
     "exception names every such file: the draw may have been paid again after a return.",
     "If one of these payments stands, do nothing: this closes when the draw is marked as Disbursed in the portal. "
     "Resolve it only if all the payments that it names were returned and the draw should be paid again.",
     lifts,
     "Lets the next run of `pay` pay the draw again, unless it is also held as `possibly_paid`. The person who "
     "resolves it cannot release the file that pays it.",
     close},
    {"possibly_paid",
     Step::pay,
     {},
     "Held: it may have been paid after the backup",
     "The manifests do not show everything that went out before the ledger was restored, so a file that this ledger "
     "does not know may have paid the draw. This holds every draw that was requested before `drawbridge resume`, no "
     "matter what the service showed then, once it is due for payment.",
     "Ask the bank whether it paid this draw. If it did, have the draw marked as Disbursed in the portal, which closes "
     "this; a draw that was to be paid again is already Disbursed and stays held here, unpaid. If the bank did not pay "
     "it, resolve this. If the bank confirms that it has no file beyond those in the manifests, `drawbridge resume "
     "--nothing-else-sent --reason …` frees all such draws at once, also those that nobody has seen yet.",
     lifts,
     "Lets the next run of `pay` pay the draw. The person who resolves it cannot release the file that pays it.",
     {resume, resolve, undo}},
    {"approved_after_backup",
     Step::pay,
     {},
     "The draw was approved after the backup",
     "The service has shown the draw as Approved since the restored ledger was written, but the ledger has no approval "
     "for it. No file that went out paid it.",
     "Check that the approval is right. It is paid after `drawbridge resume`, which closes this.",
     closes,
     nothing_else,
     {resume, resolve, undo},
     /*pauses=*/false,
     /*lasts=*/true},
    {"disbursed_after_backup",
     Step::pay,
     {},
     "The draw was disbursed after the backup",
     "The service has shown the draw as Disbursed since the restored ledger was written, but the ledger has no payment "
     "for it. It is not paid.",
     "Look for the file that paid it, and for other payments in that file. `drawbridge resume` closes this.",
     closes,
     nothing_else,
     {resume, resolve, undo},
     /*pauses=*/false,
     /*lasts=*/true},
    {"check_ended_after_backup",
     Step::pay,
     {},
     "A check was voided or stopped after the backup",
     "A file with the order to void or stop this check went out after the restored ledger was written.",
     "Look at `drawbridge checks`. If it shows the check as out, order the void or stop again, or have the bank do it. "
     "Then resolve this.",
     closes,
     nothing_else,
     {void_check, resolve, undo},
     /*pauses=*/false,
     /*lasts=*/true},
};

inline constexpr ExceptionKind machine_kinds[] = {
    {"disk_full", any_step, every_step, "The disk is full",
     "There is no space left for the ledger or the files in the state folder. Nothing is lost.",
     "Have the administrator make room now. Drawbridge retries at every poll, continues automatically, and closes this "
     "when a whole round has succeeded. Acts such as `pause` and `release` are refused until then.",
     closes, "Closes it. It frees no space.", close},
};

}  // namespace drawbridge::exceptions
