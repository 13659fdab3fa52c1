// Posts short JSON messages to an address of the office's own, over the same connections as the Draws Service. It never
// follows a redirect and never repeats a message by itself; the address is a secret and stands in no error.
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
    Secret url;                         // https, or http to this machine; a path and a query are part of it
    std::optional<Secret> signing_key;  // of X-Drawbridge-Signature: sha256=HMAC-SHA256 of the body, in hex
    std::optional<std::filesystem::path> ca_file;
    std::optional<std::string> proxy;  // absent: that of the environment
    std::chrono::milliseconds deadline{20'000};
    std::string user_agent = "drawbridge";
    std::string section = "alerts.webhook";  // the configuration's name for it, in error messages
};

class Webhook {
  public:
    Webhook() = default;
    Webhook(const Webhook&) = delete;
    Webhook& operator=(const Webhook&) = delete;
    virtual ~Webhook() = default;

    // `delivery_id` goes into X-Drawbridge-Delivery: the same for each repetition of a message. Errors: invalid_input
    // when the other side will never take this message (400, 413, 415, 422); otherwise it may be tried again.
    [[nodiscard]] virtual asio::awaitable<Result<void>> post(std::string body, std::string delivery_id) = 0;
};

// ErrorCode::invalid_input names what is wrong. Nothing is sent yet.
[[nodiscard]] Result<std::unique_ptr<Webhook>> make_webhook(asio::any_io_executor executor, WebhookOptions options);

// "sha256=" and the HMAC in lower-case hex.
[[nodiscard]] std::string webhook_signature(const Secret& key, std::string_view body);

}  // namespace drawbridge::service
