// The URLs that a configuration names and a client connects to: validation and use share one set of rules. Plain HTTP
// is allowed to this machine only.
#pragma once

#include <string>
#include <string_view>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/domain/secret.hpp"

namespace drawbridge {

struct WebAddress {
    bool tls = true;
    std::string host;       // lower case, without brackets
    std::string port;       // decimal; the scheme's default when the URL has none
    std::string authority;  // for the Host header: host[:port], brackets around IPv6
    std::string path;       // as written, percent-encoded: "", "/", "/hooks/T0"
    std::string query;      // as written: "", "?key=value"
};

// https://HOST[:PORT][/PATH][?QUERY], or http:// to localhost, 127.0.0.0/8 or ::1. The error message continues the name
// of a configuration key ("has no host"). It never repeats the address, which may be a secret.
[[nodiscard]] Result<WebAddress> parse_web_address(std::string_view text);

// Parses a base address, to which paths are appended: no query, and no slash at the end of its path.
[[nodiscard]] Result<WebAddress> parse_base_address(std::string_view text);

struct ProxyAddress {
    std::string host;
    std::string port;
    bool has_credentials = false;
    std::string user;
    Secret password;
};

// [http://][USER:PASSWORD@]HOST[:PORT]
[[nodiscard]] Result<ProxyAddress> parse_proxy_address(std::string_view text);

// Any text as one segment of a path, or one value of a query: "a b/c" → "a%20b%2Fc".
[[nodiscard]] std::string percent_encoded(std::string_view text);

}  // namespace drawbridge
