#include "drawbridge/ledger/store/read_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "store/connection.hpp"
#include "store/migrations.hpp"
#include "store/postgresql/schema.hpp"
#include "store/read_only.hpp"
#include "store/unlock.hpp"

namespace drawbridge::ledger {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

// A standby that follows is there within std::chrono::milliseconds.
constexpr std::chrono::milliseconds patience = 2s;
constexpr std::chrono::milliseconds between_looks = 5ms;

bool has_replayed(postgresql::Session& session, const std::string& wal) {
    return session.value_of(fmt::format("SELECT pg_last_wal_replay_lsn() >= '{}'::pg_lsn", wal)) == "t";
}

bool catches_up(postgresql::Session& session, const std::string& wal) {
    const auto until = steady_clock::now() + patience;
    while (!has_replayed(session, wal)) {
        if (steady_clock::now() >= until) return false;
        std::this_thread::sleep_for(between_looks);
    }
    return true;
}

// The commit that was replayed last, by the clock of the primary. The epoch: none yet.
Instant last_replayed(postgresql::Session& session) {
    const auto at =
        session.value_of("SELECT CAST(floor(extract(epoch FROM pg_last_xact_replay_timestamp()) * 1000) AS bigint)");
    return Instant(std::chrono::milliseconds(std::stoll("0" + at)));
}

bool has_history(postgresql::Session& session, const Position& written) {
    if (written.audit_seq == 0) return true;
    return session.value_of(fmt::format("SELECT hash FROM audit WHERE seq = {}", written.audit_seq)) ==
           written.audit_head;
}

std::string in_words(std::chrono::milliseconds time) {
    if (time < 1s) return fmt::format("{} ms", time.count());
    if (time < 2min) return fmt::format("{} s", std::chrono::floor<std::chrono::seconds>(time).count());
    if (time < 2h) return fmt::format("{} minutes", std::chrono::floor<std::chrono::minutes>(time).count());
    return fmt::format("{} hours", std::chrono::floor<std::chrono::hours>(time).count());
}

std::unexpected<Error> too_far_behind(const Reading& reading, std::chrono::milliseconds max_lag) {
    return fail(ErrorCode::unavailable,
                fmt::format("ledger.read_url: the newest change on {} is from {}, {} ago{}, and ledger.read_max_lag is "
                            "{}: check its replication, or run the command where the daemon runs",
                            reading.server, format_instant(reading.as_of), in_words(reading.behind),
                            reading.knows_primary ? "" : ", and its primary does not answer", in_words(max_lag)));
}

}  // namespace

Result<Ledger> open_to_read(std::unique_ptr<Connection> connection, const std::optional<SealingKey>& key) {
    const int found = postgresql::schema_version(connection->db.postgresql());
    if (found != newest_schema()) {
        return fail(ErrorCode::conflict, fmt::format("{}: the ledger has schema {}, this program reads {}",
                                                     connection->place(), found, newest_schema()));
    }
    auto ledger = Ledger::adopt(std::move(connection));
    if (auto unlocked = unlock_to_read(ledger, key); !unlocked) return std::unexpected(unlocked.error());
    return ledger;
}

void begin_reading(Connection& connection) {
    connection.db.postgresql().exec("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    Statement end(connection.db, "SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1");
    if (!end.next()) return;
    connection.audit_seq = connection.committed_seq = connection.durable_seq = end.integer(0);
    connection.audit_head = connection.committed_head = connection.durable_head = end.text(1);
}

Result<Ledger> open_on_read_server(const std::filesystem::path& state_dir, const ReadServer& server,
                                   const std::optional<SealingKey>& key) {
    try {
        auto connection = std::make_unique<Connection>(server.standby, StateLock());
        connection->state_dir = state_dir;
        return open_to_read(std::move(connection), key);
    } catch (const postgresql::Failure& failure) {
        return postgresql::unusable_server(failure);
    }
}

Position position_of(Ledger& written) {
    auto& connection = written.connection();
    DRAWBRIDGE_ASSERT(!connection.in_transaction, "a position is one between transactions");
    return {connection.db.postgresql().value_of("SELECT pg_current_wal_flush_lsn()"), connection.durable_seq,
            connection.durable_head};
}

std::string Reading::to_string() const {
    const std::string from = fmt::format("read from {}{}", is_standby ? "the standby " : "", server);
    if (!is_standby) return from + ", which is not a standby: none can be reached";
    const auto until = format_instant(as_of);
    if (!knows_primary)
        return fmt::format("{}; its primary does not answer: what came after {} may be missing", from, until);
    if (behind == 0ms) return from + ", which is up to date";
    return fmt::format("{}, which is {} behind: what came after {} is missing", from, in_words(behind), until);
}

struct ReadMoments::Primary {
    explicit Primary(const PostgresqlAddress& address) : session(address) {}
    postgresql::Session session;
};

ReadMoments::ReadMoments(ReadServer server) : server_(std::move(server)) {}
ReadMoments::~ReadMoments() = default;

// nullopt: it does not answer, and is not asked again.
std::optional<Position> ReadMoments::ask_primary() {
    if (is_primary_away_) return std::nullopt;
    try {
        if (!primary_) primary_ = std::make_unique<Primary>(server_.primary);
        Position position;
        primary_->session.for_each_row("SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1",
                                       [&](const PGresult* row) {
                                           position.audit_seq = std::stoll(PQgetvalue(row, 0, 0));
                                           position.audit_head = PQgetvalue(row, 0, 1);
                                       });
        // Asked last, so that it is not before the trail; a commit may be visible before it is flushed.
        position.wal = primary_->session.value_of("SELECT pg_current_wal_insert_lsn()");
        return position;
    } catch (const postgresql::Failure&) {
        primary_.reset();
        is_primary_away_ = true;
        return std::nullopt;
    }
}

Result<Reading> ReadMoments::begin(Ledger& reader, Instant now) {
    return begin_at(reader, ask_primary(), server_.max_lag, now);
}

Result<Reading> ReadMoments::begin(Ledger& reader, const Position& written, Instant now) {
    return begin_at(reader, written, std::chrono::milliseconds(0), now);
}

Result<Reading> ReadMoments::begin_at(Ledger& reader, const std::optional<Position>& written,
                                      std::chrono::milliseconds max_lag, Instant now) {
    auto& session = reader.connection().db.postgresql();
    Reading reading{.server = session.server(),
                    .is_standby = session.value_of("SELECT pg_is_in_recovery()") == "t",
                    .knows_primary = written.has_value(),
                    .as_of = now};
    if (reading.is_standby && !(written && catches_up(session, written->wal))) {
        reading.as_of = std::min(last_replayed(session), now);
        reading.behind = std::max(now - reading.as_of, std::chrono::milliseconds(1));
        if (reading.behind > max_lag) return too_far_behind(reading, max_lag);
    }
    begin_reading(reader.connection());
    if (reading.behind > 0ms || !written || has_history(session, *written)) return reading;
    end(reader);
    return fail(ErrorCode::conflict,
                fmt::format("ledger.read_url: {} does not have what the ledger has: it is another ledger, or it "
                            "follows another server than the one in ledger.url",
                            reading.server));
}

void ReadMoments::end(Ledger& reader) noexcept {
    reader.connection().db.postgresql().roll_back();
}

bool may_be_read_again(const std::exception& failure) {
    const auto* refused = dynamic_cast<const postgresql::Failure*>(&failure);
    return refused != nullptr && (refused->state() == "40001" || refused->is_of("08") || refused->is_of("57"));
}

}  // namespace drawbridge::ledger
