#include "drawbridge/domain/digest.hpp"

#include <openssl/evp.h>

#include <boost/algorithm/hex.hpp>

#include "drawbridge/domain/assert.hpp"

namespace drawbridge {
namespace {

// Looked up once: that takes longer than a short hash. OpenSSL uses the processor's own instructions.
const EVP_MD* algorithm() {
    static const EVP_MD* const found = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    return found;
}

void require(int result) {
    DRAWBRIDGE_ASSERT(result == 1, "OpenSSL computes SHA-256");
}

}  // namespace

struct Sha256::State {
    State() : context(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
        require(EVP_DigestInit_ex2(context.get(), algorithm(), nullptr));
    }
    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context;
};

Sha256::Sha256() : state_(std::make_unique<State>()) {}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::string_view bytes) {
    require(EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()));
}

std::string Sha256::bytes() {
    std::string digest(32, '\0');
    require(EVP_DigestFinal_ex(state_->context.get(), reinterpret_cast<unsigned char*>(digest.data()), nullptr));
    return digest;
}

std::string Sha256::hex() {
    return boost::algorithm::hex_lower(bytes());
}

std::string sha256(std::string_view bytes) {
    Sha256 hash;
    hash.update(bytes);
    return hash.bytes();
}

std::string sha256_hex(std::string_view bytes) {
    Sha256 hash;
    hash.update(bytes);
    return hash.hex();
}

bool is_hash_prefix(std::string_view text) {
    return text.size() >= min_hash_digits && text.size() <= hash_digits &&
           text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace drawbridge
