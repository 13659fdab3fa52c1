// Who is told what needs a person, by which way and when: the blocks `alerts` and `metrics` of drawbridge.yaml.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/domain/secret.hpp"

namespace drawbridge::config {

// The address is a secret: whoever knows it may post there.
struct Webhook {
    Secret url;                           // https, or http to loopback
    std::optional<Secret> signing_key{};  // absent: bodies are not signed
    std::optional<std::filesystem::path> ca_file{};
    std::optional<std::string> proxy{};  // absent: that of the environment
};

struct Email {
    std::vector<std::string> to;
    std::string from;
    std::filesystem::path sendmail = "/usr/sbin/sendmail";
};

// Called while all is well, so that its absence tells that the daemon is gone.
struct Heartbeat {
    Webhook to;
    std::chrono::milliseconds every = std::chrono::minutes(5);
};

struct Alerts {
    std::optional<Webhook> webhook{};
    std::optional<Heartbeat> heartbeat{};
    std::optional<Email> email{};
    // Since local midnight, in pay.timezone; absent: not sent.
    std::optional<std::chrono::minutes> daily_digest{}, nothing_confirmed_by{};
    [[nodiscard]] bool any() const { return webhook || email; }
};

// Where /metrics, /healthz and /readyz are served: on this machine only.
struct Listen {
    std::string address;  // "127.0.0.1", "::1"
    std::uint16_t port = 0;
};

}  // namespace drawbridge::config
