#include "drawbridge/ledger/facts/changes.hpp"

#include <fmt/format.h>

#include <array>

#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/people.hpp"
#include "reports/violations.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

constexpr std::array<std::string_view, 4> outcome_names{"baseline", "accepted", "rejected", "withdrawn"};

#define PROPOSAL_COLUMNS \
    "proposal_id, kind, sha256, proposed_at, file_uid, closed_at, closed_by, closed_reason, outcome"

// "rules 1a2b…", with every digit: two files can be made whose hashes begin alike.
std::string subject_of(ControlledFile kind, std::string_view sha256) {
    return fmt::format("{} {}", to_string(kind), sha256);
}

// The step that uses the file.
std::string step_of(ControlledFile kind) {
    return kind == ControlledFile::rules ? "decide" : "pay";
}

std::string owner_words(const FileContent& file) {
    return file.owner_uid ? fmt::format("the file belongs to uid {}", *file.owner_uid)
                          : std::string("the file's owner is not known");
}

void raise(Ledger& ledger, ControlledFile kind, std::string_view reason_code, const FileContent& file,
           std::string detail, const Stamp& stamp) {
    raise_exception(ledger,
                    {step_of(kind), std::string(reason_code), std::nullopt, std::nullopt, subject_of(kind, file.sha256),
                     std::move(detail)},
                    stamp);
}

void insert(Ledger& ledger, ControlledFile kind, const FileContent& file, std::optional<std::string_view> closed_as,
            std::string_view why, const Stamp& stamp) {
    const auto sealed = ledger.connection().sealer->seal(changed_bytes.name, file.sha256, file.bytes);
    std::optional<Instant> closed_at;
    std::optional<std::string> closed_by, closed_reason;
    if (closed_as) {
        closed_at = stamp.at;
        closed_by = stamp.actor;
        closed_reason = why;
    }
    Query(ledger,
          R"sql(
        INSERT INTO change_proposal (kind, sha256, content, proposed_at, file_uid, closed_at, closed_by,
            closed_reason, outcome)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?))sql",
          to_string(kind), file.sha256, borrowed(sealed), stamp.at, file.owner_uid, closed_at, closed_by, closed_reason,
          closed_as)
        .run();
}

void record_baseline(Ledger& ledger, ControlledFile kind, const FileContent& file, const Stamp& stamp) {
    insert(ledger, kind, file, to_string(ProposalOutcome::baseline), "the first under change control", stamp);
    const auto detail = fmt::format("{} is the baseline: {}", file.sha256, owner_words(file));
    audit(ledger, stamp, "change.baseline", subject_of(kind, file.sha256), detail);
    raise(ledger, kind, "change_baseline", file,
          fmt::format("these {} have been in force since change control started, and nobody has accepted them: review "
                      "them, then resolve this exception; it closes when two people have accepted others",
                      to_string(kind)),
          stamp);
}

void propose(Ledger& ledger, ControlledFile kind, const FileContent& file, const Stamp& stamp) {
    insert(ledger, kind, file, std::nullopt, "", stamp);
    audit(ledger, stamp, "change.proposed", subject_of(kind, file.sha256),
          fmt::format("{}: {}", file.sha256, owner_words(file)));
    raise(
        ledger, kind, "change_proposed", file,
        fmt::format("changed {} wait for two people, the old ones stay in force: review them with `drawbridge changes "
                    "show {}`, then run `drawbridge accept HASH --reason …` or `drawbridge reject HASH --reason …`",
                    to_string(kind), file.sha256),
        stamp);
}

void close(Ledger& ledger, const Proposal& proposal, ProposalOutcome outcome, std::string_view reason,
           const Stamp& stamp) {
    assert_in_transaction(ledger);
    Query(ledger,
          R"sql(
        UPDATE change_proposal
        SET closed_at = ?, closed_by = ?, closed_reason = ?, outcome = ?
        WHERE proposal_id = ?)sql",
          stamp.at, stamp.actor, reason, to_string(outcome), proposal.proposal_id)
        .run();
    const auto subject = subject_of(proposal.kind, proposal.sha256);
    audit(ledger, stamp, fmt::format("change.{}", to_string(outcome)), subject,
          fmt::format("{}: {}", proposal.sha256, reason));
    close_exceptions_of_subject(ledger, subject, fmt::format("{}: {}", to_string(outcome), reason), stamp);
}

Proposal read_proposal(const Query& query) {
    Proposal proposal;
    std::string kind, outcome;
    query.read(proposal.proposal_id, kind, proposal.sha256, proposal.proposed_at, proposal.file_uid, proposal.closed_at,
               proposal.closed_by, proposal.closed_reason, outcome);
    proposal.kind = kind == "rules" ? ControlledFile::rules : ControlledFile::payees;
    for (std::size_t i = 0; i < outcome_names.size(); ++i) {
        if (outcome_names[i] == outcome) proposal.outcome = static_cast<ProposalOutcome>(i);
    }
    return proposal;
}

