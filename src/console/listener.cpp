#include "drawbridge/console/listener.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <exception>
#include <list>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "drawbridge/api/request_head.hpp"
#include "drawbridge/console/cookies.hpp"
#include "drawbridge/console/head_filter.hpp"
#include "drawbridge/console/request_guard.hpp"

namespace drawbridge::console {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace ssl = asio::ssl;
using Protocol = asio::generic::stream_protocol;
using Socket = Protocol::socket;
using Acceptor = asio::basic_socket_acceptor<Protocol>;
using Plain = beast::basic_stream<Protocol>;
using Tls = beast::ssl_stream<Plain>;
using boost::system::error_code;

constexpr auto with_error = asio::as_tuple(asio::use_awaitable);
constexpr std::chrono::seconds linger{1};

// Whoever connects over the same address or prefix counts as one.
std::string address_of(Socket& socket) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    if (::getpeername(socket.native_handle(), reinterpret_cast<sockaddr*>(&address), &size) != 0) return "?";
    if (address.ss_family == AF_INET) {
        const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
        return {reinterpret_cast<const char*>(&v4.sin_addr), sizeof v4.sin_addr};
    }
    if (address.ss_family == AF_INET6) {
        constexpr std::size_t prefix_bytes = 8;
        const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address);
        return {reinterpret_cast<const char*>(&v6.sin6_addr), prefix_bytes};
    }
    return {};  // a unix socket: an office's proxy, which limits by itself
}

std::string shown_address_of(Socket& socket) {
    error_code unknown;
    const auto end = socket.remote_endpoint(unknown);
    const auto* address = reinterpret_cast<const sockaddr*>(end.data());
    char text[INET6_ADDRSTRLEN] = {};
    if (unknown) return {};
    if (address->sa_family == AF_INET) {
        ::inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(address)->sin_addr, text, sizeof text);
    } else if (address->sa_family == AF_INET6) {
        ::inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr, text, sizeof text);
    }
    return text;
}

struct Connection {
    Connection(Socket socket, ssl::context* tls, std::string from) : address(std::move(from)) {
        if (tls != nullptr) {
            secure.emplace(std::move(socket), *tls);
        } else {
            plain.emplace(std::move(socket));
        }
    }
    [[nodiscard]] Plain& lowest() { return secure ? secure->next_layer() : *plain; }
    [[nodiscard]] const Plain& lowest() const { return secure ? secure->next_layer() : *plain; }

    std::optional<Plain> plain;  // one of the two
    std::optional<Tls> secure;
    std::string address;
    bool has_head = false;        // of a request
    bool has_large_body = false;  // on its way
    bool is_answering = false;    // a whole request is in hand: it gets its answer, and no newcomer takes its place
};

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

Result<void> use_certificate(ssl::context& context, const Settings& settings) {
    error_code error;
    const auto why = [&](const std::filesystem::path& file, const char* what) {
        return fail(ErrorCode::invalid_input, file.string() + ": " + what + ": " + error.message());
    };
    context.set_options(ssl::context::default_workarounds | ssl::context::no_sslv2 | ssl::context::no_sslv3 |
                            ssl::context::no_tlsv1 | ssl::context::no_tlsv1_1 | ssl::context::no_compression |
                            ssl::context::single_dh_use,
                        error);
    if (!error) context.use_certificate_chain_file(settings.certificate.string(), error);
    if (error) return why(settings.certificate, "cannot be used as a certificate chain");
    context.use_private_key_file(settings.key.string(), ssl::context::pem, error);
    if (error) return why(settings.key, "cannot be used as a private key");
    SSL_CTX_set_options(context.native_handle(), SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
    constexpr const char* ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20";
    if (SSL_CTX_check_private_key(context.native_handle()) != 1)
        return fail(ErrorCode::invalid_input,
                    settings.key.string() + ": is not the key of " + settings.certificate.string());
    if (SSL_CTX_set_cipher_list(context.native_handle(), ciphers) != 1)
        return fail(ErrorCode::unavailable, "this OpenSSL has none of the ciphers that are asked for");
    return {};
}

bool is_for_this_machine(int fd) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    if (::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) return false;
    if (address.ss_family == AF_UNIX) return true;
    if (address.ss_family == AF_INET) {
        const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
        return (ntohl(v4.sin_addr.s_addr) >> 24U) == 127;
    }
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address);
    return address.ss_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&v6.sin6_addr);
}

