// Posts short JSON messages to an address of the office, over the same connection code as the Draws Service. It never
// follows a redirect and never retries on its own. The address is a secret and appears in no error.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/domain/secret.hpp"

namespace drawbridge::service {

namespace asio = boost::asio;

struct WebhookOptions {
    Secret url;                         // https, or http to this machine, with path and query
    std::optional<Secret> signing_key;  // for X-Drawbridge-Signature: sha256=HMAC-SHA256 of the body, in hex
    std::optional<std::filesystem::path> ca_file;
    std::optional<std::string> proxy;  // absent: the environment's
    std::chrono::milliseconds deadline{20'000};
    std::string user_agent = "drawbridge";
    std::string section = "alerts.webhook";  // its configuration section, for error messages
};

class Webhook {
  public:
    Webhook() = default;
    Webhook(const Webhook&) = delete;
    Webhook& operator=(const Webhook&) = delete;
    virtual ~Webhook() = default;

    // `delivery_id` is sent as X-Drawbridge-Delivery; use the same for every attempt of a message. Errors:
    // invalid_input if the receiver will never accept this message (400, 413, 415, 422); any other error may be
    // retried.
    [[nodiscard]] virtual asio::awaitable<Result<void>> post(std::string body, std::string delivery_id) = 0;
};

// ErrorCode::invalid_input names what is wrong. Sends nothing yet.
[[nodiscard]] Result<std::unique_ptr<Webhook>> make_webhook(asio::any_io_executor executor, WebhookOptions options);

// "sha256=" and the HMAC in lower-case hex digits.
[[nodiscard]] std::string webhook_signature(const Secret& key, std::string_view body);

}  // namespace drawbridge::service
