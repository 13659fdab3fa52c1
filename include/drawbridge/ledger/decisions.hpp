// Decisions and the rule sets they rest on; bulk approvals: intents and results.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/ledger/draws.hpp"

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
    std::int64_t run_id = 0;                // of the run that decided; 0: a person
    std::optional<std::string> decided_by;  // the person who decided in place of a rule
    std::optional<Instant> again_at;        // when time alone may change the outcome
};

// Keeps the text of a rule set for ever; does nothing when it is known.
void remember_rule_set(Ledger& ledger, std::string_view sha256, std::string_view text, Instant at);

struct RuleSetText {
    std::string sha256;
    std::string text;
};
// Whose hash begins with `prefix` (lower-case hexadecimal digits); at most two: more than one is not unique.
[[nodiscard]] std::vector<RuleSetText> find_rule_sets(Ledger& ledger, std::string_view prefix);

// Draws in Pending Approval whose newest reading was not decided by this rule set last, or was and is due again at
// `now`; that no person decided on, no open or done approval covers and for which no payment was ever made; of these
// workflows only (empty: all).
//
// It looks at each draw of `among`, which may be a million that are held: ask in ranges.
struct DrawRange {
    DrawId after = std::numeric_limits<DrawId>::min();
    DrawId until = std::numeric_limits<DrawId>::max();
};
[[nodiscard]] std::vector<KnownDraw> draws_to_decide(Ledger& ledger, std::string_view rule_set_sha256, Instant now,
                                                     const std::vector<std::int64_t>& workflows, int limit,
                                                     DrawRange among = {});
// The next so many draws in Pending Approval; nullopt: there are none after that one.
[[nodiscard]] std::optional<DrawRange> next_pending(Ledger& ledger, DrawId after, int count);
// False: of draws on all of which these rules decided before, none is to be decided now. Costs the same whatever the
// ledger holds.
[[nodiscard]] bool may_need_deciding(Ledger& ledger, Instant now);
// Another text whenever other draws are kept from being decided because the service shows them badly or not at all: one
// that it shows well again is to be decided, by rules that may have changed meanwhile.
[[nodiscard]] std::string unreadable_draws_key(Ledger& ledger);

// A draw as it was when rules first decided on that reading of it.
struct DecidedDraw {
    std::int64_t decision_id = 0;
    Instant decided_at;
    Draw draw;
};
// Decided at `since` or later and after `after_decision_id`, in the order of the decisions.
[[nodiscard]] std::vector<DecidedDraw> decided_draws(Ledger& ledger, Instant since, std::int64_t after_decision_id,
                                                     int limit);

// The newest decision on this reading of the draw, for a look whether a new one says anything new.
struct LastDecision {
    bool approve = false;
    std::string rule_set_sha256;
    std::optional<std::string> rule;
    std::string reason;
};
[[nodiscard]] std::optional<LastDecision> last_decision(Ledger& ledger, ReadingId reading_id);
// The same was decided again: nothing new is recorded but when to look next (absent: not before something changes).
void decide_again_at(Ledger& ledger, DrawId id, std::optional<Instant> at);

std::int64_t record_decision(Ledger& ledger, const DecisionRecord& decision, const Stamp& stamp);

struct ApprovalToSubmit {
    std::int64_t decision_id = 0;
    DrawId draw_id = 0;
    std::int64_t approver_id = 0;
    std::string notes;
    std::vector<std::string> notification_emails;
};

// Draws whose newest reading was decided "approve" by this rule set, in its newest decision, that are still pending and
// not in an open call. What another rule set decided is never carried out.
//
// Costs nothing where no draw is in the state "approving", else a look at every draw in Pending Approval.
[[nodiscard]] std::vector<ApprovalToSubmit> approvals_to_submit(Ledger& ledger, std::string_view rule_set_sha256,
                                                                const std::vector<std::int64_t>& workflows, int limit);

struct OpenApproval {
    std::int64_t item_id = 0;
    std::int64_t batch_id = 0;
    DrawId draw_id = 0;
    std::int64_t decision_id = 0;
    int earlier_attempts = 0;  // of the same decision, read back as not applied
};

// Writes the intent: one batch and an item for each draw, in the same order.
std::vector<OpenApproval> open_approval_batch(Ledger& ledger, const std::vector<ApprovalToSubmit>& approvals,
                                              const Stamp& stamp);
// Items without a result: after a crash or an unknown outcome, to be read back.
[[nodiscard]] std::vector<OpenApproval> open_approvals(Ledger& ledger);

enum class ApprovalOutcome {
    approved,
    refused,      // the service said no: a person looks
    not_applied,  // read back and still pending: may be submitted again
    abandoned,    // read back in a state that approval does not lead to: a person looks
};
enum class LearnedBy { answer, read_back, never_sent };

void close_approval(Ledger& ledger, const OpenApproval& item, ApprovalOutcome outcome, LearnedBy learned_by,
                    std::string_view detail, const Stamp& stamp);

}  // namespace drawbridge::ledger
