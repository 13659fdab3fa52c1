#include "connection.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <type_traits>
#include <utility>

#include "deadline.hpp"
#include "dial.hpp"
#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/domain/crash_point.hpp"
#include "tls.hpp"

namespace drawbridge::service {
namespace {

namespace asio = boost::asio;
namespace ssl = asio::ssl;
namespace http = boost::beast::http;
using asio::ip::tcp;

constexpr std::uint32_t max_header_bytes = 64 * 1024;
// Beast reads as much as its buffer can take, and a new buffer takes 512 bytes: a page would need hundreds of reads.
constexpr std::size_t read_bytes = 64 * 1024;

using PlainStream = tcp::socket;
using TlsStream = ssl::stream<tcp::socket>;

std::string read_problem(const boost::system::error_code& error, const ConnectionSettings& settings) {
    if (error == http::error::header_limit)
        return "the headers of its answer are larger than the " + std::to_string(max_header_bytes) + " bytes allowed";
    if (error == http::error::body_limit) {
        return "its answer is larger than the " + std::to_string(settings.max_body_bytes) + " bytes allowed" +
               (settings.section == "service" ? ": lower service.page_size" : "");
    }
    if (error == http::error::end_of_stream) return "it closed the connection without an answer";
    if (error == http::error::partial_message || error == ssl::error::stream_truncated || error == asio::error::eof) {
        return "it closed the connection in the middle of its answer";
    }
    if (error.category() == http::make_error_code(http::error::end_of_stream).category()) {
        return "its answer is not HTTP: " + error.message();
    }
    return "the connection failed: " + error.message();
}

bool is_http_violation(const boost::system::error_code& error) {
    return error.category() == http::make_error_code(http::error::end_of_stream).category() &&
           error != http::error::end_of_stream && error != http::error::partial_message;
}

template <class Stream>
class HttpConnection final : public Connection {
  public:
    HttpConnection(Stream stream, ConnectionSettings* settings) : stream_(std::move(stream)), settings_(settings) {
        buffer_.reserve(read_bytes);
    }

    asio::awaitable<HttpResult> exchange(HttpRequest request, SteadyTime moment) override {
        bool sent = false;
        try {
            co_return co_await exchange_once(std::move(request), moment, &sent);
        } catch (const boost::system::system_error& error) {
            // Asio's error for a task that was canceled between two waits.
            if (error.code() != asio::error::operation_aborted) throw;
            co_return std::unexpected(HttpFailure{
                .error = {ErrorCode::cancelled, "stopped while a request was open"}, .sent = sent, .transient = false});
        }
    }

    bool is_reusable() override {
        // Nothing may be readable: neither the end of the stream nor unrequested bytes.
        tcp::socket& socket = this->socket();
        if (!socket.is_open() || buffer_.size() > 0) return false;
        boost::system::error_code error;
        socket.non_blocking(true, error);
        if (error) return false;
        char byte = 0;
        if constexpr (std::is_same_v<Stream, PlainStream>) {
            socket.receive(asio::buffer(&byte, 1), tcp::socket::message_peek, error);
            return error == asio::error::would_block;
        } else {
            // Bytes may also wait in Asio's buffer or in OpenSSL: only a read finds them all.
            stream_.read_some(asio::buffer(&byte, 1), error);
            return error == asio::error::would_block && SSL_has_pending(stream_.native_handle()) == 0;
        }
    }

  private:
    using Message = http::request<http::string_body>;
    using Parser = http::response_parser<http::string_body>;

    tcp::socket& socket() {
        if constexpr (std::is_same_v<Stream, PlainStream>) {
            return stream_;
        } else {
            return stream_.next_layer();
        }
    }

    void close() {
        boost::system::error_code ignored;
        socket().close(ignored);
    }

