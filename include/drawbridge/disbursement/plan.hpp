// Payment planning: turns approved draws into payment files and exceptions. A pure function of its arguments.
//
// Every payable becomes exactly one payment or exactly one exception; none is skipped. All numbers come from the block
// that the ledger provides. The ledger makes sure that a draw has no other live payment.
#pragma once

#include <boost/describe/enum.hpp>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/checks/issue_file.hpp"
#include "drawbridge/disbursement/number_ranges.hpp"
#include "drawbridge/disbursement/payees.hpp"
#include "drawbridge/disbursement/profile.hpp"
#include "drawbridge/disbursement/settlement.hpp"
#include "drawbridge/disbursement/templates.hpp"
#include "drawbridge/domain/banking_calendar.hpp"
#include "drawbridge/domain/draw.hpp"
#include "drawbridge/domain/error.hpp"
#include "drawbridge/domain/money.hpp"
#include "drawbridge/domain/time.hpp"

namespace drawbridge::disbursement {

// What a person allowed: a guard's reason code, with the exact detail of the exception that the person resolved.
struct Lift {
    std::string reason_code;
    std::string detail;
    friend bool operator==(const Lift&, const Lift&) = default;
};

// What holds a payment until something else changes. A person cannot lift it here.
struct Held {
    std::string reason_code;  // payment_voided, account_blocked, correction_pending, case_stopped, …
    std::string detail;
    friend bool operator==(const Held&, const Held&) = default;
};

// The state of an account that needs a prenote before it is paid.
struct PrenoteStatus {
    enum class State { not_needed, needed, waiting, returned } state = State::not_needed;
    // These describe the outstanding prenote:
    std::string file_name{};
    std::optional<BusinessDate> effective_entry_date{};
    std::optional<Instant> sent_at{};  // its file was released (delivered, if it goes by SFTP); the wait starts then
    std::int64_t sent_after = 0;       // the newest run of a step then
    std::string return_reason_code{};
    std::string fingerprint{};  // hash of the account, as the ledger computes it
};

// An approved draw, freshly read.
struct Payable {
    DrawId draw_id = 0;
    std::int64_t reading_id = 0;         // the ledger's reading that the payment is based on
    std::optional<Money> amount;         // amountApproved of that reading
    std::optional<Money> agreed_amount;  // amount at the decision, or at the first Approved reading; unknown: not paid
    std::optional<std::string> payee_key;  // value of the configured draw field
    std::string remittance;                // purpose of the payment: payment related information in its addenda
    std::int64_t workflow_id = 0;
    // What the ledger has on its payee and on earlier payments.
    std::optional<std::string> duplicate_of{};  // "P0000000012 of draw 17 on 2026-11-19"
    std::string details_fingerprint{};          // hash of the payee's bank details, as the ledger computes it
    std::string account_fingerprint{};          // likewise, the same for every way to write the account
    std::optional<Instant> details_since{};     // when they were first seen, if that was after the first directory
    // Drawbridge ran on as many later days as they are held. A clock that is set right adds no such day.
    bool details_were_watched = true;
    PrenoteStatus prenote{};
    std::vector<Lift> lifted{};
    std::optional<Held> held{};            // something the bank reported about the payee or the case blocks it
    std::string changed_since_approval{};  // what the approval was about and what it is now; empty: the same
    std::vector<std::string> disbursed_elsewhere{};  // each sign that somebody else paid it, as text
    std::string approval_unrequested{};              // how it became approved without a request; empty: it did not
};

// Guards that hold payments. An absent value disables its guard.
struct Guards {
    std::optional<Money> payment_limit{};
    std::optional<Money> day_limit{};
    int duplicate_days = 0;     // the same amount to the same payee or account within this many days
    int payee_hold_days = 0;    // how long new or changed bank details wait for review before they are paid
    int prenote_wait_days = 3;  // banking days after a prenote's effective entry date
    bool prenotes_required = false;
};

inline constexpr std::int64_t default_file_entries = 50'000;

struct PlanSettings {
    std::optional<AchProfile> ach;      // absent: ACH payees become exceptions
    std::optional<CheckProfile> check;  // absent: check payees become exceptions
    TimeZone zone;                      // pay.timezone, for creation date, creation time and check date
    BankingCalendar calendar;
    // A file that would exceed one of these limits is split; an entry counts together with its addenda.
    std::int64_t max_file_entries = default_file_entries;  // entries and addenda, or checks
    Money max_file_total = nacha::max_control_amount;
    std::int64_t max_batch_entries = nacha::max_batch_entry_addenda_count;
    Money max_batch_total = nacha::max_control_amount;
    SettlePolicy settle{};
    std::map<std::int64_t, std::string> entry_descriptions{};  // by workflow; default: the profile's
    FileNameTemplate ach_file_name{};
    Guards guards{};
    NumberRanges numbers{};
};

// The next free numbers, read from the ledger in the transaction that records the plan.
struct NumberBlock {
    std::int64_t next_payment_id = 1;
    std::int64_t next_trace_sequence = 1;  // 1..9999999; above: exhausted
    std::int64_t next_check_number = 1;
    std::int64_t next_batch_number = 1;  // 1..9999999
    std::string used_file_id_modifiers;  // on plan_date(settings, now), e.g. "AB"
    std::int64_t next_file_sequence = 1;
    friend bool operator==(const NumberBlock&, const NumberBlock&) = default;
};

struct PlannedPayment {
    std::int64_t payment_id = 0;
    DrawId draw_id = 0;
    std::int64_t reading_id = 0;
    Rail rail = Rail::ach;
    Money amount;
    Payee payee;                                       // as it was when the payment was planned
    std::optional<std::string> trace_number;           // ACH: fifteen digits
    std::optional<std::int64_t> check_number;          // check
    std::int64_t batch_number = 0;                     // ACH; 0 for a check
    std::optional<BusinessDate> effective_entry_date;  // ACH
    std::optional<BusinessDate> check_date;            // check
    std::string entry_description{};                   // ACH; empty: the profile's
    std::string remittance{};                          // ACH: payment related information; empty: no addenda
    std::string settles_because{};                     // ACH: the reason for the effective entry date, for people
    // In a file of check orders: the action on a check that an earlier file issued.
    checks::CheckAction check_action = checks::CheckAction::issue;
    friend bool operator==(const PlannedPayment&, const PlannedPayment&) = default;
};

// A zero-dollar entry that tests a payee's account.
struct PlannedPrenote {
    std::string trace_number;
    std::int64_t batch_number = 0;
    BusinessDate effective_entry_date;
    Payee payee;
    std::string fingerprint;
    friend bool operator==(const PlannedPrenote&, const PlannedPrenote&) = default;
};

// The debit to the office's own account that balances a batch; always its last entry.
struct PlannedOffset {
    std::int64_t batch_number = 0;
    std::string trace_number;
    Money amount;
    friend bool operator==(const PlannedOffset&, const PlannedOffset&) = default;
};

enum class FileKind {
    payments,
    check_orders,  // voids and stops; its payments belong to other files
};
BOOST_DESCRIBE_ENUM(FileKind, payments, check_orders)
[[nodiscard]] std::string_view to_string(FileKind kind);  // "check_orders"
[[nodiscard]] std::string_view item_of(FileKind kind);    // what such a file has: "payment", "check order"

// Payments are in file order, which is also the order of their payment ids.
struct PlannedFile {
    FileKind kind = FileKind::payments;
    Rail rail = Rail::ach;
    std::string name;                    // "ACH-20261120-A.ach", "CHK-20261120-0007.csv"
    Instant created_at;                  // the `now` of the plan
    BusinessDate creation_date;          // local
    std::chrono::minutes creation_time;  // local, since midnight
    char file_id_modifier = ' ';         // ACH; a space for a check file
    std::vector<PlannedPayment> payments;
    Money total;
    std::int64_t entry_hash = 0;             // ACH; 0 for a check file
    std::vector<PlannedPrenote> prenotes{};  // a file has payments or prenotes, never both
    std::vector<PlannedOffset> offsets{};    // one per batch in a balanced file
    friend bool operator==(const PlannedFile&, const PlannedFile&) = default;
};

namespace reason {
inline constexpr std::string_view amount_missing = "amount_missing";        // amountApproved is null
inline constexpr std::string_view amount_zero = "amount_zero";              // nothing to pay
inline constexpr std::string_view amount_too_large = "amount_too_large";    // over 99,999,999.99
inline constexpr std::string_view amount_not_agreed = "amount_not_agreed";  // no agreed amount to compare with
inline constexpr std::string_view amount_changed = "amount_changed";        // differs from the agreed amount
inline constexpr std::string_view payee_key_missing = "payee_key_missing";  // the draw has no payee key
inline constexpr std::string_view no_payee = "no_payee";                    // the directory has no such key
inline constexpr std::string_view name_not_encodable =
    "name_not_encodable";  // cannot be written in the characters that banks accept
inline constexpr std::string_view no_ach_profile = "no_ach_profile";                      // ACH is not configured
inline constexpr std::string_view no_check_account = "no_check_account";                  // checks are not configured
inline constexpr std::string_view numbers_exhausted = "numbers_exhausted";                // a number range is used up
inline constexpr std::string_view remittance_not_encodable = "remittance_not_encodable";  // like name_not_encodable
// Holds: time lifts them, and so can a person, except prenotes.
inline constexpr std::string_view over_payment_limit = "over_payment_limit";    // pay.limits.payment
inline constexpr std::string_view over_file_limit = "over_file_limit";          // exceeds what any file may carry
inline constexpr std::string_view over_day_limit = "over_day_limit";            // pay.limits.day
inline constexpr std::string_view duplicate_suspected = "duplicate_suspected";  // same payee and amount within days
inline constexpr std::string_view payee_changed = "payee_changed";              // new bank details wait for review
inline constexpr std::string_view prenote_waiting = "prenote_waiting";          // the account waits for its prenote
inline constexpr std::string_view prenote_returned = "prenote_returned";        // the prenote to the account came back
inline constexpr std::string_view account_blocked = "account_blocked";          // a return said that the account is bad
inline constexpr std::string_view correction_pending = "correction_pending";    // a notification of change
inline constexpr std::string_view payment_voided = "payment_voided";            // by a person, before the file left
inline constexpr std::string_view case_stopped = "case_stopped";                // deceased, frozen, sanctioned
inline constexpr std::string_view bank_says_paid = "bank_says_paid";            // about an earlier payment of the draw
inline constexpr std::string_view draw_changed = "draw_changed";  // another payee, case or workflow than approved
inline constexpr std::string_view approval_unrequested = "approval_unrequested";  // the service approved it by itself
inline constexpr std::string_view disbursed_elsewhere =
    "disbursed_elsewhere";  // the service shows that somebody else paid it
}  // namespace reason

// Whether a guard holds the draw, rather than something being wrong with it.
[[nodiscard]] bool is_hold(std::string_view reason_code);
// Whether resolving the exception lets the draw pass.
[[nodiscard]] bool may_be_lifted(std::string_view reason_code);

struct PlanException {
    DrawId draw_id = 0;
    std::string reason_code;  // one of reason::
    std::string detail;       // for people: what is wrong and what to do
    friend bool operator==(const PlanException&, const PlanException&) = default;
};

struct Plan {
    std::vector<PlannedFile> files;         // of a part: what it adds to each file
    std::vector<PlanException> exceptions;  // by draw id
    NumberBlock numbers_after;
};

// A batch that later parts of a plan may add entries to.
struct OpenBatch {
    SecCode sec_code;
    std::string entry_description{};
    BusinessDate effective_entry_date;
    std::int64_t batch_number = 0;
    std::int64_t records = 0;
    Money total{};
};
// A file that later parts may add payments to.
struct OpenFile {
    PlannedFile file;          // between parts: without payments, prenotes and offsets
    FileProfile profile;       // to be stored with it
    std::int64_t records = 0;  // of the payments or prenotes so far, with the offsets of their batches
    Money total{};             // of the payments so far
    std::vector<OpenBatch> batches{};
    bool has_numbers = false;  // its file id modifier or sequence number is taken
};
// What the next part of a plan continues. At most one file of each kind is open.
struct OpenPlan {
    std::optional<OpenFile> ach{}, prenotes{}, checks{};
};

// The creation date of files planned now. Read NumberBlock::used_file_id_modifiers for this date.
[[nodiscard]] BusinessDate plan_date(const PlanSettings& settings, Instant now);

// Whether the wait for a prenote ended by the clock. Its account may be paid if Drawbridge also ran, and looked for a
// return, on as many later days as it waits.
[[nodiscard]] bool prenote_wait_is_over(const PrenoteStatus& prenote, const PlanSettings& settings, Instant now);

// What was planned earlier, as far back as the guards look.
struct PlanHistory {
    Money planned_today{};  // on plan_date(settings, now), without voided payments
};

// Processes draws by ascending id. Passing a draw twice is a bug in the caller (asserted).
//
// A large run is planned in parts with ascending draws. The last part completes the files; end_plan() does so alone,
// when no more draws come.
enum class Part { last, more_follow };
// What a part is planned with.
struct PlanBasis {
    const PayeeDirectory& payees;
    const PlanSettings& settings;
    const NumberBlock& numbers;  // left by the parts before
    Instant now;                 // that of the first part
    PlanHistory history{};       // with the parts before
};
[[nodiscard]] Plan plan_part(const std::vector<Payable>& payables, const PlanBasis& basis, OpenPlan& open, Part part);
[[nodiscard]] Plan end_plan(OpenPlan& open, const NumberBlock& numbers, const NumberRanges& ranges);
// Everything in one part.
[[nodiscard]] Plan plan(const std::vector<Payable>& payables, const PayeeDirectory& payees,
                        const PlanSettings& settings, const NumberBlock& numbers, Instant now,
                        const PlanHistory& history = {});

// Repeats every check of plan() for draws that a file already pays. `planned_on` is the creation date of the file;
// `history` is what was planned that day before the file. `payees` and `settings` must outlive this object.
class Recheck {
  public:
    Recheck(const PayeeDirectory& payees, const PlanSettings& settings, Instant now, BusinessDate planned_on,
            const PlanHistory& history);
    ~Recheck();
    Recheck(const Recheck&) = delete;
    Recheck& operator=(const Recheck&) = delete;

