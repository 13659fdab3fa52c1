#include "drawbridge/ledger/reports/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>

#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/facts/changes.hpp"
#include "drawbridge/ledger/facts/deliveries.hpp"
#include "drawbridge/ledger/facts/explanations.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "facts/not_after.hpp"
#include "facts/payment_row.hpp"
#include "reports/violations.hpp"
#include "store/connection.hpp"
#include "store/postgresql/schema.hpp"

namespace drawbridge::ledger {
namespace {

constexpr const char* does_not_open = "does not open: it was changed or swapped";

void list_each(Ledger& ledger, std::span<const std::string_view> queries, InvariantResult& into) {
    for (const auto sql : queries)
        list_violations(ledger, sql, into);
}

std::int64_t count(Ledger& ledger, std::string_view sql) {
    Query query(ledger, sql);
    return query.only<std::int64_t>();
}

InvariantResult check_file(Ledger& ledger) {
    InvariantResult result{0, "the ledger file is sound", 0, {}};
    auto& db = ledger.connection().db;
    const auto refers_to_none = [&](const std::string& table) {
        result.violations.push_back("a row of " + table + " refers to a missing row");
    };
    if (db.is_postgresql()) {  // data checksums and pg_amcheck are the server's
        std::ranges::for_each(postgresql::tables_of_rows_without_their_reference(db.postgresql()), refers_to_none);
        return result;
    }
    {
        Statement check(db, "PRAGMA integrity_check(100)");
        while (check.next()) {
            ++result.checked;
            if (check.text(0) != "ok") result.violations.push_back(check.text(0));
        }
    }
    Statement keys(db, "PRAGMA foreign_key_check");
    while (keys.next())
        refers_to_none(keys.text(0));
    return result;
}

// Sealed values that do not open in their own row.
void list_unopened(Ledger& ledger, InvariantResult& result) {
    for (const SealedField* field : all_sealed_fields) {
        for_each_sealed(ledger, *field, [&](const SealedValue& value) {
            if (ledger.connection().sealer->open(field->name, value.row, value.sealed)) return;
            result.violations.push_back(fmt::format(fmt::runtime(field->what), value.row) + " " + does_not_open);
        });
    }
}

// True: every row's sealed value, in the columns from the first on, opens.
bool all_open(Query query, const SealedField& field) {
    while (query.next()) {
        if (!query.opens(field, 0)) return false;
    }
    return true;
}

// True: every sealed value that determines the file's bytes opens.
bool opens(Ledger& ledger, FileId file_id) {
    return all_open(Query(ledger, "SELECT name, profile FROM payment_file WHERE file_id = ?", file_id), file_profile) &&
           all_open(Query(ledger, "SELECT payment_id, account_number FROM payment WHERE file_id = ?", file_id),
                    payment_account) &&
           all_open(Query(ledger,
                          R"sql(
        SELECT p.payment_id, p.account_number
        FROM check_order_line l
        JOIN check_order o ON o.order_id = l.order_id
        JOIN payment p ON p.payment_id = o.payment_id
        WHERE l.file_id = ?)sql",
                          file_id),
                    payment_account) &&
           all_open(Query(ledger, "SELECT trace_number, account_number FROM prenote WHERE file_id = ?", file_id),
                    prenote_account);
}

// Invariant 1, for reissued draws.
void list_reissues(Ledger& ledger, InvariantResult& result) {
    list_violations(ledger,
                    R"sql(
        SELECT 'payment ' || p.payment_id || ' followed payment ' || e.payment_id || ' of draw ' || p.draw_id ||
            ' and nobody ordered the draw to be paid again'
        FROM payment p
        JOIN payment e ON e.draw_id = p.draw_id AND e.payment_id < p.payment_id
        JOIN payment_file f ON f.file_id = e.file_id
        WHERE f.voided_at IS NULL AND NOT EXISTS (SELECT 1 FROM reissue_order o WHERE o.payment_id = e.payment_id))sql",
                    result);
}