std::vector<Proposal> read_proposals(Ledger& ledger, Query& query) {
    std::vector<Proposal> found;
    while (query.next())
        found.push_back(read_proposal(query));
    for (auto& proposal : found) {
        Query rows(ledger, "SELECT at, uid, by, reason FROM change_acceptance WHERE proposal_id = ? ORDER BY at, uid",
                   proposal.proposal_id);
        proposal.acceptances = rows.records<Acceptance>();
    }
    return found;
}

// The newest of its kind, without its acceptances.
std::optional<Proposal> newest(Ledger& ledger, ControlledFile kind) {
    Query query(ledger,
                "SELECT " PROPOSAL_COLUMNS " FROM change_proposal WHERE kind = ? ORDER BY proposal_id DESC LIMIT 1",
                to_string(kind));
    if (!query.next()) return std::nullopt;
    return read_proposal(query);
}

// True: these bytes were rejected, and the file has had them ever since.
bool is_rejected_still(Ledger& ledger, const Proposal& proposal) {
    Query query(ledger,
                "SELECT 1 FROM change_proposal WHERE proposal_id = ? AND outcome = 'rejected' AND left_at IS NULL",
                proposal.proposal_id);
    return query.next();
}

}  // namespace

std::string_view to_string(ControlledFile kind) {
    switch (kind) {
        case ControlledFile::rules: return "rules";
        case ControlledFile::payees: return "payees";
    }
    return {};
}

std::string_view to_string(ProposalOutcome outcome) {
    return outcome_names[static_cast<std::size_t>(outcome)];
}

std::optional<std::string> hash_in_force(Ledger& ledger, ControlledFile kind) {
    Query query(ledger,
                R"sql(
        SELECT sha256
        FROM change_proposal
        WHERE kind = ? AND outcome IN ('baseline', 'accepted')
        ORDER BY proposal_id DESC
        LIMIT 1)sql",
                to_string(kind));
    return query.first<std::string>();
}

std::string bytes_in_force(Ledger& ledger, ControlledFile kind) {
    Query query(ledger,
                R"sql(
        SELECT sha256, content
        FROM change_proposal
        WHERE kind = ? AND outcome IN ('baseline', 'accepted')
        ORDER BY proposal_id DESC
        LIMIT 1)sql",
                to_string(kind));
    auto bytes = query.only<Opened<changed_bytes>>().text;
    DRAWBRIDGE_ASSERT(bytes.has_value(), "every proposal has its bytes");
    return *std::move(bytes);
}

bool is_in_force(Ledger& ledger, const Proposal& proposal) {
    Query query(ledger,
                R"sql(
        SELECT max(proposal_id)
        FROM change_proposal
        WHERE kind = ? AND outcome IN ('baseline', 'accepted'))sql",
                to_string(proposal.kind));
    return query.first<std::optional<std::int64_t>>().value_or(std::nullopt) == proposal.proposal_id;
}

bool compare_with_file(Ledger& ledger, ControlledFile kind, const FileContent& file, const Stamp& stamp) {
    assert_in_transaction(ledger);
    const auto in_force = hash_in_force(ledger, kind);
    if (!in_force) {
        record_baseline(ledger, kind, file, stamp);
        return true;
    }
    bool changed = false;
    if (const auto last = newest(ledger, kind); last->sha256 != file.sha256) {
        if (!last->outcome) {
            close(ledger, *last, ProposalOutcome::withdrawn, "the file has changed again", stamp);
            changed = true;
        } else if (is_rejected_still(ledger, *last)) {
            Query(ledger, "UPDATE change_proposal SET left_at = ? WHERE proposal_id = ?", stamp.at, last->proposal_id)
                .run();
            changed = true;
        }
    } else if (!last->outcome || is_rejected_still(ledger, *last)) {
        return false;
    }
    if (file.sha256 == *in_force) return changed;
    propose(ledger, kind, file, stamp);
    return true;
}

void withdraw_open_proposal(Ledger& ledger, ControlledFile kind, std::string_view why, const Stamp& stamp) {
    const auto last = newest(ledger, kind);
    if (last && !last->outcome) close(ledger, *last, ProposalOutcome::withdrawn, why, stamp);
}

std::vector<Proposal> proposals(Ledger& ledger, int limit) {
    Query query(ledger, "SELECT " PROPOSAL_COLUMNS " FROM change_proposal ORDER BY proposal_id DESC LIMIT ?", limit);
    return read_proposals(ledger, query);
}

std::vector<Proposal> proposals_that_begin(Ledger& ledger, std::string_view digits) {
    Query query(ledger,
                "SELECT " PROPOSAL_COLUMNS
                " FROM change_proposal WHERE sha256 >= ? AND sha256 < ? ORDER BY proposal_id DESC",
                digits, std::string(digits) + "g");
    return read_proposals(ledger, query);
}

std::vector<Proposal> open_proposals(Ledger& ledger) {
    Query query(ledger,
                "SELECT " PROPOSAL_COLUMNS " FROM change_proposal WHERE closed_at IS NULL ORDER BY proposal_id DESC");
    return read_proposals(ledger, query);
}

