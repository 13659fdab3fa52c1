#include "certificate.hpp"

namespace drawbridge::console {

Result<void> use_certificate(asio::ssl::context& context, const Settings& settings) {
    boost::system::error_code error;
    const auto why = [&](const std::filesystem::path& file, const char* what) {
        return fail(ErrorCode::invalid_input, file.string() + ": " + what + ": " + error.message());
    };
    context.set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_sslv2 |
                            asio::ssl::context::no_sslv3 | asio::ssl::context::no_tlsv1 |
                            asio::ssl::context::no_tlsv1_1 | asio::ssl::context::no_compression |
                            asio::ssl::context::single_dh_use,
                        error);
    if (!error) context.use_certificate_chain_file(settings.certificate.string(), error);
    if (error) return why(settings.certificate, "cannot be used as a certificate chain");
    context.use_private_key_file(settings.key.string(), asio::ssl::context::pem, error);
    if (error) return why(settings.key, "cannot be used as a private key");
    SSL_CTX_set_options(context.native_handle(), SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
    constexpr const char* ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20";
    if (SSL_CTX_check_private_key(context.native_handle()) != 1)
        return fail(ErrorCode::invalid_input,
                    settings.key.string() + ": is not the key of " + settings.certificate.string());
    if (SSL_CTX_set_cipher_list(context.native_handle(), ciphers) != 1)
        return fail(ErrorCode::unavailable, "this OpenSSL has none of the ciphers that are asked for");
    return {};
}

}  // namespace drawbridge::console
