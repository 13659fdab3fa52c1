// Released files in order: the ledger's side of the manifests, which are kept outside it.
//
// This module writes no file. It returns the line, and the code that moves payment files makes the line durable before
// the file can leave.
#pragma once

#include <string>
#include <vector>

#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/reconciliation/manifest.hpp"

namespace drawbridge::ledger {

struct ExportedLine {
    Instant at;  // when the release was ordered
    std::string text;
};
// The manifest line of a file whose release this ledger ordered, the same at every call; nullopt: it ordered none.
[[nodiscard]] std::optional<ExportedLine> export_line(Ledger& ledger, FileId file_id);
[[nodiscard]] std::optional<ExportedLine> export_line(Ledger& ledger, FileId file_id, ExportedPayments& payments);

// Exports with a greater number, in order: the next lines of a manifest that ends there.
struct NextExport {
    std::int64_t export_no = 0;
    ExportedLine line;
};
[[nodiscard]] std::vector<NextExport> exports_after(Ledger& ledger, std::int64_t export_no);

// Every export the ledger knows, by number.
[[nodiscard]] std::vector<reconciliation::KnownExport> known_exports(Ledger& ledger);
// The exports that left, as far as the ledger knows, by number. The manifests have a line for each.
struct SentExport {
    std::int64_t export_no = 0;
    std::string file, line_sha256;
};
[[nodiscard]] std::vector<SentExport> sent_exports(Ledger& ledger);
[[nodiscard]] bool knows_export(Ledger& ledger, std::int64_t export_no, std::string_view line_sha256);

}  // namespace drawbridge::ledger
