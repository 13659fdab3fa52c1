#include "authenticator_data.hpp"

#include "bounded_cbor.hpp"
#include "drawbridge/domain/digest.hpp"

namespace drawbridge::passkeys {
namespace {

constexpr std::size_t hash_size = 32;
constexpr unsigned user_present = 0x01;
constexpr unsigned user_verified = 0x04;
constexpr unsigned backup_eligible = 0x08;
constexpr unsigned has_key = 0x40;
constexpr unsigned has_extensions = 0x80;
constexpr std::size_t aaguid_size = 16;

unsigned flags_of(std::string_view data) {
    return static_cast<unsigned char>(data[hash_size]);
}

std::unexpected<Error> refuse(std::string_view why) {
    return fail(ErrorCode::unauthorized, "the authenticator's data: " + std::string(why));
}

// What follows the counter: the new credential's model, id and key, and extensions, as the flags say. The last two are
// CBOR.
bool is_rest_sound(std::string_view data) {
    const unsigned flags = flags_of(data);
    std::string_view rest = data.substr(min_authenticator_data);
    if ((flags & has_key) != 0) {
        if (rest.size() < aaguid_size + 2) return false;
        const auto byte_at = [&](std::size_t at) { return std::size_t{static_cast<unsigned char>(rest[at])}; };
        const std::size_t id_size = byte_at(aaguid_size) << 8U | byte_at(aaguid_size + 1);
        rest.remove_prefix(aaguid_size + 2);
        if (rest.size() < id_size) return false;
        rest.remove_prefix(id_size);
    }
    return is_bounded_cbor(rest, ((flags & has_key) != 0 ? 1 : 0) + ((flags & has_extensions) != 0 ? 1 : 0));
}

}  // namespace

Result<void> check_authenticator_data(std::string_view data, const RelyingParty& site) {
    if (data.size() < min_authenticator_data || data.size() > max_authenticator_data)
        return refuse("their length is wrong");
    if (data.substr(0, hash_size) != sha256(site.id)) return refuse("they are for another site than " + site.id);
    if ((flags_of(data) & user_present) == 0) return refuse("the user was not present");
    if ((flags_of(data) & user_verified) == 0)
        return refuse("the user was not verified: set a PIN or a fingerprint on the passkey");
    if (!is_rest_sound(data)) return refuse("they cannot be read");
    return {};
}

std::uint32_t signature_counter(std::string_view data) {
    std::uint32_t counter = 0;
    if (data.size() < min_authenticator_data) return counter;
    for (const char byte : data.substr(hash_size + 1, sizeof counter))
        counter = counter << 8U | static_cast<unsigned char>(byte);
    return counter;
}

bool is_backup_eligible(std::string_view data) {
    return data.size() >= min_authenticator_data && (flags_of(data) & backup_eligible) != 0;
}

}  // namespace drawbridge::passkeys
