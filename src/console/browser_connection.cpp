#include "browser_connection.hpp"

#include <array>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <chrono>
#include <optional>
#include <type_traits>
#include <utility>

#include "admission.hpp"
#include "drawbridge/api/request_head.hpp"
#include "drawbridge/console/cookies.hpp"
#include "drawbridge/console/head_filter.hpp"
#include "drawbridge/console/request_guard.hpp"

namespace drawbridge::console {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace ssl = asio::ssl;
using Plain = beast::basic_stream<Protocol>;
using Tls = beast::ssl_stream<Plain>;
using boost::system::error_code;

constexpr std::chrono::seconds linger{1};

// What was read of a request, or what it is refused with.
struct Incoming {
    WebRequest request;
    bool is_head = false, keeps_alive = true;
    std::optional<Reply> refusal = std::nullopt;
    bool is_gone = false;  // nobody to answer to
};

Reply plain_refusal(int status, std::string_view message) {
    Reply reply;
    reply.status = status;
    reply.content_type = "text/plain; charset=utf-8";
    reply.body = std::string(message) + "\n";
    if (status == 405) reply.fields.emplace_back("Allow", "GET, HEAD, POST, DELETE");
    return reply;
}

Incoming refused(int status, std::string_view message) {
    Incoming incoming;
    incoming.keeps_alive = false;
    incoming.refusal = plain_refusal(status, message);
    return incoming;
}

Incoming gone() {
    Incoming incoming;
    incoming.is_gone = true;
    return incoming;
}

bool takes_files(const WebRequest& request) {
    const auto& path = request.segments;
    if (request.method != "POST" || path.empty()) return false;
    const bool is_piece = path.size() == 4 && path[0] == "api" && path[1] == "ingest" && path[3] == "bytes";
    const bool is_form = path.size() == 2 && ((path[0] == "bank-files" && path[1] == "preview") ||
                                              (path[0] == "rules" && path[1] == "try"));
    const bool is_trial = path.size() == 3 && path[0] == "draws" && path[2] == "explain";
    return is_piece || is_form || is_trial;
}

using Parser = http::request_parser<http::string_body>;

Result<WebRequest> request_of(const Parser& parser) {
    const auto& message = parser.get();
    WebRequest request;
    request.method = std::string(message.method_string());
    if (request.method == "HEAD") request.method = "GET";
    if (auto read = read_target(std::string(message.target()), request); !read) return std::unexpected(read.error());
    request.cookie = std::string(message[http::field::cookie]);
    request.origin = std::string(message[http::field::origin]);
    request.fetch_site = std::string(message["Sec-Fetch-Site"]);
    request.content_type = std::string(message[http::field::content_type]);
    request.by_itself = message.count(api::by_itself_field) > 0;
    return request;
}

// Stream: Plain or Tls.
template <class Stream>
class HttpConnection final : public BrowserConnection {
  public:
    template <class... ForStream>
    HttpConnection(std::string from, const Server& server, ForStream&&... for_stream)
        : BrowserConnection(std::move(from)),
          server_(server),
          settings_(server.settings),
          limits_(server.settings.limits),
          authority_(authority_of(server.settings.origin)),
          stream_(std::forward<ForStream>(for_stream)...) {}

    [[nodiscard]] asio::awaitable<void> converse() override {
        if constexpr (is_tls) {
            lowest().expires_after(limits_.handshake);
            auto [error] = co_await stream_.async_handshake(ssl::stream_base::server, with_error);
            if (error) co_return;
        }
        co_await talk();
    }
    void cancel() override { lowest().cancel(); }
    void close() override { lowest().close(); }
    [[nodiscard]] bool is_open() const override { return lowest().socket().is_open(); }

  private:
    static constexpr bool is_tls = std::is_same_v<Stream, Tls>;

    [[nodiscard]] Plain& lowest() { return beast::get_lowest_layer(stream_); }
    [[nodiscard]] const Plain& lowest() const {
        if constexpr (is_tls) {
            return stream_.next_layer();
        } else {
            return stream_;
        }
    }

