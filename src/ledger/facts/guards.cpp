#include "drawbridge/ledger/facts/guards.hpp"

#include <sodium.h>

#include <algorithm>
#include <initializer_list>

#include "drawbridge/checks/stated_account.hpp"
#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/domain/digest.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

using disbursement::Payee;
using disbursement::Rail;
using State = disbursement::PrenoteStatus::State;

// Never changes once it is made.
std::optional<std::string> fingerprint_key(Ledger& ledger) {
    auto& known = ledger.connection().payee_fingerprint_key;
    if (known) return known;
    Query query(ledger, "SELECT one_row, key FROM payee_fingerprint_key WHERE one_row = 1");
    if (const auto key = query.first<Opened<payee_fingerprint_key>>()) known = key->text;
    return known;
}

std::string ensure_fingerprint_key(Ledger& ledger) {
    if (auto key = fingerprint_key(ledger)) return *key;
    std::string bytes(32, '\0');
    randombytes_buf(bytes.data(), bytes.size());
    const std::string key = sha256_hex(bytes);
    Query(ledger, "INSERT INTO payee_fingerprint_key (one_row, key) VALUES (1, ?)",
          ledger.connection().sealer->seal(payee_fingerprint_key.name, "1", key))
        .run();
    return key;
}

// The length before each value keeps "ab","c" distinct from "a","bc"; the key is included twice so that nothing can be
// appended to the hashed text.
std::string hash_of(const std::string& key, std::initializer_list<std::string_view> values) {
    Sha256 inner;
    inner.update(key);
    for (const std::string_view value : values) {
        inner.update(std::to_string(value.size()) + ":");
        inner.update(value);
    }
    return sha256_hex(key + inner.hex());
}

std::string routing_number_of(const Payee& payee) {
    return payee.routing_number ? payee.routing_number->to_string() : std::string();
}
std::string account_of(const Payee& payee) {
    return payee.account_number ? payee.account_number->reveal() : std::string();
}

// Hash of the bank details as they are written.
std::string fingerprint(const std::string& key, const Payee& payee) {
    const auto rail = disbursement::to_string(payee.rail);
    if (payee.rail == Rail::check) {
        return hash_of(key, {rail, payee.name, payee.address1, payee.address2, payee.city, payee.state, payee.zip});
    }
    return hash_of(key, {rail, routing_number_of(payee), account_of(payee),
                         payee.account_type ? disbursement::to_string(*payee.account_type) : std::string_view()});
}

std::string letters_and_digits(std::string_view text) {
    std::string bare = lowercase(text);
    constexpr unsigned char after_ascii = 0x80;
    std::erase_if(bare, [](char c) { return static_cast<unsigned char>(c) < after_ascii && !is_letter_or_digit(c); });
    return bare;
}

// Hash of the account, or the address of a check, that is the same for every way to write it. The type of an account
// does not count: a bank gives no number twice.
std::string account_fingerprint(const std::string& key, const Payee& payee) {
    if (payee.rail == Rail::check) {
        std::string address;
        for (const std::string* line : {&payee.address1, &payee.address2, &payee.city, &payee.state, &payee.zip})
            address += letters_and_digits(*line);
        return hash_of(key, {"same address", letters_and_digits(payee.name), address});
    }
    return hash_of(key, {"same account", routing_number_of(payee), checks::bare_account(account_of(payee))});
}

struct Detail {
    std::int64_t detail_id = 0;
    std::string fingerprint;
    Instant seen_at;
    bool is_baseline = false;
    std::int64_t after_run = 0;
};
std::optional<Detail> newest_detail(Ledger& ledger, std::string_view payee_key) {
    Query query(ledger,
                R"sql(
        SELECT detail_id, fingerprint, seen_at, baseline, after_run_id
        FROM payee_detail
        WHERE payee_key = ?
        ORDER BY detail_id DESC
        LIMIT 1)sql",
                payee_key);
    return query.first<Detail>();
}

