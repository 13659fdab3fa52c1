// The service's address and the proxy to reach it. Owns the rule that plain HTTP never leaves this machine.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/domain/secret.hpp"

namespace drawbridge::service {

struct Endpoint {
    bool tls = true;
    std::string host;       // without brackets
    std::string port;       // decimal
    std::string authority;  // for the Host header: host[:port], brackets around IPv6
    std::string base_path;  // "" or "/api", without a trailing slash

    // "https://draws.example.gov/api"
    [[nodiscard]] std::string to_string() const;
};

// ErrorCode::invalid_input says what is wrong.
[[nodiscard]] Result<Endpoint> parse_base_url(std::string_view text);

struct Proxy {
    std::string host;
    std::string port;
    Secret authorization;  // the value of Proxy-Authorization, or empty
};

[[nodiscard]] Result<Proxy> parse_proxy(std::string_view text);

// The proxy that HTTPS_PROXY (or https_proxy) and NO_PROXY name for this host; nullopt: none.
[[nodiscard]] std::optional<std::string> choose_proxy(std::string_view host, std::optional<std::string> https_proxy,
                                                      std::string_view no_proxy);
[[nodiscard]] std::optional<std::string> proxy_from_environment(std::string_view host);

}  // namespace drawbridge::service
