#include "release.hpp"

#include <algorithm>
#include <utility>

#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/domain/digest.hpp"
#include "drawbridge/domain/elapsed.hpp"
#include "drawbridge/ledger/facts/arrivals.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/exports.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/release_orders.hpp"
#include "drawbridge/ledger/facts/restorations.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/store/engine.hpp"
#include "drawbridge/ledger/store/lease.hpp"
#include "drawbridge/pipeline/deliver.hpp"
#include "drawbridge/pipeline/forecast.hpp"
#include "drawbridge/pipeline/high_water.hpp"
#include "drawbridge/pipeline/let_others_run.hpp"
#include "drawbridge/pipeline/payment_files.hpp"
#include "release_checks.hpp"
#include "release_limit.hpp"
#include "step_runner.hpp"

namespace drawbridge::pipeline {
namespace {

namespace asio = boost::asio;

using ledger::FileRow;
using ledger::FileState;
using ledger::ReleaseOutcome;

ledger::Stamp own_stamp(const Context& context) {
    return {context.clock.now(), std::string(daemon_actor)};
}

FileRow reload(Context& context, const std::string& name) {
    return *ledger::find_file(context.ledger, name);
}

bool may_move(Context& context, const FileRow& file) {
    return file.order && (file.state == FileState::staged || file.state == FileState::releasing) &&
           !ledger::is_paused(context.ledger) && !ledger::open_restoration(context.ledger);
}

std::string what_to_do(const FileRow& file, std::string_view reason_code) {
    if (reason_code == settlement_date_passed || reason_code == "planned_in_future")
        return ": void the file; the next run pays its draws with a new date";
    if (reason_code == possibly_sent)
        return ": ask the bank whether it has the file: if it does, 'drawbridge deliver " + file.name +
               " --by-hand --reason …'; if not, void it: its draws stay held as possibly_paid until somebody resolves "
               "that";
    if (reason_code == "paying_account_changed")
        return ": void the file; the next run pays its draws from the configured account";
    if (reason_code != "draws_changed") return "";
    return file.kind == disbursement::FileKind::payments
               ? ": void the file; its draws that are still valid are paid in the next one; or have the draw corrected "
                 "and release the file again"
               : ": void the file; its orders that are still valid are in the next one";
}

// What can be checked without the draws.
asio::awaitable<std::optional<ReleaseFault>> fault_in_itself(Context& context, FileRow file) {
    if (auto fault = fault_in_bytes(context, file)) co_return fault;
    co_await let_others_run();  // the whole file was read
    co_return fault_in_plan(context, file);
}

asio::awaitable<std::optional<ReleaseFault>> fault_in(Context& context, FileRow file) {
    if (auto fault = co_await fault_in_itself(context, file)) co_return fault;
    co_return co_await fault_in_draws(context, std::move(file));
}

// Raises an exception and ends an order that waited. A file that is being moved keeps its order: it leaves once the
// fault is fixed, unless it is voided.
std::unexpected<Error> refuse(Context& context, const FileRow& file, const ReleaseFault& fault) {
    const std::string detail = "it is not released: " + fault.detail + what_to_do(file, fault.reason_code);
    const auto outcome = fault.reason_code == settlement_date_passed ? ReleaseOutcome::lapsed : ReleaseOutcome::refused;
    if (file.order && file.state == FileState::staged) {
        context.ledger.transaction(
            [&] { ledger::end_release_order(context.ledger, file.file_id, outcome, detail, own_stamp(context)); });
    }
    return refuse_file(context, file, fault.reason_code, detail);
}

// Appended to what the service answers about a draw that cannot be read.
constexpr std::string_view if_unreadable =
    ": void the file; its other draws are paid in the next one; or have the draw checked in the Draws Service; then "
    "the file leaves automatically";

// The service answers polls, but a draw of the file cannot be read for so long that a person must know.
void raise_long_wait(Context& context, const FileRow& file, const Error& error) {
    constexpr std::chrono::minutes max_unreported_wait{15};
    const auto& order = *file.order;
    if (order.waits_for != waits_for_service || ledger::failed_runs_in_a_row(context.ledger, Step::poll) > 0 ||
        !has_elapsed(*order.waits_since, max_unreported_wait, context.clock.now())) {
        return;
    }
    static_cast<void>(refuse_file(context, file, "release_waits",
                                  "its release has waited since " + format_instant(*order.waits_since) + ": " +
                                      error.message + std::string(if_unreadable)));
}

// The file that goes out: the payment file or its encrypted form.
struct OutgoingFile {
    std::string name, sha256;
    bool encrypted = false;
};

// nullopt: it must be encrypted first.
std::optional<OutgoingFile> outgoing_file(Context& context, const FileRow& file) {
    const auto delivery = ledger::find_delivery(context.ledger, file.file_id);
    if (delivery && delivery->encryption) return OutgoingFile{delivery->name, delivery->sha256, true};
    const bool must_be_encrypted =
        (delivery && delivery->method.encrypted) || (file.order && file.order->method.encrypted);
    if (must_be_encrypted) return std::nullopt;
    return OutgoingFile{file.name, file.sha256, false};
}

// The manifest, outside the ledger, names the file before the bank can have it.
void write_manifest(Context& context, const FileRow& file, ledger::ExportedPayments& payments,
                    spool::Spool::WrittenBefore before) {
    const auto line = ledger::export_line(context.ledger, file.file_id, payments);
    if (line) context.spool.add_manifest_line(context.settings.plan.zone.date_of(line->at), line->text, before);
}

bool is_in_manifest(Context& context, const FileRow& file) {
    const auto line = ledger::export_line(context.ledger, file.file_id);
    return line && context.spool.is_in_manifest(line->text);
}

Result<void> record_left(Context& context, const FileRow& file, const OutgoingFile& what) {
    if (what.encrypted) {
        const auto date = context.settings.plan.zone.date_of(*file.release_ordered_at);
        const auto archived = context.spool.archive_payment_file(spool::Place::staged, file.name, date);
        if (!archived) return std::unexpected(archived.error());
    }
    context.ledger.transaction([&] {
        ledger::record_released(context.ledger, file.file_id, own_stamp(context));
        ledger::close_exceptions_of_subject(context.ledger, file.name, "the file is released", own_stamp(context));
    });
    context.memory.faultless.erase(file.file_id);
    crash_point("pay.released_committed");
    return {};
}

// The state is releasing and the file is no longer in spool/staged: the rename has happened. The file is never made
// again.
Result<void> finish_rename(Context& context, const FileRow& file, const OutgoingFile& what) {
    if (context.spool.outgoing_sha256(what.name) == what.sha256 || is_in_manifest(context, file))
        return record_left(context, file, what);
    if (const auto fault = fault_since_restore(context, file)) return refuse(context, file, *fault);
    return refuse_file(
        context, file, "staged_file_missing",
        what.name + " is not in spool/staged, and no manifest shows that it was released: " + what_to_do_if_gone(file));
}

// Who ordered the release may have become a maker, been locked, or lost the role or the passkey since.
std::optional<ReleaseFault> fault_in_orderer(Context& context, const FileRow& file) {
    auto may = ledger::check_orderer_may_still(context.ledger, file);
    if (may) return std::nullopt;
    return ReleaseFault{"release_not_allowed", std::move(may.error().message)};
}

// What an order rests on: the clock, and for the daemon's own, the configuration. An order that has begun to move the
// file does not end, so another needs another file.
std::optional<ReleaseFault> fault_in_order(Context& context, const FileRow& file) {
    if (auto fault = fault_in_orderer(context, file)) return fault;
    const bool has_begun = file.state == FileState::releasing;
    const auto& ordered = file.order->ordered;
    if (is_from_clock_ahead(ordered.at, context.clock.now())) {
        return ReleaseFault{"release_not_allowed",
                            "its release was ordered at " + format_instant(ordered.at) +
                                ", while this machine's clock was ahead: " +
                                (has_begun ? "void it, and release the next" : "release it again")};
    }
    if (ordered.actor != daemon_actor) return std::nullopt;
    const std::string by_person =
        has_begun ? ": void it, and have a person release the next" : ": a person must release it";
    if (const auto why = why_none_is_automatic(context)) return ReleaseFault{"release_not_allowed", *why + by_person};
    if (const auto over = over_release_limit(context, file))
        return ReleaseFault{"release_not_allowed", "over pay.release_limit now: " + *over + by_person};
    return std::nullopt;
}

// Repeats every check on what the ledger knows now. True: the file may leave. False: it may not, by what people did
// meanwhile.
asio::awaitable<Result<bool>> check_again(Context& context, std::string name, std::vector<std::string> unreadable) {
    const auto fault = co_await fault_in(context, reload(context, name));
    const auto file = reload(context, name);
    if (!may_move(context, file)) co_return Result<bool>(false);
    if (const auto not_allowed = fault_in_order(context, file)) co_return refuse(context, file, *not_allowed);
    if (!unreadable.empty()) co_return refuse(context, file, {"draws_changed", first_of(unreadable)});
    if (fault) co_return refuse(context, file, *fault);
    co_return Result<bool>(true);
}

// Encrypted bytes cannot be made again on another host.
void store_encrypted_bytes(Context& context, const ledger::Encryption& encryption) {
    if (!ledger::is_in_postgresql(context.ledger)) return;
    const auto bytes = context.spool.read_staged(encryption.name);
    if (bytes && sha256_hex(*bytes) == encryption.sha256)
        ledger::store_bytes(context.ledger, encryption.sha256, *bytes);
}

// The intent: from here on the file is being moved.
Result<void> record_leaving(Context& context, const FileRow& file, const std::optional<ledger::Encryption>& encryption,
                            ledger::ExportedPayments& payments) {
    const auto& order = *file.order;
    const ledger::Stamp stamp{context.clock.now(), order.ordered.actor, order.ordered.uid};
    return context.ledger.transaction([&] {
        Result<void> done;
        if (file.state == FileState::staged) {
            done = ledger::order_release(context.ledger, file, order.reason, stamp, payments);
            if (!done) return done;
            ledger::order_delivery(context.ledger, file.file_id, order.method, stamp);
        }
        if (encryption) ledger::record_encryption(context.ledger, file.file_id, *encryption, own_stamp(context));
        if (encryption) store_encrypted_bytes(context, *encryption);
        return done;
    });
}

}  // namespace

std::unexpected<Error> refuse_file(Context& context, const FileRow& file, std::string_view reason,
                                   const std::string& detail) {
    context.ledger.transaction([&] {
        ledger::raise_exception(context.ledger,
                                {"pay", std::string(reason), std::nullopt, std::nullopt, file.name, detail},
                                own_stamp(context));
    });
    return fail(ErrorCode::conflict, file.name + ": " + detail);
}

// Why a staged file that nobody released can no longer be released.
static std::optional<ReleaseFault> fault_of_waiting(Context& context, const FileRow& file) {
    if (auto fault = fault_since_restore(context, file)) return fault;
    auto missed = missed_settlement(context.ledger, context.settings.plan, file, context.clock.now());
    return missed ? std::optional(ReleaseFault{settlement_date_passed, *std::move(missed)}) : std::nullopt;
}

void raise_overdue_releases(Context& context) {
    if (ledger::open_restoration(context.ledger)) return;  // the files may have left
    for (const auto& file : ledger::payment_files(context.ledger, /*unreleased_only=*/true)) {
        if (file.state != FileState::staged || file.order) continue;
        const auto fault = fault_of_waiting(context, file);
        if (fault && !ledger::had_exception(context.ledger, file.name, fault->reason_code))
            static_cast<void>(refuse(context, file, *fault));
    }
}

std::string what_to_do_if_gone(const FileRow& file) {
    return "find out where it went, and ask the bank: if it has the file, 'drawbridge deliver " + file.name +
           " --by-hand --reason …'; if not, place the same file there again";
}

bool is_still_here(Context& context, const FileRow& file) {
    const auto what = outgoing_file(context, file);
    return !what || context.spool.staged_sha256(what->name) == what->sha256;
}

void delay_order(Context& context, const FileRow& file, std::string_view what, const std::string& detail) {
    context.memory.release_tried[file.file_id] = context.clock.now();
    context.ledger.transaction(
        [&] { ledger::record_release_wait(context.ledger, file, what, detail, own_stamp(context)); });
}

bool is_order_backing_off(const Context& context, const FileRow& file) {
    const auto tried = context.memory.release_tried.find(file.file_id);
    if (tried == context.memory.release_tried.end() || !file.order || !file.order->waits_since) return false;
    if (file.order->waits_for == waits_for_encryption) return false;  // the step `deliver` has a backoff of its own
    constexpr int max_growth = 30;
    const auto base = context.settings.release_retry;
    const auto waited = tried->second - *file.order->waits_since;
    return !has_elapsed(tried->second, std::clamp(waited, base, base * max_growth), context.clock.now());
}

asio::awaitable<Result<void>> order_release(Context& context, std::string name, std::string reason,
                                            ledger::Stamp stamp) {
    auto file = reload(context, name);
    if (auto may = ledger::check_may_order(file); !may) co_return may;
    if (auto may = ledger::check_may_release(context.ledger, file, stamp); !may) co_return may;
    if (!file.order) {
        const auto fault = co_await fault_in(context, file);
        file = reload(context, name);
        if (auto may = ledger::check_may_order(file); !may) co_return may;
        if (fault) co_return refuse(context, file, *fault);
    }
    // How a file is delivered is fixed once: an earlier order that started to move it has decided.
    const auto delivery = ledger::find_delivery(context.ledger, file.file_id);
    const auto method = delivery ? delivery->method : delivery_method(context.settings, file.rail);
    const bool was_faultless = is_faultless(context, file.file_id);
    auto ordered = context.ledger.transaction(
        [&] { return ledger::make_release_order(context.ledger, file, method, reason, stamp); });
    if (!ordered) co_return ordered;
    if (was_faultless) note_faultless(context, file.file_id);  // the order says nothing about the draws
    crash_point("pay.release_ordered");
    co_return ordered;
}

asio::awaitable<Result<bool>> prepare_release(Context& context, std::string name) {
    auto file = reload(context, name);
    if (!may_move(context, file)) co_return Result<bool>(false);
    // This needs no service: an order lapses even during an outage.
    const auto fault = co_await fault_in_itself(context, file);
    file = reload(context, name);
    if (!may_move(context, file)) co_return Result<bool>(false);
    if (const auto not_allowed = fault_in_order(context, file)) co_return refuse(context, file, *not_allowed);
    if (fault) co_return refuse(context, file, *fault);
    const bool takes_calls = context.service.takes_calls();
    const auto unreadable = co_await reread_draws(context, file);
    file = reload(context, name);  // it may be voided or paused by now
    if (!may_move(context, file)) co_return Result<bool>(false);
    if (!unreadable) {
        delay_order(context, file, waits_for_service, unreadable.error().message);
        if (takes_calls) raise_long_wait(context, file, unreadable.error());
        co_return Result<bool>(false);
    }
    crash_point("pay.release_read");
    co_return co_await check_again(context, std::move(name), *unreadable);
}

asio::awaitable<Result<void>> move_out(Context& context, std::string name,
                                       std::optional<ledger::Encryption> encryption) {
    context.spool.require_in_place();
    ledger::ExportedPayments payments(context.ledger, reload(context, name).file_id);
    constexpr int payments_per_turn = 2000;
    while (payments.read_some(payments_per_turn))
        co_await let_others_run();
    auto changes = ledger::changes_made(context.ledger);
    const auto draws = co_await draws_of(context, reload(context, name));
    // People may have acted while the file was encrypted.
    if (encryption || ledger::changes_made(context.ledger) != changes) {
        std::vector<std::string> no_faults;
        const auto checked = co_await check_again(context, name, std::move(no_faults));
        if (!checked) co_return std::unexpected(checked.error());
        if (!*checked) co_return Result<void>();
    }
    auto file = reload(context, name);
    if (!may_move(context, file) || !readings_are_fresh(context, file, draws)) co_return Result<void>();
    // The intent is new, or a run that died wrote it, and perhaps its line.
    const auto line_is_written =
        file.state == FileState::staged ? spool::Spool::WrittenBefore::no : spool::Spool::WrittenBefore::maybe;
    if (auto intent = record_leaving(context, file, encryption, payments); !intent) co_return intent;
    crash_point("pay.release_committed");
    if (encryption) crash_point("deliver.encrypted_committed");
    changes = ledger::changes_made(context.ledger);
    co_await let_others_run();
    file = reload(context, name);
    if (!may_move(context, file)) co_return Result<void>();
    const auto what = outgoing_file(context, file);
    write_manifest(context, file, payments, line_is_written);
    co_await let_others_run();
    // From here on an older ledger is recognized as older, also after a crash or on a full disk.
    const auto recorded = co_await record_high_water_mark(context);
    file = reload(context, name);
    if (!may_move(context, file)) co_return Result<void>();
    if (!recorded) {
        delay_order(context, file, "the high-water mark", recorded.error().message);
        co_return std::unexpected(recorded.error());
    }
    if (ledger::changes_made(context.ledger) != changes) {
        std::vector<std::string> no_faults;
        const auto checked = co_await check_again(context, name, std::move(no_faults));
        if (!checked) co_return std::unexpected(checked.error());
        if (!*checked) co_return Result<void>();
        file = reload(context, name);
    }
    if (!readings_are_fresh(context, file, draws)) co_return Result<void>();
    if (context.spool.staged_sha256(what->name) != what->sha256) {
        co_return refuse(context, file,
                         {"staged_file_changed",
                          what->name + " in spool/staged is not the one that was written (its SHA-256 differs)"});
    }
    const ledger::Effect effect(context.ledger);
    crash_point("pay.release_begun");
    if (auto moved = context.spool.release(what->name); !moved) co_return moved;
    co_return record_left(context, file, *what);
}

asio::awaitable<Result<void>> execute_order(Context& context, std::string name) {
    const auto file = reload(context, name);
    if (!may_move(context, file)) co_return Result<void>();
    const auto what = outgoing_file(context, file);
    if (file.state == FileState::releasing && what && !context.spool.has_staged(what->name))
        co_return finish_rename(context, file, *what);
    if (!what) {
        // The step `deliver` encrypts it, and then runs these checks itself.
        if (file.order->waits_for.empty())
            delay_order(context, file, waits_for_encryption, "the step deliver encrypts it");
        co_return Result<void>();
    }
    const auto ready = co_await prepare_release(context, name);
    if (!ready) co_return std::unexpected(ready.error());
    if (!*ready) co_return Result<void>();
    const auto moved = co_await move_out(context, name, std::nullopt);
    co_return moved;
}

asio::awaitable<Result<void>> check_before_upload(Context& context, std::string name) {
    auto file = reload(context, name);
    std::string before_void = ledger::before_void(context.ledger, file);
    if (!before_void.empty()) before_void.insert(0, "; ");
    if (auto may = ledger::check_releaser_may_still(context.ledger, file); !may) {
        co_return refuse_file(
            context, file, "release_not_allowed",
            "it is not uploaded: " + may.error().message + ": void the file, and release the next" + before_void);
    }
    auto fault = fault_in_plan(context, file);
    if (!fault) {
        const auto unreadable = co_await reread_draws(context, file);
        if (!unreadable) {
            co_return fail(ErrorCode::unavailable, "the upload waits for the service: " + unreadable.error().message +
                                                       std::string(if_unreadable) + before_void);
        }
        if (!unreadable->empty()) fault = ReleaseFault{"draws_changed", first_of(*unreadable)};
        if (!fault) fault = co_await fault_in_draws(context, file);
        file = reload(context, name);
    }
    if (!fault) co_return Result<void>();
    co_return refuse_file(context, file, fault->reason_code,
                          "it is not uploaded: " + fault->detail + what_to_do(file, fault->reason_code) + before_void);
}

}  // namespace drawbridge::pipeline
