#include "drawbridge/ledger/facts/draw_facts.hpp"

#include "store/connection.hpp"
#include "store/id_list.hpp"

namespace drawbridge::ledger {
namespace {

void read_amounts_and_disbursements(Ledger& ledger, const std::string& ids,
                                    std::unordered_map<DrawId, DrawFacts>& facts) {
    Query query(ledger,
                R"sql(
        SELECT d.draw_id, x.reading_id, x.read_at, x.disbursed_date, x.amount_disbursed_cents,
            CASE WHEN f.reading_id = c.reading_id THEN k.amount_requested_cents
                 ELSE coalesce(f.amount_approved_cents, k.amount_requested_cents) END,
            CASE WHEN f.content_id <> n.content_id THEN f.reading_id END,
            CASE WHEN f.status = 4 AND f.modified_date > f.approved_date THEN f.reading_id END,
            CASE WHEN f.status = 4 AND f.modified_date > f.approved_date
                THEN (SELECT max(q.reading_id) FROM reading q WHERE q.draw_id = d.draw_id
                    AND q.reading_id < f.reading_id AND q.status <> 4 AND q.status <> 5) END
        FROM draw d
        JOIN reading n ON n.reading_id = d.reading_id
        -- The newest that shows it as Disbursed.
        LEFT JOIN reading x ON x.reading_id = (SELECT max(a.reading_id) FROM reading a WHERE a.draw_id = d.draw_id
            AND a.status = 5)
        -- Our newest submission that may have reached the service, whatever came of it.
        LEFT JOIN approval_item i ON i.item_id = (SELECT max(o.item_id) FROM approval_item o
            WHERE o.draw_id = d.draw_id AND coalesce(o.learned_by, '') <> 'never_sent')
        LEFT JOIN draw_decision c ON c.decision_id = i.decision_id
        -- What was agreed to: the first reading of the newest approval after one that was undone, since our submission
        -- if there is one; else the reading that our submission decided on; else the first Approved one.
        LEFT JOIN reading f ON f.reading_id = coalesce(
            (SELECT max(g.reading_id) FROM approved_again g WHERE g.draw_id = d.draw_id
                AND g.before_reading_id > coalesce(c.reading_id, 0)),
            c.reading_id,
            (SELECT min(g.reading_id) FROM reading g WHERE g.draw_id = d.draw_id AND g.status = 4))
        LEFT JOIN draw_content k ON k.content_id = f.content_id
        WHERE d.draw_id IN )sql" LISTED_IDS,
                ids);
    while (query.next()) {
        auto& fact = facts[query.integer(0)];
        if (const auto reading_id = query.optional_integer(1)) {
            fact.seen_disbursed = {*reading_id, query.instant(2), query.optional_instant(3), query.optional_money(4)};
        }
        fact.agreed_amount = query.optional_money(5);
        fact.changed_since = query.optional_integer(6);
        if (const auto changed = query.optional_integer(7))
            fact.changed_before_seen = {.reading_id = *changed, .pending_reading_id = query.optional_integer(8)};
    }
}

void read_rare_facts(Ledger& ledger, const std::string& ids, std::unordered_map<DrawId, DrawFacts>& facts) {
    constexpr bool DrawFacts::* of_kind[] = {&DrawFacts::has_lifts,
                                             &DrawFacts::is_voided,
                                             &DrawFacts::has_open_exceptions,
                                             &DrawFacts::is_held_after_restore,
                                             &DrawFacts::is_in_acknowledged_void,
                                             &DrawFacts::is_approval_unrequested};
    // By the draws: + 0, because PostgreSQL would compare all open exceptions with all draws.
    Query query(ledger,
                "SELECT draw_id, 0 FROM guard_override WHERE draw_id IN " LISTED_IDS
                " UNION ALL SELECT draw_id, 1 FROM payment_void WHERE lifted_at IS NULL AND draw_id IN " LISTED_IDS
                " UNION ALL SELECT draw_id, 2 FROM exception WHERE closed_at + 0 IS NULL AND draw_id IN " LISTED_IDS
                " UNION ALL SELECT draw_id, 3 FROM restored_hold WHERE lifted_at IS NULL AND draw_id IN " LISTED_IDS
                " UNION ALL SELECT draw_id, 3 FROM possibly_paid_draw WHERE nothing_else_at IS NULL AND draw_id "
                "IN " LISTED_IDS " UNION ALL SELECT draw_id, 4 FROM acknowledged_void WHERE draw_id IN " LISTED_IDS
                " UNION ALL SELECT draw_id, 5 FROM exception WHERE reason_code || '' = 'approval_unrequested' "
                "AND draw_id IN " LISTED_IDS,
                ids, ids, ids, ids, ids, ids, ids);
    while (query.next())
        facts[query.integer(0)].*of_kind[query.integer(1)] = true;
}

std::string words_of(const std::optional<Instant>& date, const std::optional<Money>& amount) {
    std::string words;
    if (date) words += ", disbursedDate " + format_instant(*date);
    if (amount) words += ", amountDisbursed " + amount->to_display();
    return words;
}

bool is_disbursed_since_reissue(Ledger& ledger, const DrawFacts& facts) {
    if (!open_reissue(facts.last_payment) || !facts.seen_disbursed) return false;
    if (facts.seen_disbursed->reading_id <= *facts.last_payment->ordered_after) return false;
    const auto then = facts.last_payment->disbursed_then;
    const auto before = then ? find_reading(ledger, *then) : std::nullopt;
    return !before || before->draw.disbursed_date != facts.seen_disbursed->date ||
           before->draw.amount_disbursed != facts.seen_disbursed->amount;
}

constexpr const char* not_by_us =
    ": none of our payments caused that: find out who paid it; if nobody did, resolve this exception to pay it";

}  // namespace

