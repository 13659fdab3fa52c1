#include "drawbridge/ledger/reports/check_register.hpp"

#include <algorithm>
#include <utility>

#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/sent_before.hpp"
#include "facts/payment_row.hpp"

namespace drawbridge::ledger {
namespace {

struct RegisterRow {
    std::int64_t check_number = 0, payment_id = 0, file_id = 0;
    DrawId draw_id = 0;
    std::string payee_name;
    Money amount;
    std::optional<BusinessDate> check_date;
    std::string file_name;
    bool voided = false, released = false;
    std::optional<BusinessDate> paid, returned, voided_at_bank;
    std::optional<checks::CheckAction> ordered_action;
    Instant ordered_at;
    std::string ordered_by, order_reason;
    std::optional<Instant> transmitted_at;
    std::string order_file;
    std::optional<std::int64_t> payment_before, payment_after;  // of the same draw
};

CheckState state_of(const RegisterRow& row, BusinessDate stale_until) {
    if (row.voided) return CheckState::not_issued;
    if (row.returned) return CheckState::returned;
    const bool stop = row.ordered_action == checks::CheckAction::stop;
    const bool transmitted = row.ordered_action && row.transmitted_at;
    if (transmitted && !row.paid) return stop ? CheckState::stopped : CheckState::void_transmitted;
    if (row.voided_at_bank) return CheckState::voided_by_bank;
    if (row.paid) return CheckState::paid;
    if (row.ordered_action) return stop ? CheckState::stop_requested : CheckState::void_requested;
    if (!row.released) return CheckState::planned;
    return row.check_date && *row.check_date <= stale_until ? CheckState::stale : CheckState::issued;
}

// The name of a payment for people.
std::string payment_name(Ledger& ledger, std::optional<std::int64_t> payment_id) {
    if (!payment_id) return {};
    Query query(ledger, "SELECT check_number FROM payment WHERE payment_id = ?", *payment_id);
    const auto check_number = query.only<std::optional<std::int64_t>>();
    if (check_number) return "check " + std::to_string(*check_number);
    return disbursement::format_payment_id(*payment_id);
}

CheckRow listed(Ledger& ledger, const RegisterRow& row, BusinessDate stale_until) {
    CheckRow check;
    check.first_number = check.last_number = row.check_number;
    check.state = state_of(row, stale_until);
    check.payment_id = row.payment_id;
    check.draw_id = row.draw_id;
    check.payee_name = row.payee_name;
    check.amount = row.amount;
    check.check_date = row.check_date;
    check.file_name = row.file_name;
    check.settled_on = row.returned ? row.returned : row.voided_at_bank ? row.voided_at_bank : row.paid;
    if (row.ordered_action) {
        check.order = CheckOrderRow{*row.ordered_action, row.ordered_at,     row.ordered_by,
                                    row.order_reason,    row.transmitted_at, row.order_file};
    }
    check.replaces = payment_name(ledger, row.payment_before);
    check.replaced_by = payment_name(ledger, row.payment_after);
    return check;
}

// Checks that went out and that the bank has not reported as paid.
// Without a hint, SQLite looks at every live payment, and every status asks this.
#define OUTSTANDING                                                                                  \
    "FROM payment p INDEXED BY payment_outstanding_check "                                           \
    "CROSS JOIN payment_file f ON f.file_id = p.file_id WHERE p.rail = 'check' "                     \
    "AND p.ended_at IS NULL AND p.finished_at IS NULL AND f.released_at IS NOT NULL AND NOT EXISTS " \
    "(SELECT 1 FROM payment_settlement s WHERE s.payment_id = p.payment_id AND s.kind = 'paid') "

}  // namespace

std::string_view to_string(CheckState state) {
    switch (state) {
        case CheckState::planned: return "planned";
        case CheckState::issued: return "issued";
        case CheckState::stale: return "stale";
        case CheckState::paid: return "paid";
        case CheckState::void_requested: return "void_requested";
        case CheckState::stop_requested: return "stop_requested";
        case CheckState::void_transmitted: return "void_transmitted";
        case CheckState::stopped: return "stopped";
        case CheckState::voided_by_bank: return "voided_by_bank";
        case CheckState::returned: return "returned";
        case CheckState::not_issued: return "not_issued";
        case CheckState::sent_before_restore: return "sent_before_restore";
        case CheckState::skipped_by_restore: return "skipped_by_restore";
        case CheckState::never_used: return "never_used";
    }
    return "planned";
}

namespace {

struct Numbered {
    CheckRow check;
    std::optional<FileId> file_id;  // nullopt: it left before a restore
};

std::vector<Numbered> checks_of_payments(Ledger& ledger, BusinessDate stale_until, std::int64_t after, int limit) {
    Query query(ledger,
                R"sql(
        SELECT p.check_number, p.payment_id, p.file_id, p.draw_id, p.payee_name, p.amount_cents, p.check_date, f.name,
            f.voided_at IS NOT NULL, f.released_at IS NOT NULL,
            (SELECT s.confirmed_on FROM payment_settlement s WHERE s.payment_id = p.payment_id AND s.kind = 'paid'),
            (SELECT s.confirmed_on FROM payment_settlement s WHERE s.payment_id = p.payment_id AND s.kind = 'returned'),
            (SELECT s.confirmed_on FROM payment_settlement s WHERE s.payment_id = p.payment_id AND s.kind = 'void'),
            o.action, o.ordered_at, o.ordered_by, o.reason, o.transmitted_at,
            (SELECT v.name FROM check_order_line l JOIN payment_file v ON v.file_id = l.file_id
            WHERE l.order_id = o.order_id AND v.voided_at IS NULL),
            (SELECT max(b.payment_id) FROM payment b WHERE b.draw_id = p.draw_id AND b.payment_id < p.payment_id),
            (SELECT min(n.payment_id) FROM payment n WHERE n.draw_id = p.draw_id AND n.payment_id > p.payment_id)
        FROM payment p
        JOIN payment_file f ON f.file_id = p.file_id
        LEFT JOIN check_order o ON o.payment_id = p.payment_id AND o.withdrawn_at IS NULL
        WHERE p.check_number > ?
        ORDER BY p.check_number
        LIMIT ?)sql",
                after, limit);
    std::vector<Numbered> rows;
    while (query.next()) {
        const auto row = query.record<RegisterRow>();
        rows.push_back({listed(ledger, row, stale_until), row.file_id});
    }
    return rows;
}

CheckRow listed(const CheckSentBefore& sent) {
    CheckRow check;
    check.first_number = check.last_number = sent.check_number;
    check.state = CheckState::sent_before_restore;
    check.draw_id = sent.payment.draw_id;
    check.amount = sent.payment.amount;
    check.file_name = sent.payment.file;
    return check;
}

// With the checks that left before a restore.
std::vector<Numbered> all_checks(Ledger& ledger, BusinessDate stale_until, std::int64_t after, int limit) {
    auto rows = checks_of_payments(ledger, stale_until, after, limit);
    for (const auto& sent : checks_sent_before(ledger, after))
        rows.push_back({listed(sent), std::nullopt});
    std::ranges::sort(rows, {}, [](const Numbered& row) { return row.check.first_number; });
    if (rows.size() > static_cast<std::size_t>(limit)) rows.resize(static_cast<std::size_t>(limit));
    return rows;
}

// The file of the newest check up to this number; 0: none.
FileId file_of_check_until(Ledger& ledger, std::int64_t number) {
    Query query(ledger, "SELECT file_id FROM payment WHERE check_number <= ? ORDER BY check_number DESC LIMIT 1",
                number);
    return query.first<FileId>().value_or(0);
}

// Finds the gaps between checks, one after the other.
class Gaps {
  public:
    Gaps(Ledger& ledger, std::int64_t after)
        : ledger_(ledger), before_(after), file_(file_of_check_until(ledger, after)) {}

