// Single payments that a person voided before they went out. A payment file never changes, so the whole file is voided.
// The draw of the voided payment stays on hold until a person resolves the exception; the other draws are paid again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

struct PaymentPlace {
    DrawId draw_id = 0;
    std::string file_name;
    std::optional<std::int64_t> check_number;
};
[[nodiscard]] std::optional<PaymentPlace> find_payment(Ledger& ledger, std::int64_t payment_id);

// The file must have been voided in this transaction. Raises the exception payment_voided.
void record_payment_void(Ledger& ledger, std::int64_t payment_id, DrawId draw_id, std::string_view reason,
                         const Stamp& stamp);
// Why the draw is on hold, in the words of the exception; nullopt: it is not.
[[nodiscard]] std::optional<std::string> void_hold(Ledger& ledger, DrawId id);
// The exception was resolved: the draw may be paid.
void lift_void_hold(Ledger& ledger, DrawId id, const Stamp& stamp);

}  // namespace drawbridge::ledger
