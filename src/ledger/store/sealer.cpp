#include "store/sealer.hpp"

#include <sodium.h>

#include <array>

#include "store/connection.hpp"

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

std::string_view text_of(sqlite3_value* value) {
    const auto* text = sqlite3_value_text(value);  // before its length: this may convert the value
    const auto length = static_cast<std::size_t>(sqlite3_value_bytes(value));
    return text == nullptr ? std::string_view() : std::string_view(reinterpret_cast<const char*>(text), length);
}

void give(sqlite3_context* context, const std::string& text) {
    sqlite3_result_text(context, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
}

Connection& connection_of(sqlite3_context* context) {
    return *static_cast<Connection*>(sqlite3_user_data(context));
}

std::optional<std::string> opened(const Connection& connection, sqlite3_value** values) {
    return connection.sealer->open(text_of(values[0]), text_of(values[1]), text_of(values[2]));
}

void refuse(sqlite3_context* context, sqlite3_value** values) {
    const std::string message = std::string(text_of(values[0])) + " of row " + std::string(text_of(values[1])) +
                                " does not open with the sealing key: it was changed, or copied from another row: stop "
                                "the daemon and run 'drawbridge verify'";
    sqlite3_result_error(context, message.c_str(), -1);
}

void seal_function(sqlite3_context* context, int, sqlite3_value** values) {
    give(context, connection_of(context).sealer->seal(text_of(values[0]), text_of(values[1]), text_of(values[2])));
}

void unseal_function(sqlite3_context* context, int, sqlite3_value** values) {
    if (sqlite3_value_type(values[2]) == SQLITE_NULL) return sqlite3_result_null(context);
    const auto text = opened(connection_of(context), values);
    if (!text) return refuse(context, values);
    give(context, *text);
}

void unseals_function(sqlite3_context* context, int, sqlite3_value** values) {
    const bool is_null = sqlite3_value_type(values[2]) == SQLITE_NULL;
    sqlite3_result_int(context, is_null || opened(connection_of(context), values) ? 1 : 0);
}

void reseal_function(sqlite3_context* context, int, sqlite3_value** values) {
    const Connection& connection = connection_of(context);
    const auto text = opened(connection, values);
    if (!text) return refuse(context, values);
    give(context, connection.next_sealer->seal(text_of(values[0]), text_of(values[1]), *text));
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

void add_sealing_functions(sqlite3* db, Connection& connection) {
    using Function = void (*)(sqlite3_context*, int, sqlite3_value**);
    const auto add = [&](const char* name, Function function) {
        // SQLITE_DIRECTONLY: never from a view or a trigger.
        const int added = sqlite3_create_function_v2(db, name, 3, SQLITE_UTF8 | SQLITE_DIRECTONLY, &connection,
                                                     function, nullptr, nullptr, nullptr);
        DRAWBRIDGE_ASSERT(added == SQLITE_OK, "SQLite accepts the function");
    };
    add("seal", seal_function);
    add("unseal", unseal_function);
    add("unseals", unseals_function);
    add("reseal", reseal_function);
}

}  // namespace drawbridge::ledger
