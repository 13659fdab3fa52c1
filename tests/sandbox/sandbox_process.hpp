#pragma once
// Owns a draws-sandbox process on a free port, and a blocking HTTP client for it.
// Must never end a process that it did not start.

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace sandbox_test {

struct Answer {
    unsigned status = 0;                         // 0: the connection ended without an answer
    std::map<std::string, std::string> headers;  // names in lower case
    std::string body;
    bool complete = false;  // all announced bytes arrived

    [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(body); }
};

using Headers = std::vector<std::pair<std::string, std::string>>;

// One connection, reused between requests and reopened after the other side closed it.
class HttpProbe {
  public:
    explicit HttpProbe(std::uint16_t port, std::chrono::milliseconds timeout = std::chrono::seconds(20))
        : port_(port), timeout_(timeout) {}
    HttpProbe(const HttpProbe&) = delete;
    HttpProbe& operator=(const HttpProbe&) = delete;
    ~HttpProbe() { hang_up(); }

    Answer send(const std::string& method, const std::string& target, const Headers& headers = {},
                const std::string& body = {});
    // Raw bytes.
    Answer send_raw(const std::string& bytes);
    // Sends without waiting for an answer.
    void send_only(const std::string& bytes);
    void hang_up();
    // The other side sent nothing until the timeout.
    [[nodiscard]] bool gave_up() const { return gave_up_; }
    // Waits until the other side closes the connection; false after the timeout.
    [[nodiscard]] bool closed_within(std::chrono::milliseconds time) const;
    [[nodiscard]] int times_connected() const { return times_connected_; }

  private:
    void connect();
    bool receive(std::string& buffer);
    [[nodiscard]] bool closed_by_peer() const;

    std::uint16_t port_;
    std::chrono::milliseconds timeout_;
    bool gave_up_ = false;
    int socket_ = -1;
    int times_connected_ = 0;
};

class SandboxProcess {
  public:
    explicit SandboxProcess(std::vector<std::string> arguments = {});
    SandboxProcess(const SandboxProcess&) = delete;
    SandboxProcess& operator=(const SandboxProcess&) = delete;
    ~SandboxProcess();

    [[nodiscard]] std::uint16_t port() const { return port_; }
    [[nodiscard]] const std::string& ready_line() const { return ready_line_; }
    [[nodiscard]] std::string base_path() const;
    void signal(int number) const;
    // The wait status of the ended process.
    int wait();
    // Restarts it after its end, with the same arguments on the same port.
    void start_again();

  private:
    void start(std::uint16_t port);

    std::vector<std::string> arguments_;
    pid_t pid_ = -1;
    std::uint16_t port_ = 0;
    std::string ready_line_;
};

// A sandbox with a probe and a token, for most tests.
class Bench {
  public:
    explicit Bench(std::vector<std::string> arguments = {});

    Answer get(const std::string& target) { return api("GET", target); }
    Answer list(const std::string& query) { return api("GET", "/caseBudgets/draws?" + query); }
    Answer patch(std::int64_t id, const nlohmann::json& body);
    Answer approve(const nlohmann::json& body) { return api("POST", "/caseBudgets/draws/approve", body.dump()); }
    Answer api(const std::string& method, const std::string& target, const std::string& body = {});
    Answer portal(const std::string& method, const std::string& target, const nlohmann::json& body = nullptr);
    // Adds a draw through the portal; returns its id.
    std::int64_t add(const nlohmann::json& draw);
    void arm(const nlohmann::json& fault);
    std::vector<std::int64_t> ids(const std::string& query);
    void renew_token();

    SandboxProcess process;
    HttpProbe probe;
    std::string token;
};

[[nodiscard]] Answer ask_token(HttpProbe& probe, const std::string& form, const std::string& base_path = {});
[[nodiscard]] std::string temporary_folder();

}  // namespace sandbox_test