    // The gap before this check.
    std::optional<CheckRow> before(const Numbered& row) {
        std::optional<CheckRow> gap;
        if (before_ > 0 && row.check.first_number > before_ + 1) {
            gap.emplace();
            gap->first_number = before_ + 1;
            gap->last_number = row.check.first_number - 1;
            if (was_restored(row)) gap->state = CheckState::skipped_by_restore;
        }
        before_ = row.check.last_number;
        file_ = row.file_id.value_or(file_);
        return gap;
    }

  private:
    // Between the files of the checks around the gap. A check sent before a restore shows that there was one.
    [[nodiscard]] bool was_restored(const Numbered& row) const {
        return !row.file_id || was_restored_between(ledger_, file_, *row.file_id);
    }

    Ledger& ledger_;
    std::int64_t before_;
    FileId file_;
};

}  // namespace

std::vector<CheckRow> check_register(Ledger& ledger, BusinessDate stale_until, std::int64_t after, int limit) {
    std::vector<CheckRow> rows;
    Gaps gaps(ledger, after);
    for (auto& row : all_checks(ledger, stale_until, after, limit)) {
        if (auto gap = gaps.before(row)) rows.push_back(*std::move(gap));
        rows.push_back(std::move(row.check));
    }
    if (rows.size() > static_cast<std::size_t>(limit)) rows.resize(static_cast<std::size_t>(limit));
    return rows;
}

std::int64_t count_checks(Ledger& ledger) {
    Query query(ledger, "SELECT count(*) FROM payment WHERE check_number > 0");
    return query.only<std::int64_t>() + std::ssize(checks_sent_before(ledger, 0));
}

OutstandingChecks outstanding_checks(Ledger& ledger, BusinessDate stale_until) {
    OutstandingChecks sums;
    {
        Query query(ledger, "SELECT p.amount_cents, p.check_date <= ? " OUTSTANDING, stale_until);
        while (query.next()) {
            const auto [amount, is_stale] = query.row<Money, bool>();
            ++sums.outstanding;
            sums.amount += amount;
            if (!is_stale) continue;
            ++sums.stale;
            sums.stale_amount += amount;
        }
    }
    Query query(ledger, "SELECT count(*) FROM check_order WHERE withdrawn_at IS NULL AND transmitted_at IS NULL");
    sums.orders_not_transmitted = query.only<std::int64_t>();
    return sums;
}

std::vector<StaleCheck> newly_stale_checks(Ledger& ledger, BusinessDate until) {
    Query query(
        ledger,
        "SELECT p.payment_id, p.draw_id, p.check_number, p.payee_name, p.amount_cents, p.check_date " OUTSTANDING
        "AND p.check_date <= ? AND NOT EXISTS (SELECT 1 FROM exception e "
        "WHERE e.payment_id = p.payment_id AND e.reason_code = 'check_stale') ORDER BY p.check_number",
        until);
    return query.records<StaleCheck>();
}

}  // namespace drawbridge::ledger