// Each query finds one kind of violation, a row each.
constexpr std::string_view wrong_live_payments[] = {
    R"sql(
        SELECT 'draw ' || draw_id || ' has ' || count(*) || ' live payments'
        FROM payment
        WHERE ended_at IS NULL
        GROUP BY draw_id
        HAVING count(*) > 1)sql",
    R"sql(
        SELECT 'payment ' || p.payment_id || ' of draw ' || p.draw_id || ' was made before payment ' || e.payment_id
            || ' ended'
        FROM payment p
        JOIN payment_file f ON f.file_id = p.file_id
        JOIN payment e ON e.draw_id = p.draw_id AND e.payment_id < p.payment_id
        WHERE e.ended_at IS NULL OR NOT )sql" NOT_AFTER("e.ended_at", "f.created_at"),
    R"sql(
        SELECT 'payment ' || p.payment_id || ' ended without a return or void'
        FROM payment p
        JOIN payment_file f ON f.file_id = p.file_id
        WHERE p.ended_at IS NOT NULL AND f.voided_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM payment_settlement s WHERE s.payment_id = p.payment_id
            AND s.kind IN ('returned', 'void')) AND NOT EXISTS (SELECT 1 FROM check_order o
            WHERE o.payment_id = p.payment_id AND o.transmitted_at IS NOT NULL))sql",
    R"sql(
        SELECT 'order ' || o.order_id || ' about a check was transmitted with no file'
        FROM check_order o
        WHERE o.transmitted_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM check_order_line l
            JOIN payment_file f ON f.file_id = l.file_id WHERE l.order_id = o.order_id
            AND f.released_at IS NOT NULL))sql",
};

InvariantResult check_live_payments(Ledger& ledger) {
    InvariantResult result{1, "at most one live payment for a draw", count(ledger, "SELECT count(*) FROM payment"), {}};
    list_each(ledger, wrong_live_payments, result);
    list_reissues(ledger, result);
    return result;
}

constexpr std::string_view wrong_amounts[] = {
    R"sql(
        SELECT 'payment ' || p.payment_id || ' is not the amount of reading ' || p.reading_id
        FROM payment p
        JOIN reading r ON r.reading_id = p.reading_id
        WHERE r.draw_id <> p.draw_id OR (r.status <> 4 AND NOT (r.status = 5
            AND EXISTS (SELECT 1 FROM reissue_order o WHERE o.draw_id = p.draw_id AND o.payment_id < p.payment_id)))
            OR r.amount_approved_cents IS DISTINCT FROM p.amount_cents)sql",
    R"sql(
        SELECT 'file ' || f.name || ' says ' || f.payment_count || ' payments of ' || f.total_cents ||
            ' cents, its rows ' || count(p.payment_id) || ' of ' || coalesce(sum(p.amount_cents), 0)
        FROM payment_file f
        LEFT JOIN payment p ON p.file_id = f.file_id
        WHERE f.kind = 'payments'
        GROUP BY f.file_id
        HAVING count(p.payment_id) <> f.payment_count OR coalesce(sum(p.amount_cents), 0) <> f.total_cents)sql",
    R"sql(
        SELECT 'file ' || f.name || ' says ' || f.payment_count || ' check orders of ' || f.total_cents ||
            ' cents, its rows ' || count(p.payment_id) || ' of ' || coalesce(sum(p.amount_cents), 0)
        FROM payment_file f
        LEFT JOIN check_order_line l ON l.file_id = f.file_id
        LEFT JOIN check_order o ON o.order_id = l.order_id
        LEFT JOIN payment p ON p.payment_id = o.payment_id
        WHERE f.kind = 'check_orders'
        GROUP BY f.file_id
        HAVING count(p.payment_id) <> f.payment_count OR coalesce(sum(p.amount_cents), 0) <> f.total_cents)sql",
    R"sql(
        SELECT 'the pay run of ' || at || ' does not add up: approved ' || approved_cents || ' cents, exported ' ||
            exported_cents || ', held ' || held_cents || ', exceptions ' || exception_cents
        FROM pay_run
        WHERE complete = 0)sql",
};

