#include "drawbridge/pipeline/take_over.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "arrivals.hpp"
#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/ledger/facts/arrivals.hpp"
#include "drawbridge/ledger/facts/deliveries.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/restorations.hpp"
#include "drawbridge/ledger/store/lease.hpp"
#include "drawbridge/ledger/store/standby.hpp"
#include "drawbridge/pipeline/mirror.hpp"
#include "drawbridge/pipeline/payment_files.hpp"

namespace drawbridge::pipeline {
namespace {

using ledger::FileRow;
using ledger::FileState;

constexpr std::string_view lost_host = "released_on_lost_host";
// The bank's side has collected an older file, or the missing confirmations have been noticed.
constexpr std::chrono::days recently_released{30};

// False: it is not what the ledger says, and was removed.
bool stage_again(Context& context, const FileRow& file) {
    if (context.spool.staged_sha256(file.name) == file.sha256) return true;
    if (write_again(context.ledger, context.spool, file) == file.sha256) return true;
    context.spool.remove_staged(file.name);
    return false;
}

bool stage_encrypted_again(Context& context, const ledger::Encryption& encryption) {
    if (context.spool.staged_sha256(encryption.name) == encryption.sha256) return true;
    const auto bytes = ledger::stored_bytes(context.ledger, encryption.sha256);
    return bytes && context.spool.write_staged(encryption.name, *bytes).has_value();
}

// A file that waits for its upload. What cannot be made again is missed by `deliver`, which says so.
void put_in_outgoing(Context& context, const FileRow& file, const ledger::DeliveryRow& delivery) {
    if (context.spool.outgoing_sha256(delivery.name) == delivery.sha256) return;
    const bool is_staged =
        delivery.encryption ? stage_encrypted_again(context, *delivery.encryption) : stage_again(context, file);
    if (is_staged) static_cast<void>(context.spool.release(delivery.name));
}

// What is in the other host's outgoing/: nobody else has its bytes.
void archive_again(Context& context, const FileRow& file) {
    const auto delivery = ledger::find_delivery(context.ledger, file.file_id);
    const auto date = context.settings.plan.zone.date_of(*file.release_ordered_at);
    const auto archive = [&](const std::string& name) {
        static_cast<void>(context.spool.archive_payment_file(spool::Place::staged, name, date));
    };
    if (stage_again(context, file)) archive(file.name);
    if (!delivery || !delivery->encryption) return;
    if (stage_encrypted_again(context, *delivery->encryption)) archive(delivery->encryption->name);
}

// Removes copies from when this host was the writer: the file has left from another host.
void remove_leftovers(Context& context, const FileRow& file, const std::optional<ledger::DeliveryRow>& delivery) {
    const auto& leaving = delivery ? delivery->name : file.name;
    for (const auto& name : {file.name, leaving})
        if (context.spool.staged_sha256(name)) context.spool.remove_staged(name);
    if (delivery && delivery->archived_at && context.spool.outgoing_size(delivery->name))
        context.spool.remove_outgoing(delivery->name);
}

void bring_here(Context& context, const FileRow& file) {
    const auto delivery = ledger::find_delivery(context.ledger, file.file_id);
    const bool by_sftp = delivery && delivery->method.by_sftp;
    const bool is_leaving = file.state == FileState::releasing;
    if (file.state == FileState::staged || (is_leaving && by_sftp)) {
        static_cast<void>(stage_again(context, file));
        if (delivery && delivery->encryption) static_cast<void>(stage_encrypted_again(context, *delivery->encryption));
    }
    if (is_leaving && !by_sftp) archive_again(context, file);
    if (file.state != FileState::released) return;
    remove_leftovers(context, file, delivery);
    if (by_sftp && !delivery->archived_at) put_in_outgoing(context, file, *delivery);
}

// Claims the files that the other host had claimed or was about to claim.
void claim_arrivals(Context& context) {
    auto& spool = context.spool;
    const auto claimed_here = claimed_hashes(context);
    for (const auto& arrival : ledger::open_arrivals(context.ledger)) {
        if (std::ranges::find(claimed_here, arrival.sha256) != claimed_here.end()) continue;
        const auto bytes = ledger::stored_bytes(context.ledger, arrival.sha256);
        if (!bytes)
            throw std::runtime_error("the bytes of " + arrival.sha256 + ", which arrived, are not in the ledger");
        const auto now = context.clock.now();
        const auto id = spool.begin_upload(/*owner=*/0, now);
        static_cast<void>(spool.append_upload(id, 0, *bytes));
        const auto claimed = spool.claim_upload(id, arrival.name, arrival.profile, now);
        if (!claimed) throw std::runtime_error("a confirmation file cannot be claimed: " + claimed.error().message);
    }
}

// Whether the bank collects the file from the outgoing/ of this host, which wrote the ledger before.
bool is_in_outgoing(Context& context, const FileRow& file) {
    const auto delivery = ledger::find_delivery(context.ledger, file.file_id);
    return context.spool.outgoing_sha256(delivery ? delivery->name : file.name) ==
           (delivery ? delivery->sha256 : file.sha256);
}

std::vector<FileRow> uncollected(Context& context) {
    auto files = ledger::possibly_uncollected(context.ledger, lost_host, context.clock.now() - recently_released);
    std::erase_if(files, [&](const FileRow& file) { return is_in_outgoing(context, file); });
    return files;
}

// The other host raised them when it took over from this one.
void close_files_of_this_host(Context& context) {
    for (const auto& row : ledger::open_exceptions(context.ledger)) {
        if (row.what.reason_code != lost_host) continue;
        const auto file = ledger::find_file(context.ledger, row.what.subject);
        if (!file || !is_in_outgoing(context, *file)) continue;
        ledger::close_exceptions_of_subject(
            context.ledger, file->name, lost_host,
            "spool/outgoing of this host has the file, and the bank collects it there: bring no copy", context.stamp());
    }
}

void raise_lost(Context& context, const FileRow& file, const std::string& what) {
    ledger::raise_exception(
        context.ledger,
        {"pay", std::string(lost_host), std::nullopt, std::nullopt, file.name,
         file.name + " " + what + " on " + ledger::predecessor(context.ledger) +
             ", and this host cannot see that folder: ask whether the bank has it (SHA-256 " + file.sha256 +
             "); it is not offered again, and its bytes are in spool/archive of this host"},
        context.stamp());
}

// What left, or may have left, through the other host's outgoing/.
void flag_files_of_lost_host(Context& context) {
    for (const auto& file : ledger::payment_files(context.ledger, /*unreleased_only=*/true)) {
        const auto delivery = ledger::find_delivery(context.ledger, file.file_id);
        if (file.state != FileState::releasing || (delivery && delivery->method.by_sftp)) continue;
        const bool is_encrypted = !delivery || !delivery->method.encrypted || delivery->encryption;
        if (!is_encrypted) continue;  // nothing can have left
        ledger::record_released(context.ledger, file.file_id, context.stamp());
        raise_lost(context, file, "was on its way to spool/outgoing");
    }
    for (const auto& file : uncollected(context))
        raise_lost(context, file, "was released into spool/outgoing");
}

}  // namespace

void close_found_files(Context& context) {
    const auto found = ledger::proven_since(context.ledger, lost_host);
    if (found.empty()) return;
    context.ledger.transaction([&] {
        for (const auto& name : found)
            ledger::close_exceptions_of_subject(context.ledger, name, "the bank has the file", context.stamp());
    });
}

void take_over(Context& context) {
    if (!ledger::is_taken_over(context.ledger)) return;
    const auto& zone = context.settings.plan.zone;
    Mirrored so_far;
    complete_manifests(context.ledger, context.spool, zone, so_far);
    complete_archive(context.ledger, context.spool, zone, so_far);
    claim_arrivals(context);
    for (const auto& file : ledger::payment_files(context.ledger, /*unreleased_only=*/false))
        bring_here(context, file);
    for (const auto& file : uncollected(context))
        archive_again(context, file);
    crash_point("takeover.files_restored");
    context.ledger.transaction([&] {
        close_files_of_this_host(context);
        flag_files_of_lost_host(context);
        ledger::record_takeover(context.ledger, context.stamp());
    });
    crash_point("takeover.recorded");
    // The comparison after a restore reads the mark of before.
    if (!ledger::open_restoration(context.ledger)) ledger::write_high_water_mark(context.ledger);
}

}  // namespace drawbridge::pipeline
