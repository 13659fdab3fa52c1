#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>

#include <memory>
#include <string_view>

#include "drawbridge/passkeys/passkey.hpp"

namespace drawbridge::passkeys {
namespace {

struct Free {
    void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
    void operator()(EVP_PKEY_CTX* context) const { EVP_PKEY_CTX_free(context); }
    void operator()(OSSL_PARAM_BLD* builder) const { OSSL_PARAM_BLD_free(builder); }
    void operator()(OSSL_PARAM* parameters) const { OSSL_PARAM_free(parameters); }
    void operator()(BIGNUM* number) const { BN_free(number); }
    void operator()(BIO* bio) const { BIO_free(bio); }
};
template <class T>
using Owned = std::unique_ptr<T, Free>;
using Key = Owned<EVP_PKEY>;

const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

Key key_from(const char* type, OSSL_PARAM_BLD* builder) {
    const Owned<OSSL_PARAM> parameters(OSSL_PARAM_BLD_to_param(builder));
    const Owned<EVP_PKEY_CTX> context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
    EVP_PKEY* key = nullptr;
    if (context && parameters && EVP_PKEY_fromdata_init(context.get()) == 1)
        EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, parameters.get());
    return Key(key);
}

Key p256_key(const std::string& x_and_y) {
    const std::string point = "\x04" + x_and_y;  // not compressed
    const Owned<OSSL_PARAM_BLD> builder(OSSL_PARAM_BLD_new());
    OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0);
    OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size());
    return key_from("EC", builder.get());
}

Key rsa_key(std::string_view modulus_and_exponent) {
    constexpr std::size_t exponent_bytes = 3;
    if (modulus_and_exponent.size() <= exponent_bytes) return nullptr;
    const auto modulus = modulus_and_exponent.substr(0, modulus_and_exponent.size() - exponent_bytes);
    const auto exponent = modulus_and_exponent.substr(modulus.size());
    const Owned<BIGNUM> n(BN_bin2bn(bytes_of(modulus), static_cast<int>(modulus.size()), nullptr));
    const Owned<BIGNUM> e(BN_bin2bn(bytes_of(exponent), static_cast<int>(exponent.size()), nullptr));
    const Owned<OSSL_PARAM_BLD> builder(OSSL_PARAM_BLD_new());
    OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get());
    OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get());
    return key_from("RSA", builder.get());
}

Key key_of(const PublicKey& key) {
    switch (key.algorithm) {
        case Algorithm::es256: return p256_key(key.bytes);
        case Algorithm::rs256: return rsa_key(key.bytes);
        case Algorithm::eddsa: break;
    }
    return Key(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, bytes_of(key.bytes), key.bytes.size()));
}

}  // namespace

std::string to_pem(const PublicKey& key) {
    const Key loaded = key_of(key);
    const Owned<BIO> out(BIO_new(BIO_s_mem()));
    if (!loaded || !out || PEM_write_bio_PUBKEY(out.get(), loaded.get()) != 1) return {};
    const char* text = nullptr;
    const long size = BIO_get_mem_data(out.get(), &text);
    return {text, static_cast<std::size_t>(size)};
}

}  // namespace drawbridge::passkeys
