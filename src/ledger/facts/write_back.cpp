#include "drawbridge/ledger/facts/write_back.hpp"

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/nacha/return_codes.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

using disbursement::WriteBackEvent;
using disbursement::WriteBackValues;

std::string subject(const OpenWriteBack& open) {
    return "draw " + std::to_string(open.draw_id);
}

std::vector<std::string> expected_in(Ledger& ledger, const OpenWriteBack& open, const std::string& field) {
    std::vector<std::string> expected;
    if (find_draw_field(field) == nullptr) return expected;  // the service does not show it
    {
        Query planned(ledger,
                      R"sql(
            SELECT CASE ? WHEN 'description' THEN r.description WHEN 'fieldA' THEN r.field_a
                WHEN 'fieldB' THEN r.field_b WHEN 'fieldC' THEN r.field_c WHEN 'fieldD' THEN r.field_d
                ELSE r.field_e END
            FROM payment p
            JOIN draw_reading r ON r.reading_id = p.reading_id
            WHERE p.payment_id = ?)sql",
                      field, open.payment_id);
        if (const auto text = planned.first<std::string>()) expected.push_back(*text);
    }
    Query earlier(ledger,
                  R"sql(
        SELECT f.value, f.shown
        FROM write_back w
        JOIN write_back_field f ON f.write_back_id = w.write_back_id
        WHERE w.draw_id = ? AND w.write_back_id < ? AND f.field = ? AND f.outcome IN ('written', 'already_there'))sql",
                  open.draw_id, open.write_back_id, field);
    while (earlier.next()) {
        const auto [value, shown] = earlier.row<std::string, std::optional<std::string>>();
        expected.push_back(value);
        if (shown) expected.push_back(*shown);
    }
    return expected;
}

// The values of a return: by a line, or by our own order to void or stop the check.
void add_return(Ledger& ledger, const OpenWriteBack& open, const TimeZone& zone, WriteBackValues& values) {
    {
        Query line(ledger,
                   R"sql(
            SELECT l.bank_code, l.note
            FROM write_back w
            JOIN settlement s ON s.settlement_id = w.settlement_id
            JOIN confirmation_line l ON l.line_id = s.line_id
            WHERE w.write_back_id = ?)sql",
                   open.write_back_id);
        if (line.next()) {
            const auto [bank_code, note] = line.row<std::string, std::string>();
            values["return_code"] = bank_code;
            const auto code = nacha::find_return_code(bank_code, note);
            values["return_reason"] = code ? std::string(code->meaning) : note;
        }
    }
    {
        Query paid(ledger, "SELECT confirmed_on FROM payment_settlement WHERE payment_id = ? AND kind = 'paid'",
                   open.payment_id);
        if (const auto on = paid.first<std::string>()) values["settlement_date"] = *on;
    }
    if (values.contains("return_reason")) return;
    Query order(ledger,
                "SELECT action, transmitted_at FROM check_order WHERE payment_id = ? AND transmitted_at IS NOT NULL",
                open.payment_id);
    if (!order.next()) return;
    const auto [action, transmitted_at] = order.row<std::string, Instant>();
    values["return_reason"] = action + " ordered by the office";
    values["bank_date"] = format_date(zone.date_of(transmitted_at));
}

}  // namespace

void enable_write_back(Ledger& ledger, const std::set<WriteBackEvent>& events, const Stamp& stamp) {
    assert_in_transaction(ledger);
    for (const auto event : disbursement::write_back_events) {
        const auto name = disbursement::to_string(event);
        if (events.contains(event)) {
            Query(ledger, "INSERT INTO write_back_enabled (event, since) VALUES (?, ?) ON CONFLICT DO NOTHING", name,
                  stamp.at)
                .run();
        } else {
            Query(ledger, "DELETE FROM write_back_enabled WHERE event = ?", name).run();
        }
    }
}

std::vector<OpenWriteBack> open_write_backs(Ledger& ledger) {
    Query query(ledger,
                R"sql(
        SELECT w.write_back_id, w.draw_id, w.payment_id, w.event, w.settlement_id IS NULL
            OR EXISTS (SELECT 1 FROM settlement s WHERE s.settlement_id = w.settlement_id
            AND s.undone_at IS NULL), (SELECT count(*) FROM write_back_attempt a
            WHERE a.write_back_id = w.write_back_id), (SELECT max(a.at) FROM write_back_attempt a
            WHERE a.write_back_id = w.write_back_id)
        FROM write_back w INDEXED BY write_back_open
        WHERE w.finished_at IS NULL AND NOT EXISTS (SELECT 1 FROM write_back o WHERE o.draw_id = w.draw_id
            AND o.finished_at IS NULL AND o.write_back_id < w.write_back_id)
        ORDER BY w.write_back_id)sql");
    std::vector<OpenWriteBack> open;
    while (query.next()) {
        auto& row = open.emplace_back();
        query.read(row.write_back_id, row.draw_id, row.payment_id, row.event, row.is_true, row.attempts,
                   row.last_attempt_at);
    }
    return open;
}

