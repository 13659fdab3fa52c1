// The records behind the guards of the pay step: since when a payee has its bank details, which accounts were tested by
// a prenote, which guards a person overrode, and what happened to every approved draw in each run.
//
// Bank details are stored only as a hash under a key of this ledger, which is itself sealed.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/domain/draw.hpp"
#include "drawbridge/domain/sum.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

// Records the bank details of every payee in a directory that differs from the last one seen. The first directory of a
// ledger is its baseline: its details count as known.
void observe_payees(Ledger& ledger, const disbursement::PayeeDirectory& directory, const Stamp& stamp);

// The hash of the payee's bank details.
[[nodiscard]] std::string details_fingerprint(Ledger& ledger, const disbursement::Payee& payee);
// The same, or nullopt if the ledger has never computed a fingerprint, so nothing is on hold by one.
[[nodiscard]] std::optional<std::string> known_details_fingerprint(Ledger& ledger, const disbursement::Payee& payee);
// The hash of the payee's account, or of the name and address on checks, which is the same for every way to write them:
// case, spaces and punctuation, leading zeros, and the type of the account do not count.
[[nodiscard]] std::string account_fingerprint(Ledger& ledger, const disbursement::Payee& payee);
// The same, or nullopt as above.
[[nodiscard]] std::optional<std::string> known_account_fingerprint(Ledger& ledger, const disbursement::Payee& payee);

struct PayeeStanding {
    std::string details_fingerprint;       // empty: no payee was ever observed
    std::string account_fingerprint;       // known_account_fingerprint()
    std::optional<Instant> details_since;  // nullopt: in the baseline, or the payee was never observed
    std::int64_t details_after = 0;        // the newest run of a step then
    disbursement::PrenoteStatus prenote;
};
// `prenotes_required`: accounts outside the baseline need a prenote first.
[[nodiscard]] PayeeStanding payee_standing(Ledger& ledger, const disbursement::Payee& payee, bool prenotes_required);

struct EarlierPayment {
    std::int64_t payment_id = 0;
    DrawId draw = 0;
    BusinessDate created_on;     // its file
    std::int64_t after_run = 0;  // the newest run of a step when that was released; 0: it is not
};
// The newest payment of this amount for another draw to this payee, or to a payee that has or had the same account
// (known_account_fingerprint()), in a file before `before`. A payment that came back counts, so that nobody lifts the
// hold of a draw by handing in a return of another. One in a file that was voided before its release does not.
[[nodiscard]] std::optional<EarlierPayment> earlier_payment(Ledger& ledger, DrawId draw, std::string_view payee_key,
                                                            std::string_view account_fingerprint, Money amount,
                                                            FileId before = every_file);
// A day in the office's zone, and the moment of the planning.
struct PlanDay {
    BusinessDate date;
    Instant begins;
    Instant now;
};
// The total of files created that day before the file `before`, not counting voided ones. The zone may have changed
// since: a file of a day that had not ended in the zone of its planning counts, too.
[[nodiscard]] Money planned_on(Ledger& ledger, const PlanDay& day, FileId before = every_file);
[[nodiscard]] std::vector<disbursement::Lift> lifts_of(Ledger& ledger, DrawId id);

struct PrenoteRow {
    std::int64_t prenote_id = 0;
    std::string trace_number;
    std::string payee_key;
    std::string file_name;
    BusinessDate effective_entry_date;
    std::optional<Instant> returned_at;
    std::string return_reason_code;
    std::string unsent_because;  // empty: the bank may have its file
};
[[nodiscard]] std::optional<PrenoteRow> find_prenote(Ledger& ledger, std::string_view trace_number);
// The bank returned the prenote: nothing is paid to that account until the payee's record changes. Errors: no such
// prenote, already returned.
[[nodiscard]] Result<void> record_prenote_returned(Ledger& ledger, std::string_view trace_number,
                                                   std::string_view return_reason_code, const Stamp& stamp);

struct PayRun {
    Instant at;
    std::string by;
    Sum approved;               // by fresh readings right before planning
    Sum exported;               // in payment files
    Sum held;                   // by a guard
    Sum exceptions;             // something is wrong with them
    std::int64_t unread = 0;    // no fresh reading; the next run takes them
    std::int64_t moved_on = 0;  // no longer Approved
    [[nodiscard]] bool is_complete() const {
        return approved.count == exported.count + held.count + exceptions.count &&
               approved.amount == exported.amount + held.amount + exceptions.amount;
    }
};
void record_pay_run(Ledger& ledger, const PayRun& run);
// Newest first.
[[nodiscard]] std::vector<PayRun> pay_runs(Ledger& ledger, int limit);
// The payments planned with this payment id or a greater one, to check a run against.
[[nodiscard]] Sum planned_from(Ledger& ledger, std::int64_t first_payment_id);

struct ListedPayRun {
    std::int64_t pay_run_id = 0;
    PayRun run;
};
// Newest first, older than that run; 0: from the newest.
[[nodiscard]] std::vector<ListedPayRun> pay_runs_before(Ledger& ledger, std::int64_t pay_run_id, int limit);
[[nodiscard]] std::int64_t count_pay_runs(Ledger& ledger);

}  // namespace drawbridge::ledger
