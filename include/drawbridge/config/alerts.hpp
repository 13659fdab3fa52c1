// Where and when alerts are sent, and where metrics are served: `alerts` and `metrics` of drawbridge.yaml.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/domain/secret.hpp"

namespace drawbridge::config {

// The URL is a secret: anyone who knows it can post to it.
struct Webhook {
    Secret url;                           // https, or http to loopback
    std::optional<Secret> signing_key{};  // absent: bodies are not signed
    std::optional<std::filesystem::path> ca_file{};
    std::optional<std::string> proxy{};  // absent: the proxy of the environment
};

struct Email {
    std::vector<std::string> to;
    std::string from;
    std::filesystem::path sendmail = "/usr/sbin/sendmail";
};

// Sent while the daemon is healthy. A monitor that misses it knows that the daemon is down.
struct Heartbeat {
    Webhook to;
    std::chrono::milliseconds every = std::chrono::minutes(5);
};

struct Alerts {
    std::optional<Webhook> webhook{};
    std::optional<Heartbeat> heartbeat{};
    std::optional<Email> email{};
    // Minutes since local midnight in pay.timezone. Absent: not sent.
    std::optional<std::chrono::minutes> daily_digest{}, nothing_confirmed_by{};
    [[nodiscard]] bool any() const { return webhook || email; }
};

// The loopback address that serves /metrics, /healthz and /readyz.
struct Listen {
    std::string address;  // "127.0.0.1", "::1"
    std::uint16_t port = 0;
};

}  // namespace drawbridge::config
