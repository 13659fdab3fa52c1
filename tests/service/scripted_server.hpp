// A service with scripted answers, byte for byte, over plain HTTP or TLS; and a proxy for it.
#pragma once

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <chrono>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace drawbridge::service::testing {

struct Received {
    std::string method;
    std::string target;
    std::map<std::string, std::string> headers;  // names in lower case
    std::string body;
    int connection = 0;  // from 1
    [[nodiscard]] bool is(std::string_view method_and_path) const;
};

struct Reply {
    std::string bytes;
    enum class Then { keep, close, reset, hang, trickle } then = Then::keep;
    // For trickle: sends one byte at a time with this pause.
    std::chrono::milliseconds pause{0};
    // Unrequested bytes: a second TLS record in the same TCP segment.
    std::string leftover = {};
};

// "HTTP/1.1 STATUS", the headers ("Name: value\r\n" each), Content-Length, the body.
[[nodiscard]] Reply answer(int status, const std::string& body = "", const std::string& headers = "");
[[nodiscard]] inline Reply ok(const std::string& body) {
    return answer(200, body, "Content-Type: application/json\r\n");
}

using Script = std::function<Reply(const Received&)>;

// Answers for tokens ("token-1", "token-2", ...) and leaves the rest to `script`.
[[nodiscard]] Script with_tokens(Script script);

class ScriptedServer {
  public:
    explicit ScriptedServer(Script script, std::shared_ptr<boost::asio::ssl::context> tls = nullptr);
    ~ScriptedServer();
    ScriptedServer(const ScriptedServer&) = delete;
    ScriptedServer& operator=(const ScriptedServer&) = delete;

    [[nodiscard]] unsigned short port() const { return port_; }
    [[nodiscard]] std::string url() const;  // by address, or as localhost under TLS
    [[nodiscard]] std::vector<Received> received() const;
    // Only the requests with this prefix ("PATCH /caseBudgets").
    [[nodiscard]] std::vector<Received> received(std::string_view method_and_path) const;
    [[nodiscard]] int connections() const { return connections_; }
    [[nodiscard]] int max_at_once() const { return max_at_once_; }

  private:
    void accept();
    void serve(std::shared_ptr<boost::asio::ip::tcp::socket> socket, int number);
    template <class Stream>
    void converse(Stream& stream, boost::asio::ip::tcp::socket& socket, int number);

    Script script_;
    std::shared_ptr<boost::asio::ssl::context> tls_;
    boost::asio::io_context io_;
    boost::asio::ip::tcp::acceptor acceptor_;
    unsigned short port_ = 0;
    mutable std::mutex mutex_;
    std::vector<Received> received_;
    std::list<std::weak_ptr<boost::asio::ip::tcp::socket>> sockets_;
    std::atomic<int> connections_ = 0;
    std::atomic<int> at_once_ = 0;
    std::atomic<int> max_at_once_ = 0;
    std::atomic<bool> stopping_ = false;
    std::list<std::jthread> threads_;
    std::jthread acceptor_thread_;
};

// Opens CONNECT tunnels to any target.
class TunnelProxy {
  public:
    explicit TunnelProxy(int status = 200);
    ~TunnelProxy();
    TunnelProxy(const TunnelProxy&) = delete;
    TunnelProxy& operator=(const TunnelProxy&) = delete;

    [[nodiscard]] unsigned short port() const { return acceptor_.local_endpoint().port(); }
    // The head of each received request.
    [[nodiscard]] std::vector<std::string> requests() const;

  private:
    void accept();
    void tunnel(boost::asio::ip::tcp::socket client);

    int status_;
    boost::asio::io_context io_;
    boost::asio::ip::tcp::acceptor acceptor_;
    mutable std::mutex mutex_;
    std::vector<std::string> requests_;
    std::list<std::jthread> threads_;
    std::jthread acceptor_thread_;
};

}  // namespace drawbridge::service::testing
