#include "drawbridge/console/settings.hpp"

#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "drawbridge/domain/web_address.hpp"
#include "drawbridge/text/yaml.hpp"

namespace drawbridge::console {
namespace {

namespace fs = std::filesystem;
using text::Diagnostic;
using text::Diagnostics;

struct Key {
    std::string_view name;
    std::string Overrides::* value;
};
constexpr std::array<Key, 5> keys = {{{"listen", &Overrides::listen},
                                      {"origin", &Overrides::origin},
                                      {"certificate", &Overrides::certificate},
                                      {"key", &Overrides::key},
                                      {"socket", &Overrides::socket}}};

// What is wrong, and where: a key of the file, or the command line.
class Report {
  public:
    explicit Report(std::string file) : file_(std::move(file)) {}
    void place(std::string_view key, int line, int column) { places_.push_back({std::string(key), line, column}); }
    void add(std::string_view key, const std::string& message, std::string hint) {
        Diagnostic found{file_, 0, 0, std::string(key) + ": " + message, std::move(hint)};
        for (const auto& place : places_) {
            if (place.key == key) found.line = place.line, found.column = place.column;
        }
        if (found.line == 0) found.file = "command line";
        diagnostics.push_back(std::move(found));
    }
    Diagnostics diagnostics;

  private:
    struct Place {
        std::string key;
        int line, column;
    };
    std::string file_;
    std::vector<Place> places_;
};

// The keys of the file, paths made absolute; what the command line says stands already in `into` and wins.
void take_file(std::string_view yaml, const fs::path& file, Overrides& into, Report& report) {
    const auto document = text::parse_yaml(yaml, file.string());
    if (!document) {
        report.diagnostics = document.error();
        return;
    }
    if (document->kind() == text::YamlNode::Kind::null) return;
    text::YamlReader reader(file.string(), report.diagnostics);
    std::vector<std::string_view> names;
    for (const auto& key : keys)
        names.push_back(key.name);
    if (!reader.check_map(*document, names, "the console's configuration")) return;
    for (const auto& key : keys) {
        const auto* node = text::YamlReader::find(*document, key.name);
        std::string& value = into.*key.value;
        if (node == nullptr || !value.empty()) continue;
        auto read = reader.text(*node, key.name);
        if (!read) continue;
        const bool is_path = key.name == "certificate" || key.name == "key" || key.name == "socket";
        value = is_path ? (file.parent_path() / *read).lexically_normal().string() : *read;
        report.place(key.name, node->line(), node->column());
    }
}

bool is_loopback(const std::string& address) {
    return address == "::1" || address.starts_with("127.");
}

void check_listen(const Settings& settings, Report& report) {
    if (settings.by_systemd()) return;
    const auto address = parse_listen(settings.listen);
    if (!address) {
        report.add("listen", "'" + settings.listen + "' is not an address and a port",
                   "write it like 127.0.0.1:8080 or [::]:443, or 'systemd'");
    } else if (!settings.has_tls() && !is_loopback(address->address)) {
        report.add("listen", "plain HTTP is for this machine only",
                   "listen on 127.0.0.1 or ::1, or name a certificate and a key");
    }
}

void check_origin(Settings& settings, Report& report) {
    if (settings.origin.empty()) {
        const auto address = parse_listen(settings.listen);
        if (settings.has_tls() || settings.by_systemd()) {
            report.add("origin", "is missing", "name what browsers show, like https://drawbridge.example.gov");
        } else if (address && address->port != "0") {
            settings.origin = "http://localhost:" + address->port;
        }
        return;
    }
    const auto address = parse_base_address(settings.origin);
    const bool is_origin = address && address->path.empty() &&
                           settings.origin == (address->tls ? "https://" : "http://") + address->authority;
    if (!is_origin) {
        report.add("origin",
                   address ? "is not written as browsers write it: scheme, host and port alone, in lower case"
                           : address.error().message,
                   "write it like https://drawbridge.example.gov, the same as console.origin of drawbridge.yaml");
    } else if (settings.has_tls() && !address->tls) {
        report.add("origin", "is plain http although a certificate is configured", "write https://");
    }
}

void check_tls(const Settings& settings, Report& report) {
    if (settings.certificate.empty() == settings.key.empty()) return;
    report.add(settings.key.empty() ? "key" : "certificate", "is missing", "name both the certificate and its key");
}

void take_credentials(Overrides& values, const fs::path& credentials) {
    if (credentials.empty() || !values.certificate.empty() || !values.key.empty()) return;
    std::error_code ignored;
    if (!fs::exists(credentials / "tls.pem", ignored) || !fs::exists(credentials / "tls.key", ignored)) return;
    values.certificate = (credentials / "tls.pem").string();
    values.key = (credentials / "tls.key").string();
}

}  // namespace

std::optional<ListenAddress> parse_listen(std::string_view text) {
    const auto colon = text.rfind(':');
    if (colon == std::string_view::npos) return std::nullopt;
    ListenAddress parsed{std::string(text.substr(0, colon)), std::string(text.substr(colon + 1))};
    auto& address = parsed.address;
    if (address.starts_with('[') && address.ends_with(']')) {
        address = address.substr(1, address.size() - 2);
    } else if (address.find(':') != std::string::npos) {
        return std::nullopt;
    }
    const bool is_port = !parsed.port.empty() && parsed.port.size() <= 5 &&
                         parsed.port.find_first_not_of("0123456789") == std::string::npos &&
                         std::stoi(parsed.port) <= 65535;
    if (address.empty() || !is_port) return std::nullopt;
    return parsed;
}

std::string_view authority_of(std::string_view origin) {
    const auto begin = origin.find("://");
    return begin == std::string_view::npos ? std::string_view() : origin.substr(begin + 3);
}

std::expected<Settings, Diagnostics> read_settings(std::string_view text, const fs::path& file,
                                                   const Overrides& overrides, const fs::path& credentials) {
    Report report(file.string());
    Overrides values = overrides;
    take_file(text, file, values, report);
    take_credentials(values, credentials);
    Settings settings;
    if (!values.listen.empty()) settings.listen = values.listen;
    settings.origin = values.origin;
    settings.certificate = values.certificate;
    settings.key = values.key;
    if (!values.socket.empty()) settings.socket = values.socket;
    check_tls(settings, report);
    check_listen(settings, report);
    check_origin(settings, report);
    if (!report.diagnostics.empty()) return std::unexpected(std::move(report.diagnostics));
    return settings;
}

std::expected<Settings, Diagnostics> load_settings(const std::optional<fs::path>& file, const Overrides& overrides) {
    std::string text;
    if (file) {
        std::ifstream in(*file, std::ios::binary);
        text.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
        if (!in) {
            return std::unexpected(Diagnostics{
                {file->string(), 0, 0, "cannot be read", "name the console's configuration with --config"}});
        }
    }
    const char* credentials = std::getenv("CREDENTIALS_DIRECTORY");  // NOLINT(concurrency-mt-unsafe): before any thread
    return read_settings(text, file.value_or("console.yaml"), overrides, credentials == nullptr ? "" : credentials);
}

}  // namespace drawbridge::console
