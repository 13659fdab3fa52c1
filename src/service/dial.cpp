#include "dial.hpp"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <charconv>
#include <chrono>
#include <memory>
#include <vector>

#include "deadline.hpp"
#include "drawbridge/domain/late_bytes.hpp"

namespace drawbridge::service {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using Endpoints = std::vector<tcp::endpoint>;

// A running getaddrinfo cannot be canceled, so nobody waits for it directly: it reports here, and the caller may be
// gone by then.
struct Resolution {
    explicit Resolution(const asio::any_io_executor& executor)
        : resolver(executor), wake(executor, asio::steady_timer::time_point::max()) {}
    tcp::resolver resolver;
    asio::steady_timer wake;
    bool done = false;
    boost::system::error_code error = asio::error::operation_aborted;
    Endpoints endpoints;
};

asio::awaitable<std::expected<Endpoints, HttpFailure>> resolve(asio::any_io_executor executor, Address address,
                                                               SteadyTime moment) {
    boost::system::error_code not_literal;
    const auto literal = asio::ip::make_address(address.host, not_literal);
    unsigned short port = 0;
    std::from_chars(address.port.data(), address.port.data() + address.port.size(), port);
    if (!not_literal) co_return Endpoints{tcp::endpoint(literal, port)};

    auto resolving = std::make_shared<Resolution>(executor);
    resolving->resolver.async_resolve(
        address.host, address.port, tcp::resolver::numeric_service,
        [resolving](const boost::system::error_code& error, const tcp::resolver::results_type& results) {
            resolving->done = true;
            resolving->error = error;
            for (const auto& result : results)
                resolving->endpoints.push_back(result.endpoint());
            resolving->wake.cancel();
        });
    const Deadline deadline(executor, moment, [resolving] { resolving->wake.cancel(); });
    if (!resolving->done) co_await resolving->wake.async_wait(as_result);
    if (!resolving->done || resolving->error) {
        co_return std::unexpected(
            unsent_failure("the name " + address.host + " cannot be resolved", resolving->error, deadline.expired()));
    }
    co_return std::move(resolving->endpoints);
}

}  // namespace

HttpFailure unsent_failure(const std::string& what, const boost::system::error_code& error, bool expired) {
    HttpFailure failure{.error = {ErrorCode::unavailable, what + ": " + error.message()}};
    if (expired) {
        failure.error = {ErrorCode::timeout, what + ": the deadline passed"};
    } else if (error == asio::error::operation_aborted) {
        failure.error = {ErrorCode::cancelled, what + ": stopped"};
        failure.transient = false;
    }
    return failure;
}

asio::awaitable<std::expected<tcp::socket, HttpFailure>> connect_to_one(asio::any_io_executor executor, Address address,
                                                                        Endpoints endpoints, SteadyTime moment) {
    for (std::size_t i = 0;; ++i) {
        const auto left = static_cast<int>(endpoints.size() - i);
        const SteadyTime now = SteadyClock::now();
        tcp::socket socket(executor);
        const Deadline deadline(executor, now + (moment - now) / left, [&socket] {
            boost::system::error_code ignored;
            socket.close(ignored);
        });
        const auto [error] = co_await socket.async_connect(endpoints[i], as_result);
        if (!error && !deadline.expired()) co_return std::move(socket);
        const std::string ip = endpoints[i].address().to_string();
        HttpFailure failure = unsent_failure(
            "cannot connect to " + address.host + (ip == address.host ? "" : " (" + ip + ")") + " port " + address.port,
            error, deadline.expired());
        if (left == 1 || failure.error.code == ErrorCode::cancelled) co_return std::unexpected(std::move(failure));
    }
}

asio::awaitable<std::expected<tcp::socket, HttpFailure>> dial(asio::any_io_executor executor, Address address,
                                                              SteadyTime moment) {
    auto endpoints = co_await resolve(executor, address, moment);
    if (!endpoints) co_return std::unexpected(std::move(endpoints.error()));
    if (address.loopback_only) {
        std::erase_if(*endpoints, [](const tcp::endpoint& endpoint) { return !endpoint.address().is_loopback(); });
        if (endpoints->empty()) {
            HttpFailure failure{.error = {ErrorCode::unavailable, address.host + " is another machine, and plain http "
                                                                                 "is not allowed to it: use https"},
                                .transient = false};
            co_return std::unexpected(std::move(failure));
        }
    }
    auto connected = co_await connect_to_one(executor, std::move(address), std::move(*endpoints), moment);
    if (!connected) co_return std::unexpected(std::move(connected.error()));
    tcp::socket socket = std::move(*connected);
    boost::system::error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    const auto late_ms = static_cast<int>(std::chrono::milliseconds(late_bytes).count());
    ::setsockopt(socket.native_handle(), IPPROTO_TCP, TCP_USER_TIMEOUT, &late_ms, sizeof late_ms);
    co_return std::move(socket);
}

}  // namespace drawbridge::service
