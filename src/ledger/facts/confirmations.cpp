#include "drawbridge/ledger/facts/confirmations.hpp"

#include <fmt/format.h>

#include <map>

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/ledger/facts/check_orders.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/guards.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/returns.hpp"
#include "drawbridge/ledger/facts/sent_before.hpp"
#include "facts/settle.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

using reconciliation::Match;
using reconciliation::MatchOutcome;
using reconciliation::OpenPayment;

#define CANDIDATE_COLUMNS                                                                                  \
    "SELECT p.payment_id, p.trace_number, p.check_number, p.amount_cents, coalesce(f.release_ordered_at, " \
    "f.created_at), coalesce((SELECT "                                                                     \
    "u.because FROM unsent_file u WHERE u.file_id = f.file_id), '') "                                      \
    "FROM payment p JOIN payment_file f ON f.file_id = p.file_id WHERE "

void collect(Ledger& ledger, Query& query, const TimeZone& zone, std::map<std::int64_t, OpenPayment>& into) {
    while (query.next()) {
        OpenPayment payment;
        payment.payment_id = query.integer(0);
        payment.payment_id_text = disbursement::format_payment_id(payment.payment_id);
        payment.trace_number = query.optional_text(1);
        payment.check_number = query.optional_integer(2);
        payment.amount = query.money(3);
        payment.released_on = zone.date_of(query.instant(4));
        payment.unsent_because = query.text(5);
        if (into.contains(payment.payment_id)) continue;
        add_settlements(ledger, zone, payment);
        into.emplace(payment.payment_id, std::move(payment));
    }
}

struct NewFile {
    std::string_view outcome;
    std::int64_t line_count = 0;
    std::string_view report = {};
    std::optional<std::int64_t> staging_id = {};
};

// Complete at once, unless its lines are staged.
std::int64_t insert_file(Ledger& ledger, const ConfirmationFile& file, const NewFile& how, const Stamp& stamp) {
    const auto file_id = new_row(ledger, "SELECT max(confirmation_file_id) FROM confirmation_file");
    Query(ledger,
          R"sql(
        INSERT INTO confirmation_file (confirmation_file_id, sha256, name, size_bytes, recorded_at, outcome, line_count,
            report, staging_id, completed_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?))sql",
          file_id, file.sha256, file.name, file.size_bytes, stamp.at, how.outcome, how.line_count, how.report,
          how.staging_id, how.staging_id ? std::nullopt : std::optional(stamp.at))
        .run();
    Query(ledger, "INSERT INTO confirmation_hand_in (confirmation_file_id, at, uid, by) VALUES (?, ?, ?, ?)", file_id,
          stamp.at, recorded_uid(file.handed_in_uid), file.handed_in_by)
        .run();
    return file_id;
}

std::string subject_of(const ConfirmationFile& file, const Confirmation& confirmation) {
    return line_subject(file.name, file.sha256, confirmation.line);
}

// Every reference except the strongest, which has a column of its own.
std::string more_references(const Confirmation& line) {
    std::string text;
    for (const auto& reference : line.references) {
        if (reference.text == line.payment_reference) continue;
        text += (text.empty() ? "" : "\n") + std::string(to_string(reference.kind)) + " " + reference.text;
    }
    return text;
}

std::int64_t insert_line(Ledger& ledger, std::int64_t file_id, const Match& match) {
    const auto& line = match.confirmation;
    const auto line_id = new_row(ledger, "SELECT max(line_id) FROM confirmation_line");
    Query(ledger,
          R"sql(
        INSERT INTO confirmation_line (line_id, confirmation_file_id, line, payment_reference, kind, amount_cents,
            confirmed_on, outcome, payment_id, reason_code, detail, currency, bank_code, payee_name,
            more_references, note)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?))sql",
          line_id, file_id, line.line, line.payment_reference, to_string(line.kind), line.amount, line.date,
          reconciliation::to_string(match.outcome), match.payment_id, match.reason_code, match.detail, line.currency,
          line.reason_code, line.payee_name, more_references(line), line.note)
        .run_in_bulk();
    for (const auto candidate : match.candidates)
        Query(ledger, "INSERT INTO line_candidate (line_id, payment_id) VALUES (?, ?)", line_id, candidate).run();
    return line_id;
}