    // One request after the other, as long as both sides like.
    asio::awaitable<void> talk() {
        bool goes_on = true, is_first = true;
        while (goes_on && !server_.is_stopping) {
            auto incoming = co_await read(is_first);
            if (incoming.is_gone) break;
            is_first = false;
            incoming.request.address = shown_address_of(lowest().socket());
            is_answering = true;
            goes_on = incoming.keeps_alive && !incoming.refusal;
            Reply reply;
            if (incoming.refusal) {
                reply = std::move(*incoming.refusal);
            } else {
                reply = co_await server_.handler(std::move(incoming.request));
            }
            const bool was_refused = incoming.refusal.has_value();
            const bool written = co_await write(std::move(reply), goes_on, incoming.is_head);
            if (was_refused) co_await drain();
            is_answering = has_head = false;
            goes_on = goes_on && written;
        }
        lowest().expires_after(linger);
        co_await shut_down();
    }

    asio::awaitable<void> shut_down() {
        if constexpr (is_tls) {
            static_cast<void>(co_await stream_.async_shutdown(with_error));
        } else {
            error_code ignored;
            stream_.socket().shutdown(asio::socket_base::shutdown_send, ignored);
        }
        co_return;
    }

    // The bytes of a head, through the filter, then through the parser; then the body.
    asio::awaitable<Incoming> read(bool is_first) {
        beast::flat_buffer buffer(api::max_head_bytes + limits_.max_upload_bytes);
        std::size_t head_size = std::string_view::npos;
        bool is_begun = false;
        lowest().expires_after(is_first ? limits_.head : limits_.idle);
        while (head_size == std::string_view::npos) {
            if (buffer.size() >= api::max_head_bytes) co_return refused(431, "the request's head is too large");
            auto [error, size] =
                co_await stream_.async_read_some(buffer.prepare(api::max_head_bytes - buffer.size()), with_error);
            if (error) co_return gone();  // or too slow: the stream is closed already
            buffer.commit(size);
            if (!std::exchange(is_begun, true)) lowest().expires_after(limits_.head);
            head_size = end_of_head({static_cast<const char*>(buffer.data().data()), buffer.size()});
        }
        const std::string_view head(static_cast<const char*>(buffer.data().data()), head_size);
        if (const auto fault = fault_in_head(head, authority_)) co_return refused(fault->status, fault->message);
        has_head = true;
        auto incoming = co_await read_body(buffer);
        co_return incoming;
    }

    // Only a page of the console sends much, and only in a session. Both can be forged, but not by another site's page.
    [[nodiscard]] std::optional<Incoming> refused_large(const WebRequest& request) const {
        if (const auto fault = cross_site_fault(request, settings_.origin)) return refused(403, *fault);
        if (cookie_value(request.cookie, CookieName::session, settings_.is_public()).empty())
            return refused(401, "sign in, and send it again");
        if (has_room_for_large_body(server_.connections, address, limits_)) return std::nullopt;
        return refused(503, "too many files are on their way: try again in a moment");
    }

    // False: the peer is gone or too slow. So much must come in each span of the time that a head may take: what came
    // faster before gives nobody time to be silent.
    asio::awaitable<bool> receive(beast::flat_buffer& buffer, Parser& parser) {
        const auto span_bytes =
            limits_.min_body_bytes_per_second * static_cast<std::size_t>(limits_.head.count()) / 1000;
        std::size_t received = span_bytes;
        parser.eager(true);
        while (!parser.is_done()) {
            if (received >= span_bytes) {
                lowest().expires_after(limits_.head);
                received = 0;
            }
            auto [error, size] = co_await http::async_read_some(stream_, buffer, parser, with_error);
            if (error) co_return false;
            received += size;
        }
        co_return true;
    }

    asio::awaitable<Incoming> read_body(beast::flat_buffer& buffer) {
        Parser parser;
        parser.header_limit(api::max_head_bytes);
        parser.body_limit(limits_.max_upload_bytes);
        error_code error;
        buffer.consume(parser.put(buffer.data(), error));
        if (error == http::error::body_limit) co_return refused(413, "the request's body is too large");
        if (error || !parser.is_header_done()) co_return refused(400, "this is not an HTTP request");
        auto request = request_of(parser);
        if (!request) co_return refused(400, request.error().message);
        const std::uint64_t length = parser.content_length().value_or(0);
        const bool is_large = length > limits_.max_body_bytes;
        const bool may_be_large = takes_files(*request);
        if (length > (may_be_large ? limits_.max_upload_bytes : limits_.max_body_bytes))
            co_return refused(413, "the request's body is too large");
        if (is_large) {
            if (auto refusal = refused_large(*request)) co_return std::move(*refusal);
        }
        has_large_body = is_large;
        const bool is_whole = co_await receive(buffer, parser);
        has_large_body = false;
        if (!is_whole) co_return gone();
        Incoming incoming;
        incoming.is_head = parser.get().method() == http::verb::head;
        // A second request behind the first is never read: browsers wait for the answer.
        incoming.keeps_alive = parser.get().keep_alive() && buffer.size() == 0;
        incoming.request = std::move(*request);
        incoming.request.body = std::move(parser.get().body());
        co_return incoming;
    }

