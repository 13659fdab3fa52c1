#include "delivery/openpgp_keys.hpp"

#include <sys/stat.h>

#include <sstream>
#include <stdexcept>

namespace drawbridge::test {

namespace fs = std::filesystem;

OpenPgpKey::OpenPgpKey(const fs::path& folder, Validity validity) : folder_(folder), home_(folder / "bank-gnupg") {
    fs::create_directories(home_);
    ::chmod(home_.c_str(), 0700);
    const bool expired = validity == Validity::expired;
    const std::string until = expired ? "2d" : "never";
    // Created with a system time in 2020.
    const auto make = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"--passphrase", ""});
        if (expired) arguments.insert(arguments.begin(), {"--faked-system-time", "20200101T000000"});
        gpg(std::move(arguments));
    };
    make({"--quick-generate-key", "bank@example.org", "ed25519", "cert", until});
    const auto read = [&](int number) {
        std::istringstream lines(gpg({"--with-colons", "--list-keys"}));
        std::string line;
        while (std::getline(lines, line)) {
            if (line.starts_with("fpr:") && --number == 0) return line.substr(12, 40);
        }
        throw std::runtime_error("gpg made no key");
    };
    fingerprint_ = read(1);
    make({"--quick-add-key", fingerprint_, "cv25519", "encr", until});
    subkey_fingerprint_ = read(2);
    e2e::write_file(public_key_file(), gpg({"--armor", "--export", fingerprint_}));
}

OpenPgpKey::~OpenPgpKey() {
    e2e::Process end({{"/usr/bin/gpgconf", "--homedir", home_.string(), "--kill", "gpg-agent"},
                      {},
                      folder_ / "gpg.out",
                      folder_ / "gpg.err"});
    end.wait(std::chrono::seconds(10));
}

std::string OpenPgpKey::decrypt(const std::string& cipher) const {
    e2e::write_file(folder_ / "cipher", cipher);
    return gpg({"--decrypt", (folder_ / "cipher").string()});
}

std::string OpenPgpKey::gpg(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"/usr/bin/gpg", "--homedir", home_.string(), "--batch", "--yes",
                                         "--pinentry-mode", "loopback", "--trust-model", "always"});
    fs::remove(folder_ / "gpg.out");
    e2e::Process process({arguments, {}, folder_ / "gpg.out", folder_ / "gpg.err"});
    if (process.wait(std::chrono::seconds(60)) != e2e::Exit{0, 0}) {
        throw std::runtime_error("gpg: " + e2e::read_file(folder_ / "gpg.err"));
    }
    return e2e::read_file(folder_ / "gpg.out");
}

}  // namespace drawbridge::test
