// The daemon's configuration. The secrets that the sample names lie beside it.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "drawbridge/config/config.hpp"
#include "fuzz/fuzz.hpp"

namespace {

namespace fs = std::filesystem;

struct Folder {
    fs::path path;

    Folder() {
        std::string name = (fs::temp_directory_path() / "drawbridge-fuzz-XXXXXX").string();
        path = mkdtemp(name.data());
        for (const char* secret : {"client_id", "client_secret", "check_account", "offset_account"}) {
            std::ofstream(path / secret) << "99887766\n";
            fs::permissions(path / secret, fs::perms::owner_read | fs::perms::owner_write);
        }
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { fs::remove_all(path); }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    namespace fuzz = drawbridge::fuzz;
    static const Folder folder;
    const fs::path file = folder.path / "drawbridge.yaml";
    std::ofstream(file, std::ios::binary) << fuzz::as_text(data, size);
    const auto config = drawbridge::config::load_config(file);
    fuzz::expect(config || !config.error().empty(), "a refusal must have a reason");
    return 0;
}
