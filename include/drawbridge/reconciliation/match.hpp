// What each confirmation line means for the payments that we made. Exact or not at all: no line is applied on a guess.
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

// A payment that a confirmation may speak of, with what earlier confirmations said about it.
struct OpenPayment {
    std::int64_t payment_id = 0;
    std::string payment_id_text;              // "P0000000123"
    std::optional<std::string> trace_number;  // 15 digits (ACH)
    std::optional<std::int64_t> check_number;
    Money amount;
    BusinessDate created_on;
    std::optional<ConfirmationKind> settled_as;  // the last confirmation that was applied
    std::optional<BusinessDate> settled_on;      // its date
    bool released = false;                       // its payment file went out
    // Where settled_as is returned or voided: the date of the paid before it, if there was one. A late copy of that
    // paid is then a duplicate and no contradiction.
    std::optional<BusinessDate> paid_on;
    // settled_as voided because we told the bank so: its word for it adds nothing, whatever its date.
    bool void_transmitted = false;
    // It counts as paid because nothing came back in time: the bank's own word for that day is as good as any.
    bool paid_by_time = false;
};

// The forms in which a reference may be meant; none when it can be no reference of ours.
struct ReferenceForms {
    std::optional<std::string> trace_number;
    std::optional<std::int64_t> check_number;
    std::optional<std::string> payment_id_text;
};

// 15 digits: a trace number; up to 18 digits: a check number, leading zeros aside; "P" and 10 digits: a payment id.
[[nodiscard]] ReferenceForms read_reference(std::string_view reference);

// The candidates by each of their references. They may come from a question to the ledger about the references of one
// file, in any order, each once or more often.
class PaymentIndex {
  public:
    explicit PaymentIndex(std::vector<OpenPayment> candidates);

    // Every payment that `reference` may mean, each once; more than one: it is ambiguous.
    [[nodiscard]] std::vector<const OpenPayment*> find(std::string_view reference) const;
    // As the kind of the reference narrows it.
    [[nodiscard]] std::vector<const OpenPayment*> find(const Reference& reference) const;
    // By the strongest reference that means any payment. Where a weaker one means none of those, all of them are
    // returned: a line that contradicts itself is ambiguous.
    [[nodiscard]] std::vector<const OpenPayment*> find(const Confirmation& confirmation) const;

  private:
    [[nodiscard]] std::vector<const OpenPayment*> find_forms(const ReferenceForms& forms) const;

    std::vector<OpenPayment> payments_;  // one for each payment id
    std::unordered_map<std::string, std::vector<std::size_t>> by_trace_number_;
    std::unordered_map<std::int64_t, std::vector<std::size_t>> by_check_number_;
    std::unordered_map<std::string, std::vector<std::size_t>> by_payment_id_text_;
};

enum class MatchOutcome {
    applied,    // record it
    duplicate,  // the same fact is already recorded, or stands on another line of this file
    exception,  // a person must look: reason_code and detail say why
    recorded,   // accounted for, and without effect on a payment: pending, unrelated, a notification of change
};

[[nodiscard]] std::string_view to_string(MatchOutcome outcome);

// Match::reason_code, the reasons of an exception:
inline constexpr std::string_view unknown_payment = "unknown_payment";
inline constexpr std::string_view ambiguous_reference = "ambiguous_reference";
inline constexpr std::string_view amount_differs = "amount_differs";
inline constexpr std::string_view payment_not_released = "payment_not_released";
inline constexpr std::string_view dated_before_payment = "dated_before_payment";
inline constexpr std::string_view dated_in_the_future = "dated_in_the_future";
inline constexpr std::string_view settled_differently = "settled_differently";
inline constexpr std::string_view currency_not_usd = "currency_not_usd";
inline constexpr std::string_view disputed_return = "disputed_return";  // dishonored or contested: between the banks
inline constexpr std::string_view impossible_return = "impossible_return";  // a code with which no credit comes back
// An *applied* return or void of a payment that was confirmed as paid: record it, and raise an exception with it.
inline constexpr std::string_view returned_after_paid = "returned_after_paid";

struct Match {
    Confirmation confirmation;
    MatchOutcome outcome = MatchOutcome::exception;
    std::optional<std::int64_t> payment_id;  // absent when the payment is unknown or ambiguous
    std::string reason_code;                 // one of the above, or empty
    std::string detail;                      // a sentence for a person; empty for a plain applied
    friend bool operator==(const Match&, const Match&) = default;
};

// One result for each confirmation, in the order in which to record them: paid, returned, void, and by line within a
// kind. The order of the confirmations never changes what they mean. Confirmations that contradict each other (two
// dates for one paid; a return and a void) are exceptions, all of them.
// `today` is the office's date; a confirmation may be dated one day later, for banks in a zone ahead of it.
[[nodiscard]] std::vector<Match> match(const std::vector<Confirmation>& confirmations, const PaymentIndex& payments,
                                       BusinessDate today);

}  // namespace drawbridge::reconciliation
