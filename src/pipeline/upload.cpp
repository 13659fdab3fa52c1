#include "upload.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/ledger/facts/evidence.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/pipeline/high_water.hpp"
#include "release.hpp"
#include "remote.hpp"
#include "server_listing.hpp"

namespace drawbridge::pipeline {
namespace {

using disbursement::DeliveryFact;
using disbursement::DeliveryPhase;
using disbursement::DeliveryState;
using disbursement::DeliveryStep;
using disbursement::DeliveryVerdict;

// This many consecutive failures raise an exception. Fewer may clear up without a person.
constexpr int failures_before_exception = 3;

struct Upload {
    ledger::DeliveryRow row;
    DeliveryState state;
    RemoteFile expected;
    std::string temporary_name;
    bool is_complete = false;  // the newest upload: the step `uploaded` is recorded
};

void record(Context& context, const Upload& upload, DeliveryStep step, const std::string& detail) {
    DeliveryFact fact{.step = step, .at = context.clock.now(), .by = context.actor};
    fact.detail = detail;
    if (step == DeliveryStep::intent) {
        fact.server = upload.state.server;
        fact.temporary_name = upload.temporary_name;
        fact.size_bytes = upload.expected.size;
    }
    context.ledger.transaction([&] {
        ledger::record_delivery_step(context.ledger, upload.row.file_id, fact);
        if (step == DeliveryStep::delivered) {
            ledger::close_exceptions_of_subject(context.ledger, upload.row.file_name, "the bank has the file",
                                                context.stamp());
        }
    });
}

void report_failure(ServerSession& session, const Upload& upload, const Error& error) {
    session.runner.failed(upload.row.name + ": " + error.message);
    if (upload.state.failures + 1 >= failures_before_exception) {
        raise_delivery(session.context, "delivery_failing", upload.row.file_name,
                       error.message + ": it is retried with growing backoff");
    }
}

// Records a failed step that is retried later.
void record_failure(ServerSession& session, const Upload& upload, DeliveryStep step, const Error& error) {
    if (!session.sftp->alive()) session.finished = true;
    // Cancellation is not a failure: the next start continues from what is recorded.
    if (error.code == ErrorCode::cancelled) return;
    record(session.context, upload, step, error.message);
    report_failure(session, upload, error);
}

void record_for_person(ServerSession& session, const Upload& upload, DeliveryStep step, const std::string& detail) {
    record(session.context, upload, step, detail);
    raise_delivery(session.context, "delivery_" + std::string(disbursement::to_string(step)), upload.row.file_name,
                   detail);
    session.runner.failed(upload.row.name + ": " + detail);
}

std::string shown(const RemoteFile& file) {
    return std::to_string(file.size) + " bytes" +
           (file.sha256.empty() ? ", which the server does not let us read" : ", SHA-256 " + file.sha256);
}

void conflict(ServerSession& session, const Upload& upload, const RemoteFile& found) {
    record_for_person(session, upload, DeliveryStep::conflict,
                      session.server + " has a different file " + upload.row.name + ": " + shown(found) +
                          ", ours has " + shown(upload.expected) + ": it was not overwritten; ask the bank");
}

void uncertain(ServerSession& session, const Upload& upload, const std::string& why) {
    record_for_person(session, upload, DeliveryStep::uncertain,
                      why + ": the bank may have received the file. Ask whether it has " + upload.row.name +
                          " (SHA-256 " + upload.row.sha256 + "); it is not sent again automatically");
}

// Opens the session if it is not open. False: the server cannot be used.
asio::awaitable<bool> open(ServerSession& session, const Upload& upload) {
    if (session.sftp) co_return !session.finished;
    Context& context = session.context;
    session.sftp = std::make_shared<SftpSession>(session.options);
    context.transfer_worker->set_session(session.sftp);
    std::function<Result<void>(SftpSession&)> request = [](SftpSession& sftp) { return sftp.open(); };
    const auto opened = co_await run_on_server(session, std::move(request));
    Result<bool> unknown_file = false;
    if (opened) unknown_file = co_await has_unknown_file(session);
    if (opened && unknown_file) {
        context.transfer_worker->succeeded(session.server);
        context.ledger.transaction([&] {
            ledger::close_exceptions_of_subject(context.ledger, session.server, "the server answers", context.stamp());
        });
        session.finished = *unknown_file;
        co_return !session.finished;
    }
    session.finished = true;
    const Error& error = opened ? unknown_file.error() : opened.error();
    if (error.code == ErrorCode::cancelled) co_return false;
    record(context, upload, DeliveryStep::unreachable, error.message);
    session.runner.failed(error.message);
    // A program that runs each step once knows earlier failures from the ledger only.
    const int failures = std::max(
        context.transfer_worker->failed(session.server, context.clock.now(), context.settings.delivery_retry_base),
        upload.state.failures + 1);
    if (error.code == ErrorCode::protocol) {
        raise_delivery(context, "delivery_host_key", session.server, error.message);
    } else if (error.code == ErrorCode::unauthorized || error.code == ErrorCode::invalid_input) {
        raise_delivery(context, "delivery_login_refused", session.server, error.message);
    } else if (failures >= failures_before_exception) {
        raise_delivery(context, "delivery_failing", session.server,
                       error.message + ": it is retried with growing backoff");
    }
    co_return false;
}

// Removes an upload that may be incomplete. If it is already gone, the bank may have taken it.
asio::awaitable<void> discard(ServerSession& session, Upload& upload, std::string what) {
    std::function<Result<void>(SftpSession&)> request = [name = upload.temporary_name](SftpSession& sftp) {
        return sftp.remove(name);
    };
    const auto removed = co_await run_on_server(session, std::move(request));
    if (!removed && removed.error().code == ErrorCode::not_found) {
        uncertain(session, upload, session.server + " no longer shows " + upload.temporary_name);
    } else if (!removed && !session.sftp->alive()) {
        record_failure(session, upload, DeliveryStep::unreachable, removed.error());
    } else {
        record_failure(session, upload, DeliveryStep::damaged,
                       {ErrorCode::conflict,
                        "the upload " + upload.temporary_name + " is not known to be complete: " + std::move(what)});
    }
}

enum class Next { rename, nothing };

// The rename may follow once the step is recorded, and once an older copy of the ledger would be noticed.
asio::awaitable<Next> record_uploaded(ServerSession& session, Upload& upload, RemoteFile found) {
    record(session.context, upload, DeliveryStep::uploaded,
           std::to_string(found.size) +
               (found.sha256.empty() ? " bytes, size compared" : " bytes, read back and identical"));
    upload.is_complete = true;
    const auto known = co_await record_high_water_mark(session.context);
    if (!known) {
        session.runner.failed(upload.row.name + " waits to be renamed: " + known.error().message);
        co_return Next::nothing;
    }
    crash_point("deliver.uploaded_committed");
    co_return Next::rename;
}

// After an upload that may be complete, or renamed, what the server shows decides.
asio::awaitable<Next> check_uploaded(ServerSession& session, Upload& upload) {
    std::function<Result<RemoteNames>(SftpSession&)> request = [temporary = upload.temporary_name,
                                                                name = upload.row.name](SftpSession& sftp) {
        return look_up_both(sftp, temporary, name);
    };
    const auto found = co_await run_on_server(session, std::move(request));
    if (!found) {
        record_failure(session, upload, DeliveryStep::unreachable, found.error());
        co_return Next::nothing;
    }
    if (!upload.is_complete && found->final_ && found->final_->sha256.empty()) {
        // Nobody renamed our upload: that the sizes agree proves nothing.
        uncertain(session, upload, session.server + " shows " + upload.row.name + ": " + shown(*found->final_));
        co_return Next::nothing;
    }
    switch (disbursement::after_upload(found->temporary, found->final_, upload.expected)) {
        case DeliveryVerdict::delivered:
            record(session.context, upload, DeliveryStep::delivered,
                   "the server shows it under its final name: " + shown(*found->final_));
            crash_point("deliver.result_committed");
            break;
        case DeliveryVerdict::rename:
            if (upload.is_complete) co_return Next::rename;
            // Nothing was answered after the last byte: its size alone does not prove that it is complete.
            if (!found->temporary->sha256.empty()) {
                RemoteFile uploaded = *found->temporary;
                const Next next = co_await record_uploaded(session, upload, std::move(uploaded));
                co_return next;
            }
            [[fallthrough]];
        case DeliveryVerdict::upload:
        case DeliveryVerdict::upload_again: {
            std::string what = shown(*found->temporary);
            co_await discard(session, upload, std::move(what));
            break;
        }
        case DeliveryVerdict::conflict: conflict(session, upload, *found->final_); break;
        case DeliveryVerdict::uncertain:
            uncertain(session, upload,
                      session.server + " shows neither " + upload.row.name + " nor " + upload.temporary_name);
            break;
    }
    co_return Next::nothing;
}

// Whether the upload is complete. Otherwise removes it and records why not.
asio::awaitable<bool> check_sent(ServerSession& session, Upload& upload, UploadResult sent) {
    if (!sent.found) {
        uncertain(
            session, upload,
            session.server + " accepted the whole upload and no longer shows it, not even as " + upload.temporary_name);
        co_return false;
    }
    if (sent.uploaded.sha256 != upload.row.sha256) {
        std::string what = "the file in outgoing/ changed during the upload";
        co_await discard(session, upload, std::move(what));
        co_return false;
    }
    const bool read_back = !sent.found->sha256.empty();
    if (sent.found->size != upload.expected.size || (read_back && sent.found->sha256 != upload.row.sha256)) {
        std::string what = "what arrived is not the file: " + shown(*sent.found);
        co_await discard(session, upload, std::move(what));
        co_return false;
    }
    co_return true;
}

asio::awaitable<Next> send_file(ServerSession& session, Upload& upload) {
    Context& context = session.context;
    // Before the intent: an upload whose position cannot be recorded has not started, and can still be voided.
    const auto recordable = co_await record_high_water_mark(context);
    if (!recordable) {
        record_failure(session, upload, DeliveryStep::unreachable, recordable.error());
        co_return Next::nothing;
    }
    const std::string leftover =
        std::exchange(upload.temporary_name, disbursement::temporary_name(upload.row.name, upload.state.uploads + 1));
    upload.state.server = session.server;
    upload.is_complete = false;
    record(context, upload, DeliveryStep::intent, session.unlisted);
    const auto recorded = co_await record_high_water_mark(context);
    if (!recorded) {
        record_failure(session, upload, DeliveryStep::failed, recorded.error());
        co_return Next::nothing;
    }
    crash_point("deliver.intent_committed");
    std::function<Result<UploadResult>(SftpSession&)> request =
        [local = context.spool.outgoing_path(upload.row.name), leftover,
         temporary = upload.temporary_name](SftpSession& sftp) { return send(sftp, local, leftover, temporary); };
    const auto sent = co_await run_on_server(session, std::move(request));
    if (!sent) {
        const Error& error = sent.error();
        const bool may_have_all = error.code == ErrorCode::outcome_unknown;
        // Recorded here although nothing failed: the next start then knows that the upload is not complete.
        if (error.code == ErrorCode::cancelled) record(context, upload, DeliveryStep::failed, error.message);
        record_failure(session, upload, may_have_all ? DeliveryStep::unknown : DeliveryStep::failed, error);
        co_return Next::nothing;
    }
    crash_point("deliver.uploaded");
    RemoteFile found = sent->found.value_or(RemoteFile{});
    UploadResult result = *sent;
    const bool is_well = co_await check_sent(session, upload, std::move(result));
    if (!is_well) co_return Next::nothing;
    const Next next = co_await record_uploaded(session, upload, std::move(found));
    co_return next;
}

enum class MayLeave { yes, not_now, no };

// The release checks run again before each upload, and before it gets the file's name: the bank has nothing under that
// name.
asio::awaitable<MayLeave> may_leave(ServerSession& session, const Upload& upload) {
    if (ledger::is_any_settled(session.context.ledger, upload.row.file_id)) {
        uncertain(session, upload, "the bank confirmed or returned a payment of " + upload.row.name);
        co_return MayLeave::not_now;
    }
    if (ledger::acknowledged_unsent(session.context.ledger, upload.row.file_id)) {
        uncertain(session, upload, "the bank acknowledges " + upload.row.name);
        co_return MayLeave::not_now;
    }
    const auto checked = co_await check_before_upload(session.context, upload.row.file_name);
    if (checked) co_return MayLeave::yes;
    if (checked.error().code == ErrorCode::unavailable) {
        record_failure(session, upload, DeliveryStep::unreachable, checked.error());
        co_return MayLeave::not_now;
    }
    session.context.transfer_worker->failed(upload.row.name, session.context.clock.now(),
                                            session.context.settings.delivery_retry_base);
    session.runner.failed(checked.error());
    co_return MayLeave::no;
}

// For a file of which no upload may have been renamed.
asio::awaitable<Next> check_and_send(ServerSession& session, Upload& upload) {
    std::function<RemoteLookup(SftpSession&)> request = [name = upload.row.name](SftpSession& sftp) {
        return look_up(sftp, name);
    };
    const auto found = co_await run_on_server(session, std::move(request));
    if (!found) {
        record_failure(session, upload, DeliveryStep::unreachable, found.error());
        co_return Next::nothing;
    }
    const auto verdict = disbursement::before_upload(*found, upload.expected);
    if (verdict == DeliveryVerdict::delivered) {
        record(session.context, upload, DeliveryStep::delivered,
               "the server already had it, byte for byte: " + shown(**found));
        crash_point("deliver.result_committed");
        co_return Next::nothing;
    }
    if (verdict != DeliveryVerdict::upload) {
        conflict(session, upload, **found);
        co_return Next::nothing;
    }
    if (must_stop(session.context)) co_return Next::nothing;
    const auto may = co_await may_leave(session, upload);
    if (may != MayLeave::yes || must_stop(session.context)) co_return Next::nothing;
    co_return co_await send_file(session, upload);
}

// Removes an upload that must not get the file's name. The server has it under its temporary name.
asio::awaitable<void> take_back(ServerSession& session, Upload& upload) {
    std::function<Result<void>(SftpSession&)> request = [name = upload.temporary_name](SftpSession& sftp) {
        return sftp.remove(name);
    };
    const auto removed = co_await run_on_server(session, std::move(request));
    // The bank may have taken it.
    if (!removed && co_await check_uploaded(session, upload) != Next::rename) co_return;
    record(session.context, upload, DeliveryStep::failed,
           upload.temporary_name + (removed ? " is removed from the server" : " stays on the server") +
               ": the file must not leave as it is");
}

asio::awaitable<void> rename(ServerSession& session, Upload& upload) {
    const auto may = co_await may_leave(session, upload);
    if (may == MayLeave::no) co_await take_back(session, upload);
    if (may != MayLeave::yes || must_stop(session.context)) co_return;
    std::function<Result<void>(SftpSession&)> request = [from = upload.temporary_name,
                                                         to = upload.row.name](SftpSession& sftp) {
        return rename_and_look(sftp, from, to);
    };
    const auto renamed = co_await run_on_server(session, std::move(request));
    if (renamed) {
        crash_point("deliver.renamed");
        record(session.context, upload, DeliveryStep::delivered, "the server renamed it to " + upload.row.name);
        crash_point("deliver.result_committed");
        co_return;
    }
    if (renamed.error().code == ErrorCode::outcome_unknown) {
        record_failure(session, upload, DeliveryStep::unknown, renamed.error());
        co_return;
    }
    record(session.context, upload, DeliveryStep::refused, renamed.error().message);
    // A file with that name exists, or the upload is gone, or renamed nevertheless: look at once.
    if (co_await check_uploaded(session, upload) == Next::rename) report_failure(session, upload, renamed.error());
}

// Checks that the file in outgoing/ is what must be sent. Raises an exception otherwise.
bool is_ready_to_send(ServerSession& session, Upload& upload) {
    Context& context = session.context;
    const auto size = context.spool.outgoing_size(upload.row.name);
    if (!size) {
        raise_delivery(context, "outgoing_file_missing", upload.row.file_name,
                       "someone removed " + upload.row.name +
                           " from spool/outgoing before it was delivered: restore it; or, once it is certain that the "
                           "bank has it, run 'drawbridge deliver NAME --by-hand --reason …'");
        return false;
    }
    upload.expected.size = *size;
    if (context.spool.outgoing_sha256(upload.row.name) == upload.row.sha256) return true;
    raise_delivery(context, "outgoing_file_changed", upload.row.file_name,
                   upload.row.name +
                       " in spool/outgoing is not the file that was released (its SHA-256 differs): it "
                       "is not sent; find out who changed it, and restore the released file");
    return false;
}

// Whether the newest upload was seen to be complete.
bool is_complete(const std::vector<DeliveryFact>& facts) {
    bool complete = false;
    for (const auto& fact : facts) {
        if (fact.step == DeliveryStep::intent || fact.step == DeliveryStep::uploaded)
            complete = fact.step == DeliveryStep::uploaded;
    }
    return complete;
}

bool is_same_server(ServerSession& session, const Upload& upload) {
    if (upload.state.server == session.server) return true;
    raise_delivery(session.context, "delivery_server_changed", upload.row.file_name,
                   upload.row.name + " may have arrived at " + upload.state.server + ", but " + session.server +
                       " is configured now: it is not sent to a second server. Configure the first server again until "
                       "the delivery is resolved, or run 'drawbridge deliver NAME --by-hand --reason …' if the "
                       "bank has it, or 'drawbridge deliver NAME --again --reason …' if it does not");
    return false;
}

void back_off(ServerSession& session, const Upload& upload) {
    Context& context = session.context;
    context.transfer_worker->failed(upload.row.name, context.clock.now(), context.settings.delivery_retry_base);
    session.runner.failed(upload.row.name + " is not delivered: see its exception");
}

// Marks the file as being uploaded while it lives.
class UploadInProgress {
  public:
    UploadInProgress(TransferWorker& transfer_worker, ledger::FileId file_id) : transfer_worker_(transfer_worker) {
        transfer_worker_.uploading_file = file_id;
    }
    UploadInProgress(const UploadInProgress&) = delete;
    UploadInProgress& operator=(const UploadInProgress&) = delete;
    ~UploadInProgress() { transfer_worker_.uploading_file.reset(); }

