#include "drawbridge/config/admin_socket.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "support/temporary_folder.hpp"

namespace drawbridge::config {
namespace {

TEST(AdminSocket, is_found_in_a_file_with_other_errors) {
    const test::TemporaryFolder folder;
    const auto file = folder.path() / "drawbridge.yaml";
    struct Case {
        const char* yaml;
        std::string socket;  // empty: not found
    };
    const Case cases[] = {
        {"state_dir: state\nservice: {client_secret_file: not-for-you}\n", folder.path() / "state/drawbridge.sock"},
        {"state_dir: /srv/d\nnonsense: 1\n", "/srv/d/drawbridge.sock"},
        {"service: {}\n", "/var/lib/drawbridge/drawbridge.sock"},
        {"state_dir: state\nadmin: {socket: run/s.sock}\n", folder.path() / "run/s.sock"},
        {"state_dir: state\nadmin: [1]\n", folder.path() / "state/drawbridge.sock"},
        {"state_dir: [\n", ""},
        {"", ""},
    };
    for (const auto& one : cases) {
        std::ofstream(file) << one.yaml;
        EXPECT_EQ(find_admin_socket(file).value_or(""), one.socket) << one.yaml;
    }
    EXPECT_EQ(find_admin_socket(folder.path() / "none.yaml"), std::nullopt);
}

}  // namespace
}  // namespace drawbridge::config
