// What the guards of the pay step remember: since when a payee has its bank details, which accounts were tried out by
// a prenote, what a person let pass, and what became of everything that was approved in each run.
//
// Bank details are kept as a hash under a key of this ledger, which is sealed itself; never in the clear.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/domain/draw.hpp"
#include "drawbridge/ledger/ledger.hpp"
#include "drawbridge/ledger/payments.hpp"

namespace drawbridge::ledger {

// Notes the bank details of every payee of a directory that was not the last one seen. The very first directory of a
// ledger is its baseline: what it says counts as known.
void observe_payees(Ledger& ledger, const disbursement::PayeeDirectory& directory, const Stamp& stamp);

// The hash of where the money of this payee goes.
[[nodiscard]] std::string details_fingerprint(Ledger& ledger, const disbursement::Payee& payee);
// The same where any was ever taken; a ledger that has none holds nothing back.
[[nodiscard]] std::optional<std::string> known_details_fingerprint(Ledger& ledger, const disbursement::Payee& payee);

struct PayeeStanding {
    std::optional<Instant> details_since;  // absent: known from the baseline on, or a payee never observed
    disbursement::PrenoteStatus prenote;
};
// `prenotes_required`: accounts that are not of the baseline must be tried out first.
[[nodiscard]] PayeeStanding payee_standing(Ledger& ledger, const disbursement::Payee& payee, bool prenotes_required);

// A payment of this amount to this payee in a file created on or after `since` and before the file `before`, voided and
// ended ones aside: "P… of draw 17 on 2026-11-19".
[[nodiscard]] std::optional<std::string> earlier_payment(Ledger& ledger, std::string_view payee_key, Money amount,
                                                         BusinessDate since, FileId before = every_file);
// Of files created that day before the file `before`, voided ones aside.
[[nodiscard]] Money planned_on(Ledger& ledger, BusinessDate creation_date, FileId before = every_file);
// Signs that somebody else paid this draw: the service showed it as Disbursed, or shows a date or an amount of a
// disbursement, and no file before `before` pays it. Each sign in the same words as long as the service shows the same.
[[nodiscard]] std::vector<std::string> disbursed_elsewhere(Ledger& ledger, const Draw& draw,
                                                           FileId before = every_file);
[[nodiscard]] std::vector<disbursement::Lift> lifts_of(Ledger& ledger, DrawId id);

struct PrenoteRow {
    std::int64_t prenote_id = 0;
    std::string trace_number;
    std::string payee_key;
    std::string file_name;
    BusinessDate effective_entry_date;
    std::optional<Instant> returned_at;
    std::string return_reason_code;
};
[[nodiscard]] std::optional<PrenoteRow> find_prenote(Ledger& ledger, std::string_view trace_number);
// The bank sent it back: nothing is paid to that account until the payee's record changes. Errors: no such prenote, one
// of a voided file, returned already.
[[nodiscard]] Result<void> record_prenote_returned(Ledger& ledger, std::string_view trace_number,
                                                   std::string_view return_reason_code, const Stamp& stamp);

struct CountAndCents {
    std::int64_t count = 0;
    Money amount;
    void add(const std::optional<Money>& more) {
        ++count;
        if (more) amount += *more;
    }
};
struct PayRun {
    Instant at;
    std::string by;
    CountAndCents approved;     // as read afresh right before planning
    CountAndCents exported;     // in payment files
    CountAndCents held;         // by a guard
    CountAndCents exceptions;   // something is wrong with them
    std::int64_t unread = 0;    // could not be read afresh, and come again
    std::int64_t moved_on = 0;  // no longer Approved
    [[nodiscard]] bool is_complete() const {
        return approved.count == exported.count + held.count + exceptions.count &&
               approved.amount == exported.amount + held.amount + exceptions.amount;
    }
};
void record_pay_run(Ledger& ledger, const PayRun& run);
// Newest first.
[[nodiscard]] std::vector<PayRun> pay_runs(Ledger& ledger, int limit);
// What the rows say was planned from this payment id on, for holding a run against.
[[nodiscard]] CountAndCents planned_from(Ledger& ledger, std::int64_t first_payment_id);

}  // namespace drawbridge::ledger
