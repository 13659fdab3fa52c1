// The heart: approved draws in, payment files and exceptions out. A pure function of its arguments.
//
// Every payable becomes exactly one payment or exactly one exception; none is skipped. Numbers come from the block that
// the ledger hands in and are never taken from anywhere else. That a draw has no live payment yet is the ledger's to
// know and to refuse.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/checks/issue_file.hpp"
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

// What a person let pass: a guard's reason code, in the words of the exception that the person settled.
struct Lift {
    std::string reason_code;
    std::string detail;
    friend bool operator==(const Lift&, const Lift&) = default;
};

// What holds a payment until something else changes: no person can lift it here.
struct Held {
    std::string reason_code;  // payment_voided, account_blocked, correction_pending, case_stopped, …
    std::string detail;
    friend bool operator==(const Held&, const Held&) = default;
};

// Where an account stands that must be tried out before money goes there.
struct PrenoteStanding {
    enum class State { not_needed, needed, waiting, returned } state = State::not_needed;
    // Of the prenote that waits:
    std::string file_name{};
    std::optional<BusinessDate> effective_entry_date{};
    std::optional<Instant> sent_at{};  // its file was released, or delivered where it goes by SFTP; the wait begins
    std::string return_reason_code{};
    std::string fingerprint{};  // of the account, as the ledger hashes it
};

// An approved draw, freshly read.
struct Payable {
    DrawId draw_id = 0;
    std::int64_t reading_id = 0;         // the ledger's reading on which the payment rests
    std::optional<Money> amount;         // amountApproved of that reading
    std::optional<Money> agreed_amount;  // amount at the decision, or at the first Approved reading. Unknown: not paid
    std::optional<std::string> payee_key;  // value of the configured draw field
    std::string remittance;                // what the payment is for: payment related information of its addenda
    std::int64_t workflow_id = 0;
    // What the ledger knows of its payee and of earlier payments.
    std::optional<std::string> duplicate_of{};         // "P0000000012 of draw 17 on 2026-11-19"
    std::optional<BusinessDate> details_changed_on{};  // bank details first seen that day, after the first directory
    PrenoteStanding prenote{};
    std::vector<Lift> lifted{};
    std::optional<Held> held{};                      // what the bank said of the payee or the case speaks against it
    std::vector<std::string> disbursed_elsewhere{};  // each sign that others paid it, in words
};

// Each absent one guards nothing.
struct Guards {
    std::optional<Money> payment_limit{};
    std::optional<Money> day_limit{};
    int duplicate_days = 0;     // the same amount to the same payee within so many days
    int payee_hold_days = 0;    // so long are new or changed bank details looked at before money goes there
    int prenote_wait_days = 3;  // banking days after a prenote's effective entry date
    bool prenotes_required = false;
};

// The numbers that this instance may use. Another one that pays through the same bank or account has others.
struct NumberRange {
    std::int64_t from = 1;
    std::int64_t to = 1;  // inclusive
    friend bool operator==(const NumberRange&, const NumberRange&) = default;
};
inline constexpr std::int64_t last_trace_sequence = 9'999'999;
inline constexpr std::int64_t last_check_number = 9'999'999'999;  // ten digits in the layouts that banks use
inline constexpr std::int64_t last_file_number = 999'999'999;
inline constexpr std::string_view all_file_id_modifiers = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
struct NumberRanges {
    NumberRange trace{1, last_trace_sequence};  // the last seven digits of trace numbers
    NumberRange check{1, last_check_number};
    NumberRange file{1, last_file_number};  // in the names of files
    std::string file_id_modifiers{all_file_id_modifiers};
    friend bool operator==(const NumberRanges&, const NumberRanges&) = default;
};

struct PlanSettings {
    std::optional<AchProfile> ach;      // absent: ACH payees become exceptions
    std::optional<CheckProfile> check;  // absent: check payees become exceptions
    TimeZone zone;                      // pay.timezone: creation date, creation time and check date are local to it
    BankingCalendar calendar;
    // A file is split when it would exceed one of them; an entry counts with its addenda.
    std::int64_t max_file_entries = nacha::max_batch_entry_addenda_count;
    Money max_file_total = nacha::max_control_amount;
    std::int64_t max_batch_entries = nacha::max_batch_entry_addenda_count;
    Money max_batch_total = nacha::max_control_amount;
    SettlePolicy settle{};
    std::map<std::int64_t, std::string> entry_descriptions{};  // by workflow; others: the profile's
    FileNameTemplate ach_file_name{};
    Guards guards{};
    NumberRanges numbers{};
};

