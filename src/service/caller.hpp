// One call to the service with its token, retries and waits. Owns the retry rules: safe requests are repeated within
// the budget; others only if it is certain that the service never saw them.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include "drawbridge/service/client.hpp"
#include "drawbridge/service/codec.hpp"
#include "drawbridge/service/semaphore.hpp"
#include "http.hpp"
#include "retry.hpp"
#include "steady_time.hpp"
#include "transport.hpp"

namespace drawbridge::service {

class Caller {
  public:
    Caller(boost::asio::any_io_executor executor, ClientOptions options, ConnectionSettings settings);

    // The final answer, whatever its status. For a request that is not safe to repeat: ErrorCode::outcome_unknown if it
    // may have reached the service and no answer came.
    [[nodiscard]] Task<HttpAnswer> call(HttpRequest request);

    // The Error for an answer that is not a success.
    [[nodiscard]] Error refusal(const HttpAnswer& answer, std::string_view what) const;
    // Removes our secrets from a text that will be shown.
    [[nodiscard]] std::string redact(std::string text) const;

    [[nodiscard]] std::size_t max_body_bytes() const { return options_.max_body_bytes; }
    [[nodiscard]] int attempts() const { return options_.attempts; }
    void forget_token() { token_.reset(); }
    void renew_connections() { transport_.renew_connections(); }
    [[nodiscard]] ClientHealth health() const;
    // False: the service fails, or limits us, whatever is asked for.
    [[nodiscard]] bool takes_calls() const;
    [[nodiscard]] std::optional<milliseconds> clock_ahead() const { return clock_ahead_; }

  private:
    struct CachedToken {
        Secret value;
        SteadyTime renew_at;
        SteadyTime expires_at;
    };
    class Attempt;

    [[nodiscard]] Task<HttpAnswer> call_with_retries(HttpRequest request);
    [[nodiscard]] boost::asio::awaitable<HttpResult> attempt(HttpRequest request);
    void report_attempt(std::string_view endpoint, const HttpResult& result, SteadyTime began) const;
    [[nodiscard]] boost::asio::awaitable<std::optional<HttpFailure>> wait_for_turn(SteadyTime not_before);
    [[nodiscard]] Task<Secret> bearer();
    [[nodiscard]] Task<Secret> fetch_token();
    void read_credentials_again();
    [[nodiscard]] bool is_token_fresh() const;
    void note_result(const HttpResult& result, const std::string& target, bool of_one_draw);
    [[nodiscard]] milliseconds next_delay(int attempt);

    boost::asio::any_io_executor executor_;
    ClientOptions options_;
    Transport transport_;
    Circuit circuit_;
    RetryBudget budget_;
    RateLimiter limiter_;
    int limited_in_a_row_ = 0;  // answers 429
    std::mt19937_64 random_engine_;
    std::optional<CachedToken> token_;
    Semaphore token_semaphore_;
    // Callers that waited while another fetched a token share its failure and do not fetch again.
    std::uint64_t token_fetches_ = 0;
    std::optional<Error> token_error_;
    bool is_login_refused_ = false;  // by the last answer to a token request
    // The draws at which the last request failed, by target, and until when the service wants no other. The next call
    // has one attempt, and another failure tells nothing about the service.
    std::map<std::string, SteadyTime> failing_draws_;
    std::optional<milliseconds> clock_ahead_;
    std::string last_error_;
    std::uint64_t requests_ = 0;
    std::uint64_t retries_ = 0;
};

// A client with connections of its own kind.
[[nodiscard]] std::unique_ptr<DrawsClient> make_client(boost::asio::any_io_executor executor, ClientOptions options,
                                                       ConnectionSettings settings);

}  // namespace drawbridge::service
