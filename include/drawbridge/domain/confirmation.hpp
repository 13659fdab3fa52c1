// One line of evidence from the bank about one payment. statements/ reads it, reconciliation/ matches it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/domain/money.hpp"
#include "drawbridge/domain/time.hpp"

namespace drawbridge {

enum class ConfirmationKind { paid, returned, voided };

[[nodiscard]] std::string_view to_string(ConfirmationKind kind);

struct Confirmation {
    std::int64_t line = 0;          // in its file, from 1
    std::string payment_reference;  // trace number, check number or payment id, as written (trimmed)
    ConfirmationKind kind = ConfirmationKind::paid;
    Money amount;
    BusinessDate date;
    friend bool operator==(const Confirmation&, const Confirmation&) = default;
};

}  // namespace drawbridge