// The next free numbers, read from the ledger in the transaction that records the plan.
struct NumberBlock {
    std::int64_t next_payment_id = 1;
    std::int64_t next_trace_sequence = 1;  // 1..9999999; beyond: exhausted
    std::int64_t next_check_number = 1;
    std::int64_t next_batch_number = 1;  // 1..9999999
    std::string used_file_id_modifiers;  // of plan_date(settings, now), e.g. "AB"
    std::int64_t next_file_sequence = 1;
    friend bool operator==(const NumberBlock&, const NumberBlock&) = default;
};

struct PlannedPayment {
    std::int64_t payment_id = 0;
    DrawId draw_id = 0;
    std::int64_t reading_id = 0;
    Rail rail = Rail::ach;
    Money amount;
    Payee payee;                                       // as it stood when the payment was planned
    std::optional<std::string> trace_number;           // ACH: fifteen digits
    std::optional<std::int64_t> check_number;          // check
    std::int64_t batch_number = 0;                     // ACH; 0 for a check
    std::optional<BusinessDate> effective_entry_date;  // ACH
    std::optional<BusinessDate> check_date;            // check
    std::string entry_description{};                   // ACH; empty: the profile's
    std::string remittance{};                          // ACH: payment related information; empty: no addenda
    std::string settles_because{};                     // ACH: for people
    // In a file of check orders: what the bank is told of a check that was paid with an earlier file.
    checks::CheckAction check_action = checks::CheckAction::issue;
    friend bool operator==(const PlannedPayment&, const PlannedPayment&) = default;
};

// A zero-dollar entry that tries out a payee's account.
struct PlannedPrenote {
    std::string trace_number;
    std::int64_t batch_number = 0;
    BusinessDate effective_entry_date;
    Payee payee;
    std::string fingerprint;
    friend bool operator==(const PlannedPrenote&, const PlannedPrenote&) = default;
};

// The debit to the office's own account that balances a batch; the last entry of it.
struct PlannedOffset {
    std::int64_t batch_number = 0;
    std::string trace_number;
    Money amount;
    friend bool operator==(const PlannedOffset&, const PlannedOffset&) = default;
};

enum class FileKind {
    payments,
    check_orders,  // voids and stops: its payments are those of other files
};

// Payments are in the order in which they stand in the file, and that is the order of their payment ids.
struct PlannedFile {
    FileKind kind = FileKind::payments;
    Rail rail = Rail::ach;
    std::string name;                    // "ACH-20261120-A.ach", "CHK-20261120-0007.csv"
    Instant created_at;                  // the `now` of the plan
    BusinessDate creation_date;          // local
    std::chrono::minutes creation_time;  // local, since midnight
    char file_id_modifier = ' ';         // ACH; blank for a check file
    std::vector<PlannedPayment> payments;
    Money total;
    std::int64_t entry_hash = 0;             // ACH; 0 for a check file
    std::vector<PlannedPrenote> prenotes{};  // a file has payments or prenotes
    std::vector<PlannedOffset> offsets{};    // one for each batch of a balanced file
    friend bool operator==(const PlannedFile&, const PlannedFile&) = default;
};

namespace reason {
inline constexpr std::string_view amount_missing = "amount_missing";          // amountApproved is null
inline constexpr std::string_view amount_zero = "amount_zero";                // nothing to pay
inline constexpr std::string_view amount_too_large = "amount_too_large";      // over 99,999,999.99
inline constexpr std::string_view amount_not_agreed = "amount_not_agreed";    // no amount to hold it against
inline constexpr std::string_view amount_changed = "amount_changed";          // not what was agreed
inline constexpr std::string_view payee_key_missing = "payee_key_missing";    // the draw names no payee
inline constexpr std::string_view no_payee = "no_payee";                      // the directory has no such key
inline constexpr std::string_view name_not_encodable = "name_not_encodable";  // no form in characters that banks read
inline constexpr std::string_view no_ach_profile = "no_ach_profile";          // ACH is not configured
inline constexpr std::string_view no_check_account = "no_check_account";      // checks are not configured
inline constexpr std::string_view numbers_exhausted = "numbers_exhausted";    // a number range is used up
inline constexpr std::string_view remittance_not_encodable = "remittance_not_encodable";  // as name_not_encodable
// Holds: lifted by time, and all but the prenotes' by a person too.
inline constexpr std::string_view over_payment_limit = "over_payment_limit";    // pay.limits.payment
inline constexpr std::string_view over_file_limit = "over_file_limit";          // more than any file may carry
inline constexpr std::string_view over_day_limit = "over_day_limit";            // pay.limits.day
inline constexpr std::string_view duplicate_suspected = "duplicate_suspected";  // same payee and amount within days
inline constexpr std::string_view payee_changed = "payee_changed";              // new bank details are looked at
inline constexpr std::string_view prenote_waiting = "prenote_waiting";          // the account is being tried out
inline constexpr std::string_view prenote_returned = "prenote_returned";        // the account did not stand the trial
inline constexpr std::string_view account_blocked = "account_blocked";          // a return said that it is bad
inline constexpr std::string_view correction_pending = "correction_pending";    // a notification of change
inline constexpr std::string_view payment_voided = "payment_voided";            // by a person, before it went out
inline constexpr std::string_view case_stopped = "case_stopped";                // deceased, frozen, sanctioned
inline constexpr std::string_view bank_says_paid = "bank_says_paid";            // of an earlier payment of the draw
inline constexpr std::string_view disbursed_elsewhere = "disbursed_elsewhere";  // the service shows that others paid it
}  // namespace reason

