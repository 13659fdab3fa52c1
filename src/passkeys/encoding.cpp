#include "drawbridge/passkeys/encoding.hpp"

#include <sodium.h>

namespace drawbridge::passkeys {
namespace {

// libsodium takes unsigned char; the bytes are the same.
const unsigned char* raw(std::string_view bytes) {
    return reinterpret_cast<const unsigned char*>(bytes.data());
}

}  // namespace

std::string to_base64url(std::string_view bytes) {
    std::string text(sodium_base64_ENCODED_LEN(bytes.size(), sodium_base64_VARIANT_URLSAFE_NO_PADDING), '\0');
    sodium_bin2base64(text.data(), text.size(), raw(bytes), bytes.size(), sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    text.pop_back();  // the terminating zero
    return text;
}

std::optional<std::string> from_base64url(std::string_view text) {
    std::string bytes(text.size(), '\0');
    std::size_t size = 0;
    const char* end = nullptr;
    const int failed = sodium_base642bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), text.data(),
                                         text.size(), nullptr, &size, &end, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    if (failed != 0 || end != text.data() + text.size()) return std::nullopt;
    bytes.resize(size);
    return bytes;
}

bool equal_in_constant_time(std::string_view one, std::string_view other) {
    return one.size() == other.size() && sodium_memcmp(one.data(), other.data(), one.size()) == 0;
}

}  // namespace drawbridge::passkeys
