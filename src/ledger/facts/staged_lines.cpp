#include "drawbridge/ledger/facts/staged_lines.hpp"

#include <set>
#include <utility>

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/ledger/store/read_ahead.hpp"
#include "drawbridge/reconciliation/match.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

using reconciliation::OpenPayment;
using reconciliation::PaymentIndex;

constexpr std::int64_t no_payment = 0;

#define STAGED_COLUMNS                                                                                           \
    "payment_id, ordinal, line, payment_reference, kind, amount_cents, confirmed_on, reference_list, currency, " \
    "reason_code, ordinal, corrected_data, payee_name, note"

// "3:15:091000010000001" for each reference, concatenated.
std::string packed(const std::vector<Reference>& references) {
    std::string text;
    for (const Reference& reference : references)
        text += std::to_string(static_cast<int>(reference.kind)) + ":" + std::to_string(reference.text.size()) + ":" +
                reference.text;
    return text;
}

std::vector<Reference> unpacked(const std::string& text) {
    std::vector<Reference> references;
    for (std::size_t at = 0; at < text.size();) {
        const auto kind = static_cast<ReferenceKind>(text[at] - '0');
        const std::size_t colon = text.find(':', at + 2);
        const std::size_t length = std::stoul(text.substr(at + 2, colon - at - 2));
        references.push_back({kind, text.substr(colon + 1, length)});
        at = colon + 1 + length;
    }
    return references;
}

void collect(Query& query, std::vector<OpenPayment>& into) {
    while (query.next()) {
        OpenPayment payment;
        payment.payment_id = query.integer(0);
        payment.payment_id_text = disbursement::format_payment_id(payment.payment_id);
        payment.trace_number = query.optional_text(1);
        payment.check_number = query.optional_integer(2);
        into.push_back(std::move(payment));
    }
}

// The payments a reference may refer to; only their ids, to group lines.
void add_candidates(Ledger& ledger, const std::string& reference, std::vector<OpenPayment>& into) {
    const auto forms = reconciliation::read_reference(reference);
    if (forms.trace_number) {
        Query query(ledger, "SELECT payment_id, trace_number, check_number FROM payment WHERE trace_number = ?",
                    *forms.trace_number);
        collect(query, into);
    }
    if (forms.check_number) {
        Query query(ledger, "SELECT payment_id, trace_number, check_number FROM payment WHERE check_number = ?",
                    *forms.check_number);
        collect(query, into);
    }
    if (forms.payment_id_text) {
        const auto payment_id = disbursement::parse_payment_id(*forms.payment_id_text);
        if (!payment_id) return;
        Query query(ledger, "SELECT payment_id, trace_number, check_number FROM payment WHERE payment_id = ?",
                    *payment_id);
        collect(query, into);
    }
}

std::int64_t payment_of(Ledger& ledger, const Confirmation& line) {
    std::vector<OpenPayment> candidates;
    if (line.references.empty()) add_candidates(ledger, line.payment_reference, candidates);
    for (const Reference& reference : line.references)
        add_candidates(ledger, reference.text, candidates);
    if (candidates.empty()) return no_payment;
    const PaymentIndex index(std::move(candidates));
    const auto found = index.find(line);
    return found.size() == 1 ? found.front()->payment_id : no_payment;
}

// A line that states no amount has the negative number of its source.
std::int64_t staged_amount(Money amount, AmountSource source) {
    return source == AmountSource::line ? amount.cents() : -static_cast<std::int64_t>(source);
}

AmountSource source_of(std::int64_t staged_amount) {
    return staged_amount >= 0 ? AmountSource::line : static_cast<AmountSource>(-staged_amount);
}

