// The listener with a certificate: what browsers of today can talk to, and nothing older.
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>
#include <cstdlib>
#include <memory>
#include <thread>

#include "console/raw_client.hpp"
#include "drawbridge/console/listener.hpp"
#include "support/temporary_folder.hpp"

namespace drawbridge::console {
namespace {

namespace ssl = asio::ssl;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

class TlsTest : public ::testing::Test {
  protected:
    TlsTest() {
        settings_.listen = "127.0.0.1:0";
        settings_.origin = "https://localhost";
        settings_.certificate = folder_.path() / "tls.pem";
        settings_.key = folder_.path() / "tls.key";
        settings_.limits.handshake = 500ms;
        const std::string make =
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "
            "/CN=localhost -keyout " +
            settings_.key.string() + " -out " + settings_.certificate.string() + " 2>/dev/null";
        if (std::system(make.c_str()) != 0)  // NOLINT(concurrency-mt-unsafe): before any thread
            throw std::runtime_error("openssl made no certificate");
        listener_ = Listener::open(io_.get_executor(), settings_, [](WebRequest request) {
                        return answer(std::move(request));
                    }).value();
        asio::co_spawn(io_, listener_->serve(), [](const std::exception_ptr& failure) {
            if (failure) std::rethrow_exception(failure);
        });
        thread_ = std::thread([this] { io_.run(); });
    }
    ~TlsTest() override {
        asio::post(io_, [this] { listener_->stop(); });
        thread_.join();
    }
    TlsTest(const TlsTest&) = delete;
    TlsTest& operator=(const TlsTest&) = delete;

    static asio::awaitable<Reply> answer(WebRequest request) {
        Reply reply;
        reply.body = request.method + " " + request.target;
        co_return reply;
    }
    // The answer; empty: there was no handshake.
    [[nodiscard]] std::string get(int newest_version) const {
        asio::io_context io;
        ssl::context context(ssl::context::tls_client);
        SSL_CTX_set_max_proto_version(context.native_handle(), newest_version);
        ssl::stream<asio::ip::tcp::socket> stream(io, context);
        boost::system::error_code error;
        stream.next_layer().connect({asio::ip::address_v4::loopback(), listener_->port()}, error);
        if (!error) stream.handshake(ssl::stream_base::client, error);
        if (error) return {};
        const std::string request = "GET /a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        asio::write(stream, asio::buffer(request), error);
        std::string answer;
        asio::read(stream, asio::dynamic_buffer(answer), error);
        return answer;
    }

