#include "drawbridge/ledger/facts/exports.hpp"

#include "drawbridge/domain/digest.hpp"
#include "facts/export_row.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

using reconciliation::ExportLine;

std::int64_t next_of(Ledger& ledger, std::string_view range) {
    Query query(ledger, "SELECT next FROM number_range WHERE name = ?", range);
    return query.first<std::int64_t>().value_or(1);
}

void read_file(Ledger& ledger, FileId file_id, ExportLine& line) {
    Query query(ledger,
                R"sql(
        SELECT name, kind, rail, sha256, creation_date, file_id_modifier, prenote_count, total_cents,
            release_ordered_by
        FROM payment_file
        WHERE file_id = ?)sql",
                file_id);
    const bool found = query.next();
    DRAWBRIDGE_ASSERT(found, "the file is in the ledger");
    query.read(line.file, line.kind, line.rail, line.sha256, line.creation_date, line.file_id_modifier, line.prenotes,
               line.total, line.released_by);
}

// The act that the releaser has just signed; nullopt: nobody signed.
std::optional<std::int64_t> act_of_release(Ledger& ledger, FileId file_id) {
    Query query(ledger,
                R"sql(
        SELECT max(s.act_id)
        FROM payment_file f
        JOIN signed_act s ON s.request = 'POST /files/' || f.name || '/release'
            AND s.person_id = f.release_uid - 4294967296
        WHERE f.file_id = ?)sql",
                file_id);
    return query.only<std::optional<std::int64_t>>();
}

std::string act_sha256(Ledger& ledger, std::optional<std::int64_t> act_id) {
    if (!act_id) return {};
    Query query(ledger, "SELECT text FROM signed_act WHERE act_id = ?", *act_id);
    return sha256_hex(query.only<std::string>());
}

}  // namespace

LastExport last_export(Ledger& ledger) {
    LastExport last{0, ledger.ledger_id()};
    {
        Query query(ledger,
                    R"sql(
            SELECT export_no, line_sha256
            FROM export_record
            WHERE export_no = (SELECT max(export_no) FROM export_record))sql");
        if (auto recorded = query.first<LastExport>()) last = *std::move(recorded);
    }
    // Exports that a restored ledger knows only from manifests.
    Query query(ledger,
                R"sql(
        SELECT export_no, line_sha256
        FROM sent_file
        WHERE export_no IS NOT NULL AND export_no = (SELECT max(export_no) FROM sent_file
            WHERE export_no IS NOT NULL))sql");
    if (auto sent = query.first<LastExport>(); sent && sent->export_no > last.export_no) last = *std::move(sent);
    return last;
}

void record_export(Ledger& ledger, FileId file_id, ExportedPayments& payments, const Stamp& stamp) {
    assert_in_transaction(ledger);
    const auto last = last_export(ledger);
    ExportLine line;
    line.export_no = last.export_no + 1;
    line.at = stamp.at;
    line.ledger_id = ledger.ledger_id();
    line.audit_seq = ledger.connection().audit_seq;
    line.audit_head = ledger.connection().audit_head;
    line.previous = last.line_sha256;
    line.next = {next_of(ledger, "payment_id"), next_of(ledger, "trace_sequence"), next_of(ledger, "check_number"),
                 next_of(ledger, "batch_number"), next_of(ledger, "file_sequence")};
    read_file(ledger, file_id, line);
    const auto act_id = act_of_release(ledger, file_id);
    line.act_sha256 = act_sha256(ledger, act_id);
    Query(ledger, "INSERT INTO export_record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", line.export_no, file_id,
          line.at, line.audit_seq, line.audit_head, line.previous,
          reconciliation::line_hash(reconciliation::to_line(line, payments.text())), line.next.payment_id,
          line.next.trace_sequence, line.next.check_number, line.next.batch_number, line.next.file_sequence)
        .run();
    if (act_id) Query(ledger, "INSERT INTO export_act VALUES (?, ?)", line.export_no, *act_id).run();
}

std::optional<ExportedLine> export_line(Ledger& ledger, FileId file_id) {
    ExportedPayments payments(ledger, file_id);
    return export_line(ledger, file_id, payments);
}

