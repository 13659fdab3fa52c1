#include "drawbridge/ledger/facts/by_time.hpp"

#include <set>

#include "drawbridge/ledger/facts/restorations.hpp"
#include "drawbridge/text/show.hpp"
#include "facts/settle.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

bool is_file_refused(Ledger& ledger) {
    Query query(ledger,
                R"sql(
        SELECT reason_code
        FROM exception
        WHERE closed_at IS NULL AND step = 'confirm' AND reason_code = 'file_refused'
        LIMIT 1)sql");
    return query.next();
}

struct UnmatchedReturn {
    std::int64_t cents = 0;
    bool may_be_credit = false;
};

std::vector<UnmatchedReturn> unmatched_returns(Ledger& ledger) {
    Query query(ledger,
                R"sql(
        SELECT DISTINCT l.amount_cents, l.kind <> 'void'
        FROM exception e INDEXED BY exception_open_by_age
        CROSS JOIN line_exception c ON c.exception_id = e.exception_id
        CROSS JOIN confirmation_line l ON l.line_id = c.line_id
        WHERE e.closed_at IS NULL AND e.payment_id IS NULL AND l.kind IN ('returned', 'void', 'disputed'))sql");
    return query.records<UnmatchedReturn>();
}

// The credits that none of the returns may be about. A return whose amount none of them has may be the rejection of a
// whole file or the sum of several returns: then it may be about any.
std::vector<UnconfirmedCredit> without_returns(std::vector<UnconfirmedCredit> credits,
                                               const std::vector<UnmatchedReturn>& returns) {
    std::set<std::int64_t> amounts;
    for (const auto& credit : credits)
        amounts.insert(credit.amount.cents());
    for (const auto& one : returns) {
        if (one.may_be_credit && !amounts.contains(one.cents)) return {};
        std::erase_if(credits, [&](const auto& credit) { return credit.amount.cents() == one.cents; });
    }
    return credits;
}

}  // namespace

std::vector<UnconfirmedCredit> unconfirmed_credits(Ledger& ledger, BusinessDate due_until) {
    if (is_file_refused(ledger) || open_restoration(ledger)) return {};
    Query query(ledger,
                R"sql(
        SELECT p.payment_id, p.amount_cents, p.effective_entry_date, (SELECT max(k.at) FROM (
            SELECT min(v.at) AS at FROM delivery_evidence v WHERE v.file_id = f.file_id
            -- If it was unsure whether the file left: since a person resolved that.
            UNION ALL SELECT max(u.closed_at) FROM exception u
                WHERE u.subject = f.name AND u.reason_code = 'sent_file_unsure') k),
            (SELECT max(k.run_id) FROM (
            SELECT min(v.after_run_id) AS run_id FROM delivery_evidence v WHERE v.file_id = f.file_id
            UNION ALL SELECT max(u.closed_after_run_id) FROM exception u
                WHERE u.subject = f.name AND u.subject <> '' AND u.reason_code = 'sent_file_unsure') k)
        FROM payment p
        JOIN payment_file f ON f.file_id = p.file_id
        WHERE EXISTS (SELECT 1 FROM delivery_evidence v WHERE v.file_id = f.file_id)
            AND NOT EXISTS (SELECT 1 FROM exception n WHERE n.subject = f.name AND n.closed_at IS NULL)
            AND p.rail = 'ach' AND p.ended_at IS NULL AND p.finished_at IS NULL AND p.effective_entry_date <= ?
            AND NOT EXISTS (SELECT 1 FROM settlement s WHERE s.payment_id = p.payment_id AND s.undone_at IS NULL)
            -- What goes wrong while the service is told about a payment says nothing about the payment.
            AND NOT EXISTS (SELECT 1 FROM exception e WHERE e.payment_id = p.payment_id AND e.closed_at IS NULL
                AND e.step <> 'report')
            -- Such a line leaves open what happened to a payment that it names, whatever became of its exception.
            AND NOT EXISTS (SELECT 1 FROM confirmation_line l WHERE l.payment_id = p.payment_id AND l.kind = 'disputed')
            AND NOT EXISTS (SELECT 1 FROM line_candidate c JOIN confirmation_line l ON l.line_id = c.line_id
                WHERE c.payment_id = p.payment_id AND l.kind = 'disputed')
        ORDER BY p.effective_entry_date, p.payment_id)sql",
                due_until);
    return without_returns(query.records<UnconfirmedCredit>(), unmatched_returns(ledger));
}

void confirm_by_time(Ledger& ledger, const UnconfirmedCredit& credit, BusinessDate paid_on, int banking_days,
                     const Stamp& stamp) {
    NewSettlement what{.payment_id = credit.payment_id, .kind = ConfirmationKind::paid, .source = "time"};
    what.confirmed_on = paid_on;
    what.amount = credit.amount;
    what.because = text::counted(banking_days, "banking day") + " without a return";
    settle(ledger, what, stamp);
}

}  // namespace drawbridge::ledger
