// The manifest: one JSON line for each released payment file, stored outside the ledger in one file per day.
//
// It tells a restored ledger what went to the bank without it, and shows an auditor that the ledger was not rewritten:
// each line contains the head of the audit chain and the SHA-256 of the previous line. It contains no account number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/domain/error.hpp"
#include "drawbridge/domain/money.hpp"
#include "drawbridge/domain/time.hpp"

namespace drawbridge::reconciliation {

struct SentPayment {
    std::int64_t payment_id = 0;
    DrawId draw_id = 0;
    Money amount;
    std::string reference;  // the trace number or the check number
    friend bool operator==(const SentPayment&, const SentPayment&) = default;
};

// The next free number of each range when the file was released.
struct NextNumbers {
    std::int64_t payment_id = 1, trace_sequence = 1, check_number = 1, batch_number = 1, file_sequence = 1;
    friend bool operator==(const NextNumbers&, const NextNumbers&) = default;
};

struct ExportLine {
    std::int64_t export_no = 0;  // 1, 2, 3 … without gaps, across all days
    Instant at;                  // when the release was ordered
    std::string released_by;
    std::string act_sha256 = {};  // of the text that was signed for the release; empty: no act was signed
    std::string ledger_id;
    std::string file;
    std::string kind;  // "payments", "check_orders"
    std::string rail;  // "ach", "check"
    std::string sha256;
    BusinessDate creation_date;
    std::string file_id_modifier;  // empty for a check file
    std::int64_t prenotes = 0;
    Money total;
    // In a file of check orders: the checks that it voids or stops. Empty if they were not read.
    std::vector<SentPayment> payments;
    NextNumbers next;
    std::int64_t audit_seq = 0;
    std::string audit_head;
    std::string previous;  // SHA-256 of the previous line; the ledger's id for the first
    friend bool operator==(const ExportLine&, const ExportLine&) = default;
};

// Whether the payments of a line are read. They are most of it.
enum class WithPayments { no, yes };

// Without a line end; equal values give equal bytes.
[[nodiscard]] std::string to_line(const ExportLine& line);
// `payments`, each added by append_payment(), in place of the line's own.
[[nodiscard]] std::string to_line(const ExportLine& line, std::string_view payments);
void append_payment(std::string& payments, const SentPayment& payment);
[[nodiscard]] Result<ExportLine> parse_line(std::string_view text, WithPayments with = WithPayments::yes);
[[nodiscard]] std::string line_hash(std::string_view text);

struct ManifestEntry {
    std::string place;  // "2026-03-04.jsonl:3"
    std::string hash;   // of its text
    ExportLine line;
};
struct ManifestContents {
    std::vector<ManifestEntry> entries;  // by file and line
    std::vector<std::string> faults;     // unreadable lines
};
// Adds a line. Its place: "2026-03-04.jsonl:1".
void read_manifest_line(std::string place, std::string_view text, WithPayments with, ManifestContents& contents);
// Adds the lines of one day's file, which is named "2026-03-04.jsonl".
void read_manifest(std::string_view name, std::string_view bytes, WithPayments with, ManifestContents& contents);

// One export as the ledger records it.
struct KnownExport {
    std::int64_t export_no = 0;
    std::string file, sha256, line_sha256;
    std::int64_t audit_seq = 0;
    std::string audit_head;      // of the audit row with that number now; empty: there is none
    bool from_manifest = false;  // learned from a manifest after a restore: the ledger has only its name
    bool went_out = true;  // false: its line may not be written yet, or a restoration found the manifests incomplete
    std::string derived_sha256 = {};  // of the line that the ledger's rows give now; empty for from_manifest
};

enum class Manifests {
    beside_ledger,  // the ones that the program writes: they contain every export
    copied,         // copies from elsewhere: exports after the newest line may be missing
};
// Differences between the manifests and the ledger, in both directions; empty: they agree.
[[nodiscard]] std::vector<std::string> compare_manifests(const ManifestContents& manifests,
                                                         const std::vector<KnownExport>& exports,
                                                         std::string_view ledger_id, Manifests kept);

}  // namespace drawbridge::reconciliation
