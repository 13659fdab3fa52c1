#include "endpoint.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/domain/web_address.hpp"

namespace drawbridge::service {
namespace {

// The address may contain a password, so the message does not repeat it.
std::unexpected<Error> refuse(std::string_view key, const Error& error) {
    return fail(ErrorCode::invalid_input, std::string(key) + " " + error.message);
}

std::string base64(const std::string& bytes) {
    std::string encoded(4 * ((bytes.size() + 2) / 3) + 1, '\0');  // OpenSSL ends it with a NUL
    const int length =
        EVP_EncodeBlock(reinterpret_cast<unsigned char*>(encoded.data()),
                        reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
    encoded.resize(static_cast<std::size_t>(length));
    return encoded;
}

}  // namespace

std::string Endpoint::to_string() const {
    return (tls ? "https://" : "http://") + authority + base_path;
}

Result<Endpoint> parse_base_url(std::string_view text) {
    auto address = parse_base_address(text);
    if (!address) return refuse("service.base_url", address.error());
    return Endpoint{.tls = address->tls,
                    .host = std::move(address->host),
                    .port = std::move(address->port),
                    .authority = std::move(address->authority),
                    .base_path = std::move(address->path)};
}

Result<Proxy> parse_proxy(std::string_view text) {
    const auto address = parse_proxy_address(text);
    if (!address) return refuse("service.proxy", address.error());
    Proxy proxy{.host = address->host, .port = address->port, .authorization = {}};
    if (address->has_credentials)
        proxy.authorization = Secret("Basic " + base64(address->user + ":" + address->password.reveal()));
    return proxy;
}

std::optional<std::string> choose_proxy(std::string_view host, std::optional<std::string> https_proxy,
                                        std::string_view no_proxy) {
    if (!https_proxy || https_proxy->empty()) return std::nullopt;
    while (!no_proxy.empty()) {
        const std::size_t comma = no_proxy.find(',');
        std::string_view entry = no_proxy.substr(0, comma);
        no_proxy = comma == std::string_view::npos ? std::string_view() : no_proxy.substr(comma + 1);
        while (entry.starts_with(' '))
            entry.remove_prefix(1);
        while (entry.ends_with(' '))
            entry.remove_suffix(1);
        if (entry == "*") return std::nullopt;
        if (entry.starts_with('.')) entry.remove_prefix(1);
        if (entry.empty()) continue;
        const std::string domain = lowercase(entry);
        if (host == domain || host.ends_with("." + domain)) return std::nullopt;
    }
    return https_proxy;
}

std::optional<std::string> proxy_from_environment(std::string_view host) {
    const auto variable = [](const char* upper_case, const char* lower_case) -> std::optional<std::string> {
        for (const char* name : {upper_case, lower_case}) {
            if (const char* value = std::getenv(name); value != nullptr && *value != '\0') return value;
        }
        return std::nullopt;
    };
    return choose_proxy(host, variable("HTTPS_PROXY", "https_proxy"), variable("NO_PROXY", "no_proxy").value_or(""));
}

}  // namespace drawbridge::service
