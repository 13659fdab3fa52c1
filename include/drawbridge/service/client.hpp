// The DrawsService over HTTP/1.1: token, TLS, connections, deadlines, retries, rate limit. It must never send a token
// or a secret anywhere but to base_url, never send plain HTTP to another machine, and never repeat a bulk approval with
// an unknown outcome. It logs nothing and returns errors. Use it from the executor's one thread.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/domain/secret.hpp"
#include "drawbridge/domain/time.hpp"
#include "drawbridge/service/draws_service.hpp"

namespace drawbridge::service {

// One attempt, for metrics.
struct RequestMetrics {
    std::string_view endpoint;  // "token", "list", "read", "patch", "approve"
    // "2xx", "3xx", "4xx", "5xx"; without an answer "timeout", "unavailable", "protocol", "cancelled"
    std::string_view outcome;
    std::chrono::milliseconds took{0};
};

struct Credentials {
    Secret client_id;
    Secret client_secret;
};

struct ClientOptions {
    std::string base_url;  // https://host[:port][/path]; http:// only to this machine
    Secret client_id;
    Secret client_secret;
    std::optional<std::filesystem::path> ca_file;  // PEM; replaces the system's certificate authorities
    // "http://[user:password@]host:port", used by CONNECT for https. Absent: the environment's HTTPS_PROXY and
    // NO_PROXY; empty: no proxy.
    std::optional<std::string> proxy;
    std::chrono::milliseconds request_deadline{30'000};  // one attempt, from name resolution to the last byte received
    std::chrono::milliseconds connect_deadline{10'000};  // of that, for name resolution, connection, proxy and TLS
    int max_connections = 8;                             // concurrent requests
    int max_requests_per_second = 0;                     // 0: no limit
    std::size_t max_body_bytes = std::size_t{32} << 20;
    int attempts = 4;                                   // for requests that are safe to repeat, including the first
    std::chrono::milliseconds retry_base_delay{250};    // doubles with each attempt; full jitter
    std::chrono::milliseconds retry_delay_cap{30'000};  // also the longest Retry-After that is honored
    int retry_budget = 60;                              // retries per retry_window, over all calls
    std::chrono::milliseconds retry_window{60'000};
    int circuit_failures = 10;                           // consecutive failed attempts that open the circuit
    std::chrono::milliseconds circuit_open_for{30'000};  // then one call probes the service
    std::string user_agent = "drawbridge";
    std::function<void(const RequestMetrics&)> observe = {};  // called after each attempt; may be empty
    // Asked before a token request that follows a refused one, so that credentials that were renewed in the meantime
    // are used. nullopt: they cannot be read, and the old ones are used. May be empty.
    std::function<std::optional<Credentials>()> read_credentials = {};
    // Read only for a Retry-After date in an answer without a Date header.
    std::function<Instant()> wall_clock = [] {
        return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    };
};

enum class CircuitState { closed, open, half_open };

[[nodiscard]] std::string_view to_string(CircuitState state);

struct ClientHealth {
    CircuitState circuit = CircuitState::closed;
    int consecutive_failures = 0;
    std::string last_error;                                    // empty: none since the start
    std::optional<std::chrono::milliseconds> token_valid_for;  // nullopt: no token
    std::optional<std::chrono::milliseconds> next_try_in;      // while open: time until one call may probe
    std::uint64_t requests = 0;                                // attempts, including those for a token
    std::uint64_t retries = 0;
};

class DrawsClient : public DrawsService {
  public:
    [[nodiscard]] virtual ClientHealth health() const = 0;
    // Gets a new token and lists one record, to check address, TLS, credentials and paging.
    [[nodiscard]] virtual Task<void> check() = 0;
};

// ErrorCode::invalid_input names the wrong option and its correct form. Sends nothing yet.
[[nodiscard]] Result<std::unique_ptr<DrawsClient>> make_client(asio::any_io_executor executor, ClientOptions options);

}  // namespace drawbridge::service
