#include "e2e/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// glibc 2.36 declares these without C linkage.
extern "C" {
#include <sys/pidfd.h>
}

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

namespace drawbridge::e2e {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void throw_errno(const std::string& what) {
    throw std::system_error(errno, std::generic_category(), what);
}

int open_for_append(const fs::path& path) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file < 0) throw_errno(path.string());
    return file;
}

// Runs between fork and exec: async-signal-safe calls only.
[[noreturn]] void become(std::vector<char*>& arguments, std::vector<char*>& environment, int out, int err) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (in < 0) _exit(126);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    execve(arguments.front(), arguments.data(), environment.data());
    _exit(127);
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> out;
    out.reserve(texts.size() + 1);
    for (auto& text : texts)
        out.push_back(text.data());
    out.push_back(nullptr);
    return out;
}

Exit read_status(int status) {
    if (WIFSIGNALED(status)) return {-1, WTERMSIG(status)};
    return {WEXITSTATUS(status), 0};
}

}  // namespace

std::string to_string(const Exit& exit) {
    return exit.signal != 0 ? "killed by signal " + std::to_string(exit.signal) : "exit " + std::to_string(exit.code);
}

Process::Process(const Command& command) {
    std::vector<std::string> arguments = command.within;
    arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
    std::vector<std::string> environment{"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"};
    for (const auto& [name, value] : command.environment)
        environment.push_back(fmt::format("{}={}", name, value));
    auto argument_pointers = pointers(arguments);
    auto environment_pointers = pointers(environment);
    const int out = open_for_append(command.stdout_file);
    const int err = open_for_append(command.stderr_file);
    pid_ = fork();
    if (pid_ == 0) become(argument_pointers, environment_pointers, out, err);
    close(out);
    close(err);
    if (pid_ < 0) throw_errno("fork");
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), exit_(std::exchange(other.exit_, std::nullopt)) {}

Process& Process::operator=(Process&& other) noexcept {
    std::swap(pid_, other.pid_);
    std::swap(exit_, other.exit_);
    return *this;
}

Process::~Process() {
    if (pid_ > 0) kill();
}

bool Process::running() {
    return !wait(std::chrono::milliseconds(0)).has_value();
}

std::optional<Exit> Process::wait(std::chrono::milliseconds deadline) {
    if (exit_ || pid_ <= 0) return exit_;
    const int handle = pidfd_open(pid_, 0);
    if (handle < 0) throw_errno("pidfd_open");
    pollfd waiting{handle, POLLIN, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(deadline.count()));
    close(handle);
    if (ready <= 0) return std::nullopt;
    int status = 0;
    if (waitpid(pid_, &status, 0) != pid_) throw_errno("waitpid");
    exit_ = read_status(status);
    return exit_;
}

void Process::signal(int number) const {
    if (!exit_ && pid_ > 0) ::kill(pid_, number);
}

void Process::kill() {
    if (exit_ || pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    int status = 0;
    waitpid(pid_, &status, 0);
    exit_ = read_status(status);
}

void pause_briefly() {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

std::string read_file(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + path.string());
    std::ostringstream out;
    out << in.rdbuf();
    return std::move(out).str();
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

void write_file(const fs::path& path, const std::string& content) {
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out << content;
    out.close();
    if (!out) throw std::runtime_error("cannot write " + path.string());
}

std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (entry.is_regular_file()) files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
}

TemporaryFolder::TemporaryFolder() {
    std::string pattern = "/tmp/drawbridge-e2e-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) throw_errno("mkdtemp");
    path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
    if (testing::Test::HasFailure()) {
        std::cerr << "kept for inspection: " << path_.string() << '\n';
        return;
    }
    std::error_code error;
    fs::remove_all(path_, error);
}

}  // namespace drawbridge::e2e