    // Why the draw would not be paid now. Call it for every draw, by ascending id: each counts for those after it.
    [[nodiscard]] std::optional<PlanException> check(const Payable& payable);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

// The profile to store with a file of this rail. Asserts that the rail is configured (true for a planned file).
[[nodiscard]] FileProfile profile_for(const PlanSettings& settings, Rail rail);

struct ControlTotals {
    std::int64_t count = 0;       // payments
    Money total;                  // sum of the payments (credits)
    std::int64_t entry_hash = 0;  // including prenotes and offsets; 0 for a check file
    friend bool operator==(const ControlTotals&, const ControlTotals&) = default;
};
// `offset` is the profile's; used if the file has offsets.
[[nodiscard]] ControlTotals control_totals(const PlannedFile& file,
                                           const std::optional<OffsetAccount>& offset = std::nullopt);

// The file's bytes: a pure function of the planned rows and the profile stored with them. The first write and a rewrite
// after a crash give identical bytes.
[[nodiscard]] Result<std::string> render(const PlannedFile& file, const FileProfile& profile);

// Reads the bytes back with a parser that shares nothing with the encoder, and compares count, total, hash and every
// entry with the plan. Call it before a file is staged.
[[nodiscard]] Result<void> verify_rendered(std::string_view bytes, const PlannedFile& file, const FileProfile& profile);

// "P0000000123": the name of a payment in files and for people.
[[nodiscard]] std::string format_payment_id(std::int64_t payment_id);
// Exactly that form; nullopt otherwise.
[[nodiscard]] std::optional<std::int64_t> parse_payment_id(std::string_view text);

}  // namespace drawbridge::disbursement
