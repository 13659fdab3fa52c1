// What became of a file's payments between its planning and its release.
#include <algorithm>
#include <iterator>

#include "connection.hpp"
#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/ledger/payments.hpp"

namespace drawbridge::ledger {
namespace {

void add_changed_orders(Ledger& ledger, FileId file_id, std::vector<std::string>& changes) {
    Query query(ledger,
                "SELECT p.check_number, s.kind, s.confirmed_on FROM check_order_line l "
                "JOIN check_order o ON o.order_id = l.order_id JOIN payment p ON p.payment_id = o.payment_id "
                "JOIN payment_settlement s ON s.payment_id = p.payment_id WHERE l.file_id = ? ORDER BY l.position",
                file_id);
    while (query.next()) {
        changes.push_back("check " + std::to_string(query.integer(0)) + " was confirmed as " + query.text(1) + " on " +
                          query.text(2));
    }
}

// The bank spoke of a payment that has not gone out, or says that the draw was paid already.
void add_words_of_bank(Ledger& ledger, FileId file_id, std::vector<std::string>& changes) {
    Query query(ledger,
                "SELECT DISTINCT p.draw_id, e.payment_id, e.exception_id, l.kind FROM payment p "
                "CROSS JOIN exception_case e ON e.draw_id = p.draw_id AND e.stage = 'confirm' AND e.closed_at IS NULL "
                "CROSS JOIN line_case c ON c.exception_id = e.exception_id "
                "CROSS JOIN confirmation_line l ON l.line_id = c.line_id "
                "WHERE p.file_id = ? AND (l.kind = 'paid' OR e.payment_id = p.payment_id) ORDER BY 3",
                file_id);
    while (query.next()) {
        changes.push_back("draw " + std::to_string(query.integer(0)) +
                          " has a line of the bank that says that payment " +
                          disbursement::format_payment_id(query.integer(1)) + " is " + query.text(3) + ", exception " +
                          std::to_string(query.integer(2)) + ", which is to be settled first");
    }
}

}  // namespace

std::vector<std::string> held_since_restored(Ledger& ledger, FileId file_id) {
    Query query(ledger,
                "SELECT p.draw_id, h.reason_code FROM restored_hold h JOIN payment p ON p.draw_id = h.draw_id "
                "WHERE h.lifted_at IS NULL AND p.file_id = ? ORDER BY p.position",
                file_id);
    std::vector<std::string> held;
    while (query.next())
        held.push_back("draw " + std::to_string(query.integer(0)) + " is held as " + query.text(1));
    return held;
}

std::vector<std::string> changes_since_planned(Ledger& ledger, FileId file_id) {
    Query query(
        ledger,
        "SELECT p.draw_id, r.status, r.amount_approved_cents, p.amount_cents FROM payment p "
        "JOIN draw d ON d.draw_id = p.draw_id JOIN draw_reading r ON r.reading_id = d.reading_id "
        "WHERE p.file_id = ? AND ((r.status <> 4 AND NOT (r.status = 5 AND EXISTS (SELECT 1 FROM reissue_order o "
        "WHERE o.draw_id = p.draw_id AND o.payment_id < p.payment_id))) OR r.amount_approved_cents IS NOT "
        "p.amount_cents) "
        "ORDER BY p.position",
        file_id);
    std::vector<std::string> changes;
    while (query.next()) {
        const auto status = static_cast<DrawStatus>(query.integer(1));
        const auto amount = query.optional_money(2);
        std::string text = "draw " + std::to_string(query.integer(0)) + " is now " + to_string(status);
        if (status == DrawStatus::approved) {
            text += " for " + (amount ? amount->to_display() : std::string("no amount")) + " where the file pays " +
                    query.money(3).to_display();
        }
        changes.push_back(std::move(text));
    }
    add_changed_orders(ledger, file_id, changes);
    std::ranges::move(held_since_restored(ledger, file_id), std::back_inserter(changes));
    add_words_of_bank(ledger, file_id, changes);
    return changes;
}

}  // namespace drawbridge::ledger
