// What a host keeps of a ledger in PostgreSQL that another host writes: its own manifests, high-water mark and archive.
// With them it can take over, and it notices a database that was set back.
#pragma once

#include <cstdint>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/domain/time.hpp"
#include "drawbridge/ledger/store/ledger.hpp"
#include "drawbridge/ledger/store/standby.hpp"
#include "drawbridge/spool/spool.hpp"

namespace drawbridge::pipeline {

// How far the files of this host go; kept by the process, from the first call on.
struct Mirrored {
    std::int64_t export_no = -1;       // -1: the manifests are not read yet
    std::int64_t confirmation_id = 0;  // of confirmation files in the archive
};

// Brings the files of this host up to what the ledger shows, which another process may write. Error: the traces of this
// host name what the ledger lacks, so it was set back; nothing is changed.
// `inputs` are what this host would work with.
[[nodiscard]] Result<void> mirror(ledger::Ledger& reader, spool::Spool& spool, const TimeZone& zone,
                                  const ledger::HostInputs& inputs, Instant now, Mirrored& so_far);

// The manifests and the archive alone, for the process that writes the ledger.
void complete_manifests(ledger::Ledger& ledger, spool::Spool& spool, const TimeZone& zone, Mirrored& so_far);
void complete_archive(ledger::Ledger& ledger, spool::Spool& spool, const TimeZone& zone, Mirrored& so_far);

}  // namespace drawbridge::pipeline
