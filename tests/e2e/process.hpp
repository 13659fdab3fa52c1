// A child process for tests: its own environment, a wait with a deadline, and never left running.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace drawbridge::e2e {

struct Exit {
    int code = -1;   // -1: it was killed by a signal
    int signal = 0;  // 0: it exited
    friend bool operator==(const Exit&, const Exit&) = default;
};

[[nodiscard]] std::string to_string(const Exit& exit);

struct Command {
    std::vector<std::string> arguments;  // the program's path first
    std::map<std::string, std::string> environment;
    std::filesystem::path stdout_file;
    std::filesystem::path stderr_file;
    std::vector<std::string> within = {};  // what starts the program, with its options, such as nsenter
};

class Process {
  public:
    // Appends output to the command's files. Throws if the program cannot start.
    explicit Process(const Command& command);
    Process(Process&& other) noexcept;
    Process& operator=(Process&& other) noexcept;
    ~Process();  // kills a running process

    [[nodiscard]] pid_t id() const { return pid_; }
    [[nodiscard]] bool running();
    // nullopt: still running at the deadline.
    std::optional<Exit> wait(std::chrono::milliseconds deadline);
    void signal(int number) const;
    // Sends SIGKILL and waits for the end.
    void kill();

  private:
    pid_t pid_ = -1;
    std::optional<Exit> exit_;
};

void pause_briefly();

// Polls until the condition is true. False: not true at the deadline.
template <class Condition>
bool eventually(Condition condition, std::chrono::milliseconds deadline = std::chrono::seconds(20)) {
    const auto end = std::chrono::steady_clock::now() + deadline;
    while (!condition()) {
        if (std::chrono::steady_clock::now() >= end) return false;
        pause_briefly();
    }
    return true;
}

[[nodiscard]] std::string read_file(const std::filesystem::path& path);
[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);
void write_file(const std::filesystem::path& path, const std::string& content);
// The files in a folder (not in its subfolders), sorted by name.
[[nodiscard]] std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder);

// A temporary folder for each test. Removed at the end unless the test failed.
class TemporaryFolder {
  public:
    TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace drawbridge::e2e
