#include "drawbridge/domain/sealing_key.hpp"

#include <sodium.h>

#include "drawbridge/domain/assert.hpp"

namespace drawbridge {

Result<SealingKey> SealingKey::parse(std::string_view hex) {
    std::string bytes(size_bytes, '\0');
    std::size_t length = 0;
    const char* end = nullptr;
    // libsodium writes unsigned char; the bytes are the same.
    const int failed = sodium_hex2bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), hex.data(),
                                      hex.size(), nullptr, &length, &end);
    Secret key(std::move(bytes));
    if (failed != 0 || length != size_bytes || end != hex.data() + hex.size()) {
        return fail(ErrorCode::invalid_input,
                    "not a sealing key: it must be 64 hexadecimal digits, as 'drawbridge keygen FILE' writes them");
    }
    return SealingKey(std::move(key));
}

SealingKey SealingKey::from_bytes(std::string_view bytes) {
    DRAWBRIDGE_ASSERT(bytes.size() == size_bytes, "a sealing key has 32 bytes");
    return SealingKey(Secret(std::string(bytes)));
}

Secret SealingKey::to_hex() const {
    std::string hex(size_bytes * 2 + 1, '\0');
    sodium_bin2hex(hex.data(), hex.size(), reinterpret_cast<const unsigned char*>(bytes().data()), size_bytes);
    hex.pop_back();
    return Secret(std::move(hex));
}

}  // namespace drawbridge
