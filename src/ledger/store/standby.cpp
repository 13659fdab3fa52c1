#include "drawbridge/ledger/store/standby.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <system_error>

#include "store/connection.hpp"
#include "store/high_water_mark.hpp"
#include "store/postgresql/schema.hpp"
#include "store/read_only.hpp"

namespace drawbridge::ledger {
namespace {

std::vector<std::string> differences(const HostInputs& a, const HostInputs& b) {
    std::vector<std::string> names;
    if (a.settings != b.settings) names.emplace_back("settings");
    if (a.rules != b.rules) names.emplace_back("rules");
    if (a.payees != b.payees) names.emplace_back("payees");
    return names;
}

}  // namespace

bool is_taken_over(const Ledger& ledger) {
    return ledger.connection().is_taken_over;
}

void record_takeover(Ledger& ledger, const Stamp& stamp) {
    auto& connection = ledger.connection();
    record_place_of_schema(ledger, stamp.at);
    audit(ledger, stamp, "ledger.taken_over", "ledger", "from " + connection.predecessor);
    connection.is_taken_over = false;
}

Result<std::optional<std::string>> writer_on_another_host(const std::filesystem::path& state_dir,
                                                          const PostgresqlAddress& address,
                                                          const std::optional<SealingKey>& key) {
    if (std::error_code error; !std::filesystem::is_directory(state_dir, error))
        return fail(ErrorCode::unavailable, state_dir.string() + ": there is no state folder: create it for this user");
    try {
        auto connection = std::make_unique<Connection>(address, StateLock());
        connection->state_dir = state_dir;
        auto reader = open_to_read(std::move(connection), key);
        if (!reader) return std::unexpected(reader.error());
        if (!is_of_another_host(*reader)) return std::nullopt;
        return postgresql::writer_name(reader->connection().db.postgresql());
    } catch (const postgresql::Failure& failure) {
        return postgresql::unusable_server(failure);
    }
}

Result<Ledger> open_reader(const std::filesystem::path& state_dir, const PostgresqlAddress& address,
                           const std::optional<SealingKey>& key) {
    auto lock = StateLock::take(state_dir);
    if (!lock) return std::unexpected(lock.error());
    try {
        auto connection = std::make_unique<Connection>(address, *std::move(lock));
        connection->state_dir = state_dir;
        return open_to_read(std::move(connection), key);
    } catch (const postgresql::Failure& failure) {
        return fail(ErrorCode::unavailable, failure.what());
    }
}

void read_at_once(Ledger& reader, const std::function<void()>& read) {
    auto& session = reader.connection().db.postgresql();
    begin_reading(reader.connection());
    read();
    session.exec("COMMIT");
}

void note_standby(Ledger& reader, const HostInputs& inputs, Instant now) {
    auto& session = reader.connection().db.postgresql();
    session.exec("BEGIN");
    session.exec(
        fmt::format("INSERT INTO standby VALUES ('{0}', '{1}', {2}, {3}, '{4}', '{5}', '{6}') ON CONFLICT "
                    "(host) DO UPDATE SET process = '{1}', seen = {2}, audit_seq = {3}, settings = '{4}', rules = "
                    "'{5}', payees = '{6}'",
                    postgresql::host_name(), postgresql::this_process(), now.time_since_epoch().count(),
                    reader.connection().audit_seq, inputs.settings, inputs.rules, inputs.payees));
    session.commit();
}

std::optional<Hosts> hosts_of(Ledger& ledger, const HostInputs& inputs) {
    auto& db = ledger.connection().db;
    if (!db.is_postgresql()) return std::nullopt;
    Hosts hosts;
    {
        Query writer(ledger, "SELECT holder, since, epoch FROM writer");
        if (writer.next()) writer.read(hosts.writer, hosts.since, hosts.takeovers);
    }
    {
        Query standbys(ledger, "SELECT host, seen, audit_seq, settings, rules, payees FROM standby ORDER BY host");
        while (standbys.next()) {
            StandbySeen seen;
            std::int64_t audit_seq = 0;
            HostInputs theirs;
            standbys.read(seen.host, seen.seen_at, audit_seq, theirs);
            seen.entries_behind = std::max<std::int64_t>(0, ledger.connection().audit_seq - audit_seq);
            seen.differs = differences(theirs, inputs);
            hosts.standbys.push_back(std::move(seen));
        }
    }
    Query server(ledger, R"sql(
        SELECT application_name, state, sync_state, CAST(extract(epoch FROM flush_lag) * 1000 AS bigint)
        FROM pg_stat_replication
        ORDER BY application_name)sql");
    hosts.server_standbys = server.records<ServerStandby>();
    Query owner(ledger, "SELECT pg_has_role(relowner, 'MEMBER') FROM pg_class WHERE oid = 'audit'::regclass");
    hosts.owns_tables = owner.only<bool>();
    return hosts;
}

}  // namespace drawbridge::ledger
