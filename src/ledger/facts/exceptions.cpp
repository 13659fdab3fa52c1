#include "drawbridge/ledger/facts/exceptions.hpp"

#include <algorithm>

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/domain/assert.hpp"
#include "drawbridge/domain/exception_catalog.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/payment_voids.hpp"
#include "drawbridge/ledger/facts/restorations.hpp"
#include "facts/add_exception.hpp"
#include "facts/bank_reports.hpp"
#include "facts/pause_causes.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

constexpr std::string_view greatest_exception = "SELECT max(exception_id) FROM exception";

#define EXCEPTION_COLUMNS                                                                                      \
    "exception_id, opened_at, step, reason_code, draw_id, payment_id, subject, detail, closed_at, closed_by, " \
    "closed_reason"

std::string subject_of(std::int64_t exception_id, const ExceptionDetails& what) {
    std::string subject = "exception " + std::to_string(exception_id);
    if (what.draw_id) subject += ", draw " + std::to_string(*what.draw_id);
    return subject;
}

void close_row(Ledger& ledger, const ExceptionRow& row, std::string_view reason, const Stamp& stamp) {
    Query(ledger,
          R"sql(
        UPDATE exception
        SET closed_at = ?, closed_by = ?, closed_reason = ?, closed_after_run_id = (SELECT run_id FROM newest_run)
        WHERE exception_id = ?)sql",
          stamp.at, stamp.actor, reason, row.exception_id)
        .run();
    audit(ledger, stamp, "exception.closed", subject_of(row.exception_id, row.what),
          row.what.reason_code + ": " + std::string(reason));
}

// The draws that may be paid, or paid again, once this exception is closed. It has some if it is one of the pay step,
// about a payee that the bank stopped, about a bank line that stops the draw or the payment's file before it is with
// the bank, or about an acknowledgment that stops a whole file.
std::vector<DrawId> lifted_by_closing(Ledger& ledger, const ExceptionRow& row) {
    if (row.what.draw_id && (row.what.step == "pay" || row.what.reason_code == disbursement::reason::case_stopped)) {
        return {*row.what.draw_id};
    }
    Query query(ledger,
                R"sql(
        SELECT e.draw_id
        FROM exception e
        JOIN line_exception c ON c.exception_id = e.exception_id
        JOIN confirmation_line l ON l.line_id = c.line_id
        WHERE e.exception_id = ?1 AND e.draw_id IS NOT NULL AND (EXISTS (SELECT 1 FROM payment p
            JOIN payment_file f ON f.file_id = p.file_id
            WHERE p.payment_id = e.payment_id AND f.voided_at IS NULL AND (f.released_at IS NULL OR EXISTS (
                SELECT 1 FROM file_delivery d WHERE d.file_id = f.file_id AND d.by_sftp = 1
                    AND d.delivered_at IS NULL))) OR )sql" MAY_BE_PAID
                R"sql()
        UNION
        SELECT p.draw_id
        FROM exception e
        JOIN line_exception c ON c.exception_id = e.exception_id
        JOIN confirmation_line l ON l.line_id = c.line_id
        JOIN line_candidate k ON k.line_id = l.line_id
        JOIN payment p ON p.payment_id = k.payment_id
        WHERE e.exception_id = ?1 AND )sql" MAY_BE_PAID R"sql(
        UNION
        SELECT t.draw_id
        FROM exception e
        CROSS JOIN payment_file f ON f.name = e.subject
        CROSS JOIN file_draw t ON t.file_id = f.file_id
        WHERE e.exception_id = ?1 AND (e.reason_code = 'acknowledgment_unsent'
            -- The order to refuse a check lets its draw be paid again.
            OR (e.reason_code = 'acknowledgment_differs' AND f.kind = 'check_orders'))
        ORDER BY 1)sql",
                row.exception_id);
    return query.records<DrawId>();
}

// Closes every open exception that `sql` finds by `keys`. Reads all rows before it changes the first.
template <class... Keys>
int close_found(Ledger& ledger, std::string_view reason, const Stamp& stamp, std::string_view sql,
                const Keys&... keys) {
    assert_in_transaction(ledger);
    std::vector<ExceptionRow> open;
    {
        Query query(ledger, sql, keys...);
        open = query.records<ExceptionRow>();
    }
    for (const auto& row : open)
        close_row(ledger, row, reason, stamp);
    return static_cast<int>(open.size());
}

}  // namespace

bool raise_exception(Ledger& ledger, const ExceptionDetails& what, const Stamp& stamp) {
    return add_exception(ledger, what, stamp).has_value();
}

