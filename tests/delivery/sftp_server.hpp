// The bank's side as a test needs it: a real OpenSSH server on loopback with keys of its own, and a line to it that can
// be cut at any byte.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "e2e/process.hpp"

namespace drawbridge::test {

// Without a passphrase; NAME and NAME.pub.
void make_ssh_key(const std::filesystem::path& file);
// "ssh-ed25519 AAAA…"
[[nodiscard]] std::string public_key(const std::filesystem::path& file);

class SftpServer {
  public:
    // Everything is below `folder`; `sftp_options` are those of internal-sftp.
    explicit SftpServer(std::filesystem::path folder, std::string sftp_options = {});
    SftpServer(const SftpServer&) = delete;
    SftpServer& operator=(const SftpServer&) = delete;
    ~SftpServer();

    [[nodiscard]] int port() const { return port_; }
    [[nodiscard]] std::string user() const;
    [[nodiscard]] std::string host_key() const { return public_key(folder_ / "host_key"); }
    [[nodiscard]] std::filesystem::path client_key() const { return folder_ / "client_key"; }
    // Where files go.
    [[nodiscard]] std::filesystem::path inbox() const { return folder_ / "inbox"; }
    // Names in it, sorted.
    [[nodiscard]] std::vector<std::string> names() const;
    [[nodiscard]] std::string content(const std::string& name) const;

    void stop();
    void start();
    // The server's processes of open connections end at once, as when the machine goes.
    void kill_connections();
    // From now on no file grows beyond 512 bytes: a write that goes further stores what fits and fails, as on a disk
    // that is full.
    void fill_disk();
    void free_disk();

  private:
    void configure(const std::string& subsystem);
    std::filesystem::path folder_;
    std::string sftp_options_;
    int port_ = 0;
    std::optional<e2e::Process> process_;
};

// A TCP line to a port of this machine.
class Line {
  public:
    explicit Line(int to_port);
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;
    ~Line();

    [[nodiscard]] int port() const { return port_; }
    static constexpr std::int64_t whole = std::numeric_limits<std::int64_t>::max();
    // From now on each connection is cut when so many bytes have gone to the server, or come from it; the byte after
    // is not passed on.
    void cut_after(std::int64_t to_server, std::int64_t from_server);
    // What the server says from now on gets lost; when it says anything, the line is cut.
    void lose_next_answer();
    // Nothing more is passed on in either direction, and nothing is cut.
    void stall();
    void mend();
    // Bytes of the last connection.
    [[nodiscard]] std::int64_t sent() const { return sent_; }
    [[nodiscard]] std::int64_t received() const { return received_; }

  private:
    void accept_connections(const std::stop_token& stop);
    void carry(const std::stop_token& stop, int client);

    int to_port_;
    int port_ = 0;
    int listener_ = -1;
    std::atomic<std::int64_t> limit_sent_ = whole, limit_received_ = whole;
    std::atomic<bool> loses_answer_ = false, stalled_ = false;
    std::atomic<std::int64_t> sent_ = 0, received_ = 0;
    std::jthread thread_;
};

}  // namespace drawbridge::test
