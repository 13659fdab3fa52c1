#include "drawbridge/console/daemon_client.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <utility>

#include "drawbridge/api/request_head.hpp"
#include "drawbridge/text/json.hpp"

namespace drawbridge::console {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
using Local = asio::local::stream_protocol;
using boost::system::error_code;

constexpr auto as_values = asio::as_tuple(asio::use_awaitable);
constexpr std::chrono::seconds turn_deadline{10}, reading_deadline{60};
// A release reads every draw of its file from the service.
constexpr std::chrono::minutes acting_deadline{10};
constexpr std::uint64_t max_answer_bytes = std::uint64_t{64} << 20;

std::unexpected<Error> failed(const error_code& error) {
    if (error == beast::error::timeout) return fail(ErrorCode::timeout, "the daemon does not answer in time");
    if (error.category() == http::make_error_code(http::error::end_of_stream).category())
        return fail(ErrorCode::protocol, "the daemon's answer cannot be read: " + error.message());
    return fail(ErrorCode::unavailable, "the daemon does not answer: " + error.message());
}

http::request<http::string_body> message_of(DaemonRequest request) {
    http::request<http::string_body> message;
    message.method_string(request.method);
    message.target(request.target);
    message.version(11);
    message.set(http::field::host, "drawbridge");
    if (!request.token.empty()) message.set(http::field::authorization, "Session " + request.token);
    if (request.by_itself) message.set(api::by_itself_field, "1");
    message.keep_alive(false);
    message.body() = std::move(request.body);
    message.prepare_payload();
    return message;
}

}  // namespace

nlohmann::json DaemonAnswer::json() const {
    auto parsed = text::parse_json(body);
    return parsed ? std::move(*parsed) : nlohmann::json(nullptr);
}

DaemonClient::DaemonClient(asio::any_io_executor executor, std::filesystem::path socket, std::size_t max_requests)
    : executor_(std::move(executor)), socket_(std::move(socket)), free_(max_requests) {}

asio::awaitable<Result<DaemonAnswer>> DaemonClient::ask(DaemonRequest request) {
    const auto deadline = std::chrono::steady_clock::now() + turn_deadline;
    while (free_ == 0) {
        if (std::chrono::steady_clock::now() >= deadline) co_return fail(ErrorCode::timeout, "too many ask at once");
        asio::steady_timer turn(executor_, deadline);
        const auto place = waiting_.insert(waiting_.end(), &turn);
        static_cast<void>(co_await turn.async_wait(as_values));
        waiting_.erase(place);
    }
    --free_;
    auto answer = co_await exchange(std::move(request));
    ++free_;
    if (!waiting_.empty()) waiting_.front()->cancel();
    co_return answer;
}

asio::awaitable<Result<DaemonAnswer>> DaemonClient::exchange(DaemonRequest request) {
    beast::basic_stream<Local> stream(executor_);
    const bool is_reading = request.method == "GET";
    stream.expires_after(is_reading ? std::chrono::steady_clock::duration(reading_deadline) : acting_deadline);
    const Local::endpoint endpoint(socket_.string());
    auto [refused] = co_await stream.async_connect(endpoint, as_values);
    if (refused) co_return failed(refused);
    auto message = message_of(std::move(request));
    auto [unsent, sent] = co_await http::async_write(stream, message, as_values);
    if (unsent) co_return failed(unsent);
    beast::flat_buffer buffer;
    http::response_parser<http::string_body> parser;
    parser.body_limit(max_answer_bytes);
    auto [unread, read] = co_await http::async_read(stream, buffer, parser, as_values);
    if (unread) co_return failed(unread);
    auto& response = parser.get();
    DaemonAnswer answer;
    answer.status = static_cast<int>(response.result_int());
    answer.content_type = std::string(response[http::field::content_type]);
    answer.body = std::move(response.body());
    co_return answer;
}

}  // namespace drawbridge::console
