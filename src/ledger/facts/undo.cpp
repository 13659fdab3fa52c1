#include <algorithm>

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/ledger/facts/confirmations.hpp"
#include "drawbridge/ledger/facts/resolutions.hpp"
#include "drawbridge/ledger/facts/restorations.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "facts/settle.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

// Why something cannot be undone any more, and what to do instead.
using Obstacle = std::optional<std::string>;

struct Matched {
    std::int64_t settlement_id = 0;
    std::int64_t payment_id = 0;
    DrawId draw_id = 0;
    std::int64_t line_id = 0;
    std::string kind;
    Instant recorded_at;
};

std::optional<Matched> matched_by(Ledger& ledger, std::int64_t exception_id) {
    Query query(ledger,
                R"sql(
        SELECT s.settlement_id, s.payment_id, p.draw_id, s.line_id, s.kind, s.recorded_at
        FROM settlement s
        JOIN payment p ON p.payment_id = s.payment_id
        WHERE s.exception_id = ? AND s.undone_at IS NULL)sql",
                exception_id);
    return query.first<Matched>();
}

std::string payment_name(const Matched& matched) {
    return "payment " + disbursement::format_payment_id(matched.payment_id);
}

// The bank reported the same for the payment in another file; undoing the match would lose that.
Obstacle is_reported_again(Ledger& ledger, const Matched& matched) {
    Query query(ledger,
                R"sql(
        SELECT f.name, l.line
        FROM confirmation_line l
        JOIN confirmation_file f ON f.confirmation_file_id = l.confirmation_file_id
        WHERE l.payment_id = ? AND l.kind = ? AND l.outcome = 'duplicate'
        ORDER BY l.line_id
        LIMIT 1)sql",
                matched.payment_id, matched.kind);
    if (!query.next()) return std::nullopt;
    const auto [file, line] = query.row<std::string, std::int64_t>();
    return "the bank reports the same for " + payment_name(matched) + " in " + file + " line " + std::to_string(line) +
           ": the match stands: check the matched line, and tell the bank if it "
           "refers to another payment";
}

Obstacle against_undoing_paid(Ledger& ledger, const Matched& matched) {
    const std::string draw = "draw " + std::to_string(matched.draw_id);
    {
        Query query(ledger, "SELECT outcome_at FROM outbox WHERE draw_id = ? AND withdrawn_at IS NULL",
                    matched.draw_id);
        if (query.next()) {
            const auto sent_at = query.record<std::optional<Instant>>();
            const std::string what =
                sent_at ? "was sent to the service at " + format_instant(*sent_at) : "is being sent to the service";
            return "disbursedDate of " + draw + " " + what + ", and a draw has one date: if " + payment_name(matched) +
                   " did not arrive, have the bank return it or void the check (its line is then applied, and the draw "
                   "can be paid again); have the date corrected in the portal";
        }
    }
    Query came_back(ledger, "SELECT kind FROM payment_settlement WHERE payment_id = ? AND kind <> 'paid'",
                    matched.payment_id);
    const auto kind = came_back.first<std::string>();
    if (!kind) return std::nullopt;
    return payment_name(matched) + " came back since (" + *kind + "): nothing is left to undo";
}

Obstacle against_undoing_return(Ledger& ledger, const Matched& matched) {
    Query query(ledger, "SELECT ordered_by FROM reissue_order WHERE payment_id = ?", matched.payment_id);
    const auto by = query.first<std::string>();
    if (!by) return std::nullopt;
    return "draw " + std::to_string(matched.draw_id) + " is paid again by order of " + *by +
           ": void the file of the new payment before it is released ('drawbridge void NAME --reason …'), or stop its "
           "check; a payment "
           "that went out twice must be recovered through the bank";
}

// A text that the portal already shows cannot be undone.
void raise_if_written_back(Ledger& ledger, const Matched& matched, const Stamp& stamp) {
    struct Written {
        std::string field, value;
    };
    std::vector<Written> written;
    {
        Query query(ledger,
                    R"sql(
            SELECT f.field, f.value
            FROM write_back w
            JOIN write_back_field f ON f.write_back_id = w.write_back_id
            WHERE w.draw_id = ? AND w.settlement_id = ? AND f.outcome IS NOT NULL
                AND f.outcome IN ('written', 'already_there'))sql",
                    matched.draw_id, matched.settlement_id);
        written = query.records<Written>();
    }
    for (const auto& [field, value] : written) {
        raise_exception(ledger,
                        {"report", "write_back_untrue", matched.draw_id, matched.payment_id, field,
                         field + " of the draw says '" + value +
                             "', which was undone: correct it in the portal, then "
                             "resolve the exception"},
                        stamp);
    }
}

