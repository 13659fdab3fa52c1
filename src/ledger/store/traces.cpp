#include "drawbridge/ledger/store/traces.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <system_error>

#include "drawbridge/domain/web_address.hpp"
#include "facts/export_row.hpp"
#include "facts/payment_row.hpp"
#include "store/connection.hpp"
#include "store/high_water_mark.hpp"

namespace drawbridge::ledger {
namespace {

// The mark remembers every comparison that could not account for everything sent: a copy of the ledger from before one
// lacks its holds. Those that this ledger does not know stay in the mark.
std::set<Instant> incomplete_comparisons(Ledger& ledger, const std::optional<HighWaterMark>& before) {
    std::set<Instant> all = before ? before->incomplete : std::set<Instant>();
    Query query(ledger, "SELECT compared_at FROM restoration WHERE complete = 0");
    while (query.next())
        all.insert(query.instant(0));
    return all;
}

// The creation dates whose file id modifiers a restored ledger must not use again: those of the latest ACH files, in
// the order in which they were planned, because a clock that jumps plans files of any date; and those that an earlier
// restore recorded.
constexpr int latest_files = 200;

std::set<BusinessDate> latest_creation_dates(Ledger& ledger) {
    std::set<BusinessDate> dates;
    Query files(ledger,
                R"sql(
        SELECT creation_date
        FROM payment_file
        WHERE rail = 'ach' AND file_id > (SELECT coalesce(max(file_id), 0) FROM payment_file) - ?)sql",
                latest_files);
    while (files.next())
        dates.insert(files.record<BusinessDate>());
    Query told(ledger,
               "SELECT creation_date FROM sent_file WHERE creation_date IS NOT NULL UNION SELECT creation_date FROM "
               "lost_modifiers");
    while (told.next())
        dates.insert(told.record<BusinessDate>());
    return dates;
}

// The number ranges by the names that the mark, a backup and the ledger use.
void set_next(reconciliation::NextNumbers& next, std::string_view name, std::int64_t value) {
    if (name == "payment_id") next.payment_id = value;
    if (name == "trace_sequence") next.trace_sequence = value;
    if (name == "check_number") next.check_number = value;
    if (name == "batch_number") next.batch_number = value;
    if (name == "file_sequence") next.file_sequence = value;
}

}  // namespace

std::string high_water_mark_text(Ledger& ledger) {
    const auto& connection = ledger.connection();
    const auto last = last_export(ledger);
    std::string text = std::to_string(connection.durable_seq) + " " + connection.durable_head + "\nexport " +
                       std::to_string(last.export_no) + " " + last.line_sha256 + "\n";
    const auto before = read_high_water_mark(ledger);
    for (const Instant at : incomplete_comparisons(ledger, before))
        text += "incomplete " + std::to_string(at.time_since_epoch().count()) + "\n";
    if (has_or_had_other_hosts(ledger, before)) text += "other_hosts 1\n";
    for (const BusinessDate date : latest_creation_dates(ledger)) {
        const auto used = used_file_id_modifiers(ledger, date);
        if (!used.empty()) text += "modifiers " + format_date(date) + " " + used + "\n";
    }
    Query query(ledger, "SELECT name, next FROM number_range ORDER BY name");
    while (query.next()) {
        const auto [name, next] = query.row<std::string, std::int64_t>();
        text += name + " " + std::to_string(next) + "\n";
    }
    return text;
}

Result<HighWaterMark> parse_high_water_mark(const std::string& text) {
    std::istringstream in(text);
    HighWaterMark mark;
    if (!(in >> mark.audit_seq >> mark.audit_head))
        return fail(ErrorCode::invalid_input, "the text is not a high-water mark");
    for (std::string name; in >> name;) {
        if (name == "export") {
            std::int64_t number = 0;
            if (in >> number >> mark.line_sha256) mark.export_no = number;
        } else if (name == "incomplete") {
            std::int64_t at = 0;
            if (in >> at) mark.incomplete.insert(Instant(std::chrono::milliseconds(at)));
        } else if (name == "other_hosts") {
            int has = 0;
            mark.has_other_hosts = in >> has && has != 0;
        } else if (name == "modifiers") {
            std::string date, used;
            if (!(in >> date >> used)) continue;
            if (const auto parsed = parse_date(date)) mark.file_id_modifiers[*parsed] = used;
        } else {
            std::int64_t next = 0;
            if (in >> next) set_next(mark.next, name, next);
        }
    }
    return mark;
}

bool knows_position(Ledger& ledger, const HighWaterMark& mark) {
    if (mark.audit_seq == 0) return mark.audit_head == ledger.ledger_id();
    {
        Query query(ledger, "SELECT 1 FROM audit WHERE seq = ? AND hash = ?", mark.audit_seq, mark.audit_head);
        if (query.next()) return true;
    }
    Query query(ledger, "SELECT 1 FROM lost_position WHERE audit_seq = ? AND audit_head = ?", mark.audit_seq,
                mark.audit_head);
    return query.next();
}

