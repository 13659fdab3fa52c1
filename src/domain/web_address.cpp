#include "drawbridge/domain/web_address.hpp"

#include <algorithm>
#include <boost/url/encode.hpp>
#include <boost/url/parse.hpp>
#include <boost/url/rfc/unreserved_chars.hpp>
#include <boost/url/url_view.hpp>
#include <charconv>
#include <cstdint>

#include "drawbridge/domain/ascii.hpp"

namespace drawbridge {
namespace {

namespace urls = boost::urls;

std::unexpected<Error> refuse(std::string_view why) {
    return fail(ErrorCode::invalid_input, std::string(why));
}

// Judges the parsed host, not how its name begins.
bool is_loopback(const urls::url_view& url) {
    switch (url.host_type()) {
        case urls::host_type::name: return lowercase(url.host()) == "localhost";
        case urls::host_type::ipv4: return url.host_ipv4_address().is_loopback();
        case urls::host_type::ipv6: return url.host_ipv6_address().is_loopback();
        case urls::host_type::none:
        case urls::host_type::ipvfuture: break;
    }
    return false;
}

bool begins_with_four_numbers(std::string_view host) {
    for (int number = 1;; ++number) {
        const std::size_t digits = std::min(host.find_first_not_of("0123456789"), host.size());
        if (digits == 0) return false;
        if (number == 4) return true;
        host.remove_prefix(digits);
        if (!host.starts_with('.')) return false;
        host.remove_prefix(1);
    }
}

// "127.0.0.1.example.gov" is a valid name, but a misspelled IP address or one that is meant to deceive. Boost.URL 1.81
// ends its host after the four numbers and treats the rest as a path; 1.83 returns the name.
bool only_begins_like_ip_address(const urls::url_view& url) {
    if (!url.encoded_path().empty() && !url.encoded_path().starts_with('/')) return true;
    return url.host_type() == urls::host_type::name && begins_with_four_numbers(url.host());
}

// The scheme's default when the URL has none; "" when it is out of range.
std::string port_of(const urls::url_view& url, const char* default_port) {
    const std::string text(url.port());
    if (text.empty()) return default_port;
    std::uint16_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && number > 0 ? std::to_string(number) : "";
}

std::string host_of(const urls::url_view& url) {
    return lowercase(url.host_address());
}

constexpr std::string_view half_ip_address = "has a host name that begins like an IP address";
constexpr std::string_view bad_port = "has a port that is not 1 to 65535";

}  // namespace

Result<WebAddress> parse_web_address(std::string_view text) {
    const auto parsed = urls::parse_uri(text);
    if (!parsed) return refuse("is not an address like https://draws.example.gov/api");
    const urls::url_view& url = *parsed;
    const bool tls = url.scheme_id() == urls::scheme::https;
    if (!tls && url.scheme_id() != urls::scheme::http) return refuse("must begin with https://");
    if (url.host().empty()) return refuse("has no host");
    if (only_begins_like_ip_address(url)) return refuse(half_ip_address);
    if (url.has_userinfo()) return refuse("must not contain a user name or password");
    if (url.has_fragment()) return refuse("must not contain '#'");
    if (!tls && !is_loopback(url))
        return refuse("would go unencrypted: plain http is for this machine only (localhost, 127.0.0.1, [::1])");
    WebAddress address{.tls = tls,
                       .host = host_of(url),
                       .port = port_of(url, tls ? "443" : "80"),
                       .authority = {},
                       .path = std::string(url.encoded_path()),
                       .query = url.has_query() ? "?" + std::string(url.encoded_query()) : std::string()};
    if (address.port.empty()) return refuse(bad_port);
    address.authority = address.host.contains(':') ? "[" + address.host + "]" : address.host;
    if (!url.port().empty()) address.authority += ":" + address.port;
    return address;
}

Result<WebAddress> parse_base_address(std::string_view text) {
    auto address = parse_web_address(text);
    if (!address) return address;
    if (!address->query.empty()) return refuse("must end with its path, without '?'");
    while (address->path.ends_with('/'))
        address->path.pop_back();
    return address;
}

Result<ProxyAddress> parse_proxy_address(std::string_view text) {
    const std::string with_scheme =
        text.find("://") == std::string_view::npos ? "http://" + std::string(text) : std::string(text);
    const auto parsed = urls::parse_uri(with_scheme);
    if (!parsed || parsed->host().empty()) return refuse("is not an address like http://proxy.example.gov:3128");
    const urls::url_view& url = *parsed;
    if (only_begins_like_ip_address(url)) return refuse(half_ip_address);
    if (url.scheme_id() != urls::scheme::http) return refuse("must begin with http://: Drawbridge uses CONNECT");
    const bool ends_with_port = url.encoded_path().empty() || url.encoded_path() == "/";
    if (!ends_with_port || url.has_query() || url.has_fragment()) return refuse("must end with its port");
    ProxyAddress proxy{.host = host_of(url),
                       .port = port_of(url, "80"),
                       .has_credentials = url.has_userinfo(),
                       .user = std::string(url.user()),
                       .password = Secret(std::string(url.password()))};
    if (proxy.port.empty()) return refuse(bad_port);
    return proxy;
}

std::string percent_encoded(std::string_view text) {
    return urls::encode(text, urls::unreserved_chars);
}

}  // namespace drawbridge
