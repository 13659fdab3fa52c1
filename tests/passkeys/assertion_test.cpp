// A signature counts only for its challenge, site, key and a verified user.
#include <gmock/gmock.h>

#include "support/authenticator.hpp"

namespace drawbridge::passkeys {
namespace {

using test::Authenticator;
using ::testing::HasSubstr;

const std::string challenge = "a challenge of thirty-two bytes.";
const RelyingParty site{"localhost", "http://localhost:8080"};

PublicKey enrolled(const Authenticator& from) {
    const auto client_data = Authenticator::client_data("webauthn.create", challenge, {});
    return verify_attestation(client_data, from.attestation(client_data), site, challenge).value().key;
}

class EachAlgorithm : public ::testing::TestWithParam<Algorithm> {
  protected:
    Authenticator authenticator{GetParam()};
    PublicKey key = enrolled(authenticator);

    [[nodiscard]] std::string refusal(const Assertion& assertion) const {
        const auto verified = verify_assertion(assertion, key, site, challenge);
        if (verified) return "accepted";
        EXPECT_EQ(verified.error().code, ErrorCode::unauthorized);
        return verified.error().message;
    }
};

INSTANTIATE_TEST_SUITE_P(Keys, EachAlgorithm, ::testing::Values(Algorithm::es256, Algorithm::rs256, Algorithm::eddsa),
                         [](const auto& one) { return std::string(to_string(one.param)); });

TEST_P(EachAlgorithm, accepts_what_its_key_signed) {
    EXPECT_EQ(key.algorithm, GetParam());
    EXPECT_EQ(refusal(authenticator.sign(challenge)), "accepted");
}

TEST_P(EachAlgorithm, refuses_another_key_of_the_same_kind) {
    const Authenticator other(GetParam());
    EXPECT_THAT(refusal(other.sign(challenge)), HasSubstr("not by this passkey"));
}

TEST_P(EachAlgorithm, refuses_a_key_that_is_said_to_be_of_another_algorithm) {
    for (const auto algorithm : {Algorithm::es256, Algorithm::rs256, Algorithm::eddsa}) {
        if (algorithm == GetParam()) continue;
        const PublicKey confused{algorithm, key.bytes};
        EXPECT_FALSE(verify_assertion(authenticator.sign(challenge), confused, site, challenge));
    }
}

TEST_P(EachAlgorithm, refuses_a_signature_with_one_bit_changed) {
    const auto good = authenticator.sign(challenge);
    for (std::size_t at = 0; at < good.signature.size(); at += 7) {
        auto bad = good;
        bad.signature[at] = static_cast<char>(bad.signature[at] ^ 0x01);
        EXPECT_NE(refusal(bad), "accepted") << at;
    }
}

TEST_P(EachAlgorithm, refuses_signed_data_with_one_bit_changed) {
    const auto good = authenticator.sign(challenge);
    for (std::size_t at = 0; at < good.authenticator_data.size(); ++at) {
        auto bad = good;
        bad.authenticator_data[at] = static_cast<char>(bad.authenticator_data[at] ^ 0x10);
        EXPECT_NE(refusal(bad), "accepted") << at;
    }
    for (std::size_t at = 0; at < good.client_data.size(); ++at) {
        auto bad = good;
        bad.client_data[at] = static_cast<char>(bad.client_data[at] ^ 0x01);
        EXPECT_NE(refusal(bad), "accepted") << at;
    }
}

struct WrongSite {
    Authenticator::Site site;
    std::string says;
};

TEST_P(EachAlgorithm, refuses_another_site_a_frame_and_an_unverified_user) {
    const WrongSite wrong[] = {
        {{.origin = "http://localhost:8081"}, "another origin"},
        {{.origin = "https://localhost:8080"}, "another origin"},
        {{.origin = "http://localhost:8080.evil.example"}, "another origin"},
        {{.id = "evil.example"}, "another site"},
        {{.type = "webauthn.create"}, "type is not webauthn.get"},
        {{.user_present = false}, "not present"},
        {{.user_verified = false}, "not verified"},
        {{.cross_origin = true}, "frame of another site"},
    };
    for (const auto& one : wrong)
        EXPECT_THAT(refusal(authenticator.sign(challenge, one.site)), HasSubstr(one.says));
}

TEST_P(EachAlgorithm, refuses_another_challenge_and_an_empty_one) {
    EXPECT_THAT(refusal(authenticator.sign("another challenge")), HasSubstr("another challenge"));
    EXPECT_FALSE(verify_assertion(authenticator.sign(""), key, site, ""));
}

TEST(Assertion, refuses_client_data_that_are_no_object_or_too_long) {
    const Authenticator authenticator;
    auto assertion = authenticator.sign(challenge);
    for (const std::string& text : {std::string(), std::string("[]"), std::string("{"), std::string(5000, ' ')}) {
        assertion.client_data = text;
        EXPECT_FALSE(verify_assertion(assertion, {}, site, challenge)) << text.substr(0, 10);
    }
}

// libcbor takes memory for every element that an array says it has: gigabytes for five bytes.
TEST(Assertion, refuses_extensions_that_say_they_have_more_than_there_is) {
    const Authenticator authenticator;
    const auto with_extensions = [&](std::string_view cbor) {
        auto made = authenticator.sign(challenge);
        made.authenticator_data[32] = static_cast<char>(made.authenticator_data[32] | 0x80);
        made.authenticator_data += cbor;
        return verify_assertion(made, enrolled(authenticator), site, challenge).error().message;
    };
    using namespace std::string_view_literals;
    for (const auto cbor :
         {"\x9A\x04\x00\x00\x00"sv, "\xBB\x00\x00\x00\x08\x00\x00\x00\x00"sv, "\x9F\x01\xFF"sv,
          "\x5A\xFF\xFF\xFF\xFF"sv, "\x81\x81\x81\x81\x81\x81\x81\x81\x01"sv, "\xA1\x61"sv, "\xA0\xA0"sv, ""sv})
        EXPECT_THAT(with_extensions(cbor), HasSubstr("they cannot be read")) << to_base64url(cbor);
    EXPECT_THAT(with_extensions("\xA1\x61\x61\xF5"sv), HasSubstr("the signature is not"))
        << "read, but not what was signed";
}

TEST(Assertion, refuses_lengths_that_nothing_has) {
    const Authenticator authenticator;
    auto assertion = authenticator.sign(challenge);
    assertion.authenticator_data.resize(36);
    EXPECT_FALSE(verify_assertion(assertion, {}, site, challenge));
    assertion = authenticator.sign(challenge);
    assertion.signature.clear();
    EXPECT_FALSE(verify_assertion(assertion, {}, site, challenge));
}

}  // namespace
}  // namespace drawbridge::passkeys
