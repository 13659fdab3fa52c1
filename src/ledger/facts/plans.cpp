// Records a plan: files, payments, prenotes and the numbers they use up.
#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "facts/payment_row.hpp"
#include "store/connection.hpp"

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
    Query(ledger,
          R"sql(
        INSERT INTO payment (payment_id, file_id, position, draw_id, reading_id, rail, amount_cents, trace_number,
            check_number, batch_number, effective_entry_date, check_date, payee_key, payee_name, routing_number,
            account_number, account_type, sec_code, address1, address2, city, state, zip, entry_description,
            remittance, settles_because)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?))sql",
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

void insert_file(Ledger& ledger, const PlannedFile& file, const std::string& profile, const Stamp& stamp) {
    const auto file_id = insert_file_row(ledger, file, profile, stamp);
    std::int64_t position = 0;
    for (const auto& payment : file.payments) {
        remember_state_count(ledger, payment.draw_id);
        insert_payment(ledger, file_id, ++position, payment);
    }
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
    const FileId file_id = new_row(ledger, "SELECT max(file_id) FROM payment_file");
    Query(ledger,
          R"sql(
        INSERT INTO payment_file (file_id, name, rail, started_by, created_at, creation_date, creation_minutes,
            file_id_modifier, profile, payment_count, total_cents, entry_hash, kind, prenote_count)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?))sql",
          file_id, file.name, disbursement::to_string(file.rail), stamp.actor, file.created_at, file.creation_date,
          static_cast<std::int64_t>(file.creation_time.count()), modifier,
          ledger.connection().sealer->seal("payment_file.profile", file.name, profile), file.payments.size(),
          file.total, file.entry_hash, is_payments ? "payments" : "check_orders", file.prenotes.size())
        .run();
    record_maker_act(ledger, MakerAct::started, {.file = file_id}, stamp);
    return file_id;
}

void audit_planned(Ledger& ledger, FileId file_id, const PlannedFile& file, const Stamp& stamp) {
    const bool is_payments = file.kind == disbursement::FileKind::payments;
    audit(ledger, stamp, "file.planned", "file " + file.name,
          std::to_string(file.payments.size()) + (is_payments ? " payments, " : " check orders, ") +
              file.total.to_string() +
              (file.prenotes.empty() ? "" : ", " + std::to_string(file.prenotes.size()) + " prenotes") + ", rows " +
              payments_digest(ledger, file_id));
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
}  // namespace drawbridge::ledger