InvariantResult check_amounts(Ledger& ledger) {
    InvariantResult result{2, "payments equal the approved snapshot, files equal their payments", 0, {}};
    result.checked = count(ledger, "SELECT count(*) FROM payment") + count(ledger, "SELECT count(*) FROM payment_file");
    list_each(ledger, wrong_amounts, result);
    list_unopened(ledger, result);
    for (const auto& row : payment_files(ledger, /*unreleased_only=*/false)) {
        if (!opens(ledger, row.file_id)) continue;  // already listed
        if (!row.planned_at) continue;              // a run of the pay step adds payments, or did not end
        const std::string digest = payments_digest(ledger, row.file_id);
        Query planned(ledger, "SELECT detail FROM audit WHERE subject = ? AND action = 'file.planned'",
                      "file " + row.name);
        if (!planned.next()) {
            result.violations.push_back("file " + row.name + " has no planning entry in the audit trail");
        } else if (!planned.record<std::string>().contains("rows " + digest)) {
            result.violations.push_back("the payments of " + row.name + " are not those that were planned");
            continue;  // the rows may be unreadable
        }
        if (row.sha256.empty()) continue;
        const auto stored = load_file(ledger, row.file_id);
        const auto bytes = disbursement::render(stored.file, stored.profile);
        if (!bytes) {
            result.violations.push_back("file " + row.name + " can no longer be rendered: " + bytes.error().message);
        } else if (const auto same = disbursement::verify_rendered(*bytes, stored.file, stored.profile); !same) {
            result.violations.push_back("file " + row.name + ": " + same.error().message);
        } else if (sha256_hex(*bytes) != row.sha256) {
            result.violations.push_back("the rows of " + row.name + " no longer produce the bytes that were written");
        }
    }
    return result;
}

constexpr std::string_view wrong_states[] = {
    R"sql(
        SELECT 'draw ' || d.draw_id || ' does not point to its newest reading'
        FROM draw d
        WHERE d.reading_id <> (SELECT max(reading_id) FROM reading r WHERE r.draw_id = d.draw_id)
            OR d.status <> (SELECT status FROM reading r WHERE r.reading_id = d.reading_id))sql",
    R"sql(
        SELECT 'reading ' || r.reading_id || ' of draw ' || r.draw_id || ' shows the request of another draw'
        FROM reading r
        LEFT JOIN draw_content c ON c.content_id = r.content_id
        WHERE c.draw_id IS DISTINCT FROM r.draw_id)sql",
    R"sql(
        SELECT 'draw ' || draw_id || ' has readings and is not known'
        FROM reading
        WHERE draw_id NOT IN (SELECT draw_id FROM draw)
        GROUP BY draw_id)sql",
};

InvariantResult check_states(Ledger& ledger) {
    InvariantResult result{3, "every draw is in exactly one state, counts and cents add up", 0, {}};
    result.checked = count(ledger, "SELECT count(*) FROM draw");
    compare_counts(ledger, result);
    list_each(ledger, wrong_states, result);
    return result;
}

void check_explanations(Ledger& ledger, InvariantResult& result) {
    Query query(ledger,
                R"sql(
        SELECT c.decision_id, s.text, c.explanation_values, v.reason
        FROM draw_decision c
        LEFT JOIN verdict v ON v.verdict_id = c.verdict_id
        LEFT JOIN explanation_shape s ON s.shape_id = v.shape_id)sql");
    while (query.next()) {
        if (!query.is_null(1) && join_explanation(query.text(1), query.text(2), query.text(3))) continue;
        result.violations.push_back("the explanation of decision " + std::to_string(query.integer(0)) +
                                    " cannot be read: it was changed");
    }
}

