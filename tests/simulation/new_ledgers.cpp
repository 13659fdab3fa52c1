#include "simulation/new_ledgers.hpp"

#include <malloc.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <optional>
#include <system_error>

#include "drawbridge/ledger/store/ledger.hpp"
#include "support/program.hpp"

namespace drawbridge::pipeline {

namespace fs = std::filesystem;

namespace {

constexpr const char* ledger_name = "ledger.db";

ino_t inode_of(const fs::path& path) {
    struct stat found{};
    return ::lstat(path.c_str(), &found) == 0 ? found.st_ino : 0;
}

}  // namespace

NewLedgers& NewLedgers::of_process() {
    static NewLedgers all;
    return all;
}

void NewLedgers::prepare_library() {
    static const bool done = [] {
        // Memory that a story no longer needs is for the next one.
        constexpr int never = 1 << 30;
        ::mallopt(M_MMAP_THRESHOLD, never);
        ::mallopt(M_TRIM_THRESHOLD, never);
        ::mallopt(M_MXFAST, 0);
        // Most statements run only a few times before a story closes its ledger: compiling them is half of the work.
        constexpr int slot_bytes = 1200, slots = 800;
        return ::sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) == SQLITE_OK &&
               ::sqlite3_config(SQLITE_CONFIG_LOOKASIDE, slot_bytes, slots) == SQLITE_OK;
    }();
    static_cast<void>(done);
}

NewLedgers::NewLedger NewLedgers::create(Instant at) {
    NewLedger created;
    created.home = folder_.path() / std::to_string(++created_);
    fs::create_directory(created.home);
    static_cast<void>(ledger::Ledger::open(created.home, at).value());
    for (const auto& entry : fs::directory_iterator(created.home))
        created.files[entry.path().filename()] = test::read_whole(entry.path());
    created.inode = inode_of(created.home / ledger_name);
    return created;
}

void NewLedgers::put_into(const fs::path& state_dir, Instant created_at, int office) {
    const Which which(created_at, office);
    auto found = ledgers_.find(which);
    if (found == ledgers_.end()) found = ledgers_.emplace(which, create(created_at)).first;
    const auto& one = found->second;
    fs::rename(one.home / ledger_name, state_dir / ledger_name);
    for (const auto& [name, content] : one.files) {
        if (name != ledger_name) fs::copy_file(one.home / name, state_dir / name);
    }
    lent_[state_dir] = which;
}

void NewLedgers::take_back(const fs::path& state_dir) {
    const auto lent = lent_.find(state_dir);
    if (lent == lent_.end()) return;
    const auto which = lent->second;
    lent_.erase(lent);
    const auto& one = ledgers_.at(which);
    const auto path = state_dir / ledger_name;
    // A story may have lost the file.
    if (inode_of(path) != one.inode) {
        ledgers_.erase(which);
        return;
    }
    test::write_whole(path, one.files.at(ledger_name));
    fs::rename(path, one.home / ledger_name);
}

}  // namespace drawbridge::pipeline
