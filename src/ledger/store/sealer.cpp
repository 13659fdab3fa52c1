#include "store/sealer.hpp"

#include <sodium.h>

#include <array>

namespace drawbridge::ledger {
namespace {

constexpr std::string_view prefix = "sealed:1:";
constexpr auto base64 = sodium_base64_VARIANT_ORIGINAL_NO_PADDING;
constexpr std::size_t nonce_bytes = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
constexpr std::size_t tag_bytes = crypto_aead_xchacha20poly1305_ietf_ABYTES;
constexpr char key_context[crypto_kdf_CONTEXTBYTES + 1] = "drawbrdg";
enum Subkey : std::uint64_t { sealing = 1, checking = 2, facts = 3 };
static_assert(SealingKey::size_bytes == crypto_kdf_KEYBYTES);
static_assert(SealingKey::size_bytes == crypto_aead_xchacha20poly1305_ietf_KEYBYTES);

// libsodium takes unsigned char.
const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytes_of(std::string& text) {
    return reinterpret_cast<unsigned char*>(text.data());
}

Secret derive(const SealingKey& key, Subkey which) {
    std::string subkey(SealingKey::size_bytes, '\0');
    crypto_kdf_derive_from_key(bytes_of(subkey), subkey.size(), which, key_context, bytes_of(key.bytes()));
    return Secret(std::move(subkey));
}

// Fields and ledger ids contain no newline, so no two rows share the same data.
std::string associated_data(std::string_view ledger_id, std::string_view field, std::string_view row) {
    return "drawbridge 1\n" + std::string(ledger_id) + "\n" + std::string(field) + "\n" + std::string(row);
}

}  // namespace

Sealer::Sealer(const SealingKey& key, std::string ledger_id)
    : ledger_id_(std::move(ledger_id)),
      sealing_key_(derive(key, sealing)),
      check_key_(derive(key, checking)),
      fact_key_(derive(key, facts)) {}

std::string Sealer::check_value() const {
    std::array<unsigned char, crypto_generichash_BYTES> hash{};
    const std::string& key = check_key_.reveal();
    crypto_generichash(hash.data(), hash.size(), bytes_of(ledger_id_), ledger_id_.size(), bytes_of(key), key.size());
    std::string hex(hash.size() * 2 + 1, '\0');
    sodium_bin2hex(hex.data(), hex.size(), hash.data(), hash.size());
    hex.pop_back();
    return hex;
}

std::string Sealer::seal(std::string_view field, std::string_view row, std::string_view text) const {
    const std::string data = associated_data(ledger_id_, field, row);
    std::string box(nonce_bytes + text.size() + tag_bytes, '\0');
    randombytes_buf(box.data(), nonce_bytes);
    crypto_aead_xchacha20poly1305_ietf_encrypt(bytes_of(box) + nonce_bytes, nullptr, bytes_of(text), text.size(),
                                               bytes_of(data), data.size(), nullptr, bytes_of(box),
                                               bytes_of(sealing_key_.reveal()));
    std::string encoded(sodium_base64_encoded_len(box.size(), base64), '\0');
    sodium_bin2base64(encoded.data(), encoded.size(), bytes_of(box), box.size(), base64);
    encoded.pop_back();
    return std::string(prefix) + encoded;
}

std::optional<std::string> Sealer::open(std::string_view field, std::string_view row, std::string_view sealed) const {
    if (!is_sealed(sealed)) return std::nullopt;
    sealed.remove_prefix(prefix.size());
    std::string box(sealed.size(), '\0');
    std::size_t length = 0;
    const char* end = nullptr;
    if (sodium_base642bin(bytes_of(box), box.size(), sealed.data(), sealed.size(), nullptr, &length, &end, base64) !=
            0 ||
        end != sealed.data() + sealed.size() || length < nonce_bytes + tag_bytes) {
        return std::nullopt;
    }
    const std::string data = associated_data(ledger_id_, field, row);
    std::string text(length - nonce_bytes - tag_bytes, '\0');
    if (crypto_aead_xchacha20poly1305_ietf_decrypt(bytes_of(text), nullptr, nullptr, bytes_of(box) + nonce_bytes,
                                                   length - nonce_bytes, bytes_of(data), data.size(), bytes_of(box),
                                                   bytes_of(sealing_key_.reveal())) != 0) {
        return std::nullopt;
    }
    return text;
}

FactHash Sealer::hash_of_fact(std::string_view bytes) const {
    std::array<unsigned char, sizeof(FactHash)> hash{};
    const std::string& key = fact_key_.reveal();
    crypto_generichash(hash.data(), hash.size(), bytes_of(bytes), bytes.size(), bytes_of(key), key.size());
    FactHash lanes{};
    for (std::size_t at = 0; at < hash.size(); ++at)
        lanes[at / 8] |= std::uint64_t{hash[at]} << (at % 8 * 8);
    return lanes;
}

ArchiveKey Sealer::archive_key() const {
    const std::string& key = check_key_.reveal();
    const auto keyed_hash = [&](std::string_view of, std::size_t size) {
        const std::string data = std::string(of) + "\n" + ledger_id_;
        std::string hash(size, '\0');
        crypto_generichash(bytes_of(hash), hash.size(), bytes_of(data), data.size(), bytes_of(key), key.size());
        return hash;
    };
    return {keyed_hash("archive key id", 16), Secret(keyed_hash("archive key", SealingKey::size_bytes))};
}

bool is_sealed(std::string_view text) {
    return text.starts_with(prefix);
}

}  // namespace drawbridge::ledger
