#include "drawbridge/ledger/facts/decisions.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "drawbridge/ledger/facts/explanations.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/text/json.hpp"
#include "drawbridge/text/show.hpp"
#include "facts/draw_row.hpp"
#include "facts/explanation_shape.hpp"
#include "store/connection.hpp"

// A draw that the service last showed incorrectly is not decided or approved on what it showed before.
#define UNREADABLE "('bad_record', 'draw_gone')"
#define NOT_UNREADABLE                                                                               \
    "AND NOT EXISTS (SELECT 1 FROM exception e WHERE e.draw_id = d.draw_id AND e.closed_at IS NULL " \
    "AND e.reason_code IN " UNREADABLE ") "

// The result of the last approval of draw d that was submitted, and counts for its request as it is in reading r. A
// request that changes gets a new content_id; a refusal was of the old one. But an approval that was taken may still
// count after a change, until it has made the draw Approved: a rule must not give a second one.
#define SUBMITTED                                                                                     \
    "(SELECT i.outcome FROM approval_item i JOIN draw_decision s ON s.decision_id = i.decision_id "   \
    "JOIN reading q ON q.reading_id = s.reading_id WHERE i.draw_id = d.draw_id "                      \
    "AND i.outcome IN ('approved', 'refused', 'abandoned') AND (q.content_id = r.content_id "         \
    "OR (i.outcome <> 'refused' AND NOT EXISTS (SELECT 1 FROM reading z WHERE z.draw_id = d.draw_id " \
    "AND z.reading_id > s.reading_id AND z.status IN (4, 5)))) ORDER BY i.item_id DESC LIMIT 1) "

// Submissions of a draw since its last approval with a result that were read back as not applied.
#define ATTEMPTS(draw_id)                                                                 \
    "FROM approval_item e WHERE e.draw_id = " draw_id                                     \
    " AND e.outcome = 'not_applied' AND e.learned_by = 'read_back' AND e.item_id > "      \
    "(SELECT coalesce(max(f.item_id), 0) FROM approval_item f WHERE f.draw_id = " draw_id \
    " AND f.outcome IN ('approved', 'refused', 'abandoned')) "

// A list of workflow ids, ",7,8,", bound twice; empty: all.
#define IN_WORKFLOWS "AND (? = '' OR instr(?, ',' || r.workflow_id || ',') > 0) "

