// Encryption to the bank's OpenPGP key. The key is the one with the configured fingerprint in the configured file. It
// is loaded into a keyring that exists only during the call: this machine's keyrings, trust settings and agents are
// unused.
//
// Encrypting the same text twice gives different bytes: the caller keeps the first result.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::delivery {

struct OpenPgpOptions {
    std::filesystem::path public_key_file;  // binary or armored
    std::string fingerprint;                // 40 hexadecimal digits (version 5 keys: 64), upper case, no spaces
    bool armor = false;                     // ASCII
    std::string name_suffix = ".pgp";       // of the encrypted file's name
};

// Errors of both functions: the file cannot be read, has no key with that fingerprint, or the key cannot encrypt, has
// expired or is revoked; unavailable: gpg does not work on this machine.
[[nodiscard]] Result<void> check_key(const OpenPgpOptions& options);
// `name` is stored in the message as the file's name.
[[nodiscard]] Result<std::string> encrypt(const OpenPgpOptions& options, const std::string& name,
                                          std::string_view text);

}  // namespace drawbridge::delivery
