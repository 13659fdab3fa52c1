#include "facts/payment_row.hpp"

#include <limits>

#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/reconciliation/manifest.hpp"
#include "store/id_list.hpp"

namespace drawbridge::ledger {
namespace {

using disbursement::PlannedFile;
using disbursement::PlannedPayment;

#define PAYMENT_COLUMNS                                                                               \
    "payment_id, draw_id, reading_id, rail, amount_cents, trace_number, check_number, batch_number, " \
    "effective_entry_date, check_date, payee_key, payee_name, routing_number, "                       \
    "payment_id, account_number, account_type, "                                                      \
    "sec_code, "                                                                                      \
    "address1, address2, city, state, zip, entry_description, remittance, "                           \
    "(SELECT b.text FROM settles_because b WHERE b.because_id = settles_because)"

// The ledger contains only values that were checked when they came in. One that does not parse was tampered with.
template <class T>
T sound(Result<T> value) {
    DRAWBRIDGE_ASSERT(value.has_value(), "the ledger contains checked values: run 'drawbridge verify'");
    return *std::move(value);
}

disbursement::FileProfile profile_from(const Opened<file_profile>& json) {
    return sound(disbursement::profile_from_json(json.text.value_or("")));
}

// The columns of a bank account; all NULL for a check.
template <const SealedField& field>
struct AccountColumns {
    std::optional<std::string> routing_number;
    Opened<field> account_number;
    std::optional<std::string> account_type, sec_code;
};
template <const SealedField& field>
void set_account(disbursement::Payee& payee, const AccountColumns<field>& columns) {
    if (columns.routing_number) payee.routing_number = sound(RoutingNumber::parse(*columns.routing_number));
    if (const auto& number = columns.account_number.text) payee.account_number = sound(AccountNumber::parse(*number));
    if (columns.account_type) payee.account_type = disbursement::parse_account_type(*columns.account_type);
    if (columns.sec_code) payee.sec_code = disbursement::parse_sec_code(*columns.sec_code);
}

// Of PAYMENT_COLUMNS; `more` are the columns that follow.
template <class... T>
PlannedPayment read_payment(const Query& query, T&... more) {
    PlannedPayment payment;
    auto& payee = payment.payee;
    AccountColumns<payment_account> account;
    query.read(payment.payment_id, payment.draw_id, payment.reading_id, payment.rail, payment.amount,
               payment.trace_number, payment.check_number, payment.batch_number, payment.effective_entry_date,
               payment.check_date, payee.key, payee.name, account, payee.address1, payee.address2, payee.city,
               payee.state, payee.zip, payment.entry_description, payment.remittance, payment.settles_because, more...);
    payee.rail = payment.rail;
    set_account(payee, account);
    return payment;
}

#define PRENOTE_COLUMNS                                                                                             \
    "SELECT trace_number, batch_number, effective_entry_date, fingerprint, payee_key, payee_name, routing_number, " \
    "trace_number, account_number, account_type, sec_code FROM prenote "

disbursement::PlannedPrenote read_prenote(const Query& query) {
    disbursement::PlannedPrenote prenote;
    AccountColumns<prenote_account> account;
    query.read(prenote.trace_number, prenote.batch_number, prenote.effective_entry_date, prenote.fingerprint,
               prenote.payee.key, prenote.payee.name, account);
    set_account(prenote.payee, account);
    return prenote;
}

std::vector<disbursement::PlannedPrenote> read_prenotes(Ledger& ledger, FileId file_id) {
    Query query(ledger, PRENOTE_COLUMNS "WHERE file_id = ? ORDER BY position", file_id);
    std::vector<disbursement::PlannedPrenote> prenotes;
    while (query.next())
        prenotes.push_back(read_prenote(query));
    return prenotes;
}

std::vector<disbursement::PlannedOffset> read_offsets(Ledger& ledger, FileId file_id) {
    Query query(ledger,
                R"sql(
        SELECT batch_number, trace_number, amount_cents
        FROM offset_entry
        WHERE file_id = ?
        ORDER BY batch_number)sql",
                file_id);
    return query.records<disbursement::PlannedOffset>();
}

}  // namespace

std::string file_name(Ledger& ledger, std::int64_t file_id) {
    Query query(ledger, "SELECT name FROM payment_file WHERE file_id = ?", file_id);
    return query.only<std::string>();
}

