// What a browser loads in addition to the pages: the style sheets, the scripts and the icons of web/, embedded at build
// time.
//
// Their addresses hold a hash of all of them, so that a browser may keep each for good.
#pragma once

#include <span>
#include <string_view>

#include "drawbridge/pages/html.hpp"

namespace drawbridge::pages {

struct Asset {
    std::string_view name;  // "modules/live.js"
    std::string_view content_type;
    std::string_view bytes;
};

[[nodiscard]] std::span<const Asset> assets();
// "4f1c09d2a7b3": of names and bytes of all of them.
[[nodiscard]] std::string_view assets_version();

// "/assets/4f1c09d2a7b3/app.css"
[[nodiscard]] Link asset_link(std::string_view name);
// The asset at a request's path; null: no such asset, or not in this version.
[[nodiscard]] const Asset* find_asset(std::string_view path);

}  // namespace drawbridge::pages