namespace drawbridge::ledger {
namespace {

std::string emails_to_json(const std::vector<std::string>& emails) {
    return nlohmann::json(emails).dump();
}

std::string listed(const std::vector<std::int64_t>& ids) {
    std::string list;
    for (const auto id : ids)
        list += (list.empty() ? "," : "") + std::to_string(id) + ",";
    return list;
}

std::vector<std::string> emails_from_json(const std::string& text) {
    return text::parse_json(text).value().get<std::vector<std::string>>();
}

std::string_view to_text(ApprovalOutcome outcome) {
    switch (outcome) {
        case ApprovalOutcome::approved: return "approved";
        case ApprovalOutcome::refused: return "refused";
        case ApprovalOutcome::not_applied: return "not_applied";
        case ApprovalOutcome::abandoned: return "abandoned";
    }
    return "abandoned";
}

std::string_view to_text(LearnedBy learned_by) {
    switch (learned_by) {
        case LearnedBy::answer: return "answer";
        case LearnedBy::read_back: return "read_back";
        case LearnedBy::never_sent: return "never_sent";
    }
    return "read_back";
}

// `result` is SUBMITTED.
std::optional<std::string> reason_to_hold(const std::optional<std::string>& result) {
    if (!result) return std::nullopt;
    const std::string became = *result == "approved"  ? "the service accepted it"
                               : *result == "refused" ? "the service refused it"
                                                      : "it is unclear whether it took effect";
    return "an approval of this draw was submitted before, and " + became +
           ": only a person approves it again, in the portal or with `drawbridge approve ID --reason …`";
}

std::string subject(DrawId id) {
    return "draw " + std::to_string(id);
}

}  // namespace

void remember_rule_set(Ledger& ledger, std::string_view sha256, std::string_view text, Instant at) {
    assert_in_transaction(ledger);
    Query(ledger, "INSERT INTO rule_set (sha256, text, first_used_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", sha256,
          text, at)
        .run();
}

std::vector<RuleSetText> find_rule_sets(Ledger& ledger, std::string_view prefix) {
    // 'g' comes after every hexadecimal digit.
    Query query(ledger, "SELECT sha256, text FROM rule_set WHERE sha256 >= ? AND sha256 < ? ORDER BY sha256 LIMIT 2",
                prefix, std::string(prefix) + "g");
    std::vector<RuleSetText> sets;
    while (query.next())
        sets.push_back({query.text(0), query.text(1)});
    return sets;
}

std::vector<DrawToDecide> draws_to_decide(Ledger& ledger, std::string_view rule_set_sha256, Instant now,
                                          const std::vector<std::int64_t>& workflows, int limit, DrawRange range) {
    const std::string among = listed(workflows);
    // A refused approval waits for a person; new rules do not submit the same draw again.
    Query query(
        ledger,
        "SELECT " SUBMITTED ", " DRAW_COLUMNS
        " FROM draw d JOIN draw_reading r ON r.reading_id = d.reading_id WHERE d.status = 3 "
        "AND (coalesce((SELECT CASE WHEN c.decided_by IS NULL THEN c.rule_set_sha256 ELSE ?1 END FROM decision c "
        "WHERE c.draw_id = d.draw_id AND c.reading_id = d.reading_id ORDER BY c.decision_id DESC LIMIT 1), '') <> ?1 "
        "OR EXISTS (SELECT 1 FROM decide_again a WHERE a.draw_id = d.draw_id AND a.at <= ?2)) "
        "AND NOT EXISTS (SELECT 1 FROM approval_item i WHERE i.draw_id = d.draw_id AND i.outcome IS NULL) "
        "AND NOT EXISTS (SELECT 1 FROM approval_item i JOIN draw_decision c ON c.decision_id = i.decision_id "
        "WHERE i.draw_id = d.draw_id AND c.reading_id = d.reading_id AND i.outcome IN ('approved', 'refused', "
        "'abandoned')) "
        "AND NOT EXISTS (SELECT 1 FROM payment_not_replaced p WHERE p.draw_id = d.draw_id) " NOT_UNREADABLE IN_WORKFLOWS
        "AND d.draw_id > ? AND d.draw_id <= ? ORDER BY d.draw_id LIMIT ?",
        rule_set_sha256, now, among, among, range.after, range.until, limit);
    std::vector<DrawToDecide> draws;
    while (query.next())
        draws.push_back({read_known_draw(query, 1), reason_to_hold(query.optional_text(0))});
    return draws;
}

std::optional<std::string> held_as_submitted(Ledger& ledger, DrawId id) {
    Query query(ledger,
                "SELECT " SUBMITTED
                "FROM draw d JOIN draw_reading r ON r.reading_id = d.reading_id WHERE d.draw_id = ? AND d.status = 3",
                id);
    return query.next() ? reason_to_hold(query.optional_text(0)) : std::nullopt;
}

std::optional<DrawRange> next_pending(Ledger& ledger, DrawId after, int count) {
    Query query(ledger,
                R"sql(
        SELECT max(draw_id)
        FROM (SELECT draw_id FROM draw WHERE status = 3 AND draw_id > ? ORDER BY draw_id LIMIT ?) page)sql",
                after, count);
    query.next();
    const auto until = query.optional_integer(0);
    if (!until) return std::nullopt;
    return DrawRange{after, *until};
}

namespace {

bool is_any_in(Ledger& ledger, std::string_view state) {
    Query query(ledger, "SELECT 1 FROM state_total WHERE state = ? AND draws <> 0", state);
    return query.next();
}

}  // namespace

