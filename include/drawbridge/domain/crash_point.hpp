// Crash points: the named durable steps at which a test build can kill itself. Tests use them to prove that no step
// loses or repeats anything.
//
// The product links crash_points_off.cpp, where crash_point() does nothing and reads nothing. Only the test program
// `drawbridge-crash` links crash_points_on.cpp. With DRAWBRIDGE_CRASH_AT=name:n in the environment it kills itself
// (SIGKILL) the n-th time it reaches that crash point (n starts at 1).
#pragma once

#include <string_view>

namespace drawbridge {

inline constexpr std::string_view crash_points[] = {
    // opening a ledger that is not yet sealed
    "ledger.sealed",  // everything is sealed; the old plain content is not yet overwritten
    // decide
    "decide.decisions_committed",  // part of a run's decisions are recorded; the run continues
    // approve
    "approve.intent_committed",  // the batch and its draws are in the ledger; nothing is sent
    "approve.request_sent",      // the request is sent; no answer is read
    "approve.answer_received",   // the answer is read; none of it is recorded
    "approve.result_committed",  // the results are recorded
    // pay
    "pay.part_committed",      // some payments and their numbers are in the ledger; their file may get more
    "pay.plan_committed",      // numbers, payments and the file's row are in the ledger; there is no file
    "pay.staged_written",      // the bytes are in a temporary file, not yet synced
    "pay.staged_synced",       // the temporary file is synced, not yet renamed
    "pay.staged_renamed",      // staged/NAME exists; its folder is not yet synced
    "pay.staged_durable",      // staged/NAME is durable; the ledger does not show it
    "pay.staged_committed",    // the ledger records the staged file and its hash
    "pay.release_ordered",     // the release order is in the ledger; its draws are not yet read again
    "pay.release_read",        // fresh readings of its draws exist; nothing is decided
    "pay.release_committed",   // every check has passed; the file is not yet moved
    "pay.manifest_written",    // the line is in the day's manifest, not synced; the file is still staged
    "pay.manifest_durable",    // the manifest line survives a power loss
    "pay.release_begun",       // the lease of the release runs; the file is still staged
    "pay.released_renamed",    // the file is in outgoing/; its folders are not yet synced
    "pay.released_durable",    // the move is durable; the ledger does not show it
    "pay.released_committed",  // the ledger records the release
    // checks: only in a run with orders to void or stop a check
    "checks.orders_committed",  // the file of check orders is in the ledger; nothing is written
    // a person voids one payment
    "void.committed",  // its file is void and its draw is held; the staged file is still there
    // deliver: only where files are encrypted or uploaded by SFTP
    "deliver.encrypted_written",    // the encrypted file is durable in staged/; the ledger does not show it
    "deliver.encrypted_committed",  // the ledger records its hash
    "deliver.intent_committed",     // the upload is announced; nothing is on the server
    "deliver.uploaded",             // the file is on the server under its temporary name; the ledger does not show it
    "deliver.uploaded_committed",   // the ledger records the upload; the file does not have its final name yet
    "deliver.renamed",              // the file has its final name; the ledger does not show it
    "deliver.result_committed",     // the ledger records the delivery; the local copy is still in outgoing/
    "deliver.archived",             // the local copy is in the archive; the ledger does not show it
    // confirm
    "confirm.copied",             // across file systems: the copy is durable; the original is still in place
    "confirm.renamed",            // one file of a claim has left the inbox, not yet durably
    "confirm.claimed",            // the file is out of the inbox; nothing is recorded
    "confirm.staged",             // all its lines are read; nothing is recorded
    "confirm.part_committed",     // some lines and their effects are recorded; the others wait in the ledger
    "confirm.committed",          // file, lines and effects are recorded; the file is not yet archived
    "confirm.archived",           // the file is in the archive or in quarantine
    "confirm.refused_committed",  // the refusal is recorded; the file is not yet in quarantine
    // report
    "report.intent_committed",  // the outbox row is in the ledger; nothing is sent
    "report.request_sent",      // the patch is sent; no answer is read
    "report.answer_received",   // the answer is read, not recorded
    "report.result_committed",  // the answer is recorded
    // a person acts on a confirmation or an exception
    "resolve.committed",  // a line is applied, or a resolution is withdrawn
    "reissue.committed",  // a draw will be paid again
    // only where the configuration enables it
    "by_time.committed",            // some credits count as paid because no return arrived within the window
    "write_back.intent_committed",  // the field values are in the ledger; nothing is sent
    "write_back.result_committed",  // the outcome of each field is recorded
    // keep: only where a backup is made or restored
    "keep.backup_copied",      // the copy is complete in a temporary file, not verified
    "keep.backup_verified",    // it is verified and synced, not renamed
    "keep.backup_durable",     // it has its final name; the ledger does not show it
    "keep.backup_committed",   // the ledger records it
    "keep.restore_begun",      // a restore is announced next to the ledger; nothing is moved
    "keep.restore_set_aside",  // the previous ledger is set aside; the copy is not yet in its place
    "keep.restore_placed",     // the copy is in place; the restore is still announced
    "keep.compared",           // the ledger is reconciled with what was sent; the high-water mark does not show it yet
    "keep.witness_written",    // the witness has the new mark; the high-water mark next to the ledger does not
    // takeover: only where the ledger is in PostgreSQL
    "takeover.arrival_kept",    // the bytes of a confirmation file are in the ledger; the file is still in the inbox
    "takeover.files_restored",  // a host that takes over has the files; the ledger does not show it
    "takeover.recorded",        // the ledger shows it; the high-water mark does not
    // archive: only where a file is old enough to seal or delete
    "archive.sealed_written",      // the sealed form is durable under a temporary name and was read back
    "archive.sealed_durable",      // it has its final name; the ledger does not show it; the plain file is still there
    "archive.sealed_committed",    // the ledger records it; the plain file is still there
    "archive.deletion_committed",  // the ledger records the deletion; the file is still there
    // alerts: only where they are configured
    "alerts.intent_committed",  // the alert is in the ledger; nothing is sent
    "alerts.sent",              // the message is sent, not recorded as sent: it is sent once more
    "alerts.result_committed",  // recorded as sent
};

// `name` must be one of crash_points; the test program aborts on any other.
void crash_point(std::string_view name);

}  // namespace drawbridge