std::optional<std::int64_t> add_exception(Ledger& ledger, const ExceptionDetails& what, const Stamp& stamp) {
    assert_in_transaction(ledger);
    DRAWBRIDGE_ASSERT(find_exception_kind(what.reason_code, what.step) != nullptr,
                      "the exception catalog has the reason code " + what.reason_code + " in step " + what.step);
    const auto exception_id = new_row(ledger, greatest_exception);
    const int added = Query(ledger,
                            R"sql(
        INSERT INTO exception (exception_id, opened_at, step, reason_code, draw_id, payment_id, subject, detail)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT DO NOTHING)sql",
                            exception_id, stamp.at, what.step, what.reason_code, what.draw_id, what.payment_id,
                            what.subject, what.detail)
                          .run_counted();
    if (added == 0) {
        forget_new_row(ledger, greatest_exception);
        return std::nullopt;
    }
    audit(ledger, stamp, "exception.opened", subject_of(exception_id, what), what.reason_code + ": " + what.detail);
    return exception_id;
}

std::vector<ExceptionRow> open_exceptions_of_step(Ledger& ledger, DrawId draw_id, std::string_view step) {
    Query query(ledger,
                "SELECT " EXCEPTION_COLUMNS " FROM exception WHERE draw_id = ? AND step = ? AND closed_at IS NULL",
                draw_id, step);
    return query.records<ExceptionRow>();
}

int close_exceptions(Ledger& ledger, DrawId draw_id, std::string_view step, const std::vector<std::string>& still_true,
                     std::string_view reason, const Stamp& stamp) {
    assert_in_transaction(ledger);
    const auto open = open_exceptions_of_step(ledger, draw_id, step);
    int closed = 0;
    for (const auto& row : open) {
        if (std::ranges::find(still_true, row.what.reason_code) != still_true.end()) continue;
        const auto* kind = find_exception_kind(row.what.reason_code, row.what.step);
        if (kind != nullptr && kind->lasts) continue;
        close_row(ledger, row, reason, stamp);
        ++closed;
    }
    return closed;
}

int close_exceptions_of_reason(Ledger& ledger, DrawId draw_id, std::string_view reason_code, std::string_view reason,
                               const Stamp& stamp) {
    assert_in_transaction(ledger);
    int closed = 0;
    for (const auto& row : exceptions_of_draw(ledger, draw_id)) {
        if (row.closed_at || row.what.reason_code != reason_code) continue;
        close_row(ledger, row, reason, stamp);
        ++closed;
    }
    return closed;
}

int close_exceptions_of_payment(Ledger& ledger, std::int64_t payment_id, std::string_view reason_code,
                                std::string_view reason, const Stamp& stamp) {
    assert_in_transaction(ledger);
    std::vector<ExceptionRow> open;
    {
        Query query(ledger,
                    "SELECT " EXCEPTION_COLUMNS
                    " FROM exception WHERE payment_id = ? AND reason_code = ? AND closed_at IS NULL",
                    payment_id, reason_code);
        open = query.records<ExceptionRow>();
    }
    for (const auto& row : open)
        close_row(ledger, row, reason, stamp);
    return static_cast<int>(open.size());
}

int close_exceptions_of_payments(Ledger& ledger, std::int64_t file_id, std::string_view reason, const Stamp& stamp) {
    return close_found(ledger, reason, stamp,
                       "SELECT " EXCEPTION_COLUMNS
                       " FROM exception WHERE closed_at IS NULL AND draw_id IS NOT NULL AND payment_id IN "
                       "(SELECT payment_id FROM payment WHERE file_id = ?)",
                       file_id);
}

int close_exceptions_of_subject(Ledger& ledger, std::string_view subject, std::string_view reason, const Stamp& stamp) {
    return close_found(ledger, reason, stamp,
                       "SELECT " EXCEPTION_COLUMNS
                       " FROM exception WHERE subject <> '' AND subject = ? AND closed_at IS NULL AND "
                       "reason_code NOT IN " PAUSE_CAUSES,
                       subject);
}

int close_exceptions_of_subject(Ledger& ledger, std::string_view subject, std::string_view reason_code,
                                std::string_view reason, const Stamp& stamp) {
    return close_found(ledger, reason, stamp,
                       "SELECT " EXCEPTION_COLUMNS
                       " FROM exception WHERE subject <> '' AND subject = ? AND closed_at IS NULL AND "
                       "reason_code = ?",
                       subject, reason_code);
}

bool had_exception(Ledger& ledger, std::string_view subject, std::string_view reason_code) {
    Query query(ledger, "SELECT 1 FROM exception WHERE subject = ? AND subject <> '' AND reason_code = ? LIMIT 1",
                subject, reason_code);
    return query.next();
}

