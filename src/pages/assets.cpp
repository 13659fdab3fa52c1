#include "drawbridge/pages/assets.hpp"

#include <algorithm>
#include <string>

namespace drawbridge::pages {
namespace {

constexpr std::string_view folder = "/assets/";

}  // namespace

Link asset_link(std::string_view name) {
    const std::string path = std::string(folder) + std::string(assets_version()) + "/" + std::string(name);
    return Link::local(path).value_or(Link("/assets"));
}

const Asset* find_asset(std::string_view path) {
    if (!path.starts_with(folder)) return nullptr;
    path.remove_prefix(folder.size());
    if (!path.starts_with(assets_version())) return nullptr;
    path.remove_prefix(assets_version().size());
    if (!path.starts_with('/')) return nullptr;
    path.remove_prefix(1);
    const auto all = assets();
    const auto found = std::ranges::find(all, path, &Asset::name);
    return found == all.end() ? nullptr : &*found;
}

}  // namespace drawbridge::pages
