// Records a plan: files, payments, prenotes and the numbers they use up.
#include "drawbridge/ledger/facts/plans.hpp"

#include <algorithm>
#include <ranges>

#include "drawbridge/ledger/facts/makers.hpp"
#include "facts/payment_row.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

using disbursement::PlannedFile;
using disbursement::PlannedPayment;

std::int64_t next_number(Ledger& ledger, std::string_view name) {
    Query query(ledger, "SELECT next FROM number_range WHERE name = ?", name);
    return query.next() ? query.integer(0) : 1;
}

std::optional<std::string_view> or_null(const std::string& text) {
    if (text.empty()) return std::nullopt;
    return text;
}

// Nearly all payments of a part settle on the same date.
std::optional<std::int64_t> because_id(Ledger& ledger, const std::string& text) {
    if (text.empty()) return std::nullopt;
    return id_of_text(ledger, ledger.connection().settles_because,
                      {.find = "SELECT because_id FROM settles_because WHERE text = ?",
                       .greatest = "SELECT max(because_id) FROM settles_because",
                       .insert = "INSERT INTO settles_because (because_id, text) VALUES (?, ?)"},
                      text);
}

void insert_payment(Ledger& ledger, FileId file_id, const PlannedPayment& payment) {
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
    Query(ledger,
          R"sql(
        INSERT INTO payment (payment_id, file_id, draw_id, reading_id, rail, amount_cents, trace_number,
            check_number, batch_number, effective_entry_date, check_date, payee_key, payee_name, routing_number,
            account_number, account_type, sec_code, address1, address2, city, state, zip, entry_description,
            remittance, settles_because)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?))sql",
          payment.payment_id, file_id, payment.draw_id, payment.reading_id, disbursement::to_string(payment.rail),
          payment.amount, payment.trace_number, payment.check_number, payment.batch_number,
          payment.effective_entry_date, payment.check_date, payee.key, payee.name, routing_number, account_number,
          account_type, sec_code, payee.address1, payee.address2, payee.city, payee.state, payee.zip,
          or_null(payment.entry_description), or_null(payment.remittance), because_id(ledger, payment.settles_because))
        .run_in_bulk();
}

void insert_prenote(Ledger& ledger, FileId file_id, std::int64_t position,
                    const disbursement::PlannedPrenote& prenote) {
    const auto& payee = prenote.payee;
    Query(ledger,
          R"sql(
        INSERT INTO prenote (file_id, position, trace_number, batch_number, effective_entry_date, payee_key,
            fingerprint, payee_name, routing_number, account_number, account_type, sec_code)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?))sql",
          file_id, position, prenote.trace_number, prenote.batch_number, prenote.effective_entry_date, payee.key,
          prenote.fingerprint, payee.name, payee.routing_number.value().to_string(),
          ledger.connection().sealer->seal("prenote.account_number", prenote.trace_number,
                                           payee.account_number.value().reveal()),
          disbursement::to_string(payee.account_type.value()), disbursement::to_string(payee.sec_code.value()))
        .run();
}

struct UnplannedRow {
    FileId file_id = 0;
    std::int64_t prenotes = 0;
};
std::optional<UnplannedRow> find_unplanned(Ledger& ledger, std::string_view name) {
    Query query(ledger, "SELECT file_id, prenote_count FROM payment_file WHERE name = ? AND planned_at IS NULL", name);
    return query.first<UnplannedRow>();
}

void add_to_counts(Ledger& ledger, FileId file_id, const PlannedFile& part) {
    Query(ledger,
          R"sql(
        UPDATE payment_file
        SET payment_count = payment_count + ?, prenote_count = prenote_count + ?, total_cents = total_cents + ?,
            entry_hash = (entry_hash + ?) % ?
        WHERE file_id = ?)sql",
          part.payments.size(), part.prenotes.size(), part.total, part.entry_hash, nacha::entry_hash_modulus, file_id)
        .run();
}

