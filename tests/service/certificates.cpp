#include "service/certificates.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <atomic>
#include <boost/asio/buffer.hpp>
#include <fstream>
#include <stdexcept>

namespace drawbridge::service::testing {
namespace {

template <class T, void (*Free)(T*)>
struct Freer {
    void operator()(T* object) const { Free(object); }
};
using Key = std::unique_ptr<EVP_PKEY, Freer<EVP_PKEY, EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freer<X509, X509_free>>;

struct BioFree {
    void operator()(BIO* bio) const { BIO_free_all(bio); }
};
using Bio = std::unique_ptr<BIO, BioFree>;

void require(bool done, const char* what) {
    if (!done) throw std::runtime_error(what);
}

std::string content(BIO* bio) {
    char* data = nullptr;
    const long size = BIO_ctrl(bio, BIO_CTRL_INFO, 0, &data);
    return {data, static_cast<std::size_t>(size)};
}

Identity to_pem(X509* certificate, EVP_PKEY* key) {
    const Bio first(BIO_new(BIO_s_mem()));
    const Bio second(BIO_new(BIO_s_mem()));
    require(PEM_write_bio_X509(first.get(), certificate) == 1, "certificate");
    require(PEM_write_bio_PrivateKey(second.get(), key, nullptr, nullptr, 0, nullptr, nullptr) == 1, "key");
    return {.certificate = content(first.get()), .key = content(second.get())};
}

Key new_key() {
    return Key(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"));
}

Certificate new_certificate(const std::string& name, EVP_PKEY* key, const CertificateRequest& request) {
    static std::atomic<long> serial = 1;
    constexpr long day = 24L * 3600;
    Certificate certificate(X509_new());
    X509* x509 = certificate.get();
    X509_set_version(x509, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(x509), serial++);
    X509_gmtime_adj(X509_getm_notBefore(x509), request.valid_from_days * day);
    X509_gmtime_adj(X509_getm_notAfter(x509), (request.valid_from_days + request.valid_for_days) * day);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(x509), "CN", MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
    require(X509_set_pubkey(x509, key) == 1, "public key");
    return certificate;
}

void add_extension(X509* certificate, X509* issuer, int nid, const std::string& value) {
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
    X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str());
    require(extension != nullptr, "extension");
    X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
}

void sign(X509* certificate, X509* issuer, EVP_PKEY* key) {
    X509_set_issuer_name(certificate, X509_get_subject_name(issuer));
    require(X509_sign(certificate, key, EVP_sha256()) > 0, "signature");
}

}  // namespace

Identity make_authority(const std::string& name) {
    const Key key = new_key();
    const Certificate certificate = new_certificate(name, key.get(), {.valid_for_days = 100});
    add_extension(certificate.get(), certificate.get(), NID_basic_constraints, "critical,CA:TRUE");
    add_extension(certificate.get(), certificate.get(), NID_key_usage, "critical,keyCertSign,cRLSign");
    sign(certificate.get(), certificate.get(), key.get());
    return to_pem(certificate.get(), key.get());
}

Identity make_signed(const Identity& authority, const CertificateRequest& request) {
    const Bio ca_certificate(
        BIO_new_mem_buf(authority.certificate.data(), static_cast<int>(authority.certificate.size())));
    const Bio ca_key(BIO_new_mem_buf(authority.key.data(), static_cast<int>(authority.key.size())));
    const Certificate issuer(PEM_read_bio_X509(ca_certificate.get(), nullptr, nullptr, nullptr));
    const Key issuer_key(PEM_read_bio_PrivateKey(ca_key.get(), nullptr, nullptr, nullptr));
    const Key key = new_key();
    const Certificate certificate = new_certificate("service", key.get(), request);
    add_extension(certificate.get(), issuer.get(), NID_subject_alt_name, request.alternative_name);
    sign(certificate.get(), issuer.get(), issuer_key.get());
    return to_pem(certificate.get(), key.get());
}

Identity make_self_signed(const CertificateRequest& request) {
    const Key key = new_key();
    const Certificate certificate = new_certificate("service", key.get(), request);
    add_extension(certificate.get(), certificate.get(), NID_subject_alt_name, request.alternative_name);
    sign(certificate.get(), certificate.get(), key.get());
    return to_pem(certificate.get(), key.get());
}

std::shared_ptr<boost::asio::ssl::context> server_tls(const Identity& identity) {
    auto context = std::make_shared<boost::asio::ssl::context>(boost::asio::ssl::context::tls_server);
    context->use_certificate_chain(boost::asio::buffer(identity.certificate));
    context->use_private_key(boost::asio::buffer(identity.key), boost::asio::ssl::context::pem);
    return context;
}

TemporaryFile::TemporaryFile(const std::string& content) {
    static std::atomic<int> count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("drawbridge-test-" + std::to_string(getpid()) + "-" + std::to_string(++count));
    std::ofstream(path_, std::ios::binary) << content;
}

TemporaryFile::~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
}

}  // namespace drawbridge::service::testing
