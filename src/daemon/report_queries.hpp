// Report queries, which a standby of the ledger's server answers while the steps continue. If it cannot, the ledger
// itself answers. Private to this module.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "drawbridge/daemon/daemon.hpp"
#include "drawbridge/pipeline/worker.hpp"

namespace drawbridge::daemon {

class ReportQueries final : public admin::ReportReader {
  public:
    ReportQueries(Application& app, const Log& log, AnswerReport answer);

    [[nodiscard]] asio::awaitable<std::optional<admin::Response>> answer(admin::Request request) override;

  private:
    [[nodiscard]] asio::awaitable<std::optional<admin::Response>> ask(admin::Request request);
    void note(const std::string& where, bool is_problem);

    Application& app_;
    const Log& log_;
    AnswerReport answer_;
    // It may hang in a call to a server that does not answer.
    pipeline::Worker worker_{pipeline::Worker::AtEnd::leave};
    std::shared_ptr<std::atomic<int>> under_way_ = std::make_shared<std::atomic<int>>(0);
    bool timed_out_ = false;
    std::chrono::steady_clock::time_point next_try_{};
    std::string problem_;  // that was logged
};

}  // namespace drawbridge::daemon
