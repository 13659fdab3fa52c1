// console: the daemon's socket for it, and the site that passkeys are for.
#include <sys/un.h>

#include "drawbridge/domain/web_address.hpp"
#include "sections.hpp"

namespace drawbridge::config {
namespace {

namespace fs = std::filesystem;

fs::path read_console_socket(const Section& section, const Origin& origin, const fs::path& admin_socket) {
    const auto* node = section.find("socket");
    if (node == nullptr) return admin_socket.parent_path() / "console.sock";
    fs::path socket = origin.resolve(section.text("socket", "."));
    constexpr std::size_t max_length = sizeof(sockaddr_un::sun_path) - 1;
    if (socket.native().size() > max_length || socket == admin_socket) {
        section.reader().error(*node, "console.socket: " + socket.string() + " cannot be used",
                               "use a separate path of at most " + std::to_string(max_length) + " characters");
    }
    return socket;
}

// Stores scheme, host and port as browsers write them, and returns the host. nullopt: the error is reported.
std::optional<std::string> read_origin(const Section& section, Console& console) {
    console.origin = section.text("origin", console.origin);
    const auto address = parse_base_address(console.origin);
    const bool is_origin = address && address->path.empty() &&
                           console.origin == (address->tls ? "https://" : "http://") + address->authority;
    if (is_origin) return address->host;
    const std::string why = address ? "is not written as browsers write it: scheme, host and port alone, in lower case"
                                    : address.error().message;
    section.reader().error(*section.find("origin"), "console.origin " + why,
                           "write it like https://drawbridge.example.gov");
    return std::nullopt;
}

bool is_at_or_above(const std::string& domain, const std::string& host) {
    return host == domain || host.ends_with("." + domain);
}

}  // namespace

Console read_console(const Section& root, const Origin& origin, const fs::path& admin_socket, const Alerts& alerts) {
    const Section section = root.child("console");
    Console console;
    console.socket = read_console_socket(section, origin, admin_socket);
    console.user = section.text("user", "");
    const auto host = read_origin(section, console);
    if (host) console.site = section.text("site", *host);
    if (host && !is_at_or_above(console.site, *host)) {
        section.reader().error(*section.find("site"),
                               "console.site: " + console.site + " is not a parent domain of " + *host,
                               "name the host of console.origin, or a domain that it belongs to");
    }
    console.signed_release_only = section.choice<bool>("release", {{"any", false}, {"signed", true}});
    console.device_bound_keys_only = section.choice<bool>("keys", {{"any", false}, {"device_bound", true}});
    const Section code = section.child("release_code");
    if (const auto* above = code.find("above")) {
        const auto text = code.reader().text(*above, "console.release_code.above");
        const auto amount = text ? Money::parse(*text) : Result<Money>(Money());
        if (amount) {
            console.release_code_above = *amount;
        } else {
            code.reader().error(*above, "console.release_code.above: " + amount.error().message,
                                "write dollars and cents, like 50000.00");
        }
        if (!alerts.email) {
            code.reader().error(*above, "console.release_code.above needs alerts.email: the code goes out by mail",
                                "configure alerts.email, or remove console.release_code");
        }
    }
    return console;
}

}  // namespace drawbridge::config
