#include "drawbridge/domain/digest.hpp"

#include <sodium.h>

#include <array>

namespace drawbridge {

struct Sha256::State {
    crypto_hash_sha256_state value;
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
    crypto_hash_sha256_init(&state_->value);
}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::string_view bytes) {
    // libsodium takes unsigned char; the bytes are the same.
    crypto_hash_sha256_update(&state_->value, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
}

std::string Sha256::hex() {
    std::array<unsigned char, crypto_hash_sha256_BYTES> digest{};
    crypto_hash_sha256_final(&state_->value, digest.data());
    std::string text(digest.size() * 2 + 1, '\0');
    sodium_bin2hex(text.data(), text.size(), digest.data(), digest.size());
    text.pop_back();
    return text;
}

std::string sha256_hex(std::string_view bytes) {
    Sha256 hash;
    hash.update(bytes);
    return hash.hex();
}

}  // namespace drawbridge
