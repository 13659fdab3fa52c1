#include "client_data.hpp"

#include "drawbridge/passkeys/encoding.hpp"
#include "drawbridge/text/json.hpp"

namespace drawbridge::passkeys {
namespace {

constexpr std::size_t max_client_data_bytes = 4096;

std::unexpected<Error> refuse(std::string_view why) {
    return fail(ErrorCode::unauthorized, "the browser's client data: " + std::string(why));
}

}  // namespace

Result<void> check_client_data(std::string_view client_data, std::string_view type, const RelyingParty& site,
                               std::string_view challenge) {
    if (client_data.size() > max_client_data_bytes) return refuse("they are too long");
    const auto parsed = text::parse_json(client_data);
    if (!parsed || !parsed->is_object()) return refuse("they are no JSON object");
    const auto text_of = [&](const char* key) -> std::string {
        const auto found = parsed->find(key);
        return found != parsed->end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    if (text_of("type") != type) return refuse("their type is not " + std::string(type));
    if (challenge.empty() || !equal_in_constant_time(text_of("challenge"), to_base64url(challenge)))
        return refuse("they are about another challenge");
    if (text_of("origin") != site.origin) return refuse("they come from another origin than " + site.origin);
    const auto cross = parsed->find("crossOrigin");
    if (cross != parsed->end() && *cross != false) return refuse("they come from a frame of another site");
    if (parsed->contains("topOrigin")) return refuse("they come from a frame of another site");
    return {};
}

}  // namespace drawbridge::passkeys
