// A new passkey is taken with its key; an attestation that is there must verify.
#include <gmock/gmock.h>

#include "support/authenticator.hpp"

namespace drawbridge::passkeys {
namespace {

using nlohmann::json;
using test::Authenticator;
using ::testing::HasSubstr;

const std::string challenge = "a challenge of thirty-two bytes.";
const RelyingParty site{"localhost", "http://localhost:8080"};

std::string created(const Authenticator::Site& where = {}) {
    return Authenticator::client_data("webauthn.create", challenge, where);
}

TEST(Attestation, takes_each_algorithm_with_and_without_self_attestation) {
    for (const auto algorithm : {Algorithm::es256, Algorithm::rs256, Algorithm::eddsa}) {
        const Authenticator authenticator(algorithm, "its id");
        for (const bool self : {false, true}) {
            const auto client_data = created();
            const auto made =
                verify_attestation(client_data, authenticator.attestation(client_data, {}, self), site, challenge);
            ASSERT_TRUE(made) << to_string(algorithm) << ": " << made.error().message;
            EXPECT_EQ(made->credential_id, "its id");
            EXPECT_EQ(made->key.algorithm, algorithm);
            EXPECT_EQ(made->aaguid, std::string(16, '\x07'));
            EXPECT_FALSE(made->backup_eligible);
        }
    }
}

TEST(Attestation, says_that_a_passkey_may_be_copied) {
    const Authenticator authenticator;
    const Authenticator::Site copied{.backup_eligible = true};
    const auto client_data = created(copied);
    EXPECT_TRUE(verify_attestation(client_data, authenticator.attestation(client_data, copied), site, challenge)
                    ->backup_eligible);
}

TEST(Attestation, refuses_a_self_attestation_that_does_not_verify) {
    const Authenticator authenticator;
    const auto client_data = created();
    json object = json::from_cbor(authenticator.attestation(client_data, {}, /*self=*/true));
    auto& signature = object["attStmt"]["sig"].get_binary();
    signature[10] ^= 0x01;
    std::string bytes;
    json::to_cbor(object, bytes);
    const auto made = verify_attestation(client_data, bytes, site, challenge);
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().message, HasSubstr("does not verify"));
}

TEST(Attestation, refuses_another_site_challenge_type_and_an_unverified_user) {
    const Authenticator authenticator;
    const Authenticator::Site wrong[] = {{.id = "evil.example"},   {.origin = "https://evil.example"},
                                         {.type = "webauthn.get"}, {.user_present = false},
                                         {.user_verified = false}, {.cross_origin = true}};
    for (const auto& where : wrong) {
        const auto client_data = created(where);
        EXPECT_FALSE(verify_attestation(client_data, authenticator.attestation(client_data, where), site, challenge));
    }
    const auto client_data = created();
    EXPECT_FALSE(verify_attestation(client_data, authenticator.attestation(client_data), site, "another"));
}

TEST(Attestation, refuses_objects_that_are_cut_off_or_nest_deeply) {
    const Authenticator authenticator;
    const auto client_data = created();
    const auto good = authenticator.attestation(client_data);
    for (std::size_t size = 0; size < good.size(); ++size)
        EXPECT_FALSE(verify_attestation(client_data, good.substr(0, size), site, challenge)) << size;
    EXPECT_FALSE(verify_attestation(client_data, good + "x", site, challenge));
    EXPECT_FALSE(verify_attestation(client_data, std::string(16'000, '\x81'), site, challenge));
    EXPECT_FALSE(verify_attestation(client_data, std::string(20'000, '\x00'), site, challenge));
}

TEST(Attestation, refuses_a_key_that_is_not_on_its_curve) {
    const Authenticator authenticator;
    const auto client_data = created();
    json object = json::from_cbor(authenticator.attestation(client_data));
    auto& data = object["authData"].get_binary();
    data[data.size() - 1] ^= 0x01;
    std::string bytes;
    json::to_cbor(object, bytes);
    const auto made = verify_attestation(client_data, bytes, site, challenge);
    EXPECT_FALSE(made && verify_assertion(authenticator.sign(challenge), made->key, site, challenge));
}

}  // namespace
}  // namespace drawbridge::passkeys
