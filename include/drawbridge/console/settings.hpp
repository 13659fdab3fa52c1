// What the console is told: console.yaml and the command line. Values in, values out; only load_settings() reads a
// file.
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

// A browser stays far below each of them.
struct Limits {
    std::size_t max_connections = 512;
    std::size_t max_connections_per_address = 64;
    std::size_t max_large_bodies = 16;  // at a time
    std::size_t max_streams_per_session = 8;
    std::size_t max_daemon_requests = 24;  // at a time; the daemon serves 64 connections
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
    std::string listen = "127.0.0.1:8080";             // ADDRESS:PORT; "systemd": the sockets that systemd hands over
    std::string origin = {};                           // as browsers write it; empty: http://localhost and the port
    std::filesystem::path certificate = {}, key = {};  // PEM files; both empty: plain HTTP
    std::filesystem::path socket = "/run/drawbridge/console.sock";
    Limits limits = {};

    [[nodiscard]] bool has_tls() const { return !certificate.empty(); }
    [[nodiscard]] bool by_systemd() const { return listen == "systemd"; }
    [[nodiscard]] bool is_public() const { return origin.starts_with("https://"); }
};

// What the command line says instead of the file; empty: nothing.
struct Overrides {
    std::string listen = {}, origin = {}, certificate = {}, key = {}, socket = {};
};

// `text` is that of the file `file`, whose folder its relative paths start from. `credentials` is the folder of
// systemd's credentials, or empty: tls.pem and tls.key in it are used where no certificate is named.
[[nodiscard]] std::expected<Settings, text::Diagnostics> read_settings(std::string_view text,
                                                                       const std::filesystem::path& file,
                                                                       const Overrides& overrides,
                                                                       const std::filesystem::path& credentials);

// Without a file: the command line alone.
[[nodiscard]] std::expected<Settings, text::Diagnostics> load_settings(const std::optional<std::filesystem::path>& file,
                                                                       const Overrides& overrides);

// "127.0.0.1:8080", "[::1]:8080"
struct ListenAddress {
    std::string address, port;
};
[[nodiscard]] std::optional<ListenAddress> parse_listen(std::string_view text);

// What a request's Host must be: "drawbridge.example.gov", "localhost:8080".
[[nodiscard]] std::string_view authority_of(std::string_view origin);

}  // namespace drawbridge::console
