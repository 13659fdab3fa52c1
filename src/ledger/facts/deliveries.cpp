#include "drawbridge/ledger/facts/deliveries.hpp"

#include "drawbridge/ledger/facts/archive.hpp"
#include "drawbridge/ledger/facts/evidence.hpp"
#include "facts/payment_row.hpp"
#include "reports/violations.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

using disbursement::DeliveryFact;
using disbursement::DeliveryStep;

#define DELIVERY_COLUMNS                                                                                       \
    "SELECT d.file_id, f.name, f.rail, d.by_sftp, d.encrypted, f.released_at, d.delivered_at, d.archived_at, " \
    "d.archived_as, f.sha256, e.name IS NOT NULL, e.name, e.fingerprint, e.sha256, e.size_bytes, e.made_at "
#define FROM_DELIVERIES                                                  \
    "FROM file_delivery d JOIN payment_file f ON f.file_id = d.file_id " \
    "LEFT JOIN file_encryption e ON e.file_id = d.file_id "

DeliveryRow read_delivery(const Query& query) {
    DeliveryRow row;
    std::string sha256;
    bool is_encrypted = false;
    Encryption encryption;
    query.read(row.file_id, row.file_name, row.rail, row.method, row.released_at, row.delivered_at, row.archived_at,
               row.archived_as, sha256, is_encrypted, encryption);
    row.name = row.file_name;
    if (!row.method.encrypted) {
        row.sha256 = sha256;
    } else if (is_encrypted) {
        row.encryption = std::move(encryption);
        row.name = row.encryption->name;
        row.sha256 = row.encryption->sha256;
    }
    return row;
}

std::vector<DeliveryRow> read_deliveries(Query& query) {
    std::vector<DeliveryRow> rows;
    while (query.next())
        rows.push_back(read_delivery(query));
    return rows;
}

std::string subject_of(Ledger& ledger, FileId file_id) {
    return "file " + file_name(ledger, file_id);
}

std::string words_for(const DeliveryFact& fact) {
    std::string text = fact.detail;
    if (fact.step == DeliveryStep::intent) {
        text = fact.server + " as " + fact.temporary_name + ", " + std::to_string(fact.size_bytes.value_or(0)) +
               " bytes" + (text.empty() ? "" : ": " + text);
    }
    return text;
}

}  // namespace

void order_delivery(Ledger& ledger, FileId file_id, DeliveryMethod method, const Stamp& stamp) {
    assert_in_transaction(ledger);
    if (!method.by_sftp && !method.encrypted) return;
    Query(ledger,
          R"sql(
        INSERT INTO file_delivery (file_id, ordered_at, by_sftp, encrypted)
        VALUES (?, ?, ?, ?)
        ON CONFLICT (file_id) DO NOTHING)sql",
          file_id, stamp.at, method.by_sftp ? 1 : 0, method.encrypted ? 1 : 0)
        .run();
}

std::optional<DeliveryRow> find_delivery(Ledger& ledger, FileId file_id) {
    Query query(ledger, DELIVERY_COLUMNS FROM_DELIVERIES "WHERE d.file_id = ?", file_id);
    if (!query.next()) return std::nullopt;
    return read_delivery(query);
}

std::vector<DeliveryRow> open_deliveries(Ledger& ledger) {
    Query query(ledger, DELIVERY_COLUMNS FROM_DELIVERIES
                "WHERE d.by_sftp = 1 AND d.archived_at IS NULL AND f.released_at IS NOT NULL AND f.voided_at IS NULL "
                "ORDER BY d.file_id");
    return read_deliveries(query);
}

std::vector<FileRow> files_to_encrypt(Ledger& ledger) {
    auto files = payment_files(ledger, /*unreleased_only=*/true);
    std::erase_if(files, [&](const FileRow& file) {
        if (!file.order || !file.order->method.encrypted) return true;
        const auto delivery = find_delivery(ledger, file.file_id);
        return delivery && delivery->encryption;
    });
    return files;
}

