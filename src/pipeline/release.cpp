#include "release.hpp"

#include <algorithm>
#include <utility>

#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/ledger/exceptions.hpp"
#include "drawbridge/ledger/exports.hpp"
#include "drawbridge/ledger/makers.hpp"
#include "drawbridge/ledger/release_orders.hpp"
#include "drawbridge/ledger/restorations.hpp"
#include "drawbridge/ledger/runs.hpp"
#include "drawbridge/pipeline/deliver.hpp"
#include "drawbridge/pipeline/high_water.hpp"
#include "release_checks.hpp"

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
    if (reason_code == "settlement_date_passed" || reason_code == "planned_in_future" || reason_code == "possibly_sent")
        return ": void the file, the next run pays its draws with a new date";
    if (reason_code != "draws_changed") return "";
    return file.kind == disbursement::FileKind::payments
               ? ": void the file, the draws that are still right are paid in the next one; or have the draw put right "
                 "and release the file again"
               : ": void the file, what is still right stands in the next one";
}

std::optional<ReleaseFault> fault_in(Context& context, const FileRow& file) {
    if (auto fault = fault_in_bytes(context, file)) return fault;
    if (auto fault = fault_in_dates(context, file)) return fault;
    return fault_in_draws(context, file);
}

// The exception, and the end of an order that waited. A file that is being moved keeps its order: it goes when it is
// put right, unless it is voided.
std::unexpected<Error> refuse(Context& context, const FileRow& file, const ReleaseFault& fault) {
    const std::string detail = "it is not released: " + fault.detail + what_to_do(file, fault.reason_code);
    const auto outcome =
        fault.reason_code == "settlement_date_passed" ? ReleaseOutcome::lapsed : ReleaseOutcome::refused;
    if (file.order && file.state == FileState::staged) {
        context.ledger.transaction(
            [&] { ledger::end_release_order(context.ledger, file.file_id, outcome, detail, own_stamp(context)); });
    }
    return refuse_file(context, file, fault.reason_code, detail);
}

// What leaves the house: the file, or its encrypted form.
struct Leaving {
    std::string name, sha256;
    bool encrypted = false;
};

// nullopt: it is still to be encrypted.
std::optional<Leaving> leaving(Context& context, const FileRow& file) {
    const auto delivery = ledger::find_delivery(context.ledger, file.file_id);
    if (delivery && delivery->encryption) return Leaving{delivery->name, delivery->sha256, true};
    const bool must_be_encrypted = (delivery && delivery->way.encrypted) || (file.order && file.order->way.encrypted);
    if (must_be_encrypted) return std::nullopt;
    return Leaving{file.name, file.sha256, false};
}

// Outside the ledger stands what is let go before the bank can have it.
void write_manifest(Context& context, const FileRow& file) {
    const auto line = ledger::export_line(context.ledger, file.file_id);
    if (line) context.spool.add_manifest_line(context.settings.plan.zone.date_of(line->at), line->text);
}

bool stands_in_manifest(Context& context, const FileRow& file) {
    const auto line = ledger::export_line(context.ledger, file.file_id);
    if (!line) return false;
    const auto manifests = context.spool.manifests();
    return std::ranges::any_of(manifests,
                               [&](const auto& day) { return day.bytes.find(line->text) != std::string::npos; });
}

Result<void> record_gone(Context& context, const FileRow& file, const Leaving& what) {
    if (what.encrypted) {
        const auto date = context.settings.plan.zone.date_of(*file.release_ordered_at);
        const auto kept = context.spool.archive_payment_file(spool::Place::staged, file.name, date);
        if (!kept) return std::unexpected(kept.error());
    }
    context.ledger.transaction([&] {
        ledger::record_released(context.ledger, file.file_id, own_stamp(context));
        ledger::close_exceptions_of_subject(context.ledger, file.name, "the file is released", own_stamp(context));
    });
    crash_point("pay.released_committed");
    return {};
}

// releasing, and no longer in spool/staged: the rename has happened, and the file is never made again.
Result<void> finish_rename(Context& context, const FileRow& file, const Leaving& what) {
    if (context.spool.outgoing_sha256(what.name) == what.sha256 || stands_in_manifest(context, file))
        return record_gone(context, file, what);
    return refuse_file(context, file, "staged_file_missing",
                       what.name +
                           " is not in spool/staged, and no manifest tells that it was let go: find out where it went, "
                           "and put it back there when it is sure that the bank does not have it");
}

// Every question, on what the ledger knows now. True: the file may go.
Result<bool> check_again(Context& context, const FileRow& file, const std::vector<std::string>& unreadable) {
    if (auto may = ledger::check_may_release(context.ledger, file, file.order->ordered); !may)
        return refuse(context, file, {"release_not_allowed", may.error().message});
    if (!unreadable.empty()) return refuse(context, file, {"draws_changed", first_of(unreadable)});
    if (auto fault = fault_in(context, file)) return refuse(context, file, *fault);
    return true;
}

