// The fixture of the configuration tests: a temporary folder with secret files and the configuration under test.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <expected>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "drawbridge/config/config.hpp"

namespace drawbridge::config {

// The destructor removes the folder.
class ConfigTest : public testing::Test {
  public:
    ConfigTest() {
        std::string name = (std::filesystem::temp_directory_path() / "drawbridge-config-XXXXXX").string();
        EXPECT_NE(mkdtemp(name.data()), nullptr);
        folder_ = name;
        unsetenv("CREDENTIALS_DIRECTORY");
        write("client_id", "the-id\n");
        write("client_secret", "the-secret\n");
        write("check_account", "000123456789\n");
    }
    ~ConfigTest() override {
        unsetenv("CREDENTIALS_DIRECTORY");
        std::filesystem::remove_all(folder_);
    }
    ConfigTest(const ConfigTest&) = delete;
    ConfigTest& operator=(const ConfigTest&) = delete;

  protected:
    std::filesystem::path write(const std::string& name, const std::string& content, mode_t mode = 0600) const {
        const std::filesystem::path path = folder_ / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << content;
        EXPECT_EQ(chmod(path.c_str(), mode), 0);
        return path;
    }

    [[nodiscard]] std::expected<Config, text::Diagnostics> load(const std::string& yaml) const {
        return load_config(write("c.yaml", yaml));
    }

    // The diagnostics, without the folder's path.
    [[nodiscard]] std::string report(const std::string& yaml) const {
        const auto config = load(yaml);
        std::string text = config ? "valid\n" + to_string(config->warnings) : to_string(config.error());
        const std::string prefix = folder_.string() + "/";
        for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix))
            text.erase(at, prefix.size());
        return text;
    }

    std::filesystem::path folder_;
};

// The smallest valid configuration; five lines.
inline const std::string minimal =
    "service:\n"
    "  base_url: https://draws.example.gov/api/\n"
    "  client_id_file: client_id\n"
    "  client_secret_file: client_secret\n"
    "checks: {account_number_file: check_account, first_number: 10001}\n";

// A configuration and its expected diagnostics.
struct Case {
    std::string yaml;
    std::string report;
};

}  // namespace drawbridge::config
