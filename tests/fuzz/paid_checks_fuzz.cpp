// Fuzzes a paid-check layout and a file for it: the layout up to the first NUL byte, the file after it.
#include <algorithm>

#include "drawbridge/checks/paid_file.hpp"
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    namespace checks = drawbridge::checks;
    namespace fuzz = drawbridge::fuzz;
    const std::string_view bytes = fuzz::as_text(data, size);
    const std::size_t nul = std::min(bytes.find('\0'), bytes.size());
    const auto layout = checks::read_paid_layout(bytes.substr(0, nul), "l.yaml");
    if (!layout || nul == bytes.size()) return 0;
    std::int64_t count = 0;
    const auto read = checks::parse_paid(*layout, {drawbridge::AccountNumber::parse("99887766").value()},
                                         bytes.substr(nul + 1), "f", [&](const checks::PaidCheck& check) {
                                             ++count;
                                             fuzz::expect(check.amount.cents() >= 0, "an amount must not be negative");
                                             fuzz::expect(check.paid_date.ok(), "a date must be valid");
                                         });
    fuzz::expect(!read || read->count <= count, "every counted check must reach the sink");
    return 0;
}