namespace {

// The length before each value keeps "ab","c" distinct from "a","bc".
void add(Sha256& hash, const std::string& value) {
    hash.update(std::to_string(value.size()) + ":" + value);
}

// NULL is a bare "-", which equals no text because it has no length before it.
void add(Sha256& hash, const std::optional<std::string>& value) {
    if (value) return add(hash, *value);
    hash.update("-");
}

void add_columns(Sha256& hash, const Query& query, int from, int until) {
    for (int column = from; column < until; ++column)
        add(hash, query.optional_text(column));
}

// A row with a sealed value in the two columns at `sealed_at`, which counts as what it opens to.
void add_row(Sha256& hash, const Query& query, int columns, const SealedField& field, int sealed_at) {
    add_columns(hash, query, 0, sealed_at);
    add(hash, query.opened(field, sealed_at));
    add_columns(hash, query, sealed_at + 2, columns);
}

// The payments that the orders in a file are about, each with the ordered action.
#define ORDERED_PAYMENTS                                                                           \
    "SELECT " PAYMENT_COLUMNS                                                                      \
    ", action FROM (SELECT p.*, o.action, l.position AS line FROM check_order_line l "             \
    "JOIN check_order o ON o.order_id = l.order_id JOIN payment p ON p.payment_id = o.payment_id " \
    "WHERE l.file_id = ?) ordered ORDER BY line"

constexpr int payment_columns = 25;
constexpr int payment_account_at = 13;

// A page of a file's payments. With one statement, SQLite would pass over all payments of the batch before it, or
// PostgreSQL would sort all after it.
struct PaymentPage {
    const char *of_batch, *of_later_batches;
};
#define PAYMENTS_OF_FILE(columns, condition) \
    "SELECT " columns " FROM payment WHERE file_id = ? AND " condition " ORDER BY batch_number, payment_id LIMIT ?"
#define PAYMENT_PAGE(columns)                                             \
    PaymentPage {                                                         \
        PAYMENTS_OF_FILE(columns, "batch_number = ? AND payment_id > ?"), \
            PAYMENTS_OF_FILE(columns, "batch_number > ?")                 \
    }
constexpr PaymentPage whole_payments = PAYMENT_PAGE(PAYMENT_COLUMNS);

// Returns how many there were.
template <class Read>
int read_page(Ledger& ledger, const PaymentPage& page, FileId file_id, PaymentPosition after, int limit,
              const Read& read) {
    int found = 0;
    Query of_batch(ledger, page.of_batch, file_id, after.batch_number, after.payment_id, limit);
    for (; of_batch.next(); ++found)
        read(of_batch);
    if (found == limit) return found;
    Query of_later_batches(ledger, page.of_later_batches, file_id, after.batch_number, limit - found);
    for (; of_later_batches.next(); ++found)
        read(of_later_batches);
    return found;
}

constexpr int payment_id_at = 0, batch_number_at = 7;

void add_check_orders(Sha256& hash, Ledger& ledger, FileId file_id) {
    Query query(ledger, ORDERED_PAYMENTS, file_id);
    while (query.next()) {
        add_row(hash, query, payment_columns, payment_account, payment_account_at);
        add(hash, query.text(payment_columns));
    }
}

void add_prenotes(Sha256& hash, Ledger& ledger, FileId file_id) {
    Query query(ledger,
                R"sql(
        SELECT trace_number, batch_number, effective_entry_date, payee_key, fingerprint, payee_name,
            routing_number, trace_number, account_number, account_type, sec_code
        FROM prenote
        WHERE file_id = ?
        ORDER BY position)sql",
                file_id);
    while (query.next())
        add_row(hash, query, 11, prenote_account, 7);
}

void add_offsets(Sha256& hash, Ledger& ledger, FileId file_id) {
    Query query(ledger,
                R"sql(
        SELECT batch_number, trace_number, amount_cents
        FROM offset_entry
        WHERE file_id = ?
        ORDER BY batch_number)sql",
                file_id);
    while (query.next())
        add_columns(hash, query, 0, 3);
}

}  // namespace

struct RowsDigest::State {
    Ledger& ledger;
    FileId file_id;
    PaymentPosition after{};
    Sha256 hash{};
};

RowsDigest::RowsDigest(Ledger& ledger, FileId file_id) : state_(std::make_unique<State>(ledger, file_id)) {}
RowsDigest::~RowsDigest() = default;
RowsDigest::RowsDigest(RowsDigest&&) noexcept = default;

