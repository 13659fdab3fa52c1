#include <algorithm>
#include <nlohmann/json.hpp>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/domain/web_address.hpp"
#include "drawbridge/service/codec.hpp"
#include "json.hpp"

namespace drawbridge::service {
namespace {

std::unexpected<Error> refuse_token(const std::string& why) {
    return fail(ErrorCode::protocol, "the service's token cannot be used: " + why);
}

// A number, or a number in quotation marks, as some token services send.
std::optional<std::int64_t> read_duration(const JsonValue* value) {
    if (value == nullptr) return std::nullopt;
    if (const JsonNumber* number = value->number()) return to_integer(number->text);
    if (const std::string* text = value->string(); text != nullptr && !text->empty()) {
        return text->find_first_not_of("0123456789") == std::string::npos ? to_integer(*text) : std::nullopt;
    }
    return std::nullopt;
}

}  // namespace

std::string encode_patch(const DrawPatch& patch) {
    auto body = nlohmann::ordered_json::object();
    if (patch.description) body["description"] = *patch.description;
    if (patch.disbursed_date) body["disbursedDate"] = format_service_instant(*patch.disbursed_date);
    for (const auto& [name, value] : patch.fields)
        body[name] = value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
    return body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string encode_token_request(const Secret& client_id, const Secret& client_secret) {
    return "grant_type=client_credentials&client_id=" + percent_encoded(client_id.reveal()) +
           "&client_secret=" + percent_encoded(client_secret.reveal());
}

Result<AccessToken> parse_token(std::string_view body) {
    const auto json = parse_json(body);
    if (!json) return refuse_token(json.error().message);
    const JsonObject* object = json->object();
    if (object == nullptr) return refuse_token("it is not an object");
    const JsonValue* token = find(*object, "access_token");
    const std::string* text = token == nullptr ? nullptr : token->string();
    if (text == nullptr || text->empty()) return refuse_token("there is no access_token");
    constexpr std::size_t max_bytes = std::size_t{32} * 1024;  // most servers take less in a header
    if (text->size() > max_bytes) {
        return refuse_token("its access_token has " + std::to_string(text->size()) + " bytes, and a header holds " +
                            std::to_string(max_bytes));
    }
    // It goes into a header: a line break would inject further headers.
    const bool printable = std::ranges::all_of(*text, [](char c) { return c > ' ' && c < '\x7f'; });
    if (!printable) return refuse_token("its access_token has characters that are not allowed in a header");
    const JsonValue* type = find(*object, "token_type");
    if (type != nullptr && !type->is_null()) {
        const std::string* name = type->string();
        if (name == nullptr || lowercase(*name) != "bearer") return refuse_token("its token_type is not bearer");
    }
    AccessToken result{.value = Secret(*text), .expires_in = std::nullopt};
    if (const auto lifetime = read_duration(find(*object, "expires_in"))) {
        // Milliseconds, as the interface specifies, not seconds as in RFC 6749. More than a year counts as a year.
        constexpr std::int64_t year = std::int64_t{365} * 24 * 3600 * 1000;
        result.expires_in = std::chrono::milliseconds(std::clamp(*lifetime, std::int64_t{0}, year));
    }
    return result;
}

}  // namespace drawbridge::service