class WebListener final : public Listener {
  public:
    WebListener(asio::any_io_executor executor, const Settings& settings, WebHandler handler)
        : executor_(std::move(executor)),
          settings_(settings),
          limits_(settings.limits),
          authority_(authority_of(settings.origin)),
          handler_(std::move(handler)),
          ended_(executor_) {}

    [[nodiscard]] Result<void> bind() {
        if (settings_.has_tls()) {
            tls_.emplace(ssl::context::tls_server);
            if (auto used = use_certificate(*tls_, settings_); !used) return used;
        }
        return settings_.by_systemd() ? take_sockets() : bind_address();
    }

    [[nodiscard]] asio::awaitable<void> serve() override {
        for (auto& acceptor : acceptors_) {
            ++accepting_;
            asio::co_spawn(executor_, accept(acceptor), [this](const std::exception_ptr& failure) {
                if (failure) failure_ = failure;
                --accepting_;
                ended_.cancel();
            });
        }
        while (accepting_ > 0 || !connections_.empty()) {
            ended_.expires_at(asio::steady_timer::time_point::max());
            co_await ended_.async_wait(with_error);
        }
        if (failure_) std::rethrow_exception(failure_);
    }

    void stop() override {
        if (std::exchange(is_stopping_, true)) return;
        error_code ignored;
        for (auto& acceptor : acceptors_)
            acceptor.close(ignored);
        for (auto& connection : connections_) {
            if (!connection.is_answering) connection.lowest().cancel();
        }
        ended_.cancel();
    }

