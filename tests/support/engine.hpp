// The database that the ledgers of a test program are in: files, or with DRAWBRIDGE_TEST_ENGINE=postgresql in the
// environment, schemas on a server of the program's own (postgresql_cluster.hpp).
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

namespace drawbridge::test {

inline bool on_postgresql() {
    const char* engine = std::getenv("DRAWBRIDGE_TEST_ENGINE");
    return engine != nullptr && std::string_view(engine) == "postgresql";
}

// The first line of a test about the file itself.
#define ABOUT_THE_FILE() \
    if (::drawbridge::test::on_postgresql()) GTEST_SKIP() << "about a ledger in a file"

}  // namespace drawbridge::test
