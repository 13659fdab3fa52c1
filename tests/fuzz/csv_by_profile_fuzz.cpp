// Fuzzes a profile and a file for it: the profile up to the first NUL byte, the file after it.
#include <algorithm>

#include "drawbridge/statements/read.hpp"
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    namespace statements = drawbridge::statements;
    namespace fuzz = drawbridge::fuzz;
    const std::string_view bytes = fuzz::as_text(data, size);
    const std::size_t nul = std::min(bytes.find('\0'), bytes.size());
    auto profile = statements::read_csv_profile(bytes.substr(0, nul), "p.yaml");
    if (!profile) {
        fuzz::expect(!profile.error().empty(), "a refused profile must have a reason");
        return 0;
    }
    if (nul == bytes.size()) return 0;
    statements::ReadOptions options;
    options.csv_profiles = {*profile};
    options.profile = profile->name;
    const auto read =
        statements::read_statement(bytes.substr(nul + 1), "f.csv", options, [](const drawbridge::Confirmation& c) {
            fuzz::expect(c.amount.cents() >= 0, "an amount must not be negative");
            fuzz::expect(c.date.ok(), "a date must be valid");
            const bool told =
                c.kind == drawbridge::ConfirmationKind::unrelated || c.kind == drawbridge::ConfirmationKind::pending;
            fuzz::expect(told || (!c.references.empty() && !c.amount.is_zero()),
                         "a paid or returned line must have a reference and an amount");
        });
    fuzz::expect(read || !read.error().empty(), "a refusal must have a reason");
    return 0;
}
