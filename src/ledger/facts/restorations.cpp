#include "drawbridge/ledger/facts/restorations.hpp"

#include <array>
#include <fstream>
#include <iterator>

#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/release_orders.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/store/traces.hpp"
#include "facts/export_row.hpp"
#include "facts/payment_row.hpp"
#include "store/connection.hpp"
#include "store/high_water_mark.hpp"

namespace drawbridge::ledger {

static void from_column(std::string_view text, RestoredHow& how) {
    if (text == "restored") {
        how = RestoredHow::restored;
    } else {
        how = text == "older" ? RestoredHow::older : RestoredHow::copied;
    }
}

namespace {

constexpr std::array<std::string_view, 3> how_names = {"restored", "older", "copied"};

std::string detail_for_people(RestoredHow how, std::string_view detail) {
    const std::string_view head = how == RestoredHow::restored ? "the ledger was restored: "
                                  : how == RestoredHow::older  ? "the ledger is an older copy: "
                                                               : "the ledger may not be the one used last: ";
    return std::string(head) + std::string(detail) +
           ": files that it does not know may have gone to the bank. Nothing is approved, planned or released until it "
           "is compared with the service and the files sent (the daemon does that after its next full sweep), and a "
           "person runs 'drawbridge resume --reason …'";
}

// Closes every open exception with this reason code, for the person's reason.
int close_all_of_reason(Ledger& ledger, std::string_view reason_code, std::string_view reason, const Stamp& stamp) {
    std::vector<std::int64_t> ids;
    for (const auto& row : open_exceptions(ledger)) {
        if (row.what.reason_code == reason_code) ids.push_back(row.exception_id);
    }
    for (const auto id : ids)
        static_cast<void>(close_exception(ledger, id, reason, stamp));
    return static_cast<int>(ids.size());
}

void end_restoration(Ledger& ledger, const Restoration& restoration, std::string_view reason, const Stamp& stamp) {
    Query(ledger,
          R"sql(
        UPDATE restoration
        SET resolved_at = ?, resolved_by = ?, resolved_reason = ?,
            resolved_reading = (SELECT coalesce(max(reading_id), 0) FROM reading)
        WHERE restoration_id = ?)sql",
          stamp.at, stamp.actor, reason, restoration.restoration_id)
        .run();
}

}  // namespace

std::string_view to_string(RestoredHow how) {
    return how_names[static_cast<std::size_t>(how)];
}

#define RESTORATION_COLUMNS                                                                               \
    "SELECT restoration_id, at, by, how, detail, newest_reading, compared_at, complete, summary, "        \
    "(SELECT count(*) FROM restored_hold h WHERE h.lifted_at IS NULL) "                                   \
    "+ (SELECT count(*) FROM exception e WHERE e.closed_at IS NULL AND e.reason_code = 'possibly_paid') " \
    "FROM restoration "

std::optional<Restoration> open_restoration(Ledger& ledger) {
    Query query(ledger, RESTORATION_COLUMNS "WHERE resolved_at IS NULL");
    return query.first<Restoration>();
}

void begin_restoration(Ledger& ledger, RestoredHow how, std::string_view detail, const Stamp& stamp) {
    assert_in_transaction(ledger);
    if (const auto open = open_restoration(ledger)) {
        if (!open->compared_at) return;
        // That comparison does not cover what went out since, so it is repeated. Draws on hold stay on hold.
        end_restoration(ledger, *open, "the ledger was restored or rolled back again", stamp);
    }
    const auto name = to_string(how);
    const std::string text = detail_for_people(how, detail);
    if (!is_paused(ledger)) set_paused(ledger, /*paused=*/true, text, stamp);
    Query(ledger,
          R"sql(
        INSERT INTO restoration (at, by, how, detail, newest_reading, newest_file, newest_exception)
        SELECT ?, ?, ?, ?, coalesce(max(reading_id), 0), (SELECT coalesce(max(file_id), 0) FROM payment_file),
            (SELECT coalesce(max(exception_id), 0) FROM exception)
        FROM reading)sql",
          stamp.at, stamp.actor, name, detail)
        .run();
    audit(ledger, stamp, "ledger." + std::string(name), "ledger", detail);
    raise_exception(ledger, {"pay", "ledger_is_older", std::nullopt, std::nullopt, "ledger.mark", text}, stamp);
}

std::optional<HighWaterMark> read_high_water_mark(const Ledger& ledger) {
    std::ifstream in(ledger.connection().state_dir / ledger_mark, std::ios::binary);
    if (!in) return std::nullopt;
    auto mark = parse_high_water_mark(std::string(std::istreambuf_iterator<char>(in), {}));
    if (!mark) return std::nullopt;
    return *std::move(mark);
}

