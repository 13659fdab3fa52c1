#include "drawbridge/service/site_look.hpp"

#include <openssl/asn1.h>
#include <openssl/x509.h>

#include <ctime>
#include <utility>

#include "connection.hpp"
#include "drawbridge/domain/web_address.hpp"
#include "tls.hpp"

namespace drawbridge::service {
namespace {

constexpr std::size_t max_page_bytes = std::size_t{1} << 20;

std::optional<Instant> end_of(const X509* certificate) {
    std::tm ends{};
    if (certificate == nullptr || ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &ends) != 1) return std::nullopt;
    return Instant(std::chrono::seconds(::timegm(&ends)));
}

}  // namespace

boost::asio::awaitable<Result<SiteSeen>> look_at_site(boost::asio::any_io_executor executor, std::string origin,
                                                      std::string path, std::chrono::milliseconds deadline) {
    const auto address = parse_web_address(origin);
    if (!address) co_return std::unexpected(address.error());
    SiteSeen seen;
    ConnectionSettings settings{.endpoint = {.tls = address->tls,
                                             .host = address->host,
                                             .port = address->port,
                                             .authority = address->authority,
                                             .base_path = {}},
                                .proxy = std::nullopt,
                                .tls = std::nullopt,
                                .max_body_bytes = max_page_bytes,
                                .user_agent = "drawbridge check",
                                .section = "console"};
    if (address->tls) {
        auto context = make_tls_context(std::nullopt, settings.section);
        if (!context) co_return std::unexpected(context.error());
        settings.tls = std::move(*context);
        settings.tls->set_verify_callback([&seen](bool is_good, boost::asio::ssl::verify_context& chain) {
            if (X509_STORE_CTX_get_error_depth(chain.native_handle()) == 0)
                seen.certificate_ends = end_of(X509_STORE_CTX_get_current_cert(chain.native_handle()));
            return is_good;
        });
    }
    const auto until = SteadyClock::now() + deadline;
    auto opened = co_await open_connection(executor, &settings, until);
    if (!opened) co_return std::unexpected(opened.error().error);
    HttpRequest request{.method = "GET",
                        .target = std::move(path),
                        .content_type = {},
                        .body = {},
                        .bearer = {},
                        .sent_crash_point = {},
                        .answered_crash_point = {}};
    auto answer = co_await (*opened)->exchange(std::move(request), until);
    if (!answer) co_return std::unexpected(answer.error().error);
    seen.status = answer->status;
    seen.body = std::move(answer->body);
    co_return seen;
}

}  // namespace drawbridge::service