InvariantResult check_approvals(Ledger& ledger) {
    InvariantResult result{
        4, "approvals name rule set, rule and reason; payments rest on a fresh Approved reading", 0, {}};
    result.checked = count(ledger, "SELECT count(*) FROM approval_item");
    list_violations(ledger,
                    R"sql(
        SELECT 'approval of draw ' || i.draw_id || ' rests on a decision that does not approve it'
        FROM approval_item i
        JOIN decision c ON c.decision_id = i.decision_id
        WHERE c.outcome <> 'approve' OR c.draw_id <> i.draw_id OR c.rule IS NULL OR c.reason = '')sql",
                    result);
    list_violations(ledger,
                    R"sql(
        SELECT 'decision ' || c.decision_id || ' rests on a reading of another draw'
        FROM draw_decision c
        JOIN reading r ON r.reading_id = c.reading_id
        WHERE r.draw_id <> c.draw_id)sql",
                    result);
    check_explanations(ledger, result);
    check_changes(ledger, result);
    Query query(ledger, "SELECT sha256, text FROM rule_set");
    while (query.next()) {
        const auto [sha256, text] = query.row<std::string, std::string>();
        if (sha256_hex(text) != sha256) {
            result.violations.push_back("the text of rule set " + sha256.substr(0, 12) + " was changed");
        }
    }
    return result;
}

// The hash chain of the audit trail. Adds the number of entries checked.
void check_chain(Ledger& ledger, InvariantResult& result) {
    std::string previous = ledger.ledger_id();
    Query query(ledger, "SELECT seq, at, actor, action, subject, detail, hash FROM audit ORDER BY seq");
    while (query.next()) {
        const auto [seq, at, actor, action, subject, detail, hash] =
            query.row<std::int64_t, Instant, std::string, std::string, std::string, std::string, std::string>();
        ++result.checked;
        if (seq != result.checked) {
            result.violations.push_back("audit row " + std::to_string(result.checked) + " is missing");
            return;
        }
        if (hash != audit_hash(seq, {at, actor}, action, subject, detail, previous)) {
            result.violations.push_back("audit row " + std::to_string(seq) +
                                        " does not follow from the one before: it or an "
                                        "earlier row was changed");
            return;
        }
        previous = hash;
    }
    if (previous != ledger.connection().audit_head) result.violations.emplace_back("the newest audit rows are missing");
}

InvariantResult check_audit(Ledger& ledger) {
    InvariantResult result{5, std::string(facts_title), 0, {}};
    check_chain(ledger, result);
    check_facts(ledger, result);
    return result;
}

constexpr std::string_view wrong_numbers[] = {
    R"sql(
        SELECT 'trace number ' || trace_number || ' is on ' || count(*) || ' entries'
        FROM (SELECT trace_number FROM payment WHERE trace_number IS NOT NULL UNION ALL SELECT trace_number
            FROM prenote UNION ALL SELECT trace_number FROM offset_entry) t
        GROUP BY trace_number
        HAVING count(*) > 1)sql",
    R"sql(
        SELECT 'check number ' || check_number || ' is on ' || count(*) || ' payments'
        FROM payment
        WHERE check_number IS NOT NULL
        GROUP BY check_number
        HAVING count(*) > 1)sql",
    R"sql(
        SELECT 'file name ' || name || ' was given ' || count(*) || ' times'
        FROM payment_file
        GROUP BY name
        HAVING count(*) > 1)sql",
    R"sql(
        SELECT 'file id modifier ' || file_id_modifier || ' of ' || creation_date || ' was given ' || count(*) ||
            ' times'
        FROM payment_file
        WHERE rail = 'ach'
        GROUP BY creation_date, file_id_modifier
        HAVING count(*) > 1)sql",
    R"sql(
        SELECT 'the next ' || name || ' would be used twice'
        FROM number_range
        WHERE next <= CASE name WHEN 'payment_id' THEN (SELECT max(payment_id)
            FROM payment) WHEN 'check_number' THEN (SELECT max(check_number)
            FROM payment) WHEN 'trace_sequence' THEN (SELECT max(CAST(substr(trace_number, 9) AS INTEGER))
            FROM (SELECT trace_number FROM payment UNION ALL SELECT trace_number FROM prenote
            UNION ALL SELECT trace_number FROM offset_entry) t) WHEN 'batch_number' THEN (SELECT max(batch_number)
            FROM (SELECT batch_number FROM payment UNION ALL SELECT batch_number FROM prenote) b) END)sql",
};

