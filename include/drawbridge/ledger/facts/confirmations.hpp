// Confirmation files: each is applied once, all its lines and their effects in one transaction.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/ledger/store/ledger.hpp"
#include "drawbridge/reconciliation/match.hpp"

namespace drawbridge::ledger {

// The same bytes were applied before.
[[nodiscard]] bool is_applied(Ledger& ledger, std::string_view sha256);

// Every payment that one of the references may refer to, each once.
[[nodiscard]] std::vector<reconciliation::OpenPayment> payments_for(Ledger& ledger,
                                                                    const std::vector<std::string>& references,
                                                                    const TimeZone& zone);

struct ConfirmationFile {
    std::string sha256;
    std::string name;
    std::int64_t size_bytes = 0;
    // Who handed it in: the owner of the file in the inbox, or the person who uploaded it; 0: nobody in particular.
    std::int64_t handed_in_uid = 0;
    std::string handed_in_by = {};  // for display
};

struct AppliedCounts {
    std::int64_t applied = 0, duplicates = 0, exceptions = 0, recorded = 0;
    Money paid;  // by the applied lines of kind paid
};

// The match as it is recorded: a returned prenote matches no payment, but it is a known entry of ours.
[[nodiscard]] reconciliation::Match as_recorded(Ledger& ledger, reconciliation::Match match);

// Records the file, its lines, their effects on payments, and exceptions, in pieces within one transaction. All lines
// of one payment must be in the same piece.
class ConfirmationRecord {
  public:
    ConfirmationRecord(Ledger& ledger, ConfirmationFile file, std::int64_t line_count, Stamp stamp);
    void add(const std::vector<reconciliation::Match>& matches);
    // After the last piece.
    AppliedCounts finish();

  private:
    void add(const reconciliation::Match& match);

    Ledger& ledger_;
    ConfirmationFile file_;
    Stamp stamp_;
    std::int64_t file_id_;
    AppliedCounts counts_;
};

// A small file in one piece.
AppliedCounts record_confirmations(Ledger& ledger, const ConfirmationFile& file,
                                   const std::vector<reconciliation::Match>& matches, const Stamp& stamp);
// A file that was refused as a whole; `report` says why, line by line.
void record_refused(Ledger& ledger, const ConfirmationFile& file, std::string_view report, const Stamp& stamp);

}  // namespace drawbridge::ledger
