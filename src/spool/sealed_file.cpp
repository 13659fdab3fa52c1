#include "sealed_file.hpp"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>

#include "drawbridge/domain/digest.hpp"

namespace drawbridge::spool {
namespace {

constexpr std::string_view magic = "DRAWBRIDGE SEALED 1\n";
constexpr std::size_t id_bytes = 16, size_bytes = 8, hash_bytes = 32;
constexpr std::size_t bound_bytes = magic.size() + id_bytes + size_bytes + hash_bytes;
constexpr std::size_t stream_header_bytes = crypto_secretstream_xchacha20poly1305_HEADERBYTES;
constexpr std::size_t head_bytes = bound_bytes + stream_header_bytes;
constexpr std::size_t chunk_bytes = 64UL * 1024;
constexpr std::size_t tag_bytes = crypto_secretstream_xchacha20poly1305_ABYTES;
constexpr unsigned char last_tag = crypto_secretstream_xchacha20poly1305_TAG_FINAL;

// libsodium takes unsigned char; the bytes are the same.
const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytes_of(std::string& text) {
    return reinterpret_cast<unsigned char*>(text.data());
}

class Stream {
  public:
    Stream() = default;
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream() { sodium_memzero(&state_, sizeof state_); }
    [[nodiscard]] crypto_secretstream_xchacha20poly1305_state* get() { return &state_; }

  private:
    crypto_secretstream_xchacha20poly1305_state state_{};
};

// The additional data that every chunk authenticates.
std::string bound_part(const FileFacts& facts, const ArchiveKey& key) {
    std::string bound = std::string(magic) + key.id;
    for (std::size_t at = 0; at < size_bytes; ++at)
        bound.push_back(static_cast<char>(facts.size >> (8 * at)));
    std::string hash(hash_bytes, '\0');
    sodium_hex2bin(bytes_of(hash), hash.size(), facts.sha256.data(), facts.sha256.size(), nullptr, nullptr, nullptr);
    return bound + hash;
}

FileFacts facts_in(std::string_view bound) {
    FileFacts facts;
    const auto size = bound.substr(magic.size() + id_bytes, size_bytes);
    for (std::size_t at = 0; at < size_bytes; ++at)
        facts.size |= std::uint64_t{static_cast<unsigned char>(size[at])} << (8 * at);
    facts.sha256.resize(2 * hash_bytes + 1);
    sodium_bin2hex(facts.sha256.data(), facts.sha256.size(), bytes_of(bound.substr(bound_bytes - hash_bytes)),
                   hash_bytes);
    facts.sha256.pop_back();
    return facts;
}

// Reads up to `max_bytes`; fewer only at the end of the file.
std::string read_up_to(const OpenFile& from, std::size_t max_bytes) {
    std::string bytes(max_bytes, '\0');
    std::size_t have = 0;
    while (have < max_bytes) {
        const auto got = read_some(from.file, from.path, bytes.data() + have, max_bytes - have);
        if (got == 0) break;
        have += got;
    }
    bytes.resize(have);
    return bytes;
}

std::unexpected<Error> does_not_open(const OpenFile& sealed, std::string_view why) {
    return fail(ErrorCode::invalid_input,
                fmt::format("{} does not open: {}: restore it from the last good copy of the archive",
                            sealed.path.string(), why));
}

// Reads the chunks after the head, which names `facts`.
Result<FileFacts> read_chunks(const OpenFile& sealed, Stream& stream, std::string_view bound,
                              const std::function<bool(std::string_view)>& take) {
    auto facts = facts_in(bound);
    std::uint64_t left = facts.size;
    std::string plain(chunk_bytes, '\0');
    Sha256 hash;
    for (bool is_last = false; !is_last;) {
        const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(left, chunk_bytes));
        is_last = left == size;
        const auto chunk = read_up_to(sealed, size + tag_bytes);
        unsigned char tag = 0;
        if (chunk.size() != size + tag_bytes) return does_not_open(sealed, "it is truncated");
        if (crypto_secretstream_xchacha20poly1305_pull(stream.get(), bytes_of(plain), nullptr, &tag, bytes_of(chunk),
                                                       chunk.size(), bytes_of(bound), bound.size()) != 0 ||
            is_last != (tag == last_tag)) {
            return does_not_open(sealed, "it was changed");
        }
        hash.update({plain.data(), size});
        if (!take({plain.data(), size})) return facts;
        left -= size;
    }
    if (!read_up_to(sealed, 1).empty()) return does_not_open(sealed, "it has extra bytes at its end");
    if (hash.hex() != facts.sha256) return does_not_open(sealed, "its bytes do not match its hash");
    return facts;
}

}  // namespace