FactsOfDraws::FactsOfDraws(Ledger& ledger, const std::vector<DrawId>& ids, FileId before) {
    const auto among = id_list(ids);
    read_amounts_and_disbursements(ledger, among, facts_);
    read_rare_facts(ledger, among, facts_);
    for (auto& [id, payment] : last_payments(ledger, ids, before)) {
        auto& known = facts_[id];
        known.last_payment = payment;
        known.is_disbursed_since_reissue = is_disbursed_since_reissue(ledger, known);
    }
    is_any_payee_held_ =
        Query(ledger, "SELECT EXISTS (SELECT 1 FROM case_stop) OR EXISTS (SELECT 1 FROM payee_hold)").only<bool>();
}

const DrawFacts& FactsOfDraws::of(DrawId id) const {
    static const DrawFacts unknown;
    const auto found = facts_.find(id);
    return found == facts_.end() ? unknown : found->second;
}

std::vector<std::string> disbursed_elsewhere(const Draw& draw, const DrawFacts& facts) {
    const auto& known = facts.seen_disbursed;
    std::vector<std::string> signs;
    if (facts.is_disbursed_since_reissue) {
        signs.push_back("the service shows the draw as Disbursed since " + format_instant(known->read_at) +
                        words_of(known->date, known->amount) +
                        ", after it was ordered to be paid again: find out whether somebody else paid it; if that is "
                        "the payment that came back, resolve this exception to pay it");
    }
    if (facts.last_payment) return signs;
    if (known) {
        signs.push_back("the service showed the draw as Disbursed at " + format_instant(known->read_at) +
                        words_of(known->date, known->amount) + not_by_us);
    }
    const auto& date = draw.disbursed_date;
    const auto& amount = draw.amount_disbursed;
    const bool other_date = date && (!known || date != known->date);
    const bool other_amount = amount && *amount > Money() && (!known || amount != known->amount);
    if (other_date || other_amount)
        signs.push_back("the service shows a disbursement of the draw" + words_of(date, amount) + not_by_us);
    return signs;
}

}  // namespace drawbridge::ledger
