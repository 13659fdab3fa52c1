#include "drawbridge/console/pulse_hub.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

namespace drawbridge::console {
namespace {

constexpr auto quietly = asio::as_tuple(asio::use_awaitable);
// A line without a meaning, so that both sides notice when the other is gone.
constexpr std::chrono::seconds sign_of_life{15};

}  // namespace

struct PulseHub::Listener {
    std::string token;
    asio::steady_timer wake;
    bool is_over = false;
};

class PulseHub::Stream final : public BodyStream {
  public:
    Stream(PulseHub& hub, std::string token)
        : hub_(hub), listener_{std::move(token), asio::steady_timer(hub.executor_)} {
        place_ = hub_.listeners_.insert(hub_.listeners_.end(), &listener_);
        hub_.timer_.cancel();
    }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream() override { hub_.listeners_.erase(place_); }

    [[nodiscard]] asio::awaitable<Result<std::optional<std::string>>> next() override {
        std::optional<std::string> event;
        if (is_ended_ || hub_.is_stopping_) co_return event;
        if (!has_news() && !listener_.is_over) {
            listener_.wake.expires_after(sign_of_life);
            static_cast<void>(co_await listener_.wake.async_wait(quietly));
        }
        if (hub_.is_stopping_) co_return event;
        if (listener_.is_over) {
            is_ended_ = true;
            event = "event: over\ndata: {}\n\n";
        } else if (!has_news()) {
            event = ": \n\n";
        } else {
            seen_ = hub_.number_;
            event = hub_.newest_;
        }
        co_return event;
    }

    [[nodiscard]] bool waits_for_news() const override { return true; }

  private:
    [[nodiscard]] bool has_news() const { return seen_ != hub_.number_ && !hub_.newest_.empty(); }

    PulseHub& hub_;
    Listener listener_;
    std::list<Listener*>::iterator place_;
    std::uint64_t seen_ = 0;
    bool is_ended_ = false;
};

PulseHub::PulseHub(asio::any_io_executor executor, DaemonClient& daemon, std::size_t max_streams_per_session,
                   std::chrono::milliseconds interval)
    : executor_(std::move(executor)),
      daemon_(daemon),
      max_per_session_(max_streams_per_session),
      interval_(interval),
      timer_(executor_) {}

std::shared_ptr<BodyStream> PulseHub::listen(const std::string& token) {
    const auto same = std::ranges::count(listeners_, token, [](const Listener* one) { return one->token; });
    if (static_cast<std::size_t>(same) >= max_per_session_) return nullptr;
    return std::make_shared<Stream>(*this, token);
}

asio::awaitable<void> PulseHub::serve() {
    while (!is_stopping_) {
        if (listeners_.empty()) {
            newest_.clear();
            timer_.expires_at(asio::steady_timer::time_point::max());
        } else {
            co_await ask();
            if (is_stopping_) break;
            timer_.expires_after(interval_);
        }
        static_cast<void>(co_await timer_.async_wait(quietly));
    }
}

void PulseHub::stop() {
    is_stopping_ = true;
    timer_.cancel();
    for (auto* listener : listeners_)
        listener->wake.cancel();
}

// The next session in the order of their tokens, so that each has its turn.
asio::awaitable<void> PulseHub::ask() {
    if (listeners_.empty()) co_return;
    std::string token, first;
    for (const auto* listener : listeners_) {
        if (listener->is_over) continue;
        if (first.empty() || listener->token < first) first = listener->token;
        if (listener->token > last_asked_ && (token.empty() || listener->token < token)) token = listener->token;
    }
    if (token.empty()) token = first;
    if (token.empty()) co_return;
    last_asked_ = token;
    DaemonRequest request{token, "GET", "/pulse"};
    const auto answer = co_await daemon_.ask(std::move(request));
    if (!answer) {
        tell("event: away\ndata: {}\n\n");
    } else if (answer->status == 401) {
        tell_over(token);
    } else if (answer->ok() && answer->body.find('\n') == std::string::npos) {
        tell("event: pulse\ndata: " + answer->body + "\n\n");
    }
}

void PulseHub::tell(std::string event) {
    if (event == newest_) return;
    newest_ = std::move(event);
    ++number_;
    for (auto* listener : listeners_)
        listener->wake.cancel();
}

void PulseHub::tell_over(const std::string& token) {
    when_over_(token);
    for (auto* listener : listeners_) {
        if (listener->token != token) continue;
        listener->is_over = true;
        listener->wake.cancel();
    }
}

}  // namespace drawbridge::console
