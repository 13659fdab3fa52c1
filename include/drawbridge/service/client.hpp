// The DrawsService over HTTP/1.1: token, TLS, connections, deadlines, retries, rate. It must never send a token or a
// secret anywhere but to base_url, never speak plain HTTP beyond this machine, and never repeat a bulk approval whose
// outcome is unknown. It logs nothing; it returns errors. Use it from the executor's one thread.
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

// One attempt, for whoever counts them.
struct RequestSeen {
    std::string_view endpoint;  // "token", "list", "read", "patch", "approve"
    std::string_view
        outcome;  // "2xx", "3xx", "4xx", "5xx"; no answer: "timeout", "unavailable", "protocol", "cancelled"
    std::chrono::milliseconds took{0};
};

struct ClientOptions {
    std::string base_url;  // https://host[:port][/path]; http:// only to this machine
    Secret client_id;
    Secret client_secret;
    std::optional<std::filesystem::path> ca_file;  // PEM; takes the place of the system's authorities
    // "http://[user:password@]host:port", used by CONNECT for https. Absent: HTTPS_PROXY less NO_PROXY of the
    // environment; empty: none.
    std::optional<std::string> proxy;
    std::chrono::milliseconds request_deadline{30'000};  // one attempt, from name resolution to the answer's last byte
    std::chrono::milliseconds connect_deadline{10'000};  // of which name, connection, proxy and TLS
    int max_connections = 8;                             // requests at a time
    int max_requests_per_second = 0;                     // 0: no limit
    std::size_t max_body_bytes = std::size_t{32} << 20;
    int attempts = 4;                                   // for what is safe to repeat, the first included
    std::chrono::milliseconds retry_base_delay{250};    // doubles with each attempt; full jitter
    std::chrono::milliseconds retry_delay_cap{30'000};  // also the longest Retry-After that is waited for
    int retry_budget = 60;                              // retries in any retry_window, over all calls
    std::chrono::milliseconds retry_window{60'000};
    int circuit_failures = 10;                           // consecutive failed attempts that open the circuit
    std::chrono::milliseconds circuit_open_for{30'000};  // then one call may try
    std::string user_agent = "drawbridge";
    std::function<void(const RequestSeen&)> observe = {};  // empty: nobody counts
    // Read only for a Retry-After that is a date in an answer without a Date.
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
    std::optional<std::chrono::milliseconds> token_valid_for;  // nullopt: no token held
    std::optional<std::chrono::milliseconds> next_try_in;      // while open: until one call may try
    std::uint64_t requests = 0;                                // attempts, the token's included
    std::uint64_t retries = 0;
};

class DrawsClient : public DrawsService {
  public:
    [[nodiscard]] virtual ClientHealth health() const = 0;
    // Gets a new token and lists one record: address, TLS, credentials and paging are right.
    [[nodiscard]] virtual Task<void> check() = 0;
};

// ErrorCode::invalid_input names the option that is wrong and how to write it. Nothing is sent yet.
[[nodiscard]] Result<std::unique_ptr<DrawsClient>> make_client(asio::any_io_executor executor, ClientOptions options);

}  // namespace drawbridge::service
