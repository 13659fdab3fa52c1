// A stranger's words on one screen, which the first byte chooses: its elements are those that harmless words have.
#include <string>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "pages/skeleton.hpp"

namespace {

namespace pages = drawbridge::pages;

struct Known {
    pages::samples::Screen screen;
    std::string bones;
};

std::string bones_of(const pages::samples::Screen& screen, const std::string& words) {
    return pages::samples::skeleton(screen.make(pages::Theme::light, {.stranger = words}));
}

const std::vector<Known>& known_screens() {
    static const auto all = [] {
        std::vector<Known> known;
        for (const auto& screen : pages::samples::short_screens())
            known.push_back({screen, bones_of(screen, "harmless")});
        return known;
    }();
    return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    namespace fuzz = drawbridge::fuzz;
    if (size < 2) return 0;
    const auto& [screen, bones] = known_screens()[data[0] % known_screens().size()];
    // Of no words at all, or of white space alone, a page shows less.
    const std::string words = "x" + std::string(fuzz::as_text(data + 1, size - 1));
    // A page links the name of a file where an event's text has it, and otherwise after the text.
    if (words.contains("ACH-20261123-A.ach")) return 0;
    fuzz::expect(bones_of(screen, words) == bones, screen.name.c_str());
    return 0;
}