// True: this payee had this account in the baseline, so going back to it needs no new prenote.
bool is_of_baseline(Ledger& ledger, std::string_view payee_key, const std::string& print) {
    Query query(ledger, "SELECT 1 FROM payee_detail WHERE payee_key = ? AND fingerprint = ? AND baseline = 1",
                payee_key, print);
    return query.next();
}

// `resolved_at`: when a person last resolved whether the file left; the end of time while that is open.
std::optional<Instant> sent_at(std::optional<Instant> sent, std::optional<Instant> resolved_at) {
    if (!sent || resolved_at == Instant::max()) return std::nullopt;
    return std::max(*sent, resolved_at.value_or(*sent));
}

disbursement::PrenoteStatus prenote_standing(Ledger& ledger, const Payee& payee, const std::string& print) {
    disbursement::PrenoteStatus standing;
    standing.fingerprint = print;
    Query query(ledger,
                R"sql(
        SELECT n.effective_entry_date, n.return_reason_code, f.name, CASE WHEN d.by_sftp = 1 THEN d.delivered_at
            ELSE f.released_at END,
        -- If it is unsure whether the file left: not before a person resolved that.
        (SELECT max(coalesce(u.closed_at, 9223372036854775807)) FROM exception u WHERE u.subject = f.name
            AND u.reason_code = 'sent_file_unsure'),
        (SELECT max(k.run_id) FROM (
            SELECT f.released_after_run_id AS run_id
            UNION ALL SELECT v.after_run_id FROM delivery_evidence v WHERE v.file_id = f.file_id AND v.kind = 'sftp'
            UNION ALL SELECT u.closed_after_run_id FROM exception u WHERE u.subject = f.name
                AND u.subject <> '' AND u.reason_code = 'sent_file_unsure') k)
        FROM prenote n
        JOIN payment_file f ON f.file_id = n.file_id
        LEFT JOIN file_delivery d ON d.file_id = f.file_id
        WHERE n.payee_key = ? AND n.fingerprint = ? AND f.voided_at IS NULL
        ORDER BY n.prenote_id DESC
        LIMIT 1)sql",
                payee.key, print);
    if (!query.next()) {
        if (!is_of_baseline(ledger, payee.key, print)) standing.state = State::needed;
        return standing;
    }
    std::optional<Instant> sent, resolved_at;
    std::optional<std::int64_t> sent_after;
    query.read(standing.effective_entry_date, standing.return_reason_code, standing.file_name, sent, resolved_at,
               sent_after);
    standing.state = standing.return_reason_code.empty() ? State::waiting : State::returned;
    standing.sent_at = sent_at(sent, resolved_at);
    standing.sent_after = sent_after.value_or(0);
    return standing;
}

}  // namespace

void observe_payees(Ledger& ledger, const disbursement::PayeeDirectory& directory, const Stamp& stamp) {
    assert_in_transaction(ledger);
    if (directory.sha256().empty()) return;
    bool is_first = false;
    {
        Query query(
            ledger,
            "SELECT sha256 FROM payee_directory WHERE directory_id = (SELECT max(directory_id) FROM payee_directory)");
        const auto newest = query.first<std::string>();
        if (newest == directory.sha256()) return;
        is_first = !newest;
    }
    const std::string key = ensure_fingerprint_key(ledger);
    std::int64_t changed = 0;
    for (const Payee& payee : directory.payees()) {
        const std::string print = fingerprint(key, payee);
        const auto known = newest_detail(ledger, payee.key);
        if (known && known->fingerprint == print) continue;
        ++changed;
        Query(ledger,
              R"sql(
            INSERT INTO payee_detail (payee_key, detail_id, fingerprint, account_fingerprint, seen_at, baseline, after_run_id)
            VALUES (?, ?, ?, ?, ?, ?, (SELECT run_id FROM newest_run)))sql",
              payee.key, known ? known->detail_id + 1 : 1, print, account_fingerprint(key, payee), stamp.at,
              is_first ? 1 : 0)
            .run();
    }
    Query(ledger, "INSERT INTO payee_directory (sha256, seen_at) VALUES (?, ?)", directory.sha256(), stamp.at).run();
    audit(ledger, stamp, "payees.observed", "payees " + directory.sha256().substr(0, 12),
          std::to_string(changed) +
              (is_first ? " payees, the first directory of this ledger" : " payees with new or changed bank details"));
}

