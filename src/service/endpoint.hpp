// Where the service is, and by which proxy it is reached. Owns the rule that plain HTTP never leaves this machine.
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
    std::string base_path;  // "" or "/api", no slash at its end

    // "https://draws.example.gov/api"
    [[nodiscard]] std::string to_string() const;
};

// ErrorCode::invalid_input says what is wrong with it.
[[nodiscard]] Result<Endpoint> parse_base_url(std::string_view text);

struct Proxy {
    std::string host;
    std::string port;
    Secret authorization;  // the value of Proxy-Authorization, or empty
};

[[nodiscard]] Result<Proxy> parse_proxy(std::string_view text);

// What HTTPS_PROXY (or https_proxy) and NO_PROXY say about this host.
[[nodiscard]] std::optional<std::string> choose_proxy(std::string_view host, std::optional<std::string> https_proxy,
                                                      std::string_view no_proxy);
[[nodiscard]] std::optional<std::string> proxy_from_environment(std::string_view host);

}  // namespace drawbridge::service