InvariantResult check_numbers(Ledger& ledger) {
    InvariantResult result{6, "no name or number is used twice", 0, {}};
    result.checked = count(ledger, "SELECT count(*) FROM payment") + count(ledger, "SELECT count(*) FROM payment_file");
    list_each(ledger, wrong_numbers, result);
    return result;
}

constexpr std::string_view wrong_confirmations[] = {
    R"sql(
        SELECT 'file ' || f.name || ': lines are ' || f.line_count || ', recorded are ' || count(l.line_id)
        FROM confirmation_file f
        LEFT JOIN confirmation_line l ON l.confirmation_file_id = f.confirmation_file_id
        GROUP BY f.confirmation_file_id
        HAVING count(l.line_id) + (SELECT count(*) FROM staged_line w WHERE f.completed_at IS NULL
            AND w.staging_id = f.staging_id) <> f.line_count)sql",
    R"sql(
        SELECT 'file ' || f.name || ': ' || s.lines || ' lines are counted as ' || s.outcome || ', which differs from the lines'
        FROM confirmation_sum s
        JOIN confirmation_file f ON f.confirmation_file_id = s.confirmation_file_id
        WHERE (s.lines, s.cents, s.paid_cents) <> (SELECT count(*), coalesce(sum(l.amount_cents), 0),
            coalesce(sum(l.amount_cents) FILTER (WHERE l.kind = 'paid'), 0) FROM confirmation_line l
            WHERE l.confirmation_file_id = s.confirmation_file_id AND l.outcome = s.outcome))sql",
    R"sql(
        SELECT DISTINCT 'file ' || f.name || ': its lines that were ' || l.outcome || ' are not counted'
        FROM confirmation_line l
        JOIN confirmation_file f ON f.confirmation_file_id = l.confirmation_file_id
        LEFT JOIN confirmation_sum s ON s.confirmation_file_id = l.confirmation_file_id AND s.outcome = l.outcome
        WHERE s.confirmation_file_id IS NULL)sql",
    R"sql(
        SELECT 'line ' || l.line || ' of ' || f.name || ' was applied and settled nothing'
        FROM confirmation_line l
        JOIN confirmation_file f ON f.confirmation_file_id = l.confirmation_file_id
        WHERE l.outcome = 'applied' AND NOT EXISTS (SELECT 1 FROM settlement s WHERE s.line_id = l.line_id))sql",
    R"sql(
        SELECT 'payment ' || s.payment_id || ' is settled by a line of another payment or amount'
        FROM payment_settlement s
        JOIN confirmation_line l ON l.line_id = s.line_id
        JOIN payment p ON p.payment_id = s.payment_id
        WHERE (l.payment_id IS DISTINCT FROM s.payment_id AND s.source <> 'person')
            OR l.amount_cents <> p.amount_cents OR l.kind <> s.kind)sql",
    R"sql(
        SELECT 'payment ' || s.payment_id || ' is settled, but ' || u.because
        FROM unsent_file u
        CROSS JOIN payment p ON p.file_id = u.file_id
        CROSS JOIN payment_settlement s ON s.payment_id = p.payment_id)sql",
    R"sql(
        SELECT 'line ' || l.line || ' of ' || f.name || ' settles ' || count(*) || ' payments'
        FROM settlement s
        JOIN confirmation_line l ON l.line_id = s.line_id
        JOIN confirmation_file f ON f.confirmation_file_id = l.confirmation_file_id
        WHERE s.undone_at IS NULL
        GROUP BY s.line_id, l.line, f.name
        HAVING count(*) > 1)sql",
    R"sql(
        SELECT 'payment ' || s.payment_id || ' was settled by a person without a closed exception'
        FROM payment_settlement s
        WHERE s.source = 'person' AND NOT EXISTS (SELECT 1 FROM settlement t
            JOIN exception e ON e.exception_id = t.exception_id WHERE t.payment_id = s.payment_id
            AND t.kind = s.kind AND t.undone_at IS NULL AND e.closed_at IS NOT NULL))sql",
    R"sql(
        SELECT 'payment ' || s.payment_id || ' counts as paid by time, and is no ACH credit that was due'
        FROM payment_settlement s
        JOIN payment p ON p.payment_id = s.payment_id
        JOIN payment_file f ON f.file_id = p.file_id
        WHERE s.source = 'time' AND (p.rail <> 'ach' OR f.released_at IS NULL OR NOT )sql" NOT_AFTER(
        "f.released_at", "s.recorded_at") " OR s.confirmed_on < p.effective_entry_date)",
    R"sql(
        SELECT 'line ' || l.line || ' of ' || f.name || ' is an exception, but none is recorded for it'
        FROM confirmation_line l
        JOIN confirmation_file f ON f.confirmation_file_id = l.confirmation_file_id
        WHERE l.outcome = 'exception' AND NOT EXISTS (SELECT 1 FROM line_exception c WHERE c.line_id = l.line_id))sql",
};