std::string details_fingerprint(Ledger& ledger, const Payee& payee) {
    assert_in_transaction(ledger);
    return fingerprint(ensure_fingerprint_key(ledger), payee);
}

std::string account_fingerprint(Ledger& ledger, const Payee& payee) {
    assert_in_transaction(ledger);
    return account_fingerprint(ensure_fingerprint_key(ledger), payee);
}

std::optional<std::string> known_details_fingerprint(Ledger& ledger, const Payee& payee) {
    const auto key = fingerprint_key(ledger);
    if (!key) return std::nullopt;
    return fingerprint(*key, payee);
}

std::optional<std::string> known_account_fingerprint(Ledger& ledger, const Payee& payee) {
    const auto key = fingerprint_key(ledger);
    if (!key) return std::nullopt;
    return account_fingerprint(*key, payee);
}

PayeeStanding payee_standing(Ledger& ledger, const Payee& payee, bool prenotes_required) {
    PayeeStanding standing;
    const auto key = fingerprint_key(ledger);
    if (!key) return standing;
    standing.details_fingerprint = fingerprint(*key, payee);
    standing.account_fingerprint = account_fingerprint(*key, payee);
    if (const auto detail = newest_detail(ledger, payee.key); detail && !detail->is_baseline) {
        standing.details_since = detail->seen_at;
        standing.details_after = detail->after_run;
    }
    if (prenotes_required && payee.rail == Rail::ach) {
        standing.prenote = prenote_standing(ledger, payee, standing.details_fingerprint);
    }
    return standing;
}

std::optional<EarlierPayment> earlier_payment(Ledger& ledger, DrawId draw, std::string_view payee_key,
                                              std::string_view account_fingerprint, Money amount, FileId before) {
    Query query(ledger,
                R"sql(
        SELECT p.payment_id, p.draw_id, f.creation_date, coalesce(f.released_after_run_id, 0)
        FROM payment p
        JOIN payment_file f ON f.file_id = p.file_id
        WHERE p.payee_key IN (SELECT ?1 UNION SELECT d.payee_key FROM payee_detail d
            WHERE d.account_fingerprint = ?2) AND p.amount_cents = ?3 AND p.draw_id <> ?4
            AND (f.voided_at IS NULL OR f.released_at IS NOT NULL) AND p.file_id < ?5
        UNION ALL
        SELECT s.payment_id, s.draw_id, f.creation_date, f.after_run_id
        FROM sent_payment s
        JOIN sent_file f ON f.sent_id = s.sent_id
        JOIN restoration r ON r.restoration_id = f.restoration_id
        WHERE s.payee_key IN (SELECT ?1 UNION SELECT d.payee_key FROM payee_detail d
            WHERE d.account_fingerprint = ?2) AND s.amount_cents = ?3 AND s.draw_id <> ?4
            AND r.newest_file < ?5
        ORDER BY 1 DESC
        LIMIT 1)sql",
                payee_key, account_fingerprint, amount, draw, before);
    return query.first<EarlierPayment>();
}

Money planned_on(Ledger& ledger, const PlanDay& day, FileId before) {
    // Two zones show dates that are at most two days apart.
    constexpr std::chrono::days apart{2};
    const std::chrono::sys_days date = day.date;
    constexpr std::chrono::hours whole_day{24};
    Query query(ledger,
                R"sql(
        SELECT coalesce(sum(cents), 0)
        FROM (
            SELECT total_cents AS cents
            FROM payment_file
            WHERE creation_date BETWEEN ?3 AND ?4
                AND (creation_date = ?1 OR created_at >= ?5 OR (created_at / 60000 - creation_minutes) * 60000 > ?6)
                AND voided_at IS NULL AND kind = 'payments' AND file_id < ?2
            UNION ALL
            SELECT s.amount_cents
            FROM sent_file f
            JOIN sent_payment s ON s.sent_id = f.sent_id
            JOIN restoration r ON r.restoration_id = f.restoration_id
            WHERE f.creation_date = ?1 AND r.newest_file < ?2
        ) t)sql",
                day.date, before, BusinessDate(date - apart), BusinessDate(date + apart), day.begins,
                day.now - whole_day);
    return query.only<Money>();
}

