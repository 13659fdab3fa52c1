// The attestation object of a new passkey: CBOR that a console hands over.
#include "drawbridge/passkeys/encoding.hpp"
#include "drawbridge/passkeys/passkey.hpp"
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    namespace fuzz = drawbridge::fuzz;
    namespace passkeys = drawbridge::passkeys;
    const passkeys::RelyingParty site{"localhost", "http://localhost:8080"};
    const std::string challenge = "challenge";
    const std::string client_data = R"({"type":"webauthn.create","challenge":")" + passkeys::to_base64url(challenge) +
                                    R"(","origin":"http://localhost:8080","crossOrigin":false})";
    const auto made = passkeys::verify_attestation(client_data, fuzz::as_text(data, size), site, challenge);
    if (made) {
        fuzz::expect(!made->credential_id.empty(), "a passkey has an id");
        fuzz::expect(!made->key.bytes.empty(), "a passkey has a key");
    } else {
        fuzz::expect(!made.error().message.empty(), "a refusal says why");
    }
    return 0;
}