bool knows_file_name(Ledger& ledger, std::string_view name) {
    Query query(ledger,
                R"sql(
        SELECT 1
        FROM payment_file
        WHERE name = ?1
        UNION ALL
        SELECT 1
        FROM file_encryption
        WHERE name = ?1
        UNION ALL
        SELECT 1
        FROM sent_file
        WHERE name = ?1
        LIMIT 1)sql",
                name);
    return query.next();
}

std::optional<std::string> encrypted_from(Ledger& ledger, std::string_view name) {
    Query query(ledger,
                "SELECT f.name FROM file_encryption e JOIN payment_file f ON f.file_id = e.file_id WHERE e.name = ?",
                name);
    return query.first<std::string>();
}

std::optional<std::string> encrypted_sha256(Ledger& ledger, std::string_view name) {
    Query query(ledger, "SELECT sha256 FROM file_encryption WHERE name = ?", name);
    return query.first<std::string>();
}

void record_encryption(Ledger& ledger, FileId file_id, const Encryption& encryption, const Stamp& stamp) {
    assert_in_transaction(ledger);
    Query(ledger,
          R"sql(
        INSERT INTO file_encryption (file_id, name, fingerprint, sha256, size_bytes, made_at)
        VALUES (?, ?, ?, ?, ?, ?))sql",
          file_id, encryption.name, encryption.fingerprint, encryption.sha256, encryption.size_bytes, stamp.at)
        .run();
    audit(ledger, stamp, "file.encrypted", subject_of(ledger, file_id),
          encryption.name + " to " + encryption.fingerprint + ", sha256 " + encryption.sha256);
}

std::vector<ArchivedCopy> archived_copies(Ledger& ledger, const TimeZone& zone) {
    Query query(ledger,
                R"sql(
        SELECT f.name, f.sha256, f.release_ordered_at, d.archived_as, e.sha256
        FROM file_delivery d
        JOIN payment_file f ON f.file_id = d.file_id
        LEFT JOIN file_encryption e ON e.file_id = d.file_id
        WHERE f.released_at IS NOT NULL AND f.voided_at IS NULL
        ORDER BY f.file_id)sql");
    std::vector<ArchivedCopy> copies;
    constexpr std::string_view archive = "spool/archive/";
    while (query.next()) {
        const auto [name, sha256, ordered_at, archived_as, encrypted_sha256] =
            query.row<std::string, std::string, Instant, std::string, std::string>();
        const bool is_encrypted = !encrypted_sha256.empty();
        if (is_encrypted) copies.push_back({folder_of_day(zone.date_of(ordered_at)) + "/" + name, name, sha256, false});
        if (!archived_as.starts_with(archive)) continue;
        copies.push_back(
            {archived_as.substr(archive.size()), name, is_encrypted ? encrypted_sha256 : sha256, is_encrypted});
    }
    const auto rows = archived_files(ledger);
    std::erase_if(copies, [&](const ArchivedCopy& copy) {
        const auto row = rows.find(copy.path);
        return row != rows.end() && row->second.deleted_at;
    });
    return copies;
}

std::vector<FileRow> possibly_uncollected(Ledger& ledger, std::string_view reason_code, Instant since) {
    Query query(ledger,
                R"sql(
        SELECT f.name
        FROM payment_file f
        WHERE f.release_ordered_at >= ? AND f.released_at IS NOT NULL AND f.voided_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM file_delivery d WHERE d.file_id = f.file_id AND d.by_sftp = 1)
            AND NOT EXISTS (SELECT 1 FROM delivery_evidence v WHERE v.file_id = f.file_id)
            AND NOT EXISTS (SELECT 1 FROM payment p JOIN payment_settlement s ON s.payment_id = p.payment_id
            WHERE p.file_id = f.file_id)
            AND NOT EXISTS (SELECT 1 FROM exception x WHERE x.subject = f.name AND x.reason_code = ?
                AND (x.closed_at IS NULL OR x.closed_by <> 'drawbridge'))
        ORDER BY f.file_id)sql",
                since, reason_code);
    const auto names = query.records<std::string>();
    std::vector<FileRow> files;
    for (const auto& name : names)
        files.push_back(*find_file(ledger, name));
    return files;
}