void insert(Ledger& ledger, std::int64_t staging_id, std::int64_t payment_id, std::int64_t ordinal,
            const Confirmation& confirmation) {
    // A structured binding: a new field of Confirmation does not compile here until it is stored too.
    const auto& [line, payment_reference, kind, amount, date, references, currency, reason_code, corrected_data,
                 payee_name, note, amount_source] = confirmation;
    std::optional<std::string> correction;
    if (!corrected_data.empty())
        correction = ledger.connection().sealer->seal(staged_correction.name, std::to_string(ordinal), corrected_data);
    Query(ledger,
          R"sql(
        INSERT INTO staged_line (staging_id, payment_id, ordinal, line, payment_reference, kind, amount_cents,
            confirmed_on, reference_list, currency, reason_code, corrected_data, payee_name, note)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?))sql",
          staging_id, payment_id, ordinal, line, borrowed(payment_reference), static_cast<int>(kind),
          staged_amount(amount, amount_source), date, packed(references), borrowed(currency), borrowed(reason_code),
          correction, borrowed(payee_name), borrowed(note))
        .run_in_bulk();
}

Confirmation read(Query& query) {
    Confirmation line;
    line.line = query.integer(2);
    line.payment_reference = query.text(3);
    line.kind = static_cast<ConfirmationKind>(query.integer(4));
    const std::int64_t amount = query.integer(5);
    line.amount_source = source_of(amount);
    if (line.amount_source == AmountSource::line) line.amount = Money::from_cents(amount);
    line.date = query.date(6);
    line.references = unpacked(query.text(7));
    line.currency = query.text(8);
    line.reason_code = query.text(9);
    line.corrected_data = query.opened(staged_correction, 10).value_or("");
    line.payee_name = query.text(12);
    line.note = query.text(13);
    return line;
}

// Queues are written outside the ledger's transactions: nothing of it is a fact, and nothing waits for the disk.
template <class F>
void write_queue(Ledger& ledger, F&& work) {
    auto& connection = ledger.connection();
    DRAWBRIDGE_ASSERT(!connection.in_transaction, "lines are staged outside the ledger's transactions");
    connection.db.begin(/*waits_for_disk=*/false);
    try {
        work();
        connection.db.commit(/*waits_for_disk=*/false);
    } catch (const std::exception&) {
        connection.db.roll_back(/*waits_for_disk=*/false);
        throw;
    }
}

std::int64_t new_staging(Ledger& ledger) {
    const auto id = Query(ledger, "SELECT coalesce(max(staging_id), 0) + 1 FROM staged_line").only<std::int64_t>();
    ledger.connection().stagings.insert(id);
    return id;
}

std::optional<std::int64_t> next_staging(Ledger& ledger, std::int64_t after) {
    return Query(ledger, "SELECT min(staging_id) FROM staged_line WHERE staging_id > ?", after)
        .only<std::optional<std::int64_t>>();
}

// Its lines are being read, or they belong to a file that is not complete.
bool is_in_use(Ledger& ledger, std::int64_t staging_id) {
    if (ledger.connection().stagings.contains(staging_id)) return true;
    Query query(ledger, "SELECT 1 FROM confirmation_file WHERE completed_at IS NULL AND staging_id = ?", staging_id);
    return query.next();
}

}  // namespace

StagedLines::StagedLines(Ledger& ledger, std::size_t lines_in_memory, std::int64_t max_per_payment)
    : ledger_(ledger), lines_in_memory_(lines_in_memory), max_per_payment_(max_per_payment) {}

StagedLines::StagedLines(Ledger& ledger, Staging staging)
    : ledger_(ledger), lines_in_memory_(0), staging_id_(staging.id) {
    ledger_.connection().stagings.insert(staging_id_);
}

StagedLines::~StagedLines() {
    ledger_.connection().stagings.erase(staging_id_);
}

std::optional<std::int64_t> StagedLines::staging_id() const {
    return staging_id_ == 0 ? std::nullopt : std::optional(staging_id_);
}

void StagedLines::add(Confirmation line) {
    waiting_.push_back(std::move(line));
    ++size_;
    if (waiting_.size() > lines_in_memory_) spill();
}

void StagedLines::seal() {
    if (staging_id_ != 0 && !waiting_.empty()) spill();
}

void StagedLines::spill() {
    write_queue(ledger_, [&] {
        if (staging_id_ == 0) staging_id_ = new_staging(ledger_);
        const ReadAhead payments_of_lines(ledger_, [&] {
            for (const Confirmation& line : waiting_)
                static_cast<void>(payment_of(ledger_, line));
        });
        std::vector<std::int64_t> payments;
        std::int64_t ordinal = size_ - static_cast<std::int64_t>(waiting_.size());
        for (const Confirmation& line : waiting_) {
            payments.push_back(payment_of(ledger_, line));
            insert(ledger_, staging_id_, payments.back(), ordinal++, line);
        }
        note_crowded(payments);
    });
    waiting_.clear();
}