// Closes the exceptions about that line that are still open.
void close_consequences(Ledger& ledger, const Matched& matched, const std::string& reason, const Stamp& stamp) {
    std::vector<std::int64_t> open;
    {
        Query query(ledger,
                    R"sql(
            SELECT e.exception_id
            FROM line_exception c
            JOIN exception e ON e.exception_id = c.exception_id
            WHERE c.line_id = ? AND e.closed_at IS NULL)sql",
                    matched.line_id);
        open = query.records<std::int64_t>();
    }
    for (const auto id : open) {
        const auto closed = close_exception(ledger, id, reason, stamp);
        DRAWBRIDGE_ASSERT(closed.has_value(), "an open exception can be closed");
    }
}

// Nothing says any more that the check was paid, and our order to void or stop it went out.
void end_by_order(Ledger& ledger, const Matched& matched, const Stamp& stamp) {
    end(ledger, matched.payment_id, stamp);
    const auto action =
        Query(ledger, "SELECT action FROM check_order WHERE payment_id = ? AND transmitted_at IS NOT NULL",
              matched.payment_id)
            .only<std::string>();
    raise_exception(ledger,
                    {"pay", action == "stop" ? "check_stopped" : "check_voided", matched.draw_id, matched.payment_id,
                     "", "its check no longer counts as paid: decide whether the draw is paid again"},
                    stamp);
}

// Without the return, other draws may be paid to the account that it blocked.
void record_unblocking(Ledger& ledger, const Matched& matched, const Stamp& stamp) {
    Query query(ledger, "SELECT 1 FROM payee_hold WHERE payment_id = ? AND is_return = 1", matched.payment_id);
    if (query.next())
        record_maker_act(ledger, MakerAct::lifted, {.draw = matched.draw_id, .payment = matched.payment_id}, stamp);
}

// Without the return, a debit that was dated before it and read after it says that the payment arrived.
void confirm_by_earlier_debit(Ledger& ledger, const Matched& matched, const Stamp& stamp) {
    if (Query(ledger, "SELECT 1 FROM payment_settlement WHERE payment_id = ? AND kind = 'paid'", matched.payment_id)
            .next())
        return;
    const auto debit = debit_before_return(ledger, matched.payment_id);
    if (!debit) return;
    settle(ledger,
           {.payment_id = matched.payment_id,
            .line_id = debit->line_id,
            .confirmed_on = debit->confirmed_on,
            .amount = debit->amount,
            .because = "its return was undone, and the bank had listed its debit"},
           stamp);
}

Obstacle undo_match(Ledger& ledger, const Matched& matched, const Resolution& what, const Stamp& stamp) {
    if (auto obstacle = is_reported_again(ledger, matched)) return obstacle;
    const bool is_paid = matched.kind == "paid";
    if (auto obstacle = is_paid ? against_undoing_paid(ledger, matched) : against_undoing_return(ledger, matched))
        return obstacle;
    Query(ledger, "UPDATE settlement SET undone_at = ? WHERE settlement_id = ?", stamp.at, matched.settlement_id).run();
    const bool was_ordered = is_order_transmitted(ledger, matched.payment_id);
    if (is_paid && was_ordered) end_by_order(ledger, matched, stamp);
    if (!is_paid) {
        record_unblocking(ledger, matched, stamp);
        if (!was_ordered) revive(ledger, matched.payment_id);
        confirm_by_earlier_debit(ledger, matched, stamp);
        close_consequences(
            ledger, matched,
            "exception " + std::to_string(what.exception_id) + " was undone: " + std::string(what.reason), stamp);
    }
    raise_if_written_back(ledger, matched, stamp);
    audit(ledger, stamp, "payment." + matched.kind + "_undone", payment_name(matched),
          "exception " + std::to_string(what.exception_id) + ": " + std::string(what.reason));
    return std::nullopt;
}

// A lifted guard holds the draw again, unless a payment was made because it was lifted.
Obstacle against_undoing_lift(Ledger& ledger, std::int64_t exception_id) {
    Query query(ledger,
                R"sql(
        SELECT p.payment_id
        FROM guard_override g
        JOIN payment p ON p.draw_id = g.draw_id
        JOIN payment_file f ON f.file_id = p.file_id
        WHERE g.exception_id = ? AND p.payment_id > g.payments_until AND f.voided_at IS NULL
        ORDER BY p.payment_id
        LIMIT 1)sql",
                exception_id);
    const auto payment_id = query.first<std::int64_t>();
    if (!payment_id) return std::nullopt;
    return "payment " + disbursement::format_payment_id(*payment_id) +
           " was made since: void its file before it is released ('drawbridge void NAME --reason …'), then undo this";
}

