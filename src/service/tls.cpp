#include "tls.hpp"

#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include <boost/asio/ip/address.hpp>

namespace drawbridge::service {

namespace ssl = boost::asio::ssl;

Result<ssl::context> make_tls_context(const std::optional<std::filesystem::path>& ca_file, const std::string& section) {
    ssl::context context(ssl::context::tls_client);
    SSL_CTX_set_min_proto_version(context.native_handle(), TLS1_2_VERSION);
    boost::system::error_code error;
    if (ca_file) {
        context.load_verify_file(ca_file->string(), error);
        if (error) {
            return fail(ErrorCode::invalid_input, section + ".ca_file: " + ca_file->string() +
                                                      " cannot be read as PEM certificates: " + error.message());
        }
    } else {
        context.set_default_verify_paths(error);
        if (error) {
            return fail(ErrorCode::invalid_input,
                        "the system's certificate authorities cannot be read: " + error.message() +
                            ": install ca-certificates or name a file in " + section + ".ca_file");
        }
    }
    context.set_verify_mode(ssl::verify_peer | ssl::verify_fail_if_no_peer_cert);
    return context;
}

bool expect_host(SSL* connection, const std::string& host) {
    boost::system::error_code error;
    boost::asio::ip::make_address(host, error);
    X509_VERIFY_PARAM* parameters = SSL_get0_param(connection);
    if (!error) return X509_VERIFY_PARAM_set1_ip_asc(parameters, host.c_str()) == 1;
    X509_VERIFY_PARAM_set_hostflags(parameters, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    // SSL_set_tlsext_host_name is a macro with an old-style cast.
    std::string name = host;
    return X509_VERIFY_PARAM_set1_host(parameters, host.c_str(), host.size()) == 1 &&
           SSL_ctrl(connection, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, name.data()) == 1;
}

bool is_certificate_refused(SSL* connection) {
    return SSL_get_verify_result(connection) != X509_V_OK;
}

std::string explain_handshake(SSL* connection, const std::string& host, const boost::system::error_code& error,
                              const std::string& section) {
    const std::string whose = "the certificate of " + host;
    switch (const long verdict = SSL_get_verify_result(connection); verdict) {
        case X509_V_OK: return "TLS with " + host + " failed: " + error.message();
        case X509_V_ERR_CERT_HAS_EXPIRED: return whose + " has expired";
        case X509_V_ERR_CERT_NOT_YET_VALID: return whose + " is not yet valid: check this machine's clock";
        case X509_V_ERR_HOSTNAME_MISMATCH:
        case X509_V_ERR_IP_ADDRESS_MISMATCH: return whose + " is for another host";
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
            return whose + " is self-signed: add it to " + section + ".ca_file if you trust it";
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
        case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            return whose + " is from an unknown certificate authority: add that authority to " + section + ".ca_file";
        default: return whose + " is refused: " + X509_verify_cert_error_string(verdict);
    }
}

}  // namespace drawbridge::service