    const test::TemporaryFolder folder_;
    Settings settings_;
    asio::io_context io_{1};
    std::unique_ptr<Listener> listener_;
    std::thread thread_;
};

TEST_F(TlsTest, tls_1_2_and_1_3_are_served_and_nothing_older) {
    for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
        const std::string answer = get(version);
        EXPECT_EQ(status_in(answer), 200);
        EXPECT_EQ(body_in(answer), "GET /a");
        EXPECT_EQ(header_in(answer, "Strict-Transport-Security"), "max-age=31536000");
    }
    EXPECT_EQ(get(TLS1_1_VERSION), "");
}

// Whether `openssl s_client` with these options shakes hands with what listens there.
bool shakes_hands(std::uint16_t port, const std::string& options) {
    const std::string probe = "openssl s_client -connect 127.0.0.1:" + std::to_string(port) +
                              " -servername localhost " + options + " </dev/null 2>&1 | grep -q '^New, TLSv1'";
    return std::system(probe.c_str()) == 0;  // NOLINT(concurrency-mt-unsafe)
}

// Each cipher that this OpenSSL could speak, one at a time.
TEST_F(TlsTest, only_forward_secret_ciphers_with_authenticated_encryption_are_spoken) {
    const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> all(SSL_CTX_new(TLS_client_method()), SSL_CTX_free);
    ASSERT_EQ(SSL_CTX_set_cipher_list(all.get(), "ALL:COMPLEMENTOFALL:@SECLEVEL=0"), 1);
    const auto* ciphers = SSL_CTX_get_ciphers(all.get());
    int spoken = 0;
    for (int i = 0; i < sk_SSL_CIPHER_num(ciphers); ++i) {
        const auto* cipher = sk_SSL_CIPHER_value(ciphers, i);
        const std::string name = SSL_CIPHER_get_name(cipher);
        if (std::string_view(SSL_CIPHER_get_version(cipher)) == "TLSv1.3") continue;  // all of them are strong
        const bool is_strong = name == "ECDHE-ECDSA-AES128-GCM-SHA256" || name == "ECDHE-ECDSA-AES256-GCM-SHA384" ||
                               name == "ECDHE-ECDSA-CHACHA20-POLY1305";
        asio::io_context io;
        ssl::context context(ssl::context::tls_client);
        SSL_CTX_set_max_proto_version(context.native_handle(), TLS1_2_VERSION);
        ASSERT_EQ(SSL_CTX_set_cipher_list(context.native_handle(), (name + ":@SECLEVEL=0").c_str()), 1) << name;
        ssl::stream<asio::ip::tcp::socket> stream(io, context);
        boost::system::error_code error;
        stream.next_layer().connect({asio::ip::address_v4::loopback(), listener_->port()}, error);
        ASSERT_FALSE(error);
        stream.handshake(ssl::stream_base::client, error);
        EXPECT_EQ(!error, is_strong) << name << ": " << error.message();
        spoken += error ? 0 : 1;
    }
    EXPECT_EQ(spoken, 3);
}

// A server that speaks whatever it is asked for shows that the probes below could succeed.
bool old_client_succeeds_elsewhere(const Settings& settings, const std::string& options) {
    asio::io_context io;
    ssl::context context(ssl::context::tls_server);
    context.use_certificate_chain_file(settings.certificate.string());
    context.use_private_key_file(settings.key.string(), ssl::context::pem);
    SSL_CTX_set_min_proto_version(context.native_handle(), TLS1_VERSION);
    SSL_CTX_set_cipher_list(context.native_handle(), "ALL:@SECLEVEL=0");
    asio::ip::tcp::acceptor acceptor(io, {asio::ip::address_v4::loopback(), 0});
    std::thread server([&] {
        ssl::stream<asio::ip::tcp::socket> stream(io, context);
        boost::system::error_code ignored;
        acceptor.accept(stream.next_layer(), ignored);
        stream.handshake(ssl::stream_base::server, ignored);
    });
    const bool shook = shakes_hands(acceptor.local_endpoint().port(), options);
    server.join();
    return shook;
}

TEST_F(TlsTest, old_versions_are_refused_to_a_client_that_has_nothing_else) {
    for (const std::string version : {"-tls1", "-tls1_1"}) {
        const std::string options = version + " -cipher 'ALL:@SECLEVEL=0'";
        EXPECT_TRUE(old_client_succeeds_elsewhere(settings_, options)) << version;
        EXPECT_FALSE(shakes_hands(listener_->port(), options)) << version;
    }
    EXPECT_TRUE(shakes_hands(listener_->port(), "-tls1_2 -cipher 'ALL:@SECLEVEL=0'"));
    EXPECT_TRUE(shakes_hands(listener_->port(), "-tls1_3"));
}

TEST_F(TlsTest, who_never_shakes_hands_loses_the_connection) {
    const RawClient silent(listener_->port());
    EXPECT_TRUE(silent.is_closed());
    const RawClient plain(listener_->port());
    plain.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_EQ(status_in(plain.read_all()), 0);
    EXPECT_EQ(status_in(get(TLS1_3_VERSION)), 200);
}

TEST_F(TlsTest, a_key_of_another_certificate_is_refused) {
    Settings mixed = settings_;
    mixed.key = folder_.path() / "other.key";
    const std::string make =
        "openssl ecparam -name prime256v1 -genkey -noout -out " + mixed.key.string() + " 2>/dev/null";
    ASSERT_EQ(std::system(make.c_str()), 0);  // NOLINT(concurrency-mt-unsafe)
    const auto checked = check_certificate(mixed);
    ASSERT_FALSE(checked);
    EXPECT_THAT(checked.error().message, HasSubstr("other.key"));
    EXPECT_TRUE(check_certificate(settings_));
}

}  // namespace
}  // namespace drawbridge::console
