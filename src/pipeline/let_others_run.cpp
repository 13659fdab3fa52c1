#include "drawbridge/pipeline/let_others_run.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <deque>

namespace drawbridge::pipeline {
namespace {

namespace asio = boost::asio;

// The works of one event loop that wait for their next part.
class Waiting : public asio::execution_context::service {
  public:
    inline static asio::execution_context::id id;
    explicit Waiting(asio::execution_context& context) : service(context) {}

    // Canceling its timer lets a work go on.
    void add(asio::steady_timer& work) {
        works_.push_back(&work);
        if (is_passing_) return;
        is_passing_ = true;
        pass(work.get_executor(), turns_between_parts);
    }
    void remove(asio::steady_timer& work) { std::erase(works_, &work); }

  private:
    static constexpr int turns_between_parts = 4;

    void shutdown() noexcept override { works_.clear(); }

    void pass(const asio::any_io_executor& executor, int turns) {
        asio::post(executor, [this, executor, turns] {
            if (turns > 1) return pass(executor, turns - 1);
            is_passing_ = !works_.empty();
            if (!is_passing_) return;
            works_.front()->cancel();
            works_.pop_front();
            pass(executor, turns_between_parts);
        });
    }

    std::deque<asio::steady_timer*> works_;
    bool is_passing_ = false;
};

}  // namespace

asio::awaitable<void> let_others_run() {
    const auto executor = co_await asio::this_coro::executor;
    auto& waiting = asio::use_service<Waiting>(asio::query(executor, asio::execution::context));
    asio::steady_timer part(executor, asio::steady_timer::time_point::max());
    struct Place {
        Waiting& in;
        asio::steady_timer& of;
        ~Place() { in.remove(of); }
    } const place{waiting, part};
    waiting.add(part);
    boost::system::error_code canceled;
    co_await part.async_wait(asio::redirect_error(asio::use_awaitable, canceled));
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none)
        throw boost::system::system_error(asio::error::operation_aborted);
}

}  // namespace drawbridge::pipeline
