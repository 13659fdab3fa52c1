// The ledger, one SQLite file or one schema of a PostgreSQL database: opening, locking, migrating, transactions, and
// the audit chain.
//
// One process owns a ledger at a time, by a lock on the state folder, through one connection that writes (WAL,
// synchronous=FULL): when transaction() returns, everything written so far survives power loss. No SQL outside this
// module. The free functions of the other headers record facts and answer questions; every function that
// writes must be called in a transaction. A failing disk or a corrupt ledger is an exception: the program ends, systemd
// restarts it, and it recovers at start.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/domain/sealing_key.hpp"
#include "drawbridge/domain/time.hpp"

namespace drawbridge::ledger {

// Who did something, and when. `actor` is for display only: the daemon is "drawbridge", a person "uid 1000 (anna)".
struct Stamp {
    Instant at;
    std::string actor;
    std::optional<std::int64_t> uid = std::nullopt;  // the caller's, from the kernel; nullopt: the daemon on its own
};

class Connection;
class StateLock;
struct PostgresqlAddress;

class Ledger {
  public:
    // Opens or creates state_dir/ledger.db (mode 0600) and locks the state folder. Without `key` it uses
    // state_dir/sealing.key, and makes that key for a new ledger. Errors: another process holds the lock; the ledger
    // has a schema that this program does not read; it cannot be opened; the key is missing or is not the ledger's
    // (unauthorized); the ledger was there before and is missing; the file is damaged (unavailable).
    [[nodiscard]] static Result<Ledger> open(const std::filesystem::path& state_dir, Instant now,
                                             const std::optional<SealingKey>& key = std::nullopt);
    // Opens a ledger in a PostgreSQL database; the state folder keeps its lock, its key and its traces. Further
    // errors: the server cannot be reached, or its database does not suit (unavailable).
    [[nodiscard]] static Result<Ledger> open(const std::filesystem::path& state_dir, const PostgresqlAddress& address,
                                             Instant now, const std::optional<SealingKey>& key = std::nullopt);
    // Opens state_dir/ledger.db only to read it, and changes nothing: no lock, no migration. Errors: as open();
    // not_found: the file is empty; in_use: another process has it open.
    [[nodiscard]] static Result<Ledger> open_unchanged(const std::filesystem::path& state_dir,
                                                       const std::optional<SealingKey>& key = std::nullopt);
    // Opens a copy that is not in use: no lock, and no check for a rollback. Migrates it to this program's schema.
    // Without `key` it uses the key next to the file. SQLite throws if the file is not a ledger.
    [[nodiscard]] static Result<Ledger> open_copy(const std::filesystem::path& file, Instant now,
                                                  const std::optional<SealingKey>& key = std::nullopt);
    Ledger(Ledger&&) noexcept;
    Ledger& operator=(Ledger&&) noexcept;
    ~Ledger();

    // BEGIN IMMEDIATE … COMMIT. An exception inside rolls back and passes on. Never nested, never across a co_await.
    template <class F>
    auto transaction(F&& work) {
        return run_in(Durability::power_loss, std::forward<F>(work));
    }
    // The same, for facts that can be read from the service again: the commit does not wait for the disk. It survives
    // the end of this process at once, and power loss after the next transaction() or sync(). Do nothing outside the
    // process before that.
    template <class F>
    auto transaction_deferred_sync(F&& work) {
        return run_in(Durability::process_end, std::forward<F>(work));
    }
    // Waits until everything that was committed survives power loss. Outside a transaction.
    void sync();

    [[nodiscard]] const std::string& ledger_id() const;
    [[nodiscard]] Instant created_at() const;
    [[nodiscard]] int schema_version() const;

    // For this module's own functions.
    [[nodiscard]] static Ledger adopt(std::unique_ptr<Connection> connection);  // to read
    [[nodiscard]] Connection& connection() { return *connection_; }
    [[nodiscard]] const Connection& connection() const { return *connection_; }

  private:
    enum class Durability { power_loss, process_end };

    class Scope {
      public:
        Scope(Ledger& ledger, Durability durability);
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;
        ~Scope();
        void commit();

      private:
        [[nodiscard]] bool waits_for_disk() const { return durability_ == Durability::power_loss; }

        Ledger& ledger_;
        Durability durability_;
        bool committed_ = false;
    };

    template <class F>
    auto run_in(Durability durability, F&& work) {
        Scope scope(*this, durability);
        if constexpr (std::is_void_v<decltype(work())>) {
            work();
            scope.commit();
        } else {
            auto value = work();
            scope.commit();
            return value;
        }
    }

    [[nodiscard]] static Result<Ledger> open_file(const std::filesystem::path& file, StateLock lock, Instant now,
                                                  const std::optional<SealingKey>& key, bool& is_new);
    [[nodiscard]] static Result<Ledger> open_database(std::unique_ptr<Connection> connection, const std::string& place,
                                                      Instant now, const std::optional<SealingKey>& key, bool& is_new);
    explicit Ledger(std::unique_ptr<Connection> connection);
    std::unique_ptr<Connection> connection_;
};

// Appends to the hash-chained audit trail, in the running transaction. `subject` names what the entry is about ("draw
// 17", "file ACH-20260304-A.ach"). `detail` is for people and holds no secrets.
void audit(Ledger& ledger, const Stamp& stamp, std::string_view action, std::string_view subject,
           std::string_view detail);

// Writes the high-water mark next to the ledger, durably: the current position of the audit trail, the exports and the
// numbers. Call it before anything leaves for the bank: a ledger that lacks what the mark names is an older copy, and
// opening it begins a restoration.
void write_high_water_mark(Ledger& ledger);
// The same after an act or a step, if the trail is longer than the mark says: what was acknowledged to a person or read
// from the bank must not get lost unnoticed either. Does nothing while a restoration is open, or if the disk is full.
void advance_high_water_mark(Ledger& ledger);

// Whether SQLite's log is being copied into its file and should not grow meanwhile. Work that can wait should not write
// until that has ended: otherwise a commit waits for the disk.
[[nodiscard]] bool is_log_being_emptied(Ledger& ledger);

// Waits until no process owns the ledger of this state folder: a command that runs without a daemon owns it for a
// moment only. False: one still does.
[[nodiscard]] bool wait_for_lock(const std::filesystem::path& state_dir, std::chrono::milliseconds max_wait);

// Throws if the ledger can no longer be written: state_dir/ledger.db is not the file that was opened, so that further
// writes would be lost, or the server has ended the connection.
void require_in_place(const Ledger& ledger);

}  // namespace drawbridge::ledger
