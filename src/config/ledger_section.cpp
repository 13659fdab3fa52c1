// ledger: its sealing key and its witness.
#include <algorithm>
#include <array>
#include <utility>

#include "drawbridge/domain/ascii.hpp"
#include "secret_files.hpp"
#include "sections.hpp"

namespace drawbridge::config {
namespace {

std::optional<SealingKey> read_sealing_key(const Section& root, const Section& section, const Origin& origin) {
    const bool is_named = section.find("sealing_key_file") != nullptr || section.find("sealing_key") != nullptr;
    const auto secret = is_named ? read_secret_of(section, origin, "sealing_key_file", "sealing_key")
                                 : read_credential(root.reader(), "sealing_key", origin);
    if (!secret) return std::nullopt;
    auto key = SealingKey::parse(secret->reveal());
    if (key) return *std::move(key);
    const text::YamlNode* node = section.find("sealing_key_file");
    root.reader().error(
        node == nullptr ? 0 : node->line(), node == nullptr ? 0 : node->column(),
        (node == nullptr ? std::string("the systemd credential sealing_key") : std::string("ledger.sealing_key_file")) +
            ": " + key.error().message);
    return std::nullopt;
}

// `witness: none` means no witness, not a folder named none.
Witness read_witness(const Section& section, const Origin& origin) {
    Witness witness;
    witness.timeout = section.duration("witness_timeout");
    if (section.find("witness") == nullptr) return witness;
    const auto text = section.text("witness", "");
    constexpr std::array others{"none", "no", "off", "false"};
    if (text != "none" && std::ranges::find(others, lowercase(text)) != others.end()) {
        section.reader().error(*section.find("witness"), "ledger.witness: '" + text + "' is not a folder",
                               "write none for no witness; for a folder of that name, write ./" + text);
    }
    witness.none_on_purpose = text == "none";
    if (!witness.none_on_purpose) witness.folder = origin.resolve(text);
    return witness;
}

// The parts of "postgresql://user:password@host:port/database?key=value&key=value" that the checks below need.
struct UrlParts {
    std::string user, host, query;
    bool has_password = false;
};
std::optional<UrlParts> parse_url(std::string_view url) {
    const auto start = url.find("://");
    const auto scheme = url.substr(0, start);
    if (start == std::string_view::npos || (scheme != "postgresql" && scheme != "postgres")) return std::nullopt;
    url.remove_prefix(start + 3);
    UrlParts parts;
    const auto query = url.find('?');
    if (query != std::string_view::npos) parts.query = url.substr(query + 1);
    auto authority = url.substr(0, std::min(url.find('/'), query));
    if (const auto at = authority.rfind('@'); at != std::string_view::npos) {
        parts.user = authority.substr(0, at);
        parts.has_password = parts.user.find(':') != std::string::npos;
        authority.remove_prefix(at + 1);
    }
    parts.host = authority;
    return parts;
}

// The value of a parameter; empty if it is absent.
std::string parameter(const std::string& query, const std::string& name) {
    const std::string all = "&" + query;
    const auto at = all.find("&" + name + "=");
    if (at == std::string::npos) return {};
    const auto value = all.substr(at + name.size() + 2);
    return value.substr(0, value.find('&'));
}

bool has_password(const UrlParts& url) {
    constexpr std::array secrets{"password", "sslpassword", "passfile"};
    return url.has_password ||
           std::ranges::any_of(secrets, [&](const char* name) { return !parameter(url.query, name).empty(); });
}

// A socket's folder, or a name that always means this machine.
bool is_this_machine(std::string_view host) {
    constexpr std::array names{"", "localhost", "127.0.0.1", "[::1]"};
    if (host.starts_with('/') || host.starts_with("%2F") || host.starts_with("%2f")) return true;
    const auto port = host.rfind(':');
    const bool has_port = port != std::string_view::npos && host.find(']', port) == std::string_view::npos;
    return std::ranges::find(names, has_port ? host.substr(0, port) : host) != names.end();
}

// True if all hosts of the comma-separated list are this machine.
bool is_this_machine(const UrlParts& url) {
    if (!parameter(url.query, "hostaddr").empty()) return false;
    auto hosts = url.host.empty() ? parameter(url.query, "host") : url.host;
    for (std::size_t end = 0; end != std::string::npos; hosts.erase(0, end + 1)) {
        end = hosts.find(',');
        if (!is_this_machine(std::string_view(hosts).substr(0, end))) return false;
        if (end == std::string::npos) break;
    }
    return true;
}

bool is_schema_name(std::string_view name) {
    constexpr std::size_t max_length = 63;
    return !name.empty() && name.size() <= max_length && name.front() >= 'a' && name.front() <= 'z' &&
           name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
}

// What is wrong with the URL, and what to do; empty if it is good.
std::pair<std::string, std::string> fault_of_url(const std::string& text) {
    const auto url = parse_url(text);
    if (!url) return {"not a PostgreSQL URL", "write it like \"postgresql://drawbridge@db.example.gov/drawbridge\""};
    if (has_password(*url))
        return {"a password in the URL", "put it in a file and name that file in ledger.password_file"};
    const auto mode = parameter(url->query, "sslmode");
    if (!mode.empty() && mode != "verify-full" && !is_this_machine(*url))
        return {"sslmode=" + mode + " does not verify the server's identity", "remove it: verify-full is the default"};
    return {};
}

std::optional<LedgerDatabase> read_database(const Section& section, const Origin& origin) {
    const auto* node = section.find("url");
    LedgerDatabase database{section.text("url", ""),
                            {},
                            section.text("schema", "drawbridge"),
                            section.text("read_url", ""),
                            section.duration("read_max_lag")};
    const bool has_file = section.find("password_file") != nullptr || section.find("password") != nullptr;
    if (has_file) database.password = read_secret_of(section, origin, "password_file", "password");
    const auto* read_node = section.find("read_url");
    if (node == nullptr && read_node != nullptr)
        section.reader().error(*read_node,
                               "ledger.read_url is set and ledger.url is not: a ledger in a file has no standby",
                               "set ledger.url, or remove ledger.read_url");
    if (node == nullptr) return std::nullopt;
    if (const auto [what, fix] = fault_of_url(database.url); !what.empty())
        section.reader().error(*node, "ledger.url: " + what, fix);
    if (read_node != nullptr) {
        if (const auto [what, fix] = fault_of_url(database.read_url); !what.empty())
            section.reader().error(*read_node, "ledger.read_url: " + what, fix);
    }
    if (!is_schema_name(database.schema))
        section.reader().error(*section.find("schema"), "ledger.schema: '" + database.schema + "' is not a plain name",
                               "use lower-case letters, digits and _");
    return database;
}

}  // namespace

Ledger read_ledger(const Section& root, const Origin& origin, Release release) {
    const Section section = root.child("ledger");
    Ledger ledger{read_sealing_key(root, section, origin), read_witness(section, origin),
                  read_database(section, origin)};
    if (release == Release::automatic && !ledger.witness.folder && !ledger.witness.none_on_purpose) {
        const text::YamlNode* node = text::YamlReader::find(*root.find("pay"), "release");
        root.reader().error(
            node == nullptr ? 0 : node->line(), node == nullptr ? 0 : node->column(),
            "pay.release is auto and ledger.witness is not set: nobody would notice a ledger rollback",
            "set ledger.witness to a folder on another disk or machine, or write ledger: {witness: none}");
    }
    return ledger;
}

}  // namespace drawbridge::config