// The lines of the ledger from `first` on that were applied.
void settle_lines(Ledger& ledger, std::int64_t first, const Stamp& stamp) {
    Query(ledger,
          R"sql(
        INSERT INTO settlement (payment_id, kind, source, line_id, confirmed_on, recorded_at)
        SELECT payment_id, kind, 'line', line_id, confirmed_on, ?
        FROM confirmation_line
        WHERE line_id >= ? AND outcome = 'applied'
        ORDER BY line_id)sql",
          stamp.at, first)
        .run();
    finish_those_reported_before(ledger, first, stamp);
    end_those_that_came_back(ledger, first, stamp);
    close_stale_exceptions(ledger, stamp);
}

// A person looks at every line that was not applied.
void raise_refused(Ledger& ledger, const ConfirmationFile& file, const Match& match, std::int64_t line_id,
                   const Stamp& stamp) {
    raise_about_line(ledger,
                     {"confirm", match.reason_code, draw_of(ledger, match.payment_id), match.payment_id,
                      subject_of(file, match.confirmation), match.detail},
                     line_id, stamp);
}

// The reference is not a payment of ours but a prenote that was returned or is corrected.
std::optional<PrenoteRow> named_prenote(Ledger& ledger, const Match& match) {
    const auto& line = match.confirmation;
    const bool is_about_prenotes = line.kind == ConfirmationKind::returned || line.kind == ConfirmationKind::corrected;
    if (match.reason_code != reconciliation::unknown_payment || !is_about_prenotes) return {};
    return find_prenote(ledger, line.payment_reference);
}

// The bank cashed a check although it was voided or stopped, and the draw is paid again: money goes out twice.
Match with_second_payment(Ledger& ledger, Match match) {
    if (match.reason_code != reconciliation::settled_differently || !match.payment_id ||
        match.confirmation.kind != ConfirmationKind::paid)
        return match;
    Query query(ledger,
                R"sql(
        SELECT n.payment_id, n.check_number, n.draw_id
        FROM payment p
        JOIN payment n ON n.draw_id = p.draw_id
        WHERE p.payment_id = ? AND n.payment_id > p.payment_id AND n.ended_at IS NULL
        ORDER BY n.payment_id DESC
        LIMIT 1)sql",
                *match.payment_id);
    if (!query.next()) return match;
    const auto [payment_id, check_number, draw_id] = query.row<std::int64_t, std::optional<std::int64_t>, DrawId>();
    match.detail += fmt::format(
        "; draw {} is paid twice: payment {}{} pays it again: void its file before it is released, or stop the check "
        "before it is cashed; money that went out twice must be recovered through the bank",
        draw_id, disbursement::format_payment_id(payment_id),
        check_number ? fmt::format(", check {},", *check_number) : "");
    return match;
}

// The line may mean a payment that left before this ledger was restored: a person must know that it is one of ours.
Match with_payment_sent_before(Ledger& ledger, Match match) {
    if (match.reason_code != reconciliation::unknown_payment) return match;
    const auto forms = reconciliation::read_reference(match.confirmation.payment_reference);
    auto sent = payment_sent_before(ledger, match.confirmation.payment_reference);
    if (!sent && forms.check_number) sent = payment_sent_before(ledger, std::to_string(*forms.check_number));
    if (!sent) return match;
    match.detail += fmt::format(
        "; draw {} was paid {} under {} with {}, which left before this ledger was restored: enter it in the "
        "portal",
        sent->draw_id, sent->amount.to_display(), sent->reference, sent->file);
    return match;
}

// The line may be about a prenote.
Match with_prenote(Ledger& ledger, Match match) {
    const auto prenote = named_prenote(ledger, match);
    if (!prenote) return with_payment_sent_before(ledger, with_second_payment(ledger, std::move(match)));
    if (!prenote->unsent_because.empty()) {
        match.reason_code = reconciliation::payment_not_released;
        match.detail = "prenote " + prenote->trace_number + " was not sent: " + prenote->unsent_because;
        return match;
    }
    const bool is_return = match.confirmation.kind == ConfirmationKind::returned;
    return {std::move(match.confirmation),
            MatchOutcome::recorded,
            {},
            {},
            is_return ? "prenote " + prenote->trace_number + " came back" : std::string()};
}

