#include "drawbridge/ledger/reports/return_rates.hpp"

#include <fmt/format.h>

#include "store/connection.hpp"

namespace drawbridge::ledger {

using nacha::ReturnClass;

double ReturnRate::fraction() const {
    return entries == 0 ? 0 : static_cast<double>(returned) / static_cast<double>(entries);
}

bool ReturnRate::is_high() const {
    return returned > 1 && returned * 1000 > entries * nacha::return_limit_per_mille(what);
}

std::array<ReturnRate, 3> return_rates(Ledger& ledger, Instant now) {
    const Instant since = now - return_rate_window;
    std::int64_t entries = 0;
    {
        Query query(ledger,
                    R"sql(
            SELECT coalesce(sum(payment_count), 0)
            FROM payment_file
            WHERE rail = 'ach' AND kind = 'payments' AND released_at >= ?)sql",
                    since);
        entries = query.only<std::int64_t>();
    }
    std::array<ReturnRate, 3> rates = {ReturnRate{ReturnClass::unauthorized, 0, entries},
                                       ReturnRate{ReturnClass::administrative, 0, entries},
                                       ReturnRate{ReturnClass::overall, 0, entries}};
    // A payment counts as returned once, however often the bank reports it, and only if the return was applied. None
    // was returned before it was released.
    Query query(ledger,
                R"sql(
        SELECT l.bank_code, count(*)
        FROM settlement s INDEXED BY settlement_returned
        CROSS JOIN confirmation_line l ON l.line_id = s.line_id
        CROSS JOIN payment p ON p.payment_id = s.payment_id
        CROSS JOIN payment_file f ON f.file_id = p.file_id
        WHERE s.kind = 'returned' AND s.recorded_at >= ? AND s.undone_at IS NULL AND p.rail = 'ach'
            AND f.released_at >= ?
        GROUP BY l.bank_code)sql",
                since, since);
    while (query.next()) {
        const auto [code, payments] = query.row<std::string, std::int64_t>();
        const auto what = nacha::return_class(code);
        for (auto& rate : rates) {
            if (rate.what == what || rate.what == ReturnClass::overall) rate.returned += payments;
        }
    }
    return rates;
}

std::string describe(const ReturnRate& rate) {
    return fmt::format("{} {:.2f} % (limit {:g} %): {} of {} entries", nacha::to_string(rate.what),
                       rate.fraction() * 100, nacha::return_limit_per_mille(rate.what) / 10.0, rate.returned,
                       rate.entries);
}

}  // namespace drawbridge::ledger
