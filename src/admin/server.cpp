#include "drawbridge/admin/server.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <exception>
#include <list>
#include <optional>
#include <system_error>
#include <utility>

#include "drawbridge/admin/identity.hpp"

namespace drawbridge::admin {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
using Protocol = asio::local::stream_protocol;
using Stream = beast::basic_stream<Protocol>;
using boost::system::error_code;

constexpr auto no_throw = asio::as_tuple(asio::use_awaitable);

std::optional<std::string> peer(Protocol::socket& socket) {
    ucred credentials{};
    socklen_t size = sizeof credentials;
    if (getsockopt(socket.native_handle(), SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return std::nullopt;
    return describe_user(credentials.uid);
}

std::string error_body(std::string_view code, std::string_view message) {
    return R"({"error":{"code":")" + std::string(code) + R"(","message":")" + std::string(message) + R"("}})";
}

// What to answer to a request that could not be read; nullopt: nothing, the peer is gone or was too slow.
std::optional<Response> refusal(const error_code& error) {
    if (error == http::error::body_limit) {
        return Response{413, error_body("invalid_input", "the request's body is too large")};
    }
    if (error.category() == http::make_error_code(http::error::end_of_stream).category() &&
        error != http::error::end_of_stream && error != http::error::partial_message) {
        return Response{400, error_body("invalid_input", "this is no HTTP request")};
    }
    return std::nullopt;
}

struct Session {
    explicit Session(Protocol::socket socket, std::string who) : stream(std::move(socket)), actor(std::move(who)) {}
    Stream stream;
    std::string actor;
    bool handling = false;  // a whole request is in hand: it gets its answer
};

class SocketServer final : public Server {
  public:
    SocketServer(asio::any_io_executor executor, AdminContext& context, ServerOptions options)
        : executor_(std::move(executor)),
          context_(context),
          options_(std::move(options)),
          acceptor_(executor_),
          ended_(executor_) {}
    SocketServer(const SocketServer&) = delete;
    SocketServer& operator=(const SocketServer&) = delete;
    ~SocketServer() override {
        if (bound_) ::unlink(options_.socket.c_str());
    }

    [[nodiscard]] Result<void> bind() {
        const auto refuse = [&](const std::string& why) {
            return fail(ErrorCode::unavailable, options_.socket.string() + ": cannot listen here: " + why);
        };
        struct stat found{};
        if (::lstat(options_.socket.c_str(), &found) == 0) {
            if (!S_ISSOCK(found.st_mode)) return refuse("a file that is no socket is in the way");
            ::unlink(options_.socket.c_str());
        }
        error_code error;
        acceptor_.open(Protocol(), error);
        if (!error) acceptor_.bind(Protocol::endpoint(options_.socket.string()), error);
        if (error) return refuse(error.message());
        bound_ = true;
        // Before listen(): nobody can connect while the mode is still the process's default.
        if (::chmod(options_.socket.c_str(), 0660) != 0) return refuse(std::generic_category().message(errno));
        acceptor_.listen(asio::socket_base::max_listen_connections, error);
        if (error) return refuse(error.message());
        return {};
    }

    [[nodiscard]] asio::awaitable<void> serve() override {
        while (!stopping_) {
            auto [error, socket] = co_await acceptor_.async_accept(no_throw);
            if (error) {
                if (!stopping_) co_await pause();  // out of descriptors, for instance
                continue;
            }
            if (sessions_.size() < options_.max_connections) start(std::move(socket));
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

  private:
    asio::awaitable<void> pause() {
        ended_.expires_after(std::chrono::milliseconds(100));
        co_await ended_.async_wait(no_throw);
    }

    void start(Protocol::socket socket) {
        auto who = peer(socket);
        if (!who) return;
        const auto session = sessions_.emplace(sessions_.end(), std::move(socket), std::move(*who));
        asio::co_spawn(executor_, converse(*session), [this, session](const std::exception_ptr& failure) {
            sessions_.erase(session);
            if (failure) {
                failure_ = failure;
                stop();
            }
            ended_.cancel();
        });
    }

    asio::awaitable<void> converse(Session& session) {
        beast::flat_buffer buffer;
        http::request_parser<http::string_body> parser;
        parser.body_limit(options_.max_body_bytes);
        session.stream.expires_after(options_.read_deadline);
        auto [error, size] = co_await http::async_read(session.stream, buffer, parser, no_throw);
        if (error) {
            auto refused = refusal(error);
            if (refused) co_await answer(session, std::move(*refused));
            co_return;
        }
        session.handling = true;
        session.stream.expires_never();  // the pay stage takes the time that it takes
        const auto& message = parser.get();
        Request request;
        request.method = std::string(message.method_string());
        request.target = std::string(message.target());
        request.body = message.body();
        request.actor = session.actor;
        auto response = co_await handle(context_, std::move(request));
        co_await answer(session, std::move(response));
    }

    asio::awaitable<void> answer(Session& session, Response response) {
        http::response<http::string_body> message{static_cast<http::status>(response.status), 11};
        message.set(http::field::content_type, "application/json");
        message.keep_alive(false);
        message.body() = std::move(response.body);
        message.prepare_payload();
        session.stream.expires_after(options_.read_deadline);
        // A peer that left in the meantime gets no answer; the act stands.
        static_cast<void>(co_await http::async_write(session.stream, message, no_throw));
        error_code ignored;
        session.stream.socket().shutdown(Protocol::socket::shutdown_both, ignored);
    }

    asio::any_io_executor executor_;
    AdminContext& context_;
    ServerOptions options_;
    Protocol::acceptor acceptor_;
    asio::steady_timer ended_;  // wakes serve() when a session has ended
    std::list<Session> sessions_;
    std::exception_ptr failure_;
    bool bound_ = false;
    bool stopping_ = false;
};

}  // namespace

Result<std::unique_ptr<Server>> Server::listen(asio::any_io_executor executor, AdminContext& context,
                                               ServerOptions options) {
    auto server = std::make_unique<SocketServer>(std::move(executor), context, std::move(options));
    if (auto bound = server->bind(); !bound) return std::unexpected(bound.error());
    return server;
}

}  // namespace drawbridge::admin