bool has_open_exception(Ledger& ledger, std::string_view subject, std::string_view reason_code) {
    Query query(ledger,
                "SELECT 1 FROM exception WHERE subject <> '' AND subject = ? AND closed_at IS NULL AND reason_code = ?",
                subject, reason_code);
    return query.next();
}

// From whom a lost act took something does not say that it need not hold any more. By name: the lost branch of the
// ledger may have given the number to another person.
Result<void> check_not_about(Ledger& ledger, const ExceptionRow& acts_lost, const Stamp& stamp) {
    const auto person_id = stamp.uid ? person_of(ledger, *stamp.uid) : std::nullopt;
    if (!person_id || !acts_lost.what.subject.ends_with(": " + find_person(ledger, *person_id)->name)) return {};
    return fail(ErrorCode::conflict, "exception " + std::to_string(acts_lost.exception_id) +
                                         " lists acts that locked you or took a role, uid or passkey from you: "
                                         "another person must resolve it");
}

Result<ExceptionRow> close_exception(Ledger& ledger, std::int64_t exception_id, std::string_view reason,
                                     const Stamp& stamp) {
    assert_in_transaction(ledger);
    auto found = find_exception(ledger, exception_id);
    if (!found) {
        return fail(ErrorCode::not_found, "there is no exception " + std::to_string(exception_id) +
                                              ": 'drawbridge exceptions' lists the open ones");
    }
    if (found->closed_at) {
        return fail(ErrorCode::conflict, "exception " + std::to_string(exception_id) + " was closed by " +
                                             found->closed_by + " at " + format_instant(*found->closed_at));
    }
    if (found->what.reason_code == "acts_lost") {
        if (auto other = check_not_about(ledger, *found, stamp); !other) return std::unexpected(other.error());
    }
    if (auto may = check_may_close_cause(ledger, *found, stamp); !may) return std::unexpected(may.error());
    if (const auto draws = lifted_by_closing(ledger, *found); !draws.empty()) {
        if (auto left = check_leaves_releaser(ledger, draws, stamp, may_resolve(found->what.step)); !left)
            return std::unexpected(left.error());
        // A stopped case or payee: every draw that it holds.
        const bool is_stop = found->what.reason_code == disbursement::reason::case_stopped;
        for (const auto draw : draws) {
            record_maker_act(ledger, MakerAct::lifted,
                             {.draw = draw, .payment = is_stop ? found->what.payment_id : std::nullopt}, stamp);
        }
    }
    close_row(ledger, *found, reason, stamp);
    // Resolving what a guard holds is the order to pay the draw anyway, in exactly these circumstances.
    if (found->what.step == "pay" && found->what.draw_id && disbursement::may_be_lifted(found->what.reason_code)) {
        Query(ledger,
              R"sql(
            INSERT INTO guard_override (exception_id, draw_id, reason_code, detail, by, at, reason, payments_until)
            SELECT ?, ?, ?, ?, ?, ?, ?, coalesce(max(payment_id), 0)
            FROM payment)sql",
              exception_id, *found->what.draw_id, found->what.reason_code, found->what.detail, stamp.actor, stamp.at,
              reason)
            .run();
        audit(ledger, stamp, "guard.overridden", subject_of(exception_id, found->what),
              found->what.reason_code + ": " + std::string(reason));
    }
    if (found->what.draw_id && found->what.reason_code == disbursement::reason::payment_voided) {
        lift_void_hold(ledger, *found->what.draw_id, stamp);
    }
    if (found->what.draw_id) lift_restored_hold(ledger, *found->what.draw_id, found->what.reason_code, reason, stamp);
    found->closed_at = stamp.at;
    found->closed_by = stamp.actor;
    found->closed_reason = reason;
    return *found;
}

std::optional<ExceptionRow> open_exception_of_payments(Ledger& ledger, std::int64_t file_id, std::string_view step) {
    Query query(ledger,
                "SELECT " EXCEPTION_COLUMNS
                " FROM exception WHERE closed_at IS NULL AND draw_id IS NOT NULL AND payment_id IN "
                "(SELECT payment_id FROM payment WHERE file_id = ?) AND step = ? ORDER BY exception_id LIMIT 1",
                file_id, step);
    return query.first<ExceptionRow>();
}

std::optional<ExceptionRow> find_exception(Ledger& ledger, std::int64_t exception_id) {
    Query query(ledger, "SELECT " EXCEPTION_COLUMNS " FROM exception WHERE exception_id = ?", exception_id);
    return query.first<ExceptionRow>();
}

std::vector<ExceptionRow> open_exceptions(Ledger& ledger) {
    Query query(ledger,
                "SELECT " EXCEPTION_COLUMNS " FROM exception WHERE closed_at IS NULL ORDER BY opened_at, exception_id");
    return query.records<ExceptionRow>();
}

