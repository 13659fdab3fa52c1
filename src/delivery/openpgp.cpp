#include "drawbridge/delivery/openpgp.hpp"

#include <gpgme.h>
#include <sys/stat.h>

#include <cerrno>
#include <clocale>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

namespace drawbridge::delivery {
namespace {

namespace fs = std::filesystem;

struct FreeData {
    void operator()(gpgme_data_t data) const { gpgme_data_release(data); }
};
struct FreeContext {
    void operator()(gpgme_ctx_t context) const { gpgme_release(context); }
};
struct ReleaseKey {
    void operator()(gpgme_key_t key) const { gpgme_key_unref(key); }
};
using Data = std::unique_ptr<gpgme_data, FreeData>;
using Context = std::unique_ptr<gpgme_context, FreeContext>;
using Key = std::unique_ptr<_gpgme_key, ReleaseKey>;

// A private temporary folder for gpg, removed at the end.
class GnupgHome {
  public:
    explicit GnupgHome(fs::path path) : path_(std::move(path)) {}
    GnupgHome(const GnupgHome&) = delete;
    GnupgHome& operator=(const GnupgHome&) = delete;
    ~GnupgHome() {
        std::error_code ignored;
        // gpg-agent, which gpg starts for a secret key, may still write there.
        for (int tries = 0; tries < 10 && fs::exists(path_, ignored); ++tries)
            fs::remove_all(path_, ignored);
    }
    [[nodiscard]] const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

Result<fs::path> make_temporary_folder() {
    const char* const configured = std::getenv("TMPDIR");
    const fs::path base = configured == nullptr || *configured == '\0' ? "/tmp" : configured;
    std::string form = (base / "drawbridge-gpg-XXXXXX").string();
    if (::mkdtemp(form.data()) != nullptr) return form;
    return fail(ErrorCode::unavailable, "gpg needs a temporary folder, and none can be made in " + base.string() +
                                            ": " + std::strerror(errno) +
                                            ": create that folder and make it writable (TMPDIR)");
}

std::string error_text(gpgme_error_t error) {
    char text[256];
    gpgme_strerror_r(error, text, sizeof text);
    return text;
}

Data data_of(std::string_view bytes) {
    gpgme_data_t data = nullptr;
    gpgme_data_new_from_mem(&data, bytes.data(), bytes.size(), /*copy=*/0);
    return Data(data);
}

std::string bytes_of(const Data& data) {
    gpgme_data_seek(data.get(), 0, SEEK_SET);
    std::string bytes;
    std::vector<char> buffer(64UL * 1024);
    for (;;) {
        const auto size = gpgme_data_read(data.get(), buffer.data(), buffer.size());
        if (size <= 0) return bytes;
        bytes.append(buffer.data(), static_cast<std::size_t>(size));
    }
}

Result<Context> open_engine(const GnupgHome& home) {
    static const bool usable = gpgme_check_version(GPGME_VERSION) != nullptr;
    gpgme_ctx_t made = nullptr;
    gpgme_error_t error = GPG_ERR_NOT_SUPPORTED;
    if (usable) error = gpgme_engine_check_version(GPGME_PROTOCOL_OpenPGP);
    if (error == 0) error = gpgme_new(&made);
    Context context(made);
    if (error == 0) error = gpgme_ctx_set_engine_info(made, GPGME_PROTOCOL_OpenPGP, nullptr, home.path().c_str());
    if (error != 0) return fail(ErrorCode::unavailable, "gpg does not work: " + error_text(error) + ": install gpg");
    gpgme_set_offline(made, 1);
    return context;
}

std::string fault_in(const gpgme_key_t key) {
    if (key->revoked != 0) return "was revoked";
    if (key->expired != 0) return "has expired: ask the bank for its new one";
    if (key->disabled != 0 || key->invalid != 0) return "is not valid";
    if (key->can_encrypt == 0) return "cannot be used for encryption (its encryption subkey may have expired)";
    return {};
}

// A folder opens like a file, and fails when it is read.
Result<std::string> read_key_file(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream bytes;
    if (in && in.peek() != std::ifstream::traits_type::eof()) bytes << in.rdbuf();
    if (in && !in.bad() && bytes) return std::move(bytes).str();
    return fail(ErrorCode::invalid_input, file.string() + " cannot be read: " + std::strerror(errno));
}

// The keyring contains only that file's keys. The key must match the complete fingerprint.
Result<Key> load_key(gpgme_ctx_t context, const OpenPgpOptions& options) {
    const std::string file = options.public_key_file.string();
    const auto bytes = read_key_file(options.public_key_file);
    if (!bytes) return std::unexpected(bytes.error());
    const Data data = data_of(*bytes);
    if (const auto error = gpgme_op_import(context, data.get()); error != 0) {
        return fail(ErrorCode::invalid_input, file + " is not an OpenPGP public key: " + error_text(error));
    }
    const auto* const imported = gpgme_op_import_result(context);
    if (imported != nullptr && imported->secret_read > 0) {
        return fail(ErrorCode::invalid_input,
                    file +
                        " has a secret key: this file needs the bank's public key alone. Whoever made the secret key "
                        "must keep it; if it is the bank's, tell the bank");
    }
    gpgme_key_t found = nullptr;
    const auto error = gpgme_get_key(context, options.fingerprint.c_str(), &found, /*secret=*/0);
    Key key(found);
    // gpg also finds a key by its subkey's fingerprint. The pinned fingerprint must be that of the primary key.
    if (error != 0 || options.fingerprint != key->subkeys->fpr) {
        return fail(ErrorCode::invalid_input, file + " has no key with the fingerprint " + options.fingerprint +
                                                  ": compare both with what the bank gave you, `gpg --show-keys " +
                                                  file + "`");
    }
    if (const auto why = fault_in(key.get()); !why.empty()) {
        return fail(ErrorCode::invalid_input, file + ": the key " + options.fingerprint + " " + why);
    }
    return key;
}

}  // namespace

Result<void> check_key(const OpenPgpOptions& options) {
    auto folder = make_temporary_folder();
    if (!folder) return std::unexpected(folder.error());
    const GnupgHome home(std::move(*folder));
    const auto context = open_engine(home);
    if (!context) return std::unexpected(context.error());
    if (auto key = load_key(context->get(), options); !key) return std::unexpected(key.error());
    return {};
}

Result<std::string> encrypt(const OpenPgpOptions& options, const std::string& name, std::string_view text) {
    auto folder = make_temporary_folder();
    if (!folder) return std::unexpected(folder.error());
    const GnupgHome home(std::move(*folder));
    const auto context = open_engine(home);
    if (!context) return std::unexpected(context.error());
    const auto key = load_key(context->get(), options);
    if (!key) return std::unexpected(key.error());
    const Data plain = data_of(text);
    gpgme_data_t made = nullptr;
    gpgme_data_new(&made);
    const Data cipher(made);
    gpgme_data_set_file_name(plain.get(), name.c_str());
    gpgme_set_armor(context->get(), options.armor ? 1 : 0);
    gpgme_key_t recipients[] = {key->get(), nullptr};
    const auto flags = static_cast<gpgme_encrypt_flags_t>(GPGME_ENCRYPT_ALWAYS_TRUST | GPGME_ENCRYPT_NO_ENCRYPT_TO);
    const auto error = gpgme_op_encrypt(context->get(), recipients, flags, plain.get(), cipher.get());
    const auto* const result = gpgme_op_encrypt_result(context->get());
    if (error != 0 || (result != nullptr && result->invalid_recipients != nullptr)) {
        return fail(ErrorCode::unavailable, "gpg cannot encrypt to " + options.fingerprint + ": " + error_text(error));
    }
    std::string bytes = bytes_of(cipher);
    if (bytes.empty()) return fail(ErrorCode::unavailable, "gpg wrote nothing");
    return bytes;
}

}  // namespace drawbridge::delivery
