// Encryption to the bank's OpenPGP key. The key is the one with the configured fingerprint out of the configured file,
// in a keyring that lives as long as the call: no keyring, trust or agent of this machine has a say.
//
// The same text encrypted twice gives different bytes: the caller keeps the first.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::delivery {

struct OpenPgpOptions {
    std::filesystem::path public_key_file;  // binary or armored
    std::string fingerprint;                // 40 hexadecimal digits (64 of a version 5 key), upper case, no blanks
    bool armor = false;                     // ASCII
    std::string name_suffix = ".pgp";       // of the encrypted file's name
};

// Errors of both: the file cannot be read, holds no key of that fingerprint, or the key cannot encrypt, has expired or
// was revoked; unavailable: gpg does not work on this machine.
[[nodiscard]] Result<void> check_key(const OpenPgpOptions& options);
// `name` is written into the message as the name of the file.
[[nodiscard]] Result<std::string> encrypt(const OpenPgpOptions& options, const std::string& name,
                                          std::string_view text);

}  // namespace drawbridge::delivery
