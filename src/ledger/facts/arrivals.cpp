#include "drawbridge/ledger/facts/arrivals.hpp"

#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/text/sanitize.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {

void store_piece(Ledger& ledger, std::string_view sha256, std::size_t position, std::string_view bytes) {
    assert_in_transaction(ledger);
    const auto row = std::string(sha256) + ":" + std::to_string(position);
    Query(ledger, "INSERT INTO stored_piece (sha256, position, bytes) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", sha256,
          position, ledger.connection().sealer->seal(stored_piece_bytes.name, row, bytes))
        .run();
}

void store_bytes(Ledger& ledger, std::string_view sha256, std::string_view bytes) {
    for (std::size_t at = 0; at < bytes.size(); at += piece_size)
        store_piece(ledger, sha256, at / piece_size, bytes.substr(at, piece_size));
}

std::optional<std::string> stored_bytes(Ledger& ledger, std::string_view sha256) {
    std::string bytes;
    Query query(ledger, "SELECT sha256 || ':' || position, bytes FROM stored_piece WHERE sha256 = ? ORDER BY position",
                sha256);
    while (query.next())
        bytes += query.record<Opened<stored_piece_bytes>>().text.value_or("");
    if (sha256_hex(bytes) != sha256) return std::nullopt;
    return bytes;
}

void delete_stored_bytes(Ledger& ledger, std::string_view sha256) {
    assert_in_transaction(ledger);
    Query(ledger, "DELETE FROM stored_piece WHERE sha256 = ?", sha256).run();
}

void record_arrival(Ledger& ledger, const Arrival& arrival, const Stamp& stamp) {
    assert_in_transaction(ledger);
    const int added =
        Query(ledger,
              R"sql(
        INSERT INTO arrival (at, sha256, name, profile, uid, by)
        VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT DO NOTHING)sql",
              stamp.at, arrival.sha256, arrival.name, arrival.profile, recorded_uid(arrival.uid), arrival.by)
            .run_counted();
    if (added == 0) return;
    audit(ledger, stamp, "confirmation_file.arrived", "file " + text::for_terminal(arrival.name),
          "sha256 " + arrival.sha256 + ", from " + arrival.by);
}

std::optional<Arrival> open_arrival(Ledger& ledger, std::string_view sha256) {
    Query query(ledger, "SELECT sha256, name, profile, uid, by FROM arrival WHERE sha256 = ? AND finished_at IS NULL",
                sha256);
    return query.first<Arrival>();
}

std::vector<Arrival> open_arrivals(Ledger& ledger) {
    Query query(ledger,
                "SELECT sha256, name, profile, uid, by FROM arrival WHERE finished_at IS NULL ORDER BY arrival_id");
    return query.records<Arrival>();
}

void finish_arrival(Ledger& ledger, std::string_view sha256, const Stamp& stamp) {
    assert_in_transaction(ledger);
    Query(ledger, "UPDATE arrival SET finished_at = ? WHERE sha256 = ? AND finished_at IS NULL", stamp.at, sha256)
        .run();
}

void withdraw_arrival(Ledger& ledger, const Arrival& arrival, const Stamp& stamp) {
    finish_arrival(ledger, arrival.sha256, stamp);
    if (!Query(ledger, "SELECT 1 FROM confirmation_file WHERE sha256 = ?", arrival.sha256).next())
        delete_stored_bytes(ledger, arrival.sha256);
    audit(ledger, stamp, "confirmation_file.not_taken", "file " + text::for_terminal(arrival.name),
          "sha256 " + arrival.sha256 + ": the file was changed or removed before it was taken from the inbox");
}

std::vector<KeptConfirmation> kept_confirmations(Ledger& ledger, std::int64_t after, int limit) {
    Query query(ledger,
                R"sql(
        SELECT f.confirmation_file_id, f.sha256, f.name, f.recorded_at
        FROM confirmation_file f
        WHERE f.confirmation_file_id > ? AND f.sha256 <> '' AND NOT EXISTS (SELECT 1 FROM archived_file a
            WHERE a.sha256 = f.sha256 AND a.deleted_at IS NOT NULL)
        ORDER BY f.confirmation_file_id
        LIMIT ?)sql",
                after, limit);
    return query.records<KeptConfirmation>();
}

}  // namespace drawbridge::ledger
