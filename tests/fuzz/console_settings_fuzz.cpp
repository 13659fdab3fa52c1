// The console's configuration.
#include "drawbridge/console/settings.hpp"
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    namespace fuzz = drawbridge::fuzz;
    const auto settings =
        drawbridge::console::read_settings(fuzz::as_text(data, size), "/nowhere/console.yaml", {}, {});
    fuzz::expect(settings || !settings.error().empty(), "a refusal must have a reason");
    return 0;
}
