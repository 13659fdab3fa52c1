#include "drawbridge/ledger/facts/alerts.hpp"

#include "store/connection.hpp"

namespace drawbridge::ledger {
#define ALERT_COLUMNS "a.alert_id, a.kind, a.raised_at, a.title, a.text, a.items"

static void from_column(std::string_view text, AlertChannel& channel) {
    DRAWBRIDGE_ASSERT(text == "webhook" || text == "email", "the schema has two channels");
    channel = text == "webhook" ? AlertChannel::webhook : AlertChannel::email;
}

std::string_view to_string(AlertChannel channel) {
    switch (channel) {
        case AlertChannel::webhook: return "webhook";
        case AlertChannel::email: return "email";
    }
    return {};
}

std::string_view to_string(AlertSource source) {
    switch (source) {
        case AlertSource::exception: return "exception";
        case AlertSource::file: return "file";
        case AlertSource::correction: return "correction";
        case AlertSource::digest: return "digest";
        case AlertSource::confirmation: return "confirmation";
        case AlertSource::act: return "act";
    }
    return {};
}

std::string_view to_string(SendOutcome outcome) {
    switch (outcome) {
        case SendOutcome::sent: return "sent";
        case SendOutcome::refused: return "refused";
        case SendOutcome::dropped: return "dropped";
    }
    return {};
}

std::int64_t record_alert(Ledger& ledger, const NewAlert& alert, const std::vector<AlertChannel>& channels,
                          const Stamp& stamp) {
    assert_in_transaction(ledger);
    const auto alert_id = new_row(ledger, "SELECT max(alert_id) FROM alert");
    Query(ledger, "INSERT INTO alert (alert_id, kind, raised_at, title, text, items) VALUES (?, ?, ?, ?, ?, ?)",
          alert_id, alert.kind, stamp.at, alert.title, alert.text, alert.items_json)
        .run();
    for (const auto about_id : alert.about)
        Query(ledger, "INSERT INTO alert_item VALUES (?, ?, ?)", to_string(alert.source), about_id, alert_id).run();
    for (const auto channel : channels) {
        Query(ledger, "INSERT INTO alert_send (alert_id, channel) VALUES (?, ?)", alert_id, to_string(channel)).run();
    }
    return alert_id;
}

bool was_alerted(Ledger& ledger, AlertSource source, std::int64_t about_id) {
    Query query(ledger, "SELECT 1 FROM alert_item WHERE source = ? AND about_id = ?", to_string(source), about_id);
    return query.next();
}

std::optional<std::int64_t> newest_alerted(Ledger& ledger, AlertSource source) {
    Query query(ledger, "SELECT max(about_id) FROM alert_item WHERE source = ?", to_string(source));
    return query.only<std::optional<std::int64_t>>();
}

std::vector<ExceptionRow> exceptions_to_alert(Ledger& ledger, int limit) {
    return open_exceptions_after(ledger, newest_alerted(ledger, AlertSource::exception).value_or(0), limit);
}

std::vector<OpenCorrection> open_corrections(Ledger& ledger, BusinessDate from, BusinessDate until) {
    Query query(ledger,
                R"sql(
        SELECT h.hold_id, p.draw_id, h.payee_key, h.code, h.apply_by
        FROM payee_hold h
        LEFT JOIN payment p ON p.payment_id = h.payment_id
        WHERE h.apply_by BETWEEN ? AND ? AND EXISTS (SELECT 1 FROM line_exception c
            JOIN exception e ON e.exception_id = c.exception_id WHERE c.line_id = h.line_id
            AND e.reason_code = 'payee_correction' AND e.closed_at IS NULL)
        ORDER BY h.apply_by, h.hold_id)sql",
                from, until);
    return query.records<OpenCorrection>();
}

Unconfirmed unconfirmed_payments(Ledger& ledger, Instant released_before) {
    Query query(ledger,
                R"sql(
        SELECT count(*), coalesce(sum(p.amount_cents), 0)
        FROM payment p INDEXED BY payment_unfinished
        JOIN payment_file f ON f.file_id = p.file_id
        WHERE p.finished_at IS NULL AND p.ended_at IS NULL AND f.released_at < ?
            AND NOT EXISTS (SELECT 1 FROM payment_settlement s WHERE s.payment_id = p.payment_id))sql",
                released_before);
    return query.only<Unconfirmed>();
}

