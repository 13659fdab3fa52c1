#include "drawbridge/pipeline/payment_files.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "drawbridge/disbursement/rendering.hpp"
#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/ledger/facts/deliveries.hpp"
#include "drawbridge/ledger/facts/draws.hpp"
#include "drawbridge/ledger/facts/evidence.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/payment_voids.hpp"
#include "drawbridge/ledger/facts/restorations.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/facts/sent_before.hpp"
#include "drawbridge/pipeline/ingest.hpp"
#include "drawbridge/pipeline/let_others_run.hpp"
#include "drawbridge/pipeline/transfer_worker.hpp"
#include "observe.hpp"
#include "release.hpp"
#include "release_checks.hpp"
#include "release_limit.hpp"

namespace drawbridge::pipeline {
namespace {

using ledger::FileRow;
using ledger::FileState;

FileRow reload(Context& context, const FileRow& file) {
    return *ledger::find_file(context.ledger, file.name);
}

// Writes the bytes of a file, and reads back each piece as it is written.
class FileWriting {
  public:
    FileWriting(ledger::StoredFile stored, spool::StagedFile into, std::optional<disbursement::EntryLimits> limits = {})
        : stored_(std::move(stored)),
          into_(std::move(into)),
          check_(stored_.file, stored_.profile, limits),
          rendering_(stored_.file, stored_.profile, [this](std::string_view bytes) {
              check_.feed(bytes);
              into_.write(bytes);
          }) {}
    FileWriting(const FileWriting&) = delete;
    FileWriting& operator=(const FileWriting&) = delete;

    void add(const std::vector<disbursement::PlannedPayment>& payments) {
        for (const auto& payment : payments) {
            check_.expect(payment);
            rendering_.add(payment);
        }
    }
    // An error says why nothing was written. Otherwise the SHA-256 of the durable file.
    Result<std::string> finish() {
        if (const auto done = rendering_.finish(); !done)
            return fail(done.error().code, "it cannot be written: " + done.error().message);
        if (const auto same = check_.finish(); !same) {
            return fail(same.error().code,
                        "when read back it is not what was planned: " + same.error().message + ": nothing was written");
        }
        return into_.finish();
    }

