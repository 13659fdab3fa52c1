#include "drawbridge/ledger/facts/resolutions.hpp"

#include <set>
#include <sstream>

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/ledger/facts/confirmations.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/returns.hpp"
#include "facts/settle.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

using reconciliation::Match;
using reconciliation::MatchOutcome;
using reconciliation::NearPayment;
using reconciliation::Proposal;

std::optional<Reference> parse_reference(std::string_view row) {
    for (const auto kind : {ReferenceKind::any, ReferenceKind::trace_number, ReferenceKind::check_number,
                            ReferenceKind::end_to_end_id, ReferenceKind::payment_id}) {
        const auto name = to_string(kind);
        if (row.starts_with(name) && row.substr(name.size()).starts_with(' '))
            return Reference{kind, std::string(row.substr(name.size() + 1))};
    }
    return std::nullopt;
}

// As confirmations.cpp writes them: "trace number 0910…", one per line of text.
std::vector<Reference> read_more_references(const std::string& text) {
    std::vector<Reference> all;
    std::istringstream rows(text);
    for (std::string row; std::getline(rows, row);) {
        if (auto reference = parse_reference(row)) all.push_back(*std::move(reference));
    }
    return all;
}

// Every reference on the line, and every run of letters and digits inside one: "ACH 091000010000001 RTN".
std::vector<std::string> possible_references(const Confirmation& line) {
    std::set<std::string> all;
    const auto add = [&](const std::string& text) {
        all.insert(text);
        std::string word;
        for (const char c : text + " ") {
            if (is_letter_or_digit(c)) {
                word += c;
                continue;
            }
            if (auto trace_number = reconciliation::with_leading_zero(word)) all.insert(*std::move(trace_number));
            if (!word.empty()) all.insert(std::exchange(word, {}));
        }
    };
    add(line.payment_reference);
    for (const auto& reference : line.references)
        add(reference.text);
    return {all.begin(), all.end()};
}

NearPayment near_payment(Ledger& ledger, reconciliation::OpenPayment payment) {
    Query query(ledger, "SELECT payee_name, effective_entry_date, check_date FROM payment WHERE payment_id = ?",
                payment.payment_id);
    NearPayment near{std::move(payment), "", std::nullopt};
    if (!query.next()) return near;
    std::optional<BusinessDate> check_date;
    query.read(near.payee_name, near.due_on, check_date);
    if (!near.due_on) near.due_on = check_date;
    return near;
}

std::vector<NearPayment> near_payments(Ledger& ledger, const RecordedLine& line, const TimeZone& zone,
                                       int max_candidates) {
    std::vector<NearPayment> near;
    std::set<std::int64_t> ids;
    for (auto& payment : payments_for(ledger, possible_references(line.confirmation), zone)) {
        ids.insert(payment.payment_id);
        near.push_back(near_payment(ledger, std::move(payment)));
    }
    std::vector<std::int64_t> of_amount;
    {
        Query query(ledger,
                    R"sql(
            SELECT payment_id
            FROM payment
            WHERE amount_cents = ? AND ended_at IS NULL
            ORDER BY payment_id DESC
            LIMIT ?)sql",
                    line.confirmation.amount, max_candidates);
        of_amount = query.records<std::int64_t>();
    }
    for (const auto id : of_amount) {
        if (!ids.insert(id).second) continue;
        if (auto payment = find_open_payment(ledger, id, zone))
            near.push_back(near_payment(ledger, std::move(*payment)));
    }
    return near;
}

Result<ExceptionRow> find_open(Ledger& ledger, std::int64_t exception_id) {
    const auto row = find_exception(ledger, exception_id);
    const std::string name = "exception " + std::to_string(exception_id);
    if (!row)
        return fail(ErrorCode::not_found, "there is no " + name + ": 'drawbridge exceptions' lists the open ones");
    if (row->closed_at) {
        return fail(ErrorCode::conflict, name + " was closed by " + row->closed_by + " at " +
                                             format_instant(*row->closed_at) + ": 'drawbridge resolve " +
                                             std::to_string(exception_id) + " --undo --reason …' opens it again");
    }
    return *row;
}

Result<RecordedLine> refused_line(Ledger& ledger, std::int64_t exception_id) {
    const std::string name = "exception " + std::to_string(exception_id);
    auto line = line_of_exception(ledger, exception_id);
    if (!line || !line->refused) {
        return fail(ErrorCode::conflict, name +
                                             " is not about an unapplied line of a confirmation file: "
                                             "there is nothing to match to a payment");
    }
    switch (line->confirmation.kind) {
        case ConfirmationKind::paid:
        case ConfirmationKind::returned:
        case ConfirmationKind::voided: return *std::move(line);
        case ConfirmationKind::corrected:
            return fail(ErrorCode::conflict, name +
                                                 " is a notification of change, which settles no payment: correct the "
                                                 "payee in payees.csv, then resolve the exception");
        case ConfirmationKind::pending:
        case ConfirmationKind::disputed:
        case ConfirmationKind::unrelated: break;
    }
    return fail(ErrorCode::conflict, name + " is about a line that says '" +
                                         std::string(to_string(line->confirmation.kind)) +
                                         "', which settles no payment: ask the bank, then resolve the exception");
}