std::string bytes_of(Ledger& ledger, const Proposal& proposal) {
    Query query(ledger, "SELECT sha256, content FROM change_proposal WHERE proposal_id = ?", proposal.proposal_id);
    return query.only<Opened<changed_bytes>>().text.value_or("");
}

Result<void> check_not_accepted(Ledger& ledger, const Proposal& proposal, const Stamp& stamp) {
    DRAWBRIDGE_ASSERT(stamp.uid.has_value(), "a change is accepted by a principal");
    const auto uid = recorded_uid(*stamp.uid);
    Query before(ledger,
                 R"sql(
        SELECT a.by
        FROM change_acceptance a
        WHERE a.proposal_id = ? AND (a.uid = ? OR a.person_id IN (SELECT person_id FROM uid_person_ever
            WHERE uid = ?) OR EXISTS (SELECT 1 FROM uid_person_ever x
            JOIN uid_person_ever y ON y.person_id = x.person_id WHERE x.uid = a.uid AND y.uid = ?)))sql",
                 proposal.proposal_id, uid, uid, uid);
    if (const auto by = before.first<std::string>()) {
        return fail(ErrorCode::conflict,
                    fmt::format("{}: {} accepted it, and that counts as you: another person must accept it too",
                                subject_of(proposal.kind, proposal.sha256), *by));
    }
    Query others(ledger, "SELECT a.by FROM change_acceptance a WHERE a.proposal_id = ?", proposal.proposal_id);
    for (const auto& by : others.records<std::string>()) {
        if (!share_a_login(by, stamp.actor)) continue;
        return fail(
            ErrorCode::conflict,
            fmt::format("{}: {} accepted it, and {} has the same login name: another person must accept it too, "
                        "and each user needs the same uid on every machine",
                        subject_of(proposal.kind, proposal.sha256), by, stamp.actor));
    }
    return {};
}

Result<void> record_acceptance(Ledger& ledger, const Proposal& proposal, std::string_view reason, const Stamp& stamp) {
    assert_in_transaction(ledger);
    if (auto first = check_not_accepted(ledger, proposal, stamp); !first) return first;
    const auto uid = recorded_uid(*stamp.uid);
    Query(ledger,
          "INSERT INTO change_acceptance (proposal_id, at, uid, person_id, by, reason) VALUES (?, ?, ?, ?, ?, ?)",
          proposal.proposal_id, stamp.at, uid, person_of(ledger, uid), stamp.actor, reason)
        .run();
    audit(ledger, stamp, "change.agreed", subject_of(proposal.kind, proposal.sha256),
          fmt::format("{}: {}", proposal.sha256, reason));
    return {};
}

void put_in_force(Ledger& ledger, const Proposal& proposal, std::string_view reason, const Stamp& stamp) {
    close(ledger, proposal, ProposalOutcome::accepted, reason, stamp);
    Query query(ledger, "SELECT sha256 FROM change_proposal WHERE kind = ? AND outcome = 'baseline'",
                to_string(proposal.kind));
    for (const auto& baseline : query.records<std::string>()) {
        close_exceptions_of_subject(ledger, subject_of(proposal.kind, baseline), "change_baseline",
                                    "others are in force: " + proposal.sha256, stamp);
    }
}

void reject_proposal(Ledger& ledger, const Proposal& proposal, std::string_view reason, const Stamp& stamp) {
    close(ledger, proposal, ProposalOutcome::rejected, reason, stamp);
}

void check_changes(Ledger& ledger, InvariantResult& result) {
    list_violations(ledger,
                    R"sql(
        SELECT p.kind || ' ' || p.sha256 || ' are in force without the acceptance of two people'
        FROM change_proposal p
        WHERE p.outcome = 'accepted' AND NOT EXISTS (SELECT 1 FROM change_acceptance a
            JOIN change_acceptance b ON b.proposal_id = a.proposal_id AND b.uid <> a.uid
            AND (b.person_id IS NULL OR b.person_id IS DISTINCT FROM a.person_id)
            WHERE a.proposal_id = p.proposal_id))sql",
                    result);
}

std::optional<std::string> last_settings(Ledger& ledger) {
    Query query(ledger,
                R"sql(
        SELECT sha256, settings
        FROM configuration_seen
        ORDER BY seen_id DESC
        LIMIT 1)sql");
    const auto settings = query.first<Opened<seen_settings>>();
    return settings ? settings->text : std::nullopt;
}

void record_settings(Ledger& ledger, std::string_view settings, std::string_view difference, const Stamp& stamp) {
    assert_in_transaction(ledger);
    const auto sha256 = sha256_hex(settings);
    Query(ledger, "INSERT INTO configuration_seen (at, sha256, settings) VALUES (?, ?, ?)", stamp.at, sha256,
          ledger.connection().sealer->seal(seen_settings.name, sha256, settings))
        .run();
    if (difference.empty()) return audit(ledger, stamp, "configuration.seen", "drawbridge.yaml", sha256);
    audit(ledger, stamp, "configuration.changed", "drawbridge.yaml", difference);
}

}  // namespace drawbridge::ledger
