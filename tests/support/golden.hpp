// Texts that a test compares with a file.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace drawbridge::test {

// Compares with tests/data/NAME; DRAWBRIDGE_WRITE_GOLDEN in the environment writes it instead.
inline void expect_golden(const std::string& name, const std::string& text) {
    const auto path = std::filesystem::path(DRAWBRIDGE_TEST_DATA) / name;
    if (std::getenv("DRAWBRIDGE_WRITE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << text;
    std::ifstream in(path, std::ios::binary);
    std::stringstream wanted;
    wanted << in.rdbuf();
    EXPECT_EQ(text, wanted.str()) << path;
}

}  // namespace drawbridge::test
