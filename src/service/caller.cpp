#include "caller.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "drawbridge/domain/clock_shift.hpp"
#include "drawbridge/domain/web_address.hpp"
#include "drawbridge/service/codec.hpp"
#include "error_message.hpp"

namespace drawbridge::service {
namespace {

namespace asio = boost::asio;

constexpr milliseconds default_token_lifetime{300'000};  // if the service names none
constexpr milliseconds max_pause{3'600'000};             // no Retry-After stops us for more than an hour
constexpr milliseconds max_wait_for_draw{5'000};         // a longer pause of one draw ends the call

// Statuses of a temporary failure.
bool is_transient(int status) {
    return status == 408 || status == 429 || status == 500 || status == 502 || status == 503 || status == 504;
}

asio::awaitable<bool> sleep_until(asio::any_io_executor executor, SteadyTime moment) {
    asio::steady_timer timer(executor, moment);
    const auto [error] = co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
    co_return !error;
}

std::string seconds_text(milliseconds duration) {
    return std::to_string(std::chrono::ceil<std::chrono::seconds>(duration).count()) + " s";
}

std::string_view endpoint_of(const HttpRequest& request) {
    if (request.target == "/oauth/token") return "token";
    if (request.method == "PATCH") return "patch";
    if (request.method == "POST") return "approve";
    return request.target.starts_with("/caseBudgets/draws/") ? "read" : "list";
}

// Its failure tells nothing about other draws.
bool is_of_one_draw(const HttpRequest& request) {
    const std::string_view endpoint = endpoint_of(request);
    return endpoint == "read" || endpoint == "patch";
}

std::string_view outcome_of(const HttpResult& result) {
    if (!result) return to_string(result.error().error.code);
    constexpr std::string_view classes[] = {"2xx", "3xx", "4xx", "5xx"};
    return classes[std::clamp(result->status / 100, 2, 5) - 2];
}

// For the circuit. nullopt: it tells nothing about the service.
std::optional<bool> success_of(const HttpResult& result, bool failed_before) {
    // A service that answers 429 or 408 is up.
    const bool success = result ? result->status < 500 : result.error().error.code == ErrorCode::exhausted;
    const bool is_known = failed_before && (result || result.error().sent);  // a draw that fails counts once
    const bool cancelled = !result && result.error().error.code == ErrorCode::cancelled;
    return cancelled || (!success && is_known) ? std::nullopt : std::optional(success);
}

}  // namespace

// One attempt, counted by the circuit. Without a report it counts as abandoned.
class Caller::Attempt {
  public:
    explicit Attempt(Circuit* circuit) : circuit_(circuit) {}
    Attempt(const Attempt&) = delete;
    Attempt& operator=(const Attempt&) = delete;
    ~Attempt() {
        if (circuit_ != nullptr) circuit_->abandoned();
    }
    void report(bool success) {
        Circuit* circuit = std::exchange(circuit_, nullptr);
        success ? circuit->succeeded() : circuit->failed(SteadyClock::now());
    }

  private:
    Circuit* circuit_;
};

Caller::Caller(asio::any_io_executor executor, ClientOptions options, ConnectionSettings settings)
    : executor_(executor),
      options_(std::move(options)),
      transport_(executor, std::move(settings),
                 {.request_deadline = options_.request_deadline,
                  .connect_deadline = options_.connect_deadline,
                  .max_connections = options_.max_connections}),
      circuit_(options_.circuit_failures, options_.circuit_open_for),
      budget_(options_.retry_budget, options_.retry_window),
      limiter_(options_.max_requests_per_second),
      random_engine_(std::random_device()()),
      token_semaphore_(std::move(executor), 1) {}

Task<HttpAnswer> Caller::call(HttpRequest request) {
    auto token = co_await bearer();
    if (!token) co_return std::unexpected(std::move(token.error()));
    request.bearer = *token;
    auto answer = co_await call_with_retries(request);
    if (!answer || answer->status != 401) co_return answer;
    // A 401 means that nothing was done: repeat once with a new token, unless another call has fetched one already.
    if (token_ && token_->value.reveal() == request.bearer.reveal()) token_.reset();
    auto renewed = co_await bearer();
    if (!renewed) co_return std::unexpected(std::move(renewed.error()));
    request.bearer = *renewed;
    co_return co_await call_with_retries(std::move(request));
}

Task<HttpAnswer> Caller::call_with_retries(HttpRequest request) {
    const bool is_failing_draw = is_of_one_draw(request) && failing_draws_.contains(request.target);
    const int attempts = is_failing_draw ? 1 : options_.attempts;
    for (int number = 1;; ++number) {
        HttpResult result = co_await attempt(request);
        if (result) {
            if (!request.safe_to_repeat || !is_transient(result->status)) co_return std::move(*result);
        } else {
            HttpFailure& failure = result.error();
            if (!request.safe_to_repeat && failure.sent) {
                failure.error.code = ErrorCode::outcome_unknown;
                failure.transient = false;
            }
            // The open circuit's message quotes the last error. Do not store it, or it would grow with each call.
            if (!failure.refused_here) last_error_ = failure.error.message;
            if (!failure.transient) co_return std::unexpected(std::move(failure.error));
        }
        const SteadyTime now = SteadyClock::now();
        const bool may_repeat = number < attempts && circuit_.state(now) == CircuitState::closed;
        if (!may_repeat || !budget_.spend(now)) {
            if (result) co_return std::move(*result);
            co_return std::unexpected(std::move(result.error().error));
        }
        ++retries_;
        if (!co_await sleep_until(executor_, now + next_delay(number))) {
            co_return fail(ErrorCode::cancelled, "stopped while waiting to retry");
        }
    }
}

asio::awaitable<HttpResult> Caller::attempt(HttpRequest request) {
    if (!circuit_.enter(SteadyClock::now())) {
        const auto wait = circuit_.next_try_in(SteadyClock::now());
        HttpFailure failure{
            .error = {ErrorCode::unavailable,
                      transport_.endpoint().to_string() + " failed " + std::to_string(circuit_.consecutive_failures()) +
                          " times in a row and gets no requests" +
                          (wait ? " for another " + seconds_text(*wait) : std::string(" until one call succeeds")) +
                          "; last: " + last_error_},
            .transient = false,
            .refused_here = true};
        co_return std::unexpected(std::move(failure));
    }
    Attempt circuit_attempt(&circuit_);
    const std::string target = request.target;
    const bool of_one_draw = is_of_one_draw(request);
    const auto failing = of_one_draw ? failing_draws_.find(target) : failing_draws_.end();
    const bool failed_before = failing != failing_draws_.end();
    const SteadyTime not_before = failed_before ? failing->second : SteadyTime();
    if (auto failure = co_await wait_for_turn(not_before)) co_return std::unexpected(std::move(*failure));
    ++requests_;
    const std::string_view endpoint = endpoint_of(request);
    const SteadyTime began = SteadyClock::now();
    HttpResult result = co_await transport_.send(std::move(request));
    report_attempt(endpoint, result, began);
    if (!result) result.error().error.message = redact(std::move(result.error().error.message));
    if (const auto success = success_of(result, failed_before)) circuit_attempt.report(*success);
    note_result(result, target, of_one_draw);
    co_return result;
}

void Caller::report_attempt(std::string_view endpoint, const HttpResult& result, SteadyTime began) const {
    if (!options_.observe) return;
    options_.observe({endpoint, outcome_of(result), std::chrono::ceil<milliseconds>(SteadyClock::now() - began)});
}

asio::awaitable<std::optional<HttpFailure>> Caller::wait_for_turn(SteadyTime not_before) {
    const SteadyTime now = SteadyClock::now();
    if (limiter_.paused_until() - now > options_.retry_delay_cap || not_before - now > max_wait_for_draw) {
        const auto until = std::max(limiter_.paused_until(), not_before);
        co_return HttpFailure{
            .error = {ErrorCode::limited, transport_.endpoint().to_string() + " asked for a pause of another " +
                                              seconds_text(std::chrono::ceil<milliseconds>(until - now))},
            .transient = false,
            .refused_here = true};
    }
    const SteadyTime turn = std::max(limiter_.take(now), not_before);
    if (turn <= now || co_await sleep_until(executor_, turn)) co_return std::nullopt;
    co_return HttpFailure{.error = {ErrorCode::cancelled, "stopped while waiting for its turn"}, .transient = false};
}

// A Retry-After of 429 is about us, and so pauses every request. That of one draw delays only this draw.
void Caller::note_result(const HttpResult& result, const std::string& target, bool of_one_draw) {
    if (!result && result.error().error.code == ErrorCode::cancelled) return;
    const bool failed = !result || is_transient(result->status);
    const bool is_pause = result && result->status == 429;
    if (result) limited_in_a_row_ = is_pause ? limited_in_a_row_ + 1 : 0;
    if (result) {
        // A test that moves the whole program's clock means that time passes for the service, too.
        const Instant now = options_.wall_clock() - clock_shift();
        const auto date = parse_http_date(result->date);
        clock_ahead_ = date ? std::optional(*date - now) : std::nullopt;
    }
    if (of_one_draw && !failed) failing_draws_.erase(target);
    if (of_one_draw && failed && !is_pause) failing_draws_[target] = SteadyTime();
    if (!result || !failed) return;
    last_error_ = refusal(*result, "a request").message;
    const auto wait = parse_retry_after(result->retry_after, result->date, options_.wall_clock());
    if (!wait) return;
    const SteadyTime until = SteadyClock::now() + std::min(*wait, max_pause);
    if (is_pause || (result->status == 503 && !of_one_draw)) {
        limiter_.pause_until(until);
    } else if (of_one_draw) {
        failing_draws_[target] = until;
    }
}

milliseconds Caller::next_delay(int attempt) {
    const double fraction = std::uniform_real_distribution<double>(0.0, 1.0)(random_engine_);
    return jittered_delay(attempt, options_.retry_base_delay, options_.retry_delay_cap, fraction);
}

bool Caller::is_token_fresh() const {
    return token_ && SteadyClock::now() < token_->renew_at;
}

Task<Secret> Caller::bearer() {
    if (is_token_fresh()) co_return token_->value;
    const std::uint64_t fetches_before = token_fetches_;
    const Semaphore::Permit permit = co_await token_semaphore_.take();
    if (!permit) co_return fail(ErrorCode::cancelled, "stopped while waiting for a token");
    if (is_token_fresh()) co_return token_->value;
    if (token_fetches_ != fetches_before && token_error_) co_return std::unexpected(*token_error_);
    auto token = co_await fetch_token();
    ++token_fetches_;
    token_error_ = token ? std::optional<Error>() : token.error();
    co_return token;
}

void Caller::read_credentials_again() {
    if (!options_.read_credentials) return;
    auto credentials = options_.read_credentials();
    if (!credentials || credentials->client_id.empty() || credentials->client_secret.empty()) return;
    options_.client_id = std::move(credentials->client_id);
    options_.client_secret = std::move(credentials->client_secret);
}

Task<Secret> Caller::fetch_token() {
    if (is_login_refused_) read_credentials_again();
    HttpRequest request{.method = "POST",
                        .target = "/oauth/token",
                        .content_type = "application/x-www-form-urlencoded",
                        .body = encode_token_request(options_.client_id, options_.client_secret),
                        .bearer = {},
                        .safe_to_repeat = true,
                        .sent_crash_point = {},
                        .answered_crash_point = {}};
    const SteadyTime asked = SteadyClock::now();
    auto answer = co_await call_with_retries(std::move(request));
    if (!answer) co_return std::unexpected(std::move(answer.error()));
    is_login_refused_ = answer->status == 400 || answer->status == 401 || answer->status == 403;
    if (answer->status / 100 != 2) {
        Error error = refusal(*answer, "the request for a token");
        if (is_login_refused_) {
            error.code = ErrorCode::unauthorized;
            error.message += ": check service.client_id_file and service.client_secret_file";
        }
        last_error_ = error.message;
        co_return std::unexpected(std::move(error));
    }
    auto token = parse_token(answer->body);
    if (!token) {
        last_error_ = token.error().message;
        co_return std::unexpected(std::move(token.error()));
    }
    // Renewed after nine tenths of its lifetime, or 30 s before its end. The lifetime counts from the request, the
    // worst case.
    const milliseconds lifetime = token->expires_in.value_or(default_token_lifetime);
    const milliseconds margin = std::min(milliseconds(30'000), lifetime / 10);
    token_ =
        CachedToken{.value = token->value, .renew_at = asked + (lifetime - margin), .expires_at = asked + lifetime};
    co_return std::move(token->value);
}

Error Caller::refusal(const HttpAnswer& answer, std::string_view what) const {
    const int status = answer.status;
    std::string message =
        transport_.endpoint().to_string() + " answered " + std::to_string(status) + " to " + std::string(what);
    if (status / 100 == 3) {
        if (answer.location.empty()) return {ErrorCode::protocol, message + ": check service.base_url"};
        return {ErrorCode::protocol, message + ": a redirect to " + redact(one_line(answer.location)) +
                                         ", which is not followed: the token is sent to no other address: check "
                                         "service.base_url"};
    }
    if (const std::string text = error_text(answer.body); !text.empty()) message += ": " + redact(text);
    switch (status) {
        case 400:
        case 413:
        case 422: return {ErrorCode::invalid_input, message};
        case 401: return {ErrorCode::unauthorized, message};
        case 403: return {ErrorCode::forbidden, message};
        case 404: return {ErrorCode::not_found, message};
        case 409: return {ErrorCode::conflict, message};
        case 408: return {ErrorCode::timeout, message};
        case 429: return {ErrorCode::limited, message};
        case 503: return {answer.retry_after.empty() ? ErrorCode::unavailable : ErrorCode::limited, message};
        default: return {status >= 500 ? ErrorCode::unavailable : ErrorCode::protocol, message};
    }
}

std::string Caller::redact(std::string text) const {
    const auto redact_text = [&text](const std::string& secret) {
        if (secret.size() < 4) return;  // too short to distinguish from ordinary words
        for (std::size_t at = 0; (at = text.find(secret, at)) != std::string::npos;)
            text.replace(at, secret.size(), "***");
        // A text that was cut may end with the first part of one.
        if (!text.ends_with(cut_mark)) return;
        const auto shown = std::string_view(text).substr(0, text.size() - cut_mark.size());
        for (auto size = std::min(secret.size(), shown.size()); size >= 4; --size) {
            if (!shown.ends_with(std::string_view(secret).substr(0, size))) continue;
            text.replace(shown.size() - size, size, "***");
            return;
        }
    };
    // Both the plain secret and its form in the token request.
    const auto redact_secret = [&redact_text](const Secret& secret) {
        redact_text(secret.reveal());
        redact_text(percent_encoded(secret.reveal()));
    };
    redact_secret(options_.client_secret);
    if (token_) redact_secret(token_->value);
    return text;
}

bool Caller::takes_calls() const {
    const SteadyTime now = SteadyClock::now();
    return circuit_.state(now) != CircuitState::open && limited_in_a_row_ < options_.circuit_failures &&
           limiter_.paused_until() - now <= options_.retry_delay_cap;
}

ClientHealth Caller::health() const {
    const SteadyTime now = SteadyClock::now();
    ClientHealth health{.circuit = circuit_.state(now),
                        .consecutive_failures = circuit_.consecutive_failures(),
                        .last_error = last_error_,
                        .token_valid_for = std::nullopt,
                        .next_try_in = circuit_.next_try_in(now),
                        .requests = requests_,
                        .retries = retries_};
    if (token_ && token_->expires_at > now) {
        health.token_valid_for = std::chrono::floor<milliseconds>(token_->expires_at - now);
    }
    return health;
}

}  // namespace drawbridge::service