// The file's row, new or continued, and the rows of this part.
void add_part(Ledger& ledger, const PlannedFile& part, const disbursement::PlanSettings& settings, const Stamp& stamp) {
    const auto known = find_unplanned(ledger, part.name);
    const FileId file_id =
        known ? known->file_id
              : insert_file_row(ledger, part, disbursement::to_json(disbursement::profile_for(settings, part.rail)),
                                std::nullopt, stamp);
    if (known) add_to_counts(ledger, file_id, part);
    for (const auto& payment : part.payments) {
        draw_moves(ledger, payment.draw_id);
        insert_payment(ledger, file_id, payment);
    }
    if (!part.payments.empty()) {
        const auto [first, last] =
            std::ranges::minmax(part.payments | std::views::transform(&PlannedPayment::payment_id));
        record_makers_of_payments(ledger, file_id, first, last);
    }
    std::int64_t position = known ? known->prenotes : 0;
    for (const auto& prenote : part.prenotes)
        insert_prenote(ledger, file_id, ++position, prenote);
    for (const auto& offset : part.offsets) {
        Query(ledger,
              "INSERT INTO offset_entry (file_id, batch_number, trace_number, amount_cents) VALUES (?, ?, ?, ?)",
              file_id, offset.batch_number, offset.trace_number, offset.amount)
            .run();
    }
}

void set_numbers(Ledger& ledger, const disbursement::NumberBlock& next) {
    set_next_number(ledger, "payment_id", next.next_payment_id);
    set_next_number(ledger, "trace_sequence", next.next_trace_sequence);
    set_next_number(ledger, "check_number", next.next_check_number);
    set_next_number(ledger, "batch_number", next.next_batch_number);
    set_next_number(ledger, "file_sequence", next.next_file_sequence);
}

// The batches that have no offset yet.
std::vector<disbursement::OpenBatch> open_batches(Ledger& ledger, FileId file_id) {
    Query query(ledger,
                R"sql(
        SELECT p.sec_code, coalesce(p.entry_description, ''), p.effective_entry_date, p.batch_number, count(*),
            sum(p.amount_cents)
        FROM payment p
        WHERE p.file_id = ? AND p.rail = 'ach'
            AND NOT EXISTS (SELECT 1 FROM offset_entry o WHERE o.file_id = p.file_id AND o.batch_number = p.batch_number)
        GROUP BY p.batch_number, p.sec_code, p.entry_description, p.effective_entry_date
        ORDER BY p.batch_number)sql",
                file_id);
    std::vector<disbursement::OpenBatch> batches;
    while (query.next()) {
        const auto sec_code = disbursement::parse_sec_code(query.text(0));
        DRAWBRIDGE_ASSERT(sec_code.has_value(), "an ACH payment has a SEC code");
        batches.push_back(
            {*sec_code, query.text(1), query.date(2), query.integer(3), query.integer(4), query.money(5)});
    }
    return batches;
}
}  // namespace

void set_next_number(Ledger& ledger, std::string_view name, std::int64_t next) {
    Query(ledger,
          "INSERT INTO number_range (name, next) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET next = excluded.next",
          name, next)
        .run();
}

FileId insert_file_row(Ledger& ledger, const PlannedFile& file, const std::string& profile,
                       std::optional<Instant> planned_at, const Stamp& stamp) {
    std::optional<std::string> modifier;
    if (file.rail == disbursement::Rail::ach) modifier = std::string(1, file.file_id_modifier);
    const bool is_payments = file.kind == disbursement::FileKind::payments;
    const FileId file_id = new_row(ledger, "SELECT max(file_id) FROM payment_file");
    Query(ledger,
          R"sql(
        INSERT INTO payment_file (file_id, name, rail, started_by, created_at, creation_date, creation_minutes,
            file_id_modifier, profile, payment_count, total_cents, entry_hash, kind, prenote_count, planned_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?))sql",
          file_id, file.name, disbursement::to_string(file.rail), stamp.actor, file.created_at, file.creation_date,
          static_cast<std::int64_t>(file.creation_time.count()), modifier,
          ledger.connection().sealer->seal("payment_file.profile", file.name, profile), file.payments.size(),
          file.total, file.entry_hash, is_payments ? "payments" : "check_orders", file.prenotes.size(), planned_at)
        .run();
    record_maker_act(ledger, MakerAct::started, {.file = file_id}, stamp);
    return file_id;
}

