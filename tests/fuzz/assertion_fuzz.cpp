// What a browser says that it signed: client data, authenticator data and signature, each up to the next zero byte.
// Authenticator data begin with their flags.
#include <algorithm>
#include <array>

#include "drawbridge/domain/digest.hpp"
#include "drawbridge/passkeys/encoding.hpp"
#include "drawbridge/passkeys/passkey.hpp"
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    namespace fuzz = drawbridge::fuzz;
    namespace passkeys = drawbridge::passkeys;
    std::string_view rest = fuzz::as_text(data, size);
    std::array<std::string, 3> parts;
    for (auto& part : parts) {
        const auto end = std::min(rest.find('\0'), rest.size());
        part = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    const passkeys::RelyingParty site{"localhost", "http://localhost:8080"};
    const std::string right_data = R"({"type":"webauthn.get","challenge":")" + passkeys::to_base64url("challenge") +
                                   R"(","origin":"http://localhost:8080"})";
    const passkeys::Assertion assertion{parts[0].empty() ? right_data : parts[0],
                                        drawbridge::sha256(site.id) + parts[1], parts[2]};
    for (const auto algorithm : {passkeys::Algorithm::es256, passkeys::Algorithm::eddsa, passkeys::Algorithm::rs256}) {
        const passkeys::PublicKey key{algorithm, std::string(algorithm == passkeys::Algorithm::rs256 ? 259 : 64, '\1')};
        fuzz::expect(!passkeys::verify_assertion(assertion, key, site, "challenge"), "nobody has this key");
    }
    return 0;
}
