// Around every page: the bar, the places, the banners that no page may lack, the foot. Private to this module.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/pages/context.hpp"
#include "drawbridge/pages/html.hpp"

namespace drawbridge::pages {

struct Frame {
    std::string title;       // of the window
    std::string_view place;  // of the nav: "/files"
    Html crumbs = {};        // above the heading
    Html heading = {};       // what the <h1> says; empty: the title
    Html under = {};         // beneath it, in small type
    Html acts = {};          // at the right
    Html content = {};
    std::string command = {};                    // the CLI's command for the same
    std::vector<std::string_view> modules = {};  // beside those of every page
    bool is_live = false;                        // its regions follow the ledger
};
[[nodiscard]] std::string to_page(const PageContext& page, const Frame& frame);

// For pages before anybody is signed in, and for errors: no places, one card in the middle.
struct Plain {
    std::string title;
    Html content;
    std::vector<std::string_view> modules = {};
};
[[nodiscard]] std::string to_page(const PageContext& page, const Plain& plain);

}  // namespace drawbridge::pages