    Message to_message(HttpRequest&& request) const {
        Message message(http::string_to_verb(request.method), settings_->endpoint.base_path + request.target, 11);
        message.set(http::field::host, settings_->endpoint.authority);
        message.set(http::field::user_agent, settings_->user_agent);
        message.set(http::field::accept, "application/json");
        message.set(http::field::accept_encoding, "identity");  // without it, any encoding may come
        if (!request.bearer.empty()) message.set(http::field::authorization, "Bearer " + request.bearer.reveal());
        if (!request.content_type.empty()) message.set(http::field::content_type, request.content_type);
        for (const auto& [name, value] : request.headers)
            message.set(name, value);
        message.body() = std::move(request.body);
        message.prepare_payload();
        return message;
    }

    HttpFailure failure(const boost::system::error_code& error, bool expired, bool answer_began) {
        const std::string who = settings_->endpoint.to_string();
        HttpFailure result{.error = {ErrorCode::unavailable, who + ": " + read_problem(error, *settings_)},
                           .sent = true};
        if (expired) {
            result.error = {ErrorCode::timeout, who + ": no complete answer before the deadline"};
        } else if (error == asio::error::operation_aborted) {
            result.error = {ErrorCode::cancelled, "stopped while a request was open"};
            result.transient = false;
        } else if (error == http::error::body_limit) {
            result.error.code = ErrorCode::exhausted;
            result.transient = false;
        } else if (is_http_violation(error)) {
            result.error.code = ErrorCode::protocol;
            result.transient = false;
        } else {
            result.stale = exchanges_ > 0 && !answer_began;
        }
        close();
        return result;
    }

    asio::awaitable<HttpResult> exchange_once(HttpRequest request, SteadyTime moment, bool* sent) {
        const std::string_view sent_crash_point = request.sent_crash_point;
        const std::string_view answered_crash_point = request.answered_crash_point;
        const Message message = to_message(std::move(request));
        const Deadline deadline(stream_.get_executor(), moment, [this] { close(); });

        *sent = true;
        const auto [write_error, written] = co_await http::async_write(stream_, message, as_result);
        if (write_error) co_return std::unexpected(failure(write_error, deadline.expired(), /*answer_began=*/false));
        if (!sent_crash_point.empty()) crash_point(sent_crash_point);

        for (;;) {
            Parser parser;
            parser.body_limit(settings_->max_body_bytes);
            parser.header_limit(max_header_bytes);
            const auto [read_error, bytes] = co_await http::async_read(stream_, buffer_, parser, as_result);
            if (read_error) {
                co_return std::unexpected(failure(read_error, deadline.expired(), bytes > 0 || parser.got_some()));
            }
            if (parser.get().result_int() / 100 == 1) continue;  // 100 Continue and the like: the answer follows
            if (!answered_crash_point.empty()) crash_point(answered_crash_point);
            co_return finish(parser.release());
        }
    }

    HttpResult finish(http::response<http::string_body> message) {
        ++exchanges_;
        const auto header = [&](http::field name) { return std::string(message[name]); };
        HttpAnswer answer{.status = static_cast<int>(message.result_int()),
                          .body = {},
                          .content_type = header(http::field::content_type),
                          .location = header(http::field::location),
                          .retry_after = header(http::field::retry_after),
                          .date = header(http::field::date)};
        if (!message.keep_alive() || message.need_eof()) close();
        const std::string encoding = header(http::field::content_encoding);
        if (!encoding.empty() && lowercase(encoding) != "identity") {
            return std::unexpected(HttpFailure{
                .error = {ErrorCode::protocol, settings_->endpoint.to_string() + ": its answer is encoded as " +
                                                   encoding.substr(0, 20) + ", which was not requested"},
                .sent = true,
                .transient = false});
        }
        answer.body = std::move(message.body());
        return answer;
    }