  private:
    TransferWorker& transfer_worker_;
};

}  // namespace

asio::awaitable<void> deliver_file(ServerSession& session, ledger::DeliveryRow row) {
    Upload upload;
    const auto facts = ledger::delivery_steps(session.context.ledger, row.file_id);
    upload.state = disbursement::delivery_state(facts);
    upload.is_complete = is_complete(facts);
    upload.expected = {.size = upload.state.size_bytes.value_or(0), .sha256 = row.sha256};
    upload.temporary_name = upload.state.temporary_name;
    upload.row = std::move(row);
    // An upload without a recorded end was cut off with the program, perhaps after its last byte.
    const bool may_have_arrived =
        upload.state.phase == DeliveryPhase::unconfirmed || upload.state.phase == DeliveryPhase::uploading;
    const bool possible = may_have_arrived ? is_same_server(session, upload) : is_ready_to_send(session, upload);
    if (!possible) {
        back_off(session, upload);
        co_return;
    }
    const UploadInProgress in_progress(*session.context.transfer_worker, upload.row.file_id);
    const bool opened = co_await open(session, upload);
    if (!opened) co_return;
    Next next = Next::nothing;
    if (may_have_arrived) {
        next = co_await check_uploaded(session, upload);
    } else {
        next = co_await check_and_send(session, upload);
    }
    if (next == Next::nothing || must_stop(session.context)) co_return;
    co_await rename(session, upload);
}

}  // namespace drawbridge::pipeline