InvariantResult check_confirmations(Ledger& ledger) {
    InvariantResult result{7, "each confirmation line is accounted for", 0, {}};
    result.checked = count(ledger, "SELECT count(*) FROM confirmation_line");
    list_each(ledger, wrong_confirmations, result);
    return result;
}

constexpr std::string_view wrong_reports[] = {
    R"sql(
        SELECT 'draw ' || draw_id || ' has ' || count(*) || ' reports'
        FROM outbox
        WHERE withdrawn_at IS NULL
        GROUP BY draw_id
        HAVING count(*) > 1)sql",
    R"sql(
        SELECT 'the report of draw ' || o.draw_id || ' rests on no confirmed payment'
        FROM outbox o
        JOIN payment p ON p.payment_id = o.payment_id
        WHERE p.draw_id <> o.draw_id OR NOT EXISTS (SELECT 1 FROM payment_settlement s
            WHERE s.payment_id = o.payment_id AND s.kind = 'paid' AND )sql" NOT_AFTER("s.recorded_at",
                                                                                      "o.created_at") ")",
    R"sql(
        SELECT 'draw ' || o.draw_id || ' was reported before it was Disbursed'
        FROM outbox o
        WHERE NOT EXISTS (SELECT 1 FROM reading r WHERE r.draw_id = o.draw_id AND r.status = 5 AND )sql" NOT_AFTER(
        "r.read_at", "o.created_at") ")",
};

InvariantResult check_reports(Ledger& ledger) {
    InvariantResult result{8, "a disbursement is reported once, at status 5, for a confirmed payment", 0, {}};
    result.checked = count(ledger, "SELECT count(*) FROM outbox");
    list_each(ledger, wrong_reports, result);
    return result;
}

InvariantResult check_calls(Ledger& ledger) {
    InvariantResult result{9, "at most 500 draws a bulk call, a draw in at most one open call", 0, {}};
    result.checked = count(ledger, "SELECT count(*) FROM approval_batch");
    list_violations(ledger,
                    R"sql(
        SELECT 'batch ' || batch_id || ' carries ' || count(*) || ' draws'
        FROM approval_item
        GROUP BY batch_id
        HAVING count(*) > 500)sql",
                    result);
    list_violations(ledger,
                    R"sql(
        SELECT 'draw ' || draw_id || ' is in ' || count(*) || ' open calls'
        FROM approval_item
        WHERE outcome IS NULL
        GROUP BY draw_id
        HAVING count(*) > 1)sql",
                    result);
    return result;
}

}  // namespace

std::vector<InvariantResult> verify(Ledger& ledger) {
    return {check_file(ledger),      check_live_payments(ledger), check_amounts(ledger),    check_states(ledger),
            check_approvals(ledger), check_audit(ledger),         check_numbers(ledger),    check_confirmations(ledger),
            check_reports(ledger),   check_calls(ledger),         check_deliveries(ledger), check_releasers(ledger)};
}

}  // namespace drawbridge::ledger
