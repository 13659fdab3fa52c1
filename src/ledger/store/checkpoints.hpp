// Copies SQLite's write-ahead log into the file of the database, in a thread of its own, so that no commit waits for
// the disk to take many pages. Owns that thread and its connection. It never decides what a commit is: the log is
// synced before a page is copied, and the log begins anew only when all of it is in the file and that is synced.
//
// A pass copies and syncs what the log had when the pass began. Meanwhile the writer goes on. So passes follow each
// other until little is left, or no less than before. Then comes a last pass: if the writer lets it end, the
// transaction after it begins the log anew. A writer that went on copies the rest itself, after a commit. If the log
// grows faster than it is copied, the pass after `many_pages` is the last. A writer that goes on nevertheless is made
// to wait at `max_pages`, and copies the rest.
//
// Private to this module.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

namespace drawbridge::ledger {

class Checkpoints {
  public:
    // The writer's connection, in WAL mode.
    explicit Checkpoints(SQLite::Database& writer);
    Checkpoints(const Checkpoints&) = delete;
    Checkpoints& operator=(const Checkpoints&) = delete;
    ~Checkpoints();

    // Throws SQLite::Exception if the log could not be copied: the disk fails. A commit does not say so itself, because
    // it happened.
    void before_transaction();
    void after_commit();
    // True while the last pass runs, or the log has grown too large: work that can wait should not write. Any thread.
    [[nodiscard]] bool is_quiet_wanted();
    // Empties the log, so that nothing in it can be read any more. Outside a transaction.
    void empty_log();

  private:
    // In pages of 8 KiB.
    static constexpr int few_pages = 100;     // the last pass copies so many
    static constexpr int some_pages = 1000;   // and so many if another pass would leave as many
    static constexpr int many_pages = 9000;   // 72 MiB
    static constexpr int max_pages = 12'000;  // 96 MiB

    void work(const std::stop_token& stop);
    [[nodiscard]] bool is_rest(int left) const;
    void finish_pass(std::unique_lock<std::mutex>& lock);
    void wait_for_pass(std::unique_lock<std::mutex>& lock);

    SQLite::Database& writer_;
    SQLite::Database copier_;  // used by the thread alone, once it runs
    const int begin_pages_;    // a pass begins when the log has so many
    int log_pages_ = 0;        // as of the last commit
    std::mutex mutex_;
    std::condition_variable_any changed_;
    bool is_due_ = false;      // a pass is to begin, or runs
    bool has_passed_ = false;  // a pass ended, and the log has not begun anew
    bool is_last_ = false;     // this pass, or the one that ended, copies the rest
    bool is_large_ = false;    // the log has many pages, as of the last commit
    int due_pages_ = 0;        // that it was to copy, when it began
    int copied_pages_ = 0;     // of the log, when it ended
    int failure_ = 0;          // SQLite's code, for before_transaction(); 0: none
    std::jthread thread_;      // from the first pass on
};

}  // namespace drawbridge::ledger