Result<void> seal_file(const OpenFile& plain, const OpenFile& sealed, const FileFacts& facts, const ArchiveKey& key) {
    const std::string bound = bound_part(facts, key);
    std::string header(stream_header_bytes, '\0');
    Stream stream;
    crypto_secretstream_xchacha20poly1305_init_push(stream.get(), bytes_of(header), bytes_of(key.key.reveal()));
    write_all(sealed.file, sealed.path, bound);
    write_all(sealed.file, sealed.path, header);
    Sha256 hash;
    std::uint64_t left = facts.size;
    std::string chunk;
    for (bool is_last = false; !is_last;) {
        const auto bytes = read_up_to(plain, static_cast<std::size_t>(std::min<std::uint64_t>(left, chunk_bytes)));
        left -= bytes.size();
        is_last = left == 0 || bytes.empty();
        hash.update(bytes);
        chunk.resize(bytes.size() + tag_bytes);
        crypto_secretstream_xchacha20poly1305_push(
            stream.get(), bytes_of(chunk), nullptr, bytes_of(bytes), bytes.size(), bytes_of(bound), bound.size(),
            is_last ? last_tag : crypto_secretstream_xchacha20poly1305_TAG_MESSAGE);
        write_all(sealed.file, sealed.path, chunk);
    }
    if (left == 0 && read_up_to(plain, 1).empty() && hash.hex() == facts.sha256) return {};
    return fail(ErrorCode::conflict, plain.path.string() + " changes while it is sealed: it is retried");
}

Result<FileFacts> open_sealed(const OpenFile& sealed, const std::vector<ArchiveKey>& keys,
                              const std::function<bool(std::string_view)>& take) {
    const auto head = read_up_to(sealed, head_bytes);
    if (!head.starts_with(magic)) return does_not_open(sealed, "it is not a sealed file");
    if (head.size() != head_bytes) return does_not_open(sealed, "it is truncated");
    const auto key = std::ranges::find(keys, head.substr(magic.size(), id_bytes), &ArchiveKey::id);
    if (key == keys.end()) {
        return fail(ErrorCode::unauthorized,
                    sealed.path.string() +
                        " does not open: it was sealed with a key that this ledger does not have, or its head was "
                        "changed: if the ledger was restored from a backup before a rekey, rekey it with that key");
    }
    const std::string_view bound(head.data(), bound_bytes);
    Stream stream;
    if (crypto_secretstream_xchacha20poly1305_init_pull(stream.get(), bytes_of(head) + bound_bytes,
                                                        bytes_of(key->key.reveal())) != 0) {
        return does_not_open(sealed, "its head was changed");
    }
    return read_chunks(sealed, stream, bound, take);
}

FileFacts facts_of(const OpenFile& plain) {
    FileFacts facts;
    Sha256 hash;
    std::string buffer(chunk_bytes, '\0');
    while (const auto size = read_some(plain.file, plain.path, buffer.data(), buffer.size())) {
        hash.update({buffer.data(), size});
        facts.size += size;
    }
    facts.sha256 = hash.hex();
    return facts;
}

}  // namespace drawbridge::spool
