#include "drawbridge/ledger/payments.hpp"

#include "connection.hpp"
#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/deliveries.hpp"
#include "export_row.hpp"
#include "payment_row.hpp"

namespace drawbridge::ledger {
namespace {

using disbursement::PlannedFile;
using disbursement::PlannedPayment;
using disbursement::Rail;

std::int64_t next_number(Ledger& ledger, std::string_view name) {
    Query query(ledger, "SELECT next FROM number_range WHERE name = ?", name);
    return query.next() ? query.integer(0) : 1;
}

std::optional<std::string_view> or_null(const std::string& text) {
    if (text.empty()) return std::nullopt;
    return text;
}

void insert_payment(Ledger& ledger, FileId file_id, std::int64_t position, const PlannedPayment& payment) {
    const auto& payee = payment.payee;
    std::optional<std::string> routing_number, account_number;
    if (payee.routing_number) routing_number = payee.routing_number->to_string();
    if (payee.account_number) {
        account_number = ledger.connection().sealer->seal("payment.account_number", std::to_string(payment.payment_id),
                                                          payee.account_number->reveal());
    }
    std::optional<std::string_view> account_type, sec_code;
    if (payee.account_type) account_type = disbursement::to_string(*payee.account_type);
    if (payee.sec_code) sec_code = disbursement::to_string(*payee.sec_code);
    Query(
        ledger,
        "INSERT INTO payment (payment_id, file_id, position, draw_id, reading_id, rail, amount_cents, trace_number, "
        "check_number, batch_number, effective_entry_date, check_date, payee_key, payee_name, routing_number, "
        "account_number, account_type, sec_code, address1, address2, city, state, zip, entry_description, remittance, "
        "settles_because) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        payment.payment_id, file_id, position, payment.draw_id, payment.reading_id,
        disbursement::to_string(payment.rail), payment.amount, payment.trace_number, payment.check_number,
        payment.batch_number, payment.effective_entry_date, payment.check_date, payee.key, payee.name, routing_number,
        account_number, account_type, sec_code, payee.address1, payee.address2, payee.city, payee.state, payee.zip,
        or_null(payment.entry_description), or_null(payment.remittance), or_null(payment.settles_because))
        .run();
}

void insert_prenote(Ledger& ledger, FileId file_id, std::int64_t position,
                    const disbursement::PlannedPrenote& prenote) {
    const auto& payee = prenote.payee;
    Query(ledger,
          "INSERT INTO prenote (file_id, position, trace_number, batch_number, effective_entry_date, payee_key, "
          "fingerprint, payee_name, routing_number, account_number, account_type, sec_code) "
          "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
          file_id, position, prenote.trace_number, prenote.batch_number, prenote.effective_entry_date, payee.key,
          prenote.fingerprint, payee.name, payee.routing_number.value().to_string(),
          ledger.connection().sealer->seal("prenote.account_number", prenote.trace_number,
                                           payee.account_number.value().reveal()),
          disbursement::to_string(payee.account_type.value()), disbursement::to_string(payee.sec_code.value()))
        .run();
}

void insert_file(Ledger& ledger, const PlannedFile& file, const std::string& profile, const Stamp& stamp) {
    const auto file_id = insert_file_row(ledger, file, profile, stamp);
    std::int64_t position = 0;
    for (const auto& payment : file.payments)
        insert_payment(ledger, file_id, ++position, payment);
    for (const auto& prenote : file.prenotes)
        insert_prenote(ledger, file_id, ++position, prenote);
    for (const auto& offset : file.offsets) {
        Query(ledger,
              "INSERT INTO offset_entry (file_id, batch_number, trace_number, amount_cents) VALUES (?, ?, ?, ?)",
              file_id, offset.batch_number, offset.trace_number, offset.amount)
            .run();
    }
    audit_planned(ledger, file_id, file, stamp);
}

FileState state_of(const Query& query) {
    if (!query.is_null(13)) return FileState::voided;
    if (!query.is_null(12)) return FileState::released;
    if (!query.is_null(10)) return FileState::releasing;
    if (!query.is_null(9)) return FileState::staged;
    return FileState::planned;
}

#define FILE_COLUMNS                                                                                           \
    "file_id, name, rail, started_by, created_at, payment_count, total_cents, entry_hash, sha256, staged_at, " \
    "release_ordered_at, release_ordered_by, released_at, voided_at, voided_by, kind, prenote_count"

FileRow read_file_row(const Query& query) {
    FileRow row;
    row.file_id = query.integer(0);
    row.name = query.text(1);
    row.rail = *disbursement::parse_rail(query.text(2));
    row.state = state_of(query);
    row.started_by = query.text(3);
    row.created_at = query.instant(4);
    row.payment_count = query.integer(5);
    row.total = query.money(6);
    row.entry_hash = query.integer(7);
    row.sha256 = query.optional_text(8).value_or("");
    row.staged_at = query.optional_instant(9);
    row.release_ordered_at = query.optional_instant(10);
    row.release_ordered_by = query.optional_text(11).value_or("");
    row.released_at = query.optional_instant(12);
    row.voided_at = query.optional_instant(13);
    row.voided_by = query.optional_text(14).value_or("");
    if (query.text(15) == "check_orders") row.kind = disbursement::FileKind::check_orders;
    row.prenote_count = query.integer(16);
    return row;
}

void update_file(int changed) {
    DRAWBRIDGE_ASSERT(changed == 1, "a payment file goes through its states in order");
}

// Of what is in the file, this person ordered something.
bool ordered_in(Ledger& ledger, FileId file_id, const std::string& actor) {
    Query query(ledger,
                "SELECT 1 FROM check_order_line l JOIN check_order o ON o.order_id = l.order_id "
                "WHERE l.file_id = ? AND o.ordered_by = ?",
                file_id, actor);
    return query.next();
}

}  // namespace

void set_next_number(Ledger& ledger, std::string_view name, std::int64_t next) {
    Query(ledger,
          "INSERT INTO number_range (name, next) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET next = excluded.next",
          name, next)
        .run();
}

FileId insert_file_row(Ledger& ledger, const PlannedFile& file, const std::string& profile, const Stamp& stamp) {
    std::optional<std::string> modifier;
    if (file.rail == Rail::ach) modifier = std::string(1, file.file_id_modifier);
    const bool is_payments = file.kind == disbursement::FileKind::payments;
    Query(ledger,
          "INSERT INTO payment_file (name, rail, started_by, created_at, creation_date, creation_minutes, "
          "file_id_modifier, profile, payment_count, total_cents, entry_hash, kind, prenote_count) "
          "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
          file.name, disbursement::to_string(file.rail), stamp.actor, file.created_at, file.creation_date,
          static_cast<std::int64_t>(file.creation_time.count()), modifier,
          ledger.connection().sealer->seal("payment_file.profile", file.name, profile), file.payments.size(),
          file.total, file.entry_hash, is_payments ? "payments" : "check_orders", file.prenotes.size())
        .run();
    return last_row_id(ledger);
}

void audit_planned(Ledger& ledger, FileId file_id, const PlannedFile& file, const Stamp& stamp) {
    const bool is_payments = file.kind == disbursement::FileKind::payments;
    audit(ledger, stamp, "file.planned", "file " + file.name,
          std::to_string(file.payments.size()) + (is_payments ? " payments, " : " check orders, ") +
              file.total.to_string() +
              (file.prenotes.empty() ? "" : ", " + std::to_string(file.prenotes.size()) + " prenotes") + ", rows " +
              payments_digest(ledger, file_id));
}

std::vector<DrawId> draws_to_pay(Ledger& ledger) {
    Query query(ledger,
                "SELECT d.draw_id FROM draw d WHERE d.status IN (3, 4) AND (d.status = 4 OR EXISTS "
                "(SELECT 1 FROM approval_item i JOIN decision c ON c.decision_id = i.decision_id "
                "WHERE i.draw_id = d.draw_id AND c.reading_id = d.reading_id AND i.outcome = 'approved')) "
                "AND NOT EXISTS (SELECT 1 FROM payment p JOIN payment_file f ON f.file_id = p.file_id "
                "WHERE p.draw_id = d.draw_id AND f.voided_at IS NULL AND NOT EXISTS "
                "(SELECT 1 FROM reissue_order o WHERE o.payment_id = p.payment_id)) "
                "UNION SELECT o.draw_id FROM reissue_order o JOIN draw d ON d.draw_id = o.draw_id "
                "WHERE d.status = 5 AND NOT EXISTS (SELECT 1 FROM payment p JOIN payment_file f "
                "ON f.file_id = p.file_id WHERE p.draw_id = o.draw_id AND f.voided_at IS NULL AND NOT EXISTS "
                "(SELECT 1 FROM reissue_order other WHERE other.payment_id = p.payment_id)) ORDER BY 1");
    std::vector<DrawId> ids;
    while (query.next())
        ids.push_back(query.integer(0));
    return ids;
}

std::optional<Money> agreed_amount(Ledger& ledger, DrawId id) {
    std::int64_t last_unapproved = 0;
    std::optional<Instant> last_unapproved_at;
    {
        Query query(ledger,
                    "SELECT reading_id, read_at FROM draw_reading WHERE draw_id = ? AND status <> 4 "
                    "ORDER BY reading_id DESC LIMIT 1",
                    id);
        if (query.next()) {
            last_unapproved = query.integer(0);
            last_unapproved_at = query.instant(1);
        }
    }
    {
        Query query(
            ledger,
            "SELECT i.outcome_at, r.amount_requested_cents FROM approval_item i "
            "JOIN decision c ON c.decision_id = i.decision_id JOIN draw_reading r ON r.reading_id = c.reading_id "
            "WHERE i.draw_id = ? AND i.outcome = 'approved' ORDER BY i.item_id DESC LIMIT 1",
            id);
        // An approval of ours that was undone afterwards (the draw was seen unapproved since) counts no more.
        if (query.next() && (!last_unapproved_at || query.instant(0) >= *last_unapproved_at)) {
            return query.optional_money(1);
        }
    }
    Query query(ledger,
                "SELECT amount_approved_cents FROM draw_reading WHERE draw_id = ? AND reading_id > ? AND status = 4 "
                "AND amount_approved_cents IS NOT NULL ORDER BY reading_id LIMIT 1",
                id, last_unapproved);
    if (!query.next()) return std::nullopt;
    return query.optional_money(0);
}

disbursement::NumberBlock number_block(Ledger& ledger, BusinessDate creation_date, std::int64_t first_check_number) {
    disbursement::NumberBlock block;
    block.next_payment_id = next_number(ledger, "payment_id");
    block.next_trace_sequence = next_number(ledger, "trace_sequence");
    block.next_check_number = std::max(next_number(ledger, "check_number"), first_check_number);
    block.next_batch_number = next_number(ledger, "batch_number");
    block.next_file_sequence = next_number(ledger, "file_sequence");
    Query query(ledger,
                "SELECT file_id_modifier FROM payment_file WHERE creation_date = ? AND rail = 'ach' ORDER BY file_id",
                creation_date);
    while (query.next())
        block.used_file_id_modifiers += query.text(0);
    // After a restore: those of files that only their manifests tell of.
    Query sent(ledger, "SELECT file_id_modifier FROM sent_file WHERE creation_date = ? AND file_id_modifier <> ''",
               creation_date);
    while (sent.next())
        block.used_file_id_modifiers += sent.text(0);
    return block;
}

void record_plan(Ledger& ledger, const disbursement::Plan& plan, const disbursement::PlanSettings& settings,
                 const Stamp& stamp) {
    assert_in_transaction(ledger);
    for (const auto& file : plan.files) {
        insert_file(ledger, file, disbursement::to_json(disbursement::profile_for(settings, file.rail)), stamp);
    }
    set_next_number(ledger, "payment_id", plan.numbers_after.next_payment_id);
    set_next_number(ledger, "trace_sequence", plan.numbers_after.next_trace_sequence);
    set_next_number(ledger, "check_number", plan.numbers_after.next_check_number);
    set_next_number(ledger, "batch_number", plan.numbers_after.next_batch_number);
    set_next_number(ledger, "file_sequence", plan.numbers_after.next_file_sequence);
}

std::string_view to_string(FileState state) {
    switch (state) {
        case FileState::planned: return "planned";
        case FileState::staged: return "staged";
        case FileState::releasing: return "releasing";
        case FileState::released: return "released";
        case FileState::voided: return "voided";
    }
    return "planned";
}

std::vector<FileRow> payment_files(Ledger& ledger, bool unreleased_only) {
    std::vector<FileRow> rows;
    if (unreleased_only) {
        Query query(ledger, "SELECT " FILE_COLUMNS
                            " FROM payment_file WHERE released_at IS NULL AND voided_at IS NULL ORDER BY file_id");
        while (query.next())
            rows.push_back(read_file_row(query));
    } else {
        Query query(ledger, "SELECT " FILE_COLUMNS " FROM payment_file ORDER BY file_id");
        while (query.next())
            rows.push_back(read_file_row(query));
    }
    return rows;
}

std::optional<FileRow> find_file(Ledger& ledger, std::string_view name) {
    Query query(ledger, "SELECT " FILE_COLUMNS " FROM payment_file WHERE name = ?", name);
    if (!query.next()) return std::nullopt;
    return read_file_row(query);
}

void record_staged(Ledger& ledger, FileId file_id, std::string_view sha256, const Stamp& stamp) {
    assert_in_transaction(ledger);
    update_file(Query(ledger,
                      "UPDATE payment_file SET staged_at = ?, sha256 = ? WHERE file_id = ? AND staged_at IS NULL",
                      stamp.at, sha256, file_id)
                    .run());
    audit(ledger, stamp, "file.staged", "file " + file_name(ledger, file_id), "sha256 " + std::string(sha256));
}

Result<void> order_release(Ledger& ledger, const FileRow& file, std::string_view reason, const Stamp& stamp) {
    assert_in_transaction(ledger);
    if (file.state == FileState::planned) {
        return fail(ErrorCode::conflict, file.name + " is not written yet: the next run of the pay stage writes it");
    }
    if (file.state == FileState::voided)
        return fail(ErrorCode::conflict, file.name + " was voided by " + file.voided_by);
    if (file.state != FileState::staged) {
        return fail(ErrorCode::conflict, file.name + " was released already, by " + file.release_ordered_by);
    }
    if (stamp.actor == file.started_by && stamp.actor.starts_with("uid ")) {
        return fail(ErrorCode::forbidden,
                    file.name + " was started by " + file.started_by + ": a second person must release it");
    }
    if (stamp.actor.starts_with("uid ") && ordered_in(ledger, file.file_id, stamp.actor)) {
        return fail(ErrorCode::forbidden, file.name + " carries what you ordered: a second person must release it");
    }
    update_file(Query(ledger,
                      "UPDATE payment_file SET release_ordered_at = ?, release_ordered_by = ?, release_reason = ? "
                      "WHERE file_id = ? AND staged_at IS NOT NULL AND release_ordered_at IS NULL",
                      stamp.at, stamp.actor, reason, file.file_id)
                    .run());
    audit(ledger, stamp, "file.release_ordered", "file " + file.name, reason);
    record_export(ledger, file.file_id, stamp);
    return {};
}

std::vector<BusinessDate> effective_entry_dates(Ledger& ledger, FileId file_id) {
    Query query(ledger,
                "SELECT effective_entry_date FROM payment WHERE file_id = ? AND effective_entry_date IS NOT NULL "
                "UNION SELECT effective_entry_date FROM prenote WHERE file_id = ? ORDER BY 1",
                file_id, file_id);
    std::vector<BusinessDate> dates;
    while (query.next())
        dates.push_back(query.date(0));
    return dates;
}

Result<void> void_file(Ledger& ledger, const FileRow& file, std::string_view reason, const Stamp& stamp) {
    assert_in_transaction(ledger);
    if (file.state == FileState::voided)
        return fail(ErrorCode::conflict, file.name + " was voided by " + file.voided_by);
    if (file.state == FileState::releasing || file.state == FileState::released) {
        return fail(ErrorCode::conflict, file.name + " was released by " + file.release_ordered_by +
                                             ": what has gone to the bank is stopped or recalled there");
    }
    update_file(Query(ledger,
                      "UPDATE payment_file SET voided_at = ?, voided_by = ?, void_reason = ? WHERE file_id = ? "
                      "AND release_ordered_at IS NULL AND voided_at IS NULL",
                      stamp.at, stamp.actor, reason, file.file_id)
                    .run());
    Query(ledger, "UPDATE payment SET ended_at = ?, finished_at = ? WHERE file_id = ? AND ended_at IS NULL", stamp.at,
          stamp.at, file.file_id)
        .run();
    audit(ledger, stamp, "file.voided", "file " + file.name, reason);
    return {};
}

std::vector<std::string> voided_file_names(Ledger& ledger) {
    Query query(ledger, "SELECT name FROM payment_file WHERE voided_at IS NOT NULL ORDER BY name");
    std::vector<std::string> names;
    while (query.next())
        names.push_back(query.text(0));
    return names;
}

void record_released(Ledger& ledger, FileId file_id, const Stamp& stamp) {
    assert_in_transaction(ledger);
    update_file(Query(ledger,
                      "UPDATE payment_file SET released_at = ? WHERE file_id = ? AND release_ordered_at IS NOT NULL "
                      "AND released_at IS NULL",
                      stamp.at, file_id)
                    .run());
    audit(ledger, stamp, "file.released", "file " + file_name(ledger, file_id), "");
    // What goes by SFTP is at the bank when it is delivered, not before.
    const auto delivery = find_delivery(ledger, file_id);
    if (!delivery || !delivery->way.by_sftp) transmit_check_orders(ledger, file_id, stamp);
}

}  // namespace drawbridge::ledger