std::string show(const RecordedLine& line) {
    return std::string(to_string(line.confirmation.kind)) + " " + line.confirmation.amount.to_string() + " on " +
           format_date(line.confirmation.date) + ", " + line.file + " line " + std::to_string(line.confirmation.line);
}

}  // namespace

std::optional<RecordedLine> line_of_exception(Ledger& ledger, std::int64_t exception_id) {
    Query query(ledger,
                R"sql(
        SELECT l.line_id, f.name, l.line, l.payment_reference, l.kind, l.amount_cents, l.confirmed_on, l.currency,
            l.bank_code, l.payee_name, l.note, l.more_references, l.outcome, l.payment_id, (SELECT s.payment_id
            FROM settlement s WHERE s.line_id = l.line_id AND s.source = 'person' AND s.undone_at IS NULL)
        FROM line_exception c
        JOIN confirmation_line l ON l.line_id = c.line_id
        JOIN confirmation_file f ON f.confirmation_file_id = l.confirmation_file_id
        WHERE c.exception_id = ?
        ORDER BY l.line_id
        LIMIT 1)sql",
                exception_id);
    if (!query.next()) return std::nullopt;
    RecordedLine found;
    auto& line = found.confirmation;
    std::string more_references, outcome;
    query.read(found.line_id, found.file, line.line, line.payment_reference, line.kind, line.amount, line.date,
               line.currency, line.reason_code, line.payee_name, line.note, more_references, outcome, found.payment_id,
               found.matched_to);
    if (!line.payment_reference.empty()) line.references.push_back({ReferenceKind::any, line.payment_reference});
    for (auto& reference : read_more_references(more_references))
        line.references.push_back(std::move(reference));
    found.refused = outcome == "exception";
    return found;
}

std::vector<Proposal> proposals_for(Ledger& ledger, const RecordedLine& line, const TimeZone& zone, BusinessDate today,
                                    int max_candidates) {
    const auto kind = line.confirmation.kind;
    const bool may_settle =
        kind == ConfirmationKind::paid || kind == ConfirmationKind::returned || kind == ConfirmationKind::voided;
    if (!line.refused || line.matched_to || !may_settle) return {};
    return reconciliation::propose(line.confirmation, near_payments(ledger, line, zone, max_candidates), today);
}

Result<ExceptionRow> match_line(Ledger& ledger, const Resolution& what, std::int64_t payment_id, const TimeZone& zone,
                                const Stamp& stamp) {
    assert_in_transaction(ledger);
    if (auto done = check_not_recording(ledger); !done) return std::unexpected(done.error());
    if (const auto open = find_open(ledger, what.exception_id); !open) return std::unexpected(open.error());
    const auto line = refused_line(ledger, what.exception_id);
    if (!line) return std::unexpected(line.error());
    const std::string name = disbursement::format_payment_id(payment_id);
    const auto payment = find_open_payment(ledger, payment_id, zone);
    if (!payment) {
        return fail(ErrorCode::not_found, "there is no payment " + name + ": 'drawbridge exception " +
                                              std::to_string(what.exception_id) + "' shows the candidates");
    }
    const Match match = reconciliation::match_to(line->confirmation, *payment, zone.date_of(stamp.at));
    if (match.outcome == MatchOutcome::duplicate) {
        return fail(ErrorCode::conflict,
                    match.detail + ": there is nothing to apply: resolve the exception with a reason");
    }
    if (match.outcome != MatchOutcome::applied) {
        return fail(ErrorCode::conflict,
                    "the line (" + show(*line) + ") cannot be applied to " + name + ": " + match.detail);
    }
    const bool is_paid = line->confirmation.kind == ConfirmationKind::paid;
    if (is_paid && payment->void_transmitted) {
        const auto draw = *draw_of(ledger, payment_id);
        if (const auto last = last_payments(ledger, {draw})[draw];
            last.payment_id != payment_id || last.ordered_after) {
            return fail(ErrorCode::conflict,
                        "draw " + std::to_string(draw) +
                            " is paid again, so its first check cannot count as paid too: void the file of the new "
                            "payment before it is released ('drawbridge void NAME --reason …'), or stop its check; "
                            "money that went out "
                            "twice must be recovered through the bank");
        }
    }
    if (!is_paid) {
        if (auto left = check_leaves_releaser(ledger, {*draw_of(ledger, payment_id)}, stamp, may_resolve("confirm"));
            !left)
            return std::unexpected(left.error());
    }
    NewSettlement settlement{.payment_id = payment_id, .kind = line->confirmation.kind, .source = "person"};
    settlement.line_id = line->line_id;
    settlement.exception_id = what.exception_id;
    settlement.confirmed_on = line->confirmation.date;
    settlement.amount = line->confirmation.amount;
    settlement.because = "matched to " + line->file + " line " + std::to_string(line->confirmation.line) +
                         " by a person: " + std::string(what.reason);
    auto closed =
        close_exception(ledger, what.exception_id, "matched to " + name + ": " + std::string(what.reason), stamp);
    if (!closed) return closed;
    const std::string subject = closed->what.subject;
    apply_return_effects(ledger, match, line->line_id, subject, stamp);
    settle(ledger, settlement, stamp);
    if (!is_paid) raise_came_back(ledger, match, line->line_id, subject, stamp);
    return closed;
}

}  // namespace drawbridge::ledger
