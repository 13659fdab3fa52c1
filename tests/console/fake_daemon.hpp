// A daemon on a unix socket that answers what the test says and keeps what it was asked.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <filesystem>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace drawbridge::console {

class FakeDaemon {
  public:
    struct Asked {
        std::string method, target, authorization, body;
    };
    using Answer = std::pair<int, nlohmann::json>;
    using Answers = std::function<Answer(const Asked&)>;

    FakeDaemon(const std::filesystem::path& socket, Answers answers)
        : answers_(std::move(answers)), acceptor_(io_, Local::endpoint(socket.string())) {
        boost::asio::co_spawn(io_, accept(), boost::asio::detached);
        thread_ = std::thread([this] { io_.run(); });
    }
    FakeDaemon(const FakeDaemon&) = delete;
    FakeDaemon& operator=(const FakeDaemon&) = delete;
    ~FakeDaemon() {
        io_.stop();
        thread_.join();
    }

    [[nodiscard]] std::vector<Asked> asked() const {
        const std::lock_guard lock(mutex_);
        return asked_;
    }
    // "GET /me", in order.
    [[nodiscard]] std::vector<std::string> requests() const {
        std::vector<std::string> list;
        for (const auto& one : asked())
            list.push_back(one.method + " " + one.target);
        return list;
    }
    void forget() {
        const std::lock_guard lock(mutex_);
        asked_.clear();
    }

  private:
    using Local = boost::asio::local::stream_protocol;

    boost::asio::awaitable<void> accept() {
        while (true) {
            auto socket = co_await acceptor_.async_accept(boost::asio::use_awaitable);
            boost::asio::co_spawn(io_, serve(std::move(socket)), boost::asio::detached);
        }
    }
    boost::asio::awaitable<void> serve(Local::socket socket) {
        namespace http = boost::beast::http;
        boost::beast::flat_buffer buffer;
        http::request_parser<http::string_body> parser;
        parser.body_limit(std::uint64_t{4} << 20);
        co_await http::async_read(socket, buffer, parser, boost::asio::use_awaitable);
        const auto& message = parser.get();
        Asked asked{std::string(message.method_string()), std::string(message.target()),
                    std::string(message[http::field::authorization]), message.body()};
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
        co_await http::async_write(socket, response, boost::asio::use_awaitable);
    }

    Answers answers_;
    boost::asio::io_context io_{1};
    Local::acceptor acceptor_;
    mutable std::mutex mutex_;
    std::vector<Asked> asked_;
    std::thread thread_;
};

}  // namespace drawbridge::console
