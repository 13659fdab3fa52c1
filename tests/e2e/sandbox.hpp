// The Draws Service of a test: the real draws-sandbox with its own port and store, and the people at its portal.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "e2e/portal.hpp"
#include "e2e/process.hpp"

namespace drawbridge::e2e {

inline constexpr std::string_view client_id = "office";
inline constexpr std::string_view client_secret = "a-secret-of-the-tests";

class Sandbox : public Portal {
  public:
    // Keeps its store in folder/sandbox.db. Adds `arguments` to the command line.
    explicit Sandbox(std::filesystem::path folder, std::vector<std::string> arguments = {});

    [[nodiscard]] std::uint16_t port() const { return port_; }
    [[nodiscard]] Process& process() { return process_; }
    // Restarts on the same store and port.
    void restart();

  private:
    [[nodiscard]] HttpAnswer answer_of(std::string_view method, const std::string& path,
                                       const std::string& body) const override;
    void start(std::uint16_t port);

    std::filesystem::path folder_;
    std::vector<std::string> arguments_;
    std::uint16_t port_ = 0;
    Process process_;
};

}  // namespace drawbridge::e2e
