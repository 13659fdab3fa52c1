#include "drawbridge/ledger/facts/payment_voids.hpp"

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {

std::optional<PaymentPlace> find_payment(Ledger& ledger, std::int64_t payment_id) {
    Query query(ledger,
                R"sql(
        SELECT p.draw_id, f.name, p.check_number
        FROM payment p
        JOIN payment_file f ON f.file_id = p.file_id
        WHERE p.payment_id = ?)sql",
                payment_id);
    return query.first<PaymentPlace>();
}

void record_payment_void(Ledger& ledger, std::int64_t payment_id, DrawId draw_id, std::string_view reason,
                         const Stamp& stamp) {
    assert_in_transaction(ledger);
    Query(ledger, "INSERT INTO payment_void (payment_id, draw_id, voided_at, voided_by, reason) VALUES (?, ?, ?, ?, ?)",
          payment_id, draw_id, stamp.at, stamp.actor, reason)
        .run();
    audit(ledger, stamp, "payment.voided", "draw " + std::to_string(draw_id),
          disbursement::format_payment_id(payment_id) + ": " + std::string(reason));
    raise_exception(ledger,
                    {"pay", std::string(disbursement::reason::payment_voided), draw_id, std::nullopt, "",
                     void_hold(ledger, draw_id).value()},
                    stamp);
}

std::optional<std::string> void_hold(Ledger& ledger, DrawId id) {
    Query query(ledger,
                R"sql(
        SELECT payment_id, voided_by, reason
        FROM payment_void
        WHERE draw_id = ? AND lifted_at IS NULL
        ORDER BY payment_id DESC
        LIMIT 1)sql",
                id);
    if (!query.next()) return std::nullopt;
    const auto [payment_id, by, reason] = query.row<std::int64_t, std::string, std::string>();
    return disbursement::format_payment_id(payment_id) + " was voided by " + by + " before it went out: " + reason +
           ": resolve this to pay the draw after all";
}

void lift_void_hold(Ledger& ledger, DrawId id, const Stamp& stamp) {
    assert_in_transaction(ledger);
    Query(ledger, "UPDATE payment_void SET lifted_at = ? WHERE draw_id = ? AND lifted_at IS NULL", stamp.at, id).run();
}

}  // namespace drawbridge::ledger
