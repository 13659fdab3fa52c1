#include "drawbridge/pipeline/after_restore.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <ranges>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "drawbridge/disbursement/delivery.hpp"
#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/facts/confirmations.hpp"
#include "drawbridge/ledger/facts/deliveries.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/exports.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/restorations.hpp"
#include "drawbridge/ledger/facts/sent_before.hpp"
#include "drawbridge/ledger/store/traces.hpp"
#include "drawbridge/nacha/parse.hpp"
#include "drawbridge/pipeline/high_water.hpp"
#include "drawbridge/spool/archive.hpp"
#include "payable.hpp"
#include "step_runner.hpp"
#include "upload.hpp"

namespace drawbridge::pipeline {
namespace {

using ledger::FileState;
using reconciliation::ExportLine;
using reconciliation::ManifestEntry;

constexpr std::size_t max_payment_file_bytes = 256ULL * 1024 * 1024;

struct RestoreComparison {
    Context& context;
    ledger::Restoration restoration;
    ledger::Stamp stamp;
    std::int64_t files = 0;     // went out without this ledger
    std::int64_t paid = 0;      // draws that those files paid
    std::int64_t possibly = 0;  // draws to be paid that may have been paid
    std::int64_t approved = 0, disbursed = 0;
    std::vector<std::string> gaps = {};  // why the manifests are incomplete
    // The payments of those files, by draw. A draw may have been paid, returned and paid again.
    std::map<DrawId, std::vector<std::string>> payments = {};

