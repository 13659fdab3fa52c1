// Who handed in a confirmation file and answers for its returns and voids.
#include <algorithm>

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/people.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {

void record_makers_of_line(Ledger& ledger, std::int64_t line_id, DrawId draw, std::int64_t payment_id,
                           const Stamp& stamp) {
    assert_in_transaction(ledger);
    Query(ledger,
          R"sql(
        INSERT INTO maker_act (at, uid, by, act, draw_id, payment_id)
        SELECT ?, g.uid, g.by, 'handed_in', ?, ?
        FROM confirmation_line l
        JOIN confirmation_hand_in g ON g.confirmation_file_id = l.confirmation_file_id
        WHERE l.line_id = ?)sql",
          stamp.at, draw, payment_id, line_id)
        .run();
}

void record_makers_of_lines(Ledger& ledger, std::int64_t first_line, const Stamp& stamp) {
    assert_in_transaction(ledger);
    Query(ledger,
          R"sql(
        INSERT INTO maker_act (at, uid, by, act, draw_id, payment_id)
        SELECT ?, g.uid, g.by, 'handed_in', p.draw_id, p.payment_id
        FROM confirmation_line l
        JOIN confirmation_hand_in g ON g.confirmation_file_id = l.confirmation_file_id
        JOIN payment p ON p.payment_id = l.payment_id
        WHERE l.line_id >= ? AND l.outcome = 'applied' AND l.kind <> 'paid'
        ORDER BY l.line_id)sql",
          stamp.at, first_line)
        .run();
}

bool record_hand_in_again(Ledger& ledger, std::string_view sha256, std::int64_t uid, const Stamp& stamp) {
    assert_in_transaction(ledger);
    const int added = Query(ledger,
                            R"sql(
        INSERT INTO confirmation_hand_in (confirmation_file_id, at, uid, by)
        SELECT confirmation_file_id, ?, ?, ?
        FROM confirmation_file
        WHERE sha256 = ? AND outcome = 'applied'
        ON CONFLICT DO NOTHING)sql",
                            stamp.at, recorded_uid(uid), stamp.actor, sha256)
                          .run_counted();
    if (added == 0) return false;
    const int hands = Query(ledger,
                            R"sql(
        INSERT INTO maker_act (at, uid, by, act, draw_id, payment_id)
        SELECT ?, ?, ?, 'handed_in', p.draw_id, p.payment_id
        FROM confirmation_file f
        JOIN confirmation_line l ON l.confirmation_file_id = f.confirmation_file_id
        JOIN settlement s ON s.line_id = l.line_id
        JOIN payment p ON p.payment_id = s.payment_id
        WHERE f.sha256 = ? AND f.outcome = 'applied' AND s.kind <> 'paid' AND s.undone_at IS NULL)sql",
                            stamp.at, recorded_uid(uid), stamp.actor, sha256)
                          .run_counted();
    audit(ledger, stamp, "confirmation_file.handed_in_again", "sha256 " + std::string(sha256),
          std::to_string(hands) + " returns and voids in it");
    return true;
}

std::vector<DrawId> draws_of_check_orders(Ledger& ledger, FileId file_id) {
    Query query(ledger,
                R"sql(
        SELECT DISTINCT p.draw_id
        FROM check_order_line l
        JOIN check_order o ON o.order_id = l.order_id
        JOIN payment p ON p.payment_id = o.payment_id
        WHERE l.file_id = ?
        ORDER BY 1)sql",
                file_id);
    return query.records<DrawId>();
}

namespace {

// Until the bank has the order, somebody can cash the check.
Result<void> check_order_arrived(Ledger& ledger, DrawId draw, std::int64_t payment_id) {
    Query query(ledger,
                R"sql(
        SELECT f.name, p.check_number, d.exception_id
        FROM check_order o
        JOIN payment p ON p.payment_id = o.payment_id
        JOIN check_order_line l ON l.order_id = o.order_id
        JOIN payment_file f ON f.file_id = l.file_id
        LEFT JOIN exception d ON d.subject = f.name AND d.subject <> '' AND d.closed_at IS NULL
            AND d.reason_code IN ('acknowledgment_differs', 'acknowledgment_unsent')
        WHERE o.payment_id = ? AND o.transmitted_at IS NOT NULL AND f.voided_at IS NULL
            AND (d.exception_id IS NOT NULL
                OR NOT EXISTS (SELECT 1 FROM delivery_evidence e WHERE e.file_id = f.file_id))
        ORDER BY d.exception_id DESC
        LIMIT 1)sql",
                payment_id);
    if (!query.next()) return {};
    const auto [file, check_number, exception_id] = query.row<std::string, std::int64_t, std::optional<std::int64_t>>();
    const std::string refusal = "draw " + std::to_string(draw) + " is not paid again yet: ";
    const std::string order = file + ", which orders it to refuse check " + std::to_string(check_number);
    if (exception_id) {
        return fail(ErrorCode::conflict, refusal + "the bank's acknowledgment contradicts " + order +
                                             ": ask the bank, then resolve exception " + std::to_string(*exception_id));
    }
    return fail(ErrorCode::conflict, refusal + "there is no evidence that the bank has " + order +
                                         ": ask the bank, then 'drawbridge deliver " + file + " --by-hand --reason …'");
}

// Whether somebody from finance handed in the file by which this payment ended. Whoever matched its line did not make
// the line true.
bool is_vouched_for(Ledger& ledger, std::int64_t payment_id) {
    Query query(ledger,
                R"sql(
        SELECT DISTINCT g.uid, g.at
        FROM settlement s
        JOIN confirmation_line l ON l.line_id = s.line_id
        JOIN confirmation_hand_in g ON g.confirmation_file_id = l.confirmation_file_id
        WHERE s.payment_id = ? AND s.kind <> 'paid' AND s.undone_at IS NULL)sql",
                payment_id);
    struct HandIn {
        std::int64_t uid = 0;
        Instant at;
    };
    return std::ranges::any_of(query.records<HandIn>(), [&](const HandIn& one) {
        return acts_for_a_person(ledger, one.uid, one.at, {Role::finance});
    });
}

}  // namespace

Result<void> check_reissue_evidence(Ledger& ledger, DrawId draw, std::int64_t payment_id) {
    Query query(ledger,
                R"sql(
        SELECT f.name
        FROM settlement s
        JOIN confirmation_line l ON l.line_id = s.line_id
        JOIN confirmation_file f ON f.confirmation_file_id = l.confirmation_file_id
        WHERE s.payment_id = ? AND s.kind <> 'paid' AND s.undone_at IS NULL
        LIMIT 1)sql",
                payment_id);
    const auto file = query.first<std::string>();
    if (!file) return check_order_arrived(ledger, draw, payment_id);
    if (is_vouched_for(ledger, payment_id)) return {};
    return fail(ErrorCode::conflict,
                "draw " + std::to_string(draw) + " is not paid again yet: payment " +
                    disbursement::format_payment_id(payment_id) + " came back with " + *file +
                    ", and nobody from finance vouches for it (its owner is root, the daemon's own user or a person "
                    "without the role finance, or others could write the file): somebody from finance must hand in the "
                    "same file again in their own name ('drawbridge ingest FILE'), then order it");
}

}  // namespace drawbridge::ledger
