#include "drawbridge/admin/server.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <exception>
#include <list>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "drawbridge/admin/identity.hpp"
#include "drawbridge/api/request_head.hpp"
#include "respond.hpp"

namespace drawbridge::admin {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
using Local = asio::local::stream_protocol;
using Tcp = asio::ip::tcp;
using boost::system::error_code;

constexpr auto no_throw = asio::as_tuple(asio::use_awaitable);
constexpr std::chrono::seconds drain_deadline{1};
constexpr std::chrono::minutes max_answer_time{5};

struct Peer {
    std::string actor;
    std::optional<std::int64_t> uid;
    std::vector<std::int64_t> groups;
};

// The peer's groups when it connected, from the kernel. nullopt: not available.
std::optional<std::vector<std::int64_t>> groups_of(Local::socket& socket) {
    std::vector<gid_t> groups(32);
    for (;;) {
        auto size = static_cast<socklen_t>(groups.size() * sizeof(gid_t));
        const int result = getsockopt(socket.native_handle(), SOL_SOCKET, SO_PEERGROUPS, groups.data(), &size);
        if (result != 0 && errno != ERANGE) return std::nullopt;
        groups.resize(size / sizeof(gid_t));
        if (result == 0) return std::vector<std::int64_t>(groups.begin(), groups.end());
    }
}

std::optional<Peer> peer(Local::socket& socket, UserNames& names) {
    ucred credentials{};
    socklen_t size = sizeof credentials;
    if (getsockopt(socket.native_handle(), SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return std::nullopt;
    auto groups = groups_of(socket);
    if (!groups) return std::nullopt;
    groups->push_back(credentials.gid);
    return Peer{names.describe(credentials.uid, std::chrono::steady_clock::now()), credentials.uid, std::move(*groups)};
}

// Any user of this machine. No act is possible on this port.
std::optional<Peer> peer(Tcp::socket& /*socket*/, UserNames& /*names*/) {
    return Peer{"loopback", std::nullopt, {}};
}

// The routes of each listener.
asio::awaitable<Response> answer_to(const Local::socket& /*from*/, AdminContext& context, Request request) {
    return handle(context, std::move(request));
}
asio::awaitable<Response> answer_to(const Tcp::socket& /*from*/, AdminContext& context, Request request) {
    co_return handle_monitoring(context, request);
}

Response refusal(int status, std::string_view message) {
    return error_answer(status, to_string(ErrorCode::invalid_input), message);
}

// The answer to a request that could not be read. nullopt: no answer, because the peer is gone or too slow.
std::optional<Response> refusal(const error_code& error) {
    if (error == http::error::body_limit) return refusal(413, "the request's body is too large: send less at a time");
    if (error == http::error::header_limit) return refusal(431, "the request's head is too large: send fewer headers");
    if (error == http::error::bad_version) return refusal(505, "not HTTP/1.0 or HTTP/1.1: send HTTP/1.1");
    if (error.category() == http::make_error_code(http::error::end_of_stream).category() &&
        error != http::error::end_of_stream && error != http::error::partial_message) {
        return refusal(400, "not an HTTP request: send HTTP/1.1");
    }
    return std::nullopt;
}

// The token in "Session TOKEN"; empty if there is none.
std::string session_token(std::string_view authorization) {
    constexpr std::string_view scheme = "Session ";
    return authorization.starts_with(scheme) ? std::string(authorization.substr(scheme.size())) : std::string();
}

using Parser = http::request_parser<http::string_body>;

// nullopt: the body may be read.
std::optional<Response> refusal(const Parser& parser) {
    const auto& message = parser.get();
    api::RequestHead head{.target = message.target(),
                          .version = static_cast<int>(message.version()),
                          .hosts = message.count(http::field::host),
                          .has_content_length = message.count(http::field::content_length) > 0};
    const auto [first, last] = message.equal_range(http::field::transfer_encoding);
    for (auto field = first; field != last; ++field)
        head.transfer_encodings.emplace_back(field->value());
    const auto fault = api::fault_in(head);
    return fault ? std::optional(refusal(fault->status, fault->message)) : std::nullopt;
}

template <class Protocol>
struct Session {
    explicit Session(typename Protocol::socket socket, Peer who) : stream(std::move(socket)), peer(std::move(who)) {}
    beast::basic_stream<Protocol> stream;
    Peer peer;
    bool handling = false;  // a complete request is being handled; it gets its answer
    asio::cancellation_signal cut_short = {};
};

template <class Protocol>
class HttpServer : public Server {
  public:
    HttpServer(asio::any_io_executor executor, AdminContext& context, ServerOptions options)
        : acceptor_(executor),
          executor_(std::move(executor)),
          context_(context),
          options_(std::move(options)),
          ended_(executor_) {}
    [[nodiscard]] std::uint16_t port() const override { return 0; }

    [[nodiscard]] asio::awaitable<void> serve() override {
        while (!stopping_) {
            auto [error, socket] = co_await acceptor_.async_accept(no_throw);
            if (error) {
                if (!stopping_) co_await pause();  // for example, out of file descriptors
                continue;
            }
            start(std::move(socket));
        }
        while (!sessions_.empty()) {
            ended_.expires_at(asio::steady_timer::time_point::max());
            co_await ended_.async_wait(no_throw);
        }
        if (failure_) std::rethrow_exception(failure_);
    }

    void stop() override {
        if (std::exchange(stopping_, true)) return;
        error_code ignored;
        acceptor_.close(ignored);
        ended_.cancel();
        for (auto& session : sessions_) {
            if (!session.handling) session.stream.cancel();
        }
    }

    void cut_short() override {
        for (auto& session : sessions_)
            session.cut_short.emit(asio::cancellation_type::terminal);
    }

  protected:
    [[nodiscard]] ServerOptions& options() { return options_; }
    typename Protocol::acceptor acceptor_;

  private:
    asio::awaitable<void> pause() {
        ended_.expires_after(std::chrono::milliseconds(100));
        co_await ended_.async_wait(no_throw);
    }

    // One local user cannot block the others.
    [[nodiscard]] bool has_enough(const Peer& who) const {
        if (!who.uid || options_.console_uid) return false;
        const auto same = std::ranges::count(sessions_, who.uid, [](const auto& session) { return session.peer.uid; });
        return static_cast<std::size_t>(same) >= std::max<std::size_t>(options_.max_connections / 2, 1);
    }

    // Closes the connection that has waited the longest for its request to be complete: two local users who send none
    // would keep everybody out. False: all requests are being handled.
    bool make_room() {
        const auto slowest = std::ranges::find_if(
            sessions_, [](auto& session) { return !session.handling && session.stream.socket().is_open(); });
        if (slowest == sessions_.end()) return false;
        slowest->stream.close();
        return true;
    }

    void start(typename Protocol::socket socket) {
        auto who = peer(socket, names_);
        if (!who || has_enough(*who)) return;
        if (options_.console_uid && who->uid != options_.console_uid) return;
        if (sessions_.size() >= options_.max_connections && !make_room()) return;
        const auto session = sessions_.emplace(sessions_.end(), std::move(socket), std::move(*who));
        auto ended = [this, session](const std::exception_ptr& failure) {
            sessions_.erase(session);
            if (failure) {
                failure_ = failure;
                stop();
            }
            ended_.cancel();
        };
        asio::co_spawn(executor_, converse(*session),
                       asio::bind_cancellation_slot(session->cut_short.slot(), std::move(ended)));
    }

    asio::awaitable<void> converse(Session<Protocol>& session) {
        Parser parser;
        parser.header_limit(api::max_head_bytes);
        parser.body_limit(options_.max_body_bytes);
        session.stream.expires_after(options_.read_deadline);
        const auto error = co_await read(session, parser);
        auto refused = error ? refusal(error) : refusal(parser);
        if (refused) {
            co_await answer(session, std::move(*refused));
            co_await drain(session);
        }
        if (refused || error) co_return;
        session.handling = true;
        session.stream.expires_never();  // the pay step has no time limit
        const auto& message = parser.get();
        Request request;
        request.method = std::string(message.method_string());
        request.target = std::string(message.target());
        request.body = message.body();
        request.actor = session.peer.actor;
        request.uid = session.peer.uid;
        request.groups = session.peer.groups;
        request.by_console = options_.console_uid.has_value();
        if (request.by_console) {
            request.session = session_token(message[http::field::authorization]);
            request.by_itself = message.count(api::by_itself_field) > 0;
        }
        const bool head = request.method == "HEAD";
        auto response = co_await answer_to(session.stream.socket(), context_, std::move(request));
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        co_await answer(session, std::move(response), head);
    }

    // Reads the body only if the head is valid.
    asio::awaitable<error_code> read(Session<Protocol>& session, Parser& parser) {
        beast::flat_buffer buffer;
        auto [unread, head_size] = co_await http::async_read_header(session.stream, buffer, parser, no_throw);
        if (unread || refusal(parser)) co_return unread;
        auto [error, size] = co_await http::async_read(session.stream, buffer, parser, no_throw);
        co_return error;
    }

    // Drains what a refused peer still sends. If closed at once, the peer would see a reset instead of the answer.
    asio::awaitable<void> drain(Session<Protocol>& session) {
        std::array<char, 16 * 1024> dropped;  // NOLINT(cppcoreguidelines-pro-type-member-init): a read buffer
        session.stream.expires_after(drain_deadline);
        for (error_code ended; !ended;) {
            auto [error, size] = co_await session.stream.async_read_some(asio::buffer(dropped), no_throw);
            ended = error;
        }
    }

    // To HEAD without the body, and with its length all the same.
    asio::awaitable<void> answer(Session<Protocol>& session, Response response, bool head = false) {
        http::response<http::string_body> message{static_cast<http::status>(response.status), 11};
        message.set(http::field::content_type, response.content_type);
        if (!response.read_from.empty()) message.set(read_from_field, response.read_from);
        if (!response.allow.empty()) message.set(http::field::allow, response.allow);
        message.keep_alive(false);
        message.body() = std::move(response.body);
        message.prepare_payload();
        if (head) message.body().clear();
        const std::size_t size = message.body().size();
        http::response_serializer<http::string_body> serializer(message);
        std::size_t sent = 0;
        error_code error;
        // A large answer may take long, but not without progress.
        const auto last = std::chrono::steady_clock::now() + max_answer_time;
        while (!error && !serializer.is_done()) {
            session.stream.expires_at(std::min(std::chrono::steady_clock::now() + options_.read_deadline, last));
            const auto [failed, some] = co_await http::async_write_some(session.stream, serializer, no_throw);
            error = failed;
            sent += some;
        }
        // A peer that disconnected gets no answer. The act is done.
        if (error == beast::error::timeout) {
            context_.program.log(
                Program::LogLevel::warning,
                fmt::format("an answer of {} bytes to {} was cut off after {}: it was not read in time", size,
                            session.peer.actor, sent));
        }
        error_code ignored;
        session.stream.socket().shutdown(asio::socket_base::shutdown_send, ignored);
    }

    asio::any_io_executor executor_;
    AdminContext& context_;
    ServerOptions options_;
    asio::steady_timer ended_;  // wakes serve() when a session has ended
    UserNames names_;
    std::list<Session<Protocol>> sessions_;
    std::exception_ptr failure_;
    bool stopping_ = false;
};

class SocketServer final : public HttpServer<Local> {
  public:
    using HttpServer::HttpServer;
    SocketServer(const SocketServer&) = delete;
    SocketServer& operator=(const SocketServer&) = delete;
    ~SocketServer() override {
        if (bound_) ::unlink(options().socket.c_str());
    }

    [[nodiscard]] Result<void> bind() {
        const auto& path = options().socket;
        const auto refuse = [&](const std::string& why) {
            return fail(ErrorCode::unavailable, path.string() + ": cannot listen here: " + why);
        };
        struct stat found{};
        if (::lstat(path.c_str(), &found) == 0) {
            if (!S_ISSOCK(found.st_mode)) return refuse("a file that is not a socket exists there: remove it");
            ::unlink(path.c_str());
        }
        error_code error;
        acceptor_.open(Local(), error);
        if (!error) acceptor_.bind(Local::endpoint(path.string()), error);
        if (error) return refuse(error.message());
        bound_ = true;
        // Any local user may connect. Each request is authorized by the caller's uid and groups.
        if (::chmod(path.c_str(), 0666) != 0) return refuse(std::generic_category().message(errno));
        acceptor_.listen(asio::socket_base::max_listen_connections, error);
        if (error) return refuse(error.message());
        return {};
    }

  private:
    bool bound_ = false;
};

class MonitoringServer final : public HttpServer<Tcp> {
  public:
    using HttpServer::HttpServer;

    [[nodiscard]] Result<void> bind(const std::string& address, std::uint16_t port) {
        error_code error;
        const auto parsed = asio::ip::make_address(address, error);
        const Tcp::endpoint endpoint(parsed, port);
        if (!error && !parsed.is_loopback()) error = asio::error::access_denied;
        if (!error) acceptor_.open(endpoint.protocol(), error);
        if (!error) acceptor_.set_option(asio::socket_base::reuse_address(true), error);
        if (!error) acceptor_.bind(endpoint, error);
        if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
        if (!error) return {};
        return fail(ErrorCode::unavailable, "metrics.listen: cannot listen on " + address + " port " +
                                                std::to_string(port) + ": " + error.message());
    }
    [[nodiscard]] std::uint16_t port() const override {
        error_code ignored;
        return acceptor_.local_endpoint(ignored).port();
    }
};

}  // namespace

Result<std::unique_ptr<Server>> Server::listen(asio::any_io_executor executor, AdminContext& context,
                                               ServerOptions options) {
    auto server = std::make_unique<SocketServer>(std::move(executor), context, std::move(options));
    if (auto bound = server->bind(); !bound) return std::unexpected(bound.error());
    return server;
}

Result<std::unique_ptr<Server>> Server::listen_for_monitoring(asio::any_io_executor executor, AdminContext& context,
                                                              const std::string& address, std::uint16_t port,
                                                              ServerOptions options) {
    auto server = std::make_unique<MonitoringServer>(std::move(executor), context, std::move(options));
    if (auto bound = server->bind(address, port); !bound) return std::unexpected(bound.error());
    return server;
}

}  // namespace drawbridge::admin
