#include "drawbridge/ledger/facts/payments.hpp"

#include <algorithm>
#include <iterator>

#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/facts/deliveries.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/release_orders.hpp"
#include "facts/export_row.hpp"
#include "facts/payment_row.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

using disbursement::PlannedFile;
using disbursement::PlannedPayment;
using disbursement::Rail;

FileState state_of(const Query& query) {
    if (!query.is_null(13)) return FileState::voided;
    if (!query.is_null(12)) return FileState::released;
    if (!query.is_null(10)) return FileState::releasing;
    if (!query.is_null(9)) return FileState::staged;
    return FileState::planned;
}

#define FILE_COLUMNS                                                                                        \
    "SELECT f.file_id, f.name, f.rail, f.started_by, f.created_at, f.payment_count, f.total_cents, "        \
    "f.entry_hash, f.sha256, f.staged_at, f.release_ordered_at, f.release_ordered_by, f.released_at, "      \
    "f.voided_at, f.voided_by, f.kind, f.prenote_count, o.release_order_id, o.ordered_at, o.ordered_by, "   \
    "o.ordered_uid, o.reason, o.by_sftp, o.encrypted, w.waits_for, w.at, f.planned_at FROM payment_file f " \
    "LEFT JOIN release_order o ON o.file_id = f.file_id AND o.ended_at IS NULL "                            \
    "LEFT JOIN release_wait w ON w.wait_id = (SELECT max(n.wait_id) FROM release_wait n WHERE "             \
    "n.release_order_id = o.release_order_id) "

std::optional<ReleaseOrder> read_order(const Query& query, int at) {
    if (query.is_null(at)) return std::nullopt;
    ReleaseOrder order;
    order.release_order_id = query.integer(at);
    order.ordered = {query.instant(at + 1), query.text(at + 2), query.optional_integer(at + 3)};
    order.reason = query.text(at + 4);
    order.method = {query.integer(at + 5) != 0, query.integer(at + 6) != 0};
    order.waits_for = query.optional_text(at + 7).value_or("");
    order.waits_since = query.optional_instant(at + 8);
    return order;
}

FileRow read_file_row(const Query& query) {
    FileRow row;
    row.file_id = query.integer(0);
    row.name = query.text(1);
    row.rail = *disbursement::parse_rail(query.text(2));
    row.state = state_of(query);
    row.started_by = query.text(3);
    row.created_at = query.instant(4);
    row.payment_count = query.integer(5);
    row.total = query.money(6);
    row.entry_hash = query.integer(7);
    row.sha256 = query.optional_text(8).value_or("");
    row.staged_at = query.optional_instant(9);
    row.release_ordered_at = query.optional_instant(10);
    row.release_ordered_by = query.optional_text(11).value_or("");
    row.released_at = query.optional_instant(12);
    row.voided_at = query.optional_instant(13);
    row.voided_by = query.optional_text(14).value_or("");
    if (query.text(15) == "check_orders") row.kind = disbursement::FileKind::check_orders;
    row.prenote_count = query.integer(16);
    row.planned_at = query.optional_instant(26);
    row.order = read_order(query, 17);
    if (row.order) {
        row.release_ordered_at = row.order->ordered.at;
        row.release_ordered_by = row.order->ordered.actor;
    }
    return row;
}

bool may_be_at_bank(Ledger& ledger, FileId file_id) {
    return !Query(ledger, "SELECT 1 FROM unsent_file WHERE file_id = ?", file_id).next();
}

void update_file(int changed) {
    DRAWBRIDGE_ASSERT(changed == 1, "a payment file goes through its states in order");
}

}  // namespace

