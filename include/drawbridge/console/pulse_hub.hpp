// Asks the daemon once a second what changed, and sends the answer to every open tab.
//
// A pulse does not extend a session. The sessions' tokens take turns in asking, so that the hub notices when a session
// has ended, and ends its streams.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <utility>

#include "drawbridge/console/daemon_client.hpp"
#include "drawbridge/console/web.hpp"

namespace drawbridge::console {

class PulseHub {
  public:
    PulseHub(asio::any_io_executor executor, DaemonClient& daemon, std::size_t max_streams_per_session,
             std::chrono::milliseconds interval = std::chrono::seconds(1));
    PulseHub(const PulseHub&) = delete;
    PulseHub& operator=(const PulseHub&) = delete;

    // Asks while there are listeners; runs until stop().
    [[nodiscard]] asio::awaitable<void> serve();
    void stop();

    // A stream of server-sent events: "pulse" with the answer of GET /pulse, "away" while the daemon does not answer,
    // "over" when the session has ended. nullptr: this session has the maximum number of streams. The hub must outlive
    // the stream.
    [[nodiscard]] std::shared_ptr<BodyStream> listen(const std::string& token);
    // Called with the token of a session that has ended.
    void when_over(std::function<void(const std::string&)> use) { when_over_ = std::move(use); }

  private:
    class Stream;
    struct Listener;

    [[nodiscard]] asio::awaitable<void> ask();
    void tell(std::string event);
    void tell_over(const std::string& token);

    asio::any_io_executor executor_;
    DaemonClient& daemon_;
    std::size_t max_per_session_;
    std::chrono::milliseconds interval_;
    asio::steady_timer timer_;
    std::list<Listener*> listeners_;
    std::function<void(const std::string&)> when_over_ = [](const std::string&) {};
    std::string newest_;        // the newest event
    std::uint64_t number_ = 0;  // of the newest event
    std::string last_asked_;    // the token of the last request
    bool is_stopping_ = false;
};

}  // namespace drawbridge::console