std::vector<WriteBackField> write_back_texts(Ledger& ledger, const OpenWriteBack& open) {
    std::vector<WriteBackField> fields;
    {
        Query query(ledger,
                    R"sql(
            SELECT field, value, outcome IS NOT NULL
            FROM write_back_field
            WHERE write_back_id = ?
            ORDER BY field)sql",
                    open.write_back_id);
        while (query.next()) {
            auto& field = fields.emplace_back();
            query.read(field.field, field.value, field.has_outcome);
        }
    }
    for (auto& field : fields)
        field.expected = expected_in(ledger, open, field.field);
    return fields;
}

WriteBackValues write_back_values(Ledger& ledger, const OpenWriteBack& open, const TimeZone& zone) {
    WriteBackValues values;
    {
        Query query(ledger,
                    R"sql(
            SELECT p.trace_number, p.check_number, p.amount_cents, f.name, p.effective_entry_date, p.check_date,
                (SELECT s.confirmed_on FROM write_back w JOIN settlement s ON s.settlement_id = w.settlement_id
                WHERE w.write_back_id = ?)
            FROM payment p
            JOIN payment_file f ON f.file_id = p.file_id
            WHERE p.payment_id = ?)sql",
                    open.write_back_id, open.payment_id);
        DRAWBRIDGE_ASSERT(query.next(), "a write-back is about a payment");
        const auto [trace_number, check_number, amount, file_name, effective_entry_date, check_date, bank_date] =
            query.row<std::string, std::optional<std::int64_t>, Money, std::string, std::optional<std::string>,
                      std::string, std::string>();
        values["trace_number"] = trace_number;
        if (check_number) values["check_number"] = std::to_string(*check_number);
        values["payment_id"] = disbursement::format_payment_id(open.payment_id);
        values["amount"] = amount.to_string();
        values["file_name"] = file_name;
        values["effective_date"] = effective_entry_date.value_or(check_date);
        values["bank_date"] = bank_date;
    }
    if (open.event == WriteBackEvent::return_) add_return(ledger, open, zone, values);
    return values;
}

bool knows_write_back(Ledger& ledger, DrawId draw_id, std::string_view field, std::string_view text) {
    Query query(ledger,
                R"sql(
        SELECT 1
        FROM write_back w
        JOIN write_back_field f ON f.write_back_id = w.write_back_id
        WHERE w.draw_id = ? AND f.field = ? AND (f.value = ? OR f.shown = ?)
        LIMIT 1)sql",
                draw_id, field, text, text);
    return query.next();
}

void record_write_back_texts(Ledger& ledger, const OpenWriteBack& open, const std::map<std::string, std::string>& texts,
                             const Stamp& stamp) {
    assert_in_transaction(ledger);
    std::string names;
    for (const auto& [field, value] : texts) {
        Query(ledger, "INSERT INTO write_back_field (write_back_id, field, value) VALUES (?, ?, ?)", open.write_back_id,
              field, value)
            .run();
        names += (names.empty() ? "" : ", ") + field;
    }
    audit(ledger, stamp, "write_back.opened", subject(open),
          std::string(disbursement::to_string(open.event)) + " of payment " +
              disbursement::format_payment_id(open.payment_id) + ": " + names);
}

std::string_view to_string(FieldOutcome outcome) {
    switch (outcome) {
        case FieldOutcome::written: return "written";
        case FieldOutcome::already_there: return "already_there";
        case FieldOutcome::refused: return "refused";
        case FieldOutcome::overtaken: return "overtaken";
    }
    return "written";
}

void record_field_outcome(Ledger& ledger, const OpenWriteBack& open, const std::string& field, FieldOutcome outcome,
                          std::string_view detail, const std::optional<std::string>& shown, const Stamp& stamp) {
    assert_in_transaction(ledger);
    Query(ledger,
          R"sql(
        UPDATE write_back_field
        SET outcome = ?, outcome_at = ?, detail = ?, shown = ?
        WHERE write_back_id = ? AND field = ? AND outcome IS NULL)sql",
          to_string(outcome), stamp.at, detail, shown, open.write_back_id, field)
        .run_for_one_row();
    audit(ledger, stamp, "write_back." + std::string(to_string(outcome)), subject(open),
          field + (detail.empty() ? "" : ": " + std::string(detail)));
}

void record_write_back_attempt(Ledger& ledger, const OpenWriteBack& open, std::string_view outcome,
                               std::string_view detail, Instant at) {
    assert_in_transaction(ledger);
    Query(ledger, "INSERT INTO write_back_attempt (write_back_id, at, outcome, detail) VALUES (?, ?, ?, ?)",
          open.write_back_id, at, outcome, detail)
        .run();
}

void finish_write_back(Ledger& ledger, const OpenWriteBack& open, const Stamp& stamp) {
    assert_in_transaction(ledger);
    Query(ledger, "UPDATE write_back SET finished_at = ? WHERE write_back_id = ? AND finished_at IS NULL", stamp.at,
          open.write_back_id)
        .run_for_one_row();
}

}  // namespace drawbridge::ledger
