#include "drawbridge/ledger/reports/check_register.hpp"

#include "drawbridge/ledger/facts/exceptions.hpp"
#include "facts/payment_row.hpp"

namespace drawbridge::ledger {
namespace {

#define REGISTER_ROWS                                                                                               \
    "SELECT p.check_number, p.payment_id, p.draw_id, p.payee_name, p.amount_cents, p.check_date, f.name, "          \
    "f.voided_at IS NOT NULL, f.released_at IS NOT NULL, "                                                          \
    "(SELECT s.confirmed_on FROM payment_settlement s WHERE s.payment_id = p.payment_id AND s.kind = 'paid'), "     \
    "(SELECT s.confirmed_on FROM payment_settlement s WHERE s.payment_id = p.payment_id AND s.kind = 'returned'), " \
    "(SELECT s.confirmed_on FROM payment_settlement s WHERE s.payment_id = p.payment_id AND s.kind = 'void'), "     \
    "o.action, o.ordered_at, o.ordered_by, o.reason, o.transmitted_at, coalesce((SELECT v.name FROM "               \
    "check_order_line l JOIN payment_file v ON v.file_id = l.file_id WHERE l.order_id = o.order_id "                \
    "AND v.voided_at IS NULL), ''), "                                                                               \
    "(SELECT max(b.payment_id) FROM payment b WHERE b.draw_id = p.draw_id AND b.payment_id < p.payment_id), "       \
    "(SELECT min(n.payment_id) FROM payment n WHERE n.draw_id = p.draw_id AND n.payment_id > p.payment_id) "        \
    "FROM payment p JOIN payment_file f ON f.file_id = p.file_id "                                                  \
    "LEFT JOIN check_order o ON o.payment_id = p.payment_id AND o.withdrawn_at IS NULL "                            \
    "WHERE p.check_number > ? ORDER BY p.check_number LIMIT ?"

struct Facts {
    bool voided = false, released = false;
    std::optional<BusinessDate> paid, returned, voided_at_bank;
};

CheckState state_of(const Facts& facts, const CheckRow& row, BusinessDate stale_until) {
    if (facts.voided) return CheckState::not_issued;
    if (facts.returned) return CheckState::returned;
    const bool stop = row.order && row.order->action == checks::CheckAction::stop;
    const bool transmitted = row.order && row.order->transmitted_at;
    if (transmitted && !facts.paid) return stop ? CheckState::stopped : CheckState::void_transmitted;
    if (facts.voided_at_bank) return CheckState::voided_by_bank;
    if (facts.paid) return CheckState::paid;
    if (row.order) return stop ? CheckState::stop_requested : CheckState::void_requested;
    if (!facts.released) return CheckState::planned;
    return row.check_date && *row.check_date <= stale_until ? CheckState::stale : CheckState::issued;
}

// The name of a payment for people.
std::string payment_name(Ledger& ledger, std::optional<std::int64_t> payment_id) {
    if (!payment_id) return {};
    Query query(ledger, "SELECT check_number FROM payment WHERE payment_id = ?", *payment_id);
    if (query.next() && !query.is_null(0)) return "check " + std::to_string(query.integer(0));
    return disbursement::format_payment_id(*payment_id);
}

CheckRow read_row(Ledger& ledger, const Query& query, BusinessDate stale_until) {
    CheckRow row;
    row.first_number = row.last_number = query.integer(0);
    row.payment_id = query.integer(1);
    row.draw_id = query.integer(2);
    row.payee_name = query.text(3);
    row.amount = query.money(4);
    row.check_date = query.optional_date(5);
    row.file_name = query.text(6);
    const Facts facts{query.integer(7) == 1, query.integer(8) == 1, query.optional_date(9), query.optional_date(10),
                      query.optional_date(11)};
    row.settled_on = facts.returned ? facts.returned : facts.voided_at_bank ? facts.voided_at_bank : facts.paid;
    if (!query.is_null(12)) {
        const bool stop = query.text(12) == "stop";
        row.order = CheckOrderRow{stop ? checks::CheckAction::stop : checks::CheckAction::void_check,
                                  query.instant(13),
                                  query.text(14),
                                  query.text(15),
                                  query.optional_instant(16),
                                  query.text(17)};
    }
    row.replaces = payment_name(ledger, query.optional_integer(18));
    row.replaced_by = payment_name(ledger, query.optional_integer(19));
    row.state = state_of(facts, row, stale_until);
    return row;
}

// Checks that went out and that the bank has not reported as paid.
// Without a hint, SQLite looks at every live payment, and every status asks this.
#define OUTSTANDING                                                                                  \
    "FROM payment p INDEXED BY payment_outstanding_check "                                           \
    "CROSS JOIN payment_file f ON f.file_id = p.file_id WHERE p.rail = 'check' "                     \
    "AND p.ended_at IS NULL AND p.finished_at IS NULL AND f.released_at IS NOT NULL AND NOT EXISTS " \
    "(SELECT 1 FROM payment_settlement s WHERE s.payment_id = p.payment_id AND s.kind = 'paid') "

}  // namespace

std::string_view to_string(CheckState state) {
    switch (state) {
        case CheckState::planned: return "planned";
        case CheckState::issued: return "issued";
        case CheckState::stale: return "stale";
        case CheckState::paid: return "paid";
        case CheckState::void_requested: return "void_requested";
        case CheckState::stop_requested: return "stop_requested";
        case CheckState::void_transmitted: return "void_transmitted";
        case CheckState::stopped: return "stopped";
        case CheckState::voided_by_bank: return "voided_by_bank";
        case CheckState::returned: return "returned";
        case CheckState::not_issued: return "not_issued";
        case CheckState::never_used: return "never_used";
    }
    return "planned";
}

std::vector<CheckRow> check_register(Ledger& ledger, BusinessDate stale_until, std::int64_t after, int limit) {
    std::vector<CheckRow> rows;
    Query query(ledger, REGISTER_ROWS, after, limit);
    std::int64_t before = after;
    while (query.next() && rows.size() < static_cast<std::size_t>(limit)) {
        CheckRow row = read_row(ledger, query, stale_until);
        if (before > 0 && row.first_number > before + 1) {
            CheckRow gap;
            gap.first_number = before + 1;
            gap.last_number = row.first_number - 1;
            rows.push_back(std::move(gap));
        }
        before = row.last_number;
        rows.push_back(std::move(row));
    }
    if (rows.size() > static_cast<std::size_t>(limit)) rows.pop_back();
    return rows;
}

std::int64_t count_checks(Ledger& ledger) {
    Query query(ledger, "SELECT count(*) FROM payment WHERE check_number > 0");
    query.next();
    return query.integer(0);
}

OutstandingChecks outstanding_checks(Ledger& ledger, BusinessDate stale_until) {
    OutstandingChecks sums;
    {
        Query query(ledger, "SELECT p.amount_cents, p.check_date <= ? " OUTSTANDING, stale_until);
        while (query.next()) {
            ++sums.count;
            sums.amount += query.money(0);
            if (query.integer(1) == 0) continue;
            ++sums.stale;
            sums.stale_amount += query.money(0);
        }
    }
    Query query(ledger, "SELECT count(*) FROM check_order WHERE withdrawn_at IS NULL AND transmitted_at IS NULL");
    query.next();
    sums.orders = query.integer(0);
    return sums;
}

std::vector<StaleCheck> newly_stale_checks(Ledger& ledger, BusinessDate until) {
    Query query(
        ledger,
        "SELECT p.payment_id, p.draw_id, p.check_number, p.payee_name, p.amount_cents, p.check_date " OUTSTANDING
        "AND p.check_date <= ? AND NOT EXISTS (SELECT 1 FROM exception e "
        "WHERE e.payment_id = p.payment_id AND e.reason_code = 'check_stale') ORDER BY p.check_number",
        until);
    std::vector<StaleCheck> checks;
    while (query.next()) {
        checks.push_back(
            {query.integer(0), query.integer(1), query.integer(2), query.text(3), query.money(4), query.date(5)});
    }
    return checks;
}

int close_stale_exceptions(Ledger& ledger, const Stamp& stamp) {
    assert_in_transaction(ledger);
    std::vector<std::int64_t> payments;
    {
        Query query(ledger,
                    R"sql(
            SELECT e.payment_id
            FROM exception e
            JOIN payment p ON p.payment_id = e.payment_id
            WHERE e.reason_code = 'check_stale' AND e.closed_at IS NULL
                AND (p.ended_at IS NOT NULL OR EXISTS (SELECT 1 FROM payment_settlement s
                WHERE s.payment_id = p.payment_id AND s.kind = 'paid')))sql");
        while (query.next())
            payments.push_back(query.integer(0));
    }
    int closed = 0;
    for (const auto payment_id : payments)
        closed +=
            close_exceptions_of_payment(ledger, payment_id, check_stale, "the check is no longer outstanding", stamp);
    return closed;
}

}  // namespace drawbridge::ledger
