#include "drawbridge/ledger/facts/archive.hpp"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>

#include "drawbridge/ledger/facts/arrivals.hpp"
#include "drawbridge/ledger/store/engine.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

std::string to_hex(std::string_view bytes) {
    std::string hex(bytes.size() * 2 + 1, '\0');
    sodium_bin2hex(hex.data(), hex.size(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    hex.pop_back();
    return hex;
}

// Parses the output of to_hex(). It was sealed, so nobody else wrote it.
std::string from_hex(const std::string& hex) {
    std::string bytes(hex.size() / 2, '\0');
    sodium_hex2bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), hex.data(), hex.size(), nullptr,
                   nullptr, nullptr);
    return bytes;
}

std::string subject_of(const std::string& path) {
    return "archive " + path;
}

}  // namespace

std::vector<ArchiveKey> archive_keys(Ledger& ledger) {
    std::vector<ArchiveKey> keys = {ledger.connection().sealer->archive_key()};
    Query query(ledger, "SELECT key_id, key_id, key FROM archive_key ORDER BY retired_at DESC");
    while (query.next()) {
        const auto [key_id, key] = query.row<std::string, Opened<retired_archive_key>>();
        keys.push_back({from_hex(key_id), Secret(from_hex(key.text.value_or("")))});
    }
    return keys;
}

void retire_archive_key(Ledger& ledger, const ArchiveKey& key, const Stamp& stamp) {
    assert_in_transaction(ledger);
    const std::string id = to_hex(key.id);
    const Secret hex(to_hex(key.key.reveal()));
    // A key that came back into use may be retired again.
    Query(ledger, "INSERT INTO archive_key (key_id, key, retired_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", id,
          ledger.connection().sealer->seal(retired_archive_key.name, id, hex.reveal()), stamp.at)
        .run();
}

std::map<std::string, ArchivedFile> archived_files(Ledger& ledger) {
    std::map<std::string, ArchivedFile> files;
    Query query(ledger, "SELECT path, sha256, size_bytes, sealed_at, deleted_at FROM archived_file ORDER BY path");
    while (query.next()) {
        auto [path, file] = query.row<std::string, ArchivedFile>();
        files.emplace_hint(files.end(), std::move(path), std::move(file));
    }
    return files;
}

void record_sealed(Ledger& ledger, const std::string& path, const ArchivedFile& file, bool found, const Stamp& stamp) {
    assert_in_transaction(ledger);
    Query(ledger, "INSERT INTO archived_file (path, sha256, size_bytes, sealed_at) VALUES (?, ?, ?, ?)", path,
          file.sha256, file.size_bytes, file.sealed_at)
        .run();
    audit(ledger, stamp, found ? "archive.found_sealed" : "archive.sealed", subject_of(path),
          fmt::format("{} bytes, sha256 {}{}", file.size_bytes, file.sha256,
                      found ? ": it was sealed before this ledger was restored" : ""));
}

bool may_be_deleted(Ledger& ledger, std::string_view sha256) {
    Query payments(ledger,
                   R"sql(
        WITH needed (payment_id) AS (SELECT l.payment_id FROM confirmation_file f CROSS
            JOIN confirmation_line l ON l.confirmation_file_id = f.confirmation_file_id WHERE f.sha256 = ?1
            AND l.payment_id IS NOT NULL UNION SELECT p.payment_id FROM payment_file f LEFT
            JOIN file_encryption e ON e.file_id = f.file_id CROSS JOIN payment p ON p.file_id = f.file_id
            WHERE ?1 IN (f.sha256, e.sha256))
        SELECT 1
        FROM needed n
        JOIN payment p ON p.payment_id = n.payment_id
        WHERE (p.ended_at IS NULL AND NOT EXISTS (SELECT 1 FROM payment_settlement s
            WHERE s.payment_id = p.payment_id AND s.kind = 'paid'))
            OR EXISTS (SELECT 1 FROM outbox o WHERE o.payment_id = p.payment_id AND o.outcome IS NULL)
            OR EXISTS (SELECT 1 FROM exception x WHERE x.closed_at IS NULL
            AND (x.payment_id = p.payment_id OR x.draw_id = p.draw_id))
        LIMIT 1)sql",
                   sha256);
    if (payments.next()) return false;
    Query exceptions(ledger,
                     R"sql(
        SELECT 1
        FROM exception x
        WHERE x.closed_at IS NULL AND (x.subject IN (SELECT name FROM confirmation_file WHERE sha256 = ?1
            UNION SELECT name FROM payment_file WHERE sha256 = ?1)
            OR x.exception_id IN (SELECT c.exception_id FROM line_exception c
            JOIN confirmation_line l ON l.line_id = c.line_id
            JOIN confirmation_file f ON f.confirmation_file_id = l.confirmation_file_id WHERE f.sha256 = ?1))
        LIMIT 1)sql",
                     sha256);
    return !exceptions.next();
}

void record_deleted(Ledger& ledger, const std::string& path, std::string_view why, const Stamp& stamp) {
    assert_in_transaction(ledger);
    Query file(ledger,
               R"sql(
        UPDATE archived_file
        SET deleted_at = ?
        WHERE path = ? AND deleted_at IS NULL
        RETURNING size_bytes, sha256)sql",
               stamp.at, path);
    const bool was_there = file.next();
    DRAWBRIDGE_ASSERT(was_there, "a sealed file is deleted once");
    const auto [size_bytes, sha256] = file.row<std::int64_t, std::string>();
    if (is_in_postgresql(ledger)) delete_stored_bytes(ledger, sha256);
    audit(ledger, stamp, "archive.deleted", subject_of(path),
          fmt::format("{} bytes, sha256 {}: {}", size_bytes, sha256, why));
}

std::map<std::string, KnownBytes> known_bytes(Ledger& ledger) {
    Query query(ledger,
                R"sql(
        WITH known (sha256, what, size_bytes, must_be_kept) AS (SELECT f.sha256, 'confirmation file ' || f.name, f.size_bytes, 1
            FROM confirmation_file f WHERE f.sha256 <> '' UNION ALL SELECT f.sha256, 'payment file ' || f.name, 0,
            CASE WHEN (d.encrypted = 0 AND d.archived_as <> '') OR (d.encrypted = 1 AND f.released_at IS NOT NULL
            AND f.makers_until IS NOT NULL) THEN 1 ELSE 0 END FROM payment_file f LEFT JOIN file_delivery d ON d.file_id = f.file_id
            WHERE f.sha256 IS NOT NULL UNION ALL SELECT e.sha256, 'payment file ' || e.name, 0, CASE WHEN d.archived_as <> '' THEN 1 ELSE 0 END
            FROM file_encryption e JOIN file_delivery d ON d.file_id = e.file_id
            UNION ALL SELECT a.sha256, 'sealed file ' || a.path, 0, 1 FROM archived_file a)
        SELECT k.sha256, k.what, k.size_bytes, coalesce(k.must_be_kept, 0), EXISTS (SELECT 1 FROM archived_file a
            WHERE a.sha256 = k.sha256 AND a.deleted_at IS NOT NULL)
        FROM known k)sql");
    std::map<std::string, KnownBytes> known;
    while (query.next()) {
        const auto [sha256, row] = query.row<std::string, KnownBytes>();
        auto& bytes = known[sha256];
        if (bytes.what.empty()) bytes.what = row.what;
        bytes.size_bytes = std::max(bytes.size_bytes, row.size_bytes);
        bytes.must_be_kept = bytes.must_be_kept || row.must_be_kept;
        bytes.is_deleted = row.is_deleted;
    }
    return known;
}

}  // namespace drawbridge::ledger