bool RowsDigest::read_some(int payments) {
    auto& state = *state_;
    const auto add_payment = [&](const Query& query) {
        add_row(state.hash, query, payment_columns, payment_account, payment_account_at);
        state.after = {query.integer(batch_number_at), query.integer(payment_id_at)};
    };
    return read_page(state.ledger, whole_payments, state.file_id, state.after, payments, add_payment) == payments;
}

std::string RowsDigest::hex() {
    add_check_orders(state_->hash, state_->ledger, state_->file_id);
    add_prenotes(state_->hash, state_->ledger, state_->file_id);
    add_offsets(state_->hash, state_->ledger, state_->file_id);
    return state_->hash.hex();
}

std::string payments_digest(Ledger& ledger, FileId file_id) {
    RowsDigest digest(ledger, file_id);
    static_cast<void>(digest.read_some(std::numeric_limits<int>::max()));
    return digest.hex();
}

std::vector<PlannedPayment> load_payments(Ledger& ledger, FileId file_id, PaymentPosition after, int limit) {
    std::vector<PlannedPayment> payments;
    read_page(ledger, whole_payments, file_id, after, limit,
              [&](const Query& query) { payments.push_back(read_payment(query)); });
    return payments;
}

bool ExportedPayments::read_some(int payments) {
    if (is_complete_) return false;
    constexpr PaymentPage sent_payments = PAYMENT_PAGE(
        "batch_number, payment_id, draw_id, amount_cents, coalesce(trace_number, CAST(check_number AS TEXT))");
    reconciliation::SentPayment sent;
    const auto append = [&](const Query& query) {
        query.read(after_.batch_number, after_.payment_id, sent.draw_id, sent.amount, sent.reference);
        sent.payment_id = after_.payment_id;
        reconciliation::append_payment(text_, sent);
    };
    const int found = read_page(*ledger_, sent_payments, file_id_, after_, payments, append);
    if (found == payments) return true;
    is_complete_ = true;
    Query orders(*ledger_,
                 R"sql(
        SELECT p.payment_id, p.draw_id, p.amount_cents, coalesce(p.trace_number, CAST(p.check_number AS TEXT))
        FROM check_order_line l
        JOIN check_order o ON o.order_id = l.order_id
        JOIN payment p ON p.payment_id = o.payment_id
        WHERE l.file_id = ?
        ORDER BY l.position)sql",
                 file_id_);
    for (const auto& check : orders.records<reconciliation::SentPayment>())
        reconciliation::append_payment(text_, check);
    return false;
}

const std::string& ExportedPayments::text() {
    read_some(std::numeric_limits<int>::max());
    return text_;
}

std::vector<PaidDraw> paid_draws(Ledger& ledger, FileId file_id, PaymentPosition after, int limit) {
    std::vector<PaidDraw> draws;
    read_page(ledger, PAYMENT_PAGE("batch_number, payment_id, draw_id"), file_id, after, limit,
              [&](const Query& query) { draws.push_back({{query.integer(0), query.integer(1)}, query.integer(2)}); });
    return draws;
}

std::vector<PlannedPayment> load_payments(Ledger& ledger, const std::vector<std::int64_t>& payment_ids) {
    Query query(ledger, "SELECT " PAYMENT_COLUMNS " FROM payment WHERE payment_id IN " LISTED_IDS " ORDER BY draw_id",
                id_list(payment_ids));
    std::vector<PlannedPayment> payments;
    while (query.next())
        payments.push_back(read_payment(query));
    return payments;
}

disbursement::PlannedPayment load_payment(Ledger& ledger, std::int64_t payment_id) {
    auto payments = load_payments(ledger, {payment_id});
    DRAWBRIDGE_ASSERT(!payments.empty(), "the payment is in the ledger");
    return std::move(payments.front());
}

disbursement::PlannedPrenote load_prenote(Ledger& ledger, std::int64_t prenote_id) {
    Query query(ledger, PRENOTE_COLUMNS "WHERE prenote_id = ?", prenote_id);
    DRAWBRIDGE_ASSERT(query.next(), "the prenote is in the ledger");
    return read_prenote(query);
}

