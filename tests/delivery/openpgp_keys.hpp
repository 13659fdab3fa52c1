// A bank's OpenPGP key for one test, and gpg as the bank uses it.
#pragma once

#include <filesystem>
#include <string>

#include "e2e/process.hpp"

namespace drawbridge::test {

class OpenPgpKey {
  public:
    enum class Validity { valid, expired };
    explicit OpenPgpKey(const std::filesystem::path& folder, Validity validity = Validity::valid);
    OpenPgpKey(const OpenPgpKey&) = delete;
    OpenPgpKey& operator=(const OpenPgpKey&) = delete;
    ~OpenPgpKey();  // ends the agent that gpg started for this key

    [[nodiscard]] std::filesystem::path public_key_file() const { return folder_ / "bank.asc"; }
    [[nodiscard]] const std::string& fingerprint() const { return fingerprint_; }
    [[nodiscard]] const std::string& subkey_fingerprint() const { return subkey_fingerprint_; }
    // Armored, without a passphrase.
    [[nodiscard]] std::string secret_key() const { return gpg({"--armor", "--export-secret-keys", fingerprint_}); }
    [[nodiscard]] std::string decrypt(const std::string& cipher) const;

  private:
    std::string gpg(std::vector<std::string> arguments) const;

    std::filesystem::path folder_, home_;
    std::string fingerprint_, subkey_fingerprint_;
};

}  // namespace drawbridge::test