// ", handed in by uid 1016 (anna)"; empty: by nobody in particular.
std::string handed_in(Ledger& ledger, const ConfirmationFile& file) {
    const auto& by = file.handed_in_by;
    if (by.empty()) return {};
    const auto name = actor_named(ledger, by);
    return ", handed in by " + by + (name == by || by.contains('(') ? std::string() : " (" + name + ")");
}

}  // namespace

bool is_applied(Ledger& ledger, std::string_view sha256) {
    Query query(ledger, "SELECT 1 FROM confirmation_file WHERE sha256 = ? AND outcome = 'applied'", sha256);
    return query.next();
}

std::map<ConfirmationKind, Sum> applied_lines(Ledger& ledger, std::string_view sha256) {
    Query query(ledger,
                "SELECT l.kind, count(*), sum(l.amount_cents) FROM confirmation_file f "
                "JOIN confirmation_line l ON l.confirmation_file_id = f.confirmation_file_id "
                "WHERE f.sha256 = ? AND f.outcome = 'applied' GROUP BY l.kind",
                sha256);
    std::map<ConfirmationKind, Sum> lines;
    while (query.next()) {
        const auto [kind, count, cents] = query.row<ConfirmationKind, std::int64_t, std::int64_t>();
        lines[kind] = {count, Money::from_cents(cents)};
    }
    return lines;
}

std::optional<OpenPayment> find_open_payment(Ledger& ledger, std::int64_t payment_id, const TimeZone& zone) {
    std::map<std::int64_t, OpenPayment> found;
    Query query(ledger, CANDIDATE_COLUMNS "p.payment_id = ?", payment_id);
    collect(ledger, query, zone, found);
    if (found.empty()) return std::nullopt;
    return std::move(found.begin()->second);
}

std::vector<OpenPayment> payments_for(Ledger& ledger, const std::vector<std::string>& references,
                                      const TimeZone& zone) {
    std::map<std::int64_t, OpenPayment> found;
    for (const auto& reference : references) {
        const auto forms = reconciliation::read_reference(reference);
        if (forms.trace_number) {
            Query query(ledger, CANDIDATE_COLUMNS "p.trace_number = ?", *forms.trace_number);
            collect(ledger, query, zone, found);
        }
        if (forms.check_number) {
            Query query(ledger, CANDIDATE_COLUMNS "p.check_number = ?", *forms.check_number);
            collect(ledger, query, zone, found);
        }
        if (forms.payment_id_text) {
            const auto payment_id = disbursement::parse_payment_id(*forms.payment_id_text);
            if (!payment_id) continue;
            Query query(ledger, CANDIDATE_COLUMNS "p.payment_id = ?", *payment_id);
            collect(ledger, query, zone, found);
        }
    }
    std::vector<OpenPayment> payments;
    payments.reserve(found.size());
    for (auto& [id, payment] : found)
        payments.push_back(std::move(payment));
    return payments;
}

Match as_recorded(Ledger& ledger, Match match) {
    match = with_prenote(ledger, std::move(match));
    if (auto correction = correction_of(ledger, match); !correction.empty()) match.detail = std::move(correction);
    return match;
}

ConfirmationRecord::ConfirmationRecord(Ledger& ledger, ConfirmationFile file, Stamp stamp)
    : ledger_(ledger), file_(std::move(file)), stamp_(std::move(stamp)) {}

ConfirmationRecord::ConfirmationRecord(Ledger& ledger, ConfirmationFile file, std::int64_t line_count,
                                       std::optional<std::int64_t> staging_id, const Stamp& stamp)
    : ConfirmationRecord(ledger, std::move(file), stamp) {
    assert_in_transaction(ledger_);
    line_count_ = line_count;
    staging_id_ = staging_id.value_or(0);
    file_id_ =
        insert_file(ledger_, file_,
                    {.outcome = "applied", .line_count = line_count, .report = {}, .staging_id = staging_id}, stamp_);
}

