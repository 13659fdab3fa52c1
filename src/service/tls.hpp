// TLS to the service: who is trusted, and why a handshake failed. Verification has no switch.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <boost/system/error_code.hpp>
#include <filesystem>
#include <optional>
#include <string>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::service {

// `section`: the block of the configuration that holds ca_file, for hints. TLS 1.2 or newer, the peer verified against
// ca_file or, without it, the system's authorities.
[[nodiscard]] Result<boost::asio::ssl::context> make_tls_context(const std::optional<std::filesystem::path>& ca_file,
                                                                 const std::string& section = "service");

// The certificate must be for this host name or address; a name is also sent as SNI.
[[nodiscard]] bool expect_host(SSL* connection, const std::string& host);

// In words: expired, not yet valid, another host, unknown authority, self-signed, or what OpenSSL said.
[[nodiscard]] std::string explain_handshake(SSL* connection, const std::string& host,
                                            const boost::system::error_code& error, const std::string& section);
// The peer's certificate was the reason; trying again cannot help.
[[nodiscard]] bool is_certificate_refused(SSL* connection);

}  // namespace drawbridge::service