bool may_need_deciding(Ledger& ledger, Instant now) {
    if (is_any_in(ledger, "pending") || is_any_in(ledger, "approving")) return true;
    Query query(ledger,
                R"sql(
        SELECT 1
        FROM decide_again a
        JOIN draw d ON d.draw_id = a.draw_id
        WHERE a.at <= ? AND d.status = 3
        LIMIT 1)sql",
                now);
    return query.next();
}

std::string unreadable_draws_key(Ledger& ledger) {
    // Exception ids only grow and a closed exception is never opened again, so two successive sets of open exceptions
    // never have the same count and sum.
    Query query(ledger,
                R"sql(
        SELECT count(*), coalesce(sum(exception_id), 0)
        FROM exception INDEXED BY exception_open_by_age
        WHERE closed_at IS NULL AND reason_code IN )sql" UNREADABLE);
    query.next();
    const auto count = query.integer(0);
    if (count == 0) return {};
    return " without " + std::to_string(count) + " of " + std::to_string(query.integer(1));
}

std::vector<DrawId> unreadable_draws(Ledger& ledger, DrawId after, int limit) {
    Query query(ledger,
                "SELECT DISTINCT draw_id FROM exception WHERE draw_id > ? AND closed_at IS NULL AND reason_code "
                "IN " UNREADABLE " ORDER BY draw_id LIMIT ?",
                after, limit);
    return query.records<DrawId>();
}

namespace {

// What this decision has in common with others, which is stored once while the program remembers it.
std::int64_t verdict_id(Ledger& ledger, const DecisionRecord& decision, std::int64_t shape_id) {
    const auto emails = emails_to_json(decision.notification_emails);
    std::string content = fmt::format("{} {} ", shape_id, decision.approver_id ? *decision.approver_id : -1);
    for (const auto* text : {&decision.rule_set_sha256, &decision.reason, &decision.notes, &emails})
        content += fmt::format("{}:{}", text->size(), *text);
    content += decision.rule ? ":" + *decision.rule : "-";
    return ledger.connection().verdicts.id_of(content, [&] {
        const auto id = new_row(ledger, "SELECT max(verdict_id) FROM verdict");
        Query(ledger,
              R"sql(
            INSERT INTO verdict (verdict_id, rule_set_sha256, rule, reason, approver_id, notes, notification_emails,
                shape_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?))sql",
              id, decision.rule_set_sha256, decision.rule, decision.reason, decision.approver_id, decision.notes,
              emails, shape_id)
            .run();
        return id;
    });
}

}  // namespace

std::int64_t record_decision(Ledger& ledger, const DecisionRecord& decision, const Stamp& stamp) {
    assert_in_transaction(ledger);
    const auto explanation = split_explanation(decision.explanation_json, decision.reason);
    const auto decision_id = new_row(ledger, "SELECT max(decision_id) FROM draw_decision");
    Query(ledger,
          R"sql(
        INSERT INTO draw_decision (decision_id, draw_id, reading_id, decided_at, outcome, verdict_id,
            explanation_values, run_id, decided_by)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?))sql",
          decision_id, decision.draw_id, decision.reading_id, stamp.at, decision.approve ? "approve" : "hold",
          verdict_id(ledger, decision, explanation_shape_id(ledger, explanation.shape)), borrowed(explanation.values),
          decision.run_id == 0 ? std::nullopt : std::optional(decision.run_id), decision.decided_by)
        .run_in_bulk();
    if (decision.approve && decision.decided_by) {
        record_maker_act(ledger, MakerAct::approved, {.draw = decision.draw_id}, stamp);
        record_portal_acts(ledger, decision.draw_id);  // in whose name
    }
    decide_again_at(ledger, decision.draw_id, decision.again_at);
    audit_row(ledger, {stamp, decision.approve ? "decided.approve" : "decided.hold", subject(decision.draw_id),
                       "reading " + std::to_string(decision.reading_id) + ", rule set " + decision.rule_set_sha256 +
                           ", rule " + decision.rule.value_or("(none)") + ": " + decision.reason,
                       "decisions", decision_id});
    return decision_id;
}

