// The contrast of the style sheet's colors by WCAG 2.2, computed from its tokens.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <regex>
#include <string>

#include "drawbridge/pages/assets.hpp"

namespace drawbridge::pages {
namespace {

struct Color {
    std::string light, dark;
};

std::map<std::string, Color> tokens() {
    std::map<std::string, Color> all;
    for (const Asset& asset : assets()) {
        if (asset.name != "app.css") continue;
        const std::string css(asset.bytes);
        const std::regex token(R"(--([a-z0-9-]+): light-dark\(#([0-9a-f]{6}), #([0-9a-f]{6})\))");
        for (std::sregex_iterator at(css.begin(), css.end(), token), end; at != end; ++at)
            all[(*at)[1]] = {(*at)[2], (*at)[3]};
    }
    return all;
}

double luminance(const std::string& hex) {
    const auto channel = [&](std::size_t at) {
        const double value = std::stoi(hex.substr(at, 2), nullptr, 16) / 255.0;
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * channel(0) + 0.7152 * channel(2) + 0.0722 * channel(4);
}

double contrast(const std::string& a, const std::string& b) {
    const double one = luminance(a), other = luminance(b);
    return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
}

struct Pair {
    const char *ink, *ground;
    double at_least;
};
constexpr double for_text = 4.5, for_control = 3.0;
constexpr Pair pairs[] = {
    {"ink", "paper", for_text},
    {"ink", "ground", for_text},
    {"ink", "sunken", for_text},
    {"ink-2", "paper", for_text},
    {"ink-2", "ground", for_text},
    {"ink-2", "sunken", for_text},
    {"ink-3", "paper", for_text},
    {"ink-3", "ground", for_text},
    {"accent", "paper", for_text},
    {"accent", "ground", for_text},
    {"accent-ink", "accent", for_text},
    {"accent-ink", "accent-strong", for_text},
    {"accent-strong", "accent-soft", for_text},
    {"ink", "accent-soft", for_text},
    {"ink-2", "accent-soft", for_text},
    {"wait", "wait-soft", for_text},
    {"wait", "paper", for_text},
    {"ink", "wait-soft", for_text},
    {"alarm", "alarm-soft", for_text},
    {"alarm", "paper", for_text},
    {"alarm-ink", "alarm", for_text},
    {"ink", "alarm-soft", for_text},
    {"good", "good-soft", for_text},
    {"ink", "good-soft", for_text},
    {"accent", "sunken", for_text},
    {"control", "paper", for_control},
    {"control", "ground", for_control},
    {"accent", "paper", for_control},
    {"s-released", "paper", for_control},
    {"s-differs", "paper", for_control},
};

TEST(Contrast, of_text_and_controls_meets_wcag_22_aa_in_light_and_dark) {
    auto all = tokens();
    ASSERT_GT(all.size(), 20U);
    for (const auto& [ink, ground, at_least] : pairs) {
        ASSERT_TRUE(all.contains(ink)) << ink;
        ASSERT_TRUE(all.contains(ground)) << ground;
        EXPECT_GE(contrast(all[ink].light, all[ground].light), at_least) << ink << " on " << ground << ", light";
        EXPECT_GE(contrast(all[ink].dark, all[ground].dark), at_least) << ink << " on " << ground << ", dark";
    }
}

}  // namespace
}  // namespace drawbridge::pages
