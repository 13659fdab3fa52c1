// One line of evidence from the bank about one payment. statements/ reads it, reconciliation/ matches it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/money.hpp"
#include "drawbridge/domain/time.hpp"

namespace drawbridge {

enum class ConfirmationKind {
    paid,
    returned,
    voided,     // a check that was stopped or voided
    corrected,  // a notification of change: the payment went through, but the payee's data is wrong
    pending,    // the bank has the payment but has not decided: no effect
    disputed,   // a dishonored or contested return: between banks, never a second return
    unrelated,  // a statement line that is not about one of our payments, such as a deposit: no effect
};

// "paid", "returned", "void", "corrected", "pending", "disputed", "unrelated"
[[nodiscard]] std::string_view to_string(ConfirmationKind kind);
[[nodiscard]] std::optional<ConfirmationKind> parse_confirmation_kind(std::string_view text);

enum class ReferenceKind {
    any,           // the file does not say which: a trace number, a check number or a payment id
    trace_number,  // fifteen digits
    check_number,
    end_to_end_id,
    payment_id,      // assigned by Drawbridge: "P0000000123"
    bank_reference,  // the bank's own name for what it booked: matches no payment
    // A number that may be a check number, or a trace number or payment id in another notation. It never confirms a
    // payment; it can only raise an exception: for an unrelated debit, about an open payment of the same amount; for a
    // disputed deposit, about any payment (match.hpp).
    possible_check,
};

[[nodiscard]] std::string_view to_string(ReferenceKind kind);

struct Reference {
    ReferenceKind kind = ReferenceKind::any;
    std::string text;  // as written, trimmed
    friend bool operator==(const Reference&, const Reference&) = default;
};

// Where the amount of a line comes from.
enum class AmountSource {
    line,     // the line states it
    none,     // the line states none: it is zero, and the line matches no payment
    payment,  // the rejection of a whole payment by its payment id states none: it is the payment's, zero until matched
    file,     // the rejection of a whole file or batch of ours states none: it is zero, and the line matches no payment
};

struct Confirmation {
    std::int64_t line = 0;          // line number in its file, from 1; in XML, where its element begins
    std::string payment_reference;  // the strongest reference, as written (trimmed); empty when the line has none
    ConfirmationKind kind = ConfirmationKind::paid;
    Money amount;       // never negative: the kind gives the direction. Zero for `corrected`, which moves no money
    BusinessDate date;  // the bank's date
    // Every reference on the line, strongest first. Empty: only payment_reference, of any kind.
    std::vector<Reference> references = {};
    std::string currency = "USD";     // ISO 4217
    std::string reason_code = {};     // R03, C01, AC04; empty when the bank gave none
    std::string corrected_data = {};  // NACHA record 7 type 98, positions 36-64, trimmed at the right
    std::string payee_name = {};      // as the bank wrote it
    std::string note = {};            // other text of the line, for people; never a full account number
    AmountSource amount_source = AmountSource::line;
    friend bool operator==(const Confirmation&, const Confirmation&) = default;
};

}  // namespace drawbridge
