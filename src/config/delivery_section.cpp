// delivery: how released files reach the bank.
#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

#include "drawbridge/domain/ascii.hpp"
#include "secret_files.hpp"
#include "sections.hpp"

namespace drawbridge::config {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using text::YamlNode;

bool is_host_key(const std::string& text) {
    const auto space = text.find(' ');
    return space != std::string::npos && (text.starts_with("ssh-") || text.starts_with("ecdsa-")) &&
           text.find_first_not_of(' ', space) != std::string::npos;
}

void check_host(const Section& section, const std::string& host) {
    const bool good = std::ranges::all_of(
        host, [](char c) { return is_letter_or_digit(c) || c == '.' || c == '-' || c == ':' || c == '_'; });
    if (good) return;
    section.reader().error(*section.find("host"), section.what("host") + " is not a host name",
                           "write it like sftp.bank.example; port, user and folder have their own keys");
}

void read_server_keys(const Section& section, const Origin& origin, SftpServer& server) {
    if (const YamlNode* node = section.find("host_key")) {
        server.host_key = section.text("host_key", "");
        if (!is_host_key(server.host_key)) {
            section.reader().error(*node, section.what("host_key") + " is not a public key",
                                   "write the whole key as \"ssh-ed25519 AAAA…\"; a fingerprint is not enough");
        }
    } else if (section.find("known_hosts_file") != nullptr) {
        server.known_hosts_file = origin.resolve(section.text("known_hosts_file", ""));
    } else {
        static_cast<void>(section.require("host_key"));
    }
}

std::optional<SftpServer> read_sftp(const Section& target, const Origin& origin) {
    const Section section = target.child("sftp");
    if (!section.present()) return std::nullopt;
    SftpServer server;
    server.host = section.required_text("host").value_or("");
    check_host(section, server.host);
    server.port = static_cast<int>(section.integer("port"));
    server.user = section.required_text("user").value_or("");
    if (const auto file = section.required_text("key_file")) {
        server.private_key =
            read_secret_text(section.reader(), *section.find("key_file"), section.what("key_file"), origin, *file)
                .value_or(Secret());
    }
    if (const YamlNode* node = section.find("key_passphrase_file")) {
        server.passphrase = read_secret(section.reader(), *node, section.what("key_passphrase_file"), origin,
                                        section.text("key_passphrase_file", ""))
                                .value_or(Secret());
    }
    read_server_keys(section, origin, server);
    server.folder = section.text("folder", "");
    server.timeout = section.duration("timeout");
    return server;
}

// Upper case and without the spaces that people write. 40 digits, or 64 for a version 5 key.
std::string read_fingerprint(const Section& section) {
    auto fingerprint = section.required_text("fingerprint");
    if (!fingerprint) return {};
    std::erase(*fingerprint, ' ');
    *fingerprint = uppercase(*fingerprint);
    const bool digits = std::ranges::all_of(*fingerprint, [](unsigned char c) { return std::isxdigit(c) != 0; });
    if (!digits || (fingerprint->size() != 40 && fingerprint->size() != 64)) {
        section.reader().error(*section.find("fingerprint"), section.what("fingerprint") + " is not a full fingerprint",
                               "write all 40 hexadecimal digits in quotes, as `gpg --show-keys FILE` prints them");
    }
    return std::move(*fingerprint);
}

std::string read_suffix(const Section& section, std::string fallback) {
    auto suffix = section.text("name_suffix", fallback);
    const bool good = suffix.starts_with('.') && suffix.size() > 1 && suffix.size() <= 16 &&
                      std::ranges::all_of(suffix.substr(1), is_letter_or_digit);
    if (!good) {
        section.reader().error(*section.find("name_suffix"), section.what("name_suffix") + " is not a file name suffix",
                               "write it like .pgp: a dot, then letters and digits");
        return fallback;
    }
    return suffix;
}

std::optional<OpenPgpKey> read_openpgp(const Section& target, const Origin& origin) {
    const Section section = target.child("openpgp");
    if (!section.present()) return std::nullopt;
    OpenPgpKey key;
    if (const auto file = section.required_text("public_key_file")) key.public_key_file = origin.resolve(*file);
    key.fingerprint = read_fingerprint(section);
    key.name_suffix = read_suffix(section, key.name_suffix);
    if (const YamlNode* node = section.find("armor")) {
        key.armor = section.reader().boolean(*node, section.what("armor")).value_or(false);
    }
    return key;
}

DeliveryTarget read_target(const Section& section, const Origin& origin) {
    return {read_sftp(section, origin), read_openpgp(section, origin)};
}

}  // namespace

Delivery read_delivery(const Section& root, const Origin& origin) {
    const Section section = root.child("delivery");
    Delivery delivery;
    delivery.ach = read_target(section, origin);
    const Section checks = section.child("checks");
    delivery.checks = checks.present() ? read_target(checks, origin) : delivery.ach;
    return delivery;
}

}  // namespace drawbridge::config
