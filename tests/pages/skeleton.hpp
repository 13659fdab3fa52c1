// What a page is made of besides its texts and values: what strangers write must never change it.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "pages/screen_list.hpp"

namespace drawbridge::pages::samples {

// The elements and the names of their attributes, in order; not texts, not values.
inline std::string skeleton(const std::string& page) {
    std::string bones;
    for (std::size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at)) {
        const auto end = page.find('>', at);
        if (end == std::string::npos) return bones + "<unclosed";
        bool is_quoted = false;
        for (std::size_t i = at; i <= end; ++i) {
            if (page[i] == '"') is_quoted = !is_quoted;
            if (!is_quoted && page[i] != '"') bones += page[i];
        }
        at = end + 1;
    }
    return bones;
}

// A long list has the same elements as a short one.
inline std::vector<Screen> short_screens() {
    auto all = screens();
    std::erase_if(all, [](const auto& screen) { return screen.name.ends_with("-many"); });
    return all;
}

}  // namespace drawbridge::pages::samples
