// What each confirmation line means for our payments. A match is exact, or there is no match: no line is applied on a
// guess.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "drawbridge/domain/confirmation.hpp"
#include "drawbridge/domain/money.hpp"
#include "drawbridge/domain/time.hpp"

namespace drawbridge::reconciliation {

// A payment that a confirmation may refer to, with the results of earlier confirmations.
struct OpenPayment {
    std::int64_t payment_id = 0;
    std::string payment_id_text;              // "P0000000123"
    std::optional<std::string> trace_number;  // 15 digits (ACH)
    std::optional<std::int64_t> check_number;
    Money amount;
    BusinessDate released_on;                                 // planned on, if its release is not ordered
    std::optional<ConfirmationKind> settled_as;               // by the last confirmation applied
    std::optional<BusinessDate> settled_on;                   // its date
    std::string unsent_because = "its file is not released";  // empty: the bank may have its file
    // If settled_as is returned or voided: the date of the preceding paid, if any. A late copy of that paid is then a
    // duplicate, not a contradiction.
    std::optional<BusinessDate> paid_on;
    // Voided because we ordered it: the bank's confirmation adds nothing, regardless of its date.
    bool void_transmitted = false;
    // Counts as paid because no return came in time: the bank's own paid line for that day agrees with any date.
    bool paid_by_time = false;
};

// What a reference may be; all empty when it cannot be one of ours.
struct ReferenceForms {
    std::optional<std::string> trace_number;
    std::optional<std::int64_t> check_number;
    std::optional<std::string> payment_id_text;
};

// 15 digits: a trace number; up to 18 digits: a check number, ignoring leading zeros; "P" and 10 digits: a payment id.
[[nodiscard]] ReferenceForms read_reference(std::string_view reference);

// The trace number that 14 digits may have been before a spreadsheet dropped its leading zero.
[[nodiscard]] std::optional<std::string> with_leading_zero(std::string_view reference);

// The candidate payments by each of their references. They may come from a ledger query for the references of one file,
// in any order and with repetitions.
class PaymentIndex {
  public:
    explicit PaymentIndex(std::vector<OpenPayment> candidates);

    // Every payment that `reference` may mean, each once; more than one means it is ambiguous.
    [[nodiscard]] std::vector<const OpenPayment*> find(std::string_view reference) const;
    // Limited by the kind of the reference.
    [[nodiscard]] std::vector<const OpenPayment*> find(const Reference& reference) const;
    // Finds by the strongest reference that matches any payment. If a weaker one matches another payment, returns all
    // of them: a line that contradicts itself is ambiguous.
    [[nodiscard]] std::vector<const OpenPayment*> find(const Confirmation& confirmation) const;

  private:
    [[nodiscard]] std::vector<const OpenPayment*> find_forms(const ReferenceForms& forms) const;

    std::vector<OpenPayment> payments_;  // one per payment id
    std::unordered_map<std::string, std::vector<std::size_t>> by_trace_number_;
    std::unordered_map<std::int64_t, std::vector<std::size_t>> by_check_number_;
    std::unordered_map<std::string, std::vector<std::size_t>> by_payment_id_text_;
};

enum class MatchOutcome {
    applied,    // record it
    duplicate,  // the same fact is already recorded, or another line of this file says it of the same item
    exception,  // a person must look: see reason_code and detail
    recorded,   // accounted for, without effect on a payment: pending, unrelated, a notification of change
};

[[nodiscard]] std::string_view to_string(MatchOutcome outcome);

// Reasons of an exception, in Match::reason_code:
inline constexpr std::string_view unknown_payment = "unknown_payment";
inline constexpr std::string_view ambiguous_reference = "ambiguous_reference";
inline constexpr std::string_view amount_differs = "amount_differs";
inline constexpr std::string_view payment_not_released = "payment_not_released";
inline constexpr std::string_view dated_before_payment = "dated_before_payment";
inline constexpr std::string_view dated_in_the_future = "dated_in_the_future";
inline constexpr std::string_view settled_differently = "settled_differently";
// A second paid line of the same file, unless both have the same bank reference.
inline constexpr std::string_view listed_twice = "listed_twice";
inline constexpr std::string_view currency_not_usd = "currency_not_usd";
inline constexpr std::string_view disputed_return =
    "disputed_return";  // dishonored or contested: an issue between the banks
// A return code that credits never have, or a debit that may be a check of ours.
inline constexpr std::string_view impossible_return = "impossible_return";
// An *applied* return or void of a payment already confirmed as paid: record it and raise an exception too.
inline constexpr std::string_view returned_after_paid = "returned_after_paid";

struct Match {
    Confirmation confirmation;
    MatchOutcome outcome = MatchOutcome::exception;
    std::optional<std::int64_t> payment_id;     // absent if the line may mean any payment, or several
    std::string reason_code;                    // one of the above, or empty
    std::string detail;                         // a sentence for a person; empty if simply applied
    std::vector<std::int64_t> candidates = {};  // the payments that the line may mean, if there are several
    friend bool operator==(const Match&, const Match&) = default;
};

// One result per confirmation, in the order in which to record them: paid, returned, void, and by line within a kind.
// The order of the confirmations never changes the results. Confirmations that contradict each other (two dates for one
// paid; a return and a void) all become exceptions, and so does a return or void dated before the day on which the bank
// says that it paid, and the void of a check that it says it paid. `today` is the office's date. A confirmation may be
// dated up to the next banking day: a return that the bank sends on a Friday settles on Monday.
[[nodiscard]] std::vector<Match> match(const std::vector<Confirmation>& confirmations, const PaymentIndex& payments,
                                       BusinessDate today);

}  // namespace drawbridge::reconciliation
