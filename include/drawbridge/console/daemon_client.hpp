// Sends requests to the daemon's socket for consoles, in the name of a session.
//
// It decides nothing: the daemon decides what a session may do. It never repeats a request whose outcome is unknown.
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
    bool by_itself = false;  // no use of the session
};

struct DaemonAnswer {
    int status = 0;
    std::string content_type;
    std::string body;

    [[nodiscard]] bool ok() const { return status >= 200 && status < 300; }
    // The body as JSON; null: it is not JSON.
    [[nodiscard]] nlohmann::json json() const;
};

class DaemonClient {
  public:
    // `max_requests`: at the same time; others wait for their turn.
    DaemonClient(asio::any_io_executor executor, std::filesystem::path socket, std::size_t max_requests);
    DaemonClient(const DaemonClient&) = delete;
    DaemonClient& operator=(const DaemonClient&) = delete;

    // Errors: unavailable: nothing listens there; timeout: no answer in time, or no turn; protocol: the answer is not
    // HTTP.
    [[nodiscard]] asio::awaitable<Result<DaemonAnswer>> ask(DaemonRequest request);

  private:
    [[nodiscard]] asio::awaitable<Result<DaemonAnswer>> exchange(DaemonRequest request);

    asio::any_io_executor executor_;
    std::filesystem::path socket_;
    std::size_t free_;
    std::list<asio::steady_timer*> waiting_;  // first come, first served
};

}  // namespace drawbridge::console
