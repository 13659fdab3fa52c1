#include "authenticator_data.hpp"

#include "drawbridge/passkeys/encoding.hpp"

namespace drawbridge::passkeys {
namespace {

constexpr std::size_t hash_size = 32;
constexpr unsigned user_present = 0x01;
constexpr unsigned user_verified = 0x04;
constexpr unsigned backup_eligible = 0x08;

unsigned flags_of(std::string_view data) {
    return static_cast<unsigned char>(data[hash_size]);
}

std::unexpected<Error> refuse(std::string_view why) {
    return fail(ErrorCode::unauthorized, "the authenticator's data: " + std::string(why));
}

}  // namespace

Result<void> check_authenticator_data(std::string_view data, const RelyingParty& site) {
    if (data.size() < min_authenticator_data || data.size() > max_authenticator_data)
        return refuse("their length is wrong");
    if (data.substr(0, hash_size) != sha256(site.id)) return refuse("they are for another site than " + site.id);
    if ((flags_of(data) & user_present) == 0) return refuse("the user was not present");
    if ((flags_of(data) & user_verified) == 0)
        return refuse("the user was not verified: set a PIN or a fingerprint on the passkey");
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
