#include "drawbridge/pipeline/let_others_run.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <chrono>
#include <deque>

namespace drawbridge::pipeline {
namespace {

namespace asio = boost::asio;

// The tasks of one event loop that wait to continue.
class Waiting : public asio::execution_context::service {
  public:
    inline static asio::execution_context::id id;
    explicit Waiting(asio::execution_context& context) : service(context) {}

    // A task continues when its timer is canceled.
    void add(asio::steady_timer& task) {
        tasks_.push_back(&task);
        if (is_passing_) return;
        is_passing_ = true;
        pass(task.get_executor(), turns_between_parts);
    }
    void remove(asio::steady_timer& task) { std::erase(tasks_, &task); }

  private:
    static constexpr int turns_between_parts = 4;

    void shutdown() noexcept override { tasks_.clear(); }

    void pass(const asio::any_io_executor& executor, int turns) {
        asio::post(executor, [this, executor, turns] {
            if (turns > 1) return pass(executor, turns - 1);
            is_passing_ = !tasks_.empty();
            if (!is_passing_) return;
            tasks_.front()->cancel();
            tasks_.pop_front();
            pass(executor, turns_between_parts);
        });
    }

    std::deque<asio::steady_timer*> tasks_;
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

asio::awaitable<void> let_others_run(ledger::Ledger& ledger) {
    constexpr std::chrono::milliseconds between_looks{2};
    co_await let_others_run();
    while (ledger::is_log_being_emptied(ledger)) {
        asio::steady_timer timer(co_await asio::this_coro::executor, between_looks);
        co_await timer.async_wait(asio::use_awaitable);
    }
}

}  // namespace drawbridge::pipeline
