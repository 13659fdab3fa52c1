// A ledger in PostgreSQL that is only read, on a hot standby of its server: a long report then costs the server that is
// written, and the process that writes, nothing.
//
// It takes no lock, and writes nothing. What is read may be behind, so nothing may be decided by it: no approval, no
// payment, no release.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "drawbridge/domain/sealing_key.hpp"
#include "drawbridge/ledger/store/engine.hpp"
#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

struct ReadServer {
    PostgresqlAddress standby;
    PostgresqlAddress primary;
    std::chrono::milliseconds max_lag{0};
};

// Opens the ledger there. Errors: the server cannot be reached (unavailable); it has no ledger of this schema; the key
// is missing or is not the ledger's (unauthorized).
[[nodiscard]] Result<Ledger> open_on_read_server(const std::filesystem::path& state_dir, const ReadServer& server,
                                                 const std::optional<SealingKey>& key);

// How far a ledger has come: what is committed and durable.
struct Position {
    std::string wal;  // of the server's write-ahead log
    std::int64_t audit_seq = 0;
    std::string audit_head;
};
// The position of the ledger that this process writes; not in a transaction.
[[nodiscard]] Position position_of(Ledger& written);

// What is read, of which server, and how old it is.
struct Reading {
    std::string server;  // "db2.example.gov port 5432"
    bool is_standby = true;
    bool knows_primary = true;            // the primary said how far it is
    Instant as_of;                        // everything that was committed until then is there
    std::chrono::milliseconds behind{0};  // zero: nothing is missing

    // "read from the standby db2.example.gov port 5432, which is 3 s behind".
    [[nodiscard]] std::string to_string() const;
};

// Reads at one moment after the other. Keeps a connection of its own to the primary, only to ask how far that is.
class ReadMoments {
  public:
    explicit ReadMoments(ReadServer server);
    ReadMoments(const ReadMoments&) = delete;
    ReadMoments& operator=(const ReadMoments&) = delete;
    ~ReadMoments();

    // All that is read from the ledger until end() is of this moment. Waits a little until the standby has what the
    // primary has. Errors: it is further behind than it may be (unavailable); its audit trail is not the primary's
    // (conflict).
    [[nodiscard]] Result<Reading> begin(Ledger& reader, Instant now);
    // For the process that writes: the standby must have all that it has written.
    [[nodiscard]] Result<Reading> begin(Ledger& reader, const Position& written, Instant now);
    void end(Ledger& reader) noexcept;

  private:
    struct Primary;
    [[nodiscard]] std::optional<Position> ask_primary();
    [[nodiscard]] Result<Reading> begin_at(Ledger& reader, const std::optional<Position>& written,
                                           std::chrono::milliseconds max_lag, Instant now);

    ReadServer server_;
    std::unique_ptr<Primary> primary_;
    bool is_primary_away_ = false;
};

// The server ended the question, because it had to replay a change, or the connection is lost: ask it again over a new
// connection.
[[nodiscard]] bool may_be_read_again(const std::exception& failure);

}  // namespace drawbridge::ledger
