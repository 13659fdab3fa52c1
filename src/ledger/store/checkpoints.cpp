#include "store/checkpoints.hpp"

#include <sqlite3.h>

#include <utility>

#include "drawbridge/domain/checkpoint_pages.hpp"
#include "store/database.hpp"

namespace drawbridge::ledger {
namespace {

// 16 MiB. A page that changes often is copied less often with more.
constexpr int standard_pages = 2000;

struct Pass {
    int result = 0;        // SQLite's code
    int copied_pages = 0;  // that the log has and the file has too
};

// Copies as much as it can without waiting for anybody. SQLITE_BUSY is no failure: the writer was just changing the
// log's header, or somebody else copies. A later pass copies the rest.
Pass copy_pages(sqlite3* connection) {
    Pass pass;
    pass.result = sqlite3_wal_checkpoint_v2(connection, "main", SQLITE_CHECKPOINT_PASSIVE, nullptr, &pass.copied_pages);
    return pass.result == SQLITE_BUSY ? Pass() : pass;
}

// SQLite syncs the file only when it has all of the log.
int sync_file(sqlite3* connection) {
    sqlite3_file* file = nullptr;
    const int result = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, static_cast<void*>(&file));
    return result == SQLITE_OK ? file->pMethods->xSync(file, SQLITE_SYNC_NORMAL) : result;
}

int remember_pages(void* pages, sqlite3* /*connection*/, const char* /*schema*/, int in_log) {
    *static_cast<int*>(pages) = in_log;
    return SQLITE_OK;
}

}  // namespace

Checkpoints::Checkpoints(SQLite::Database& writer)
    : writer_(writer), copier_(open_shared(writer.getFilename())), begin_pages_(checkpoint_pages(standard_pages)) {
    // Debian's default. Setting it reads the schema, which takes longer than all else here.
    if (sqlite3_compileoption_used("DEFAULT_SYNCHRONOUS=2") == 0) copier_.exec("PRAGMA synchronous = FULL");
    static_cast<void>(copier_.execAndGet("PRAGMA schema_version"));  // opens the file, while it is the writer's
    sqlite3_wal_hook(writer_.getHandle(), remember_pages, &log_pages_);
}

Checkpoints::~Checkpoints() {
    sqlite3_wal_hook(writer_.getHandle(), nullptr, nullptr);
}

void Checkpoints::before_transaction() {
    const std::lock_guard lock(mutex_);
    const int failure = std::exchange(failure_, SQLITE_OK);
    if (failure != SQLITE_OK) throw SQLite::Exception("cannot write the ledger's log into its file", failure);
}

void Checkpoints::after_commit() {
    std::unique_lock lock(mutex_);
    is_large_ = log_pages_ >= many_pages;
    if (is_due_ && log_pages_ >= max_pages) wait_for_pass(lock);
    if (is_due_ || failure_ != SQLITE_OK) return;
    if (log_pages_ < copied_pages_) has_passed_ = is_last_ = false;  // the log began anew
    const int left = log_pages_ - (has_passed_ ? copied_pages_ : 0);
    if (has_passed_ && (is_last_ || log_pages_ >= max_pages)) return finish_pass(lock);
    is_last_ = has_passed_ && (is_large_ || is_rest(left));
    if (!is_last_ && log_pages_ < begin_pages_) return;
    is_due_ = true;
    due_pages_ = left;
    if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
    changed_.notify_all();
}

void Checkpoints::empty_log() {
    std::unique_lock lock(mutex_);
    wait_for_pass(lock);
    int pages = 0;
    const int result =
        sqlite3_wal_checkpoint_v2(writer_.getHandle(), "main", SQLITE_CHECKPOINT_TRUNCATE, &pages, nullptr);
    if (result != SQLITE_OK || pages != 0)
        throw SQLite::Exception("cannot empty the ledger's log", result == SQLITE_OK ? SQLITE_BUSY : result);
    has_passed_ = is_last_ = false;
    log_pages_ = 0;
}

bool Checkpoints::is_rest(int left) const {
    const bool gets_no_closer = left * 2 >= due_pages_;
    return left <= few_pages || (left <= some_pages && gets_no_closer);
}

bool Checkpoints::is_quiet_wanted() {
    const std::lock_guard lock(mutex_);
    return is_due_ && (is_last_ || is_large_);
}

void Checkpoints::finish_pass(std::unique_lock<std::mutex>& lock) {
    has_passed_ = is_last_ = false;
    lock.unlock();
    const auto pass = copy_pages(writer_.getHandle());
    lock.lock();
    failure_ = pass.result;
}

void Checkpoints::wait_for_pass(std::unique_lock<std::mutex>& lock) {
    changed_.wait(lock, [this] { return !is_due_; });
}

void Checkpoints::work(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [this] { return is_due_; })) {
        lock.unlock();
        auto pass = copy_pages(copier_.getHandle());
        if (pass.result == SQLITE_OK) pass.result = sync_file(copier_.getHandle());
        lock.lock();
        is_due_ = false;
        has_passed_ = true;
        copied_pages_ = pass.copied_pages;
        failure_ = pass.result;
        changed_.notify_all();
    }
}

}  // namespace drawbridge::ledger
