// Confirmation files: each is applied once. The lines of a small file and their effects are one transaction; those of a
// large one are many, and nothing but the confirm step acts before the last of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/sum.hpp"
#include "drawbridge/ledger/store/ledger.hpp"
#include "drawbridge/reconciliation/match.hpp"

namespace drawbridge::ledger {

// Whether the same bytes were applied before.
[[nodiscard]] bool is_applied(Ledger& ledger, std::string_view sha256);

// Every payment that one of the references may refer to, each once.
[[nodiscard]] std::vector<reconciliation::OpenPayment> payments_for(Ledger& ledger,
                                                                    const std::vector<std::string>& references,
                                                                    const TimeZone& zone);

struct ConfirmationFile {
    std::string sha256;
    std::string name;
    std::int64_t size_bytes = 0;
    // Who handed it in: the owner of the file in the inbox, or the person who uploaded it; 0: no particular person.
    std::int64_t handed_in_uid = 0;
    std::string handed_in_by = {};  // for display
};

struct AppliedCounts {
    std::int64_t applied = 0, duplicates = 0, exceptions = 0, recorded = 0;
    Money paid;      // by the applied lines of kind paid
    Money returned;  // by the other applied lines: of kind returned or void
    [[nodiscard]] std::int64_t lines() const { return applied + duplicates + exceptions + recorded; }
};

// The lines of each kind of the applied file with this SHA-256.
[[nodiscard]] std::map<ConfirmationKind, Sum> applied_lines(Ledger& ledger, std::string_view sha256);

// The match as it is recorded: a returned prenote matches no payment, but it is a known entry of ours.
[[nodiscard]] reconciliation::Match as_recorded(Ledger& ledger, reconciliation::Match match);

// Records a file, its lines, their effects on payments, and exceptions, in pieces. All lines of one payment must be in
// the same piece. Each function must be called in a transaction, the pieces of a staged file in one each.
class ConfirmationRecord {
  public:
    // `staging_id`: the lines are staged under this number; nullopt: everything is one transaction.
    ConfirmationRecord(Ledger& ledger, ConfirmationFile file, std::int64_t line_count,
                       std::optional<std::int64_t> staging_id, const Stamp& stamp);
    // The file that was begun and not finished. Not in a transaction.
    [[nodiscard]] static std::optional<ConfirmationRecord> unfinished(Ledger& ledger, std::string actor);

    // Returns them as they are recorded.
    std::vector<reconciliation::Match> add(const std::vector<reconciliation::Match>& matches);
    // After the last piece, in its transaction.
    void finish();

    [[nodiscard]] const ConfirmationFile& file() const { return file_; }
    [[nodiscard]] std::int64_t staging_id() const { return staging_id_; }
    // The file's: all its facts are recorded as of one moment.
    [[nodiscard]] Instant recorded_at() const { return stamp_.at; }
    [[nodiscard]] std::int64_t line_count() const { return line_count_; }
    // The counts of all pieces, no matter which process recorded them.
    [[nodiscard]] AppliedCounts counts() const;

  private:
    ConfirmationRecord(Ledger& ledger, ConfirmationFile file, Stamp stamp);
    void add(const reconciliation::Match& match, std::int64_t line_id);
    void audit_settled(const reconciliation::Match& match, std::int64_t line_id);
    void count(const std::vector<reconciliation::Match>& matches);

    Ledger& ledger_;
    ConfirmationFile file_;
    Stamp stamp_;
    std::int64_t file_id_ = 0, line_count_ = 0, staging_id_ = 0;
};

// The first `digits` digits of the SHA-256 of every recorded file, applied or refused.
[[nodiscard]] std::set<std::string> confirmation_hashes(Ledger& ledger, std::size_t digits);
// When the incomplete file was begun: until it is complete, nothing may act on its lines. nullopt: no file is
// incomplete.
[[nodiscard]] std::optional<Instant> recording_since(Ledger& ledger);
// Error: a file is being recorded, and acts on bank lines must wait.
[[nodiscard]] Result<void> check_not_recording(Ledger& ledger);

// A small file in one piece. Only for tests and benchmarks: the product uses ConfirmationRecord.
AppliedCounts record_confirmations(Ledger& ledger, const ConfirmationFile& file,
                                   const std::vector<reconciliation::Match>& matches, const Stamp& stamp);
// A file that was refused as a whole; `report` says why, line by line.
void record_refused(Ledger& ledger, const ConfirmationFile& file, std::string_view report, const Stamp& stamp);

}  // namespace drawbridge::ledger
