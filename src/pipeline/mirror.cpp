#include "drawbridge/pipeline/mirror.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "drawbridge/ledger/facts/arrivals.hpp"
#include "drawbridge/ledger/facts/deliveries.hpp"
#include "drawbridge/ledger/facts/exports.hpp"
#include "drawbridge/ledger/store/standby.hpp"
#include "drawbridge/ledger/store/traces.hpp"
#include "drawbridge/pipeline/high_water.hpp"
#include "drawbridge/pipeline/payment_files.hpp"
#include "drawbridge/spool/archive.hpp"

namespace drawbridge::pipeline {
namespace {

namespace fs = std::filesystem;

constexpr int confirmations_per_page = 1000;

spool::StoredFiles archived_here(const spool::Spool& spool) {
    return spool::Archive(spool.state_dir(), {}).list();
}

// A refused file too: the quarantine of the other host, with its report, is not here.
void complete_confirmations(ledger::Ledger& ledger, spool::Spool& spool, const TimeZone& zone,
                            const spool::StoredFiles& here, Mirrored& so_far) {
    for (;;) {
        const auto page = ledger::kept_confirmations(ledger, so_far.confirmation_id, confirmations_per_page);
        for (const auto& file : page) {
            so_far.confirmation_id = file.confirmation_file_id;
            const auto path = fs::path(folder_of_day(zone.date_of(file.recorded_at))) /
                              spool::Spool::archived_name(file.sha256, file.name);
            if (here.contains(path.string())) continue;
            if (const auto bytes = ledger::stored_bytes(ledger, file.sha256)) spool.restore_archived(path, *bytes);
        }
        if (page.empty()) return;
    }
}

void complete_payment_files(ledger::Ledger& ledger, spool::Spool& spool, const TimeZone& zone,
                            const spool::StoredFiles& here) {
    for (const auto& copy : ledger::archived_copies(ledger, zone)) {
        if (here.contains(copy.path)) continue;
        if (copy.is_encrypted) {
            if (const auto bytes = ledger::stored_bytes(ledger, copy.sha256)) spool.restore_archived(copy.path, *bytes);
            continue;
        }
        const auto written = write_again(ledger, spool, *ledger::find_file(ledger, copy.file_name));
        const auto bytes = spool.read_staged(copy.file_name);
        if (written == copy.sha256 && bytes) spool.restore_archived(copy.path, *bytes);
        spool.remove_staged(copy.file_name);
    }
}

// How far the manifests of this host go. Error: farther than the ledger.
Result<std::int64_t> last_in_manifests(ledger::Ledger& ledger, const spool::Spool& spool) {
    const auto newest = newest_manifest_entry(spool, ledger.ledger_id());
    if (!newest) return 0;
    if (ledger::knows_export(ledger, newest->line.export_no, newest->hash)) return newest->line.export_no;
    return fail(ErrorCode::conflict, "the ledger lacks a file that " + newest->place + " names: it was rolled back");
}

Result<void> check_mark(ledger::Ledger& ledger) {
    const auto mark = ledger::read_high_water_mark(ledger);
    if (!mark || ledger::knows_position(ledger, *mark)) return {};
    return fail(ErrorCode::conflict, fmt::format("the ledger lacks entry {} of its audit trail, which ledger.mark "
                                                 "names: it was rolled back",
                                                 mark->audit_seq));
}

void add_lines(spool::Spool& spool, const TimeZone& zone, const std::vector<ledger::NextExport>& exports,
               Mirrored& so_far) {
    for (const auto& next : exports) {
        spool.add_manifest_line(zone.date_of(next.line.at), next.line.text);
        so_far.export_no = next.export_no;
    }
}

}  // namespace

Result<void> mirror(ledger::Ledger& reader, spool::Spool& spool, const TimeZone& zone, const ledger::HostInputs& inputs,
                    Instant now, Mirrored& so_far) {
    std::vector<ledger::NextExport> exports;
    Result<void> known;
    ledger::read_at_once(reader, [&] {
        known = check_mark(reader);
        if (known && so_far.export_no < 0) {
            const auto last = last_in_manifests(reader, spool);
            if (last) so_far.export_no = *last;
            if (!last) known = std::unexpected(last.error());
        }
        if (!known) return;
        exports = ledger::exports_after(reader, so_far.export_no);
        complete_archive(reader, spool, zone, so_far);
    });
    if (!known) return known;
    ledger::note_standby(reader, inputs, now);
    add_lines(spool, zone, exports, so_far);
    ledger::write_high_water_mark(reader);
    return {};
}

void complete_manifests(ledger::Ledger& ledger, spool::Spool& spool, const TimeZone& zone, Mirrored& so_far) {
    const auto last = last_in_manifests(ledger, spool);
    if (!last) return;  // check_traces() begins a restoration
    add_lines(spool, zone, ledger::exports_after(ledger, *last), so_far);
}

void complete_archive(ledger::Ledger& ledger, spool::Spool& spool, const TimeZone& zone, Mirrored& so_far) {
    const auto here = archived_here(spool);
    complete_confirmations(ledger, spool, zone, here, so_far);
    complete_payment_files(ledger, spool, zone, here);
}

}  // namespace drawbridge::pipeline