StoredFile load_file_without_payments(Ledger& ledger, FileId file_id) {
    PlannedFile file;
    Opened<file_profile> profile_json;
    {
        Query query(ledger,
                    R"sql(
            SELECT name, rail, created_at, creation_date, creation_minutes, file_id_modifier, total_cents,
                entry_hash, name, profile, kind
            FROM payment_file
            WHERE file_id = ?)sql",
                    file_id);
        DRAWBRIDGE_ASSERT(query.next(), "the file is in the ledger");
        std::int64_t creation_minutes = 0;
        std::optional<std::string> modifier;
        std::string kind;
        query.read(file.name, file.rail, file.created_at, file.creation_date, creation_minutes, modifier, file.total,
                   file.entry_hash, profile_json, kind);
        file.creation_time = std::chrono::minutes(creation_minutes);
        if (modifier) file.file_id_modifier = modifier->front();
        if (kind == "check_orders") file.kind = disbursement::FileKind::check_orders;
    }
    file.prenotes = read_prenotes(ledger, file_id);
    file.offsets = read_offsets(ledger, file_id);
    return {std::move(file), profile_from(profile_json)};
}

StoredFile load_file(Ledger& ledger, FileId file_id) {
    auto stored = load_file_without_payments(ledger, file_id);
    auto& file = stored.file;
    if (file.kind == disbursement::FileKind::check_orders) {
        Query query(ledger, ORDERED_PAYMENTS, file_id);
        while (query.next()) {
            checks::CheckAction action{};
            file.payments.push_back(read_payment(query, action));
            file.payments.back().check_action = action;
        }
    } else {
        file.payments = load_payments(ledger, file_id, {}, std::numeric_limits<int>::max());
    }
    return stored;
}

disbursement::FileProfile profile_of(Ledger& ledger, FileId file_id) {
    Query query(ledger, "SELECT name, profile FROM payment_file WHERE file_id = ?", file_id);
    return profile_from(query.only<Opened<file_profile>>());
}

std::vector<AccountNumber> accounts_of_checks(Ledger& ledger) {
    auto& known = ledger.connection().check_accounts;
    Query query(ledger,
                "SELECT file_id, name, profile FROM payment_file WHERE rail = 'check' AND file_id > ? ORDER BY file_id",
                known.through);
    while (query.next()) {
        const auto [file_id, profile] = query.row<FileId, Opened<file_profile>>();
        const auto account = std::get<disbursement::CheckProfile>(profile_from(profile)).account;
        const bool is_known = std::ranges::any_of(
            known.accounts, [&](const AccountNumber& one) { return one.reveal() == account.reveal(); });
        if (!is_known) known.accounts.push_back(account);
        known.through = file_id;
    }
    return known.accounts;
}

std::vector<ReleasedSum> releases_since(Ledger& ledger, Instant since, std::string_view by) {
    // An order whose file waits longer lapses: its settlement date passes.
    constexpr std::chrono::days max_wait{30};
    Query query(ledger,
                R"sql(
        SELECT released_at, 0, total_cents, name, profile
        FROM payment_file
        WHERE release_ordered_at >= ? AND released_at >= ? AND release_ordered_by = ? AND kind = 'payments'
            AND voided_at IS NULL
        UNION ALL
        SELECT release_ordered_at, 1, total_cents, name, profile
        FROM payment_file
        WHERE released_at IS NULL AND voided_at IS NULL AND release_ordered_at IS NOT NULL AND release_ordered_by = ?
            AND kind = 'payments'
        UNION ALL
        SELECT o.ordered_at, 1, f.total_cents, f.name, f.profile
        FROM release_order o
        JOIN payment_file f ON f.file_id = o.file_id
        WHERE o.ended_at IS NULL AND f.release_ordered_at IS NULL AND o.ordered_by = ? AND f.kind = 'payments')sql",
                Instant(since - max_wait), since, by, by, by);
    std::vector<ReleasedSum> sums;
    while (query.next()) {
        const auto [at, waits, total, profile] = query.row<Instant, bool, Money, Opened<file_profile>>();
        sums.push_back({at, waits, total, profile_from(profile)});
    }
    Query sent(ledger,
               R"sql(
        SELECT f.released_at, sum(s.amount_cents)
        FROM sent_file f
        JOIN sent_payment s ON s.sent_id = f.sent_id
        WHERE f.released_at >= ? AND f.released_by = ?
        GROUP BY f.sent_id, f.released_at)sql",
               since, by);
    while (sent.next()) {
        const auto [at, total] = sent.row<Instant, Money>();
        sums.push_back({at, false, total, std::nullopt});
    }
    return sums;
}

}  // namespace drawbridge::ledger
