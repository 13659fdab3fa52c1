// A ledger that may not know what was done before: restored from a backup, put back as an older copy, or moved. Nothing
// moves until it was held against the service and the files sent, and a person has ended it.
//
// It looks at no file and asks no service: what they show is the caller's to find out (pipeline/after_restore.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/ledger/payments.hpp"
#include "drawbridge/ledger/returns.hpp"
#include "drawbridge/reconciliation/manifest.hpp"

namespace drawbridge::ledger {

enum class RestoredHow {
    restored,  // by `drawbridge restore`
    older,     // it lacks what the mark or a manifest names
    copied,    // it is another file than the one that was used last
};

[[nodiscard]] std::string_view to_string(RestoredHow how);  // "restored", "older", "copied"

struct Restoration {
    std::int64_t restoration_id = 0;
    Instant at;
    std::string by;
    RestoredHow how = RestoredHow::restored;
    std::string detail;
    std::optional<Instant> compared_at;
    bool complete = false;  // once compared: the manifests cover all the time that the ledger does not
    std::string summary;
    std::int64_t held = 0;  // draws that are not paid until a person says so
};
// The one that no person has ended yet.
[[nodiscard]] std::optional<Restoration> open_restoration(Ledger& ledger);

// Pauses all movement of money, which only resolve_restoration() ends. Nothing new where one is open already.
void begin_restoration(Ledger& ledger, RestoredHow how, std::string_view detail, const Stamp& stamp);

// --- what the comparison finds

// What lies beside the ledger and is written before anything leaves for the bank.
struct HighWaterMark {
    std::int64_t audit_seq = 0;
    std::string audit_head;
    // nullopt: it was written by a program that kept no manifests yet.
    std::optional<std::int64_t> export_no;
    std::string line_sha256;
    reconciliation::NextNumbers next;
    // The file id modifiers that were used up on the newest day with an ACH file.
    std::optional<BusinessDate> creation_date;
    std::string file_id_modifiers;
    // The newest comparison that could not account for all that went out.
    std::optional<Instant> incomplete_at;
};
[[nodiscard]] std::optional<HighWaterMark> read_high_water_mark(const Ledger& ledger);
// This ledger made the comparison, and holds what it found.
[[nodiscard]] bool knows_incomplete(Ledger& ledger, Instant compared_at);
[[nodiscard]] std::int64_t last_export_no(Ledger& ledger);

struct SentFile {
    std::string name;
    std::string sha256;
    std::optional<std::int64_t> export_no;  // none: no manifest of this ledger names it
    std::string line_sha256;
    std::optional<BusinessDate> creation_date;
    std::string file_id_modifier;
};
// Its name is used up. False: it was recorded before.
bool record_sent_file(Ledger& ledger, const Restoration& restoration, const SentFile& file);
// Their names; of those that this restoration recorded and that no manifest of this ledger names.
[[nodiscard]] std::vector<std::string> files_sent_without_manifest(Ledger& ledger, const Restoration& restoration);
struct ReleasedBefore {
    Instant at;
    std::string by;
};
// A file that the ledger knows as planned or staged went out without it: the manifest says so, with these very bytes.
void record_released_before(Ledger& ledger, const Restoration& restoration, const FileRow& file, const SentFile& sent,
                            const ReleasedBefore& release, const Stamp& stamp);
// The numbers go on behind these; they never go back.
void advance_numbers(Ledger& ledger, const reconciliation::NextNumbers& next);

inline constexpr std::string_view paid_after_backup = "paid_after_backup";
inline constexpr std::string_view possibly_paid = "possibly_paid";
// The draw is not paid until a person settles its exception. False: it is held already.
bool add_restored_hold(Ledger& ledger, const Restoration& restoration, DrawId id, std::string_view reason_code,
                       const std::string& detail, const Stamp& stamp);
[[nodiscard]] std::optional<PaymentHold> restored_hold(Ledger& ledger, DrawId id);
// A person says that it may be paid. False: it was not held for that reason.
bool lift_restored_hold(Ledger& ledger, DrawId id, std::string_view reason_code, std::string_view reason,
                        const Stamp& stamp);

// Draws that became Approved or Disbursed at the service while this ledger did not look, and for which it has no
// payment and no approval of its own.
struct ChangedUnseen {
    DrawId draw_id = 0;
    DrawStatus status = DrawStatus::approved;
};
[[nodiscard]] std::vector<ChangedUnseen> changed_unseen(Ledger& ledger, const Restoration& restoration);
inline constexpr std::string_view approved_after_backup = "approved_after_backup";
inline constexpr std::string_view disbursed_after_backup = "disbursed_after_backup";

void record_comparison(Ledger& ledger, const Restoration& restoration, bool complete, const std::string& summary,
                       const Stamp& stamp);

// --- the end of it

// The draws that settling frees to be paid: whoever settles it answers for them.
[[nodiscard]] std::vector<DrawId> draws_freed_by_resolving(Ledger& ledger, bool nothing_else_sent);
// Money may move again; what the comparison only told is closed. `nothing_else_sent`: the bank confirms that it has no
// file beyond those that the manifests name, and what is held as possibly paid may be paid. Errors: none is open, it
// was not compared yet.
[[nodiscard]] Result<void> resolve_restoration(Ledger& ledger, bool nothing_else_sent, std::string_view reason,
                                               const Stamp& stamp);

// The bank's word about files beyond the manifests, which may come after the rest is settled: every hold as possibly
// paid is lifted, and its case is closed. Gives their number.
[[nodiscard]] std::int64_t lift_possibly_paid(Ledger& ledger, std::string_view reason, const Stamp& stamp);

// The file was planned before a restore after which no manifests told what had left: it may have left under its name
// and numbers. Never released any more; void it.
[[nodiscard]] bool may_have_left_before_restore(Ledger& ledger, std::string_view file_name);

}  // namespace drawbridge::ledger