bool is_anything_confirmed_since(Ledger& ledger, Instant since) {
    Query query(ledger, "SELECT 1 FROM confirmation_file WHERE outcome = 'applied' AND recorded_at >= ? LIMIT 1",
                since);
    return query.next();
}

std::vector<OpenAlertSend> open_alert_sends(Ledger& ledger, AlertChannel channel, int limit) {
    Query query(ledger,
                R"sql(
        SELECT d.send_id, (SELECT count(*) FROM alert_attempt t WHERE t.send_id = d.send_id), )sql" ALERT_COLUMNS
                " FROM alert_send d JOIN alert a ON a.alert_id = d.alert_id "
                "WHERE d.channel = ? AND d.outcome IS NULL ORDER BY d.send_id LIMIT ?",
                to_string(channel), limit);
    return query.records<OpenAlertSend>();
}

void close_alert_send(Ledger& ledger, std::int64_t send_id, SendOutcome outcome, Instant at) {
    assert_in_transaction(ledger);
    Query(ledger, "UPDATE alert_send SET outcome = ?, outcome_at = ? WHERE send_id = ?", to_string(outcome), at,
          send_id)
        .run();
}

void record_failed_send(Ledger& ledger, std::int64_t send_id, std::string_view error, Instant at) {
    assert_in_transaction(ledger);
    Query(ledger, "INSERT INTO alert_attempt (send_id, at, error) VALUES (?, ?, ?)", send_id, at, error).run();
}

int drop_alert_sends(Ledger& ledger, AlertChannel channel, Instant at) {
    assert_in_transaction(ledger);
    return Query(ledger,
                 "UPDATE alert_send SET outcome = 'dropped', outcome_at = ? WHERE channel = ? AND outcome IS NULL", at,
                 to_string(channel))
        .run_counted();
}

std::vector<WaitingAlerts> waiting_alerts(Ledger& ledger) {
    std::vector<WaitingAlerts> all;
    for (const auto channel : {AlertChannel::webhook, AlertChannel::email}) {
        const auto oldest = open_alert_sends(ledger, channel, 1);
        if (oldest.empty()) continue;
        WaitingAlerts waiting{channel, 0, oldest.front().alert.raised_at, {}, {}};
        {
            Query query(ledger, "SELECT count(*) FROM alert_send WHERE channel = ? AND outcome IS NULL",
                        to_string(channel));
            waiting.count = query.only<std::int64_t>();
        }
        Query query(ledger, "SELECT error, at FROM alert_attempt WHERE send_id = ? ORDER BY attempt_id DESC LIMIT 1",
                    oldest.front().send_id);
        if (query.next()) {
            query.read(waiting.last_error, waiting.last_attempt_at);
        }
        all.push_back(std::move(waiting));
    }
    return all;
}

std::vector<AlertHistoryRow> alert_history(Ledger& ledger, int limit, std::int64_t after) {
    std::vector<AlertHistoryRow> history;
    {
        Query query(ledger,
                    "SELECT " ALERT_COLUMNS " FROM alert a WHERE a.alert_id < ? ORDER BY a.alert_id DESC LIMIT ?",
                    newest_before(after), limit);
        while (query.next())
            history.push_back({query.record<AlertRow>(), {}});
    }
    for (auto& entry : history) {
        Query query(ledger,
                    R"sql(
            SELECT d.channel, coalesce(d.outcome, 'waiting'), d.outcome_at, (SELECT count(*) FROM alert_attempt t
                WHERE t.send_id = d.send_id), (SELECT t.error FROM alert_attempt t WHERE t.send_id = d.send_id
                ORDER BY t.attempt_id DESC LIMIT 1)
            FROM alert_send d
            WHERE d.alert_id = ?
            ORDER BY d.send_id)sql",
                    entry.alert.alert_id);
        entry.sends = query.records<AlertSend>();
    }
    return history;
}

std::int64_t count_alerts(Ledger& ledger) {
    Query query(ledger, "SELECT count(*) FROM alert");
    return query.only<std::int64_t>();
}

}  // namespace drawbridge::ledger