bool knows_incomplete(Ledger& ledger, Instant compared_at) {
    Query query(ledger, "SELECT 1 FROM restoration WHERE complete = 0 AND compared_at = ?", compared_at);
    return query.next();
}

std::optional<Instant> last_incomplete_restore(Ledger& ledger) {
    Query query(ledger, "SELECT max(at) FROM restoration WHERE complete = 0 AND nothing_else_at IS NULL");
    return query.only<std::optional<Instant>>();
}

std::int64_t last_export_no(Ledger& ledger) {
    return last_export(ledger).export_no;
}

bool record_sent_file(Ledger& ledger, const Restoration& restoration, const SentFile& file) {
    assert_in_transaction(ledger);
    const bool is_new = Query(ledger,
                              R"sql(
        INSERT INTO sent_file (name, restoration_id, export_no, creation_date, file_id_modifier, sha256,
            line_sha256, released_at, released_by, after_run_id)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT run_id FROM newest_run))
        ON CONFLICT DO NOTHING)sql",
                              file.name, restoration.restoration_id, file.export_no, file.creation_date,
                              file.file_id_modifier, file.sha256, file.line_sha256, file.released_at, file.released_by)
                            .run_counted() == 1;
    if (!is_new || file.payments.empty()) return is_new;
    const auto sent_id = Query(ledger, "SELECT max(sent_id) FROM sent_file").only<std::int64_t>();
    for (const auto& [sent, payee_key] : file.payments) {
        Query(ledger,
              R"sql(
            INSERT INTO sent_payment (sent_id, payment_id, draw_id, amount_cents, reference, payee_key)
            VALUES (?, ?, ?, ?, ?, ?))sql",
              sent_id, sent.payment_id, sent.draw_id, sent.amount, sent.reference, payee_key)
            .run();
    }
    return true;
}

bool is_sent_file(Ledger& ledger, std::string_view name, std::string_view sha256) {
    return Query(ledger, "SELECT 1 FROM sent_file WHERE name = ? AND sha256 = ? LIMIT 1", name, sha256).next();
}

std::vector<std::string> files_sent_without_manifest(Ledger& ledger, const Restoration& restoration) {
    Query query(ledger, "SELECT name FROM sent_file WHERE restoration_id = ? AND export_no IS NULL ORDER BY name",
                restoration.restoration_id);
    return query.records<std::string>();
}

void record_released_before(Ledger& ledger, const Restoration& restoration, const FileRow& file, const SentFile& sent,
                            const ReleasedBefore& release, const Stamp& stamp) {
    assert_in_transaction(ledger);
    if (file.state == FileState::planned) record_staged(ledger, file.file_id, sent.sha256, stamp);
    const int changed = Query(ledger,
                              R"sql(
        UPDATE payment_file
        SET release_ordered_at = ?, release_ordered_by = ?, release_reason = ?, released_at = ?,
            released_after_run_id = (SELECT run_id FROM newest_run)
        WHERE file_id = ? AND release_ordered_at IS NULL AND voided_at IS NULL)sql",
                              release.at, release.by, release.reason, release.at, file.file_id)
                            .run_counted();
    DRAWBRIDGE_ASSERT(changed == 1, "only a file that this ledger has not released is found released");
    end_release_order(ledger, file.file_id, ReleaseOutcome::released, release.reason, stamp);
    audit(ledger, stamp, "file.found_released", "file " + file.name, release.reason);
    transmit_check_orders(ledger, file.file_id, stamp);
    record_sent_file(ledger, restoration, sent);
}

void advance_numbers(Ledger& ledger, const reconciliation::NextNumbers& next) {
    assert_in_transaction(ledger);
    const std::pair<std::string_view, std::int64_t> ranges[] = {{"payment_id", next.payment_id},
                                                                {"trace_sequence", next.trace_sequence},
                                                                {"check_number", next.check_number},
                                                                {"batch_number", next.batch_number},
                                                                {"file_sequence", next.file_sequence}};
    for (const auto& [name, value] : ranges) {
        if (value <= 1) continue;  // the range was never used; the first check number is set elsewhere
        Query(ledger,
              R"sql(
        INSERT INTO number_range (name, next)
        VALUES (?, ?)
        ON CONFLICT (name) DO UPDATE SET next = CASE WHEN excluded.next > number_range.next THEN excluded.next
            ELSE number_range.next END)sql",
              name, value)
            .run();
    }
}