std::optional<ExportedLine> export_line(Ledger& ledger, FileId file_id, ExportedPayments& payments) {
    ExportLine line;
    std::optional<std::int64_t> act_id;
    {
        Query query(ledger,
                    R"sql(
            SELECT e.export_no, e.at, e.audit_seq, e.audit_head, e.previous, e.next_payment_id,
                e.next_trace_sequence, e.next_check_number, e.next_batch_number, e.next_file_sequence, a.act_id
            FROM export_record e
            LEFT JOIN export_act a ON a.export_no = e.export_no
            WHERE e.file_id = ?)sql",
                    file_id);
        if (!query.next()) return std::nullopt;
        query.read(line.export_no, line.at, line.audit_seq, line.audit_head, line.previous, line.next, act_id);
        line.ledger_id = ledger.ledger_id();
    }
    read_file(ledger, file_id, line);
    line.act_sha256 = act_sha256(ledger, act_id);
    return ExportedLine{line.at, reconciliation::to_line(line, payments.text())};
}

std::vector<NextExport> exports_after(Ledger& ledger, std::int64_t export_no) {
    std::vector<std::pair<std::int64_t, FileId>> rows;
    {
        Query query(ledger, "SELECT export_no, file_id FROM export_record WHERE export_no > ? ORDER BY export_no",
                    export_no);
        while (query.next())
            rows.emplace_back(query.integer(0), query.integer(1));
    }
    std::vector<NextExport> exports;
    for (const auto& [number, file_id] : rows)
        exports.push_back({number, *export_line(ledger, file_id)});
    return exports;
}

std::vector<reconciliation::KnownExport> known_exports(Ledger& ledger) {
    std::vector<reconciliation::KnownExport> exports;
    {
        Query query(ledger,
                    R"sql(
            SELECT e.export_no, f.name, f.sha256, e.line_sha256, e.audit_seq, a.hash, f.released_at IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM restoration r WHERE r.complete = 0 AND r.newest_file >= f.file_id),
                f.file_id
            FROM export_record e
            JOIN payment_file f ON f.file_id = e.file_id
            LEFT JOIN audit a ON a.seq = e.audit_seq
            ORDER BY e.export_no)sql");
        while (query.next()) {
            auto& known = exports.emplace_back();
            FileId file_id = 0;
            query.read(known.export_no, known.file, known.sha256, known.line_sha256, known.audit_seq, known.audit_head,
                       known.went_out, file_id);
            known.derived_sha256 = reconciliation::line_hash(export_line(ledger, file_id)->text);
        }
    }
    Query query(ledger,
                R"sql(
        SELECT s.export_no, s.name, s.sha256, s.line_sha256, NOT EXISTS (SELECT 1 FROM restoration r
            WHERE r.complete = 0 AND r.restoration_id > s.restoration_id)
        FROM sent_file s
        WHERE s.export_no IS NOT NULL
        ORDER BY s.export_no)sql");
    while (query.next()) {
        auto& known = exports.emplace_back();
        query.read(known.export_no, known.file, known.sha256, known.line_sha256, known.went_out);
        known.from_manifest = true;
    }
    return exports;
}

std::vector<SentExport> sent_exports(Ledger& ledger) {
    Query query(ledger,
                R"sql(
        SELECT e.export_no, f.name, e.line_sha256
        FROM export_record e
        JOIN payment_file f ON f.file_id = e.file_id
        WHERE f.released_at IS NOT NULL
        UNION ALL
        SELECT export_no, name, line_sha256
        FROM sent_file
        WHERE export_no IS NOT NULL
        ORDER BY 1)sql");
    return query.records<SentExport>();
}

bool knows_export(Ledger& ledger, std::int64_t export_no, std::string_view line_sha256) {
    Query query(ledger,
                R"sql(
        SELECT 1
        FROM export_record
        WHERE export_no = ? AND line_sha256 = ?
        UNION ALL
        SELECT 1
        FROM sent_file
        WHERE export_no = ? AND line_sha256 = ?)sql",
                export_no, line_sha256, export_no, line_sha256);
    return query.next();
}

}  // namespace drawbridge::ledger
