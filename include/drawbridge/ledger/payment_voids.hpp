// Single payments that a person voided before they went out. A payment file is never changed: the whole file is voided,
// and the draw of that one payment is held until a person settles the exception; the others are paid anew.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/ledger/ledger.hpp"

namespace drawbridge::ledger {

struct PaymentPlace {
    DrawId draw_id = 0;
    std::string file_name;
    std::optional<std::int64_t> check_number;
};
[[nodiscard]] std::optional<PaymentPlace> find_payment(Ledger& ledger, std::int64_t payment_id);

// Its file was voided in this transaction. Raises the exception payment_voided.
void record_payment_void(Ledger& ledger, std::int64_t payment_id, DrawId draw_id, std::string_view reason,
                         const Stamp& stamp);
// What holds the draw back, in the words of the exception; nullopt: nothing does.
[[nodiscard]] std::optional<std::string> void_hold(Ledger& ledger, DrawId id);
// The exception was settled: the draw may be paid.
void lift_void_hold(Ledger& ledger, DrawId id, const Stamp& stamp);

}  // namespace drawbridge::ledger
