#include "store/high_water_mark.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "drawbridge/domain/digest.hpp"
#include "drawbridge/files/durable_file.hpp"
#include "drawbridge/ledger/facts/restorations.hpp"
#include "drawbridge/ledger/store/traces.hpp"
#include "facts/export_row.hpp"
#include "store/connection.hpp"
#include "store/postgresql/lease.hpp"

namespace drawbridge::ledger {
namespace {

namespace fs = std::filesystem;

struct Place {
    std::int64_t inode = 0, born_at_ns = 0;
};

Place place_of(const fs::path& path) {
    struct statx status{};
    if (::statx(AT_FDCWD, path.c_str(), 0, STATX_INO | STATX_BTIME, &status) != 0)
        files::throw_system_error(errno, "look at", path);
    Place place{static_cast<std::int64_t>(status.stx_ino), 0};
    if ((status.stx_mask & STATX_BTIME) != 0) {
        place.born_at_ns =
            static_cast<std::int64_t>(status.stx_btime.tv_sec) * 1'000'000'000 + status.stx_btime.tv_nsec;
    }
    return place;
}

// The first digits of a hash, as a positive number.
std::int64_t number_of(std::string_view text) {
    constexpr std::size_t digits = 15;
    return std::stoll(sha256_hex(text).substr(0, digits), nullptr, 16);
}

// Empty: a folder whose process has never opened the ledger.
std::string known_id_of_folder(const fs::path& state_dir) {
    std::string id;
    std::getline(std::ifstream(state_dir / folder_id), id);
    return id;
}

// Machines made from one image have the same machine-id, and the roots of two volumes the same inode.
std::string id_of_folder(const fs::path& state_dir) {
    constexpr mode_t mode = 0640;
    auto id = known_id_of_folder(state_dir);
    if (id.empty()) {
        id = random_id();
        files::replace_durably(state_dir / folder_id, id + "\n", mode);
    }
    return id;
}

// A machine and a state folder: the files of another folder are not those that the ledger tells of.
std::int64_t number_of_host(const fs::path& state_dir, const std::string& id) {
    std::string machine;
    std::getline(std::ifstream("/etc/machine-id") >> std::ws, machine);
    return number_of(machine + " " + std::to_string(place_of(state_dir).inode) + " " + id);
}

// The schema, and the host that uses it. A dump that is loaded elsewhere is another schema; a standby of the server has
// the same.
Place place_of_schema(Connection& connection, const std::string& id) {
    const auto schema = connection.db.text(
        "SELECT concat_ws(' ', (SELECT system_identifier FROM pg_control_system()), (SELECT oid FROM pg_database WHERE "
        "datname = current_database()), current_schema()::regnamespace::oid)");
    return {number_of(schema), number_of_host(connection.state_dir, id)};
}
Place place_of_schema(Connection& connection) {
    return place_of_schema(connection, id_of_folder(connection.state_dir));
}

std::optional<Place> last_place(Ledger& ledger) {
    Query query(ledger, "SELECT inode, born_at_ns FROM ledger_place ORDER BY place_id DESC LIMIT 1");
    return query.first<Place>();
}

bool is_same(const Place& a, const Place& b) {
    return a.inode == b.inode && (a.born_at_ns == b.born_at_ns || a.born_at_ns == 0 || b.born_at_ns == 0);
}

// The same schema in PostgreSQL, written last by another host.
bool is_other_host(const Ledger& ledger, const Place& last, const Place& place) {
    return ledger.connection().db.is_postgresql() && last.inode == place.inode && last.born_at_ns != place.born_at_ns;
}

void record_place(Ledger& ledger, const Place& place, Instant now) {
    Query(ledger, "INSERT INTO ledger_place (at, inode, born_at_ns) VALUES (?, ?, ?)", now, place.inode,
          place.born_at_ns)
        .run();
}

// Why the ledger may not know what was paid before; nullopt: it is the ledger that was used last.
std::optional<std::pair<RestoredHow, std::string>> rollback_reason(Ledger& ledger, const Place& place) {
    const auto path = (ledger.connection().state_dir / ledger_mark).string();
    const auto mark = read_high_water_mark(ledger);
    if (mark && !knows_position(ledger, *mark)) {
        return std::pair(RestoredHow::older, "it lacks entry " + std::to_string(mark->audit_seq) +
                                                 " of its audit trail, which " + path + " names");
    }
    if (mark) ledger.connection().marked_before = mark->audit_seq;
    if (!mark && last_export(ledger).export_no > 0) return std::pair(RestoredHow::copied, path + " is missing");
    const auto last = last_place(ledger);
    if (last && !is_same(*last, place) && !is_other_host(ledger, *last, place)) {
        const bool is_file = !ledger.connection().db.is_postgresql();
        return std::pair(RestoredHow::copied,
                         ledger.connection().place() +
                             (is_file ? " is not the file that was used last: it was moved or copied back"
                                      : " is not the schema that was used last: it was loaded from a copy"));
    }
    return std::nullopt;
}

// Since when this host has neither written the ledger nor stood by, if that is longer than `longest`: a host that does
// one of them writes its mark every few seconds.
std::optional<Instant> away_since(const fs::path& state_dir, std::chrono::minutes longest) {
    constexpr std::chrono::minutes tolerance{1};
    std::error_code missing;
    const auto marked_at = fs::last_write_time(state_dir / ledger_mark, missing);
    if (missing) return std::nullopt;  // nothing was released yet, or rollback_reason() has said so
    const auto gap = fs::file_time_type::clock::now() - marked_at;
    if (gap <= longest && gap >= -tolerance) return std::nullopt;
    return std::chrono::floor<std::chrono::milliseconds>(std::chrono::file_clock::to_sys(marked_at));
}

// Why this host cannot know that the ledger has all that the other host wrote: a database that was set back while it
// was away would look right to it.
std::optional<std::pair<RestoredHow, std::string>> gap_in_standing_by(const fs::path& state_dir) {
    const auto since = away_since(state_dir, std::chrono::minutes(10));
    if (!since) return std::nullopt;
    return std::pair(RestoredHow::copied, "another machine wrote it last, and this one has not been a standby since " +
                                              format_instant(*since) +
                                              ": a database that was rolled back meanwhile would look the same");
}

// Whether another machine may have written the ledger after this one last saw it, so that no trace here shows what it
// sent. A machine that was away for long may have been replaced by one that it never heard of.
bool may_have_another_writer(Ledger& ledger) {
    const auto& connection = ledger.connection();
    return connection.db.is_postgresql() && (has_or_had_other_hosts(ledger, read_high_water_mark(ledger)) ||
                                             away_since(connection.state_dir, std::chrono::days(1)));
}

// A payment file or manifest in the spool; empty: there is none.
std::string sent_before(const fs::path& state_dir) {
    for (const char* folder : {"spool/manifests", "spool/outgoing"}) {
        std::error_code error;
        for (fs::directory_iterator at(state_dir / folder, error), end; !error && at != end; at.increment(error)) {
            std::error_code unreadable;
            if (at->is_regular_file(unreadable)) return folder + ("/" + at->path().filename().string());
        }
    }
    return {};
}

// A new ledger in the place of one that released files does not know what they paid.
void begin_new_ledger(Ledger& ledger, const Place& place, const Stamp& stamp) {
    const auto sent = sent_before(ledger.connection().state_dir);
    ledger.transaction([&] {
        record_place(ledger, place, stamp.at);
        if (sent.empty()) return;
        begin_restoration(
            ledger, RestoredHow::older,
            "it is new and empty, but " + sent + " was there before it: the ledger that wrote it is missing", stamp);
    });
    write_high_water_mark(ledger);
}

}  // namespace

bool has_or_had_other_hosts(Ledger& ledger, const std::optional<HighWaterMark>& mark) {
    const auto& connection = ledger.connection();
    if (!connection.db.is_postgresql()) return false;
    if (mark && mark->has_other_hosts) return true;
    Query others(ledger,
                 "SELECT 1 FROM ledger_place WHERE born_at_ns <> ? UNION ALL SELECT 1 FROM standby WHERE host <> ? "
                 "LIMIT 1",
                 number_of_host(connection.state_dir, known_id_of_folder(connection.state_dir)),
                 postgresql::host_name());
    return others.next();
}

void write_high_water_mark(Ledger& ledger) {
    auto& connection = ledger.connection();
    DRAWBRIDGE_ASSERT(!connection.in_transaction, "the mark names only committed entries");
    require_in_place(ledger);
    constexpr mode_t mode = 0640;
    files::replace_durably(connection.state_dir / ledger_mark, high_water_mark_text(ledger), mode);
    connection.marked_seq = connection.durable_seq;
}

void advance_high_water_mark(Ledger& ledger) {
    const auto& connection = ledger.connection();
    const bool is_durable = connection.durable_seq == connection.committed_seq;
    if (!is_durable || connection.marked_seq == connection.committed_seq || open_restoration(ledger)) return;
    try {
        write_high_water_mark(ledger);
    } catch (const std::system_error&) {
        // What is committed stays. Before anything leaves for the bank, the mark is written again.
    }
}

void record_place_of(Ledger& ledger, const fs::path& file, Instant now) {
    assert_in_transaction(ledger);
    record_place(ledger, place_of(file), now);
}

void record_place_of_schema(Ledger& ledger, Instant now) {
    assert_in_transaction(ledger);
    record_place(ledger, place_of_schema(ledger.connection()), now);
}

bool is_of_another_host(Ledger& reader) {
    const auto last = last_place(reader);
    if (!last) return false;
    auto& connection = reader.connection();
    return is_other_host(reader, *last, place_of_schema(connection, known_id_of_folder(connection.state_dir)));
}

void require_in_place(const Ledger& ledger) {
    const auto& connection = ledger.connection();
    if (connection.db.is_postgresql() && connection.db.postgresql().is_lost()) {
        throw postgresql::Failure(postgresql::lost_connection,
                                  "the connection to PostgreSQL is lost: the server has ended it");
    }
    if (connection.inode == 0) return;
    const auto path = ledger.connection().state_dir / "ledger.db";
    struct statx status{};
    const bool there = ::statx(AT_FDCWD, path.c_str(), 0, STATX_INO, &status) == 0;
    if (there && static_cast<std::int64_t>(status.stx_ino) == ledger.connection().inode) return;
    throw std::runtime_error(
        path.string() + (there ? " was replaced" : " was removed") +
        " while this process used it, so it stopped using it: move the original file to its place, "
        "or run 'drawbridge restore FILE --reason …' with the newest backup");
}

Result<void> check_not_lost(const fs::path& state_dir, bool is_there, const std::string& place) {
    std::error_code error;
    if (fs::exists(state_dir / restoring_name, error)) {
        return fail(ErrorCode::conflict,
                    state_dir.string() + ": a restore was interrupted: run 'drawbridge restore FILE --reason …' again");
    }
    if (is_there || !fs::exists(state_dir / ledger_mark, error)) return {};
    return fail(
        ErrorCode::conflict,
        place +
            " is missing, and ledger.mark says that there was one; a new ledger would pay everything again: move "
            "it to its place, or run 'drawbridge restore FILE --reason …' with the newest backup");
}

void detect_rollback(Ledger& ledger, bool is_new, Instant now) {
    auto& connection = ledger.connection();
    const bool is_file = !connection.db.is_postgresql();
    const auto place = is_file ? place_of(connection.state_dir / "ledger.db") : place_of_schema(connection);
    if (is_file) connection.inode = place.inode;
    const Stamp stamp{now, "drawbridge"};
    if (is_new) return begin_new_ledger(ledger, place, stamp);
    auto why = rollback_reason(ledger, place);
    const auto last = last_place(ledger);
    const bool moved = !last || !is_same(*last, place);
    if (!why && !moved) return;
    // record_takeover() records the place.
    connection.is_taken_over = last && is_other_host(ledger, *last, place);
    if (connection.is_taken_over && !why) why = gap_in_standing_by(connection.state_dir);
    if (why && why->first == RestoredHow::older && may_have_another_writer(ledger)) {
        why->first = RestoredHow::copied;
        why->second += ", and another machine may have written more than this one saw";
    }
    if (connection.is_taken_over && !why) return;
    ledger.transaction([&] {
        if (moved && !connection.is_taken_over) record_place(ledger, place, now);
        if (why) begin_restoration(ledger, why->first, why->second, stamp);
    });
}

}  // namespace drawbridge::ledger