    // False: the peer is gone.
    asio::awaitable<bool> write(Reply reply, bool keeps_alive, bool is_head) {
        http::response<http::string_body> message{static_cast<http::status>(reply.status), 11};
        message.set(http::field::content_type, reply.content_type);
        for (const auto& [name, value] : security_fields(reply.is_asset, settings_.is_public()))
            message.set(name, value);
        for (const auto& [name, value] : reply.fields)
            message.insert(name, value);
        message.keep_alive(keeps_alive);
        lowest().expires_after(limits_.write);
        if (reply.stream && !is_head) {
            const bool whole = co_await write_stream(std::move(message), std::move(reply.stream));
            co_return whole;
        }
        message.body() = std::move(reply.body);
        message.prepare_payload();
        if (is_head) message.body().clear();
        http::response_serializer<http::string_body> serializer(message);
        if (is_head) {
            auto [error, size] = co_await http::async_write_header(stream_, serializer, with_error);
            co_return !error;
        }
        auto [error, size] = co_await http::async_write(stream_, serializer, with_error);
        co_return !error;
    }

    asio::awaitable<bool> write_stream(http::response<http::string_body> head, std::shared_ptr<BodyStream> source) {
        http::response<http::empty_body> message(std::move(head.base()));
        message.chunked(true);
        http::response_serializer<http::empty_body> serializer(message);
        auto [unsent, size] = co_await http::async_write_header(stream_, serializer, with_error);
        if (unsent) co_return false;
        while (true) {
            lowest().expires_never();
            auto piece = co_await next_piece(lowest().socket(), *source);
            if (!piece) co_return false;  // without the last chunk: the reader sees that it broke off
            lowest().expires_after(limits_.write);
            if (!*piece) break;
            if ((*piece)->empty()) continue;
            auto [error, sent] =
                co_await asio::async_write(stream_, http::make_chunk(asio::buffer(**piece)), with_error);
            if (error) co_return false;
        }
        auto [error, sent] = co_await asio::async_write(stream_, http::make_chunk_last(), with_error);
        co_return !error;
    }

    // A browser says nothing while it listens: whatever arrives, it has left. Unnoticed, the streams of the pages that
    // it has left behind would count against its session.
    static asio::awaitable<Result<std::optional<std::string>>> next_piece(Socket& socket, BodyStream& source) {
        if (!source.waits_for_news()) {
            auto piece = co_await source.next();
            co_return piece;
        }
        using asio::experimental::awaitable_operators::operator||;
        auto first = co_await (source.next() || socket.async_wait(Socket::wait_read, with_error));
        if (first.index() == 1) co_return std::nullopt;
        co_return std::get<0>(std::move(first));
    }

    // What a refused peer still sends is dropped for a while: closed at once, it would see a reset and no answer.
    asio::awaitable<void> drain() {
        std::array<char, 16 * 1024> dropped;  // NOLINT(cppcoreguidelines-pro-type-member-init): it is read into
        error_code ended;
        if constexpr (!is_tls) lowest().socket().shutdown(asio::socket_base::shutdown_send, ended);
        ended = {};
        lowest().expires_after(linger);
        while (!ended) {
            auto [error, size] = co_await stream_.async_read_some(asio::buffer(dropped), with_error);
            ended = error;
        }
    }

    const Server& server_;
    const Settings& settings_;
    const Limits& limits_;
    std::string_view authority_;
    Stream stream_;
};

}  // namespace

std::unique_ptr<BrowserConnection> make_connection(Socket socket, std::string address, ssl::context* tls,
                                                   const Server& server) {
    if (tls != nullptr)
        return std::make_unique<HttpConnection<Tls>>(std::move(address), server, std::move(socket), *tls);
    return std::make_unique<HttpConnection<Plain>>(std::move(address), server, std::move(socket));
}

}  // namespace drawbridge::console
