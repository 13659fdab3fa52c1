// The heart: approved draws in, payment files and exceptions out. A pure function of its arguments.
//
// Every payable becomes exactly one payment or exactly one exception; none is skipped. Numbers come from the block that
// the ledger hands in and are never taken from anywhere else. That a draw has no live payment yet is the ledger's to
// know and to refuse.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/checks/issue_file.hpp"
#include "drawbridge/disbursement/payees.hpp"
#include "drawbridge/disbursement/profile.hpp"
#include "drawbridge/domain/banking_calendar.hpp"
#include "drawbridge/domain/draw.hpp"
#include "drawbridge/domain/error.hpp"
#include "drawbridge/domain/money.hpp"
#include "drawbridge/domain/time.hpp"

namespace drawbridge::disbursement {

// An approved draw, freshly read.
struct Payable {
    DrawId draw_id = 0;
    std::int64_t reading_id = 0;         // the ledger's reading on which the payment rests
    std::optional<Money> amount;         // amountApproved of that reading
    std::optional<Money> agreed_amount;  // amount at the decision, or at the first Approved reading. Unknown: not paid
    std::optional<std::string> payee_key;  // value of the configured draw field
    std::string remittance;                // what the payment is for
};

struct PlanSettings {
    std::optional<AchProfile> ach;      // absent: ACH payees become exceptions
    std::optional<CheckProfile> check;  // absent: check payees become exceptions
    TimeZone zone;                      // pay.timezone: creation date, creation time and check date are local to it
    BankingCalendar calendar;
    // A file is split when it would exceed one of them.
    std::int64_t max_file_entries = nacha::max_batch_entry_addenda_count;
    Money max_file_total = nacha::max_control_amount;
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
    // In a file of check orders: what the bank is told of a check that was paid with an earlier file.
    checks::CheckAction check_action = checks::CheckAction::issue;
    friend bool operator==(const PlannedPayment&, const PlannedPayment&) = default;
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
    std::int64_t entry_hash = 0;  // ACH; 0 for a check file
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
}  // namespace reason

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

// Draws are taken by ascending id; the same draw twice is a bug of the caller (asserted).
[[nodiscard]] Plan plan(const std::vector<Payable>& payables, const PayeeDirectory& payees,
                        const PlanSettings& settings, const NumberBlock& numbers, Instant now);

// The profile to be stored with a file of this rail. Asserts that it is configured (a planned file's always is).
[[nodiscard]] FileProfile profile_for(const PlanSettings& settings, Rail rail);

struct ControlTotals {
    std::int64_t count = 0;
    Money total;
    std::int64_t entry_hash = 0;  // 0 for a check file
    friend bool operator==(const ControlTotals&, const ControlTotals&) = default;
};
[[nodiscard]] ControlTotals control_totals(const PlannedFile& file);

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
