#include "upload.hpp"

#include <optional>
#include <utility>

#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/ledger/exceptions.hpp"
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

// A case is opened after so many failures in a row; before, it may mend itself.
constexpr int failures_before_exception = 3;

struct Upload {
    ledger::DeliveryRow row;
    DeliveryState state;
    RemoteFile wanted;
    std::string temporary_name;
};

void record(Context& context, const Upload& upload, DeliveryStep step, const std::string& detail) {
    DeliveryFact fact{.step = step, .at = context.clock.now(), .by = context.actor};
    fact.detail = detail;
    if (step == DeliveryStep::intent) {
        fact.server = upload.state.server;
        fact.temporary_name = upload.temporary_name;
        fact.size_bytes = upload.wanted.size;
    }
    context.ledger.transaction([&] {
        ledger::record_delivery_step(context.ledger, upload.row.file_id, fact);
        if (step == DeliveryStep::delivered) {
            ledger::close_exceptions_of_subject(context.ledger, upload.row.file_name, "the bank has the file",
                                                context.stamp());
        }
    });
}

// A step that did not go well, and that is tried again later.
void record_failure(ServerSession& session, const Upload& upload, DeliveryStep step, const Error& error) {
    if (!session.sftp->alive()) session.over = true;
    // Stopping is no failure: the next start goes on from what is recorded.
    if (error.code == ErrorCode::cancelled) return;
    record(session.context, upload, step, error.message);
    session.runner.failed(upload.row.name + ": " + error.message);
    if (upload.state.failures + 1 >= failures_before_exception) {
        raise_delivery(session.context, "delivery_failing", upload.row.file_name,
                       error.message + ": it is tried again, ever more rarely");
    }
}

void record_for_person(ServerSession& session, const Upload& upload, DeliveryStep step, const std::string& detail) {
    record(session.context, upload, step, detail);
    raise_delivery(session.context, "delivery_" + std::string(disbursement::to_string(step)), upload.row.file_name,
                   detail);
    session.runner.failed(upload.row.name + ": " + detail);
}

std::string shown(const RemoteFile& file) {
    return std::to_string(file.size) + " bytes" +
           (file.sha256.empty() ? ", which may not be read back" : ", SHA-256 " + file.sha256);
}

void conflict(ServerSession& session, const Upload& upload, const RemoteFile& found) {
    record_for_person(session, upload, DeliveryStep::conflict,
                      session.server + " has a file " + upload.row.name + " that is not ours: " + shown(found) +
                          ", ours has " + shown(upload.wanted) + ": nothing was written over it; ask the bank");
}

void uncertain(ServerSession& session, const Upload& upload, const std::string& why) {
    record_for_person(session, upload, DeliveryStep::uncertain,
                      why + ": the bank may have taken the file. Ask whether it has " + upload.row.name + " (SHA-256 " +
                          upload.row.sha256 + "); it is not sent again by itself");
}

// Opens the session where none is open. False: the server cannot be talked to.
asio::awaitable<bool> open(ServerSession& session, const Upload& upload) {
    if (session.sftp) co_return !session.over;
    Context& context = session.context;
    session.sftp = std::make_shared<SftpSession>(session.options);
    context.transfer_worker->uses(session.sftp);
    std::function<Result<void>(SftpSession&)> question = [](SftpSession& sftp) { return sftp.open(); };
    const auto opened = co_await run_on_server(session, std::move(question));
    if (opened) {
        context.transfer_worker->succeeded(session.server);
        context.ledger.transaction([&] {
            ledger::close_exceptions_of_subject(context.ledger, session.server, "the server answers", context.stamp());
        });
        session.over = co_await shows_unknown_file(session);
        co_return !session.over;
    }
    session.over = true;
    const Error& error = opened.error();
    if (error.code == ErrorCode::cancelled) co_return false;
    record(context, upload, DeliveryStep::unreachable, error.message);
    session.runner.failed(error.message);
    const int failures =
        context.transfer_worker->failed(session.server, context.clock.now(), context.settings.delivery_retry_base);
    if (error.code == ErrorCode::protocol) {
        raise_delivery(context, "delivery_host_key", session.server, error.message);
    } else if (error.code == ErrorCode::unauthorized || error.code == ErrorCode::invalid_input) {
        raise_delivery(context, "delivery_login_refused", session.server, error.message);
    } else if (failures >= failures_before_exception) {
        raise_delivery(context, "delivery_failing", session.server,
                       error.message + ": it is tried again, ever more rarely");
    }
    co_return false;
}

enum class Next { rename, nothing };

