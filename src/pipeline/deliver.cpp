#include "drawbridge/pipeline/deliver.hpp"

#include <algorithm>
#include <utility>

#include "drawbridge/delivery/openpgp.hpp"
#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/domain/digest.hpp"
#include "drawbridge/domain/elapsed.hpp"
#include "drawbridge/ledger/facts/evidence.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "raise_about.hpp"
#include "release.hpp"
#include "upload.hpp"

namespace drawbridge::pipeline {
namespace {

using disbursement::DeliveryPhase;
using disbursement::Rail;
using ledger::DeliveryRow;
using ledger::FileRow;

// After this long, a run begins no other file: the other steps get their turn, whatever the server answers.
constexpr std::chrono::minutes longest_run{5};

struct DeliverTally {
    std::chrono::nanoseconds began;
    std::int64_t encrypted = 0, delivered = 0;
};

// Backoff names for the transfer worker.
std::string encryption_of(const FileRow& file) {
    return "encryption of " + file.name;
}

std::string archiving_of(const DeliveryRow& row) {
    return "archiving of " + row.file_name;
}

std::string not_configured(Rail rail) {
    return "no server for " + std::string(disbursement::to_string(rail));
}

// --- encryption

void back_off(Context& context, StepRunner& runner, const FileRow& file, const std::string& problem) {
    context.transfer_worker->failed(encryption_of(file), context.clock.now(), context.settings.delivery_retry_base);
    runner.failed(problem);
}

void encryption_failed(Context& context, StepRunner& runner, const FileRow& file, std::string_view reason_code,
                       const std::string& detail) {
    raise_delivery(context, reason_code, file.name, detail);
    delay_order(context, file, waits_for_encryption, detail);
    back_off(context, runner, file, file.name + " is not encrypted: " + detail);
}

asio::awaitable<Result<std::string>> encrypt(Context& context, delivery::OpenPgpOptions options, std::string name,
                                             std::string text) {
    std::function<Result<std::string>()> work = [options = std::move(options), name = std::move(name),
                                                 text = std::move(text)] {
        return delivery::encrypt(options, name, text);
    };
    std::function<void()> tick = [&context] { context.progress("deliver", 0, 0); };
    co_return co_await context.transfer_worker->call(std::move(work), std::move(tick));
}

// A file is encrypted once. Once the ledger has the hash of the encrypted bytes, only these bytes go out.
Result<ledger::Encryption> store_encrypted(Context& context, const FileRow& file,
                                           const delivery::OpenPgpOptions& options, const std::string& cipher) {
    ledger::Encryption encryption;
    encryption.name = file.name + options.name_suffix;
    encryption.fingerprint = options.fingerprint;
    encryption.size_bytes = static_cast<std::int64_t>(cipher.size());
    auto sha256 = context.spool.write_staged(encryption.name, cipher);
    if (!sha256) return std::unexpected(sha256.error());
    crash_point("deliver.encrypted_written");
    encryption.sha256 = std::move(*sha256);
    return encryption;
}

// The plain bytes, unchanged since planning. Otherwise raises an exception.
std::optional<std::string> read_plain(Context& context, StepRunner& runner, const FileRow& file) {
    auto text = context.spool.read_staged(file.name);
    if (text && sha256_hex(*text) == file.sha256) return std::move(*text);
    encryption_failed(
        context, runner, file, text ? "staged_file_changed" : "staged_file_missing",
        "the file in spool/staged is missing or is not the one that was released: restore the released file");
    return std::nullopt;
}

asio::awaitable<void> encrypt_file(Context& context, StepRunner& runner, FileRow file, DeliverTally& tally) {
    const auto ready = co_await prepare_release(context, file.name);
    if (!ready) co_return back_off(context, runner, file, ready.error().message);
    if (!*ready) co_return;
    const auto options = target_of(context.settings, file.rail).openpgp;
    if (!options) {
        encryption_failed(context, runner, file, "encryption_failed",
                          "delivery.openpgp was configured when its release was ordered and no longer is: the file is "
                          "not sent unencrypted: configure the bank's key again");
        co_return;
    }
    auto text = read_plain(context, runner, file);
    if (!text) co_return;
    const auto cipher = co_await encrypt(context, *options, file.name, std::move(*text));
    file = *ledger::find_file(context.ledger, file.name);
    if (!file.order || must_stop(context)) co_return;  // voided, or movement paused, in the meantime
    if (!cipher) {
        encryption_failed(context, runner, file, "encryption_failed",
                          cipher.error().message + ": nothing was sent; encryption is retried");
        co_return;
    }
    auto encryption = store_encrypted(context, file, *options, *cipher);
    if (!encryption) {
        encryption_failed(context, runner, file, "encryption_failed", encryption.error().message);
        co_return;
    }
    std::optional<ledger::Encryption> made = *std::move(encryption);
    const auto moved = co_await move_out(context, file.name, std::move(made));
    if (!moved) co_return back_off(context, runner, file, moved.error().message);
    context.transfer_worker->succeeded(encryption_of(file));
    ++tally.encrypted;
}

bool may_encrypt(Context& context, const FileRow& file) {
    return !is_order_backing_off(context, file) &&
           !context.transfer_worker->is_backing_off(encryption_of(file), context.clock.now());
}

asio::awaitable<void> encrypt_files(Context& context, StepRunner& runner, DeliverTally& tally) {
    for (const auto& file : ledger::files_to_encrypt(context.ledger)) {
        if (must_stop(context) || !may_encrypt(context, file)) continue;
        auto now = *ledger::find_file(context.ledger, file.name);
        co_await encrypt_file(context, runner, std::move(now), tally);
    }
}

// --- upload

bool is_due(Context& context, const DeliveryRow& row) {
    const auto now = context.clock.now();
    const auto& sftp = target_of(context.settings, row.rail).sftp;
    const auto& transfer_worker = *context.transfer_worker;
    if (transfer_worker.is_backing_off(row.name, now) ||
        transfer_worker.is_backing_off(sftp ? address(*sftp) : not_configured(row.rail), now)) {
        return false;
    }
    const auto state = disbursement::delivery_state(ledger::delivery_steps(context.ledger, row.file_id));
    return state.phase != DeliveryPhase::needs_person && state.phase != DeliveryPhase::delivered &&
           has_elapsed(state.since, disbursement::delivery_wait(state.failures, context.settings.delivery_retry_base),
                       now);
}

bool can_be_archived(Context& context, const DeliveryRow& row) {
    return row.delivered_at && !context.transfer_worker->is_backing_off(archiving_of(row), context.clock.now());
}

// After delivery the copy leaves outgoing/, so that nobody mistakes it for a file still to be sent.
void archive_copy(Context& context, StepRunner& runner, const DeliveryRow& row) {
    const auto date = context.settings.plan.zone.date_of(*row.delivered_at);
    const auto path = context.spool.archive_payment_file(spool::Place::outgoing, row.name, date);
    if (!path) {
        raise_delivery(context, "archive_conflict", row.file_name,
                       "the bank has the file; its copy in spool/outgoing cannot be archived: " + path.error().message);
        context.transfer_worker->failed(archiving_of(row), context.clock.now(), context.settings.delivery_retry_base);
        return runner.failed(path.error());
    }
    crash_point("deliver.archived");
    context.ledger.transaction([&] {
        ledger::record_archived(context.ledger, row.file_id, path->value_or("").string(), context.stamp());
        ledger::close_exceptions_of_subject(context.ledger, row.file_name, "its copy is archived", context.stamp());
    });
}

void raise_not_configured(Context& context, StepRunner& runner, const DeliveryRow& row) {
    raise_delivery(context, "delivery_not_configured", row.file_name,
                   row.name +
                       " was released for SFTP, and no server is configured for it now: configure "
                       "delivery.sftp again, or take it to the bank yourself and run 'drawbridge deliver NAME "
                       "--by-hand --reason …'");
    context.transfer_worker->failed(not_configured(row.rail), context.clock.now(),
                                    context.settings.delivery_retry_base);
    runner.failed(row.name + " is not delivered: no server is configured");
}

asio::awaitable<void> deliver_rail(Context& context, StepRunner& runner, Rail rail, DeliverTally& tally) {
    std::optional<ServerSession> session;
    const auto& sftp = target_of(context.settings, rail).sftp;
    if (sftp) session.emplace(context, runner, *sftp, address(*sftp));
    for (auto row : ledger::open_deliveries(context.ledger)) {
        if (row.rail != rail) continue;
        // A person may have resolved or voided it in the meantime.
        row = *ledger::find_delivery(context.ledger, row.file_id);
        if (ledger::find_file(context.ledger, row.file_name)->voided_at) continue;
        const bool is_time = context.clock.elapsed() - tally.began < longest_run;
        if (!row.delivered_at && is_time && !must_stop(context) && is_due(context, row)) {
            if (!session) {
                raise_not_configured(context, runner, row);
            } else if (!session->finished) {
                co_await deliver_file(*session, row);
                row = *ledger::find_delivery(context.ledger, row.file_id);
                if (row.delivered_at) ++tally.delivered;
            }
        }
        if (can_be_archived(context, row)) archive_copy(context, runner, row);
    }
}

bool failed_last(Context& context) {
    const auto last = ledger::last_run(context.ledger, Step::deliver);
    return last && !last->ok;
}

std::string summarize(Context& context, const DeliverTally& tally) {
    std::string text = counted(tally.delivered, "file") + " delivered";
    if (tally.encrypted > 0) text += ", " + counted(tally.encrypted, "file") + " encrypted";
    if (const auto waiting = ledger::undelivered(context.ledger).count; waiting > 0) {
        text += ", " + counted(waiting, "file") + " not delivered";
    }
    return text;
}

// Whether an upload that may have arrived is not about to be renamed, so that a person's word about it stays true.
bool stands_still(Context& context, const DeliveryRow& row, const disbursement::DeliveryState& state) {
    const auto is_open = [&](std::string_view subject, std::string_view reason_code) {
        return ledger::has_open_exception(context.ledger, subject, reason_code);
    };
    return ledger::is_paused(context.ledger) || is_open(row.file_name, "delivery_failing") ||
           is_open(row.file_name, "delivery_server_changed") || is_open(state.server, "delivery_failing");
}

// That the bank does not have the file. Of an upload that began, only a person can say so; the file can then be voided.
Result<void> may_say_again(Context& context, const DeliveryRow& row) {
    const auto state = disbursement::delivery_state(ledger::delivery_steps(context.ledger, row.file_id));
    const bool has_begun =
        state.uploads > 0 && (state.phase == DeliveryPhase::waiting || state.phase == DeliveryPhase::uploading);
    const bool is_stuck = state.phase == DeliveryPhase::unconfirmed && stands_still(context, row, state);
    if (state.phase != DeliveryPhase::needs_person && !has_begun && !is_stuck) {
        return fail(ErrorCode::conflict, row.file_name + " is not uncertain: it is delivered automatically (" +
                                             std::string(disbursement::to_string(state.phase)) +
                                             "): to stop that, run 'drawbridge pause --reason …' first");
    }
    if (ledger::is_any_settled(context.ledger, row.file_id)) {
        return fail(ErrorCode::conflict, row.file_name +
                                             ": the bank has it, since it confirmed or returned payments of it: use "
                                             "--by-hand");
    }
    if (const auto exception = ledger::acknowledged_unsent(context.ledger, row.file_id)) {
        return fail(ErrorCode::conflict, row.file_name + ": the bank acknowledges it (exception " +
                                             std::to_string(*exception) +
                                             "): ask the bank; if it has the file, use --by-hand, else resolve that "
                                             "exception first");
    }
    return {};
}

// What a person says of a file.
disbursement::DeliveryFact said(disbursement::DeliveryStep step, std::string detail, const ledger::Stamp& stamp) {
    return {.step = step,
            .at = stamp.at,
            .by = stamp.actor,
            .uid = stamp.uid,
            .evidence = disbursement::EvidenceKind::by_hand,
            .detail = std::move(detail)};
}

Result<void> record_resolution(Context& context, const DeliveryRow& row, DeliveryResolution how,
                               std::string_view reason, const ledger::Stamp& stamp) {
    if (how == DeliveryResolution::again) {
        if (auto may = may_say_again(context, row); !may) return may;
    }
    const auto fact =
        how == DeliveryResolution::again
            ? said(disbursement::DeliveryStep::again, "the bank does not have it: " + std::string(reason), stamp)
            : said(disbursement::DeliveryStep::delivered, "by hand: " + std::string(reason), stamp);
    context.ledger.transaction([&] {
        ledger::record_delivery_step(context.ledger, row.file_id, fact);
        ledger::close_exceptions_of_subject(context.ledger, row.file_name, fact.detail, stamp);
    });
    context.transfer_worker->succeeded(row.name);
    return {};
}

// For a file in outgoing/, or once there: that it is gone proves nothing.
Result<void> record_by_hand(Context& context, const ledger::FileRow& file, DeliveryResolution how,
                            std::string_view reason, const ledger::Stamp& stamp) {
    if (how == DeliveryResolution::again) {
        return fail(ErrorCode::conflict,
                    file.name + " does not go by SFTP and is not uploaded: take it to the bank from outgoing/");
    }
    if (const auto known = ledger::evidence_of(context.ledger, file.file_id); !known.empty()) {
        return fail(ErrorCode::conflict, file.name + " is at the bank, recorded by " + known.front().by + " at " +
                                             format_instant(known.front().at) + ": there is nothing to do");
    }
    context.ledger.transaction([&] {
        ledger::record_evidence(context.ledger, file.file_id, disbursement::EvidenceKind::by_hand, reason, stamp);
        ledger::close_exceptions_of_subject(context.ledger, file.name, "by hand: " + std::string(reason), stamp);
    });
    return {};
}

// The bank has a file that this ledger has as not released: it went out before the ledger was restored, or somebody
// took it while it was being moved. Whoever says so lets it count as released, so that takes the person who could
// release it.
Result<void> record_found_at_bank(Context& context, const ledger::FileRow& file, DeliveryResolution how,
                                  std::string_view reason, const ledger::Stamp& stamp) {
    auto& ledger = context.ledger;
    const auto restoration = ledger::may_have_left_before(ledger, file.file_id);
    const bool is_ordered = file.state == ledger::FileState::releasing;
    const bool may_have_left = restoration ? file.staged_at.has_value() : is_ordered && !is_still_here(context, file);
    if (how == DeliveryResolution::again || file.voided_at || !may_have_left)
        return fail(ErrorCode::conflict, file.name + " is not released: nothing was sent");
    if (ledger::open_restoration(ledger))
        return fail(ErrorCode::conflict,
                    file.name + ": the ledger was restored: first end that with 'drawbridge resume --reason …'");
    if (auto may = ledger::check_may_release(ledger, file, stamp); !may) return may;
    const std::string why = "the bank has it, " +
                            std::string(restoration ? "and it went out before the ledger was restored"
                                                    : "and Drawbridge did not move it to spool/outgoing") +
                            ": " + std::string(reason);
    ledger.transaction([&] {
        if (is_ordered) {
            ledger::record_released(ledger, file.file_id, stamp);
        } else {
            // It may have left at any time since.
            ledger::record_released_before(ledger, *restoration, file,
                                           {file.name, file.sha256, std::nullopt, "", std::nullopt, ""},
                                           {*file.staged_at, stamp.actor, why}, stamp);
        }
        const auto delivery = ledger::find_delivery(ledger, file.file_id);
        if (delivery && delivery->method.by_sftp) {
            ledger::record_delivery_step(ledger, file.file_id, said(disbursement::DeliveryStep::delivered, why, stamp));
        } else {
            ledger::record_evidence(ledger, file.file_id, disbursement::EvidenceKind::by_hand, why, stamp);
        }
        ledger::close_exceptions_of_subject(ledger, file.name, why, stamp);
    });
    context.spool.remove_staged(file.name);
    return {};
}

}  // namespace

void raise_delivery(Context& context, std::string_view reason_code, const std::string& subject,
                    const std::string& detail) {
    raise_about(context, Step::pay, subject, reason_code, detail);
}

bool must_stop(Context& context) {
    return context.transfer_worker->stopping() || ledger::is_paused(context.ledger);
}

ledger::DeliveryMethod delivery_method(const Settings& settings, Rail rail) {
    const auto& target = target_of(settings, rail);
    return {.by_sftp = target.sftp.has_value(), .encrypted = target.openpgp.has_value()};
}

bool delivery_due(Context& context) {
    const auto rows = ledger::open_deliveries(context.ledger);
    if (std::ranges::any_of(rows, [&](const DeliveryRow& row) { return can_be_archived(context, row); })) return true;
    if (must_stop(context)) return false;
    const auto to_encrypt = ledger::files_to_encrypt(context.ledger);
    if (rows.empty() && to_encrypt.empty()) return failed_last(context);
    return std::ranges::any_of(rows,
                               [&](const DeliveryRow& row) { return !row.delivered_at && is_due(context, row); }) ||
           std::ranges::any_of(to_encrypt, [&](const FileRow& file) { return may_encrypt(context, file); });
}

asio::awaitable<StepReport> deliver(Context& context) {
    StepRunner runner(context, Step::deliver);
    DeliverTally tally{.began = context.clock.elapsed()};
    co_await encrypt_files(context, runner, tally);
    co_await deliver_rail(context, runner, Rail::ach, tally);
    co_await deliver_rail(context, runner, Rail::check, tally);
    if (ledger::is_paused(context.ledger)) runner.problem("money movement is paused: nothing is delivered");
    co_return runner.finish(summarize(context, tally));
}

Result<ledger::FileRow> resolve_delivery(Context& context, std::string_view name, DeliveryResolution how,
                                         std::string_view reason, const ledger::Stamp& stamp) {
    const auto file = ledger::find_file(context.ledger, name);
    if (!file) {
        return fail(ErrorCode::not_found, "there is no payment file '" + std::string(name.substr(0, 100)) +
                                              "': 'drawbridge files' lists them");
    }
    if (!file->released_at) {
        if (auto found = record_found_at_bank(context, *file, how, reason, stamp); !found)
            return std::unexpected(found.error());
        return *ledger::find_file(context.ledger, name);
    }
    if (how == DeliveryResolution::again) {
        if (auto may = ledger::check_may_send_again(context.ledger, *file, stamp); !may)
            return std::unexpected(may.error());
    } else {
        const auto draws = ledger::draws_of_check_orders(context.ledger, file->file_id);
        if (auto left = ledger::check_leaves_releaser(context.ledger, draws, stamp); !left)
            return std::unexpected(left.error());
    }
    const auto row = ledger::find_delivery(context.ledger, file->file_id);
    if (!row || !row->method.by_sftp) {
        if (auto recorded = record_by_hand(context, *file, how, reason, stamp); !recorded)
            return std::unexpected(recorded.error());
        return *file;
    }
    if (file->voided_at) return fail(ErrorCode::conflict, file->name + " was voided by " + file->voided_by);
    if (row->delivered_at) {
        return fail(ErrorCode::conflict, file->name + " was delivered at " + format_instant(*row->delivered_at));
    }
    if (context.transfer_worker->uploading_file == file->file_id) {
        return fail(ErrorCode::conflict,
                    file->name + " is being uploaded: wait, or run 'drawbridge pause --reason …' first");
    }
    if (auto recorded = record_resolution(context, *row, how, reason, stamp); !recorded)
        return std::unexpected(recorded.error());
    return *ledger::find_file(context.ledger, name);
}

}  // namespace drawbridge::pipeline
