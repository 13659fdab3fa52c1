#include "http_server.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <iterator>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "instant.hpp"

namespace draws_sandbox {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;

using Executor = asio::io_context::executor_type;
using Socket = asio::basic_stream_socket<asio::ip::tcp, Executor>;
using Acceptor = asio::basic_socket_acceptor<asio::ip::tcp, Executor>;
using Timer =
    asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>, Executor>;
template <typename T = void>
using Task = asio::awaitable<T, Executor>;

constexpr asio::as_tuple_t<asio::use_awaitable_t<Executor>> as_result{};
constexpr std::uint64_t max_body_bytes = 16 << 20;

std::string_view header(const http::request<http::string_body>& message, http::field name) {
    const auto value = message[name];
    return {value.data(), value.size()};
}

Request to_request(http::request<http::string_body>&& message, bool from_loopback) {
    Request request;
    const auto method = message.method_string();
    request.method.assign(method.data(), method.size());
    const std::string_view target(message.target().data(), message.target().size());
    const auto question = target.find('?');
    request.path = target.substr(0, question);
    if (question != std::string_view::npos) request.query = target.substr(question + 1);
    request.content_type = header(message, http::field::content_type);
    request.authorization = header(message, http::field::authorization);
    request.body = std::move(message.body());
    request.from_loopback = from_loopback;
    return request;
}

void append_head(std::string& out, const Reply& reply, bool keep_alive) {
    auto to = std::back_inserter(out);
    fmt::format_to(to, "HTTP/1.1 {} {}\r\nServer: draws-sandbox\r\nDate: {}\r\n", reply.status,
                   reason_phrase(reply.status), http_date(now()));
    if (!reply.content_type.empty() && !reply.body.empty())
        fmt::format_to(to, "Content-Type: {}\r\n", reply.content_type);
    for (const auto& [name, value] : reply.headers)
        fmt::format_to(to, "{}: {}\r\n", name, value);
    // A 204 has no body and no Content-Length.
    if (reply.status != 204) fmt::format_to(to, "Content-Length: {}\r\n", reply.body.size());
    out += keep_alive ? "\r\n" : "Connection: close\r\n\r\n";
}

}  // namespace

class HttpServer::Impl {
  public:
    Impl(asio::io_context& io, const ListenAddress& address, Handler handler)
        : io_(io), acceptor_(io.get_executor()), signals_(io, SIGTERM, SIGINT), handler_(std::move(handler)) {
        const asio::ip::tcp::endpoint endpoint(asio::ip::make_address(address.host), address.port);
        acceptor_.open(endpoint.protocol());
        acceptor_.set_option(asio::socket_base::reuse_address(true));
        acceptor_.bind(endpoint);
        acceptor_.listen();
    }

    [[nodiscard]] std::uint16_t port() const { return acceptor_.local_endpoint().port(); }

    void start() {
        signals_.async_wait([this](const boost::system::error_code& failure, int) {
            if (!failure) stop();
        });
        spawn(accept());
    }

  private:
    // An exception in a task is a bug: it leaves run() and ends the program.
    void spawn(Task<> task) {
        asio::co_spawn(io_.get_executor(), std::move(task), [](const std::exception_ptr& failure) {
            if (failure) std::rethrow_exception(failure);
        });
    }

    void stop() {
        stopping_ = true;
        boost::system::error_code ignored;
        acceptor_.close(ignored);
        for (auto* timer : waiting_)
            timer->cancel();
        for (auto* socket : sockets_)
            socket->close(ignored);
    }

    Task<> accept() {
        while (!stopping_) {
            auto [failure, socket] = co_await acceptor_.async_accept(as_result);
            if (failure == asio::error::operation_aborted) co_return;
            if (failure) {
                co_await wait(std::chrono::milliseconds(20));  // probably out of descriptors
            } else {
                spawn(serve(std::move(socket)));
            }
        }
    }

    Task<> serve(Socket socket) {
        boost::system::error_code ignored;
        socket.set_option(asio::ip::tcp::no_delay(true), ignored);
        const auto peer = socket.remote_endpoint(ignored);
        const bool from_loopback = !ignored && peer.address().is_loopback();
        sockets_.insert(&socket);
        boost::beast::flat_buffer buffer;
        bool again = true;
        while (again && !stopping_)
            again = co_await serve_one(socket, buffer, from_loopback);
        sockets_.erase(&socket);
        socket.shutdown(asio::socket_base::shutdown_both, ignored);
    }