void record_lost_position(Ledger& ledger, const Restoration& restoration, std::string_view source,
                          const HighWaterMark& mark, const Stamp& stamp) {
    assert_in_transaction(ledger);
    const auto lost_id = new_row(ledger, "SELECT max(lost_id) FROM lost_position");
    Query(ledger,
          R"sql(
        INSERT INTO lost_position (lost_id, restoration_id, at, source, audit_seq, audit_head, export_no)
        VALUES (?, ?, ?, ?, ?, ?, ?))sql",
          lost_id, restoration.restoration_id, stamp.at, source, mark.audit_seq, mark.audit_head, mark.export_no)
        .run();
    for (const Instant at : mark.incomplete)
        Query(ledger, "INSERT INTO lost_comparison (lost_id, compared_at) VALUES (?, ?)", lost_id, at).run();
    for (const auto& [date, used] : mark.file_id_modifiers) {
        Query(ledger, "INSERT INTO lost_modifiers (lost_id, creation_date, file_id_modifiers) VALUES (?, ?, ?)",
              lost_id, date, used)
            .run();
    }
    advance_numbers(ledger, mark.next);
}

void begin_restoration_by_trace(Ledger& ledger, std::string_view source, const HighWaterMark& mark,
                                const Stamp& stamp) {
    assert_in_transaction(ledger);
    begin_restoration(ledger, RestoredHow::older,
                      "it lacks entry " + std::to_string(mark.audit_seq) + " of its audit trail, which " +
                          std::string(source) + " names",
                      stamp);
    record_lost_position(ledger, *open_restoration(ledger), source, mark, stamp);
}

std::vector<LostPosition> lost_positions(Ledger& ledger, const Restoration& restoration) {
    Query query(ledger,
                "SELECT lost_id, source, export_no FROM lost_position WHERE restoration_id = ? ORDER BY lost_id",
                restoration.restoration_id);
    std::vector<LostPosition> positions;
    while (query.next()) {
        const auto [lost_id, source, export_no] = query.row<std::int64_t, std::string, std::optional<std::int64_t>>();
        Query comparisons(ledger, "SELECT compared_at FROM lost_comparison WHERE lost_id = ? ORDER BY compared_at",
                          lost_id);
        positions.push_back({source, export_no, comparisons.records<Instant>()});
    }
    return positions;
}

std::vector<std::filesystem::path> folders_beside(const std::filesystem::path& state_dir) {
    constexpr std::size_t max_folders = 1000;
    std::vector<std::filesystem::path> folders;
    // A path with a trailing slash would be its own parent.
    const auto beside = (state_dir.has_filename() ? state_dir : state_dir.parent_path()).parent_path();
    std::error_code error, unreadable;
    for (std::filesystem::directory_iterator at(beside, error), end; !error && at != end; at.increment(error)) {
        if (folders.size() == max_folders) break;
        if (at->is_directory(unreadable)) folders.push_back(at->path());
    }
    return folders;
}

std::vector<std::filesystem::path> possible_backups(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    std::error_code error, unreadable;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        const auto name = at->path().filename().string();
        // A pipe may never answer. SQLite's own files belong to a database, and a .part is not a backup yet.
        const bool is_part = std::ranges::any_of(std::array{".part", "-wal", "-shm", "-journal"},
                                                 [&](std::string_view end) { return name.ends_with(end); });
        if (at->is_regular_file(unreadable) && !is_part) files.push_back(at->path());
    }
    return files;
}

std::optional<HighWaterMark> position_of_backup(const std::filesystem::path& file,
                                                const std::optional<std::string>& ledger_id) {
    try {
        // Immutable: a copy on another disk may be read-only, and nobody writes to it.
        SQLite::Database db("file:" + percent_encoded(file.string()) + "?immutable=1",
                            SQLite::OPEN_READONLY | SQLite::OPEN_URI);
        SQLite::Statement identity(db, "SELECT ledger_id FROM ledger_identity");
        if (!identity.executeStep()) return std::nullopt;
        if (ledger_id && identity.getColumn(0).getString() != *ledger_id) return std::nullopt;
        SQLite::Statement end(db, "SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1");
        if (!end.executeStep()) return std::nullopt;
        HighWaterMark mark;
        mark.audit_seq = end.getColumn(0).getInt64();
        mark.audit_head = end.getColumn(1).getString();
        SQLite::Statement last(db, "SELECT max(export_no) FROM export_record");
        if (last.executeStep() && !last.getColumn(0).isNull()) mark.export_no = last.getColumn(0).getInt64();
        SQLite::Statement files(db,
                                R"sql(
            SELECT creation_date, file_id_modifier
            FROM payment_file
            WHERE rail = 'ach'
            ORDER BY file_id DESC
            LIMIT ?)sql");
        files.bind(1, latest_files);
        while (files.executeStep()) {
            if (const auto date = parse_date(files.getColumn(0).getString()))
                mark.file_id_modifiers[*date] += files.getColumn(1).getString();
        }
        SQLite::Statement ranges(db, "SELECT name, next FROM number_range");
        while (ranges.executeStep()) {
            set_next(mark.next, ranges.getColumn(0).getString(), ranges.getColumn(1).getInt64());
        }
        return mark;
    } catch (const SQLite::Exception&) {
        return std::nullopt;
    }
}

}  // namespace drawbridge::ledger
