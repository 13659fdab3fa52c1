// A temporary folder that is removed when the test ends.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace drawbridge::test {

class TemporaryFolder {
  public:
    explicit TemporaryFolder(const std::filesystem::path& in = std::filesystem::temp_directory_path()) {
        std::string form = (in / "drawbridge-test-XXXXXX").string();
        if (::mkdtemp(form.data()) == nullptr) std::abort();
        path_ = form;
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace drawbridge::test
