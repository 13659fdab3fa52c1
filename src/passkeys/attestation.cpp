#include <fido.h>

#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "authenticator_data.hpp"
#include "client_data.hpp"
#include "drawbridge/domain/digest.hpp"

namespace drawbridge::passkeys {
namespace {

using nlohmann::json;

constexpr std::size_t max_attestation_object = 16 * 1024;

struct FreeCredential {
    void operator()(fido_cred_t* credential) const { fido_cred_free(&credential); }
};
using Credential = std::unique_ptr<fido_cred_t, FreeCredential>;

// A CBOR map: {"fmt": text, "attStmt": map, "authData": bytes}.
struct AttestationObject {
    std::string format;
    std::string statement;  // CBOR
    std::string authenticator_data;
    bool has_certificate = false;
};

const unsigned char* raw(std::string_view bytes) {
    return reinterpret_cast<const unsigned char*>(bytes.data());
}

std::string copied(const unsigned char* bytes, std::size_t size) {
    return bytes == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(bytes), size);
}

std::unexpected<Error> refuse(std::string_view why) {
    return fail(ErrorCode::unauthorized, "the new passkey: " + std::string(why));
}

// CBOR is read recursively: depth costs stack.
class DepthLimit final : public json::json_sax_t {
  public:
    bool null() override { return true; }
    bool boolean(bool /*value*/) override { return true; }
    bool number_integer(number_integer_t /*value*/) override { return true; }
    bool number_unsigned(number_unsigned_t /*value*/) override { return true; }
    bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return true; }
    bool string(string_t& /*value*/) override { return true; }
    bool binary(binary_t& /*value*/) override { return true; }
    bool start_object(std::size_t /*elements*/) override { return ++depth_ <= max_depth; }
    bool key(string_t& /*value*/) override { return true; }
    bool end_object() override { return --depth_ >= 0; }
    bool start_array(std::size_t /*elements*/) override { return ++depth_ <= max_depth; }
    bool end_array() override { return --depth_ >= 0; }
    bool parse_error(std::size_t /*at*/, const std::string& /*token*/, const json::exception& /*error*/) override {
        return false;
    }

  private:
    static constexpr int max_depth = 8;
    int depth_ = 0;
};

std::optional<AttestationObject> read_object(std::string_view bytes) {
    if (bytes.size() > max_attestation_object) return std::nullopt;
    DepthLimit limit;
    if (!json::sax_parse(bytes.begin(), bytes.end(), &limit, json::input_format_t::cbor)) return std::nullopt;
    const json object = json::from_cbor(bytes.begin(), bytes.end(), /*strict=*/true, /*allow_exceptions=*/false);
    if (!object.is_object() || object.size() != 3) return std::nullopt;
    const auto format = object.find("fmt");
    const auto statement = object.find("attStmt");
    const auto data = object.find("authData");
    if (format == object.end() || !format->is_string() || statement == object.end() || !statement->is_object() ||
        data == object.end() || !data->is_binary()) {
        return std::nullopt;
    }
    AttestationObject read;
    read.format = format->get<std::string>();
    json::to_cbor(*statement, read.statement);
    const auto& binary = data->get_binary();
    read.authenticator_data.assign(binary.begin(), binary.end());
    read.has_certificate = statement->contains("x5c");
    return read;
}

// libfido2 reads the key only as one of the algorithm that it is told.
Credential load(const AttestationObject& object, const std::string& client_data_hash, const RelyingParty& site,
                Algorithm algorithm) {
    Credential credential(fido_cred_new());
    const bool is_loaded =
        credential && fido_cred_set_type(credential.get(), static_cast<int>(algorithm)) == FIDO_OK &&
        fido_cred_set_rp(credential.get(), site.id.c_str(), nullptr) == FIDO_OK &&
        fido_cred_set_uv(credential.get(), FIDO_OPT_TRUE) == FIDO_OK &&
        fido_cred_set_clientdata_hash(credential.get(), raw(client_data_hash), client_data_hash.size()) == FIDO_OK &&
        fido_cred_set_authdata_raw(credential.get(), raw(object.authenticator_data),
                                   object.authenticator_data.size()) == FIDO_OK;
    return is_loaded ? std::move(credential) : nullptr;
}

bool is_attested(fido_cred_t* credential, const AttestationObject& object) {
    if (fido_cred_set_fmt(credential, object.format.c_str()) != FIDO_OK ||
        fido_cred_set_attstmt(credential, raw(object.statement), object.statement.size()) != FIDO_OK) {
        return false;
    }
    return (object.has_certificate ? fido_cred_verify(credential) : fido_cred_verify_self(credential)) == FIDO_OK;
}

}  // namespace

Result<NewPasskey> verify_attestation(std::string_view client_data, std::string_view attestation_object,
                                      const RelyingParty& site, std::string_view challenge) {
    if (auto good = check_client_data(client_data, "webauthn.create", site, challenge); !good)
        return std::unexpected(good.error());
    const auto object = read_object(attestation_object);
    if (!object) return refuse("its attestation object cannot be read");
    if (auto good = check_authenticator_data(object->authenticator_data, site); !good)
        return std::unexpected(good.error());
    const std::string hash = sha256(client_data);
    for (const auto algorithm : {Algorithm::es256, Algorithm::eddsa, Algorithm::rs256}) {
        const Credential credential = load(*object, hash, site, algorithm);
        if (!credential) continue;
        if (object->format != "none" && !is_attested(credential.get(), *object))
            return refuse("its attestation (" + object->format.substr(0, 20) + ") does not verify");
        NewPasskey made;
        made.credential_id = copied(fido_cred_id_ptr(credential.get()), fido_cred_id_len(credential.get()));
        made.key = {algorithm, copied(fido_cred_pubkey_ptr(credential.get()), fido_cred_pubkey_len(credential.get()))};
        made.aaguid = copied(fido_cred_aaguid_ptr(credential.get()), fido_cred_aaguid_len(credential.get()));
        made.backup_eligible = is_backup_eligible(object->authenticator_data);
        made.signature_counter = signature_counter(object->authenticator_data);
        if (made.credential_id.empty() || made.key.bytes.empty()) return refuse("it has no id or no key");
        return made;
    }
    return refuse("it has no key of ES256, EdDSA or RS256");
}

}  // namespace drawbridge::passkeys
