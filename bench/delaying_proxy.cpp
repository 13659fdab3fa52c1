// Passes the bytes of TCP connections on, each some time after it came: a network of that delay, on one machine.
// scripts/bench postgresql puts it between drawbridge and the server.
//
//   bench-delay --to PORT --microseconds N        listens on a port of 127.0.0.1, prints it, and runs until SIGTERM
#include <CLI/CLI.hpp>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstdio>
#include <deque>
#include <memory>
#include <string>
#include <utility>

namespace drawbridge::bench {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using Time = std::chrono::steady_clock::time_point;

// A processor that has nothing to do takes so long to notice a timer, on a virtual machine. The rest of each delay is
// waited for awake.
constexpr auto wake_up_time = std::chrono::microseconds(100);

struct Delayed {
    Time due;
    std::string bytes;  // none: the end
};

// One direction of a connection. What comes while earlier bytes wait is not held up by them.
class Direction : public std::enable_shared_from_this<Direction> {
  public:
    Direction(std::shared_ptr<tcp::socket> from, std::shared_ptr<tcp::socket> to, std::chrono::microseconds delay)
        : from_(std::move(from)), to_(std::move(to)), delay_(delay), wake_(from_->get_executor()) {}

    void start() {
        asio::co_spawn(from_->get_executor(), read(shared_from_this()), asio::detached);
        asio::co_spawn(from_->get_executor(), write(shared_from_this()), asio::detached);
    }

  private:
    static asio::awaitable<void> read(std::shared_ptr<Direction> self) {
        std::array<char, 65536> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init): a read buffer
        boost::system::error_code error;
        while (!error) {
            const auto size = co_await self->from_->async_read_some(asio::buffer(buffer),
                                                                    asio::redirect_error(asio::use_awaitable, error));
            self->waiting_.push_back({std::chrono::steady_clock::now() + self->delay_, {buffer.data(), size}});
            self->wake_.cancel();
        }
        if (self->waiting_.empty() || !self->waiting_.back().bytes.empty()) self->waiting_.push_back({});
        self->wake_.cancel();
    }
    static asio::awaitable<void> write(std::shared_ptr<Direction> self) {
        boost::system::error_code error, woken;
        while (!error) {
            const bool has_some = !self->waiting_.empty();
            self->wake_.expires_at(has_some ? self->waiting_.front().due - wake_up_time : Time::max());
            co_await self->wake_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
            if (self->waiting_.empty() || self->wake_.expiry() > std::chrono::steady_clock::now()) continue;
            while (self->waiting_.front().due > std::chrono::steady_clock::now())
                co_await asio::post(self->to_->get_executor(), asio::use_awaitable);
            const auto next = std::move(self->waiting_.front());
            self->waiting_.pop_front();
            if (next.bytes.empty()) break;
            co_await asio::async_write(*self->to_, asio::buffer(next.bytes),
                                       asio::redirect_error(asio::use_awaitable, error));
        }
        self->to_->close(error);
    }

    std::shared_ptr<tcp::socket> from_, to_;
    std::chrono::microseconds delay_;
    asio::steady_timer wake_;
    std::deque<Delayed> waiting_;
};

asio::awaitable<void> accept(tcp::acceptor acceptor, tcp::endpoint to, std::chrono::microseconds delay) {
    while (true) {
        auto client = std::make_shared<tcp::socket>(co_await acceptor.async_accept(asio::use_awaitable));
        auto server = std::make_shared<tcp::socket>(client->get_executor());
        co_await server->async_connect(to, asio::use_awaitable);
        for (const auto& socket : {client, server})
            socket->set_option(tcp::no_delay(true));
        std::make_shared<Direction>(client, server, delay)->start();
        std::make_shared<Direction>(server, client, delay)->start();
    }
}

}  // namespace
}  // namespace drawbridge::bench

int main(int argc, char** argv) {
    namespace asio = boost::asio;
    CLI::App app{"A network with a delay; scripts/bench postgresql puts it before the server."};
    unsigned short port = 0;
    int microseconds = 0;
    app.add_option("--to", port, "the port of 127.0.0.1 that the bytes go to")->required();
    app.add_option("--microseconds", microseconds, "how long each byte takes, one way")->required();
    CLI11_PARSE(app, argc, argv);
    asio::io_context io;
    asio::signal_set stop(io, SIGTERM);
    stop.async_wait([&](const boost::system::error_code&, int) { io.stop(); });
    const auto here = asio::ip::address_v4::loopback();
    asio::ip::tcp::acceptor acceptor(io, {here, 0});
    std::printf("%d\n", acceptor.local_endpoint().port());
    std::fflush(stdout);
    asio::co_spawn(
        io, drawbridge::bench::accept(std::move(acceptor), {here, port}, std::chrono::microseconds(microseconds)),
        asio::detached);
    io.run();
    return 0;
}
