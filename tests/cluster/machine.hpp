// A machine of a cluster test: network, process numbers and host name of its own (Linux namespaces), plugged into the
// bridge `switch` that scripts/cluster makes. When this object, or the test, is gone, so are the machine, everything
// that ran on it, and its network.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "e2e/process.hpp"

namespace drawbridge::cluster {

// False: this is not the network that scripts/cluster makes for these tests.
[[nodiscard]] bool has_switch();

// Runs a shell command and waits for it. Throws unless it succeeds.
void must_run(const std::string& command);

// A program that runs on a machine.
struct Running {
    e2e::Process entered;  // nsenter, which waits for the program
    pid_t pid = 0;         // of the program, as the test sees it

    void signal(int number) const;
    [[nodiscard]] bool has_ended() const;
    [[nodiscard]] bool is_stopped() const;
};

class Machine {
  public:
    // Its address is 10.77.0.`number`.
    Machine(std::string name, int number, std::filesystem::path logs);

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] std::string address() const;
    // A file that opens its network, for setns().
    [[nodiscard]] std::filesystem::path network() const;
    // What starts a program here, before the program's path.
    [[nodiscard]] std::vector<std::string> enter() const;
    [[nodiscard]] Running start(e2e::Command command) const;
    // A shell command here, to its end. False: it failed.
    bool run(const std::string& command) const;  // NOLINT(modernize-use-nodiscard): often it may fail

    // Its network cable. Nothing is told to whoever is connected.
    void unplug() const;
    void plug_in() const;
    // Everything on it ends at once.
    void crash();
    void boot();

  private:
    std::string name_;
    int number_;
    std::filesystem::path logs_;
    std::optional<e2e::Process> unshared_;
    pid_t first_process_ = 0;
};

}  // namespace drawbridge::cluster
