// Asks the daemon over its socket for consoles, in the name of a session.
//
// It decides nothing: what a session may do is the daemon's affair. A request whose outcome is unknown is never
// repeated.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <list>
#include <nlohmann/json.hpp>
#include <string>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::console {

namespace asio = boost::asio;

struct DaemonRequest {
    std::string token;  // of the session; empty: none
    std::string method = "GET";
    std::string target;
    std::string body = {};
};

struct DaemonAnswer {
    int status = 0;
    std::string content_type;
    std::string body;

    [[nodiscard]] bool ok() const { return status >= 200 && status < 300; }
    // Of the body; null: it is none.
    [[nodiscard]] nlohmann::json json() const;
};

class DaemonClient {
  public:
    // At most so many requests at a time; others wait for their turn.
    DaemonClient(asio::any_io_executor executor, std::filesystem::path socket, std::size_t max_requests);
    DaemonClient(const DaemonClient&) = delete;
    DaemonClient& operator=(const DaemonClient&) = delete;

    // Errors: unavailable: nobody listens there; timeout: no answer in time, or no turn; protocol: it is no HTTP.
    [[nodiscard]] asio::awaitable<Result<DaemonAnswer>> ask(DaemonRequest request);

  private:
    [[nodiscard]] asio::awaitable<Result<DaemonAnswer>> exchange(DaemonRequest request);

    asio::any_io_executor executor_;
    std::filesystem::path socket_;
    std::size_t free_;
    std::list<asio::steady_timer*> waiting_;  // for their turn, the first one first
};

}  // namespace drawbridge::console
