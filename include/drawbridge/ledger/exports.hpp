// What was let go, in order: the ledger's side of the manifests, which are kept outside it.
//
// It writes no file: the line is handed out, and whoever moves payment files keeps it durably before the file can
// leave.
#pragma once

#include <string>
#include <vector>

#include "drawbridge/ledger/payments.hpp"
#include "drawbridge/reconciliation/manifest.hpp"

namespace drawbridge::ledger {

struct ExportedLine {
    Instant at;  // when the release was ordered
    std::string text;
};
// The file's line, the same at every call: its release was ordered. nullopt: it was ordered by a program that kept no
// manifests yet.
[[nodiscard]] std::optional<ExportedLine> export_line(Ledger& ledger, FileId file_id);

// Every export that the ledger knows of, by number.
[[nodiscard]] std::vector<reconciliation::KnownExport> known_exports(Ledger& ledger);
[[nodiscard]] bool knows_export(Ledger& ledger, std::int64_t export_no, std::string_view line_sha256);

}  // namespace drawbridge::ledger
