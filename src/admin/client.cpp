#include "drawbridge/admin/client.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <exception>
#include <utility>

#include "drawbridge/admin/server.hpp"

namespace drawbridge::admin {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
using Protocol = asio::local::stream_protocol;
using Stream = beast::basic_stream<Protocol>;
using boost::system::error_code;
using Outcome = Result<std::optional<Response>>;

constexpr auto no_throw = asio::as_tuple(asio::use_awaitable);
// Large enough for a list of ten thousand draws or a long timeline.
constexpr std::uint64_t max_answer_bytes = std::uint64_t{256} << 20;

Outcome broken(const std::filesystem::path& socket, const error_code& error) {
    if (error == beast::error::timeout) {
        return fail(ErrorCode::timeout, socket.string() + ": the daemon does not answer in time: check its journal");
    }
    return fail(ErrorCode::unavailable, socket.string() + ": the daemon closed the connection: " + error.message());
}

asio::awaitable<Outcome> exchange(std::filesystem::path socket, Request request, std::chrono::milliseconds deadline) {
    Stream stream(co_await asio::this_coro::executor);
    stream.expires_after(deadline);
    const Protocol::endpoint endpoint(socket.string());
    auto [refused] = co_await stream.async_connect(endpoint, no_throw);
    if (refused == boost::system::errc::no_such_file_or_directory || refused == asio::error::connection_refused) {
        co_return Outcome(std::nullopt);
    }
    if (refused == boost::system::errc::permission_denied) {
        co_return fail(
            ErrorCode::forbidden,
            socket.string() +
                ": no permission to reach the daemon: every folder above its socket must be accessible (chmod o+x)");
    }
    if (refused) co_return broken(socket, refused);
    http::request<http::string_body> message;
    message.method_string(request.method);
    message.target(request.target);
    message.version(11);
    message.set(http::field::host, "drawbridge");
    message.keep_alive(false);
    message.body() = std::move(request.body);
    message.prepare_payload();
    auto [unsent, sent] = co_await http::async_write(stream, message, no_throw);
    if (unsent) co_return broken(socket, unsent);
    beast::flat_buffer buffer;
    http::response_parser<http::string_body> parser;
    parser.body_limit(max_answer_bytes);
    auto [unread, read] = co_await http::async_read(stream, buffer, parser, no_throw);
    if (unread) co_return broken(socket, unread);
    Response response;
    response.status = static_cast<int>(parser.get().result_int());
    response.body = std::move(parser.get().body());
    response.read_from = std::string(parser.get()[read_from_field]);
    co_return Outcome(std::move(response));
}

}  // namespace

Result<std::optional<Response>> call(const std::filesystem::path& socket, const Request& request,
                                     std::chrono::milliseconds deadline) {
    if (socket.native().size() >= sizeof(sockaddr_un::sun_path)) {
        return fail(ErrorCode::invalid_input, socket.string() + ": the path is too long for a socket");
    }
    asio::io_context io(1);
    Outcome outcome = std::optional<Response>();
    std::exception_ptr failure;
    asio::co_spawn(io, exchange(socket, request, deadline), [&](const std::exception_ptr& thrown, Outcome result) {
        failure = thrown;
        outcome = std::move(result);
    });
    io.run();
    if (failure) std::rethrow_exception(failure);
    return outcome;
}

}  // namespace drawbridge::admin