  private:
    ledger::StoredFile stored_;
    spool::StagedFile into_;
    disbursement::RenderedCheck check_;
    disbursement::Rendering rendering_;
};

// Adds the payments of the file, between which everything else gets its turn.
asio::awaitable<void> write_payments(Context& context, ledger::FileId file_id, FileWriting& writing) {
    constexpr std::size_t payments_per_turn = 250;
    ledger::PaymentPosition after;
    while (true) {
        const auto payments =
            ledger::load_payments(context.ledger, file_id, after, static_cast<int>(payments_per_turn));
        writing.add(payments);
        if (payments.size() < payments_per_turn) co_return;
        after = {payments.back().batch_number, payments.back().payment_id};
        co_await let_others_run();
    }
}

// planned → staged. The bytes are a function of the rows, so a crash and a second write give the same file.
asio::awaitable<Result<void>> stage_file(Context& context, FileRow file) {
    const bool is_payments = file.kind == disbursement::FileKind::payments;
    auto stored = is_payments ? ledger::load_file_without_payments(context.ledger, file.file_id)
                              : ledger::load_file(context.ledger, file.file_id);
    const auto orders = std::exchange(stored.file.payments, {});
    auto staged = context.spool.begin_staged(file.name);
    if (!staged) co_return std::unexpected(staged.error());
    const auto& plan = context.settings.plan;
    const disbursement::EntryLimits limits{plan.max_file_entries, plan.max_batch_entries};
    FileWriting writing(std::move(stored), std::move(*staged), limits);
    if (is_payments) {
        co_await write_payments(context, file.file_id, writing);
    } else {
        writing.add(orders);
    }
    if (reload(context, file).state != FileState::planned) co_return Result<void>();  // a person voided it meanwhile
    const auto sha256 = writing.finish();
    if (!sha256) co_return refuse_file(context, file, "file_not_valid", sha256.error().message);
    context.ledger.transaction([&] { ledger::record_staged(context.ledger, file.file_id, *sha256, context.stamp()); });
    crash_point("pay.staged_committed");
    co_return Result<void>();
}

Result<FileRow> find_named(Context& context, std::string_view name) {
    auto file = ledger::find_file(context.ledger, name);
    if (file) return *std::move(file);
    if (const auto sent = ledger::file_sent_before(context.ledger, name))
        return fail(ErrorCode::conflict, ledger::describe(*sent));
    return fail(ErrorCode::not_found,
                "there is no payment file '" + std::string(name.substr(0, 100)) + "': 'drawbridge files' lists them");
}

// Whether `pay.release: auto` orders this release without a person.
bool is_automatic(Context& context, const FileRow& file, FilesReport& report) {
    if (why_none_is_automatic(context)) return false;
    const auto over_limit = over_release_limit(context, file);
    if (over_limit) report.over_limit.push_back(*over_limit);
    // A file with makers waits for another person.
    const bool has_makers = !ledger::makers_of(context.ledger, file.file_id).empty();
    if (has_makers) ++report.with_makers;
    return !over_limit && !has_makers;
}

asio::awaitable<Result<void>> order_or_verify(Context& context, FileRow file, FilesReport& report) {
    if (is_automatic(context, file, report)) {
        ledger::Stamp stamp{context.clock.now(), std::string(daemon_actor)};
        co_return co_await order_release(context, file.name, "release: auto", std::move(stamp));
    }
    if (const auto fault = fault_in_bytes(context, file))
        co_return refuse_file(context, file, fault->reason_code, fault->detail);
    co_return Result<void>();
}

asio::awaitable<Result<void>> advance(Context& context, FileRow file, FilesReport& report) {
    if (file.state == FileState::planned) {
        if (!file.planned_at) co_return Result<void>();
        if (auto staged = co_await stage_file(context, file); !staged) co_return staged;
        file = reload(context, file);
        if (file.state != FileState::staged) co_return Result<void>();
        ++report.staged;
    }
    if (ledger::is_paused(context.ledger)) co_return Result<void>();
    if (file.state == FileState::staged && !file.order) {
        if (auto ordered = co_await order_or_verify(context, file, report); !ordered) co_return ordered;
        file = reload(context, file);
    }
    if (!file.order || is_order_backing_off(context, file)) co_return Result<void>();
    const auto executed = co_await execute_order(context, file.name);
    if (reload(context, file).state == FileState::released) ++report.released;
    co_return executed;
}

}  // namespace

Result<std::string> write_again(ledger::Ledger& ledger, spool::Spool& spool, const FileRow& file) {
    auto stored = ledger::load_file(ledger, file.file_id);
    const auto payments = std::exchange(stored.file.payments, {});
    auto staged = spool.begin_staged(file.name);
    if (!staged) return std::unexpected(staged.error());
    FileWriting writing(std::move(stored), std::move(*staged));
    writing.add(payments);
    return writing.finish();
}

asio::awaitable<FilesReport> finish_files(Context& context) {
    FilesReport report;
    co_await finish_recording(context);
    // A restored ledger may list files as unfinished that were finished: write nothing until it is compared.
    if (ledger::open_restoration(context.ledger)) co_return report;
    raise_overdue_releases(context);
    // A crash may have left the bytes of a voided file.
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
    co_await finish_recording(context);
    const auto file = find_named(context, name);
    if (!file) co_return std::unexpected(file.error());
    if (file->state == FileState::released) {
        co_return fail(ErrorCode::conflict, file->name + " was already released by " + file->release_ordered_by +
                                                " at " + format_instant(*file->released_at) +
                                                ": there is nothing to do");
    }
    if (ledger::is_paused(context.ledger)) {
        co_return fail(ErrorCode::conflict, "money movement is paused: run 'drawbridge resume --reason …' first");
    }
    // A release that was in progress when the program ended continues.
    if (file->state != FileState::releasing || !file->order) {
        const auto ordered = co_await order_release(context, file->name, std::move(reason), std::move(stamp));
        if (!ordered) co_return std::unexpected(ordered.error());
    }
    const auto executed = co_await execute_order(context, file->name);
    if (!executed) co_return std::unexpected(executed.error());
    auto now = reload(context, *file);
    if (now.state == FileState::voided) {
        co_return fail(ErrorCode::conflict, now.name + " was voided by " + now.voided_by + "");
    }
    co_return Result<FileRow>(std::move(now));
}

namespace {

Result<void> may_void(Context& context, const FileRow& file) {
    const auto restoration = ledger::open_restoration(context.ledger);
    if (restoration && !restoration->compared_at) {
        return fail(ErrorCode::conflict, file.name +
                                             " is not voided: the ledger was restored, and the file may have gone out "
                                             "since: 'drawbridge status' shows what to compare first");
    }
    if (context.transfer_worker != nullptr && context.transfer_worker->uploading_file == file.file_id) {
        return fail(ErrorCode::conflict,
                    file.name + " is being uploaded: wait, or run 'drawbridge pause --reason …' first");
    }
    // After a restore, its draws stay held as possibly_paid.
    if (file.state == FileState::releasing && !is_still_here(context, file) &&
        !ledger::may_have_left_before(context.ledger, file.file_id)) {
        return fail(ErrorCode::conflict, file.name +
                                             " is not voided: it is no longer in spool/staged and may have left: " +
                                             what_to_do_if_gone(file));
    }
    const auto delivery = ledger::find_delivery(context.ledger, file.file_id);
    const bool has_left = file.state == FileState::released && (!delivery || !delivery->method.by_sftp);
    if (file.state == FileState::voided || has_left) return {};
    if (const auto exception = ledger::acknowledged_unsent(context.ledger, file.file_id)) {
        return fail(ErrorCode::conflict, file.name + " is not voided: the bank acknowledges it (exception " +
                                             std::to_string(*exception) +
                                             "), and its draws would be paid again: ask the bank, resolve that "
                                             "exception, then void");
    }
    // A void pays the draw again. Refuse while the bank has an open line about a payment that it should not know.
    const auto open = ledger::open_exception_of_payments(context.ledger, file.file_id, "confirm");
    if (!open) return {};
    const std::string id = std::to_string(open->exception_id);
    return fail(ErrorCode::conflict,
                file.name + " is not voided: the bank sent a line about a payment in it (exception " + id +
                    "), and its draw would be paid again: find out what the bank did, run 'drawbridge resolve " + id +
                    " --reason …', then void");
}

// Finance may read spool/outgoing, and nobody knows where a file went that is missing from spool/staged, or what one
// that was changed there is.
bool may_have_copies(Context& context, const FileRow& file) {
    if (file.kind == disbursement::FileKind::check_orders) return false;  // a second void or stop pays nothing
    return file.released_at || (file.staged_at && context.spool.staged_sha256(file.name) != file.sha256);
}

// Removes a voided file's bytes, also its encrypted form, and a copy in outgoing/ that waits for its upload.
void remove_bytes(Context& context, const FileRow& file) {
    const auto delivery = ledger::find_delivery(context.ledger, file.file_id);
    const std::string& leaving = delivery ? delivery->name : file.name;
    context.spool.remove_staged(file.name);
    if (leaving != file.name) context.spool.remove_staged(leaving);
    if (file.state == FileState::released) context.spool.remove_outgoing(leaving);
}

// `has_copies`: may_have_copies(), which reads the file, from before the transaction.
Result<void> record_void(Context& context, const FileRow& file, bool has_copies, std::string_view reason,
                         const ledger::Stamp& stamp) {
    auto done = ledger::void_file(context.ledger, file, reason, stamp);
    if (!done) return done;
    // The next file pays the same draws, so the copies must not reach the bank.
    if (has_copies) ledger::record_maker_of_draws(context.ledger, ledger::MakerAct::voided, file.file_id, stamp);
    // So must what somebody said of an upload that may have arrived.
    for (const auto& fact : ledger::delivery_steps(context.ledger, file.file_id)) {
        if (fact.step == disbursement::DeliveryStep::again)
            ledger::record_maker_of_draws(context.ledger, ledger::MakerAct::voided, file.file_id,
                                          {fact.at, fact.by, fact.uid});
    }
    ledger::close_exceptions_of_subject(context.ledger, file.name, "the file is void", stamp);
    ledger::close_exceptions_of_payments(context.ledger, file.file_id, "its payment is void", stamp);
    for (const DrawId id : ledger::disbursed_draws_of_file(context.ledger, file.file_id))
        tell_if_disbursed_unpaid(context, id);
    return {};
}

}  // namespace

Result<FileRow> void_file(Context& context, std::string_view name, std::string_view reason,
                          const ledger::Stamp& stamp) {
    const auto file = find_named(context, name);
    if (!file) return std::unexpected(file.error());
    if (auto may = may_void(context, *file); !may) return std::unexpected(may.error());
    const bool has_copies = may_have_copies(context, *file);
    const auto voided =
        context.ledger.transaction([&] { return record_void(context, *file, has_copies, reason, stamp); });
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
                    "there is no payment " + name + ": 'drawbridge file NAME' lists a file's payments");
    }
    const auto file = find_named(context, place->file_name);
    if (!file) return std::unexpected(file.error());
    if (auto may = may_void(context, *file); !may) return std::unexpected(may.error());
    if (file->state == FileState::released && place->check_number) {
        return fail(ErrorCode::conflict, name + " has gone out in " + file->name + ": 'drawbridge void --check " +
                                             std::to_string(*place->check_number) +
                                             " --reason …' orders the bank to void the check");
    }
    const bool has_copies = may_have_copies(context, *file);
    const auto voided = context.ledger.transaction([&] {
        auto done = record_void(context, *file, has_copies, "payment " + name + ": " + std::string(reason), stamp);
        if (done) ledger::record_payment_void(context.ledger, payment_id, place->draw_id, reason, stamp);
        return done;
    });
    if (!voided) return std::unexpected(voided.error());
    crash_point("void.committed");
    remove_bytes(context, *file);
    return VoidedPayment{reload(context, *file), place->draw_id};
}

}  // namespace drawbridge::pipeline