    void raise(std::string_view reason, std::optional<DrawId> id, std::optional<std::int64_t> payment_id,
               const std::string& subject, const std::string& detail) const {
        ledger::raise_exception(context.ledger, {"pay", std::string(reason), id, payment_id, subject, detail}, stamp);
    }
};

ledger::SentFile sent_file(const ManifestEntry& entry) {
    return {entry.line.file, entry.line.sha256,        entry.line.export_no,
            entry.hash,      entry.line.creation_date, entry.line.file_id_modifier};
}

// With the payments that this ledger does not know.
ledger::SentFile lost_file(Context& context, const ManifestEntry& entry) {
    auto file = sent_file(entry);
    file.released_at = entry.line.at;
    file.released_by = entry.line.released_by;
    if (entry.line.kind == "check_orders") return file;
    for (const auto& payment : entry.line.payments) {
        const auto known = ledger::newest_reading(context.ledger, payment.draw_id);
        file.payments.push_back({payment, known ? payee_key(context, known->draw).value_or("") : ""});
    }
    return file;
}

// Whether the bytes that this ledger planned are the bytes that went out.
bool has_same_bytes(Context& context, const ledger::FileRow& file, std::string_view sha256) {
    if (!file.sha256.empty()) return file.sha256 == sha256;
    const auto stored = ledger::load_file(context.ledger, file.file_id);
    const auto bytes = disbursement::render(stored.file, stored.profile);
    return bytes && sha256_hex(*bytes) == sha256;
}

bool is_unreleased(const ledger::FileRow& file) {
    return file.state == FileState::planned || file.state == FileState::staged;
}

void collect_payments(RestoreComparison& found, const ExportLine& line) {
    for (const auto& payment : line.payments) {
        if (line.kind == "check_orders") {
            found.raise("check_ended_after_backup", payment.draw_id, std::nullopt, line.file,
                        "check " + payment.reference + " was voided or stopped with " + line.file + " of " +
                            format_instant(line.at) +
                            ", after the backup that this ledger was restored from: order it again if the ledger "
                            "shows the check as out, or ask the bank");
            continue;
        }
        found.payments[payment.draw_id].push_back(
            ledger::hold_text({payment.draw_id, line.file, line.at, payment.amount, payment.reference}));
    }
}

// Each draw has one exception, which names all its payments: it may be resolved only if all of them came back.
void hold_paid_draws(RestoreComparison& found) {
    for (const auto& [draw_id, payments] : found.payments) {
        std::string what = payments.front();
        for (std::size_t i = 1; i < payments.size(); ++i)
            what += ", and " + payments[i];
        const std::string condition = payments.size() == 1
                                          ? "that payment was returned"
                                          : "all " + std::to_string(payments.size()) + " payments were returned";
        ledger::hold_paid_after_backup(
            found.context.ledger, found.restoration, draw_id,
            what +
                ", after the backup that this ledger was restored from: it is not paid again. Enter its confirmation "
                "in the portal; resolve this only if " +
                condition + " and the draw is to be paid again",
            found.stamp);
        ++found.paid;
    }
}

// The manifest's line is written before the file can leave, so it alone does not prove that the file left. `is_known`:
// this ledger planned the file.
void flag_uncertain_release(RestoreComparison& found, const ExportLine& line, bool is_known) {
    const auto& context = found.context;
    const auto rail = disbursement::parse_rail(line.rail);
    const auto* target = rail ? &target_of(context.settings, *rail) : nullptr;
    const bool by_sftp = target != nullptr && target->sftp;
    std::string why;
    if (is_known && context.spool.has_staged(line.file)) {
        why = "it is still in spool/staged";
    } else if (is_known && by_sftp) {
        why = "it goes by SFTP, and this ledger does not know whether it was sent";
    } else if (is_known && target != nullptr && target->openpgp) {
        why = "it is to be encrypted, and this ledger does not know whether it was sent";
    } else if (!is_known && ledger::is_in_postgresql(context.ledger) && !by_sftp &&
               !context.spool.outgoing_size(line.file)) {
        // Such a ledger may be rolled back together with the loss of the machine that released the file.
        why =
            "if another machine wrote then, it may still be in the spool/outgoing of that machine (the archive of a "
            "machine that stood by has its bytes, too)";
    }
    if (why.empty()) return;
    found.raise("sent_file_unsure", std::nullopt, std::nullopt, line.file,
                line.file + " was released, according to its manifest, and " + why +
                    ": it counts as released and is not sent again. Ask the bank whether it has it (SHA-256 " +
                    line.sha256 + "); if not, take exactly these bytes to the bank yourself, and then resolve this");
}

// One file that the manifests name and that this ledger does not know as sent.
void apply_export(RestoreComparison& found, const ManifestEntry& entry) {
    auto& ledger = found.context.ledger;
    const auto& line = entry.line;
    ++found.files;
    ledger::advance_numbers(ledger, line.next);
    const auto known = ledger::find_file(ledger, line.file);
    if (known && is_unreleased(*known) && has_same_bytes(found.context, *known, line.sha256)) {
        ledger::record_released_before(
            ledger, found.restoration, *known, sent_file(entry),
            {line.at, line.released_by, "it went out before the ledger was restored, as its manifest says"},
            found.stamp);
        flag_uncertain_release(found, line, /*is_known=*/true);
        return;
    }
    if (known && known->sha256 != line.sha256) {
        found.raise("sent_file_differs", std::nullopt, std::nullopt, line.file,
                    entry.place + " names " + line.file +
                        ", and this ledger has a different file with that name: void it; what the bank has counts");
    }
    ledger::record_sent_file(ledger, found.restoration, lost_file(found.context, entry));
    flag_uncertain_release(found, line, /*is_known=*/false);
    collect_payments(found, line);
}

// Manifests that lack an export of this ledger are older than it, or lines were removed: they may also lack what went
// out later.
void compare_sent_exports(RestoreComparison& found, const std::vector<ManifestEntry>& entries) {
    std::set<std::string_view> lines;
    for (const auto& entry : entries)
        lines.insert(entry.hash);
    for (const auto& sent : ledger::sent_exports(found.context.ledger)) {
        if (lines.contains(sent.line_sha256)) continue;
        found.gaps.push_back("export " + std::to_string(sent.export_no) + " (" + sent.file +
                             "), which this ledger knows, is in no manifest");
    }
}

void compare_manifests(RestoreComparison& found) {
    auto& ledger = found.context.ledger;
    auto reading = read_manifests(found.context.spool, reconciliation::WithPayments::yes);
    found.gaps.insert(found.gaps.end(), reading.faults.begin(), reading.faults.end());
    compare_sent_exports(found, reading.entries);
    std::ranges::stable_sort(reading.entries, {}, [](const ManifestEntry& entry) { return entry.line.export_no; });
    for (const auto& entry : reading.entries) {
        if (entry.line.ledger_id != ledger.ledger_id()) {
            found.gaps.push_back(entry.place + " belongs to another ledger");
            ledger::advance_numbers(ledger, entry.line.next);  // the bank has seen these numbers, whoever used them
            ledger::record_sent_file(ledger, found.restoration,
                                     {entry.line.file, entry.line.sha256, std::nullopt, "", entry.line.creation_date,
                                      entry.line.file_id_modifier});
            continue;
        }
        if (ledger::knows_export(ledger, entry.line.export_no, entry.hash)) continue;
        const auto last = ledger::last_export_no(ledger);
        if (entry.line.export_no != last + 1) {
            found.gaps.push_back(entry.place + ": export " + std::to_string(entry.line.export_no) + " follows " +
                                 std::to_string(last));
        }
        apply_export(found, entry);
    }
    hold_paid_draws(found);
}

// The files on the bank's server that started this restoration. Call it before anything else is recorded as sent.
void compare_server(RestoreComparison& found) {
    for (const auto& name : ledger::files_sent_without_manifest(found.context.ledger, found.restoration))
        found.gaps.push_back("the bank's server has " + name + ", which is in no manifest");
}

// Positions that the traces outside the ledger record and that this ledger lacks.
void compare_lost_positions(RestoreComparison& found) {
    for (const auto& lost : ledger::lost_positions(found.context.ledger, found.restoration)) {
        const auto last = ledger::last_export_no(found.context.ledger);
        if (lost.export_no && *lost.export_no > last) {
            found.gaps.push_back(lost.source + " records export " + std::to_string(*lost.export_no) +
                                 ", the manifests end at " + std::to_string(last));
        }
        for (const Instant at : lost.incomplete) {
            if (ledger::knows_incomplete(found.context.ledger, at)) continue;
            found.gaps.push_back(lost.source + " records the comparison of " + format_instant(at) +
                                 ", which found the manifests incomplete");
        }
    }
}

// `last_known`: the last export that this ledger knew before it read the manifests.
void compare_high_water_mark(RestoreComparison& found, std::int64_t last_known) {
    const auto mark = ledger::read_high_water_mark(found.context.ledger);
    if (!mark) return found.gaps.emplace_back("ledger.mark, which says how many files went out, is missing"), void();
    if (ledger::knows_position(found.context.ledger, *mark)) {
        ledger::advance_numbers(found.context.ledger, mark->next);
    } else {
        ledger::record_lost_position(found.context.ledger, found.restoration, "ledger.mark", *mark, found.stamp);
    }
    if (!mark->export_no) {
        found.gaps.emplace_back("ledger.mark was written by a version that wrote no manifests");
    } else if (const auto last = ledger::last_export_no(found.context.ledger); *mark->export_no > last) {
        found.gaps.push_back("ledger.mark records export " + std::to_string(*mark->export_no) +
                             ", the manifests end at " + std::to_string(last));
    } else if (*mark->export_no < last_known) {
        found.gaps.push_back("ledger.mark records export " + std::to_string(*mark->export_no) +
                             ", but this ledger knows export " + std::to_string(last_known) +
                             ": the mark is older than the ledger");
    }
    for (const Instant at : mark->incomplete) {
        if (ledger::knows_incomplete(found.context.ledger, at)) continue;
        found.gaps.push_back("the comparison of " + format_instant(at) +
                             ", after an earlier restore, found the manifests incomplete, and the holds of that time "
                             "are not in this ledger");
    }
    if (found.restoration.how == ledger::RestoredHow::copied) {
        found.gaps.emplace_back(
            "the mark and the manifests may have been restored together with the ledger, or another machine may have "
            "sent more");
    }
}

// The numbers used by an ACH file that no manifest names.
void move_numbers_past_entries(RestoreComparison& found, const nacha::File& file) {
    reconciliation::NextNumbers next;
    for (const auto& batch : file.batches) {
        next.batch_number = std::max(next.batch_number, batch.header.batch_number + 1);
        for (const auto& entry : batch.entries) {
            constexpr std::size_t sequence_at = 8;
            if (entry.trace_number.size() <= sequence_at) continue;
            next.trace_sequence =
                std::max<std::int64_t>(next.trace_sequence, std::stoll(entry.trace_number.substr(sequence_at)) + 1);
            const auto payment = disbursement::parse_payment_id(entry.individual_identification);
            if (payment) next.payment_id = std::max(next.payment_id, *payment + 1);
        }
    }
    ledger::advance_numbers(found.context.ledger, next);
}

// A file in outgoing/ that neither the ledger nor a manifest names.
void record_unknown_file(RestoreComparison& found, const std::string& name) {
    const auto bytes = found.context.spool.read_outgoing(name, max_payment_file_bytes);
    if (!bytes) return found.gaps.push_back(bytes.error().message), void();
    ledger::SentFile sent{name, sha256_hex(*bytes), std::nullopt, "", std::nullopt, ""};
    if (ledger::is_sent_file(found.context.ledger, name, sent.sha256)) return;
    if (const auto file = nacha::parse(*bytes)) {
        sent.creation_date = file->header.file_creation_date;
        sent.file_id_modifier = std::string(1, file->header.file_id_modifier);
        move_numbers_past_entries(found, *file);
    }
    if (!ledger::record_sent_file(found.context.ledger, found.restoration, sent)) return;
    ++found.files;
    found.gaps.push_back("spool/outgoing/" + name + " is in no manifest");
    found.raise("sent_file_unknown", std::nullopt, std::nullopt, name,
                "spool/outgoing/" + name +
                    " is in neither this ledger nor a manifest: ask the bank whether it was sent and whom it paid");
}

// An encrypted file of this ledger, byte for byte.
bool is_encrypted_by_us(RestoreComparison& found, const std::string& name) {
    const auto sha256 = ledger::encrypted_sha256(found.context.ledger, name);
    return sha256 && found.context.spool.outgoing_sha256(name) == sha256;
}

void compare_outgoing(RestoreComparison& found) {
    for (const auto& name : found.context.spool.outgoing_names()) {
        if (is_encrypted_by_us(found, name)) continue;
        const auto known = ledger::find_file(found.context.ledger, name);
        if (!known) {
            record_unknown_file(found, name);
        } else if (is_unreleased(*known)) {
            found.gaps.push_back("spool/outgoing/" + name + " is there, but in no manifest");
            found.raise("sent_file_differs", std::nullopt, std::nullopt, name,
                        "spool/outgoing/" + name +
                            " is there, but this ledger has it as not released: ask the bank whether it has it before "
                            "you void or release it");
        }
    }
}

bool is_in_manifest(RestoreComparison& found, ledger::FileId file_id) {
    const auto line = ledger::export_line(found.context.ledger, file_id);
    return line && found.context.spool.is_in_manifest(line->text);
}

// Files that this ledger wants to encrypt, but that were released since, in bytes that it does not know. They must not
// be encrypted and sent again.
void flag_encrypted_since(RestoreComparison& found) {
    for (const auto& file : ledger::files_to_encrypt(found.context.ledger)) {
        if (file.state != FileState::releasing || !is_in_manifest(found, file.file_id)) continue;
        found.raise("sent_file_unsure", std::nullopt, std::nullopt, file.name,
                    file.name +
                        " was encrypted and released, according to its manifest, after this ledger was written: it "
                        "counts as released and is not sent again. Ask the bank whether it has it; if not, take it to "
                        "the bank yourself, and then resolve this");
        ledger::record_released(found.context.ledger, file.file_id, found.stamp);
    }
}

// Files on their way to the bank's server, as far as this ledger knows, including those not known to have left.
std::vector<ledger::DeliveryRow> uncertain_deliveries(RestoreComparison& found) {
    auto rows = ledger::open_deliveries(found.context.ledger);
    for (const auto& file : ledger::payment_files(found.context.ledger, /*unreleased_only=*/true)) {
        if (file.state != FileState::releasing) continue;
        auto row = ledger::find_delivery(found.context.ledger, file.file_id);
        const bool waits_here = row && (row->sha256.empty() || found.context.spool.has_staged(row->name));
        if (row && row->method.by_sftp && !waits_here) rows.push_back(*std::move(row));
    }
    return rows;
}

// A file that was on its way to the bank's server may have arrived since. It is not sent again before a person has
// asked the bank.
void flag_uncertain_deliveries(RestoreComparison& found) {
    auto& ledger = found.context.ledger;
    for (const auto& row : uncertain_deliveries(found)) {
        if (row.delivered_at) continue;
        const auto state = disbursement::delivery_state(ledger::delivery_steps(ledger, row.file_id));
        if (state.phase == disbursement::DeliveryPhase::needs_person) continue;
        disbursement::DeliveryFact fact;
        fact.step = disbursement::DeliveryStep::uncertain;
        fact.at = found.stamp.at;
        fact.by = found.stamp.actor;
        fact.detail = "the ledger was restored, and the bank may have received " + row.name +
                      " since: ask whether it has it (SHA-256 " + row.sha256 + "); it is not sent again automatically";
        ledger::record_delivery_step(ledger, row.file_id, fact);
        found.raise("delivery_uncertain", std::nullopt, std::nullopt, row.file_name, fact.detail);
    }
}

// The ledger holds every draw that may have existed by now; people are shown those that would be paid next.
void raise_possibly_paid(RestoreComparison& found) {
    auto& ledger = found.context.ledger;
    auto ids = ledger::draws_to_pay(ledger);
    for (const auto& file : ledger::payment_files(ledger, /*unreleased_only=*/true)) {
        for (const auto& payment : ledger::load_file(ledger, file.file_id).file.payments)
            ids.push_back(payment.draw_id);
    }
    for (const DrawId id : ids) {
        if (ledger::restored_hold(ledger, id)) continue;  // a manifest shows that it was paid
        const bool is_new = ledger::raise_exception(ledger,
                                                    {"pay", std::string(ledger::possibly_paid), id, std::nullopt, "",
                                                     ledger::possibly_paid_detail(found.restoration.at)},
                                                    found.stamp);
        if (is_new) ++found.possibly;
    }
}

// Archived files of the bank, "2026/11/22/<first 12 digits of the hash>-NAME", that this ledger has not recorded.
std::vector<std::string> unread_bank_files(RestoreComparison& found) {
    constexpr std::size_t digits = 12;
    const auto known = ledger::confirmation_hashes(found.context.ledger, digits);
    std::vector<std::string> unread;
    const spool::Archive archive(found.context.spool.state_dir(), {});
    for (const auto& [path, stored] : archive.list()) {
        const std::string name = path.substr(path.rfind('/') + 1);
        const bool is_bank_file =
            name.size() > digits && name[digits] == '-' && name.find_first_not_of("0123456789abcdef") == digits;
        if (is_bank_file && !known.contains(name.substr(0, digits)) && !ledger::find_file(found.context.ledger, name))
            unread.push_back(path);
    }
    return unread;
}

void raise_unread_bank_files(RestoreComparison& found) {
    const auto unread = unread_bank_files(found);
    if (unread.empty()) return;
    constexpr std::size_t max_shown = 20;
    found.raise("bank_files_unread", std::nullopt, std::nullopt, "spool/archive",
                fmt::format("spool/archive has {} of the bank that this ledger has not read: {}{}",
                            counted(std::ssize(unread), "file"), fmt::join(unread | std::views::take(max_shown), ", "),
                            unread.size() > max_shown ? ", …" : ""));
}

void raise_approved(const RestoreComparison& found, DrawId id) {
    found.raise(
        ledger::approved_after_backup, id, std::nullopt, "",
        "the service shows it as Approved since this ledger was written, and the ledger has no approval for it: no "
        "file that went out paid it. Ask who approved it: it is paid after 'drawbridge resume --reason …', and the "
        "person who "
        "runs that vouches for it");
}

void compare_readings(RestoreComparison& found) {
    for (const auto& draw : ledger::changed_unseen(found.context.ledger, found.restoration)) {
        if (ledger::restored_hold(found.context.ledger, draw.draw_id)) continue;
        if (draw.status == DrawStatus::disbursed) {
            ++found.disbursed;
            found.raise(ledger::disbursed_after_backup, draw.draw_id, std::nullopt, "",
                        "the service shows it as Disbursed since this ledger was written, and the ledger has no "
                        "payment for it: it is not paid; check whether a file paid it");
        } else if (found.gaps.empty()) {  // otherwise it is possibly paid
            ++found.approved;
            raise_approved(found, draw.draw_id);
        }
    }
}

std::string summarize(const RestoreComparison& found) {
    std::string text =
        counted(found.files, "file") + " went out without this ledger, which paid " + counted(found.paid, "draw") +
        "; of the draws without a payment in this ledger, the service shows " + std::to_string(found.approved) +
        " approved and " + std::to_string(found.disbursed) + " disbursed since it was written";
    if (found.gaps.empty()) return text + "; the manifests are complete";
    text += "; " + counted(found.possibly, "draw") +
            " to be paid may have been paid already, and so may every other draw requested so far, no matter what the "
            "service shows: the manifests are incomplete: ";
    constexpr std::size_t max_listed = 3;
    return fmt::format("{}{}{}", text, fmt::join(found.gaps | std::views::take(max_listed), "; "),
                       found.gaps.size() > max_listed ? " …" : "");
}

}  // namespace

std::optional<std::string> compare_after_restore(Context& context) {
    auto restoration = ledger::open_restoration(context.ledger);
    if (!restoration || restoration->compared_at) return std::nullopt;
    RestoreComparison found{context, *std::move(restoration), context.stamp()};
    std::string summary;
    context.ledger.transaction([&] {
        const auto last_known = ledger::last_export_no(context.ledger);
        compare_server(found);
        compare_manifests(found);
        compare_lost_positions(found);
        compare_high_water_mark(found, last_known);
        compare_outgoing(found);
        flag_encrypted_since(found);
        flag_uncertain_deliveries(found);
        if (!found.gaps.empty()) raise_possibly_paid(found);
        compare_readings(found);
        raise_unread_bank_files(found);
        summary = summarize(found);
        ledger::record_comparison(context.ledger, found.restoration, found.gaps.empty(), summary, found.stamp);
    });
    crash_point("keep.compared");
    ledger::write_high_water_mark(context.ledger);  // from here on, a ledger without this comparison is an older copy
    return summary;
}

void report_late_approvals(Context& context) {
    auto restoration = ledger::open_restoration(context.ledger);
    if (!restoration || !restoration->complete.value_or(false)) return;  // without complete manifests: possibly paid
    const RestoreComparison found{context, *std::move(restoration), context.stamp()};
    context.ledger.transaction([&] {
        for (const auto& draw : ledger::changed_unseen(context.ledger, found.restoration)) {
            if (draw.status == DrawStatus::approved && !ledger::restored_hold(context.ledger, draw.draw_id))
                raise_approved(found, draw.draw_id);
        }
    });
}

}  // namespace drawbridge::pipeline
