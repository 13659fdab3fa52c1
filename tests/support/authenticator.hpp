// A passkey authenticator: real keys by OpenSSL, WebAuthn's formats by hand, and every way to get them wrong.
#pragma once

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "drawbridge/domain/digest.hpp"
#include "drawbridge/passkeys/encoding.hpp"
#include "drawbridge/passkeys/passkey.hpp"

namespace drawbridge::test {

struct FreeKey {
    void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};

class Authenticator {
  public:
    using Algorithm = passkeys::Algorithm;
    using json = nlohmann::json;

    // What a ceremony says; each may be set wrong.
    struct Site {
        std::string id = "localhost";
        std::string origin = "http://localhost:8080";
        std::string type = {};  // empty: the right one
        bool user_present = true, user_verified = true, cross_origin = false, backup_eligible = false;
        unsigned char counter = 0;
    };

    explicit Authenticator(Algorithm algorithm = Algorithm::es256, std::string credential_id = "credential-1")
        : algorithm_(algorithm), id_(std::move(credential_id)), key_(make_key(algorithm)) {}

    [[nodiscard]] const std::string& id() const { return id_; }
    // The same key under another id.
    [[nodiscard]] Authenticator renamed(std::string credential_id) const {
        EVP_PKEY_up_ref(key_.get());
        return {algorithm_, std::move(credential_id), Key(key_.get())};
    }
    [[nodiscard]] static std::string client_data(const std::string& type, std::string_view challenge,
                                                 const Site& site) {
        return json{{"type", site.type.empty() ? type : site.type},
                    {"challenge", passkeys::to_base64url(challenge)},
                    {"origin", site.origin},
                    {"crossOrigin", site.cross_origin}}
            .dump();
    }

    [[nodiscard]] passkeys::Assertion sign(std::string_view challenge, const Site& site) const {
        passkeys::Assertion made;
        made.client_data = client_data("webauthn.get", challenge, site);
        made.authenticator_data = authenticator_data(site, /*with_key=*/false);
        made.signature = signature(made.authenticator_data + sha256(made.client_data));
        return made;
    }
    [[nodiscard]] passkeys::Assertion sign(std::string_view challenge) const { return sign(challenge, Site()); }

    // CBOR: {"fmt", "attStmt", "authData"}. `self`: the new key signs its own attestation ("packed").
    [[nodiscard]] std::string attestation(std::string_view client_data, const Site& site, bool self = false) const {
        const std::string data = authenticator_data(site, /*with_key=*/true);
        json statement = json::object();
        if (self) {
            const std::string signed_bytes = signature(data + sha256(client_data));
            statement["alg"] = static_cast<int>(algorithm_);
            statement["sig"] = json::binary(std::vector<std::uint8_t>(signed_bytes.begin(), signed_bytes.end()));
        }
        const json object = {{"fmt", self ? "packed" : "none"},
                             {"attStmt", statement},
                             {"authData", json::binary(std::vector<std::uint8_t>(data.begin(), data.end()))}};
        std::string bytes;
        json::to_cbor(object, bytes);
        return bytes;
    }
    [[nodiscard]] std::string attestation(std::string_view client_data) const {
        return attestation(client_data, Site());
    }

  private:
    using Key = std::unique_ptr<EVP_PKEY, FreeKey>;

    Authenticator(Algorithm algorithm, std::string credential_id, Key key)
        : algorithm_(algorithm), id_(std::move(credential_id)), key_(std::move(key)) {}

    static Key make_key(Algorithm algorithm) {
        EVP_PKEY* key = nullptr;
        switch (algorithm) {
            case Algorithm::es256: key = EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"); break;
            case Algorithm::rs256: key = rsa_key(); break;
            case Algorithm::eddsa: key = EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"); break;
        }
        if (key == nullptr) throw std::runtime_error("no key was made");
        return Key(key);
    }

    // One of two, in turn: making one may take seconds.
    static EVP_PKEY* rsa_key() {
        static const Key made[2] = {Key(EVP_RSA_gen(2048)), Key(EVP_RSA_gen(2048))};
        static unsigned turn = 0;
        EVP_PKEY* key = made[turn++ % 2].get();
        EVP_PKEY_up_ref(key);
        return key;
    }

    [[nodiscard]] std::string signature(const std::string& bytes) const {
        const EVP_MD* hash = algorithm_ == Algorithm::eddsa ? nullptr : EVP_sha256();
        const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
        const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
        std::size_t size = 0;
        EVP_DigestSignInit(context.get(), nullptr, hash, nullptr, key_.get());
        EVP_DigestSign(context.get(), nullptr, &size, data, bytes.size());
        std::string made(size, '\0');
        EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(made.data()), &size, data, bytes.size());
        made.resize(size);
        return made;
    }

    static void append_bytes(std::string& cbor, const std::string& bytes) {
        json::to_cbor(json::binary(std::vector<std::uint8_t>(bytes.begin(), bytes.end())), cbor);
    }
    static void append_number(std::string& cbor, int number) { json::to_cbor(json(number), cbor); }

    [[nodiscard]] std::string number_of(const char* name, std::size_t size) const {
        BIGNUM* number = nullptr;
        EVP_PKEY_get_bn_param(key_.get(), name, &number);
        std::string bytes(size, '\0');
        BN_bn2binpad(number, reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(size));
        BN_free(number);
        return bytes;
    }

    // A CBOR map with numbers as keys, in the canonical order.
    [[nodiscard]] std::string cose_key() const {
        std::string cbor;
        const auto begin = [&](int entries, int type) {
            cbor.push_back(static_cast<char>(0xA0 + entries));
            append_number(cbor, 1);
            append_number(cbor, type);
            append_number(cbor, 3);
            append_number(cbor, static_cast<int>(algorithm_));
        };
        switch (algorithm_) {
            case Algorithm::es256:
                begin(5, 2);
                append_number(cbor, -1);
                append_number(cbor, 1);
                append_number(cbor, -2);
                append_bytes(cbor, number_of("qx", 32));
                append_number(cbor, -3);
                append_bytes(cbor, number_of("qy", 32));
                break;
            case Algorithm::rs256:
                begin(4, 3);
                append_number(cbor, -1);
                append_bytes(cbor, number_of("n", 256));
                append_number(cbor, -2);
                append_bytes(cbor, number_of("e", 3));
                break;
            case Algorithm::eddsa: {
                begin(4, 1);
                append_number(cbor, -1);
                append_number(cbor, 6);
                append_number(cbor, -2);
                std::size_t size = 32;
                std::string bytes(size, '\0');
                EVP_PKEY_get_raw_public_key(key_.get(), reinterpret_cast<unsigned char*>(bytes.data()), &size);
                append_bytes(cbor, bytes);
                break;
            }
        }
        return cbor;
    }

    [[nodiscard]] std::string authenticator_data(const Site& site, bool with_key) const {
        std::string data = sha256(site.id);
        const int flags = (site.user_present ? 0x01 : 0) | (site.user_verified ? 0x04 : 0) |
                          (site.backup_eligible ? 0x08 : 0) | (with_key ? 0x40 : 0);
        data.push_back(static_cast<char>(flags));
        data += std::string(3, '\0') + static_cast<char>(site.counter);
        if (!with_key) return data;
        data += std::string(16, '\x07');  // the model
        data.push_back(static_cast<char>(id_.size() >> 8U));
        data.push_back(static_cast<char>(id_.size() & 0xFFU));
        return data + id_ + cose_key();
    }

    Algorithm algorithm_;
    std::string id_;
    Key key_;
};

}  // namespace drawbridge::test
