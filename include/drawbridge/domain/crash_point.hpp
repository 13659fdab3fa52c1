// The durable steps at which a test build can be made to die, to prove that no step loses or doubles anything.
//
// The product links crash_points_off.cpp, where crash_point() does nothing and reads nothing. Only the test program
// `drawbridge-crash` links crash_points_on.cpp: with DRAWBRIDGE_CRASH_AT=name:n in the environment it kills itself
// (SIGKILL) the n-th time it comes by that name (n from 1).
#pragma once

#include <string_view>

namespace drawbridge {

inline constexpr std::string_view crash_points[] = {
    // opening a new ledger; changing the sealing key
    "ledger.sealed",  // the key is recorded and every value is sealed with it, old values are not overwritten yet
    // decide
    "decide.decisions_committed",  // some decisions of a run are recorded, the run goes on
    // approve
    "approve.intent_committed",  // the batch and its draws are in the ledger, nothing is sent
    "approve.request_sent",      // the request is on the wire, no answer read
    "approve.answer_received",   // the answer is read, nothing of it recorded
    "approve.result_committed",  // the results are recorded
    // pay
    "pay.plan_committed",      // numbers, payments and the file's row are in the ledger, no file
    "pay.staged_written",      // the bytes are in a temporary file, not yet synced
    "pay.staged_synced",       // the temporary file is synced, not yet renamed
    "pay.staged_renamed",      // staged/NAME exists, its folder not yet synced
    "pay.staged_durable",      // staged/NAME is durable, the ledger does not know it
    "pay.staged_committed",    // the ledger knows the staged file and its hash
    "pay.release_ordered",     // the order to release is in the ledger, its draws are not read yet
    "pay.release_read",        // its draws are read afresh, nothing is decided
    "pay.release_committed",   // every check has passed, the file is not moved
    "pay.manifest_written",    // the line of the day's manifest is written, not synced; the file is still staged
    "pay.manifest_durable",    // the line survives power loss
    "pay.released_renamed",    // the file is in outgoing/, its folders not yet synced
    "pay.released_durable",    // the move is durable, the ledger does not know it
    "pay.released_committed",  // the ledger knows
    // checks: only in a run that has orders to void or stop a check
    "checks.orders_committed",  // the file of check orders is in the ledger, nothing is written
    // void of a single payment: only by a person
    "void.committed",  // its file is void and its draw held, the staged file is still there
    // deliver: only where files are encrypted or go by SFTP
    "deliver.encrypted_written",    // the encrypted file is durable in staged/, the ledger does not know it
    "deliver.encrypted_committed",  // the ledger knows its hash
    "deliver.intent_committed",     // the upload is announced, nothing is at the server
    "deliver.uploaded",             // the file is at the server under its temporary name, the ledger does not know it
    "deliver.uploaded_committed",   // the ledger knows, the file has not its name yet
    "deliver.renamed",              // the file has its name, the ledger does not know it
    "deliver.result_committed",     // the ledger knows, the local copy is still in outgoing/
    "deliver.archived",             // the local copy is in the archive, the ledger does not know it
    // confirm
    "confirm.copied",             // on another file system: the copy is durable, the file still where it came from
    "confirm.renamed",            // one of the files of a claim has left the inbox, not yet durably
    "confirm.claimed",            // the file is out of the inbox, nothing is recorded
    "confirm.staged",             // all its lines are read, nothing is recorded
    "confirm.committed",          // file, lines and effects are recorded, the file not yet archived
    "confirm.archived",           // the file is in the archive or in quarantine
    "confirm.refused_committed",  // the refusal is recorded, the file not yet in quarantine
    // report
    "report.intent_committed",  // the outbox row is in the ledger, nothing is sent
    "report.request_sent",      // the patch is on the wire, no answer read
    "report.answer_received",   // the answer is read, not recorded
    "report.result_committed",  // the answer is recorded
    // acts of a person on what the bank said
    "resolve.committed",  // a line is applied, or a resolution is taken back
    "reissue.committed",  // a draw is to be paid again
    // only where the configuration asks for it
    "by_time.committed",            // some credits count as paid, nothing came back in time
    "write_back.intent_committed",  // the texts are in the ledger, nothing is sent
    "write_back.result_committed",  // the outcome of each field is recorded
    // keep: only where a backup is made or put back
    "keep.backup_copied",      // the copy is whole in a temporary file, not verified
    "keep.backup_verified",    // it is verified and synced, not renamed
    "keep.backup_durable",     // it stands under its name, the ledger does not know it
    "keep.backup_committed",   // the ledger knows it
    "keep.restore_begun",      // a restore is announced beside the ledger, nothing is moved
    "keep.restore_set_aside",  // the ledger that was there is kept aside, the copy not yet in its place
    "keep.restore_placed",     // the copy is in place, the restore still announced
    "keep.compared",           // the ledger was held against what was sent, the mark does not say so yet
    "keep.witness_written",    // the witness has the mark, the one beside the ledger does not
    // archive: only where a file is old enough to be sealed or deleted
    "archive.sealed_written",      // the sealed form is durable under a temporary name, and was read back
    "archive.sealed_durable",      // it has its name, the ledger does not know it, the plain file is still there
    "archive.sealed_committed",    // the ledger knows it, the plain file is still there
    "archive.deletion_committed",  // the ledger says that the file is deleted, it is still there
    // alerts: only where they are configured
    "alerts.intent_committed",  // what is to be told is in the ledger, nothing is sent
    "alerts.sent",              // the message is on its way, not recorded as sent: it goes out once more
    "alerts.result_committed",  // recorded as sent
};

// `name` must be one of the above.
void crash_point(std::string_view name);

}  // namespace drawbridge