std::vector<DecidedDraw> decided_draws(Ledger& ledger, Instant since, std::int64_t after_decision_id, int limit) {
    Query query(
        ledger,
        "SELECT c.decision_id, c.decided_at, " DRAW_COLUMNS
        " FROM draw_decision c CROSS JOIN draw_reading r ON r.reading_id = c.reading_id WHERE c.decision_id > ? "
        "AND c.decided_at >= ? AND c.decided_by IS NULL AND NOT EXISTS (SELECT 1 FROM draw_decision e "
        "WHERE e.draw_id = c.draw_id AND e.reading_id = c.reading_id AND e.decision_id < c.decision_id) "
        "ORDER BY c.decision_id LIMIT ?",
        after_decision_id, since, limit);
    std::vector<DecidedDraw> decided;
    while (query.next())
        decided.push_back({query.integer(0), query.instant(1), read_known_draw(query, 2).draw});
    return decided;
}

std::optional<LastDecision> last_decision(Ledger& ledger, const KnownDraw& known) {
    Query query(ledger,
                R"sql(
        SELECT outcome = 'approve', rule_set_sha256, rule, reason
        FROM decision
        WHERE draw_id = ? AND reading_id = ?
        ORDER BY decision_id DESC
        LIMIT 1)sql",
                known.draw.id, known.reading_id);
    if (!query.next()) return std::nullopt;
    return LastDecision{query.integer(0) != 0, query.text(1), query.optional_text(2), query.text(3)};
}

std::optional<ReadingId> newest_decided_reading(Ledger& ledger, DrawId id) {
    return Query(ledger, "SELECT reading_id FROM draw_decision WHERE draw_id = ? ORDER BY decision_id DESC LIMIT 1", id)
        .first<ReadingId>();
}

void decide_again_at(Ledger& ledger, DrawId id, std::optional<Instant> at) {
    assert_in_transaction(ledger);
    if (at) {
        Query(ledger,
              R"sql(
            INSERT INTO decide_again (draw_id, at)
            VALUES (?, ?)
            ON CONFLICT (draw_id) DO UPDATE SET at = excluded.at)sql",
              id, *at)
            .run();
    } else {
        Query(ledger, "DELETE FROM decide_again WHERE draw_id = ?", id).run_in_bulk();
    }
}

std::vector<ApprovalToSubmit> approvals_to_submit(Ledger& ledger, std::string_view rule_set_sha256,
                                                  const std::vector<std::int64_t>& workflows, int limit, DrawId after) {
    if (ledger.connection().in_transaction) apply_state_counts(ledger);
    if (!is_any_in(ledger, "approving")) return {};
    const std::string among = listed(workflows);
    Query query(ledger,
                R"sql(
        SELECT c.decision_id, c.draw_id, c.approver_id, c.notes, c.notification_emails, (SELECT count(*) )sql" ATTEMPTS(
                    "d.draw_id") R"sql()
        FROM draw d
        JOIN decision c ON c.decision_id = (SELECT max(n.decision_id) FROM draw_decision n WHERE n.draw_id = d.draw_id
            AND n.reading_id = d.reading_id)
        JOIN draw_reading r ON r.reading_id = d.reading_id
        WHERE d.status = 3 AND d.draw_id > ? AND c.outcome = 'approve' AND (c.rule_set_sha256 = ? OR c.decided_by IS NOT NULL)
            AND NOT EXISTS (SELECT 1 FROM approval_item i WHERE i.draw_id = d.draw_id AND i.outcome IS NULL)
            AND NOT EXISTS (SELECT 1 FROM approval_item i WHERE i.decision_id = c.decision_id
            AND i.outcome <> 'not_applied') AND (c.decided_by IS NOT NULL OR )sql" SUBMITTED
                                 R"sql(IS NULL) AND NOT EXISTS (SELECT 1 FROM payment_not_replaced p
            WHERE p.draw_id = d.draw_id) )sql" NOT_UNREADABLE IN_WORKFLOWS "ORDER BY d.draw_id LIMIT ?",
                after, rule_set_sha256, among, among, limit);
    std::vector<ApprovalToSubmit> approvals;
    while (query.next()) {
        approvals.push_back({query.integer(0), query.integer(1), query.integer(2), query.text(3),
                             emails_from_json(query.text(4)), static_cast<int>(query.integer(5))});
    }
    return approvals;
}