void StagedLines::note_crowded(const std::vector<std::int64_t>& payments) {
    if (crowded_payment_ || size_ <= max_per_payment_) return;
    std::set distinct(payments.begin(), payments.end());
    distinct.erase(no_payment);
    const auto lines_of = [&](std::int64_t payment_id) {
        return Query(ledger_, "SELECT count(*) FROM staged_line WHERE staging_id = ? AND payment_id = ?", staging_id_,
                     payment_id)
            .first<std::int64_t>()
            .value_or(0);  // no row while ReadAhead collects queries
    };
    const ReadAhead crowded(ledger_, [&] {
        for (const auto payment_id : distinct)
            static_cast<void>(lines_of(payment_id));
    });
    for (const auto payment_id : distinct) {
        if (lines_of(payment_id) > max_per_payment_) crowded_payment_ = payment_id;
    }
}

std::vector<Confirmation> StagedLines::next(std::size_t about) {
    std::vector<Confirmation> lines;
    if (staging_id_ == 0) {
        if (after_ordinal_ < 0) lines = waiting_;
        after_ordinal_ = 0;
        return lines;
    }
    const auto read_all = [&](Query& query) {
        while (query.next()) {
            lines.push_back(read(query));
            after_payment_ = query.integer(0);
            after_ordinal_ = query.integer(1);
        }
    };
    // PostgreSQL sends all that is asked for.
    Query page(ledger_, "SELECT " STAGED_COLUMNS R"sql(
        FROM staged_line
        WHERE staging_id = ? AND (payment_id, ordinal) > (?, ?)
        ORDER BY payment_id, ordinal
        LIMIT ?)sql",
               staging_id_, after_payment_, after_ordinal_, static_cast<std::int64_t>(about));
    read_all(page);
    if (lines.size() < about || after_payment_ == no_payment) return lines;
    Query rest(ledger_, "SELECT " STAGED_COLUMNS R"sql(
        FROM staged_line
        WHERE staging_id = ? AND payment_id = ? AND ordinal > ?
        ORDER BY ordinal)sql",
               staging_id_, after_payment_, after_ordinal_);
    read_all(rest);
    return lines;
}

bool StagedLines::has_more() {
    if (staging_id_ == 0) return after_ordinal_ < 0 && !waiting_.empty();
    Query query(ledger_, "SELECT 1 FROM staged_line WHERE staging_id = ? AND (payment_id, ordinal) > (?, ?) LIMIT 1",
                staging_id_, after_payment_, after_ordinal_);
    return query.next();
}

void StagedLines::forget_returned() {
    assert_in_transaction(ledger_);
    if (staging_id_ == 0) return;
    Query(ledger_, "DELETE FROM staged_line WHERE staging_id = ? AND (payment_id, ordinal) <= (?, ?)", staging_id_,
          after_payment_, after_ordinal_)
        .run();
}

bool discard_staged_lines(Ledger& ledger) {
    std::int64_t abandoned = 0;
    do {
        const auto next = next_staging(ledger, abandoned);
        if (!next) return false;
        abandoned = *next;
    } while (is_in_use(ledger, abandoned));
    write_queue(ledger, [&] {
        Query(ledger,
              R"sql(
            DELETE FROM staged_line
            WHERE (staging_id, payment_id, ordinal) IN (SELECT staging_id, payment_id, ordinal FROM staged_line
                WHERE staging_id = ? ORDER BY payment_id, ordinal LIMIT ?))sql",
              abandoned, lines_at_once)
            .run();
    });
    return true;
}

std::optional<DrawId> draw_of_payment(Ledger& ledger, std::int64_t payment_id) {
    Query query(ledger, "SELECT draw_id FROM payment WHERE payment_id = ?", payment_id);
    if (!query.next()) return std::nullopt;
    return query.integer(0);
}

}  // namespace drawbridge::ledger