std::vector<disbursement::Lift> lifts_of(Ledger& ledger, DrawId id) {
    Query query(ledger,
                R"sql(
        SELECT reason_code, detail
        FROM guard_override g
        WHERE draw_id = ? AND NOT EXISTS (SELECT 1 FROM resolution_undo u WHERE u.exception_id = g.exception_id)
        ORDER BY exception_id)sql",
                id);
    return query.records<disbursement::Lift>();
}

std::optional<PrenoteRow> find_prenote(Ledger& ledger, std::string_view trace_number) {
    Query query(ledger,
                R"sql(
        SELECT n.prenote_id, n.trace_number, n.payee_key, f.name, n.effective_entry_date, n.returned_at,
            n.return_reason_code, coalesce((SELECT u.because FROM unsent_file u WHERE u.file_id = n.file_id), '')
        FROM prenote n
        JOIN payment_file f ON f.file_id = n.file_id
        WHERE n.trace_number = ?)sql",
                trace_number);
    return query.first<PrenoteRow>();
}

Result<void> record_prenote_returned(Ledger& ledger, std::string_view trace_number, std::string_view return_reason_code,
                                     const Stamp& stamp) {
    assert_in_transaction(ledger);
    const auto prenote = find_prenote(ledger, trace_number);
    if (!prenote) return fail(ErrorCode::not_found, "no prenote has the trace number " + std::string(trace_number));
    if (prenote->returned_at) {
        return fail(ErrorCode::conflict,
                    "prenote " + prenote->trace_number + " was returned already: " + prenote->return_reason_code);
    }
    Query(ledger, "UPDATE prenote SET returned_at = ?, return_reason_code = ? WHERE prenote_id = ?", stamp.at,
          return_reason_code, prenote->prenote_id)
        .run();
    audit(ledger, stamp, "prenote.returned", "prenote " + prenote->trace_number,
          "payee " + prenote->payee_key + ": " + std::string(return_reason_code));
    return {};
}

void record_pay_run(Ledger& ledger, const PayRun& run) {
    assert_in_transaction(ledger);
    Query(ledger,
          R"sql(
        INSERT INTO pay_run (at, by, approved_count, approved_cents, exported_count, exported_cents, held_count,
            held_cents, exception_count, exception_cents, unread_count, moved_on_count, complete)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?))sql",
          run.at, run.by, run.approved.count, run.approved.amount, run.exported.count, run.exported.amount,
          run.held.count, run.held.amount, run.exceptions.count, run.exceptions.amount, run.unread, run.moved_on,
          run.is_complete() ? 1 : 0)
        .run();
}

std::vector<ListedPayRun> pay_runs_before(Ledger& ledger, std::int64_t pay_run_id, int limit) {
    Query query(ledger,
                R"sql(
        SELECT pay_run_id, at, by, approved_count, approved_cents, exported_count, exported_cents, held_count,
            held_cents, exception_count, exception_cents, unread_count, moved_on_count
        FROM pay_run
        WHERE pay_run_id < ?
        ORDER BY pay_run_id DESC
        LIMIT ?)sql",
                newest_before(pay_run_id), limit);
    return query.records<ListedPayRun>();
}

std::vector<PayRun> pay_runs(Ledger& ledger, int limit) {
    std::vector<PayRun> runs;
    for (auto& listed : pay_runs_before(ledger, 0, limit))
        runs.push_back(std::move(listed.run));
    return runs;
}

std::int64_t count_pay_runs(Ledger& ledger) {
    Query query(ledger, "SELECT count(*) FROM pay_run");
    return query.only<std::int64_t>();
}

Sum planned_from(Ledger& ledger, std::int64_t first_payment_id) {
    Query query(ledger, "SELECT count(*), coalesce(sum(amount_cents), 0) FROM payment WHERE payment_id >= ?",
                first_payment_id);
    return query.only<Sum>();
}

}  // namespace drawbridge::ledger