    // True if the connection can serve another request.
    Task<bool> serve_one(Socket& socket, boost::beast::flat_buffer& buffer, bool from_loopback) {
        http::request_parser<http::string_body> parser;
        parser.body_limit(max_body_bytes);
        const auto [failure, size] = co_await http::async_read(socket, buffer, parser, as_result);
        if (failure) co_return co_await refuse_unreadable(socket, failure);
        const bool keep_alive = parser.get().keep_alive();
        const auto request = to_request(parser.release(), from_loopback);
        const auto admitted = handler_(request);
        if (admitted.wait.count() > 0) co_await wait(admitted.wait);
        const auto reply = admitted.answer();
        co_return co_await deliver(socket, reply, keep_alive);
    }

    Task<bool> refuse_unreadable(Socket& socket, boost::system::error_code failure) {
        Problem problem{400, "bad_http", "the request is not valid HTTP"};
        if (failure == http::error::body_limit) problem = {413, "body_too_large", "the body is larger than 16 MiB"};
        const bool malformed = failure.category() == make_error_code(http::error::bad_method).category();
        if (!malformed || failure == http::error::end_of_stream || failure == http::error::partial_message) {
            co_return false;
        }
        const auto reply = problem_reply(problem);
        co_await deliver(socket, reply, /*keep_alive=*/false);
        co_return false;
    }

    Task<bool> deliver(Socket& socket, const Reply& reply, bool keep_alive) {
        const auto& delivery = reply.delivery;
        if (delivery.delay.count() > 0) co_await wait(delivery.delay);
        if (delivery.kind == Delivery::Kind::unanswered) co_await wait_until_closed(socket);
        if (delivery.kind == Delivery::Kind::reset) reset(socket);
        const bool truncated = delivery.kind == Delivery::Kind::truncated;
        if (stopping_ || (delivery.kind != Delivery::Kind::whole && !truncated)) co_return false;
        std::string bytes;
        bytes.reserve(256 + reply.body.size());
        append_head(bytes, reply, keep_alive && !delivery.close_announced);
        bytes.append(reply.body, 0, truncated ? reply.body.size() / 2 : reply.body.size());
        const bool written = co_await write(socket, bytes, delivery);
        co_return written&& keep_alive && !truncated && !delivery.close_after;
    }

    Task<bool> write(Socket& socket, const std::string& bytes, const Delivery& delivery) {
        const auto piece = delivery.piece_bytes == 0 ? bytes.size() : delivery.piece_bytes;
        for (std::size_t sent = 0; sent < bytes.size();) {
            const auto next = asio::buffer(asio::buffer(bytes) + sent, piece);
            const auto [failure, size] = co_await asio::async_write(socket, next, as_result);
            if (failure) co_return false;
            sent += size;
            if (sent < bytes.size()) co_await wait(delivery.piece_pause);
        }
        co_return true;
    }

    // Waits until the client closes its side.
    Task<> wait_until_closed(Socket& socket) {
        std::array<char, 1024> ignored{};
        boost::system::error_code failure;
        while (!failure) {
            std::size_t size = 0;
            std::tie(failure, size) = co_await socket.async_read_some(asio::buffer(ignored), as_result);
        }
    }

    static void reset(Socket& socket) {
        boost::system::error_code ignored;
        socket.set_option(asio::socket_base::linger(true, 0), ignored);
        socket.close(ignored);
    }

    Task<> wait(std::chrono::milliseconds time) {
        Timer timer(io_.get_executor(), time);
        waiting_.insert(&timer);
        co_await timer.async_wait(as_result);
        waiting_.erase(&timer);
    }

    asio::io_context& io_;
    Acceptor acceptor_;
    asio::signal_set signals_;
    Handler handler_;
    std::unordered_set<Socket*> sockets_;
    std::unordered_set<Timer*> waiting_;
    bool stopping_ = false;
};

HttpServer::HttpServer(boost::asio::io_context& io, const ListenAddress& address, Handler handler)
    : impl_(std::make_unique<Impl>(io, address, std::move(handler))) {}
HttpServer::~HttpServer() = default;
std::uint16_t HttpServer::port() const {
    return impl_->port();
}
void HttpServer::start() {
    impl_->start();
}

}  // namespace draws_sandbox
