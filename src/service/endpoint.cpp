#include "endpoint.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>
#include <charconv>
#include <cstdint>
#include <cstdlib>

namespace drawbridge::service {
namespace {

namespace urls = boost::urls;

std::unexpected<Error> refuse(std::string_view what, std::string_view why) {
    return fail(ErrorCode::invalid_input, std::string(what) + ": " + std::string(why));
}

bool is_loopback(std::string_view host) {
    if (host == "localhost") return true;
    boost::system::error_code error;
    const auto address = boost::asio::ip::make_address(std::string(host), error);
    return !error && address.is_loopback();
}

std::string lower(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return result;
}

std::string base64(const std::string& bytes) {
    std::string encoded(4 * ((bytes.size() + 2) / 3) + 1, '\0');  // OpenSSL ends it with a NUL
    const int length =
        EVP_EncodeBlock(reinterpret_cast<unsigned char*>(encoded.data()),
                        reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
    encoded.resize(static_cast<std::size_t>(length));
    return encoded;
}

// Boost.URL 1.81 ends the host of "http://127.0.0.1.example.gov" after the four numbers and takes the rest for a path.
bool is_host_cut_short(const urls::url_view& url) {
    return !url.encoded_path().empty() && !url.encoded_path().starts_with('/');
}

// The port, the scheme's own when none is written, "" when it is out of range.
std::string port_of(const urls::url_view& url, const char* otherwise) {
    const std::string text(url.port());
    if (text.empty()) return otherwise;
    std::uint16_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && number > 0 ? std::to_string(number) : "";
}

std::string host_of(const urls::url_view& url) {
    return lower(std::string(url.host_address()));
}

}  // namespace

std::string Endpoint::to_string() const {
    return (tls ? "https://" : "http://") + authority + base_path;
}

Result<Endpoint> parse_base_url(std::string_view text) {
    constexpr std::string_view what = "service.base_url";
    const auto parsed = urls::parse_uri(text);
    if (!parsed)
        return refuse(what, "'" + std::string(text) + "' is no URL: write it like https://draws.example.gov/api");
    const urls::url_view& url = *parsed;
    const bool tls = url.scheme_id() == urls::scheme::https;
    if (!tls && url.scheme_id() != urls::scheme::http) return refuse(what, "it must begin with https://");
    if (url.host().empty() || is_host_cut_short(url)) return refuse(what, "it names no host");
    if (url.has_userinfo()) return refuse(what, "it must not hold a user or password: use client_id_file");
    if (url.has_query() || url.has_fragment()) return refuse(what, "it must end with the path: no '?' and no '#'");

    Endpoint endpoint;
    endpoint.tls = tls;
    endpoint.host = host_of(url);
    if (!tls && !is_loopback(endpoint.host)) {
        return refuse(what, "plain http is allowed only to this machine (localhost, 127.0.0.1, ::1): write https://" +
                                endpoint.host);
    }
    endpoint.port = port_of(url, tls ? "443" : "80");
    if (endpoint.port.empty()) return refuse(what, "its port is not 1 to 65535");
    const bool is_ipv6 = endpoint.host.find(':') != std::string::npos;
    endpoint.authority = is_ipv6 ? "[" + endpoint.host + "]" : endpoint.host;
    if (!url.port().empty()) endpoint.authority += ":" + endpoint.port;
    endpoint.base_path = std::string(url.encoded_path());
    while (endpoint.base_path.ends_with('/'))
        endpoint.base_path.pop_back();
    return endpoint;
}

Result<Proxy> parse_proxy(std::string_view text) {
    constexpr std::string_view what = "service.proxy";
    const std::string with_scheme =
        text.find("://") == std::string_view::npos ? "http://" + std::string(text) : std::string(text);
    const auto parsed = urls::parse_uri(with_scheme);
    // The text may hold a password, so it is not repeated.
    if (!parsed || parsed->host().empty())
        return refuse(what, "it is no URL: write it like http://proxy.example.gov:3128");
    const urls::url_view& url = *parsed;
    if (url.scheme_id() != urls::scheme::http) return refuse(what, "only http:// proxies (CONNECT) are supported");
    Proxy proxy;
    proxy.host = host_of(url);
    proxy.port = port_of(url, "80");
    if (proxy.port.empty()) return refuse(what, "its port is not 1 to 65535");
    if (url.has_userinfo()) {
        proxy.authorization = Secret("Basic " + base64(std::string(url.user()) + ":" + std::string(url.password())));
    }
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
        const std::string domain = lower(entry);
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