std::vector<std::string> proven_since(Ledger& ledger, std::string_view reason_code) {
    Query query(ledger,
                R"sql(
        SELECT f.name
        FROM exception x
        JOIN payment_file f ON f.name = x.subject
        WHERE x.closed_at IS NULL AND x.reason_code = ? AND (EXISTS (SELECT 1 FROM delivery_evidence v
            WHERE v.file_id = f.file_id) OR EXISTS (SELECT 1 FROM payment p
            JOIN payment_settlement s ON s.payment_id = p.payment_id WHERE p.file_id = f.file_id)))sql",
                reason_code);
    return query.records<std::string>();
}

bool is_any_settled(Ledger& ledger, FileId file_id) {
    return Query(ledger,
                 "SELECT 1 FROM payment p JOIN payment_settlement s ON s.payment_id = p.payment_id WHERE p.file_id = ? "
                 "LIMIT 1",
                 file_id)
        .next();
}

void record_delivery_step(Ledger& ledger, FileId file_id, const DeliveryFact& fact) {
    assert_in_transaction(ledger);
    const bool is_intent = fact.step == DeliveryStep::intent;
    std::optional<std::string> server, temporary_name;
    std::optional<std::int64_t> size_bytes;
    if (is_intent) {
        server = fact.server;
        temporary_name = fact.temporary_name;
        size_bytes = static_cast<std::int64_t>(fact.size_bytes.value_or(0));
    }
    Query(ledger,
          R"sql(
        INSERT INTO delivery_step (file_id, at, by, uid, step, server, temporary_name, size_bytes, detail)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?))sql",
          file_id, fact.at, fact.by, fact.uid ? std::optional(recorded_uid(*fact.uid)) : std::nullopt,
          disbursement::to_string(fact.step), server, temporary_name, size_bytes, fact.detail)
        .run();
    const Stamp stamp{fact.at, fact.by, fact.uid};
    audit(ledger, stamp, "delivery." + std::string(disbursement::to_string(fact.step)), subject_of(ledger, file_id),
          words_for(fact));
    if (fact.step != DeliveryStep::delivered) return;
    const int changed = Query(ledger,
                              R"sql(
        UPDATE file_delivery
        SET delivered_at = ?
        WHERE file_id = ? AND by_sftp = 1 AND delivered_at IS NULL)sql",
                              fact.at, file_id)
                            .run_counted();
    DRAWBRIDGE_ASSERT(changed == 1, "a file is delivered once");
    record_evidence(ledger, file_id, fact.evidence, fact.detail, stamp);
    transmit_check_orders(ledger, file_id, stamp);
}

std::vector<DeliveryFact> delivery_steps(Ledger& ledger, FileId file_id) {
    Query query(ledger,
                R"sql(
        SELECT step, at, by, uid, server, temporary_name, size_bytes, detail
        FROM delivery_step
        WHERE file_id = ?
        ORDER BY step_id)sql",
                file_id);
    std::vector<DeliveryFact> facts;
    while (query.next()) {
        DeliveryFact fact;
        std::string step;
        std::optional<std::int64_t> size_bytes;
        query.read(step, fact.at, fact.by, fact.uid, fact.server, fact.temporary_name, size_bytes, fact.detail);
        fact.step = *disbursement::parse_delivery_step(step);
        if (size_bytes) fact.size_bytes = static_cast<std::uint64_t>(*size_bytes);
        facts.push_back(std::move(fact));
    }
    return facts;
}

void record_archived(Ledger& ledger, FileId file_id, std::string_view path, const Stamp& stamp) {
    assert_in_transaction(ledger);
    const int changed = Query(ledger,
                              R"sql(
        UPDATE file_delivery
        SET archived_at = ?, archived_as = ?
        WHERE file_id = ? AND delivered_at IS NOT NULL AND archived_at IS NULL)sql",
                              stamp.at, path, file_id)
                            .run_counted();
    DRAWBRIDGE_ASSERT(changed == 1, "a delivered file is archived once");
    audit(ledger, stamp, "file.archived", subject_of(ledger, file_id),
          path.empty() ? "somebody had removed the copy" : path);
}

