// Records the ledger's position outside the ledger before anything leaves the process. A ledger that lacks a recorded
// position is an older copy: a restoration starts.
//
// The high-water mark is next to the ledger; the witness, a folder on another disk or machine, has a copy. A snapshot
// rolled back under a running machine takes back ledger, mark and process together. So the witness is read each time
// before it is written, and the position it names must be in the committed audit trail.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/pipeline/context.hpp"
#include "drawbridge/reconciliation/manifest.hpp"

namespace drawbridge::pipeline {

namespace asio = boost::asio;

// Compares the ledger with its traces: the witness and, once per start, the newest backup and the manifests. Then
// updates the witness. Errors: the witness cannot be used (an exception is open until it works again); the ledger is an
// older copy.
[[nodiscard]] asio::awaitable<Result<void>> check_traces(Context& context);

// check_traces(), then writes the mark. Both survive power loss on return. Nothing may leave unless it succeeds. It
// waits, so check again afterwards what may have changed.
[[nodiscard]] asio::awaitable<Result<void>> record_high_water_mark(Context& context);

// All manifests of this host.
[[nodiscard]] reconciliation::ManifestContents read_manifests(const spool::Spool& spool,
                                                              reconciliation::WithPayments with);
// The newest line of this ledger in them, without its payments.
[[nodiscard]] std::optional<reconciliation::ManifestEntry> newest_manifest_entry(const spool::Spool& spool,
                                                                                 const std::string& ledger_id);

}  // namespace drawbridge::pipeline
