// Fuzzes finance's confirmation CSV without a profile.
#include "drawbridge/statements/csv.hpp"
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using drawbridge::fuzz::expect;
    const auto read = drawbridge::statements::read_confirmation_csv(drawbridge::fuzz::as_text(data, size), "f.csv");
    if (!read) {
        expect(!read.error().empty(), "a refusal must have a reason");
        return 0;
    }
    for (const drawbridge::Confirmation& c : *read) {
        expect(c.amount.cents() > 0, "an amount must be above zero");
        expect(!c.payment_reference.empty(), "a line must name its payment");
        expect(c.date.ok(), "a date must be valid");
    }
    return 0;
}
