#include "drawbridge/ledger/store/disk_space.hpp"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <typeinfo>

#include "drawbridge/files/durable_file.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

std::uintmax_t size_of(const std::filesystem::path& path) {
    std::error_code none;
    const auto size = std::filesystem::file_size(path, none);
    return none ? 0 : size;
}

// SQLite does not report why a write failed, except for a full disk. Repeating the write on a file without a name
// distinguishes a quota or a size limit from a broken disk.
bool has_no_space(const std::filesystem::path& folder) {
    const int file = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (file < 0) return files::is_no_space(errno);
    const std::string block(std::size_t{64} * 1024, '\0');
    const auto end = std::max(size_of(folder / "ledger.db"), size_of(folder / "ledger.db-wal"));
    const auto written = ::pwrite(file, block.data(), block.size(), static_cast<off_t>(end));
    const bool is_full = written < 0 ? files::is_no_space(errno) : written < static_cast<ssize_t>(block.size());
    ::close(file);
    return is_full;
}

bool is_no_space(const std::filesystem::path& folder, const SQLite::Exception& failure) {
    return failure.getErrorCode() == SQLITE_FULL || (failure.getErrorCode() == SQLITE_IOERR && has_no_space(folder));
}

}  // namespace

std::optional<std::string> no_space(const std::filesystem::path& state_dir, const std::exception& failure) {
    constexpr std::string_view disk_full = "53100";
    if (const auto* of_server = dynamic_cast<const postgresql::Failure*>(&failure)) {
        if (of_server->state() != disk_full) return std::nullopt;
        return "no space left on the disk of the PostgreSQL server (" + std::string(failure.what()) +
               "): nothing is lost: free some space";
    }
    const auto* of_system = dynamic_cast<const std::system_error*>(&failure);
    const auto* of_ledger = dynamic_cast<const SQLite::Exception*>(&failure);
    const bool is_full = (of_system != nullptr && files::is_no_space(of_system->code().value())) ||
                         (of_ledger != nullptr && is_no_space(state_dir, *of_ledger));
    if (!is_full) return std::nullopt;
    const std::string what =
        of_ledger != nullptr ? (state_dir / "ledger.db").string() + ": " + failure.what() : failure.what();
    return "no space left on " + state_dir.string() + " (" + what + "): nothing is lost: free some space";
}

bool is_fatal(const std::exception& failure) {
    if (const auto* of_server = dynamic_cast<const postgresql::Failure*>(&failure)) {
        // Data, constraints, statements. Everything else, above all a lost connection, ends the process.
        return !of_server->is_of("22") && !of_server->is_of("23") && !of_server->is_of("42");
    }
    if (const auto* of_ledger = dynamic_cast<const SQLite::Exception*>(&failure)) {
        constexpr std::array mistakes{SQLITE_ERROR,  SQLITE_CONSTRAINT, SQLITE_MISMATCH,
                                      SQLITE_TOOBIG, SQLITE_RANGE,      SQLITE_MISUSE};
        return std::ranges::find(mistakes, of_ledger->getErrorCode()) == mistakes.end();
    }
    if (const auto* of_system = dynamic_cast<const std::system_error*>(&failure)) {
        constexpr std::array refusals{EACCES, EPERM,        ENOENT, EEXIST, ENOTDIR, EISDIR,
                                      EINVAL, ENAMETOOLONG, ELOOP,  EMFILE, ENFILE,  ENOMEM};
        return std::ranges::find(refusals, of_system->code().value()) == refusals.end();
    }
    // This module throws it itself: the ledger was changed or replaced.
    return typeid(failure) == typeid(std::runtime_error);
}

std::optional<std::string> no_space(const Ledger& ledger, const std::exception& failure) {
    return no_space(ledger.connection().state_dir, failure);
}

}  // namespace drawbridge::ledger
