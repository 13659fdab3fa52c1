// Connects a TCP socket to a host name, within a deadline that includes name resolution.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <expected>
#include <string>
#include <vector>

#include "http.hpp"
#include "steady_time.hpp"

namespace drawbridge::service {

// Completes with the error code as a value instead of throwing it.
constexpr auto as_result = boost::asio::as_tuple(boost::asio::use_awaitable);

struct Address {
    std::string host;
    std::string port;
    bool loopback_only = false;  // refuse to connect to any other machine
};

[[nodiscard]] boost::asio::awaitable<std::expected<boost::asio::ip::tcp::socket, HttpFailure>> dial(
    boost::asio::any_io_executor executor, Address address, SteadyTime deadline);

// Tries the addresses of a host in turn. Each gets its share of the time that is left, so that one that does not answer
// leaves time for the others.
[[nodiscard]] boost::asio::awaitable<std::expected<boost::asio::ip::tcp::socket, HttpFailure>> connect_to_one(
    boost::asio::any_io_executor executor, Address address, std::vector<boost::asio::ip::tcp::endpoint> endpoints,
    SteadyTime deadline);

// The failure of a step before a request is sent. `what` reads "cannot connect to HOST".
[[nodiscard]] HttpFailure unsent_failure(const std::string& what, const boost::system::error_code& error, bool expired);

}  // namespace drawbridge::service
