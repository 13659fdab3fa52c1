#include "drawbridge/service/webhook.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <utility>

#include "drawbridge/domain/web_address.hpp"
#include "drawbridge/service/codec.hpp"
#include "endpoint.hpp"
#include "error_message.hpp"
#include "tls.hpp"
#include "transport.hpp"

namespace drawbridge::service {
namespace {

constexpr std::size_t max_answer_bytes = std::size_t{1} << 20;

bool is_final(int status) {
    return status == 400 || status == 413 || status == 415 || status == 422;
}

class HttpWebhook final : public Webhook {
  public:
    HttpWebhook(asio::any_io_executor executor, WebhookOptions options, ConnectionSettings settings, std::string target)
        : options_(std::move(options)),
          target_(std::move(target)),
          transport_(
              std::move(executor), std::move(settings),
              {.request_deadline = options_.deadline, .connect_deadline = options_.deadline, .max_connections = 1}) {}

    asio::awaitable<Result<void>> post(std::string body, std::string delivery_id) override {
        HttpRequest request{.method = "POST",
                            .target = target_.reveal(),
                            .content_type = "application/json",
                            .body = std::move(body),
                            .bearer = {},
                            .safe_to_repeat = false,
                            .sent_crash_point = "alerts.sent",
                            .answered_crash_point = {}};
        if (options_.signing_key) {
            request.headers.emplace_back("X-Drawbridge-Signature",
                                         webhook_signature(*options_.signing_key, request.body));
        }
        request.headers.emplace_back("X-Drawbridge-Delivery", std::move(delivery_id));
        auto answer = co_await transport_.send(std::move(request));
        if (!answer) co_return std::unexpected(std::move(answer.error().error));
        if (answer->status / 100 == 2) co_return Result<void>();
        std::string message = transport_.endpoint().to_string() + " answered " + std::to_string(answer->status);
        if (const auto text = error_text(answer->body); !text.empty()) message += ": " + without_target(text);
        co_return fail(is_final(answer->status) ? ErrorCode::invalid_input : ErrorCode::unavailable,
                       std::move(message));
    }

  private:
    // An answer that repeats the address must not bring it into the log.
    [[nodiscard]] std::string without_target(std::string text) const {
        const std::string& secret = target_.reveal();
        for (std::size_t at = 0; secret.size() > 1 && (at = text.find(secret, at)) != std::string::npos;)
            text.replace(at, secret.size(), "***");
        return text;
    }

    WebhookOptions options_;
    Secret target_;
    Transport transport_;
};

struct Address {
    Endpoint endpoint;
    std::string target;
};

Result<Address> parse_address(const Secret& text, const std::string& section) {
    auto address = parse_web_address(text.reveal());
    if (!address) return fail(ErrorCode::invalid_input, section + ": the address " + address.error().message);
    std::string target = (address->path.empty() ? "/" : address->path) + address->query;
    Endpoint endpoint{.tls = address->tls,
                      .host = std::move(address->host),
                      .port = std::move(address->port),
                      .authority = std::move(address->authority),
                      .base_path = {}};
    return Address{std::move(endpoint), std::move(target)};
}

}  // namespace

std::string webhook_signature(const Secret& key, std::string_view body) {
    constexpr std::string_view hex = "0123456789abcdef";
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    HMAC(EVP_sha256(), key.reveal().data(), static_cast<int>(key.reveal().size()),
         reinterpret_cast<const unsigned char*>(body.data()), body.size(), digest, &size);
    std::string signature = "sha256=";
    for (unsigned int i = 0; i < size; ++i)
        signature += {hex[digest[i] >> 4U], hex[digest[i] & 15U]};
    return signature;
}

Result<std::unique_ptr<Webhook>> make_webhook(asio::any_io_executor executor, WebhookOptions options) {
    const std::string section = options.section;
    auto address = parse_address(options.url, section);
    if (!address) return std::unexpected(std::move(address.error()));
    std::optional<Proxy> proxy;
    auto proxy_address = options.proxy;
    if (!proxy_address && address->endpoint.tls) proxy_address = proxy_from_environment(address->endpoint.host);
    if (proxy_address && !proxy_address->empty()) {
        auto parsed = parse_proxy(*proxy_address);
        if (!parsed) return fail(ErrorCode::invalid_input, section + ".proxy is not a proxy address");
        proxy = std::move(*parsed);
    }
    std::optional<asio::ssl::context> tls;
    if (address->endpoint.tls) {
        auto context = make_tls_context(options.ca_file, section);
        if (!context) return std::unexpected(std::move(context.error()));
        tls = std::move(*context);
    }
    ConnectionSettings settings{.endpoint = std::move(address->endpoint),
                                .proxy = std::move(proxy),
                                .tls = std::move(tls),
                                .max_body_bytes = max_answer_bytes,
                                .user_agent = options.user_agent,
                                .section = section};
    return std::make_unique<HttpWebhook>(std::move(executor), std::move(options), std::move(settings),
                                         std::move(address->target));
}

}  // namespace drawbridge::service
