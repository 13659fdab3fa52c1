#include "console/fake_daemon.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>

namespace drawbridge::console {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using Local = asio::local::stream_protocol;

}  // namespace

class FakeDaemon::Server {
  public:
    Server(const std::filesystem::path& socket, Answers answers)
        : answers_(std::move(answers)), acceptor_(io_, Local::endpoint(socket.string())) {
        start(accept());
        thread_ = std::thread([this] { io_.run(); });
    }
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    ~Server() {
        io_.stop();
        thread_.join();
    }

    [[nodiscard]] std::vector<Asked> asked() const {
        const std::lock_guard lock(mutex_);
        return asked_;
    }
    void forget() {
        const std::lock_guard lock(mutex_);
        asked_.clear();
    }

  private:
    // A peer that leaves in the middle of its request is no fault of the test.
    void start(asio::awaitable<void> task) {
        asio::co_spawn(io_, std::move(task), [](const std::exception_ptr&) {});
    }
    asio::awaitable<void> accept() {
        while (true)
            start(serve(co_await acceptor_.async_accept(asio::use_awaitable)));
    }
    asio::awaitable<void> serve(Local::socket socket) {
        boost::beast::flat_buffer buffer;
        http::request_parser<http::string_body> parser;
        parser.body_limit(std::uint64_t{4} << 20);
        co_await http::async_read(socket, buffer, parser, asio::use_awaitable);
        const auto& message = parser.get();
        Asked asked{std::string(message.method_string()), std::string(message.target()),
                    std::string(message[http::field::authorization]), message.body(),
                    message.count("Drawbridge-By-Itself") > 0};
        const auto [status, body] = answers_(asked);
        {
            const std::lock_guard lock(mutex_);
            asked_.push_back(std::move(asked));
        }
        http::response<http::string_body> response{static_cast<http::status>(status), 11};
        response.set(http::field::content_type, "application/json");
        response.keep_alive(false);
        response.body() = body.dump();
        response.prepare_payload();
        co_await http::async_write(socket, response, asio::use_awaitable);
    }

    Answers answers_;
    asio::io_context io_{1};
    Local::acceptor acceptor_;
    mutable std::mutex mutex_;
    std::vector<Asked> asked_;
    std::thread thread_;
};

FakeDaemon::FakeDaemon(const std::filesystem::path& socket, Answers answers)
    : server_(std::make_unique<Server>(socket, std::move(answers))) {}
FakeDaemon::~FakeDaemon() = default;

std::vector<FakeDaemon::Asked> FakeDaemon::asked() const {
    return server_->asked();
}

std::vector<std::string> FakeDaemon::requests() const {
    std::vector<std::string> list;
    for (const auto& one : asked())
        list.push_back(one.method + " " + one.target);
    return list;
}

void FakeDaemon::forget() {
    server_->forget();
}

}  // namespace drawbridge::console
