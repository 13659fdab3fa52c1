// One question a second to the daemon, for every tab that is open: what changed, told to all who listen.
//
// A pulse prolongs no session. Each second another session's token asks, so that a session which is over is noticed and
// its streams end.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <string>

#include "drawbridge/console/daemon_client.hpp"
#include "drawbridge/console/web.hpp"

namespace drawbridge::console {

class PulseHub {
  public:
    PulseHub(asio::any_io_executor executor, DaemonClient& daemon, std::size_t max_streams_per_session,
             std::chrono::milliseconds interval = std::chrono::seconds(1));
    PulseHub(const PulseHub&) = delete;
    PulseHub& operator=(const PulseHub&) = delete;

    // Asks while somebody listens; until stop().
    [[nodiscard]] asio::awaitable<void> serve();
    void stop();

    // A stream of server-sent events: "pulse" with what GET /pulse answers, "away" while the daemon does not, "over"
    // when the session is. nullptr: this session has enough of them. The hub outlives it.
    [[nodiscard]] std::shared_ptr<BodyStream> listen(const std::string& token);
    [[nodiscard]] std::size_t listeners() const { return listeners_.size(); }

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
    std::string newest_;        // the newest event
    std::uint64_t number_ = 0;  // of it
    std::string last_asked_;    // whose token asked last
    bool is_stopping_ = false;
};

}  // namespace drawbridge::console
