#include <fido.h>
#include <fido/eddsa.h>
#include <fido/es256.h>
#include <fido/rs256.h>

#include <algorithm>
#include <array>
#include <memory>

#include "authenticator_data.hpp"
#include "client_data.hpp"
#include "drawbridge/domain/digest.hpp"

namespace drawbridge::passkeys {
namespace {

struct NamedAlgorithm {
    Algorithm algorithm;
    std::string_view name;
};
constexpr std::array algorithms{NamedAlgorithm{Algorithm::es256, "ES256"}, NamedAlgorithm{Algorithm::eddsa, "EdDSA"},
                                NamedAlgorithm{Algorithm::rs256, "RS256"}};

constexpr std::size_t max_signature = 1024;

struct FreeAssert {
    void operator()(fido_assert_t* assert) const { fido_assert_free(&assert); }
};
struct FreeEs256 {
    void operator()(es256_pk_t* key) const { es256_pk_free(&key); }
};
struct FreeRs256 {
    void operator()(rs256_pk_t* key) const { rs256_pk_free(&key); }
};
struct FreeEddsa {
    void operator()(eddsa_pk_t* key) const { eddsa_pk_free(&key); }
};

// libfido2 takes unsigned char; the bytes are the same.
const unsigned char* raw(std::string_view bytes) {
    return reinterpret_cast<const unsigned char*>(bytes.data());
}

bool is_prepared(fido_assert_t* assert, const Assertion& from, const RelyingParty& site) {
    const std::string hash = sha256(from.client_data);
    const std::string& data = from.authenticator_data;
    return fido_assert_set_count(assert, 1) == FIDO_OK && fido_assert_set_rp(assert, site.id.c_str()) == FIDO_OK &&
           fido_assert_set_clientdata_hash(assert, raw(hash), hash.size()) == FIDO_OK &&
           fido_assert_set_authdata_raw(assert, 0, raw(data), data.size()) == FIDO_OK &&
           fido_assert_set_sig(assert, 0, raw(from.signature), from.signature.size()) == FIDO_OK &&
           fido_assert_set_up(assert, FIDO_OPT_TRUE) == FIDO_OK && fido_assert_set_uv(assert, FIDO_OPT_TRUE) == FIDO_OK;
}

bool is_signed_by(fido_assert_t* assert, const PublicKey& key) {
    const auto verified = [&](int cose, const void* made) {
        return fido_assert_verify(assert, 0, cose, made) == FIDO_OK;
    };
    switch (key.algorithm) {
        case Algorithm::es256: {
            const std::unique_ptr<es256_pk_t, FreeEs256> made(es256_pk_new());
            return es256_pk_from_ptr(made.get(), key.bytes.data(), key.bytes.size()) == FIDO_OK &&
                   verified(COSE_ES256, made.get());
        }
        case Algorithm::rs256: {
            const std::unique_ptr<rs256_pk_t, FreeRs256> made(rs256_pk_new());
            return rs256_pk_from_ptr(made.get(), key.bytes.data(), key.bytes.size()) == FIDO_OK &&
                   verified(COSE_RS256, made.get());
        }
        case Algorithm::eddsa: {
            const std::unique_ptr<eddsa_pk_t, FreeEddsa> made(eddsa_pk_new());
            return eddsa_pk_from_ptr(made.get(), key.bytes.data(), key.bytes.size()) == FIDO_OK &&
                   verified(COSE_EDDSA, made.get());
        }
    }
    return false;
}

}  // namespace

std::string_view to_string(Algorithm algorithm) {
    return std::ranges::find(algorithms, algorithm, &NamedAlgorithm::algorithm)->name;
}

std::optional<Algorithm> parse_algorithm(std::int64_t cose_number) {
    for (const auto& one : algorithms) {
        if (static_cast<std::int64_t>(one.algorithm) == cose_number) return one.algorithm;
    }
    return std::nullopt;
}

Result<void> verify_assertion(const Assertion& assertion, const PublicKey& key, const RelyingParty& site,
                              std::string_view challenge) {
    if (auto good = check_client_data(assertion.client_data, "webauthn.get", site, challenge); !good) return good;
    if (auto good = check_authenticator_data(assertion.authenticator_data, site); !good) return good;
    if (assertion.signature.empty() || assertion.signature.size() > max_signature)
        return fail(ErrorCode::unauthorized, "the signature's length is wrong");
    const std::unique_ptr<fido_assert_t, FreeAssert> prepared(fido_assert_new());
    if (!prepared || !is_prepared(prepared.get(), assertion, site))
        return fail(ErrorCode::unauthorized, "the authenticator's data cannot be read");
    if (is_signed_by(prepared.get(), key)) return {};
    return fail(ErrorCode::unauthorized, "the signature is not by this passkey, or not over this text");
}

}  // namespace drawbridge::passkeys
