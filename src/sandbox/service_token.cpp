// The token endpoint: OAuth 2.0 client credentials, with the errors of RFC 6749.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

#include "service.hpp"
#include "wire.hpp"

namespace draws_sandbox {
namespace {

struct Credentials {
    std::string id;
    std::string secret;
};

Reply token_error(unsigned status, std::string_view error, std::string_view description) {
    std::string body = R"({"error":)";
    append_json_string(body, error);
    body += R"(,"error_description":)";
    append_json_string(body, description);
    body += '}';
    auto reply = json_reply(status, std::move(body));
    reply.headers.emplace_back("Cache-Control", "no-store");
    if (status == 401) reply.headers.emplace_back("WWW-Authenticate", R"(Basic realm="draws")");
    return reply;
}

// The form's value if it occurs exactly once.
std::optional<std::string> form_field(const Parameters& form, std::string_view name) {
    const auto is_it = [name](const auto& entry) { return entry.first == name; };
    const auto found = std::ranges::find_if(form, is_it);
    if (found == form.end() || std::ranges::count_if(form, is_it) != 1) return std::nullopt;
    return found->second;
}

std::optional<std::string> decode_base64(std::string_view text) {
    static constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    while (text.ends_with('='))
        text.remove_suffix(1);
    std::string out;
    unsigned bits = 0;
    unsigned held = 0;
    for (const char c : text) {
        const auto digit = digits.find(c);
        if (digit == std::string_view::npos) return std::nullopt;
        bits = (bits << 6U | static_cast<unsigned>(digit)) & 0xffffffU;
        held += 6;
        if (held < 8) continue;
        held -= 8;
        out += static_cast<char>(bits >> held & 0xffU);
    }
    return out;
}

// "Basic base64(id:secret)", with both parts form-encoded.
std::optional<Credentials> basic_credentials(std::string_view header) {
    if (!header.starts_with("Basic ")) return std::nullopt;
    const auto text = decode_base64(header.substr(6));
    const auto colon = text ? text->find(':') : std::string::npos;
    if (colon == std::string::npos) return std::nullopt;
    const auto parts = parse_parameters("id=" + text->substr(0, colon) + "&secret=" + text->substr(colon + 1));
    if (!parts || parts->size() != 2) return std::nullopt;
    return Credentials{parts->at(0).second, parts->at(1).second};
}

std::optional<Credentials> form_credentials(const Parameters& form) {
    auto id = form_field(form, "client_id");
    auto secret = form_field(form, "client_secret");
    if (!id || !secret) return std::nullopt;
    return Credentials{std::move(*id), std::move(*secret)};
}

bool is_form(std::string_view content_type) {
    return std::ranges::equal(content_type.substr(0, content_type.find(';')),
                              std::string_view("application/x-www-form-urlencoded"),
                              [](unsigned char a, unsigned char b) { return std::tolower(a) == b; });
}

}  // namespace

Reply Service::issue_token(const Request& request) {
    if (!is_form(request.content_type)) {
        return token_error(400, "invalid_request", "the body must be application/x-www-form-urlencoded");
    }
    const auto form = parse_parameters(request.body);
    if (!form) return token_error(400, "invalid_request", "the form has an invalid percent escape");
    const auto grant_type = form_field(*form, "grant_type");
    if (!grant_type) return token_error(400, "invalid_request", "grant_type is required, once");
    if (*grant_type != "client_credentials") {
        return token_error(400, "unsupported_grant_type", "grant_type must be client_credentials");
    }
    auto credentials = form_credentials(*form);
    if (!credentials && options_.accept_basic_auth) credentials = basic_credentials(request.authorization);
    if (!credentials) return token_error(400, "invalid_request", "client_id and client_secret are required, once");
    const bool id_matches = same_secret(credentials->id, client_.id);
    const bool secret_matches = same_secret(credentials->secret, client_.secret);
    if (!id_matches || !secret_matches) return token_error(401, "invalid_client", "unknown client or wrong secret");
    auto reply = json_reply(options_.token_status,
                            fmt::format(R"({{"access_token":"{}","token_type":"Bearer","expires_in":{}}})",
                                        tokens_.issue(now()), tokens_.lifetime().count()));
    reply.headers.emplace_back("Cache-Control", "no-store");
    return reply;
}

}  // namespace draws_sandbox