std::vector<OpenApproval> open_approval_batch(Ledger& ledger, const std::vector<ApprovalToSubmit>& approvals,
                                              const Stamp& stamp) {
    assert_in_transaction(ledger);
    DRAWBRIDGE_ASSERT(!approvals.empty() && approvals.size() <= 500, "a bulk call carries 1 to 500 draws");
    const auto batch_id = new_row(ledger, "SELECT max(batch_id) FROM approval_batch");
    Query(ledger, "INSERT INTO approval_batch (batch_id, created_at) VALUES (?, ?)", batch_id, stamp.at).run();
    std::vector<OpenApproval> items;
    for (const auto& approval : approvals) {
        const auto item_id = new_row(ledger, "SELECT max(item_id) FROM approval_item");
        Query(ledger, "INSERT INTO approval_item (item_id, batch_id, draw_id, decision_id) VALUES (?, ?, ?, ?)",
              item_id, batch_id, approval.draw_id, approval.decision_id)
            .run_in_bulk();
        items.push_back({item_id, batch_id, approval.draw_id, approval.decision_id});
    }
    audit(ledger, stamp, "approval.submitted", "batch " + std::to_string(batch_id),
          text::counted(static_cast<std::int64_t>(approvals.size()), "draw"));
    return items;
}

std::vector<OpenApproval> open_approvals(Ledger& ledger) {
    Query query(ledger,
                R"sql(
        SELECT i.item_id, i.batch_id, i.draw_id, i.decision_id, c.reading_id, (SELECT count(*) )sql" ATTEMPTS(
                    "i.draw_id") R"sql()
        FROM approval_item i
        JOIN draw_decision c ON c.decision_id = i.decision_id
        WHERE i.outcome IS NULL
        ORDER BY i.draw_id)sql");
    return query.records<OpenApproval>();
}

bool another_was_approved_since(Ledger& ledger, const OpenApproval& item) {
    // || '': by the key, from the first attempt on.
    Query query(ledger,
                "SELECT 1 FROM approval_item a WHERE a.item_id > (SELECT min(e.item_id) " ATTEMPTS(
                    "?1") ") AND a.outcome || '' = 'approved' LIMIT 1",
                item.draw_id);
    return query.next();
}

bool was_submitted(Ledger& ledger, DrawId id) {
    Query query(ledger,
                "SELECT 1 FROM approval_item WHERE draw_id = ? AND coalesce(learned_by, '') <> 'never_sent' LIMIT 1",
                id);
    return query.next();
}

void close_approval(Ledger& ledger, const OpenApproval& item, ApprovalOutcome outcome, LearnedBy learned_by,
                    std::string_view detail, const Stamp& stamp) {
    assert_in_transaction(ledger);
    // || '': by the key, not by the index of open items.
    Query(ledger,
          R"sql(
        UPDATE approval_item
        SET outcome = ?, outcome_at = ?, learned_by = ?, detail = ?
        WHERE item_id = ? AND outcome || '' IS NULL)sql",
          to_text(outcome), stamp.at, to_text(learned_by), detail, item.item_id)
        .run_in_bulk_for_one_row();
    audit_row(ledger, {stamp, "approval." + std::string(to_text(outcome)), subject(item.draw_id),
                       "batch " + std::to_string(item.batch_id) + ", learned by " + std::string(to_text(learned_by)) +
                           (detail.empty() ? "" : ": ") + std::string(detail),
                       "approval items", item.item_id});
}

}  // namespace drawbridge::ledger
