#include "server_keys.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

namespace drawbridge::delivery {
namespace {

std::string fingerprint(ssh_key key) {
    unsigned char* hash = nullptr;
    std::size_t size = 0;
    if (ssh_get_publickey_hash(key, SSH_PUBLICKEY_HASH_SHA256, &hash, &size) != 0) return "unreadable";
    char* text = ssh_get_fingerprint_hash(SSH_PUBLICKEY_HASH_SHA256, hash, size);
    std::string result = text == nullptr ? "unreadable" : text;
    ssh_string_free_char(text);
    ssh_clean_pubkey_hash(&hash);
    return result;
}

// libssh ignores the markers of known_hosts: a key marked as revoked would still be trusted.
Result<void> check_known_hosts(const std::filesystem::path& file) {
    std::ifstream in(file);
    if (!in) return fail(ErrorCode::invalid_input, file.string() + " cannot be read");
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        const auto begin = line.find_first_not_of(" \t");
        if (begin == std::string::npos || line[begin] != '@') continue;
        return fail(ErrorCode::invalid_input,
                    file.string() + ":" + std::to_string(number) +
                        ": markers (@revoked, @cert-authority) are not "
                        "supported: remove this line, and every line with a revoked key; or use host_key");
    }
    return {};
}

constexpr std::string_view what_to_do =
    ": nothing was sent. This may be an attack: ask the bank, by a phone number known before, whether it changed its "
    "key";

}  // namespace

Result<SshKey> read_private_key(const SftpOptions& options) {
    ssh_key key = nullptr;
    const char* passphrase = options.passphrase.empty() ? nullptr : options.passphrase.reveal().c_str();
    // Without this callback libssh would ask a terminal for the passphrase.
    const auto never_ask = [](const char*, char*, std::size_t, int, int, void*) { return -1; };
    if (ssh_pki_import_privkey_base64(options.private_key.reveal().c_str(), passphrase, never_ask, nullptr, &key) !=
        SSH_OK) {
        return fail(ErrorCode::invalid_input,
                    "the private key cannot be read: it must be an OpenSSH or PEM private key (`ssh-keygen -t "
                    "ed25519`); put its passphrase, if any, in key_passphrase_file");
    }
    return SshKey(key);
}

Result<SshKey> read_host_key(const std::string& line) {
    std::istringstream words(line);
    std::string kind, text;
    words >> kind >> text;
    ssh_key key = nullptr;
    const auto type = ssh_key_type_from_name(kind.c_str());
    if (type == SSH_KEYTYPE_UNKNOWN || ssh_pki_import_pubkey_base64(text.c_str(), type, &key) != SSH_OK) {
        return fail(ErrorCode::invalid_input, "the host key cannot be read: use the form 'ssh-ed25519 AAAA…'");
    }
    return SshKey(key);
}

std::string host_key_algorithms(const SshKey& pinned) {
    const auto type = ssh_key_type(pinned.get());
    // A server offers an RSA key under the names of its newer signature algorithms.
    if (type == SSH_KEYTYPE_RSA) return "rsa-sha2-512,rsa-sha2-256";
    if (type == SSH_KEYTYPE_ECDSA_P256) return "ecdsa-sha2-nistp256";
    if (type == SSH_KEYTYPE_ECDSA_P384) return "ecdsa-sha2-nistp384";
    if (type == SSH_KEYTYPE_ECDSA_P521) return "ecdsa-sha2-nistp521";
    return ssh_key_type_to_char(type);
}

Result<void> check_server(ssh_session session, const SshKey& pinned, const SftpOptions& options) {
    ssh_key shown = nullptr;
    if (ssh_get_server_publickey(session, &shown) != SSH_OK) {
        return fail(ErrorCode::protocol, address(options) + ": the server presents no host key");
    }
    const SshKey key(shown);
    const std::string warning = address(options) + ": the server presents the host key " + fingerprint(key.get()) +
                                " (" + ssh_key_type_to_char(ssh_key_type(key.get())) + "), which is not ";
    if (pinned) {
        if (ssh_key_cmp(key.get(), pinned.get(), SSH_KEY_CMP_PUBLIC) == 0) return {};
        return fail(ErrorCode::protocol, warning + "the pinned " + fingerprint(pinned.get()).append(what_to_do));
    }
    if (auto good = check_known_hosts(options.known_hosts_file); !good)
        return fail(ErrorCode::protocol, address(options) + ": " + good.error().message + ": nothing was sent");
    if (ssh_session_is_known_server(session) == SSH_KNOWN_HOSTS_OK) return {};
    return fail(ErrorCode::protocol,
                warning + "that of this host in " + options.known_hosts_file.string().append(what_to_do));
}

std::unexpected<Error> no_such_host_key(const SftpOptions& options, const SshKey& pinned, const std::string& detail) {
    const std::string kind = pinned ? ssh_key_type_to_char(ssh_key_type(pinned.get())) : "known";
    return fail(
        ErrorCode::protocol,
        (address(options) + ": the server offers no " + kind + " host key (" + detail + ")").append(what_to_do));
}

std::string address(const SftpOptions& options) {
    return "sftp://" + options.user + "@" + options.host + ":" + std::to_string(options.port) +
           (options.folder.starts_with('/') ? "" : "/") + options.folder;
}

Result<void> check_keys(const SftpOptions& options) {
    if (auto key = read_private_key(options); !key) return std::unexpected(key.error());
    if (!options.host_key.empty()) {
        if (auto key = read_host_key(options.host_key); !key) return std::unexpected(key.error());
        return {};
    }
    return check_known_hosts(options.known_hosts_file);
}

}  // namespace drawbridge::delivery