std::string possibly_paid_detail(Instant restored_at) {
    return "this ledger was restored or rolled back at " + format_instant(restored_at) +
           ", and the manifests do not show everything that went out before: a file that this ledger does not know may "
           "have paid the draw. Ask the bank, and ask who approved the draw if this ledger does not know; resolve this "
           "if it was not paid, or all at once with 'drawbridge resume "
           "--nothing-else-sent --reason …'";
}

// A manifest shows that the draw was paid.
static std::optional<PaymentHold> live_hold(Ledger& ledger, DrawId id) {
    Query query(ledger, "SELECT reason_code, detail FROM restored_hold WHERE draw_id = ? AND lifted_at IS NULL", id);
    return query.first<PaymentHold>();
}

std::optional<PaymentHold> restored_hold(Ledger& ledger, DrawId id) {
    if (auto hold = live_hold(ledger, id)) return hold;
    Query possibly(ledger,
                   R"sql(
        SELECT r.at
        FROM possibly_paid_draw s
        JOIN restoration r ON r.restoration_id = s.restoration_id
        WHERE s.draw_id = ? AND s.nothing_else_at IS NULL
        ORDER BY s.restoration_id DESC
        LIMIT 1)sql",
                   id);
    const auto restored_at = possibly.first<Instant>();
    if (!restored_at) return std::nullopt;
    return PaymentHold{std::string(possibly_paid), possibly_paid_detail(*restored_at)};
}

static int lift_paid_after_backup(Ledger& ledger, DrawId id, std::string_view reason, const Stamp& stamp) {
    return Query(ledger,
                 R"sql(
        UPDATE restored_hold
        SET lifted_at = ?, lifted_by = ?, lifted_reason = ?
        WHERE draw_id = ? AND lifted_at IS NULL)sql",
                 stamp.at, stamp.actor, reason, id)
        .run_counted();
}

void hold_paid_after_backup(Ledger& ledger, const Restoration& restoration, DrawId id, const std::string& detail,
                            const Stamp& stamp) {
    assert_in_transaction(ledger);
    std::string text = detail;
    // Whoever resolved the exception of the earlier restoration would not know of the files found now.
    if (const auto earlier = live_hold(ledger, id)) {
        constexpr std::string_view reason = "replaced by an exception that also names the files found since";
        lift_paid_after_backup(ledger, id, reason, stamp);
        close_exceptions_of_reason(ledger, id, paid_after_backup, reason, stamp);
        text += ". The same goes for what an earlier restore found: " + earlier->detail;
    }
    Query(ledger, "INSERT INTO restored_hold (restoration_id, draw_id, reason_code, detail) VALUES (?, ?, ?, ?)",
          restoration.restoration_id, id, paid_after_backup, text)
        .run();
    raise_exception(ledger, {"pay", std::string(paid_after_backup), id, std::nullopt, "", text}, stamp);
}

// For every restoration so far.
static int lift_possibly_paid(Ledger& ledger, DrawId id, std::string_view reason, const Stamp& stamp) {
    return Query(ledger,
                 R"sql(
        INSERT INTO restored_hold (restoration_id, draw_id, reason_code, detail, lifted_at, lifted_by, lifted_reason)
        SELECT max(restoration_id), draw_id, 'possibly_paid', '', ?, ?, ?
        FROM possibly_paid_draw
        WHERE draw_id = ? AND nothing_else_at IS NULL
        GROUP BY draw_id)sql",
                 stamp.at, stamp.actor, reason, id)
        .run_counted();
}

bool lift_restored_hold(Ledger& ledger, DrawId id, std::string_view reason_code, std::string_view reason,
                        const Stamp& stamp) {
    assert_in_transaction(ledger);
    int lifted = 0;
    if (reason_code == paid_after_backup) lifted = lift_paid_after_backup(ledger, id, reason, stamp);
    if (reason_code == possibly_paid) lifted = lift_possibly_paid(ledger, id, reason, stamp);
    if (lifted == 0) return false;
    audit(ledger, stamp, "hold.lifted", "draw " + std::to_string(id),
          std::string(reason_code) + ": " + std::string(reason));
    return true;
}