std::vector<DrawId> draws_to_pay(Ledger& ledger, std::string_view state, DrawId after, int limit) {
    if (ledger.connection().in_transaction) apply_state_counts(ledger);
    Query query(ledger,
                R"sql(
        SELECT s.draw_id
        FROM draw_standing s
        CROSS JOIN draw d ON d.draw_id = s.draw_id
        WHERE s.state = ? AND s.draw_id > ?
            AND (d.status = 4
                OR (d.status = 3 AND EXISTS (SELECT 1 FROM approval_item i JOIN draw_decision c ON c.decision_id = i.decision_id
                    WHERE i.draw_id = d.draw_id AND c.reading_id = d.reading_id AND i.outcome || '' = 'approved'))
                OR (d.status = 5 AND EXISTS (SELECT 1 FROM reissue_order o WHERE o.draw_id = d.draw_id)))
            AND NOT EXISTS (SELECT 1 FROM payment_not_replaced p WHERE p.draw_id = d.draw_id)
        ORDER BY s.draw_id
        LIMIT ?)sql",
                state, after, limit);
    return query.records<DrawId>();
}

std::vector<DrawId> draws_to_pay(Ledger& ledger) {
    std::vector<DrawId> ids;
    for (const auto state : states_to_pay)
        std::ranges::move(draws_to_pay(ledger, state, 0, std::numeric_limits<int>::max()), std::back_inserter(ids));
    std::ranges::sort(ids);
    return ids;
}

std::string_view to_string(FileState state) {
    switch (state) {
        case FileState::planned: return "planned";
        case FileState::staged: return "staged";
        case FileState::releasing: return "releasing";
        case FileState::released: return "released";
        case FileState::voided: return "voided";
    }
    return "planned";
}

FileId first_file_of_run(Ledger& ledger, FileId file_id) {
    Query query(ledger,
                R"sql(
        SELECT min(f.file_id)
        FROM payment_file own
        JOIN payment_file f ON f.creation_date = own.creation_date AND f.created_at = own.created_at
        WHERE own.file_id = ?)sql",
                file_id);
    query.next();
    return query.integer(0);
}

std::vector<FileRow> payment_files(Ledger& ledger, bool unreleased_only) {
    std::vector<FileRow> rows;
    if (unreleased_only) {
        Query query(ledger, FILE_COLUMNS "WHERE f.released_at IS NULL AND f.voided_at IS NULL ORDER BY f.file_id");
        while (query.next())
            rows.push_back(read_file_row(query));
    } else {
        Query query(ledger, FILE_COLUMNS "ORDER BY f.file_id");
        while (query.next())
            rows.push_back(read_file_row(query));
    }
    return rows;
}

std::vector<FileRow> payment_files_after(Ledger& ledger, FileId after, int limit) {
    Query query(ledger, FILE_COLUMNS "WHERE f.file_id > ? ORDER BY f.file_id LIMIT ?", after, limit);
    std::vector<FileRow> rows;
    while (query.next())
        rows.push_back(read_file_row(query));
    return rows;
}

// state_of() in SQL: the state follows from which instants are set.
#define FILE_IN_STATE                                                                                       \
    "(?1 = '' OR ?1 = CASE WHEN f.voided_at IS NOT NULL THEN 'voided' WHEN f.released_at IS NOT NULL THEN " \
    "'released' WHEN f.release_ordered_at IS NOT NULL THEN 'releasing' WHEN f.staged_at IS NOT NULL THEN "  \
    "'staged' ELSE 'planned' END) "

std::vector<FileRow> payment_files_before(Ledger& ledger, FileId before, std::optional<FileState> state, int limit) {
    Query query(ledger, FILE_COLUMNS "WHERE " FILE_IN_STATE "AND f.file_id < ?2 ORDER BY f.file_id DESC LIMIT ?3",
                state ? to_string(*state) : std::string_view(), newest_before(before), limit);
    std::vector<FileRow> rows;
    while (query.next())
        rows.push_back(read_file_row(query));
    return rows;
}

std::vector<FileRow> payment_files_in(Ledger& ledger, FileState state, FileId after, int limit) {
    Query query(ledger, FILE_COLUMNS "WHERE " FILE_IN_STATE "AND f.file_id > ?2 ORDER BY f.file_id LIMIT ?3",
                to_string(state), after, limit);
    std::vector<FileRow> rows;
    while (query.next())
        rows.push_back(read_file_row(query));
    return rows;
}