// From here on the file is being moved.
Result<void> record_going(Context& context, const FileRow& file, const std::optional<ledger::Encryption>& encryption) {
    const auto& order = *file.order;
    const ledger::Stamp stamp{context.clock.now(), order.ordered.actor, order.ordered.uid};
    return context.ledger.transaction([&] {
        Result<void> done;
        if (file.state == FileState::staged) {
            done = ledger::order_release(context.ledger, file, order.reason, stamp);
            if (!done) return done;
            ledger::order_delivery(context.ledger, file.file_id, order.way, stamp);
        }
        if (encryption) ledger::record_encryption(context.ledger, file.file_id, *encryption, own_stamp(context));
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

bool is_still_here(Context& context, const FileRow& file) {
    const auto what = leaving(context, file);
    return !what || context.spool.staged_sha256(what->name) == what->sha256;
}

void wait_for(Context& context, const FileRow& file, std::string_view what, const std::string& detail) {
    context.release_tried[file.file_id] = context.clock.now();
    context.ledger.transaction(
        [&] { ledger::record_release_wait(context.ledger, file, what, detail, own_stamp(context)); });
}

Result<void> order_release(Context& context, const FileRow& file, std::string_view reason, const ledger::Stamp& stamp) {
    if (auto may = ledger::check_may_order(file); !may) return may;
    if (auto may = ledger::check_may_release(context.ledger, file, stamp); !may) return may;
    if (!file.order) {
        if (const auto fault = fault_in(context, file)) return refuse(context, file, *fault);
    }
    // How a file goes is fixed once: by an earlier order under which it began to go.
    const auto delivery = ledger::find_delivery(context.ledger, file.file_id);
    const auto way = delivery ? delivery->way : delivery_way(context.settings, file.rail);
    auto ordered = context.ledger.transaction(
        [&] { return ledger::make_release_order(context.ledger, file, way, reason, stamp); });
    if (!ordered) return ordered;
    crash_point("pay.release_ordered");
    return ordered;
}

asio::awaitable<Result<bool>> make_ready(Context& context, std::string name) {
    auto file = reload(context, name);
    if (!may_move(context, file)) co_return Result<bool>(false);
    // Neither needs the service: an order lapses also while that is down.
    auto fault = fault_in_bytes(context, file);
    if (!fault) fault = fault_in_dates(context, file);
    if (fault) co_return refuse(context, file, *fault);
    const auto unreadable = co_await read_file_again(context, file);
    file = reload(context, name);  // voided, or money movement paused, while we were reading
    if (!may_move(context, file)) co_return Result<bool>(false);
    if (!unreadable) {
        wait_for(context, file, "the service", unreadable.error().message);
        co_return Result<bool>(false);
    }
    crash_point("pay.release_read");
    co_return check_again(context, file, *unreadable);
}

asio::awaitable<Result<void>> let_go(Context& context, std::string name, std::optional<ledger::Encryption> encryption) {
    auto file = reload(context, name);
    if (!may_move(context, file) || !readings_are_fresh(context, file)) co_return Result<void>();
    if (auto going = record_going(context, file, encryption); !going) co_return going;
    crash_point("pay.release_committed");
    if (encryption) crash_point("deliver.encrypted_committed");
    file = reload(context, name);
    const auto what = leaving(context, file);
    write_manifest(context, file);
    // From now on an older ledger is known to be older; also where a crash or a full disk came between.
    const auto changes = ledger::changes_made(context.ledger);
    const auto recorded = co_await record_high_water_mark(context);
    file = reload(context, name);
    if (!may_move(context, file)) co_return Result<void>();
    if (!recorded) {
        wait_for(context, file, "the high-water mark", recorded.error().message);
        co_return std::unexpected(recorded.error());
    }
    if (!readings_are_fresh(context, file)) co_return Result<void>();
    if (ledger::changes_made(context.ledger) != changes) {
        if (const auto still = check_again(context, file, {}); !still) co_return std::unexpected(still.error());
    }
    if (context.spool.staged_sha256(what->name) != what->sha256) {
        co_return refuse(context, file,
                         {"staged_file_changed", what->name + " in spool/staged is not the one that was written (its "
                                                              "SHA-256 differs)"});
    }
    if (auto moved = context.spool.release(what->name); !moved) co_return moved;
    co_return record_gone(context, file, *what);
}

asio::awaitable<Result<void>> carry_out(Context& context, std::string name) {
    const auto file = reload(context, name);
    if (!may_move(context, file)) co_return Result<void>();
    const auto what = leaving(context, file);
    if (file.state == FileState::releasing && what && !context.spool.staged_sha256(what->name))
        co_return finish_rename(context, file, *what);
    if (!what) {
        // The step `deliver` encrypts it, and then asks all this itself.
        if (file.order->waits_for.empty()) wait_for(context, file, "encryption", "");
        co_return Result<void>();
    }
    const auto ready = co_await make_ready(context, name);
    if (!ready) co_return std::unexpected(ready.error());
    if (!*ready) co_return Result<void>();
    const auto gone = co_await let_go(context, name, std::nullopt);
    co_return gone;
}

asio::awaitable<Result<void>> check_before_upload(Context& context, std::string name) {
    auto file = reload(context, name);
    auto fault = fault_in_dates(context, file);
    if (!fault) {
        const auto unreadable = co_await read_file_again(context, file);
        if (!unreadable) {
            co_return fail(ErrorCode::unavailable, "the upload waits for the service: " + unreadable.error().message);
        }
        if (!unreadable->empty()) fault = ReleaseFault{"draws_changed", first_of(*unreadable)};
        if (!fault) fault = fault_in_draws(context, file);
    }
    if (!fault) co_return Result<void>();
    co_return refuse_file(context, file, fault->reason_code,
                          "it is not uploaded: " + fault->detail + what_to_do(file, fault->reason_code));
}

}  // namespace drawbridge::pipeline
