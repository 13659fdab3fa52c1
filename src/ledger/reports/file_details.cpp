#include "drawbridge/ledger/reports/file_details.hpp"

#include "store/connection.hpp"

namespace drawbridge::ledger {

std::vector<BatchRow> batches_of(Ledger& ledger, FileId file_id) {
    Query query(ledger,
                R"sql(
        SELECT b.batch_number, max(b.sec_code), max(b.effective_entry_date), sum(b.is_payment),
            sum(1 - b.is_payment), sum(b.has_addenda), sum(b.amount_cents), coalesce((SELECT o.amount_cents
            FROM offset_entry o WHERE o.file_id = ?1 AND o.batch_number = b.batch_number), 0)
        FROM (SELECT batch_number, sec_code, effective_entry_date, 1 AS is_payment,
            CASE WHEN remittance <> '' THEN 1 ELSE 0 END AS has_addenda, amount_cents FROM payment WHERE file_id = ?1
            AND rail = 'ach' UNION ALL SELECT batch_number, sec_code, effective_entry_date, 0, 0, 0 FROM prenote
            WHERE file_id = ?1) b
        GROUP BY b.batch_number
        ORDER BY b.batch_number)sql",
                file_id);
    return query.records<BatchRow>();
}

// A payee was paid before when an earlier payment to the same key was let go.
#define PAID_BEFORE                                                                             \
    "EXISTS (SELECT 1 FROM payment e JOIN payment_file g ON g.file_id = e.file_id WHERE "       \
    "e.payee_key = p.payee_key AND e.payment_id < p.payment_id AND e.file_id <> p.file_id AND " \
    "g.release_ordered_at IS NOT NULL AND g.voided_at IS NULL)"

std::vector<FilePaymentRow> payments_of(Ledger& ledger, FileId file_id, std::int64_t after_payment, int limit) {
    Query query(ledger,
                R"sql(
        SELECT p.payment_id, p.draw_id, p.amount_cents, p.payee_key, p.payee_name,
            p.payment_id, p.account_number, p.trace_number, p.check_number,
            p.effective_entry_date, r.case_name, NOT )sql" PAID_BEFORE
                ", (SELECT CASE WHEN c.decided_by IS NULL THEN 'rule ''' || c.rule || '''' ELSE c.decided_by END "
                "FROM approval_item i JOIN decision c ON c.decision_id = i.decision_id WHERE i.draw_id = p.draw_id "
                "AND i.outcome = 'approved' ORDER BY i.item_id DESC LIMIT 1) "
                "FROM payment p JOIN draw_reading r ON r.reading_id = p.reading_id "
                "WHERE p.file_id = ? AND (p.batch_number, p.payment_id) > "
                "(coalesce((SELECT a.batch_number FROM payment a WHERE a.payment_id = ?), -1), ?) "
                "ORDER BY p.batch_number, p.payment_id LIMIT ?",
                file_id, after_payment, after_payment, limit);
    std::vector<FilePaymentRow> rows;
    while (query.next()) {
        FilePaymentRow row;
        Opened<payment_account> account;
        query.read(row.payment_id, row.draw_id, row.amount, row.payee_key, row.payee_name, account, row.trace_number,
                   row.check_number, row.effective_entry_date, row.case_name, row.first_time, row.approved_by);
        if (account.text) {
            if (const auto number = AccountNumber::parse(*account.text)) row.masked_account = number->masked();
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

FirstTimePayees first_time_payees(Ledger& ledger, FileId file_id) {
    Query query(ledger,
                R"sql(
        SELECT count(DISTINCT p.payee_key), coalesce(sum(p.amount_cents), 0)
        FROM payment p
        WHERE p.file_id = ? AND NOT )sql" PAID_BEFORE,
                file_id);
    return query.only<FirstTimePayees>();
}

FileWords words_of(Ledger& ledger, FileId file_id) {
    Query query(ledger, "SELECT release_reason, void_reason FROM payment_file WHERE file_id = ?", file_id);
    return query.first<FileWords>().value_or(FileWords{});
}

Money largest_payment(Ledger& ledger, FileId file_id) {
    Query query(ledger, "SELECT coalesce(max(amount_cents), 0) FROM payment WHERE file_id = ?", file_id);
    return query.only<Money>();
}

std::optional<EarlierFile> file_before(Ledger& ledger, const FileRow& file) {
    EarlierFile earlier;
    FileId earlier_id = 0;
    {
        Query query(ledger,
                    R"sql(
            SELECT file_id, name, payment_count, total_cents
            FROM payment_file
            WHERE file_id < ? AND rail = ? AND kind = 'payments' AND release_ordered_at IS NOT NULL
                AND voided_at IS NULL
            ORDER BY file_id DESC
            LIMIT 1)sql",
                    file.file_id, disbursement::to_string(file.rail));
        if (!query.next()) return std::nullopt;
        query.read(earlier_id, earlier.name, earlier.payments, earlier.total);
    }
    earlier.largest = largest_payment(ledger, earlier_id);
    return earlier;
}

}  // namespace drawbridge::ledger