std::optional<ConfirmationRecord> ConfirmationRecord::unfinished(Ledger& ledger, std::string actor) {
    Query query(ledger,
                R"sql(
        SELECT f.sha256, f.name, f.size_bytes, (SELECT h.by FROM confirmation_hand_in h
            WHERE h.confirmation_file_id = f.confirmation_file_id ORDER BY h.hand_in_id LIMIT 1), f.recorded_at,
            f.confirmation_file_id, f.line_count, f.staging_id
        FROM confirmation_file f
        WHERE f.completed_at IS NULL)sql");
    if (!query.next()) return std::nullopt;
    ConfirmationRecord record(ledger, {}, {{}, std::move(actor)});
    query.read(record.file_.sha256, record.file_.name, record.file_.size_bytes, record.file_.handed_in_by,
               record.stamp_.at, record.file_id_, record.line_count_, record.staging_id_);
    return record;
}

std::vector<Match> ConfirmationRecord::add(const std::vector<Match>& matches) {
    std::vector<Match> recorded;
    recorded.reserve(matches.size());
    for (const auto& found : matches) {
        const auto prenote = named_prenote(ledger_, found);
        if (prenote && !prenote->returned_at && found.confirmation.kind == ConfirmationKind::returned) {
            const auto& code = found.confirmation.reason_code;
            // False: its return is already recorded; that is fine.
            static_cast<void>(
                record_prenote_returned(ledger_, prenote->trace_number, code.empty() ? "none" : code, stamp_));
        }
        recorded.push_back(as_recorded(ledger_, found));
    }
    std::vector<std::int64_t> line_ids;
    line_ids.reserve(recorded.size());
    for (const auto& match : recorded)
        line_ids.push_back(insert_line(ledger_, file_id_, match));
    if (recorded.empty()) return recorded;
    settle_lines(ledger_, line_ids.front(), stamp_);
    for (std::size_t i = 0; i < recorded.size(); ++i)
        add(recorded[i], line_ids[i]);
    count(recorded);
    return recorded;
}

void ConfirmationRecord::add(const Match& match, std::int64_t line_id) {
    apply_return_effects(ledger_, match, line_id, subject_of(file_, match.confirmation), stamp_);
    if (match.outcome == MatchOutcome::applied) {
        audit_settled(match, line_id);
        // A person looks at every payment that came back.
        if (match.confirmation.kind != ConfirmationKind::paid)
            raise_came_back(ledger_, match, line_id, subject_of(file_, match.confirmation), stamp_);
    }
    if (match.outcome == MatchOutcome::exception) raise_refused(ledger_, file_, match, line_id, stamp_);
}

void ConfirmationRecord::audit_settled(const Match& match, std::int64_t line_id) {
    // By the daemon, whoever handed the file in: that is recorded with the file.
    audit_row(ledger_,
              {{stamp_.at, stamp_.actor},
               "payment." + std::string(to_string(match.confirmation.kind)),
               "payment " + disbursement::format_payment_id(*match.payment_id),
               settled_by(subject_of(file_, match.confirmation), match.confirmation.amount, match.confirmation.date),
               "confirmation lines",
               line_id});
}

void ConfirmationRecord::count(const std::vector<Match>& matches) {
    struct Sum {
        std::int64_t lines = 0;
        Money amount, paid;
    };
    std::map<MatchOutcome, Sum> sums;
    for (const auto& match : matches) {
        auto& sum = sums[match.outcome];
        ++sum.lines;
        sum.amount += match.confirmation.amount;
        if (match.confirmation.kind == ConfirmationKind::paid) sum.paid += match.confirmation.amount;
    }
    for (const auto& [outcome, sum] : sums) {
        Query(ledger_,
              R"sql(
            INSERT INTO confirmation_sum (confirmation_file_id, outcome, lines, cents, paid_cents)
            VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (confirmation_file_id, outcome) DO UPDATE SET lines = confirmation_sum.lines + excluded.lines,
                cents = confirmation_sum.cents + excluded.cents,
                paid_cents = confirmation_sum.paid_cents + excluded.paid_cents)sql",
              file_id_, reconciliation::to_string(outcome), sum.lines, sum.amount, sum.paid)
            .run();
    }
}