// Of an upload that may have been renamed: what the server shows decides.
asio::awaitable<Next> look_again(ServerSession& session, Upload& upload) {
    std::function<Result<BothNames>(SftpSession&)> question = [temporary = upload.temporary_name,
                                                               name = upload.row.name](SftpSession& sftp) {
        return look_at_both(sftp, temporary, name);
    };
    const auto found = co_await run_on_server(session, std::move(question));
    if (!found) {
        record_failure(session, upload, DeliveryStep::unreachable, found.error());
        co_return Next::nothing;
    }
    switch (disbursement::after_upload(found->temporary, found->final_, upload.wanted)) {
        case DeliveryVerdict::rename: co_return Next::rename;
        case DeliveryVerdict::delivered:
            record(session.context, upload, DeliveryStep::delivered,
                   "the server shows it under its name: " + shown(*found->final_));
            crash_point("deliver.result_committed");
            break;
        case DeliveryVerdict::upload:
        case DeliveryVerdict::upload_again:
            record_failure(session, upload, DeliveryStep::damaged,
                           {ErrorCode::conflict, "what was uploaded as " + upload.temporary_name +
                                                     " is not whole any more: " + shown(*found->temporary)});
            break;
        case DeliveryVerdict::conflict: conflict(session, upload, *found->final_); break;
        case DeliveryVerdict::uncertain:
            uncertain(
                session, upload,
                session.server + " shows " + upload.row.name + " neither under its name nor as " + upload.temporary_name);
            break;
    }
    co_return Next::nothing;
}

// Is the upload whole? Records what it is.
Next judge_sent(ServerSession& session, const Upload& upload, const Sent& sent) {
    if (sent.uploaded.sha256 != upload.row.sha256) {
        record_failure(session, upload, DeliveryStep::failed,
                       {ErrorCode::conflict, "the file in outgoing/ changed while it was sent"});
        return Next::nothing;
    }
    if (!sent.there) {
        uncertain(session, upload,
                  session.server + " took the whole upload and shows it no more, not even as " + upload.temporary_name);
        return Next::nothing;
    }
    const bool read_back = !sent.there->sha256.empty();
    if (sent.there->size != upload.wanted.size || (read_back && sent.there->sha256 != upload.row.sha256)) {
        record_failure(session, upload, DeliveryStep::failed,
                       {ErrorCode::conflict, "what arrived as " + upload.temporary_name + " is " + shown(*sent.there) +
                                                 ", which is not the file"});
        return Next::nothing;
    }
    record(session.context, upload, DeliveryStep::uploaded,
           std::to_string(sent.there->size) + (read_back ? " bytes, read back and the same" : " bytes by its size"));
    return Next::rename;
}

asio::awaitable<Next> send_it(ServerSession& session, Upload& upload) {
    Context& context = session.context;
    // Before the intent: what cannot be marked has not begun, and can still be voided.
    const auto markable = co_await record_high_water_mark(context);
    if (!markable) {
        record_failure(session, upload, DeliveryStep::unreachable, markable.error());
        co_return Next::nothing;
    }
    const std::string leftover =
        std::exchange(upload.temporary_name, disbursement::temporary_name(upload.row.name, upload.state.uploads + 1));
    upload.state.server = session.server;
    record(context, upload, DeliveryStep::intent, "");
    const auto marked = co_await record_high_water_mark(context);
    if (!marked) {
        record_failure(session, upload, DeliveryStep::failed, marked.error());
        co_return Next::nothing;
    }
    crash_point("deliver.intent_committed");
    std::function<Result<Sent>(SftpSession&)> question =
        [local = context.spool.outgoing_path(upload.row.name), leftover,
         temporary = upload.temporary_name](SftpSession& sftp) { return send(sftp, local, leftover, temporary); };
    const auto sent = co_await run_on_server(session, std::move(question));
    if (!sent) {
        record_failure(session, upload, DeliveryStep::failed, sent.error());
        co_return Next::nothing;
    }
    crash_point("deliver.uploaded");
    const Next next = judge_sent(session, upload, *sent);
    if (next == Next::nothing) co_return next;
    const auto known = co_await record_high_water_mark(context);
    if (!known) {
        session.runner.failed(upload.row.name + " waits under its temporary name: " + known.error().message);
        co_return Next::nothing;
    }
    crash_point("deliver.uploaded_committed");
    co_return next;
}

// Before the first upload the file is asked again whether it may go: nothing of it has left yet.
asio::awaitable<bool> may_be_begun(ServerSession& session, const Upload& upload) {
    if (upload.state.uploads > 0) co_return true;
    const auto checked = co_await check_before_upload(session.context, upload.row.file_name);
    if (checked) co_return true;
    if (checked.error().code == ErrorCode::unavailable) {
        record_failure(session, upload, DeliveryStep::unreachable, checked.error());
    } else {
        session.context.transfer_worker->failed(upload.row.name, session.context.clock.now(),
                                     session.context.settings.delivery_retry_base);
        session.runner.failed(checked.error());
    }
    co_return false;
}

