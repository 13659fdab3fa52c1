#include "ledger_copy.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <future>
#include <stop_token>
#include <system_error>
#include <utility>

#include "drawbridge/ledger/sealing.hpp"

namespace drawbridge::daemon {
namespace {

namespace fs = std::filesystem;

// 2 MiB, between which the stages go on.
constexpr int pages_at_a_time = 256;
constexpr std::chrono::milliseconds breath{1};
constexpr std::chrono::milliseconds look_again{20};

asio::awaitable<void> wait(std::chrono::milliseconds time) {
    asio::steady_timer timer(co_await asio::this_coro::executor, time);
    co_await timer.async_wait(asio::use_awaitable);
}

// A thread that is asked to stop when nobody waits for it any more; its end is waited for all the same.
template <class T>
class Worker {
  public:
    explicit Worker(CopyWork<T> work)
        : result_(std::async(std::launch::async, [work = std::move(work), stop = stop_.get_token()]() -> Result<T> {
              try {
                  return work(stop);
              } catch (const std::exception& failure) {
                  return fail(ErrorCode::unavailable, std::string("the copy of the ledger: ") + failure.what());
              }
          })) {}
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    ~Worker() { stop_.request_stop(); }
    [[nodiscard]] bool is_done() const {
        return result_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    }
    [[nodiscard]] Result<T> take() { return result_.get(); }

  private:
    std::stop_source stop_;
    std::future<Result<T>> result_;
};

template <class T>
asio::awaitable<Result<T>> run_aside(CopyWork<T> work) {
    Worker<T> worker(std::move(work));
    while (!worker.is_done())
        co_await wait(look_again);
    co_return worker.take();
}

}  // namespace

void PartialFile::remove() const {
    std::error_code ignored;
    for (const std::string_view ending : {"", "-wal", "-journal"})
        fs::remove(fs::path(file_.string() + std::string(ending)), ignored);
}

Result<SealingKey> sealing_key(const config::Config& config) {
    if (config.ledger.sealing_key) return *config.ledger.sealing_key;
    return ledger::read_sealing_key(config.state_dir / ledger::default_sealing_key_name);
}

asio::awaitable<ledger::AuditEnd> copy_ledger(Application& app, fs::path file) {
    ledger::BackupCopy copy(app.ledger, file);
    while (!copy.copy(pages_at_a_time))
        co_await wait(breath);
    // Nothing was written since the last slice: the loop has one thread.
    co_return ledger::audit_end(app.ledger);
}

asio::awaitable<Result<ledger::CopyFacts>> in_a_thread(CopyWork<ledger::CopyFacts> work) {
    return run_aside<ledger::CopyFacts>(std::move(work));
}

asio::awaitable<Result<std::vector<ledger::InvariantResult>>> in_a_thread(
    CopyWork<std::vector<ledger::InvariantResult>> work) {
    return run_aside<std::vector<ledger::InvariantResult>>(std::move(work));
}

}  // namespace drawbridge::daemon