// Closing it let the draw be paid: opening it again would not put the draw back on hold.
Obstacle against_renewing_hold(Ledger& ledger, const ExceptionRow& row) {
    const std::string& reason = row.what.reason_code;
    if (!row.what.draw_id) return std::nullopt;
    const std::string words = "draw " + std::to_string(*row.what.draw_id) + " may be paid since then: ";
    if (reason == disbursement::reason::payment_voided)
        return words + "void its new payment before it is released ('drawbridge void --payment PAYMENT --reason …')";
    const bool is_of_restore = reason == approved_after_backup || reason == disbursed_after_backup;
    if (reason == paid_after_backup || reason == possibly_paid || (is_of_restore && !open_restoration(ledger)))
        return words +
               "once its payment is planned, void it before it is released ('drawbridge void --payment PAYMENT "
               "--reason …')";
    return std::nullopt;
}

Obstacle against_undoing(Ledger& ledger, const ExceptionRow& row) {
    if (row.closed_by == "drawbridge")
        return "the program closed it (" + row.closed_reason + "): it opens a new one if that no longer holds";
    if (row.what.subject == "ledger.mark")
        return "money moves again since then: 'drawbridge pause --reason …' stops it";
    if (row.what.payment_id && row.closed_reason.starts_with("to be paid again: ")) {
        Query query(ledger, "SELECT 1 FROM reissue_order WHERE payment_id = ?", *row.what.payment_id);
        if (query.next()) {
            return "an order to pay again cannot be undone: once the new payment is planned, and before it is "
                   "released, void it ('drawbridge void --payment PAYMENT --reason …'), which also holds the draw";
        }
    }
    if (auto obstacle = against_renewing_hold(ledger, row)) return obstacle;
    return against_undoing_lift(ledger, row.exception_id);
}

// Opens the same exception again under a new id, about the same line.
ExceptionRow reopen(Ledger& ledger, const ExceptionRow& row, const Stamp& stamp) {
    const auto line = line_of_exception(ledger, row.exception_id);
    std::optional<std::int64_t> id;
    if (line) {
        id = raise_about_line(ledger, row.what, line->line_id, stamp);
    } else {
        raise_exception(ledger, row.what, stamp);
        id = open_exception(ledger, row.what);
    }
    DRAWBRIDGE_ASSERT(id.has_value(), "an exception that was just raised is open");
    return *find_exception(ledger, *id);
}

}  // namespace

Result<ExceptionRow> undo_resolution(Ledger& ledger, const Resolution& what, const Stamp& stamp) {
    assert_in_transaction(ledger);
    if (auto done = check_not_recording(ledger); !done) return std::unexpected(done.error());
    const std::string name = "exception " + std::to_string(what.exception_id);
    const auto row = find_exception(ledger, what.exception_id);
    if (!row) return fail(ErrorCode::not_found, "there is no " + name);
    if (!row->closed_at) return fail(ErrorCode::conflict, name + " is open: there is nothing to undo");
    {
        Query query(ledger, "SELECT by, at FROM resolution_undo WHERE exception_id = ?", what.exception_id);
        if (query.next()) {
            const auto [by, at] = query.row<std::string, Instant>();
            return fail(ErrorCode::conflict, name + " was already undone by " + by + " at " + format_instant(at));
        }
    }
    auto obstacle = against_undoing(ledger, *row);
    const auto matched = matched_by(ledger, what.exception_id);
    if (!obstacle && matched) obstacle = undo_match(ledger, *matched, what, stamp);
    if (obstacle) return fail(ErrorCode::conflict, name + " cannot be undone: " + *obstacle);
    Query(ledger, "INSERT INTO resolution_undo (exception_id, at, by, reason) VALUES (?, ?, ?, ?)", what.exception_id,
          stamp.at, stamp.actor, what.reason)
        .run();
    audit(ledger, stamp, "exception.resolution_undone", name, row->what.reason_code + ": " + std::string(what.reason));
    auto opened = reopen(ledger, *row, stamp);
    // An exception that paused all movement when it was opened pauses it again.
    const auto causes = open_causes_of_pause(ledger);
    if (!is_paused(ledger) && std::ranges::find(causes, opened.exception_id) != causes.end())
        set_paused(ledger, /*paused=*/true, name + " was undone: " + std::string(what.reason), stamp);
    return opened;
}

}  // namespace drawbridge::ledger
