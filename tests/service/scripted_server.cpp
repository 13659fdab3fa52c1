#include "service/scripted_server.hpp"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

namespace drawbridge::service::testing {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;

tcp::endpoint any_port() {
    return {asio::ip::make_address("127.0.0.1"), 0};
}

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return text;
}

// Waits until the peer closes, without reading a byte.
void wait_for_end(tcp::socket& socket) {
    char bytes[512];
    boost::system::error_code error;
    while (!error)
        socket.read_some(asio::buffer(bytes), error);
}

// While it is on, what is written is collected, and then leaves in one segment.
void set_cork(tcp::socket& socket, int on) {
    ::setsockopt(socket.native_handle(), IPPROTO_TCP, TCP_CORK, &on, sizeof on);
}

void reset(tcp::socket& socket) {
    boost::system::error_code ignored;
    socket.set_option(asio::socket_base::linger(true, 0), ignored);
    socket.close(ignored);
}

}  // namespace

bool Received::is(std::string_view method_and_path) const {
    return (method + " " + target).starts_with(method_and_path);
}

Reply answer(int status, const std::string& body, const std::string& headers) {
    return {.bytes = "HTTP/1.1 " + std::to_string(status) + " Something\r\n" + headers +
                     "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body};
}

Script with_tokens(Script script) {
    auto count = std::make_shared<std::atomic<int>>(0);
    return [script = std::move(script), count](const Received& request) {
        if (!request.is("POST /oauth/token")) return script(request);
        return ok(R"({"access_token":"token-)" + std::to_string(++*count) +
                  R"(","token_type":"bearer","expires_in":3600000})");
    };
}

ScriptedServer::ScriptedServer(Script script, std::shared_ptr<asio::ssl::context> tls)
    : script_(std::move(script)),
      tls_(std::move(tls)),
      acceptor_(io_, any_port()),
      port_(acceptor_.local_endpoint().port()),
      acceptor_thread_([this] { accept(); }) {}

ScriptedServer::~ScriptedServer() {
    stopping_ = true;
    ::shutdown(acceptor_.native_handle(), SHUT_RDWR);
    acceptor_thread_.join();
    {
        const std::lock_guard lock(mutex_);
        for (const auto& weak : sockets_)
            if (const auto socket = weak.lock()) ::shutdown(socket->native_handle(), SHUT_RDWR);
    }
    threads_.clear();
}

std::string ScriptedServer::url() const {
    return (tls_ ? "https://localhost:" : "http://127.0.0.1:") + std::to_string(port_);
}

std::vector<Received> ScriptedServer::received() const {
    const std::lock_guard lock(mutex_);
    return received_;
}

std::vector<Received> ScriptedServer::received(std::string_view method_and_path) const {
    std::vector<Received> all = received();
    std::erase_if(all, [&](const Received& request) { return !request.is(method_and_path); });
    return all;
}

void ScriptedServer::accept() {
    for (;;) {
        boost::system::error_code error;
        auto socket = std::make_shared<tcp::socket>(io_);
        acceptor_.accept(*socket, error);
        if (error || stopping_) return;
        const int number = ++connections_;
        const std::lock_guard lock(mutex_);
        sockets_.push_back(socket);
        threads_.emplace_back([this, socket, number] { serve(socket, number); });
    }
}

void ScriptedServer::serve(std::shared_ptr<tcp::socket> socket, int number) {
    if (!tls_) return converse(*socket, *socket, number);
    asio::ssl::stream<tcp::socket&> stream(*socket, *tls_);
    boost::system::error_code error;
    stream.handshake(asio::ssl::stream_base::server, error);
    if (!error) converse(stream, *socket, number);
}

template <class Stream>
void ScriptedServer::converse(Stream& stream, tcp::socket& socket, int number) {
    boost::beast::flat_buffer buffer;
    for (;;) {
        boost::system::error_code error;
        http::request<http::string_body> message;
        http::read(stream, buffer, message, error);
        if (error) return;
        Received request{.method = std::string(message.method_string()),
                         .target = std::string(message.target()),
                         .headers = {},
                         .body = message.body(),
                         .connection = number};
        for (const auto& field : message)
            request.headers[lower(std::string(field.name_string()))] = std::string(field.value());
        {
            const std::lock_guard lock(mutex_);
            received_.push_back(request);
        }
        max_at_once_ = std::max(max_at_once_.load(), ++at_once_);
        const Reply reply = script_(request);
        --at_once_;
        if (reply.then == Reply::Then::trickle) {
            for (std::size_t i = 0; i < reply.bytes.size() && !error; ++i) {
                asio::write(stream, asio::buffer(&reply.bytes[i], 1), error);
                std::this_thread::sleep_for(reply.pause);
            }
            return;
        }
        set_cork(socket, 1);
        asio::write(stream, asio::buffer(reply.bytes), error);
        if (!reply.leftover.empty()) asio::write(stream, asio::buffer(reply.leftover), error);
        set_cork(socket, 0);
        switch (reply.then) {
            case Reply::Then::keep:
            case Reply::Then::trickle: break;
            case Reply::Then::close: ::shutdown(socket.native_handle(), SHUT_RDWR); return;
            case Reply::Then::reset: return reset(socket);
            case Reply::Then::hang: return wait_for_end(socket);
        }
    }
}

TunnelProxy::TunnelProxy(int status)
    : status_(status), acceptor_(io_, any_port()), acceptor_thread_([this] { accept(); }) {}

TunnelProxy::~TunnelProxy() {
    ::shutdown(acceptor_.native_handle(), SHUT_RDWR);
    acceptor_thread_.join();
    threads_.clear();
}

std::vector<std::string> TunnelProxy::requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
}

void TunnelProxy::accept() {
    for (;;) {
        boost::system::error_code error;
        tcp::socket socket(io_);
        acceptor_.accept(socket, error);
        if (error) return;
        threads_.emplace_back([this, client = std::move(socket)]() mutable { tunnel(std::move(client)); });
    }
}

void TunnelProxy::tunnel(tcp::socket client) {
    boost::system::error_code error;
    std::string head;
    asio::read_until(client, asio::dynamic_buffer(head), "\r\n\r\n", error);
    if (error) return;
    {
        const std::lock_guard lock(mutex_);
        requests_.push_back(head);
    }
    asio::write(client, asio::buffer("HTTP/1.1 " + std::to_string(status_) + " Reason\r\n\r\n"), error);
    if (status_ != 200) return;
    const std::string authority = head.substr(8, head.find(' ', 8) - 8);
    const std::size_t colon = authority.rfind(':');
    tcp::socket server(io_);
    tcp::resolver resolver(io_);
    // The tunnel's far end listens only on the IPv4 loopback.
    asio::connect(server, resolver.resolve(tcp::v4(), authority.substr(0, colon), authority.substr(colon + 1)), error);
    if (error) return;
    const auto pump = [](tcp::socket& from, tcp::socket& to) {
        std::vector<char> bytes(16384);
        boost::system::error_code failed;
        while (!failed) {
            const std::size_t count = from.read_some(asio::buffer(bytes), failed);
            if (!failed) asio::write(to, asio::buffer(bytes.data(), count), failed);
        }
        ::shutdown(from.native_handle(), SHUT_RDWR);
        ::shutdown(to.native_handle(), SHUT_RDWR);
    };
    const std::jthread upstream([&] { pump(client, server); });
    pump(server, client);
}

}  // namespace drawbridge::service::testing