std::int64_t count_payment_files(Ledger& ledger) {
    Query query(ledger, "SELECT count(*) FROM payment_file");
    query.next();
    return query.integer(0);
}

std::int64_t count_payment_files_in(Ledger& ledger, FileState state) {
    return Query(ledger, "SELECT count(*) FROM payment_file f WHERE " FILE_IN_STATE, to_string(state))
        .only<std::int64_t>();
}

std::optional<FileRow> find_file(Ledger& ledger, std::string_view name) {
    Query query(ledger, FILE_COLUMNS "WHERE f.name = ?", name);
    if (!query.next()) return std::nullopt;
    return read_file_row(query);
}

void record_staged(Ledger& ledger, FileId file_id, std::string_view sha256, const Stamp& stamp) {
    assert_in_transaction(ledger);
    update_file(Query(ledger,
                      "UPDATE payment_file SET staged_at = ?, sha256 = ? WHERE file_id = ? AND staged_at IS NULL",
                      stamp.at, sha256, file_id)
                    .run_counted());
    audit(ledger, stamp, "file.staged", "file " + file_name(ledger, file_id), "sha256 " + std::string(sha256));
}

Result<void> check_may_order(const FileRow& file) {
    if (file.state == FileState::planned) {
        return fail(ErrorCode::conflict, file.name + " is not written yet: the next run of the pay step writes it");
    }
    if (file.state == FileState::voided)
        return fail(ErrorCode::conflict, file.name + " was voided by " + file.voided_by);
    if (file.state == FileState::released) {
        return fail(ErrorCode::conflict, file.name + " was already released by " + file.release_ordered_by);
    }
    return {};
}

Result<void> order_release(Ledger& ledger, const FileRow& file, std::string_view reason, const Stamp& stamp) {
    ExportedPayments payments(ledger, file.file_id);
    return order_release(ledger, file, reason, stamp, payments);
}

Result<void> order_release(Ledger& ledger, const FileRow& file, std::string_view reason, const Stamp& stamp,
                           ExportedPayments& payments) {
    assert_in_transaction(ledger);
    if (auto may = check_may_order(file); !may) return may;
    if (file.state == FileState::releasing) {
        return fail(ErrorCode::conflict, file.name + " was already released by " + file.release_ordered_by);
    }
    if (auto may = check_may_release(ledger, file, stamp); !may) return may;
    const std::int64_t makers_until = fix_makers(ledger, file.file_id, stamp);
    const auto releaser = stamp.uid ? std::optional(recorded_uid(*stamp.uid)) : std::nullopt;
    update_file(Query(ledger,
                      R"sql(
        UPDATE payment_file
        SET release_ordered_at = ?, release_ordered_by = ?, release_reason = ?, release_uid = ?, makers_until = ?
        WHERE file_id = ? AND staged_at IS NOT NULL AND release_ordered_at IS NULL)sql",
                      stamp.at, stamp.actor, reason, releaser, makers_until, file.file_id)
                    .run_counted());
    audit(ledger, stamp, "file.releasing", "file " + file.name, with_makers(ledger, file.file_id, reason));
    record_export(ledger, file.file_id, payments, stamp);
    return {};
}

std::vector<BusinessDate> effective_entry_dates(Ledger& ledger, FileId file_id) {
    Query query(ledger,
                R"sql(
        WITH RECURSIVE file_batch (number) AS (
            SELECT min(batch_number) FROM payment WHERE file_id = ?1
            UNION ALL
            SELECT (SELECT min(p.batch_number) FROM payment p WHERE p.file_id = ?1 AND p.batch_number > number)
            FROM file_batch
            WHERE number IS NOT NULL)
        SELECT p.effective_entry_date
        FROM file_batch
        JOIN payment p ON p.payment_id = (SELECT min(q.payment_id) FROM payment q
            WHERE q.file_id = ?1 AND q.batch_number = number)
        WHERE p.effective_entry_date IS NOT NULL
        UNION
        SELECT effective_entry_date
        FROM prenote
        WHERE file_id = ?1
        ORDER BY 1)sql",
                file_id);
    std::vector<BusinessDate> dates;
    while (query.next())
        dates.push_back(query.date(0));
    return dates;
}