Undelivered undelivered(Ledger& ledger) {
    Query query(ledger,
                R"sql(
        SELECT count(*), min(f.released_at)
        FROM file_delivery d
        JOIN payment_file f ON f.file_id = d.file_id
        WHERE d.by_sftp = 1 AND d.archived_at IS NULL AND d.delivered_at IS NULL AND f.released_at IS NOT NULL
            AND f.voided_at IS NULL)sql");
    return query.only<Undelivered>();
}

std::string listing_denied(Ledger& ledger, std::string_view server) {
    Query query(ledger,
                R"sql(
        SELECT detail
        FROM delivery_step
        WHERE step = 'intent' AND server = ?
        ORDER BY step_id DESC
        LIMIT 1)sql",
                server);
    return query.first<std::string>().value_or("");
}

std::vector<std::pair<std::string, std::int64_t>> delivery_step_counts(Ledger& ledger) {
    Query query(ledger, "SELECT step, count(*) FROM delivery_step GROUP BY step ORDER BY step");
    std::vector<std::pair<std::string, std::int64_t>> counts;
    while (query.next()) {
        auto& [step, count] = counts.emplace_back();
        query.read(step, count);
    }
    return counts;
}

InvariantResult check_deliveries(Ledger& ledger) {
    InvariantResult result{10, "a file is delivered once, and never sent again while it may be at the bank", 0, {}};
    {
        Query query(ledger, "SELECT count(*) FROM file_delivery");
        result.checked = query.only<std::int64_t>();
    }
    list_violations(ledger,
                    R"sql(
        SELECT 'file ' || f.name || ' has no delivered step but counts as delivered, or the reverse'
        FROM file_delivery d
        JOIN payment_file f ON f.file_id = d.file_id
        WHERE (d.delivered_at IS NOT NULL) <> (SELECT count(*) = 1 FROM delivery_step s WHERE s.file_id = d.file_id
            AND s.step = 'delivered'))sql",
                    result);
    list_violations(ledger,
                    R"sql(
        SELECT 'file ' || f.name || ' counts as delivered without evidence'
        FROM file_delivery d
        JOIN payment_file f ON f.file_id = d.file_id
        WHERE d.delivered_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM delivery_evidence v
            WHERE v.file_id = d.file_id))sql",
                    result);
    list_violations(ledger,
                    R"sql(
        SELECT 'file ' || f.name || ' was delivered before it was released'
        FROM file_delivery d
        JOIN payment_file f ON f.file_id = d.file_id
        WHERE d.delivered_at IS NOT NULL AND f.released_at IS NULL)sql",
                    result);
    list_violations(ledger,
                    R"sql(
        SELECT 'file ' || f.name || ' was released before it was encrypted'
        FROM file_delivery d
        JOIN payment_file f ON f.file_id = d.file_id
        WHERE d.encrypted = 1 AND f.released_at IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM file_encryption e WHERE e.file_id = d.file_id)
        -- Except when another copy of this ledger, before a restore, released it.
        AND NOT EXISTS (SELECT 1 FROM exception n WHERE n.subject = f.name AND n.reason_code = 'sent_file_unsure'))sql",
                    result);
    list_violations(ledger,
                    R"sql(
        SELECT 'file ' || f.name || ' was uploaded again while it may have been at the bank'
        FROM delivery_step s
        JOIN payment_file f ON f.file_id = s.file_id
        WHERE s.step = 'intent' AND (SELECT b.step FROM delivery_step b WHERE b.file_id = s.file_id
            AND b.step_id < s.step_id AND b.step <> 'unreachable'
            ORDER BY b.step_id DESC LIMIT 1) IN ('intent', 'uploaded', 'refused', 'unknown', 'conflict', 'uncertain',
            'delivered'))sql",
                    result);
    list_violations(ledger,
                    R"sql(
        SELECT 'order ' || o.order_id || ' about a check counts as transmitted, but its file was not delivered'
        FROM check_order o
        JOIN check_order_line l ON l.order_id = o.order_id
        JOIN file_delivery d ON d.file_id = l.file_id
        WHERE o.transmitted_at IS NOT NULL AND d.by_sftp = 1 AND d.delivered_at IS NULL
            AND (SELECT f.voided_at IS NULL FROM payment_file f WHERE f.file_id = d.file_id))sql",
                    result);
    return result;
}

}  // namespace drawbridge::ledger
