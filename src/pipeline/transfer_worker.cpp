#include "drawbridge/pipeline/transfer_worker.hpp"

#include "drawbridge/disbursement/delivery.hpp"
#include "drawbridge/domain/elapsed.hpp"

namespace drawbridge::pipeline {

void TransferWorker::abort() {
    stop();
    if (const auto session = session_.lock()) session->abort();
}

void TransferWorker::set_session(const std::shared_ptr<delivery::SftpSession>& session) {
    session_ = session;
    if (stopping_) session->abort();
}

int TransferWorker::failed(const std::string& what, Instant now, std::chrono::milliseconds base) {
    auto& backoff = backoffs_[what];
    ++backoff.failures;
    backoff.since = now;
    backoff.length = disbursement::delivery_wait(backoff.failures, base);
    return backoff.failures;
}

bool TransferWorker::is_backing_off(const std::string& what, Instant now) const {
    const auto found = backoffs_.find(what);
    return found != backoffs_.end() && !has_elapsed(found->second.since, found->second.length, now);
}

}  // namespace drawbridge::pipeline
