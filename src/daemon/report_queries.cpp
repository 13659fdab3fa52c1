#include "report_queries.hpp"

#include <exception>
#include <utility>

namespace drawbridge::daemon {
namespace {

using namespace std::chrono_literals;

// A report comes in slices, each of them short.
constexpr std::chrono::milliseconds max_wait_for_answer = 30s;
constexpr std::chrono::seconds until_next_try = 10s;
constexpr int internal_error = 500;
// More of them would wait for each other.
constexpr int max_under_way = 4;

}  // namespace

ReportQueries::ReportQueries(Application& app, const Log& log, AnswerReport answer)
    : app_(app), log_(log), answer_(std::move(answer)) {}

asio::awaitable<std::optional<admin::Response>> ReportQueries::answer(admin::Request request) {
    auto response = co_await ask(std::move(request));
    app_.meter.report(/*answered_by_standby=*/response.has_value());
    co_return response;
}

asio::awaitable<std::optional<admin::Response>> ReportQueries::ask(admin::Request request) {
    const bool hangs = timed_out_ && *under_way_ > 0;
    if (hangs || *under_way_ >= max_under_way || std::chrono::steady_clock::now() < next_try_) co_return std::nullopt;
    ++*under_way_;
    auto answered = std::make_shared<Result<admin::Response>>(fail(ErrorCode::timeout, "it does not answer"));
    // At the end of the work, or when it is given up before it begins.
    std::shared_ptr<void> until_its_end(nullptr, [under_way = under_way_](void*) { --*under_way; });
    pipeline::Worker::Job job = [answered, answer = answer_, until_its_end = std::move(until_its_end),
                                 request = std::move(request),
                                 written = ledger::position_of(app_.ledger)](const std::stop_token&) {
        try {
            *answered = answer(request, written);
        } catch (const std::exception& failure) {
            *answered = fail(ErrorCode::unavailable, failure.what());
        }
    };
    pipeline::Worker::Patience patience{.deadline = max_wait_for_answer};
    const bool is_done = co_await worker_.run(std::move(job), std::move(patience));
    timed_out_ = !is_done;
    if (is_done && *answered && (*answered)->status < internal_error) {
        note((*answered)->read_from, /*is_problem=*/false);
        co_return std::move(**answered);
    }
    const std::string why = !is_done    ? "ledger.read_url: it does not answer"
                            : *answered ? "ledger.read_url: internal error"
                                        : answered->error().message;
    next_try_ = std::chrono::steady_clock::now() + until_next_try;
    note("read where the ledger is written: " + why, /*is_problem=*/true);
    co_return std::nullopt;
}

void ReportQueries::note(const std::string& where, bool is_problem) {
    app_.reports_read = where;
    if (is_problem && problem_ != where) log_->warn("reports are {}", where);
    if (!is_problem && !problem_.empty()) log_->info("reports are {} again", where);
    problem_ = is_problem ? where : std::string();
}

}  // namespace drawbridge::daemon
