#include "dial.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/this_coro.hpp>
#include <optional>
#include <utility>

namespace drawbridge::service {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using Connected = std::expected<tcp::socket, HttpFailure>;

// An address whose host drops what it gets: its queue of connections is full.
class Silent {
  public:
    explicit Silent(asio::io_context& io) : acceptor_(io, {asio::ip::make_address("127.0.0.1"), 0}), waiting_(io) {
        acceptor_.listen(0);
        boost::system::error_code ignored;
        waiting_.connect(acceptor_.local_endpoint(), ignored);
    }
    [[nodiscard]] tcp::endpoint endpoint() const { return acceptor_.local_endpoint(); }

  private:
    tcp::acceptor acceptor_;
    tcp::socket waiting_;
};

asio::awaitable<void> connect_into(std::optional<Connected>& result, std::vector<tcp::endpoint> endpoints) {
    Address address{.host = "draws.example.gov", .port = "443"};
    result = co_await connect_to_one(co_await asio::this_coro::executor, std::move(address), std::move(endpoints),
                                     SteadyClock::now() + milliseconds(600));
}

Connected connect(asio::io_context& io, std::vector<tcp::endpoint> endpoints) {
    std::optional<Connected> result;
    asio::co_spawn(io, connect_into(result, std::move(endpoints)), [](const std::exception_ptr&) {});
    io.restart();
    io.run();
    return std::move(result.value());
}

TEST(Dial, an_address_that_does_not_answer_leaves_time_for_the_next) {
    asio::io_context io;
    const Silent silent(io);
    tcp::acceptor there(io, {asio::ip::make_address("127.0.0.1"), 0});
    const auto connected = connect(io, {silent.endpoint(), there.local_endpoint()});
    ASSERT_TRUE(connected) << connected.error().error.message;
    EXPECT_EQ(connected->remote_endpoint(), there.local_endpoint());
}

TEST(Dial, the_error_names_the_address) {
    asio::io_context io;
    const Silent silent(io);
    const auto connected = connect(io, {silent.endpoint()});
    ASSERT_FALSE(connected);
    EXPECT_EQ(connected.error().error.message,
              "cannot connect to draws.example.gov (127.0.0.1) port 443: the deadline passed");
}

}  // namespace
}  // namespace drawbridge::service
