// Certificates generated for tests: an authority, and certificates that it signs.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <filesystem>
#include <memory>
#include <string>

namespace drawbridge::service::testing {

struct Identity {
    std::string certificate;  // PEM
    std::string key;          // PEM
};

struct CertificateRequest {
    std::string alternative_name = "DNS:localhost";
    int valid_from_days = -1;  // from now
    int valid_for_days = 10;
};

[[nodiscard]] Identity make_authority(const std::string& name);
[[nodiscard]] Identity make_signed(const Identity& authority, const CertificateRequest& request = {});
[[nodiscard]] Identity make_self_signed(const CertificateRequest& request = {});

[[nodiscard]] std::shared_ptr<boost::asio::ssl::context> server_tls(const Identity& identity);

// A file that is removed with this object.
class TemporaryFile {
  public:
    explicit TemporaryFile(const std::string& content);
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace drawbridge::service::testing