    Stream stream_;
    ConnectionSettings* settings_;
    boost::beast::flat_buffer buffer_;
    int exchanges_ = 0;
};

// Asks the proxy for a tunnel. The token and all our data go through TLS inside it.
asio::awaitable<std::expected<void, HttpFailure>> open_tunnel(tcp::socket* socket, ConnectionSettings* settings,
                                                              SteadyTime moment) {
    const Proxy& proxy = *settings->proxy;
    const Endpoint& endpoint = settings->endpoint;
    const std::string host = endpoint.host.find(':') == std::string::npos ? endpoint.host : "[" + endpoint.host + "]";
    const std::string target = host + ":" + endpoint.port;
    http::request<http::empty_body> request(http::verb::connect, target, 11);
    request.set(http::field::host, target);
    request.set(http::field::user_agent, settings->user_agent);
    if (!proxy.authorization.empty()) request.set(http::field::proxy_authorization, proxy.authorization.reveal());

    const std::string what = "the proxy " + proxy.host + ":" + proxy.port + " refuses a tunnel to " + target;
    const Deadline deadline(socket->get_executor(), moment, [socket] {
        boost::system::error_code ignored;
        socket->close(ignored);
    });
    const auto [write_error, written] = co_await http::async_write(*socket, request, as_result);
    if (write_error) co_return std::unexpected(unsent_failure(what, write_error, deadline.expired()));
    boost::beast::flat_buffer buffer;
    http::response_parser<http::empty_body> parser;
    parser.skip(true);
    const auto [read_error, bytes] = co_await http::async_read_header(*socket, buffer, parser, as_result);
    if (read_error) co_return std::unexpected(unsent_failure(what, read_error, deadline.expired()));
    const unsigned status = parser.get().result_int();
    if (status / 100 == 2 && buffer.size() == 0) co_return std::expected<void, HttpFailure>();
    const std::string hint = status == 407 ? ": add user and password to " + settings->section + ".proxy" : "";
    HttpFailure failure{.error = {ErrorCode::unavailable, what + ": it answered " + std::to_string(status) + hint},
                        .transient = status >= 500};
    co_return std::unexpected(std::move(failure));
}

asio::awaitable<OpenedConnection> start_tls(tcp::socket socket, ConnectionSettings* settings, SteadyTime moment) {
    const asio::any_io_executor executor = socket.get_executor();
    const std::string host = settings->endpoint.host;
    TlsStream stream(std::move(socket), *settings->tls);
    SSL* connection = stream.native_handle();
    if (!expect_host(connection, host)) {
        HttpFailure failure{.error = {ErrorCode::invalid_input, "TLS cannot be set up for the host " + host},
                            .transient = false};
        co_return std::unexpected(std::move(failure));
    }
    const Deadline deadline(executor, moment, [&stream] {
        boost::system::error_code ignored;
        stream.next_layer().close(ignored);
    });
    const auto [error] = co_await stream.async_handshake(ssl::stream_base::client, as_result);
    if (error || deadline.expired()) {
        HttpFailure failure = unsent_failure("TLS with " + host + " failed", error, deadline.expired());
        if (failure.error.code == ErrorCode::unavailable) {
            failure.error.message = explain_handshake(connection, host, error, settings->section);
            failure.transient = !is_certificate_refused(connection);
        }
        co_return std::unexpected(std::move(failure));
    }
    co_return std::make_unique<HttpConnection<TlsStream>>(std::move(stream), settings);
}

}  // namespace

asio::awaitable<OpenedConnection> open_connection(asio::any_io_executor executor, ConnectionSettings* settings,
                                                  SteadyTime deadline) {
    const Endpoint& endpoint = settings->endpoint;
    Address address{.host = endpoint.host, .port = endpoint.port, .loopback_only = !endpoint.tls};
    if (settings->proxy) address = {.host = settings->proxy->host, .port = settings->proxy->port};
    auto socket = co_await dial(executor, std::move(address), deadline);
    if (!socket) co_return std::unexpected(std::move(socket.error()));
    if (settings->proxy) {
        auto tunnel = co_await open_tunnel(&*socket, settings, deadline);
        if (!tunnel) co_return std::unexpected(std::move(tunnel.error()));
    }
    if (!endpoint.tls) co_return std::make_unique<HttpConnection<PlainStream>>(std::move(*socket), settings);
    co_return co_await start_tls(std::move(*socket), settings, deadline);
}

}  // namespace drawbridge::service