AppliedCounts ConfirmationRecord::counts() const {
    AppliedCounts counts;
    Query query(ledger_,
                "SELECT outcome, lines, cents, paid_cents FROM confirmation_sum WHERE confirmation_file_id = ? ORDER "
                "BY outcome",
                file_id_);
    while (query.next()) {
        const auto [outcome, lines, amount, paid] = query.row<std::string, std::int64_t, Money, Money>();
        if (outcome == reconciliation::to_string(MatchOutcome::duplicate)) counts.duplicates = lines;
        if (outcome == reconciliation::to_string(MatchOutcome::exception)) counts.exceptions = lines;
        if (outcome == reconciliation::to_string(MatchOutcome::recorded)) counts.recorded = lines;
        if (outcome != reconciliation::to_string(MatchOutcome::applied)) continue;
        counts.applied = lines;
        counts.paid = paid;
        counts.returned = amount - paid;
    }
    return counts;
}

void ConfirmationRecord::finish() {
    assert_in_transaction(ledger_);
    if (staging_id_ != 0) {
        Query(ledger_, "UPDATE confirmation_file SET completed_at = ? WHERE confirmation_file_id = ?", stamp_.at,
              file_id_)
            .run();
    }
    const auto done = counts();
    DRAWBRIDGE_ASSERT(done.lines() == line_count_, "a file is complete when all its lines are recorded");
    audit(ledger_, stamp_, "confirmation_file.applied", "file " + file_.name,
          "sha256 " + file_.sha256 + ", " + std::to_string(done.applied) + " applied, " +
              std::to_string(done.duplicates) + " duplicates, " + std::to_string(done.exceptions) + " exceptions, " +
              std::to_string(done.recorded) + " without effect, " + done.paid.to_string() + " paid" +
              handed_in(ledger_, file_));
}

std::set<std::string> confirmation_hashes(Ledger& ledger, std::size_t digits) {
    std::set<std::string> hashes;
    Query query(ledger, "SELECT sha256 FROM confirmation_file");
    while (query.next())
        hashes.insert(query.record<std::string>().substr(0, digits));
    return hashes;
}

std::optional<Instant> recording_since(Ledger& ledger) {
    return Query(ledger, "SELECT recorded_at FROM confirmation_file WHERE completed_at IS NULL").first<Instant>();
}

Result<void> check_not_recording(Ledger& ledger) {
    Query query(ledger, "SELECT name FROM confirmation_file WHERE completed_at IS NULL");
    const auto name = query.first<std::string>();
    if (!name) return {};
    return fail(ErrorCode::conflict, *name +
                                         " is being recorded, and its other lines may say more about this: repeat "
                                         "it when the file is complete");
}

AppliedCounts record_confirmations(Ledger& ledger, const ConfirmationFile& file, const std::vector<Match>& matches,
                                   const Stamp& stamp) {
    ConfirmationRecord record(ledger, file, static_cast<std::int64_t>(matches.size()), std::nullopt, stamp);
    record.add(matches);
    record.finish();
    return record.counts();
}

void record_refused(Ledger& ledger, const ConfirmationFile& file, std::string_view report, const Stamp& stamp) {
    assert_in_transaction(ledger);
    insert_file(ledger, file, {.outcome = "refused", .report = report}, stamp);
    audit(ledger, stamp, "confirmation_file.refused", "file " + file.name,
          "sha256 " + file.sha256 + handed_in(ledger, file));
    raise_exception(
        ledger,
        {"confirm", "file_refused", std::nullopt, std::nullopt, file.name + " " + file.sha256.substr(0, 12),
         "nothing of it was applied; the report beside it in quarantine/ names every bad line: correct the file and "
         "drop it again"},
        stamp);
}

}  // namespace drawbridge::ledger
