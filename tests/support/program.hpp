// Runs the real binary for a test, to completion or in the background. It never outlives the test.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "support/temporary_folder.hpp"

namespace drawbridge::test {

inline std::string read_whole(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return std::move(text).str();
}

inline void write_whole(const std::filesystem::path& path, std::string_view text) {
    std::ofstream(path, std::ios::binary) << text;
}

// Polls the condition until it is true; false when it is still not true after twenty seconds.
template <class Condition>
bool eventually(Condition condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!condition()) {
        if (std::chrono::steady_clock::now() >= end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

class Program {
  public:
    // `environment` entries are "NAME=value", added to the test's environment.
    // `out`: where standard output goes; empty: to out().
    Program(std::vector<std::string> arguments, const std::vector<std::string>& environment = {}, std::string out = {})
        : out_(std::move(out)) {
        arguments.insert(arguments.begin(), DRAWBRIDGE_BINARY_DIR "/drawbridge");
        pid_ = ::fork();
        if (pid_ == 0) become(arguments, environment);
    }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    ~Program() {
        if (ended_) return;
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }

    // The exit code; 128 + n if signal n killed it; -1 if it did not end in time (then it is killed).
    int wait() {
        int status = 0;
        const bool in_time = eventually([&] { return ::waitpid(pid_, &status, WNOHANG) == pid_; });
        if (!in_time) return -1;
        ended_ = true;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    void signal(int number) const { ::kill(pid_, number); }
    [[nodiscard]] pid_t pid() const { return pid_; }
    [[nodiscard]] std::string out() const { return read_whole(folder_.path() / "out"); }
    [[nodiscard]] std::string err() const { return read_whole(folder_.path() / "err"); }

  private:
    [[noreturn]] void become(const std::vector<std::string>& arguments, const std::vector<std::string>& environment) {
        const auto to = out_.empty() ? (folder_.path() / "out").string() : out_;
        const int out = ::open(to.c_str(), O_WRONLY | O_CREAT, 0600);
        const int err = ::open((folder_.path() / "err").c_str(), O_WRONLY | O_CREAT, 0600);
        if (out < 0 || err < 0) ::_exit(127);
        ::dup2(out, STDOUT_FILENO);
        ::dup2(err, STDERR_FILENO);
        ::unsetenv("DRAWBRIDGE_CONFIG");
        ::unsetenv("JOURNAL_STREAM");
        // Simulates a separate machine, because tests run in parallel.
        ::setenv("DRAWBRIDGE_WRITERS", (folder_.path() / "writers").c_str(), 1);
        for (const auto& entry : environment) {
            const auto equals = entry.find('=');
            ::setenv(entry.substr(0, equals).c_str(), entry.substr(equals + 1).c_str(), 1);
        }
        std::vector<char*> raw;
        raw.reserve(arguments.size() + 1);
        for (const auto& argument : arguments)
            raw.push_back(const_cast<char*>(argument.c_str()));
        raw.push_back(nullptr);
        ::execv(raw[0], raw.data());
        ::_exit(127);
    }

    TemporaryFolder folder_;
    std::string out_;
    pid_t pid_ = -1;
    bool ended_ = false;
};

struct Outcome {
    int code = 0;
    std::string out, err;
};

inline Outcome run(std::vector<std::string> arguments, std::vector<std::string> environment = {}) {
    Program program(std::move(arguments), std::move(environment));
    const int code = program.wait();
    return {code, program.out(), program.err()};
}

// Every write to standard output fails.
inline Outcome run_on_full_disk(std::vector<std::string> arguments) {
    Program program(std::move(arguments), {}, "/dev/full");
    const int code = program.wait();
    return {code, {}, program.err()};
}

// A folder with a valid configuration whose service does not answer (nothing listens on port 1).
class Office {
  public:
    Office() {
        write("drawbridge.yaml",
              "service:\n"
              "  base_url: http://127.0.0.1:1\n"
              "  client_id_file: client_id\n"
              "  client_secret_file: client_secret\n"
              "  retries: 0\n"
              "state_dir: state\n"
              "poll: {every: 200ms, full_sweep_every: 1h}\n"
              "ach:\n"
              "  odfi: {routing_number: \"091000019\", name: FIRST BANK}\n"
              "  origin: {id: \"1123456789\", name: CITY HOUSING OFFICE}\n"
              "  company: {name: CITY HOUSING, id: \"1123456789\", entry_description: DRAWPMT}\n"
              "ledger: {witness: none}\n");
        write("client_id", "id\n");
        write("client_secret", "secret\n");
        write("payees.csv",
              "key,name,rail,routing_number,account_number,account_type,sec_code,address1,address2,city,state,zip\n"
              "PAYEE-1,Ana Alvarez,ach,021000021,123456789,checking,PPD,,,,,\n");
        write("rules.yaml", "version: 1\napprover_id: 1201\nrules:\n  - {name: all, when: always, hold: look at it}\n");
        std::filesystem::permissions(path("client_id"), std::filesystem::perms(0600));
        std::filesystem::permissions(path("client_secret"), std::filesystem::perms(0600));
    }
    void write(const std::string& name, std::string_view text) const { write_whole(path(name), text); }
    [[nodiscard]] std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }
    [[nodiscard]] std::vector<std::string> command(std::vector<std::string> words) const {
        words.insert(words.begin(), {"--config", path("drawbridge.yaml").string()});
        return words;
    }
    [[nodiscard]] Outcome run(std::vector<std::string> words) const { return test::run(command(std::move(words))); }

  private:
    TemporaryFolder folder_;
};

}  // namespace drawbridge::test
