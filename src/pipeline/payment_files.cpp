#include "drawbridge/pipeline/payment_files.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/ledger/deliveries.hpp"
#include "drawbridge/ledger/exceptions.hpp"
#include "drawbridge/ledger/exports.hpp"
#include "drawbridge/ledger/makers.hpp"
#include "drawbridge/ledger/payment_voids.hpp"
#include "drawbridge/ledger/restorations.hpp"
#include "drawbridge/ledger/runs.hpp"
#include "drawbridge/pipeline/deliver.hpp"
#include "drawbridge/pipeline/high_water.hpp"
#include "release_limit.hpp"
#include "run_stage.hpp"

namespace drawbridge::pipeline {
namespace {

using ledger::FileRow;
using ledger::FileState;

void raise(Context& context, const FileRow& file, std::string_view reason, const std::string& detail) {
    context.ledger.transaction([&] {
        ledger::raise_exception(context.ledger,
                                {"pay", std::string(reason), std::nullopt, std::nullopt, file.name, detail},
                                context.stamp());
    });
}

std::unexpected<Error> refuse(Context& context, const FileRow& file, std::string_view reason,
                              const std::string& detail) {
    raise(context, file, reason, detail);
    return fail(ErrorCode::conflict, file.name + ": " + detail);
}

// planned → staged: the bytes follow from the rows, at the first writing and after a crash.
Result<void> stage_file(Context& context, const FileRow& file) {
    const auto stored = ledger::load_file(context.ledger, file.file_id);
    const auto bytes = disbursement::render(stored.file, stored.profile);
    if (!bytes) return refuse(context, file, "file_not_valid", "it cannot be written: " + bytes.error().message);
    if (const auto same = disbursement::verify_rendered(*bytes, stored.file, stored.profile); !same) {
        return refuse(context, file, "file_not_valid",
                      "read back, it is not what was planned: " + same.error().message + ": nothing was written");
    }
    const auto sha256 = context.spool.write_staged(file.name, *bytes);
    if (!sha256) return std::unexpected(sha256.error());
    context.ledger.transaction([&] { ledger::record_staged(context.ledger, file.file_id, *sha256, context.stamp()); });
    crash_point("pay.staged_committed");
    return {};
}

// Before a release is ordered the staged file must be there, byte for byte.
Result<void> check_staged(Context& context, const FileRow& file) {
    const auto sha256 = context.spool.staged_sha256(file.name);
    if (!sha256) {
        return refuse(
            context, file, "staged_file_missing",
            "someone took the file out of spool/staged before it was released: put it back, or find out where it went");
    }
    if (*sha256 != file.sha256) {
        return refuse(
            context, file, "staged_file_changed",
            "the file in spool/staged is not the one that was written (its SHA-256 differs): it is not released");
    }
    return {};
}

// Nor is a file released whose draws are no longer what it pays: it was right when it was planned.
Result<void> check_draws(Context& context, const FileRow& file) {
    const auto changes = ledger::changes_since_planned(context.ledger, file.file_id);
    if (changes.empty()) return {};
    std::string detail = "it is not released: " + changes.front();
    if (changes.size() > 1) detail += " (and " + std::to_string(changes.size() - 1) + " more)";
    return refuse(
        context, file, "draws_changed",
        detail + (file.kind == disbursement::FileKind::payments
                      ? ": void the file, the draws that are still right are paid in the next one; or have the draw "
                        "put right"
                      : ": void the file, what is still right stands in the next one"));
}

// A file that comes too late for the day it names would be rejected, or settle on another day than its rows say.
Result<void> check_dates(Context& context, const FileRow& file) {
    const auto& plan = context.settings.plan;
    for (const auto date : ledger::effective_entry_dates(context.ledger, file.file_id)) {
        const auto fault =
            disbursement::fault_in_release(date, plan.settle, plan.calendar, plan.zone, context.clock.now());
        if (!fault) continue;
        return refuse(context, file, "settlement_date_passed",
                      *fault + ": it is not released; void the file, the next run pays its draws with a new date");
    }
    return {};
}

Result<void> order(Context& context, const FileRow& file, std::string_view reason, const ledger::Stamp& stamp) {
    if (file.state == FileState::staged) {
        if (auto there = check_staged(context, file); !there) return there;
        if (auto right = check_draws(context, file); !right) return right;
        if (auto in_time = check_dates(context, file); !in_time) return in_time;
    }
    auto ordered = context.ledger.transaction([&] {
        auto done = ledger::order_release(context.ledger, file, reason, stamp);
        if (done) {
            const auto way = delivery_way(context.settings, file.rail);
            ledger::order_delivery(context.ledger, file.file_id, way, stamp);
            ledger::close_exceptions_of_subject(context.ledger, file.name, "the file is released", stamp);
        }
        return done;
    });
    if (!ordered) return ordered;
    crash_point("pay.release_committed");
    return ordered;
}

// Outside the ledger stands what is let go before the bank can have it.
void write_manifest(Context& context, const FileRow& file) {
    const auto line = ledger::export_line(context.ledger, file.file_id);
    if (line) context.spool.add_manifest_line(context.settings.plan.zone.date_of(line->at), line->text);
}

// It does from just before the rename on.
bool stands_in_manifest(Context& context, const FileRow& file) {
    const auto line = ledger::export_line(context.ledger, file.file_id);
    if (!line) return false;
    const auto manifests = context.spool.manifests();
    return std::ranges::any_of(manifests,
                               [&](const auto& day) { return day.bytes.find(line->text) != std::string::npos; });
}

// releasing → released. Where the staged file is no longer there the rename has happened: it is never made again. What
// goes out encrypted waits for that, in the stage `deliver`; its plain form then goes to the archive.
Result<void> carry_out(Context& context, const FileRow& file) {
    const auto delivery = ledger::find_delivery(context.ledger, file.file_id);
    const bool encrypted = delivery && delivery->way.encrypted;
    if (encrypted && !delivery->encryption) return {};
    const std::string& name = delivery ? delivery->name : file.name;
    const std::string& wanted = delivery ? delivery->sha256 : file.sha256;
    if (const auto sha256 = context.spool.staged_sha256(name)) {
        if (*sha256 != wanted) {
            return refuse(context, file, "staged_file_changed",
                          name +
                              " in spool/staged is not the one that was written (its SHA-256 differs): it is not "
                              "released");
        }
        // A ledger that was put back together with its folders has it as not gone.
        if (const auto held = ledger::held_since_restored(context.ledger, file.file_id); !held.empty()) {
            return refuse(context, file, "draws_changed",
                          "its release was ordered, and it is not carried out: " + held.front() +
                              ": ask the bank whether it has the file, and settle that first");
        }
        write_manifest(context, file);
        // Also where a crash or a full disk came between: from now on an older ledger is known to be older.
        ledger::write_mark(context.ledger);
        if (auto moved = context.spool.release(name); !moved) return moved;
    } else if (context.spool.outgoing_sha256(name) != wanted && !stands_in_manifest(context, file)) {
        return refuse(context, file, "staged_file_missing",
                      name +
                          " is not in spool/staged, and no manifest tells that it was let go: find out where it went, "
                          "and put it back there when it is sure that the bank does not have it");
    }
    if (encrypted) {
        const auto date = context.settings.plan.zone.date_of(*file.release_ordered_at);
        const auto kept = context.spool.archive_payment_file(spool::Place::staged, file.name, date);
        if (!kept) return std::unexpected(kept.error());
    }
    context.ledger.transaction([&] { ledger::record_released(context.ledger, file.file_id, context.stamp()); });
    crash_point("pay.released_committed");
    return {};
}

Result<FileRow> find_named(Context& context, std::string_view name) {
    auto file = ledger::find_file(context.ledger, name);
    if (file) return *std::move(file);
    return fail(ErrorCode::not_found,
                "there is no payment file '" + std::string(name.substr(0, 100)) + "': 'drawbridge files' lists them");
}

FileRow reload(Context& context, const FileRow& file) {
    return *ledger::find_file(context.ledger, file.name);
}

Result<void> advance(Context& context, FileRow file, FilesReport& report) {
    if (file.state == FileState::planned) {
        if (auto staged = stage_file(context, file); !staged) return staged;
        ++report.staged;
        file = reload(context, file);
    }
    if (ledger::is_paused(context.ledger)) return {};
    if (file.state == FileState::staged) {
        const bool automatic = context.settings.release_automatically;
        const auto over_limit = automatic ? over_release_limit(context, file) : std::nullopt;
        if (over_limit) report.over_limit.push_back(*over_limit);
        // What somebody had a hand in waits for another person.
        const bool has_makers = automatic && !ledger::makers_of(context.ledger, file.file_id).empty();
        if (has_makers) ++report.with_makers;
        if (!automatic || has_makers || over_limit) return check_staged(context, file);
        auto ordered =
            order(context, file, "release: auto", ledger::Stamp{context.clock.now(), std::string(daemon_actor)});
        if (!ordered) return ordered;
        file = reload(context, file);
    }
    return {};
}

// releasing → released, once the mark is written.
asio::awaitable<Result<void>> let_go(Context& context, FileRow file, FilesReport& report) {
    const auto recorded = co_await record_high_water_mark(context);
    if (!recorded) co_return recorded;
    if (ledger::is_paused(context.ledger)) co_return Result<void>();
    auto released = carry_out(context, file);
    if (released && reload(context, file).state == FileState::released) ++report.released;
    co_return released;
}

}  // namespace

asio::awaitable<FilesReport> finish_files(Context& context) {
    FilesReport report;
    // What this ledger has to finish may be finished: nothing is written until it was held against the files sent.
    if (ledger::open_restoration(context.ledger)) co_return report;
    // What a crash left of a file that was voided.
    for (const auto& name : ledger::voided_file_names(context.ledger))
        context.spool.remove_staged(name);
    const auto executor = co_await asio::this_coro::executor;
    const auto files = ledger::payment_files(context.ledger, /*unreleased_only=*/true);
    for (const auto& file : files) {
        co_await asio::post(executor, asio::use_awaitable);
        const auto done = advance(context, reload(context, file), report);
        if (!done) report.problems.push_back(done.error().message);
        auto now = reload(context, file);
        if (now.state != FileState::releasing || ledger::is_paused(context.ledger)) continue;
        const auto released = co_await let_go(context, std::move(now), report);
        if (!released) report.problems.push_back(released.error().message);
    }
    co_return report;
}

Result<FileRow> release_file(Context& context, std::string_view name, std::string_view reason,
                             const ledger::Stamp& stamp) {
    const auto file = find_named(context, name);
    if (!file) return std::unexpected(file.error());
    if (file->state == FileState::released) {
        return fail(ErrorCode::conflict, file->name + " was released already, by " + file->release_ordered_by + " at " +
                                             format_instant(*file->released_at) + ": nothing is left to do");
    }
    if (ledger::is_paused(context.ledger)) {
        return fail(ErrorCode::conflict, "money movement is paused: 'drawbridge resume --reason …' first");
    }
    if (file->state != FileState::releasing) {
        if (auto ordered = order(context, *file, reason, stamp); !ordered) return std::unexpected(ordered.error());
    }
    if (auto released = carry_out(context, reload(context, *file)); !released) return std::unexpected(released.error());
    return reload(context, *file);
}

namespace {

Result<void> may_end(Context& context, const FileRow& file) {
    const auto restoration = ledger::open_restoration(context.ledger);
    if (restoration && !restoration->compared_at) {
        return fail(ErrorCode::conflict, file.name +
                                             " is not voided: the ledger was put back, and the file may have gone out "
                                             "since: 'drawbridge status' says what is to be compared first");
    }
    if (file.state != FileState::planned && file.state != FileState::staged) return {};
    // A void has the draw paid anew: not while the bank says something of a payment that it should not know.
    const auto said = ledger::open_exception_of_payments(context.ledger, file.file_id, "confirm");
    if (!said) return {};
    const std::string id = std::to_string(said->exception_id);
    return fail(ErrorCode::conflict,
                file.name + " is not voided: a line of the bank tells of a payment in it (exception " + id +
                    "), and its draw would be paid anew: find out what the bank did, then 'drawbridge resolve " + id +
                    " --reason …', then void");
}

Result<void> end_file(Context& context, const FileRow& file, std::string_view reason, const ledger::Stamp& stamp) {
    auto done = ledger::void_file(context.ledger, file, reason, stamp);
    if (!done) return done;
    ledger::close_exceptions_of_subject(context.ledger, file.name, "the file is void", stamp);
    ledger::close_exceptions_of_payments(context.ledger, file.file_id, "its payment is void", stamp);
    return {};
}

}  // namespace

Result<FileRow> void_file(Context& context, std::string_view name, std::string_view reason,
                          const ledger::Stamp& stamp) {
    const auto file = find_named(context, name);
    if (!file) return std::unexpected(file.error());
    if (auto may = may_end(context, *file); !may) return std::unexpected(may.error());
    const auto voided = context.ledger.transaction([&] { return end_file(context, *file, reason, stamp); });
    if (!voided) return std::unexpected(voided.error());
    context.spool.remove_staged(file->name);
    return reload(context, *file);
}

Result<VoidedPayment> void_payment(Context& context, std::int64_t payment_id, std::string_view reason,
                                   const ledger::Stamp& stamp) {
    const std::string name = disbursement::format_payment_id(payment_id);
    const auto place = ledger::find_payment(context.ledger, payment_id);
    if (!place) {
        return fail(ErrorCode::not_found,
                    "there is no payment " + name + ": 'drawbridge file NAME' shows those of a file");
    }
    const auto file = find_named(context, place->file_name);
    if (!file) return std::unexpected(file.error());
    if (auto may = may_end(context, *file); !may) return std::unexpected(may.error());
    const bool is_out = file->state == FileState::releasing || file->state == FileState::released;
    if (is_out && place->check_number) {
        return fail(ErrorCode::conflict, name + " has gone out in " + file->name + ": 'drawbridge void --check " +
                                             std::to_string(*place->check_number) + "' has the bank void the check");
    }
    const auto voided = context.ledger.transaction([&] {
        auto done = end_file(context, *file, "payment " + name + ": " + std::string(reason), stamp);
        if (done) ledger::record_payment_void(context.ledger, payment_id, place->draw_id, reason, stamp);
        return done;
    });
    if (!voided) return std::unexpected(voided.error());
    crash_point("void.committed");
    context.spool.remove_staged(file->name);
    return VoidedPayment{reload(context, *file), place->draw_id};
}

}  // namespace drawbridge::pipeline
