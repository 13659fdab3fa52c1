#include "drawbridge/pipeline/after_restore.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "drawbridge/disbursement/delivery.hpp"
#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/deliveries.hpp"
#include "drawbridge/ledger/exceptions.hpp"
#include "drawbridge/ledger/exports.hpp"
#include "drawbridge/ledger/payments.hpp"
#include "drawbridge/ledger/restorations.hpp"
#include "drawbridge/ledger/traces.hpp"
#include "drawbridge/nacha/parse.hpp"
#include "step_runner.hpp"
#include "upload.hpp"

namespace drawbridge::pipeline {
namespace {

using ledger::FileState;
using reconciliation::ExportLine;
using reconciliation::ManifestEntry;

constexpr std::size_t largest_payment_file = 256ULL * 1024 * 1024;

struct RestoreComparison {
    Context& context;
    ledger::Restoration restoration;
    ledger::Stamp stamp;
    std::int64_t files = 0;     // that went out without this ledger
    std::int64_t paid = 0;      // draws that they paid
    std::int64_t possibly = 0;  // draws of which nobody can say
    std::int64_t approved = 0, disbursed = 0;
    std::vector<std::string> gaps;  // why the manifests do not tell everything

    void raise(std::string_view reason, std::optional<DrawId> id, std::optional<std::int64_t> payment_id,
               const std::string& subject, const std::string& detail) const {
        ledger::raise_exception(context.ledger, {"pay", std::string(reason), id, payment_id, subject, detail}, stamp);
    }
};

ledger::SentFile sent_file(const ManifestEntry& entry) {
    return {entry.line.file, entry.line.sha256,        entry.line.export_no,
            entry.hash,      entry.line.creation_date, entry.line.file_id_modifier};
}

// The bytes of a file that this ledger planned: those that went out, whoever wrote them.
bool is_the_same(Context& context, const ledger::FileRow& file, std::string_view sha256) {
    if (!file.sha256.empty()) return file.sha256 == sha256;
    const auto stored = ledger::load_file(context.ledger, file.file_id);
    const auto bytes = disbursement::render(stored.file, stored.profile);
    return bytes && sha256_hex(*bytes) == sha256;
}

bool is_unreleased(const ledger::FileRow& file) {
    return file.state == FileState::planned || file.state == FileState::staged;
}

void hold_paid(RestoreComparison& found, const ExportLine& line) {
    for (const auto& payment : line.payments) {
        const std::string what = line.file + " of " + format_instant(line.at) + " paid it " +
                                 payment.amount.to_display() + " under " + payment.reference;
        if (line.kind == "check_orders") {
            found.raise("check_ended_after_backup", payment.draw_id, std::nullopt, line.file,
                        "check " + payment.reference + " was voided or stopped with " + line.file + " of " +
                            format_instant(line.at) +
                            ", and this ledger was put back to before it: order it again if the ledger shows the check "
                            "as out, or see to it at the bank");
            continue;
        }
        const bool is_new = ledger::hold_restored(
            found.context.ledger, found.restoration, payment.draw_id, ledger::paid_after_backup,
            what +
                ", and this ledger was put back to before it: it is not paid again. See to its confirmation in the "
                "portal; settle this only if that payment came back and the draw is to be paid anew",
            found.stamp);
        if (is_new) ++found.paid;
    }
}

// The manifest's line is written before the file can leave: by itself it is no proof that it left.
void doubt_release(RestoreComparison& found, const ledger::FileRow& file) {
    const auto& target = target_of(found.context.settings, file.rail);
    std::string why;
    if (found.context.spool.staged_sha256(file.name)) {
        why = "it still lies in spool/staged";
    } else if (target.sftp) {
        why = "it was to go by SFTP, and this ledger does not know whether it went";
    } else if (target.openpgp) {
        why = "it was to be encrypted, and this ledger does not know whether it went";
    }
    if (why.empty()) return;
    found.raise("sent_file_unsure", std::nullopt, std::nullopt, file.name,
                file.name + " was let go, says its manifest, and " + why +
                    ": it counts as released and is not sent again. Ask the bank whether it has it; if not, bring it "
                    "there yourself, the very bytes, and then settle this");
}

// One file that the manifests name and this ledger does not know to have gone.
void take_export(RestoreComparison& found, const ManifestEntry& entry) {
    auto& ledger = found.context.ledger;
    const auto& line = entry.line;
    ++found.files;
    ledger::move_numbers_past(ledger, line.next);
    const auto known = ledger::find_file(ledger, line.file);
    if (known && is_unreleased(*known) && is_the_same(found.context, *known, line.sha256)) {
        ledger::record_released_before(ledger, found.restoration, *known, sent_file(entry), {line.at, line.released_by},
                                       found.stamp);
        doubt_release(found, *known);
        return;
    }
    if (known && known->sha256 != line.sha256) {
        found.raise("sent_file_differs", std::nullopt, std::nullopt, line.file,
                    entry.place + " names " + line.file +
                        ", and this ledger has another file of that name: void it, and keep to what the bank has");
    }
    ledger::record_sent_file(ledger, found.restoration, sent_file(entry));
    hold_paid(found, line);
}

void compare_manifests(RestoreComparison& found) {
    auto& ledger = found.context.ledger;
    std::vector<reconciliation::ManifestFile> files;
    for (auto& file : found.context.spool.manifests())
        files.push_back({std::move(file.name), std::move(file.bytes)});
    auto reading = reconciliation::read_manifests(files);
    found.gaps.insert(found.gaps.end(), reading.faults.begin(), reading.faults.end());
    std::ranges::stable_sort(reading.entries, {}, [](const ManifestEntry& entry) { return entry.line.export_no; });
    for (const auto& entry : reading.entries) {
        if (entry.line.ledger_id != ledger.ledger_id()) {
            found.gaps.push_back(entry.place + " is of another ledger");
            ledger::move_numbers_past(ledger, entry.line.next);  // whoever used them, the bank has seen them
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
        take_export(found, entry);
    }
}

// What began this restoration, where the bank's server told. Before anything else is recorded as sent.
void compare_server(RestoreComparison& found) {
    for (const auto& name : ledger::sent_outside_manifests(found.context.ledger, found.restoration))
        found.gaps.push_back("the bank's server has " + name + ", which is in no manifest");
}

// What the traces outside the ledger knew that it lacks.
void compare_lost_positions(RestoreComparison& found) {
    for (const auto& lost : ledger::lost_positions(found.context.ledger, found.restoration)) {
        const auto last = ledger::last_export_no(found.context.ledger);
        if (lost.export_no && *lost.export_no > last) {
            found.gaps.push_back(lost.source + " knows of export " + std::to_string(*lost.export_no) +
                                 ", the manifests end at " + std::to_string(last));
        }
        if (lost.incomplete_at && !ledger::knows_incomplete(found.context.ledger, *lost.incomplete_at)) {
            found.gaps.push_back(lost.source + " knows of the comparison of " + format_instant(*lost.incomplete_at) +
                                 ", which found that the manifests do not tell everything");
        }
    }
}

void compare_mark(RestoreComparison& found) {
    const auto mark = ledger::read_high_water_mark(found.context.ledger);
    if (!mark) return found.gaps.emplace_back("ledger.mark is gone, which says how many files went out"), void();
    if (ledger::knows_position(found.context.ledger, *mark)) {
        ledger::move_numbers_past(found.context.ledger, mark->next);
    } else {
        ledger::record_lost_position(found.context.ledger, found.restoration, "ledger.mark", *mark, found.stamp);
    }
    if (!mark->export_no) {
        found.gaps.emplace_back("ledger.mark was written by a program that kept no manifests");
    } else if (const auto last = ledger::last_export_no(found.context.ledger); *mark->export_no > last) {
        found.gaps.push_back("ledger.mark knows of export " + std::to_string(*mark->export_no) +
                             ", the manifests end at " + std::to_string(last));
    }
    if (mark->incomplete_at && !ledger::knows_incomplete(found.context.ledger, *mark->incomplete_at)) {
        found.gaps.push_back("the comparison of " + format_instant(*mark->incomplete_at) +
                             ", after an earlier restore, found that the manifests do not tell everything, and what "
                             "was held then is not in this ledger");
    }
    if (found.restoration.how == ledger::RestoredHow::copied) {
        found.gaps.emplace_back("the mark and the manifests may have been put back together with the ledger");
    }
}

// The numbers of an ACH file of which nothing else tells.
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
    ledger::move_numbers_past(found.context.ledger, next);
}

// A file in outgoing/ that neither the ledger nor a manifest names.
void take_unnamed(RestoreComparison& found, const std::string& name) {
    const auto bytes = found.context.spool.read_outgoing(name, largest_payment_file);
    if (!bytes) return found.gaps.push_back(bytes.error().message), void();
    ledger::SentFile sent{name, sha256_hex(*bytes), std::nullopt, "", std::nullopt, ""};
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
                    " is there and neither this ledger nor a manifest knows it: find out with the bank whether it "
                    "went, and whom it paid");
}

// An encrypted file that this ledger made, byte for byte.
bool is_encrypted_by_us(RestoreComparison& found, const std::string& name) {
    const auto sha256 = ledger::encrypted_sha256(found.context.ledger, name);
    return sha256 && found.context.spool.outgoing_sha256(name) == sha256;
}

void compare_outgoing(RestoreComparison& found) {
    for (const auto& name : found.context.spool.outgoing_names()) {
        if (is_encrypted_by_us(found, name)) continue;
        const auto known = ledger::find_file(found.context.ledger, name);
        if (!known) {
            take_unnamed(found, name);
        } else if (is_unreleased(*known)) {
            found.gaps.push_back("spool/outgoing/" + name + " went out without a manifest");
            found.raise("sent_file_differs", std::nullopt, std::nullopt, name,
                        "spool/outgoing/" + name +
                            " is there, and this ledger has it as not released: find out whether the bank has it "
                            "before it is voided or released");
        }
    }
}

bool names_in_manifest(RestoreComparison& found, ledger::FileId file_id) {
    const auto line = ledger::export_line(found.context.ledger, file_id);
    return line && std::ranges::any_of(found.context.spool.manifests(), [&](const auto& day) {
               return day.bytes.find(line->text) != std::string::npos;
           });
}

// To be encrypted, as far as this ledger knows, and let go since, in bytes that it does not know: it must not be
// encrypted and sent once more.
void take_encrypted_since(RestoreComparison& found) {
    for (const auto& file : ledger::files_to_encrypt(found.context.ledger)) {
        if (file.state != FileState::releasing || !names_in_manifest(found, file.file_id)) continue;
        found.raise("sent_file_unsure", std::nullopt, std::nullopt, file.name,
                    file.name +
                        " was encrypted and let go, says its manifest, after this ledger was written: it counts as "
                        "released and is not sent again. Ask the bank whether it has it; if not, bring it there "
                        "yourself, and then settle this");
        ledger::record_released(found.context.ledger, file.file_id, found.stamp);
    }
}

// Those on their way to the bank's server, as far as this ledger knows; also where it does not know that they left.
std::vector<ledger::DeliveryRow> deliveries_in_doubt(RestoreComparison& found) {
    auto rows = ledger::open_deliveries(found.context.ledger);
    for (const auto& file : ledger::payment_files(found.context.ledger, /*unreleased_only=*/true)) {
        if (file.state != FileState::releasing) continue;
        auto row = ledger::find_delivery(found.context.ledger, file.file_id);
        const bool waits_here = row && (row->sha256.empty() || found.context.spool.staged_sha256(row->name));
        if (row && row->way.by_sftp && !waits_here) rows.push_back(*std::move(row));
    }
    return rows;
}

// What was on its way to the bank's server may have arrived since: it is not sent again before a person has asked.
void doubt_deliveries(RestoreComparison& found) {
    auto& ledger = found.context.ledger;
    for (const auto& row : deliveries_in_doubt(found)) {
        if (row.delivered_at) continue;
        const auto state = disbursement::delivery_state(ledger::delivery_steps(ledger, row.file_id));
        if (state.phase == disbursement::DeliveryPhase::needs_person) continue;
        disbursement::DeliveryFact fact;
        fact.step = disbursement::DeliveryStep::uncertain;
        fact.at = found.stamp.at;
        fact.by = found.stamp.actor;
        fact.detail = "the ledger was put back, and the bank may have got " + row.name +
                      " since: ask whether it has it (SHA-256 " + row.sha256 + "); it is not sent again by itself";
        ledger::record_delivery_step(ledger, row.file_id, fact);
        found.raise("delivery_uncertain", std::nullopt, std::nullopt, row.file_name, fact.detail);
    }
}

void hold_what_may_have_been_paid(RestoreComparison& found) {
    auto ids = ledger::draws_to_pay(found.context.ledger);
    for (const auto& file : ledger::payment_files(found.context.ledger, /*unreleased_only=*/true)) {
        for (const auto& payment : ledger::load_file(found.context.ledger, file.file_id).file.payments)
            ids.push_back(payment.draw_id);
    }
    // Nor of what the service shows of these.
    for (const auto& row : ledger::open_exceptions(found.context.ledger)) {
        const bool unread = row.what.reason_code == "bad_record" || row.what.reason_code == "draw_gone";
        if (unread && row.what.draw_id) ids.push_back(*row.what.draw_id);
    }
    for (const DrawId id : ids) {
        const bool is_new = ledger::hold_restored(
            found.context.ledger, found.restoration, id, ledger::possibly_paid,
            "it is not paid as far as this ledger knows, which was put back, and the manifests do not "
            "tell "
            "everything that went out since: " +
                found.gaps.front() +
                ". Ask the bank; settle this if it was not paid, or all at once with 'drawbridge resume "
                "--nothing-else-sent'",
            found.stamp);
        if (is_new) ++found.possibly;
    }
}

void compare_readings(RestoreComparison& found) {
    for (const auto& draw : ledger::changed_unseen(found.context.ledger, found.restoration)) {
        if (ledger::restored_hold(found.context.ledger, draw.draw_id)) continue;
        const bool is_disbursed = draw.status == DrawStatus::disbursed;
        ++(is_disbursed ? found.disbursed : found.approved);
        found.raise(is_disbursed ? ledger::disbursed_after_backup : ledger::approved_after_backup, draw.draw_id,
                    std::nullopt, "",
                    is_disbursed ? "the service shows it as Disbursed since this ledger was written, which has no "
                                   "payment for it: it is not paid; look whether a file paid it"
                                 : "the service shows it as Approved since this ledger was written, which has no "
                                   "approval for it: no file that went out paid it, and it is paid after 'drawbridge "
                                   "resume'");
    }
}

std::string summarize(const RestoreComparison& found) {
    std::string text = counted(found.files, "file") + " went out without this ledger, which paid " +
                       counted(found.paid, "draw") + "; the service shows " + counted(found.approved, "draw") +
                       " approved and " + std::to_string(found.disbursed) + " disbursed since it was written";
    if (found.gaps.empty()) return text + "; the manifests tell of every file";
    text += "; " + counted(found.possibly, "draw") + " may have been paid: the manifests do not tell everything: ";
    constexpr std::size_t listed = 3;
    for (std::size_t i = 0; i < found.gaps.size() && i < listed; ++i)
        text += (i > 0 ? "; " : "") + found.gaps[i];
    return found.gaps.size() > listed ? text + " …" : text;
}

}  // namespace

std::optional<std::string> compare_after_restore(Context& context) {
    auto restoration = ledger::open_restoration(context.ledger);
    if (!restoration || restoration->compared_at) return std::nullopt;
    RestoreComparison found{context, *std::move(restoration), context.stamp(), 0, 0, 0, 0, 0, {}};
    std::string summary;
    context.ledger.transaction([&] {
        compare_server(found);
        compare_manifests(found);
        compare_lost_positions(found);
        compare_mark(found);
        compare_outgoing(found);
        take_encrypted_since(found);
        doubt_deliveries(found);
        if (!found.gaps.empty()) hold_what_may_have_been_paid(found);
        compare_readings(found);
        summary = summarize(found);
        ledger::record_comparison(context.ledger, found.restoration, found.gaps.empty(), summary, found.stamp);
    });
    crash_point("keep.compared");
    ledger::write_mark(context.ledger);  // from here on an older copy is one that lacks this comparison
    return summary;
}

}  // namespace drawbridge::pipeline