// Of a file of which no upload may have been renamed.
asio::awaitable<Next> look_and_send(ServerSession& session, Upload& upload) {
    std::function<Looked(SftpSession&)> question = [name = upload.row.name](SftpSession& sftp) {
        return look(sftp, name);
    };
    const auto there = co_await run_on_server(session, std::move(question));
    if (!there) {
        record_failure(session, upload, DeliveryStep::unreachable, there.error());
        co_return Next::nothing;
    }
    const auto verdict = disbursement::before_upload(*there, upload.wanted);
    if (verdict == DeliveryVerdict::delivered) {
        record(session.context, upload, DeliveryStep::delivered,
               "the server had it already, byte for byte: " + shown(**there));
        crash_point("deliver.result_committed");
        co_return Next::nothing;
    }
    if (verdict != DeliveryVerdict::upload) {
        conflict(session, upload, **there);
        co_return Next::nothing;
    }
    if (must_stop(session.context)) co_return Next::nothing;
    const bool may_begin = co_await may_be_begun(session, upload);
    if (!may_begin || must_stop(session.context)) co_return Next::nothing;
    co_return co_await send_it(session, upload);
}

asio::awaitable<void> rename(ServerSession& session, Upload& upload) {
    std::function<Result<void>(SftpSession&)> question =
        [from = upload.temporary_name, to = upload.row.name](SftpSession& sftp) { return sftp.rename(from, to); };
    const auto renamed = co_await run_on_server(session, std::move(question));
    if (renamed) {
        crash_point("deliver.renamed");
        record(session.context, upload, DeliveryStep::delivered, "renamed to " + upload.row.name + ", the server agreed");
        crash_point("deliver.result_committed");
        co_return;
    }
    if (renamed.error().code == ErrorCode::outcome_unknown) {
        record_failure(session, upload, DeliveryStep::unknown, renamed.error());
        co_return;
    }
    record_failure(session, upload, DeliveryStep::refused, renamed.error());
    if (session.over) co_return;
    // A file in the way, or the upload gone: what it is shows at once.
    static_cast<void>(co_await look_again(session, upload));
}

// The file in outgoing/ as it must be before it is sent. A case otherwise.
bool is_at_hand(ServerSession& session, Upload& upload) {
    Context& context = session.context;
    const auto size = context.spool.outgoing_size(upload.row.name);
    if (!size) {
        raise_delivery(context, "outgoing_file_missing", upload.row.file_name,
                       "someone took " + upload.row.name +
                           " out of spool/outgoing before it was delivered: put it "
                           "back; or, when it is sure that the bank has it, settle this with --by-hand");
        return false;
    }
    upload.wanted.size = *size;
    if (context.spool.outgoing_sha256(upload.row.name) == upload.row.sha256) return true;
    raise_delivery(context, "outgoing_file_changed", upload.row.file_name,
                   upload.row.name +
                       " in spool/outgoing is not the file that was released (its SHA-256 differs): it "
                       "is not sent; find out who changed it and put the right bytes back");
    return false;
}

bool may_be_asked(ServerSession& session, const Upload& upload) {
    if (upload.state.server == session.server) return true;
    raise_delivery(session.context, "delivery_server_changed", upload.row.file_name,
                   upload.row.name + " may have arrived at " + upload.state.server + "; configured is now " +
                       session.server +
                       ": it is sent to no second server. Configure the first again until it is settled, "
                       "or settle this with --by-hand when that bank has it");
    return false;
}

void note_obstacle(ServerSession& session, const Upload& upload) {
    Context& context = session.context;
    context.transfer_worker->failed(upload.row.name, context.clock.now(), context.settings.delivery_retry_base);
    session.runner.failed(upload.row.name + " is not delivered: see its exception");
}

// Says whose upload is under way, as long as it is.
class InHand {
  public:
    InHand(TransferWorker& transfer_worker, ledger::FileId file_id) : transfer_worker_(transfer_worker) { transfer_worker_.file_in_hand = file_id; }
    InHand(const InHand&) = delete;
    InHand& operator=(const InHand&) = delete;
    ~InHand() { transfer_worker_.file_in_hand.reset(); }

  private:
    TransferWorker& transfer_worker_;
};

}  // namespace

asio::awaitable<void> deliver_file(ServerSession& session, ledger::DeliveryRow row) {
    Upload upload;
    upload.state = disbursement::delivery_state(ledger::delivery_steps(session.context.ledger, row.file_id));
    upload.wanted = {.size = upload.state.size_bytes.value_or(0), .sha256 = row.sha256};
    upload.temporary_name = upload.state.temporary_name;
    upload.row = std::move(row);
    const bool in_doubt = upload.state.phase == DeliveryPhase::unconfirmed;
    const bool possible = in_doubt ? may_be_asked(session, upload) : is_at_hand(session, upload);
    if (!possible) {
        note_obstacle(session, upload);
        co_return;
    }
    const InHand hand(*session.context.transfer_worker, upload.row.file_id);
    const bool opened = co_await open(session, upload);
    if (!opened) co_return;
    Next next = Next::nothing;
    if (in_doubt) {
        next = co_await look_again(session, upload);
    } else {
        next = co_await look_and_send(session, upload);
    }
    if (next == Next::nothing || must_stop(session.context)) co_return;
    co_await rename(session, upload);
}

}  // namespace drawbridge::pipeline
