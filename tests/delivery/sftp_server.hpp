// The bank's side of a test: a real OpenSSH server on loopback with its own keys, and a TCP proxy in front of it that
// can cut the connection at any byte.
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

// Writes NAME and NAME.pub, without a passphrase.
void make_ssh_key(const std::filesystem::path& file);
// "ssh-ed25519 AAAA…"
[[nodiscard]] std::string public_key(const std::filesystem::path& file);

class SftpServer {
  public:
    // All files are below `folder`; `sftp_options` are options of internal-sftp.
    explicit SftpServer(std::filesystem::path folder, std::string sftp_options = {});
    SftpServer(const SftpServer&) = delete;
    SftpServer& operator=(const SftpServer&) = delete;
    ~SftpServer();

    [[nodiscard]] int port() const { return port_; }
    [[nodiscard]] std::string user() const;
    [[nodiscard]] std::string host_key() const { return public_key(folder_ / "host_key"); }
    [[nodiscard]] std::filesystem::path client_key() const { return folder_ / "client_key"; }
    // The upload folder.
    [[nodiscard]] std::filesystem::path inbox() const { return folder_ / "inbox"; }
    // The names in the inbox, sorted.
    [[nodiscard]] std::vector<std::string> names() const;
    [[nodiscard]] std::string content(const std::string& name) const;

    void stop();
    void start();
    // Kills the server's processes of open connections, as when the machine crashes.
    void kill_connections();
    // From now on no file can exceed 512 bytes: a longer write stores what fits and fails, as on a full disk.
    void fill_disk();
    void free_disk();
    // From now on with one of the oddities of odd_sftp_server.cpp.
    void behave_oddly(const std::string& how);
    void behave();

  private:
    void configure(const std::string& subsystem);
    std::filesystem::path folder_;
    std::string sftp_options_;
    int port_ = 0;
    std::optional<e2e::Process> process_;
};

// A TCP proxy to a port of this machine.
class TcpProxy {
  public:
    explicit TcpProxy(int to_port);
    TcpProxy(const TcpProxy&) = delete;
    TcpProxy& operator=(const TcpProxy&) = delete;
    ~TcpProxy();

    [[nodiscard]] int port() const { return port_; }
    static constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();
    // From now on each connection is cut after this many bytes to or from the server.
    void cut_after(std::int64_t to_server, std::int64_t from_server);
    // The next bytes from the server are dropped and the connection is cut.
    void lose_next_answer();
    // Forwards nothing in either direction and cuts nothing.
    void stall();
    void restore();
    // Bytes of the last connection.
    [[nodiscard]] std::int64_t sent() const { return sent_; }
    [[nodiscard]] std::int64_t received() const { return received_; }

  private:
    void accept_connections(const std::stop_token& stop);
    void forward(const std::stop_token& stop, int client);

    int to_port_;
    int port_ = 0;
    int listener_ = -1;
    std::atomic<std::int64_t> limit_sent_ = unlimited, limit_received_ = unlimited;
    std::atomic<bool> loses_answer_ = false, stalled_ = false;
    std::atomic<std::int64_t> sent_ = 0, received_ = 0;
    std::jthread thread_;
};

}  // namespace drawbridge::test