// A draw that waits by a guard's order, not because something is wrong with it.
[[nodiscard]] bool is_hold(std::string_view reason_code);
// A person who settles the exception lets the draw pass.
[[nodiscard]] bool may_be_lifted(std::string_view reason_code);

struct PlanException {
    DrawId draw_id = 0;
    std::string reason_code;  // one of reason::
    std::string detail;       // for people: what is wrong and what to do
    friend bool operator==(const PlanException&, const PlanException&) = default;
};

struct Plan {
    std::vector<PlannedFile> files;
    std::vector<PlanException> exceptions;  // by draw id
    NumberBlock numbers_after;
};

// The creation date of files planned now: that for which NumberBlock::used_file_id_modifiers must be read.
[[nodiscard]] BusinessDate plan_date(const PlanSettings& settings, Instant now);

// A waiting prenote of which nothing came back in time: its account may be paid.
[[nodiscard]] bool prenote_wait_is_over(const PrenoteStanding& prenote, const PlanSettings& settings, Instant now);

// What was planned before, as far as the guards look back.
struct PlanHistory {
    Money planned_today{};  // of plan_date(settings, now), voided payments aside
};

// Draws are taken by ascending id; the same draw twice is a bug of the caller (asserted).
[[nodiscard]] Plan plan(const std::vector<Payable>& payables, const PayeeDirectory& payees,
                        const PlanSettings& settings, const NumberBlock& numbers, Instant now,
                        const PlanHistory& history = {});

// Asks again, of draws that a file pays already, everything that plan() asks before it pays: the draws that would not
// be paid now, by draw id. `planned_on` is the creation date of the file, `history` what was planned that day before
// it.
[[nodiscard]] std::vector<PlanException> recheck(const std::vector<Payable>& payables, const PayeeDirectory& payees,
                                                 const PlanSettings& settings, Instant now, BusinessDate planned_on,
                                                 const PlanHistory& history);

// The profile to be stored with a file of this rail. Asserts that it is configured (a planned file's always is).
[[nodiscard]] FileProfile profile_for(const PlanSettings& settings, Rail rail);

struct ControlTotals {
    std::int64_t count = 0;       // payments
    Money total;                  // of the payments: the credits
    std::int64_t entry_hash = 0;  // with prenotes and offsets; 0 for a check file
    friend bool operator==(const ControlTotals&, const ControlTotals&) = default;
};
// `offset` is the profile's; it counts where the file has offsets.
[[nodiscard]] ControlTotals control_totals(const PlannedFile& file,
                                           const std::optional<OffsetAccount>& offset = std::nullopt);

// The file's bytes: a pure function of the planned rows and the profile stored with them; the same at the first writing
// and after a crash.
[[nodiscard]] Result<std::string> render(const PlannedFile& file, const FileProfile& profile);

// Reads the bytes back with a parser that shares nothing with the encoder, and compares count, total, hash and each
// entry with the plan. Call it before a file is staged.
[[nodiscard]] Result<void> verify_rendered(std::string_view bytes, const PlannedFile& file, const FileProfile& profile);

// "P0000000123": what Drawbridge calls a payment in files and to people.
[[nodiscard]] std::string format_payment_id(std::int64_t payment_id);
// Exactly that form; nullopt for anything else.
[[nodiscard]] std::optional<std::int64_t> parse_payment_id(std::string_view text);

}  // namespace drawbridge::disbursement
