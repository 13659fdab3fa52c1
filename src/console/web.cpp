#include "drawbridge/console/web.hpp"

#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

namespace drawbridge::console {
namespace {

constexpr std::string_view content_security_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

// Those that browsers know; a name that they don't is a warning on every page.
constexpr std::string_view permissions_policy =
    "accelerometer=(), autoplay=(), camera=(), display-capture=(), encrypted-media=(), fullscreen=(), gamepad=(), "
    "geolocation=(), gyroscope=(), hid=(), idle-detection=(), magnetometer=(), microphone=(), midi=(), payment=(), "
    "screen-wake-lock=(), serial=(), usb=(), xr-spatial-tracking=(), clipboard-read=(), clipboard-write=(self), "
    "publickey-credentials-get=(self), publickey-credentials-create=(self)";

}  // namespace

std::string WebRequest::parameter(std::string_view name) const {
    for (const auto& [key, value] : query) {
        if (key == name) return value;
    }
    return {};
}

Result<void> read_target(std::string_view target, WebRequest& into) {
    const auto url = boost::urls::parse_origin_form({target.data(), target.size()});
    if (!url) return fail(ErrorCode::invalid_input, "the request's target is not a path");
    into.target = target;
    for (const auto& segment : url->segments())
        into.segments.push_back(segment);
    if (into.segments.size() == 1 && into.segments.front().empty()) into.segments.clear();
    boost::urls::encoding_opts plus_is_space;
    plus_is_space.space_as_plus = true;
    for (const auto& parameter : url->params(plus_is_space))
        into.query.emplace_back(parameter.key, parameter.value);
    return {};
}

Reply redirect(std::string location) {
    Reply reply;
    reply.status = 303;
    reply.content_type = "text/plain; charset=utf-8";
    reply.fields.emplace_back("Location", std::move(location));
    return reply;
}

Fields security_fields(bool is_asset, bool has_tls) {
    Fields fields = {{"Content-Security-Policy", std::string(content_security_policy)},
                     {"Permissions-Policy", std::string(permissions_policy)},
                     {"Referrer-Policy", "no-referrer"},
                     {"X-Content-Type-Options", "nosniff"},
                     {"Cross-Origin-Opener-Policy", "same-origin"},
                     {"Cross-Origin-Resource-Policy", "same-origin"},
                     {"Cache-Control", is_asset ? "public, max-age=31536000, immutable" : "no-store"}};
    if (has_tls) fields.emplace_back("Strict-Transport-Security", "max-age=31536000");
    return fields;
}

}  // namespace drawbridge::console
