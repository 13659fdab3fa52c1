#include "drawbridge/ledger/store/read_ahead.hpp"

#include "store/connection.hpp"

namespace drawbridge::ledger {

ReadAhead::ReadAhead(Ledger& ledger, const std::function<void()>& ask) : ledger_(ledger) {
    if (!is_in_postgresql(ledger)) return;
    constexpr int max_rounds = 4;
    auto& session = ledger.connection().db.postgresql();
    session.ahead().forget();
    const postgresql::Asking asking(session.ahead());
    for (int round = 0; round < max_rounds; ++round) {
        ask();
        if (!session.fetch_ahead()) break;
    }
}

ReadAhead::~ReadAhead() {
    if (is_in_postgresql(ledger_)) ledger_.connection().db.postgresql().ahead().forget();
}

}  // namespace drawbridge::ledger
