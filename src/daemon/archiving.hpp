// Keeps the archive: seals what is old enough, deletes what the policy says, holds the folders against the ledger, and
// reads for whoever may ask. The files are read and written in a thread of their own. Private to this module.
//
// A file is sealed in this order: the sealed form is durable and was read back; the ledger knows it; the plain form
// goes. After a crash between two of these the next run goes on. Only bytes that the ledger knows are sealed: after a
// restore, a bank file that it does not know stays as it is, to be handed in again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "application.hpp"
#include "drawbridge/admin/handlers.hpp"
#include "drawbridge/ledger/verify.hpp"

namespace drawbridge::daemon {

struct ArchiveWork {
    std::int64_t sealed = 0, found_sealed = 0, deleted = 0;
    bool is_more = false;  // this was one slice
    std::vector<std::string> problems;
    void add(ArchiveWork slice);
    [[nodiscard]] std::string summary() const;
    [[nodiscard]] bool did_nothing() const { return sealed + found_sealed + deleted == 0 && problems.empty(); }
};
// Nothing is done while the archive is checked. Error: the files cannot be worked on; the next run goes on.
[[nodiscard]] asio::awaitable<Result<ArchiveWork>> keep_archive(Application& app);

// Reads every file of the archive and of the quarantine and adds to invariant 7 what is changed or missing.
[[nodiscard]] asio::awaitable<Result<void>> add_archive_check(Application& app,
                                                              std::vector<ledger::InvariantResult>& results);

[[nodiscard]] asio::awaitable<Result<std::vector<admin::ArchiveEntry>>> list_archive(Application& app);
[[nodiscard]] asio::awaitable<Result<std::string>> read_archived(Application& app, std::string path,
                                                                 std::uint64_t offset, std::size_t most);

}  // namespace drawbridge::daemon