void audit_planned(Ledger& ledger, FileId file_id, std::string_view rows_digest, const Stamp& stamp) {
    Query query(ledger,
                "SELECT name, kind, payment_count, total_cents, prenote_count FROM payment_file WHERE file_id = ?",
                file_id);
    query.next();
    const auto [name, kind, payments, total, prenotes] =
        query.row<std::string, std::string, std::int64_t, Money, std::int64_t>();
    audit(ledger, stamp, "file.planned", "file " + name,
          std::to_string(payments) + (kind == "payments" ? " payments, " : " check orders, ") + total.to_string() +
              (prenotes == 0 ? "" : ", " + std::to_string(prenotes) + " prenotes") + ", rows " +
              std::string(rows_digest));
}

std::string used_file_id_modifiers(Ledger& ledger, BusinessDate creation_date) {
    std::string used;
    Query query(ledger,
                "SELECT file_id_modifier FROM payment_file WHERE creation_date = ? AND rail = 'ach' ORDER BY file_id",
                creation_date);
    while (query.next())
        used += query.text(0);
    // After a restore: also the modifiers of files known only from manifests, and those that a trace names.
    Query sent(ledger, "SELECT file_id_modifier FROM sent_file WHERE creation_date = ? AND file_id_modifier <> ''",
               creation_date);
    while (sent.next())
        used += sent.text(0);
    Query lost(ledger, "SELECT file_id_modifiers FROM lost_modifiers WHERE creation_date = ?", creation_date);
    while (lost.next())
        used += lost.text(0);
    return used;
}

disbursement::NumberBlock number_block(Ledger& ledger, BusinessDate creation_date, std::int64_t first_check_number) {
    disbursement::NumberBlock block;
    block.next_payment_id = next_number(ledger, "payment_id");
    block.next_trace_sequence = next_number(ledger, "trace_sequence");
    block.next_check_number = std::max(next_number(ledger, "check_number"), first_check_number);
    block.next_batch_number = next_number(ledger, "batch_number");
    block.next_file_sequence = next_number(ledger, "file_sequence");
    block.used_file_id_modifiers = used_file_id_modifiers(ledger, creation_date);
    return block;
}

void record_plan_part(Ledger& ledger, const disbursement::Plan& part, const disbursement::PlanSettings& settings,
                      const Stamp& stamp) {
    assert_in_transaction(ledger);
    for (const auto& file : part.files)
        add_part(ledger, file, settings, stamp);
    set_numbers(ledger, part.numbers_after);
}

void record_planned(Ledger& ledger, FileId file_id, std::string_view rows_digest, const Stamp& stamp) {
    assert_in_transaction(ledger);
    const int changed = Query(ledger, "UPDATE payment_file SET planned_at = ? WHERE file_id = ? AND planned_at IS NULL",
                              stamp.at, file_id)
                            .run_counted();
    DRAWBRIDGE_ASSERT(changed == 1, "a file is completed once");
    audit_planned(ledger, file_id, rows_digest, stamp);
}

std::vector<UnplannedFile> unplanned_files(Ledger& ledger) {
    Query query(ledger,
                R"sql(
        SELECT file_id, payment_count, total_cents
        FROM payment_file
        WHERE planned_at IS NULL
        ORDER BY file_id)sql");
    return query.records<UnplannedFile>();
}

disbursement::OpenFile open_file(Ledger& ledger, FileId file_id) {
    auto stored = load_file_without_payments(ledger, file_id);
    stored.file.prenotes.clear();
    stored.file.offsets.clear();
    disbursement::OpenFile open{.file = std::move(stored.file), .profile = std::move(stored.profile)};
    open.total = open.file.total;
    open.has_numbers = true;
    open.batches = open_batches(ledger, file_id);
    return open;
}

void record_plan(Ledger& ledger, const disbursement::Plan& plan, const disbursement::PlanSettings& settings,
                 const Stamp& stamp) {
    record_plan_part(ledger, plan, settings, stamp);
    for (const auto& file : unplanned_files(ledger))
        record_planned(ledger, file.file_id, payments_digest(ledger, file.file_id), stamp);
}

}  // namespace drawbridge::ledger
