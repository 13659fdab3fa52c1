// The TCP connection under a session: opened with a deadline, closed by a deadline or from another thread. Private to
// this module.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::delivery {

class Socket {
  public:
    Socket() = default;
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;
    ~Socket();

    [[nodiscard]] Result<void> connect(const std::string& host, int port, std::chrono::milliseconds timeout);
    [[nodiscard]] int fd() const { return fd_; }
    // Ends both directions: pending reads and writes fail at once. From any thread.
    void shut_down();
    [[nodiscard]] bool is_shut_down() const { return shut_down_; }

  private:
    std::atomic<int> fd_ = -1;
    std::atomic<bool> shut_down_ = false;
};

// Shuts the socket down when a step takes too long, because libssh may wait for an answer indefinitely.
class Alarm {
  public:
    explicit Alarm(Socket& socket);
    Alarm(const Alarm&) = delete;
    Alarm& operator=(const Alarm&) = delete;
    ~Alarm() = default;

    void set(std::chrono::steady_clock::time_point due);
    void clear();
    [[nodiscard]] bool rang() const { return rang_; }

  private:
    void watch(const std::stop_token& stop);

    Socket& socket_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::chrono::steady_clock::time_point due_ = std::chrono::steady_clock::time_point::max();
    std::atomic<bool> rang_ = false;
    std::jthread thread_;  // the last member: it ends before the others are destroyed
};

}  // namespace drawbridge::delivery
