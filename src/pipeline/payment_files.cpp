#include "drawbridge/pipeline/payment_files.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/domain/elapsed.hpp"
#include "drawbridge/ledger/deliveries.hpp"
#include "drawbridge/ledger/exceptions.hpp"
#include "drawbridge/ledger/makers.hpp"
#include "drawbridge/ledger/payment_voids.hpp"
#include "drawbridge/ledger/restorations.hpp"
#include "drawbridge/ledger/runs.hpp"
#include "drawbridge/pipeline/transfer_worker.hpp"
#include "release.hpp"
#include "release_checks.hpp"
#include "release_limit.hpp"

namespace drawbridge::pipeline {
namespace {

using ledger::FileRow;
using ledger::FileState;

// planned → staged: the bytes follow from the rows, at the first writing and after a crash.
Result<void> stage_file(Context& context, const FileRow& file) {
    const auto stored = ledger::load_file(context.ledger, file.file_id);
    const auto bytes = disbursement::render(stored.file, stored.profile);
    if (!bytes) return refuse_file(context, file, "file_not_valid", "it cannot be written: " + bytes.error().message);
    if (const auto same = disbursement::verify_rendered(*bytes, stored.file, stored.profile); !same) {
        return refuse_file(context, file, "file_not_valid",
                           "read back, it differs from the plan: " + same.error().message + ": nothing was written");
    }
    const auto sha256 = context.spool.write_staged(file.name, *bytes);
    if (!sha256) return std::unexpected(sha256.error());
    context.ledger.transaction([&] { ledger::record_staged(context.ledger, file.file_id, *sha256, context.stamp()); });
    crash_point("pay.staged_committed");
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

// What `pay.release: auto` orders by itself.
bool is_automatic(Context& context, const FileRow& file, FilesReport& report) {
    if (!context.settings.release_automatically) return false;
    const auto over_limit = over_release_limit(context, file);
    if (over_limit) report.over_limit.push_back(*over_limit);
    // What somebody had a hand in waits for another person.
    const bool has_makers = !ledger::makers_of(context.ledger, file.file_id).empty();
    if (has_makers) ++report.with_makers;
    return !over_limit && !has_makers;
}

bool waits_still(Context& context, const FileRow& file) {
    const auto tried = context.release_tried.find(file.file_id);
    return tried != context.release_tried.end() &&
           !has_elapsed(tried->second, context.settings.release_retry, context.clock.now());
}

Result<void> order_or_look(Context& context, const FileRow& file, FilesReport& report) {
    if (is_automatic(context, file, report)) {
        const ledger::Stamp stamp{context.clock.now(), std::string(daemon_actor)};
        return order_release(context, file, "release: auto", stamp);
    }
    if (const auto fault = fault_in_bytes(context, file))
        return refuse_file(context, file, fault->reason_code, fault->detail);
    return {};
}

asio::awaitable<Result<void>> advance(Context& context, FileRow file, FilesReport& report) {
    if (file.state == FileState::planned) {
        if (auto staged = stage_file(context, file); !staged) co_return staged;
        ++report.staged;
        file = reload(context, file);
    }
    if (ledger::is_paused(context.ledger)) co_return Result<void>();
    if (file.state == FileState::staged && !file.order) {
        if (auto ordered = order_or_look(context, file, report); !ordered) co_return ordered;
        file = reload(context, file);
    }
    if (!file.order || waits_still(context, file)) co_return Result<void>();
    const auto carried = co_await carry_out(context, file.name);
    if (reload(context, file).state == FileState::released) ++report.released;
    co_return carried;
}

}  // namespace

asio::awaitable<FilesReport> finish_files(Context& context) {
    FilesReport report;
    // What this ledger has to finish may be finished: nothing is written until it was held against the files sent.
    if (ledger::open_restoration(context.ledger)) co_return report;
    // What a crash left of a file that was voided.
    for (const auto& name : ledger::voided_file_names(context.ledger))
        context.spool.remove_staged(name);
    for (const auto& name : ledger::recalled_file_names(context.ledger))
        context.spool.remove_outgoing(name);
    const auto executor = co_await asio::this_coro::executor;
    const auto files = ledger::payment_files(context.ledger, /*unreleased_only=*/true);
    for (const auto& file : files) {
        co_await asio::post(executor, asio::use_awaitable);
        auto now = reload(context, file);
        const auto done = co_await advance(context, std::move(now), report);
        if (!done) report.problems.push_back(done.error().message);
    }
    co_return report;
}

asio::awaitable<Result<FileRow>> release_file(Context& context, std::string name, std::string reason,
                                              ledger::Stamp stamp) {
    const auto file = find_named(context, name);
    if (!file) co_return std::unexpected(file.error());
    if (file->state == FileState::released) {
        co_return fail(ErrorCode::conflict, file->name + " was released already, by " + file->release_ordered_by +
                                                " at " + format_instant(*file->released_at) +
                                                ": nothing is left to do");
    }
    if (ledger::is_paused(context.ledger)) {
        co_return fail(ErrorCode::conflict, "money movement is paused: 'drawbridge resume --reason …' first");
    }
    // A release that was under way when the program ended goes on.
    if (file->state != FileState::releasing || !file->order) {
        if (auto ordered = order_release(context, *file, reason, stamp); !ordered)
            co_return std::unexpected(ordered.error());
    }
    const auto carried = co_await carry_out(context, file->name);
    if (!carried) co_return std::unexpected(carried.error());
    auto now = reload(context, *file);
    if (now.state == FileState::voided) {
        co_return fail(ErrorCode::conflict, now.name + " was voided by " + now.voided_by + " meanwhile");
    }
    co_return Result<FileRow>(std::move(now));
}

namespace {

Result<void> may_end(Context& context, const FileRow& file) {
    const auto restoration = ledger::open_restoration(context.ledger);
    if (restoration && !restoration->compared_at) {
        return fail(ErrorCode::conflict, file.name +
                                             " is not voided: the ledger was put back, and the file may have gone out "
                                             "since: 'drawbridge status' says what is to be compared first");
    }
    if (context.transfer_worker != nullptr && context.transfer_worker->file_in_hand == file.file_id) {
        return fail(ErrorCode::conflict, file.name + " is being uploaded just now: 'drawbridge pause' first, or wait");
    }
    if (file.state == FileState::releasing && !is_still_here(context, file)) {
        return fail(ErrorCode::conflict, file.name +
                                             " is not voided: it is no longer in spool/staged, and may have left: find "
                                             "out where it went");
    }
    const auto delivery = ledger::find_delivery(context.ledger, file.file_id);
    const bool has_left = file.state == FileState::released && (!delivery || !delivery->way.by_sftp);
    if (file.state == FileState::voided || has_left) return {};
    // A void has the draw paid anew: not while the bank says something of a payment that it should not know.
    const auto said = ledger::open_exception_of_payments(context.ledger, file.file_id, "confirm");
    if (!said) return {};
    const std::string id = std::to_string(said->exception_id);
    return fail(ErrorCode::conflict,
                file.name + " is not voided: a line of the bank tells of a payment in it (exception " + id +
                    "), and its draw would be paid anew: find out what the bank did, then 'drawbridge resolve " + id +
                    " --reason …', then void");
}

// Of a voided file: also of its encrypted form, and of one that waited in outgoing/ for its upload.
void remove_bytes(Context& context, const FileRow& file) {
    const auto delivery = ledger::find_delivery(context.ledger, file.file_id);
    const std::string& leaving = delivery ? delivery->name : file.name;
    context.spool.remove_staged(file.name);
    if (leaving != file.name) context.spool.remove_staged(leaving);
    if (file.state == FileState::released) context.spool.remove_outgoing(leaving);
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
    remove_bytes(context, *file);
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
    if (file->state == FileState::released && place->check_number) {
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
    remove_bytes(context, *file);
    return VoidedPayment{reload(context, *file), place->draw_id};
}

}  // namespace drawbridge::pipeline