std::vector<ChangedUnseen> changed_unseen(Ledger& ledger, const Restoration& restoration) {
    // By the order of the readings: the clocks of this machine and of the service may be wrong. A ledger without any
    // reading does not know what was disbursed long ago. An approval does not count once the service has shown the draw
    // as not approved since: it was undone, or it was one of several.
    Query query(ledger,
                R"sql(
        SELECT d.draw_id, d.status
        FROM draw d
        WHERE (d.status = 4 OR (d.status = 5 AND ?1 > 0)) AND d.reading_id > ?1
            AND coalesce((SELECT b.status FROM reading b WHERE b.draw_id = d.draw_id AND b.reading_id <= ?1
                ORDER BY b.reading_id DESC LIMIT 1), 0) < 4
            AND NOT EXISTS (SELECT 1 FROM payment p WHERE p.draw_id = d.draw_id AND p.ended_at IS NULL)
            AND NOT EXISTS (SELECT 1 FROM approval_item i JOIN draw_decision c ON c.decision_id = i.decision_id
                WHERE i.draw_id = d.draw_id AND i.outcome = 'approved' AND NOT EXISTS (SELECT 1 FROM reading u
                    WHERE u.draw_id = d.draw_id AND u.reading_id > c.reading_id AND u.reading_id <= ?1
                        AND u.status < 4))
            AND NOT EXISTS (SELECT 1 FROM exception e WHERE e.draw_id = d.draw_id AND e.reason_code = ?2
                AND e.exception_id > (SELECT r.newest_exception FROM restoration r WHERE r.restoration_id = ?3))
        ORDER BY d.draw_id)sql",
                restoration.newest_reading, approved_after_backup, restoration.restoration_id);
    return query.records<ChangedUnseen>();
}

void record_comparison(Ledger& ledger, const Restoration& restoration, bool complete, const std::string& summary,
                       const Stamp& stamp) {
    assert_in_transaction(ledger);
    Query(ledger,
          R"sql(
        UPDATE restoration
        SET compared_at = ?, complete = ?, summary = ?
        WHERE restoration_id = ? AND compared_at IS NULL)sql",
          stamp.at, complete ? 1 : 0, summary, restoration.restoration_id)
        .run();
    audit(ledger, stamp, "ledger.compared", "ledger", summary);
}

std::vector<DrawId> draws_freed_by_resolving(Ledger& ledger, bool nothing_else_sent) {
    Query query(ledger,
                R"sql(
        SELECT draw_id
        FROM exception
        WHERE closed_at IS NULL AND draw_id IS NOT NULL AND (reason_code IN (?1, ?2)
            OR (reason_code = 'possibly_paid' AND ?3 = 1))
        UNION
        SELECT s.draw_id
        FROM possibly_paid_draw s
        WHERE ?3 = 1 AND s.nothing_else_at IS NULL AND s.status = 4 AND NOT EXISTS (SELECT 1 FROM payment p
            WHERE p.draw_id = s.draw_id AND p.ended_at IS NULL))sql",
                approved_after_backup, disbursed_after_backup, nothing_else_sent ? 1 : 0);
    return query.records<DrawId>();
}

Result<void> resolve_restoration(Ledger& ledger, bool nothing_else_sent, std::string_view reason, const Stamp& stamp) {
    assert_in_transaction(ledger);
    const auto restoration = open_restoration(ledger);
    if (!restoration) return fail(ErrorCode::conflict, "no restoration of this ledger is open");
    if (!restoration->compared_at) {
        return fail(ErrorCode::conflict,
                    "the ledger was restored or rolled back at " + format_instant(restoration->at) +
                        " and is not yet compared with the service and the files sent: wait for the next full "
                        "sweep of the running daemon, or run 'drawbridge run --once'");
    }
    end_restoration(ledger, *restoration, reason, stamp);
    audit(ledger, stamp, "ledger.settled", "ledger", reason);
    close_all_of_reason(ledger, approved_after_backup, reason, stamp);
    close_all_of_reason(ledger, disbursed_after_backup, reason, stamp);
    if (nothing_else_sent) static_cast<void>(record_nothing_else_sent(ledger, reason, stamp));
    return {};
}

bool record_nothing_else_sent(Ledger& ledger, std::string_view reason, const Stamp& stamp) {
    assert_in_transaction(ledger);
    std::optional<std::int64_t> uid;
    if (stamp.uid) uid = recorded_uid(*stamp.uid);
    const int ended = Query(ledger,
                            R"sql(
        UPDATE restoration
        SET nothing_else_at = ?, nothing_else_by = ?, nothing_else_uid = ?
        WHERE complete = 0 AND nothing_else_at IS NULL AND resolved_at IS NOT NULL)sql",
                            stamp.at, stamp.actor, uid)
                          .run_counted();
    if (ended == 0) return false;
    audit(ledger, stamp, "ledger.nothing_else_sent", "ledger", reason);
    close_all_of_reason(ledger, possibly_paid, reason, stamp);
    return true;
}

std::optional<Restoration> may_have_left_before(Ledger& ledger, FileId file_id) {
    Query query(ledger,
                RESTORATION_COLUMNS
                "WHERE newest_file >= ? AND coalesce(complete, 0) = 0 ORDER BY restoration_id LIMIT 1",
                file_id);
    return query.first<Restoration>();
}

}  // namespace drawbridge::ledger
