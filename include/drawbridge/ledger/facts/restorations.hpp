// A ledger that may not know what was paid: restored from a backup, rolled back to an older copy, or moved. No money
// moves until it is compared with the service and the files sent, and a person ends the restoration.
//
// It reads no file and calls no service; the caller does (pipeline/after_restore.hpp).
#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/returns.hpp"
#include "drawbridge/reconciliation/manifest.hpp"

namespace drawbridge::ledger {

enum class RestoredHow {
    restored,  // by `drawbridge restore`
    older,     // it lacks what the high-water mark or a manifest names
    copied,    // it is not the file that was used last
};
BOOST_DESCRIBE_ENUM(RestoredHow, restored, older, copied)

[[nodiscard]] std::string_view to_string(RestoredHow how);  // "restored", "older", "copied"

struct Restoration {
    std::int64_t restoration_id = 0;
    Instant at;
    std::string by;
    RestoredHow how = RestoredHow::restored;
    std::string detail;
    ReadingId newest_reading = 0;  // when it began; 0: none
    std::optional<Instant> compared_at;
    std::optional<bool> complete;  // once compared: the manifests cover all the time that the ledger lacks
    std::string summary;
    std::int64_t held = 0;  // draws with an open exception that holds them
};
BOOST_DESCRIBE_STRUCT(Restoration, (), (at, by, how, detail, compared_at, complete, summary, held))
// The restoration that nobody has resolved yet.
[[nodiscard]] std::optional<Restoration> open_restoration(Ledger& ledger);

// Pauses all money movement until resolve_restoration(). Does nothing if a restoration is open that was not compared
// yet.
void begin_restoration(Ledger& ledger, RestoredHow how, std::string_view detail, const Stamp& stamp);

// --- results of the comparison

// The high-water mark next to the ledger, written before anything leaves for the bank.
struct HighWaterMark {
    std::int64_t audit_seq = 0;
    std::string audit_head;
    // nullopt: the trace does not say.
    std::optional<std::int64_t> export_no;
    std::string line_sha256;
    reconciliation::NextNumbers next;
    // The file id modifiers used up, by creation date of the latest ACH files.
    std::map<BusinessDate, std::string> file_id_modifiers;
    // The comparisons that could not account for everything sent, by when they were made.
    std::set<Instant> incomplete;
    // Another machine wrote or watched the ledger, too.
    bool has_other_hosts = false;
};
[[nodiscard]] std::optional<HighWaterMark> read_high_water_mark(const Ledger& ledger);
// True: this ledger made that comparison and has its results.
[[nodiscard]] bool knows_incomplete(Ledger& ledger, Instant compared_at);
[[nodiscard]] std::int64_t last_export_no(Ledger& ledger);
// When the ledger was last restored without manifests that show everything sent, and nobody has said that nothing else
// was.
[[nodiscard]] std::optional<Instant> last_incomplete_restore(Ledger& ledger);

struct SentPaymentFact {
    reconciliation::SentPayment sent;
    std::string payee_key;  // of the draw's newest reading; empty: it has none
};
struct SentFile {
    std::string name;
    std::string sha256;
    std::optional<std::int64_t> export_no;  // nullopt: no manifest of this ledger names it
    std::string line_sha256;
    std::optional<BusinessDate> creation_date;
    std::string file_id_modifier;
    // As its manifest says; empty if this ledger has the file and its payments.
    std::optional<Instant> released_at{};
    std::string released_by{};
    std::vector<SentPaymentFact> payments{};
};
// Its name counts as used, and its payments count for the limits and as earlier payments. False: it was already
// recorded.
bool record_sent_file(Ledger& ledger, const Restoration& restoration, const SentFile& file);
// Whether a file with this name and these bytes is recorded, by whatever trace.
[[nodiscard]] bool is_sent_file(Ledger& ledger, std::string_view name, std::string_view sha256);
// Names of the sent files that this restoration recorded and that no manifest of this ledger names.
[[nodiscard]] std::vector<std::string> files_sent_without_manifest(Ledger& ledger, const Restoration& restoration);
struct ReleasedBefore {
    Instant at;
    std::string by;
    std::string reason;
};
// A file that this ledger has as planned or staged was released by another copy: the manifest says so, with the same
// bytes, or the bank.
void record_released_before(Ledger& ledger, const Restoration& restoration, const FileRow& file, const SentFile& sent,
                            const ReleasedBefore& release, const Stamp& stamp);
// Moves the next free numbers past these; they never move back.
void advance_numbers(Ledger& ledger, const reconciliation::NextNumbers& next);

inline constexpr std::string_view paid_after_backup = "paid_after_backup";
inline constexpr std::string_view possibly_paid = "possibly_paid";
// The draw is on hold until a person resolves its exception, which `detail` describes. If the draw is on hold since an
// earlier restoration, the new exception replaces the old one and includes its text. Call it once per draw.
void hold_paid_after_backup(Ledger& ledger, const Restoration& restoration, DrawId id, const std::string& detail,
                            const Stamp& stamp);
// The hold as paid_after_backup, or as possibly_paid: the draw may have existed when a restoration with incomplete
// manifests was resolved, and neither a person nor the bank cleared it since.
[[nodiscard]] std::optional<PaymentHold> restored_hold(Ledger& ledger, DrawId id);
// What the exception of a draw that is possibly paid says.
[[nodiscard]] std::string possibly_paid_detail(Instant restored_at);
// A person allows the draw to be paid. False: it was not on hold for that reason.
bool lift_restored_hold(Ledger& ledger, DrawId id, std::string_view reason_code, std::string_view reason,
                        const Stamp& stamp);

// Draws that became Approved or Disbursed at the service since this ledger was written, and for which it has no live
// payment and no approval of its own that still counted then. Left out: draws for which this restoration has raised
// approved_after_backup.
struct ChangedUnseen {
    DrawId draw_id = 0;
    DrawStatus status = DrawStatus::approved;
};
[[nodiscard]] std::vector<ChangedUnseen> changed_unseen(Ledger& ledger, const Restoration& restoration);
inline constexpr std::string_view approved_after_backup = "approved_after_backup";
inline constexpr std::string_view disbursed_after_backup = "disbursed_after_backup";

void record_comparison(Ledger& ledger, const Restoration& restoration, bool complete, const std::string& summary,
                       const Stamp& stamp);

// --- the end of a restoration

// The draws that may be paid once the restoration is resolved. The person who resolves it vouches for them.
[[nodiscard]] std::vector<DrawId> draws_freed_by_resolving(Ledger& ledger, bool nothing_else_sent);
// Money may move again, and exceptions that only reported a result of the comparison are closed. `nothing_else_sent`:
// the bank confirms that it has no file other than those the manifests name: record_nothing_else_sent(). Errors: no
// restoration is open; it was not compared yet.
[[nodiscard]] Result<void> resolve_restoration(Ledger& ledger, bool nothing_else_sent, std::string_view reason,
                                               const Stamp& stamp);

// The bank confirms that it has no other files, possibly after the restoration was resolved: no draw is possibly paid
// any more, and the exceptions are closed. The person who says so is a maker of the files that pay these draws. False:
// no restoration with incomplete manifests waits for that.
[[nodiscard]] bool record_nothing_else_sent(Ledger& ledger, std::string_view reason, const Stamp& stamp);

// The file was in the ledger before this restore, whose manifests were incomplete, so it may have left under its name
// and numbers, even if its planning ended later. It is never released: the bank has it, or it is voided.
[[nodiscard]] std::optional<Restoration> may_have_left_before(Ledger& ledger, FileId file_id);

}  // namespace drawbridge::ledger
