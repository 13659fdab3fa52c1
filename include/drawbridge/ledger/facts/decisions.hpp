// Decisions with their rule sets, and bulk approvals with their intents and results.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/ledger/facts/draws.hpp"

namespace drawbridge::ledger {

struct DecisionRecord {
    DrawId draw_id = 0;
    ReadingId reading_id = 0;
    bool approve = false;  // otherwise: hold
    std::string rule_set_sha256;
    std::optional<std::string> rule;  // none: no rule matched
    std::string reason;
    std::optional<std::int64_t> approver_id;
    std::string notes;
    std::vector<std::string> notification_emails;
    std::string explanation_json;
    std::int64_t run_id = 0;                // the run that decided; 0: a person
    std::optional<std::string> decided_by;  // the person who decided instead of a rule
    std::optional<Instant> again_at;        // when the passing of time may change the outcome
};

// Stores the text of a rule set; does nothing if it is stored already.
void remember_rule_set(Ledger& ledger, std::string_view sha256, std::string_view text, Instant at);

struct RuleSetText {
    std::string sha256;
    std::string text;
};
// Rule sets whose hash begins with `prefix` (lower-case hexadecimal digits). At most two: more than one is ambiguous.
[[nodiscard]] std::vector<RuleSetText> find_rule_sets(Ledger& ledger, std::string_view prefix);

struct DrawRange {
    DrawId after = std::numeric_limits<DrawId>::min();
    DrawId until = std::numeric_limits<DrawId>::max();
};

struct DrawToDecide {
    KnownDraw known;
    std::optional<std::string> held_because;  // as of held_as_submitted()
};
// Draws in Pending Approval whose newest reading was not last decided by this rule set, or is due again at `now`. Left
// out: draws that a person decided, that an open or done approval covers, or that were ever paid. Only from these
// workflows; empty: all.
//
// It scans every draw in the range, and a million of them may be on hold, so ask for ranges.
[[nodiscard]] std::vector<DrawToDecide> draws_to_decide(Ledger& ledger, std::string_view rule_set_sha256, Instant now,
                                                        const std::vector<std::int64_t>& workflows, int limit,
                                                        DrawRange range = {});
// Why no rule approves a draw in Pending Approval again: an approval was submitted, and may count. nullopt: none was.
[[nodiscard]] std::optional<std::string> held_as_submitted(Ledger& ledger, DrawId id);
// The range of the next `count` draws in Pending Approval; nullopt: none after that draw.
[[nodiscard]] std::optional<DrawRange> next_pending(Ledger& ledger, DrawId after, int count);
// False: provided that these rules decided every known draw before, none needs a decision now. Constant cost.
[[nodiscard]] bool may_need_deciding(Ledger& ledger, Instant now);
// A key of the draws that are not decided because the service shows them incorrectly or not at all. When it changes,
// draws may be readable again and need a decision, by rules that may have changed meanwhile.
[[nodiscard]] std::string unreadable_draws_key(Ledger& ledger);
// These draws, in ascending order after `after`, at most `limit`.
[[nodiscard]] std::vector<DrawId> unreadable_draws(Ledger& ledger, DrawId after, int limit);

// A draw as it was when rules first decided on that reading.
struct DecidedDraw {
    std::int64_t decision_id = 0;
    Instant decided_at;
    Draw draw;
};
// Decided at or after `since`, with ids greater than `after_decision_id`, in the order of the decisions.
[[nodiscard]] std::vector<DecidedDraw> decided_draws(Ledger& ledger, Instant since, std::int64_t after_decision_id,
                                                     int limit);

// The newest decision on a reading, to see whether a new one differs.
struct LastDecision {
    bool approve = false;
    std::string rule_set_sha256;
    std::optional<std::string> rule;
    std::string reason;
};
[[nodiscard]] std::optional<LastDecision> last_decision(Ledger& ledger, const KnownDraw& known);
// The reading that the draw's newest decision is about. nullopt: it was never decided.
[[nodiscard]] std::optional<ReadingId> newest_decided_reading(Ledger& ledger, DrawId id);
// The outcome was the same again: only the time of the next decision is recorded; nullopt: not before something
// changes.
void decide_again_at(Ledger& ledger, DrawId id, std::optional<Instant> at);

std::int64_t record_decision(Ledger& ledger, const DecisionRecord& decision, const Stamp& stamp);

struct ApprovalToSubmit {
    std::int64_t decision_id = 0;
    DrawId draw_id = 0;
    std::int64_t approver_id = 0;
    std::string notes;
    std::vector<std::string> notification_emails;
    int earlier_attempts = 0;  // as of OpenApproval
};

// Draws that are still pending, in no open call, and whose newest decision is "approve" on the newest reading, by this
// rule set. Decisions of other rule sets are never carried out. Once an approval of the same request has a result, only
// a person's decision is carried out. At most `limit`, by draw, after the draw `after`.
//
// Cheap when no draw is in the state "approving"; otherwise it scans the draws in Pending Approval.
[[nodiscard]] std::vector<ApprovalToSubmit> approvals_to_submit(Ledger& ledger, std::string_view rule_set_sha256,
                                                                const std::vector<std::int64_t>& workflows, int limit,
                                                                DrawId after = 0);

struct OpenApproval {
    std::int64_t item_id = 0;
    std::int64_t batch_id = 0;
    DrawId draw_id = 0;
    std::int64_t decision_id = 0;
    ReadingId reading_id = 0;  // that the decision is about
    int earlier_attempts = 0;  // read back as not applied since the draw's last approval with a result
};

// Records the intent: one batch, and one item per draw in the same order.
std::vector<OpenApproval> open_approval_batch(Ledger& ledger, const std::vector<ApprovalToSubmit>& approvals,
                                              const Stamp& stamp);
// Items without a result, after a crash or an unknown outcome: read these draws back.
[[nodiscard]] std::vector<OpenApproval> open_approvals(Ledger& ledger);
// Whether another draw was approved since the first of the item's earlier attempts: the service takes approvals, but
// not this one.
[[nodiscard]] bool another_was_approved_since(Ledger& ledger, const OpenApproval& item);

// Whether an approval of the draw may have reached the service.
[[nodiscard]] bool was_submitted(Ledger& ledger, DrawId id);

enum class ApprovalOutcome {
    approved,
    refused,      // the service refused it: a person looks
    not_applied,  // read back and still pending: it may be submitted again
    abandoned,    // read back with a status that no approval leads to: a person looks
};
enum class LearnedBy { answer, read_back, never_sent };

void close_approval(Ledger& ledger, const OpenApproval& item, ApprovalOutcome outcome, LearnedBy learned_by,
                    std::string_view detail, const Stamp& stamp);

}  // namespace drawbridge::ledger
