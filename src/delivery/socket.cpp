#include "socket.hpp"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <system_error>

#include "drawbridge/domain/late_bytes.hpp"

namespace drawbridge::delivery {
namespace {

using std::chrono::steady_clock;

std::string describe(int error) {
    return std::generic_category().message(error);
}

// 0, or the error.
int wait_until_connected(int fd, steady_clock::time_point deadline, const std::atomic<bool>& stop) {
    // Poll in short intervals: shutting down a socket that is not connected wakes nobody.
    constexpr std::chrono::milliseconds step{50};
    for (;;) {
        pollfd waiting{.fd = fd, .events = POLLOUT, .revents = 0};
        const int ready = ::poll(&waiting, 1, static_cast<int>(step.count()));
        if (ready < 0 && errno != EINTR) return errno;
        if (ready > 0) break;
        if (stop) return ECANCELED;
        if (steady_clock::now() >= deadline) return ETIMEDOUT;
    }
    int error = 0;
    socklen_t size = sizeof error;
    return ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

}  // namespace

Socket::~Socket() {
    if (fd_ >= 0) ::close(fd_);
}

Result<void> Socket::connect(const std::string& host, int port, std::chrono::milliseconds timeout) {
    const std::string where = host + " port " + std::to_string(port);
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_ADDRCONFIG;
    addrinfo* found = nullptr;
    if (const int error = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found); error != 0) {
        return fail(ErrorCode::unavailable, where + ": unknown host: " + ::gai_strerror(error));
    }
    const std::unique_ptr<addrinfo, void (*)(addrinfo*)> addresses(found, ::freeaddrinfo);
    const auto deadline = steady_clock::now() + timeout;
    int error = ECONNREFUSED;
    for (const addrinfo* each = found; each != nullptr && !shut_down_; each = each->ai_next) {
        const int fd = ::socket(each->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (fd < 0) {
            error = errno;
            continue;
        }
        error = ::connect(fd, each->ai_addr, each->ai_addrlen) == 0 ? 0 : errno;
        if (error == EINPROGRESS) error = wait_until_connected(fd, deadline, shut_down_);
        if (error != 0) {
            ::close(fd);
            continue;
        }
        const int on = 1;
        ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        const auto late_ms = static_cast<int>(std::chrono::milliseconds(late_bytes).count());
        ::setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &late_ms, sizeof late_ms);
        fd_ = fd;
        if (!shut_down_) return {};
        break;
    }
    if (shut_down_) return fail(ErrorCode::cancelled, where + ": Drawbridge is stopping");
    return fail(error == ETIMEDOUT ? ErrorCode::timeout : ErrorCode::unavailable,
                where + ": cannot connect: " + describe(error));
}

void Socket::shut_down() {
    shut_down_ = true;
    if (const int fd = fd_; fd >= 0) ::shutdown(fd, SHUT_RDWR);
}

Alarm::Alarm(Socket& socket) : socket_(socket), thread_([this](const std::stop_token& stop) { watch(stop); }) {}

void Alarm::set(steady_clock::time_point due) {
    {
        const std::lock_guard lock(mutex_);
        due_ = due;
    }
    changed_.notify_one();
}

void Alarm::clear() {
    const std::lock_guard lock(mutex_);
    due_ = steady_clock::time_point::max();
}

void Alarm::watch(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
        const auto due = due_;
        const auto was_changed = [&] { return due_ != due; };
        if (due == steady_clock::time_point::max()) {
            changed_.wait(lock, stop, was_changed);
        } else if (!changed_.wait_until(lock, stop, due, was_changed) && !stop.stop_requested()) {
            rang_ = true;
            socket_.shut_down();
            due_ = steady_clock::time_point::max();
        }
    }
}

}  // namespace drawbridge::delivery
