// Bank reports about a file's payments between its planning and its release.
#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "facts/bank_reports.hpp"
#include "store/connection.hpp"
#include "store/id_list.hpp"

namespace drawbridge::ledger {
namespace {

// Bank reports about a payment that has not gone out, or that the draw may have been paid already.
void add_bank_reports(Ledger& ledger, const std::string& ids, std::vector<std::string>& changes) {
    Query query(ledger,
                R"sql(
        SELECT DISTINCT p.draw_id, e.payment_id, e.exception_id, l.kind
        FROM payment p
        CROSS JOIN exception e ON e.draw_id = p.draw_id AND e.step = 'confirm' AND e.closed_at IS NULL
        CROSS JOIN line_exception c ON c.exception_id = e.exception_id
        CROSS JOIN confirmation_line l ON l.line_id = c.line_id
        WHERE p.payment_id IN )sql" LISTED_IDS " AND (e.payment_id = p.payment_id OR " MAY_BE_PAID R"sql()
        UNION
        SELECT p.draw_id, q.payment_id, e.exception_id, l.kind
        FROM payment p
        CROSS JOIN payment q ON q.draw_id = p.draw_id
        CROSS JOIN line_candidate k ON k.payment_id = q.payment_id
        CROSS JOIN line_exception c ON c.line_id = k.line_id
        CROSS JOIN exception e ON e.exception_id = c.exception_id AND e.closed_at IS NULL
        CROSS JOIN confirmation_line l ON l.line_id = k.line_id
        WHERE p.payment_id IN )sql" LISTED_IDS " AND " MAY_BE_PAID " ORDER BY 3, 2",
                ids, ids);
    while (query.next()) {
        const auto [draw_id, payment_id, exception_id, kind] =
            query.row<DrawId, std::int64_t, std::int64_t, std::string>();
        changes.push_back("draw " + std::to_string(draw_id) + " has a bank line that reports payment " +
                          disbursement::format_payment_id(payment_id) + " as " + kind + ": resolve exception " +
                          std::to_string(exception_id) + " first");
    }
}

// A void or stop of a check may have gone out while the file that issues it waited.
void add_ended_payments(Ledger& ledger, const std::string& ids, std::vector<std::string>& changes) {
    Query query(ledger,
                R"sql(
        SELECT p.draw_id
        FROM payment p
        JOIN payment_file f ON f.file_id = p.file_id
        WHERE p.payment_id IN )sql" LISTED_IDS " AND p.ended_at IS NOT NULL AND f.voided_at IS NULL ORDER BY p.draw_id",
                ids);
    for (const DrawId draw : query.records<DrawId>())
        changes.push_back("draw " + std::to_string(draw) + ": its payment in this file has ended");
}

}  // namespace

std::vector<std::string> confirmed_checks(Ledger& ledger, FileId file_id) {
    std::vector<std::string> changes;
    Query query(ledger,
                R"sql(
        SELECT p.check_number, s.kind, s.confirmed_on
        FROM check_order_line l
        JOIN check_order o ON o.order_id = l.order_id
        JOIN payment p ON p.payment_id = o.payment_id
        JOIN payment_settlement s ON s.payment_id = p.payment_id
        WHERE l.file_id = ?
        ORDER BY l.position)sql",
                file_id);
    while (query.next()) {
        const auto [check_number, kind, on] = query.row<std::int64_t, std::string, std::string>();
        changes.push_back("check " + std::to_string(check_number) + " was confirmed as " + kind + " on " + on);
    }
    return changes;
}

std::vector<std::string> bank_objections(Ledger& ledger, const std::vector<std::int64_t>& payment_ids) {
    const auto ids = id_list(payment_ids);
    std::vector<std::string> changes;
    add_bank_reports(ledger, ids, changes);
    add_ended_payments(ledger, ids, changes);
    return changes;
}

}  // namespace drawbridge::ledger