static void end_payments(Ledger& ledger, FileId file_id, Instant at) {
    Query(ledger, "UPDATE payment SET ended_at = ?, finished_at = ? WHERE file_id = ? AND ended_at IS NULL", at, at,
          file_id)
        .run();
}

std::string before_void(Ledger& ledger, const FileRow& file) {
    if (file.state != FileState::released || !may_be_at_bank(ledger, file.file_id)) return {};
    const auto delivery = find_delivery(ledger, file.file_id);
    if (!delivery || !delivery->method.by_sftp || delivery->delivered_at) return "stop or recall it at the bank";
    return "an upload began: run 'drawbridge pause --reason …', and ask the bank whether it has the file. If it does "
           "not, a "
           "releaser runs 'drawbridge deliver " +
           file.name + " --again --reason …'; then void it";
}

Result<void> void_file(Ledger& ledger, const FileRow& file, std::string_view reason, const Stamp& stamp) {
    assert_in_transaction(ledger);
    if (file.state == FileState::voided)
        return fail(ErrorCode::conflict, file.name + " was voided by " + file.voided_by);
    if (!file.planned_at) {
        return fail(ErrorCode::conflict, file.name + " is still being planned: wait until the pay step has ended");
    }
    if (const auto first = before_void(ledger, file); !first.empty())
        return fail(ErrorCode::conflict, file.name + " was released by " + file.release_ordered_by + ": " + first);
    update_file(Query(ledger,
                      R"sql(
        UPDATE payment_file
        SET voided_at = ?, voided_by = ?, void_reason = ?
        WHERE file_id = ? AND voided_at IS NULL)sql",
                      stamp.at, stamp.actor, reason, file.file_id)
                    .run_counted());
    end_release_order(ledger, file.file_id, ReleaseOutcome::voided, reason, stamp);
    end_payments(ledger, file.file_id, stamp.at);
    audit(ledger, stamp, "file.voided", "file " + file.name, reason);
    return {};
}

std::vector<std::string> voided_file_names(Ledger& ledger) {
    Query query(ledger,
                R"sql(
        SELECT f.name
        FROM payment_file f
        WHERE f.voided_at IS NOT NULL
        UNION ALL
        SELECT e.name
        FROM payment_file f
        JOIN file_encryption e ON e.file_id = f.file_id
        WHERE f.voided_at IS NOT NULL)sql");
    std::vector<std::string> names;
    while (query.next())
        names.push_back(query.text(0));
    return names;
}

std::vector<std::string> recalled_file_names(Ledger& ledger) {
    Query query(ledger,
                R"sql(
        SELECT coalesce(e.name, f.name)
        FROM payment_file f
        LEFT JOIN file_encryption e ON e.file_id = f.file_id
        WHERE f.voided_at IS NOT NULL AND f.released_at IS NOT NULL)sql");
    std::vector<std::string> names;
    while (query.next())
        names.push_back(query.text(0));
    return names;
}

void record_released(Ledger& ledger, FileId file_id, const Stamp& stamp) {
    assert_in_transaction(ledger);
    update_file(Query(ledger,
                      R"sql(
        UPDATE payment_file
        SET released_at = ?, released_after_run_id = (SELECT run_id FROM newest_run)
        WHERE file_id = ? AND release_ordered_at IS NOT NULL AND released_at IS NULL)sql",
                      stamp.at, file_id)
                    .run_counted());
    end_release_order(ledger, file_id, ReleaseOutcome::released, "", stamp);
    audit(ledger, stamp, "file.released", "file " + file_name(ledger, file_id), "");
    // A file that goes by SFTP is at the bank when it is delivered, not before.
    const auto delivery = find_delivery(ledger, file_id);
    if (!delivery || !delivery->method.by_sftp) transmit_check_orders(ledger, file_id, stamp);
}

}  // namespace drawbridge::ledger
