// Maintains the archive: seals old files, deletes files by policy, compares the folders with the ledger, and reads
// files for authorized people. A separate thread reads and writes the files.
//
// Sealing a file: make the sealed form durable and read it back, record it in the ledger, remove the plain form. After
// a crash in between, the next run continues. Only bytes that the ledger knows are sealed: after a restore, an unknown
// bank file stays plain, so that it can be ingested again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "drawbridge/admin/program.hpp"
#include "drawbridge/daemon/application.hpp"
#include "drawbridge/ledger/reports/verify.hpp"

namespace drawbridge::daemon {

struct ArchiveWork {
    std::int64_t sealed = 0, found_sealed = 0, deleted = 0;
    bool is_more = false;  // more slices follow
    std::vector<std::string> problems;
    void add(ArchiveWork slice);
    [[nodiscard]] std::string summary() const;
    [[nodiscard]] bool did_nothing() const { return sealed + found_sealed + deleted == 0 && problems.empty(); }
};
// Does nothing while a check of the archive runs. Error: the files cannot be processed; the next run continues.
[[nodiscard]] asio::awaitable<Result<ArchiveWork>> keep_archive(Application& app);

// Reads every file in the archive and the quarantine. Adds changed or missing files to invariant 7.
[[nodiscard]] asio::awaitable<Result<void>> add_archive_check(Application& app,
                                                              std::vector<ledger::InvariantResult>& results);

[[nodiscard]] asio::awaitable<Result<std::vector<admin::ArchiveEntry>>> list_archive(Application& app);
[[nodiscard]] asio::awaitable<Result<std::string>> read_archived(Application& app, std::string path,
                                                                 std::uint64_t offset, std::size_t most);

}  // namespace drawbridge::daemon
