// The console's settings, from console.yaml and the command line. Pure, except that load_settings() reads a file.
#pragma once

#include <chrono>
#include <cstddef>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::console {

// A browser stays far below each limit.
struct Limits {
    std::size_t max_connections = 512;
    std::size_t max_connections_per_address = 64;
    std::size_t max_large_bodies = 16;  // at the same time
    std::size_t max_streams_per_session = 8;
    std::size_t max_daemon_requests = 24;  // at the same time; the daemon serves 64 connections
    std::size_t max_body_bytes = std::size_t{64} << 10;
    std::size_t max_upload_bytes =
        (std::size_t{1} << 20) + (std::size_t{4} << 10);  // a piece of a file, or a small file
    std::chrono::milliseconds handshake{5'000};
    std::chrono::milliseconds head{5'000};   // of one request, from its first byte
    std::chrono::milliseconds idle{30'000};  // between two requests
    std::chrono::milliseconds write{30'000};
    std::size_t min_body_bytes_per_second = std::size_t{8} << 10;
};

struct Settings {
    std::string listen = "127.0.0.1:8080";             // ADDRESS:PORT; "systemd": the sockets that systemd passes
    std::string origin = {};                           // as browsers show it; empty: http://localhost:PORT
    std::filesystem::path certificate = {}, key = {};  // PEM files; both empty: plain HTTP
    std::filesystem::path socket = "/run/drawbridge/console.sock";
    Limits limits = {};

    [[nodiscard]] bool has_tls() const { return !certificate.empty(); }
    [[nodiscard]] bool by_systemd() const { return listen == "systemd"; }
    [[nodiscard]] bool is_public() const { return origin.starts_with("https://"); }
};

// Values of the command line, which replace those of the file. Empty: not given.
struct Overrides {
    std::string listen = {}, origin = {}, certificate = {}, key = {}, socket = {};
};

// `text` is the content of `file`; relative paths in it start from the folder of `file`. `credentials` is the folder of
// systemd's credentials, or empty: its tls.pem and tls.key are used if no certificate is named.
[[nodiscard]] std::expected<Settings, text::Diagnostics> read_settings(std::string_view text,
                                                                       const std::filesystem::path& file,
                                                                       const Overrides& overrides,
                                                                       const std::filesystem::path& credentials);

// Without a file, only the command line counts.
[[nodiscard]] std::expected<Settings, text::Diagnostics> load_settings(const std::optional<std::filesystem::path>& file,
                                                                       const Overrides& overrides);

// "127.0.0.1:8080", "[::1]:8080"
struct ListenAddress {
    std::string address, port;
};
[[nodiscard]] std::optional<ListenAddress> parse_listen(std::string_view text);

// The only valid Host of a request: "drawbridge.example.gov", "localhost:8080".
[[nodiscard]] std::string_view authority_of(std::string_view origin);

}  // namespace drawbridge::console
