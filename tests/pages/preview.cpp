// pages_preview FOLDER: writes every screen, light and dark, with the files that a browser loads beside it.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "drawbridge/pages/assets.hpp"
#include "pages/screen_list.hpp"

namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, std::string_view bytes) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace

int main(int count, char** arguments) {
    namespace pages = drawbridge::pages;
    if (count != 2) {
        std::fprintf(stderr, "usage: pages_preview FOLDER\n");
        return 2;
    }
    const fs::path folder = arguments[1];
    for (const pages::Asset& asset : pages::assets())
        write(folder / "assets" / pages::assets_version() / asset.name, asset.bytes);
    for (const auto& screen : pages::samples::screens()) {
        write(folder / (screen.name + ".html"), screen.make(pages::Theme::light, {}));
        write(folder / (screen.name + "-dark.html"), screen.make(pages::Theme::dark, {}));
    }
    return 0;
}
