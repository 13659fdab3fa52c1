// TLS to the service: trusted authorities, and the reason of a failed handshake. Verification cannot be turned off.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <boost/system/error_code.hpp>
#include <filesystem>
#include <optional>
#include <string>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::service {

// `section`: the configuration section with ca_file, for hints. TLS 1.2 or newer; the peer is verified against ca_file
// or, without it, the system's authorities.
[[nodiscard]] Result<boost::asio::ssl::context> make_tls_context(const std::optional<std::filesystem::path>& ca_file,
                                                                 const std::string& section = "service");

// The certificate must be for this host name or address; a name is also sent as SNI.
[[nodiscard]] bool expect_host(SSL* connection, const std::string& host);

// The reason in words: expired, not yet valid, another host, unknown authority, self-signed, or OpenSSL's text.
[[nodiscard]] std::string explain_handshake(SSL* connection, const std::string& host,
                                            const boost::system::error_code& error, const std::string& section);
// The peer's certificate was refused; a retry cannot help.
[[nodiscard]] bool is_certificate_refused(SSL* connection);

}  // namespace drawbridge::service