    [[nodiscard]] std::uint16_t port() const override {
        sockaddr_in6 address{};
        socklen_t size = sizeof address;
        if (acceptors_.empty()) return 0;
        // native_handle() is not const in Asio.
        const int fd = const_cast<Acceptor&>(acceptors_.front()).native_handle();
        if (::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
        // The port stands at the same place for both families.
        return address.sin6_family == AF_UNIX ? std::uint16_t{0} : ntohs(address.sin6_port);
    }
    [[nodiscard]] std::size_t connections() const override { return connections_.size(); }

  private:
    [[nodiscard]] Result<void> bind_address() {
        const auto wanted = parse_listen(settings_.listen);
        if (!wanted)
            return fail(ErrorCode::invalid_input, "listen: '" + settings_.listen + "' is not an address and port");
        error_code error;
        const auto address = asio::ip::make_address(wanted->address, error);
        const asio::ip::tcp::endpoint endpoint(address, static_cast<std::uint16_t>(std::stoi(wanted->port)));
        acceptors_.emplace_back(executor_);
        auto& acceptor = acceptors_.back();
        const Protocol protocol(endpoint.protocol());
        if (!error) acceptor.open(protocol, error);
        if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
        if (!error) acceptor.bind(Protocol::endpoint(endpoint), error);
        if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
        if (!error) return {};
        return fail(ErrorCode::unavailable, "listen: cannot listen on " + settings_.listen + ": " + error.message());
    }

    [[nodiscard]] Result<void> take_sockets() {
        const int count = sd_listen_fds(/*unset_environment=*/1);
        if (count <= 0) {
            return fail(ErrorCode::unavailable,
                        "listen: systemd handed over no socket: start drawbridge-console.socket, or name an address");
        }
        for (int fd = SD_LISTEN_FDS_START; fd < SD_LISTEN_FDS_START + count; ++fd) {
            if (!settings_.has_tls() && !is_for_this_machine(fd)) {
                return fail(ErrorCode::invalid_input,
                            "listen: plain HTTP is for this machine only: name a certificate and a key, or listen on "
                            "127.0.0.1 or a unix socket");
            }
            sockaddr_storage address{};
            socklen_t size = sizeof address;
            if (::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0)
                return fail(ErrorCode::unavailable, "listen: what systemd handed over is not a socket");
            error_code error;
            acceptors_.emplace_back(executor_);
            acceptors_.back().assign(Protocol(address.ss_family, 0), fd, error);
            if (error) return fail(ErrorCode::unavailable, "listen: systemd's socket: " + error.message());
        }
        return {};
    }

    asio::awaitable<void> accept(Acceptor& acceptor) {
        while (!is_stopping_) {
            auto [error, socket] = co_await acceptor.async_accept(with_error);
            if (is_stopping_) break;
            if (error) {  // out of descriptors, for instance
                asio::steady_timer pause(executor_, std::chrono::milliseconds(100));
                static_cast<void>(co_await pause.async_wait(with_error));
                continue;
            }
            start(std::move(socket));
        }
    }

    void start(Socket socket) {
        std::string address = address_of(socket);
        if (connections_.size() >= limits_.max_connections && !make_room()) return;
        const auto same = std::ranges::count(connections_, address, &Connection::address);
        if (!address.empty() && static_cast<std::size_t>(same) >= limits_.max_connections_per_address) return;
        const auto connection =
            connections_.emplace(connections_.end(), std::move(socket), tls_ ? &*tls_ : nullptr, std::move(address));
        asio::co_spawn(executor_, converse(*connection), [this, connection](const std::exception_ptr& failure) {
            connections_.erase(connection);
            if (failure) {
                failure_ = failure;
                stop();
            }
            ended_.cancel();
        });
    }

    // Whoever has been silent or slow the longest leaves: else a few hundred of them would keep everybody out. False:
    // all of them are being served.
    bool make_room() {
        auto slowest = std::ranges::find_if(
            connections_, [](const Connection& one) { return !one.has_head && one.lowest().socket().is_open(); });
        if (slowest == connections_.end()) slowest = oldest_sender();
        if (slowest == connections_.end()) return false;
        slowest->lowest().close();
        return true;
    }

    // Whose body is on its way, of the address that has the most of these.
    std::list<Connection>::iterator oldest_sender() {
        const auto is_sending = [](const Connection& one) {
            return one.has_head && !one.is_answering && one.lowest().socket().is_open();
        };
        std::map<std::string_view, std::size_t> of_address;
        for (const auto& one : connections_) {
            if (is_sending(one)) ++of_address[one.address];
        }
        auto oldest = connections_.end();
        for (auto at = connections_.begin(); at != connections_.end(); ++at) {
            if (!is_sending(*at)) continue;
            if (oldest == connections_.end() || of_address[at->address] > of_address[oldest->address]) oldest = at;
        }
        return oldest;
    }

    asio::awaitable<void> converse(Connection& connection) {
        if (connection.plain) {
            co_await talk(connection, *connection.plain);
            co_return;
        }
        connection.lowest().expires_after(limits_.handshake);
        auto [error] = co_await connection.secure->async_handshake(ssl::stream_base::server, with_error);
        if (!error) co_await talk(connection, *connection.secure);
    }

    // One request after the other, as long as both sides like.
    template <class Stream>
    asio::awaitable<void> talk(Connection& connection, Stream& stream) {
        bool goes_on = true, is_first = true;
        while (goes_on && !is_stopping_) {
            auto incoming = co_await read(connection, stream, is_first);
            if (incoming.is_gone) break;
            is_first = false;
            incoming.request.address = shown_address_of(connection.lowest().socket());
            connection.is_answering = true;
            goes_on = incoming.keeps_alive && !incoming.refusal;
            Reply reply;
            if (incoming.refusal) {
                reply = std::move(*incoming.refusal);
            } else {
                reply = co_await handler_(std::move(incoming.request));
            }
            const bool was_refused = incoming.refusal.has_value();
            const bool written = co_await write(stream, std::move(reply), goes_on, incoming.is_head);
            if (was_refused) co_await drain(stream);
            connection.is_answering = connection.has_head = false;
            goes_on = goes_on && written;
        }
        beast::get_lowest_layer(stream).expires_after(linger);
        co_await close(stream);
    }

    asio::awaitable<void> close(Plain& stream) {
        error_code ignored;
        stream.socket().shutdown(asio::socket_base::shutdown_send, ignored);
        co_return;
    }
    asio::awaitable<void> close(Tls& stream) { static_cast<void>(co_await stream.async_shutdown(with_error)); }

    // The bytes of a head, through the filter, then through the parser; then the body.
    template <class Stream>
    asio::awaitable<Incoming> read(Connection& connection, Stream& stream, bool is_first) {
        auto& lowest = beast::get_lowest_layer(stream);
        beast::flat_buffer buffer(api::max_head_bytes + limits_.max_upload_bytes);
        std::size_t head_size = std::string_view::npos;
        bool is_begun = false;
        lowest.expires_after(is_first ? limits_.head : limits_.idle);
        while (head_size == std::string_view::npos) {
            if (buffer.size() >= api::max_head_bytes) co_return refused(431, "the request's head is too large");
            auto [error, size] =
                co_await stream.async_read_some(buffer.prepare(api::max_head_bytes - buffer.size()), with_error);
            if (error) co_return gone();  // or too slow: the stream is closed already
            buffer.commit(size);
            if (!std::exchange(is_begun, true)) lowest.expires_after(limits_.head);
            head_size = end_of_head({static_cast<const char*>(buffer.data().data()), buffer.size()});
        }
        const std::string_view head(static_cast<const char*>(buffer.data().data()), head_size);
        if (const auto fault = fault_in_head(head, authority_)) co_return refused(fault->status, fault->message);
        connection.has_head = true;
        auto incoming = co_await read_body(connection, stream, buffer);
        co_return incoming;
    }

    // Only a page of the console sends much, and only in a session. Both can be forged, but not by another site's page.
    [[nodiscard]] std::optional<Incoming> refused_large(const Connection& connection, const WebRequest& request) const {
        if (const auto fault = cross_site_fault(request, settings_.origin)) return refused(403, *fault);
        if (cookie_value(request.cookie, CookieName::session, settings_.is_public()).empty())
            return refused(401, "sign in, and send it again");
        const auto all = std::ranges::count_if(connections_, &Connection::has_large_body);
        const auto same = std::ranges::count_if(connections_, [&](const Connection& one) {
            return one.has_large_body && !one.address.empty() && one.address == connection.address;
        });
        const auto most = static_cast<std::ptrdiff_t>(limits_.max_large_bodies);
        if (all < most && same < std::max<std::ptrdiff_t>(most / 2, 1)) return std::nullopt;
        return refused(503, "too many files are on their way: try again in a moment");
    }

    // False: the peer is gone or too slow. So much must come in each span of the time that a head may take: what came
    // faster before gives nobody time to be silent.
    template <class Stream>
    asio::awaitable<bool> receive(Stream& stream, beast::flat_buffer& buffer, Parser& parser) {
        const auto span_bytes =
            limits_.min_body_bytes_per_second * static_cast<std::size_t>(limits_.head.count()) / 1000;
        std::size_t received = span_bytes;
        parser.eager(true);
        while (!parser.is_done()) {
            if (received >= span_bytes) {
                beast::get_lowest_layer(stream).expires_after(limits_.head);
                received = 0;
            }
            auto [error, size] = co_await http::async_read_some(stream, buffer, parser, with_error);
            if (error) co_return false;
            received += size;
        }
        co_return true;
    }

    template <class Stream>
    asio::awaitable<Incoming> read_body(Connection& connection, Stream& stream, beast::flat_buffer& buffer) {
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
            if (auto refusal = refused_large(connection, *request)) co_return std::move(*refusal);
        }
        connection.has_large_body = is_large;
        const bool is_whole = co_await receive(stream, buffer, parser);
        connection.has_large_body = false;
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
    template <class Stream>
    asio::awaitable<bool> write(Stream& stream, Reply reply, bool keeps_alive, bool is_head) {
        auto& lowest = beast::get_lowest_layer(stream);
        http::response<http::string_body> message{static_cast<http::status>(reply.status), 11};
        message.set(http::field::content_type, reply.content_type);
        for (const auto& [name, value] : security_fields(reply.is_asset, settings_.is_public()))
            message.set(name, value);
        for (const auto& [name, value] : reply.fields)
            message.insert(name, value);
        message.keep_alive(keeps_alive);
        lowest.expires_after(limits_.write);
        if (reply.stream && !is_head) {
            const bool whole = co_await write_stream(stream, std::move(message), std::move(reply.stream));
            co_return whole;
        }
        message.body() = std::move(reply.body);
        message.prepare_payload();
        if (is_head) message.body().clear();
        http::response_serializer<http::string_body> serializer(message);
        if (is_head) {
            auto [error, size] = co_await http::async_write_header(stream, serializer, with_error);
            co_return !error;
        }
        auto [error, size] = co_await http::async_write(stream, serializer, with_error);
        co_return !error;
    }

    template <class Stream>
    asio::awaitable<bool> write_stream(Stream& stream, http::response<http::string_body> head,
                                       std::shared_ptr<BodyStream> source) {
        auto& lowest = beast::get_lowest_layer(stream);
        http::response<http::empty_body> message(std::move(head.base()));
        message.chunked(true);
        http::response_serializer<http::empty_body> serializer(message);
        auto [unsent, size] = co_await http::async_write_header(stream, serializer, with_error);
        if (unsent) co_return false;
        while (true) {
            lowest.expires_never();
            auto piece = co_await next_piece(lowest.socket(), *source);
            if (!piece) co_return false;  // without the last chunk: the reader sees that it broke off
            lowest.expires_after(limits_.write);
            if (!*piece) break;
            if ((*piece)->empty()) continue;
            auto [error, sent] =
                co_await asio::async_write(stream, http::make_chunk(asio::buffer(**piece)), with_error);
            if (error) co_return false;
        }
        auto [error, sent] = co_await asio::async_write(stream, http::make_chunk_last(), with_error);
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
    template <class Stream>
    asio::awaitable<void> drain(Stream& stream) {
        std::array<char, 16 * 1024> dropped;  // NOLINT(cppcoreguidelines-pro-type-member-init): it is read into
        auto& lowest = beast::get_lowest_layer(stream);
        error_code ended;
        if constexpr (std::is_same_v<Stream, Plain>) lowest.socket().shutdown(asio::socket_base::shutdown_send, ended);
        ended = {};
        lowest.expires_after(linger);
        while (!ended) {
            auto [error, size] = co_await stream.async_read_some(asio::buffer(dropped), with_error);
            ended = error;
        }
    }

    asio::any_io_executor executor_;
    const Settings& settings_;
    const Limits& limits_;
    std::string_view authority_;
    WebHandler handler_;
    std::optional<ssl::context> tls_;
    std::list<Acceptor> acceptors_;
    std::size_t accepting_ = 0;
    asio::steady_timer ended_;  // wakes serve() when a connection has ended
    std::list<Connection> connections_;
    std::exception_ptr failure_;
    bool is_stopping_ = false;
};

}  // namespace

Result<std::unique_ptr<Listener>> Listener::open(asio::any_io_executor executor, const Settings& settings,
                                                 WebHandler handler) {
    auto listener = std::make_unique<WebListener>(std::move(executor), settings, std::move(handler));
    if (auto bound = listener->bind(); !bound) return std::unexpected(bound.error());
    return listener;
}

Result<void> check_certificate(const Settings& settings) {
    if (!settings.has_tls()) return {};
    ssl::context context(ssl::context::tls_server);
    return use_certificate(context, settings);
}

}  // namespace drawbridge::console