std::vector<ExceptionRow> open_exceptions_after(Ledger& ledger, std::int64_t exception_id, int limit) {
    Query query(ledger,
                "SELECT " EXCEPTION_COLUMNS
                " FROM exception WHERE exception_id > ? AND closed_at IS NULL ORDER BY exception_id LIMIT ?",
                exception_id, limit);
    return query.records<ExceptionRow>();
}

// The row before need not be open any more.
std::vector<ExceptionRow> list_open_exceptions(Ledger& ledger, const ExceptionFilter& filter) {
    Query query(ledger,
                "SELECT " EXCEPTION_COLUMNS
                " FROM exception WHERE closed_at IS NULL AND (?1 = '' OR reason_code = ?1) AND (?2 = '' OR step = ?2) "
                "AND (opened_at, exception_id) > "
                "(coalesce((SELECT b.opened_at FROM exception b WHERE b.exception_id = ?3), -1), ?3) "
                "ORDER BY opened_at, exception_id LIMIT ?4",
                filter.reason_code, filter.step, filter.after, filter.limit);
    return query.records<ExceptionRow>();
}

std::vector<ExceptionRow> list_closed_exceptions(Ledger& ledger, const ExceptionFilter& filter) {
    Query query(ledger,
                "SELECT " EXCEPTION_COLUMNS
                " FROM exception WHERE closed_at IS NOT NULL AND (?1 = '' OR reason_code = ?1) "
                "AND (?2 = '' OR step = ?2) AND exception_id < ?3 AND closed_at >= ?5 AND closed_at < ?6 "
                "ORDER BY exception_id DESC LIMIT ?4",
                filter.reason_code, filter.step, newest_before(filter.after), filter.limit,
                filter.closed_from.value_or(Instant::min()), filter.closed_before.value_or(Instant::max()));
    return query.records<ExceptionRow>();
}

std::optional<Money> amount_of_exception(Ledger& ledger, const ExceptionRow& row) {
    Query query(ledger,
                R"sql(
        SELECT coalesce((SELECT p.amount_cents FROM payment p WHERE p.payment_id = ?1), (SELECT l.amount_cents
            FROM line_exception c JOIN confirmation_line l ON l.line_id = c.line_id WHERE c.exception_id = ?2
            ORDER BY l.line_id LIMIT 1), (SELECT coalesce(r.amount_approved_cents, r.amount_requested_cents)
            FROM draw d JOIN draw_reading r ON r.reading_id = d.reading_id WHERE d.draw_id = ?3)))sql",
                row.what.payment_id, row.exception_id, row.what.draw_id);
    return query.only<std::optional<Money>>();
}

std::int64_t count_exceptions(Ledger& ledger, bool open, const ExceptionFilter& filter) {
    Query query(ledger,
                R"sql(
        SELECT count(*)
        FROM exception
        WHERE CASE WHEN closed_at IS NULL THEN 1 ELSE 0 END = ?3 AND (?1 = '' OR reason_code = ?1)
          AND (?2 = '' OR step = ?2) AND (closed_at IS NULL OR (closed_at >= ?4 AND closed_at < ?5)))sql",
                filter.reason_code, filter.step, open ? 1 : 0, filter.closed_from.value_or(Instant::min()),
                filter.closed_before.value_or(Instant::max()));
    return query.only<std::int64_t>();
}

std::vector<ExceptionRow> exceptions_of_draw(Ledger& ledger, DrawId id) {
    Query query(ledger, "SELECT " EXCEPTION_COLUMNS " FROM exception WHERE draw_id = ? ORDER BY exception_id", id);
    return query.records<ExceptionRow>();
}

bool is_resolved_by_person(Ledger& ledger, DrawId id, std::string_view reason_code, std::string_view detail) {
    Query query(ledger,
                R"sql(
        SELECT 1
        FROM exception e
        WHERE e.draw_id = ? AND e.reason_code = ? AND e.detail = ? AND e.closed_at IS NOT NULL
            AND e.closed_by <> 'drawbridge'
            AND NOT EXISTS (SELECT 1 FROM resolution_undo u WHERE u.exception_id = e.exception_id))sql",
                id, reason_code, detail);
    return query.next();
}

std::vector<DrawId> draws_with_open_exceptions(Ledger& ledger, DrawId first, DrawId last) {
    Query query(ledger, "SELECT DISTINCT draw_id FROM exception WHERE closed_at IS NULL AND draw_id BETWEEN ? AND ?",
                first, last);
    return query.records<DrawId>();
}

std::int64_t count_open_exceptions(Ledger& ledger) {
    Query query(ledger, "SELECT count(*) FROM exception WHERE closed_at IS NULL");
    return query.only<std::int64_t>();
}

}  // namespace drawbridge::ledger
