#include "mark.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include "connection.hpp"
#include "drawbridge/ledger/exceptions.hpp"
#include "drawbridge/ledger/runs.hpp"

namespace drawbridge::ledger {
namespace {

constexpr const char* mark_name = "ledger.mark";

[[noreturn]] void throw_errno(const std::filesystem::path& path) {
    throw std::system_error(errno, std::generic_category(), path.string());
}

void sync_path(const std::filesystem::path& path, int flags) {
    const int fd = ::open(path.c_str(), flags | O_CLOEXEC);
    if (fd < 0) throw_errno(path);
    const int failed = ::fsync(fd);
    ::close(fd);
    if (failed != 0) throw_errno(path);
}

bool holds(Ledger& ledger, std::int64_t seq, const std::string& hash) {
    Query query(ledger, "SELECT 1 FROM audit WHERE seq = ? AND hash = ?", seq, hash);
    return query.next();
}

}  // namespace

void write_mark(Ledger& ledger) {
    const auto& connection = ledger.connection();
    DRAWBRIDGE_ASSERT(!connection.in_transaction, "the mark names what is committed");
    const auto path = connection.state_dir / mark_name;
    auto temporary = path;
    temporary += ".tmp";
    {
        std::ofstream out(temporary, std::ios::trunc);
        out << connection.committed_seq << ' ' << connection.committed_head << '\n';
        out.close();
        if (!out) throw_errno(temporary);
    }
    sync_path(temporary, O_RDONLY);
    std::filesystem::rename(temporary, path);
    sync_path(connection.state_dir, O_RDONLY | O_DIRECTORY);
}

void pause_if_older(Ledger& ledger, Instant now) {
    const auto path = ledger.connection().state_dir / mark_name;
    std::ifstream in(path);
    std::int64_t seq = 0;
    std::string hash;
    if (!in || !(in >> seq >> hash) || holds(ledger, seq, hash)) return;
    const Stamp stamp{now, "drawbridge"};
    ledger.transaction([&] {
        const std::string detail =
            "the ledger lacks entry " + std::to_string(seq) + " of its audit trail, which " + path.string() +
            " names: it is an older copy, and files that it does not know may have gone to the bank. "
            "Hold it against the service and the files sent, then 'drawbridge resume'";
        if (!is_paused(ledger)) set_paused(ledger, /*paused=*/true, detail, stamp);
        raise_exception(ledger, {"pay", "ledger_is_older", std::nullopt, std::nullopt, mark_name, detail}, stamp);
    });
}

}  // namespace drawbridge::ledger
