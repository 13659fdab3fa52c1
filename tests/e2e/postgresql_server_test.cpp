// A PostgreSQL server that is reached over TLS with a password, as on another machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "e2e/office.hpp"
#include "support/postgresql_cluster.hpp"

namespace drawbridge::e2e {
namespace {

using testing::HasSubstr;

namespace fs = std::filesystem;

void must_run(const std::string& command) {
    ASSERT_EQ(std::system((command + " 2>/dev/null").c_str()), 0) << command;
}

// A certificate that signs itself, for this name; NAME.crt and NAME.key.
void make_certificate(const fs::path& folder, const std::string& file, const std::string& host) {
    const auto path = (folder / file).string();
    must_run("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=" + host +
             " -addext subjectAltName=DNS:" + host + " -keyout " + path + ".key -out " + path + ".crt");
}

class TlsServer {
  public:
    explicit TlsServer(const fs::path& folder) : folder_(folder) {
        make_certificate(folder, "server", "localhost");
        make_certificate(folder, "other", "localhost");
        // Its key belongs to the server's user, who may enter the folder.
        fs::permissions(folder, fs::perms(0711));
        if (::geteuid() == 0) must_run("chown nobody " + (folder / "server.key").string());
        cluster_.emplace(port_,
                         std::vector<std::string>{"-c", "listen_addresses=localhost", "-c", "ssl=on", "-c",
                                                  "ssl_cert_file=" + (folder / "server.crt").string(), "-c",
                                                  "ssl_key_file=" + (folder / "server.key").string()},
                         "hostnossl all all all reject\nhostssl all all all scram-sha-256\n");
    }
    // With the certificate that the client trusts.
    [[nodiscard]] std::string url(const std::string& host, const std::string& trusted) const {
        return "postgresql://office@" + host + ":" + std::to_string(port_) +
               "/ledger?sslrootcert=" + (folder_ / trusted).string() + ".crt";
    }
    void exec(const std::string& sql) { cluster_->exec(sql); }

  private:
    fs::path folder_;
    int port_ = 20000 + static_cast<int>(std::random_device()() % 10000);
    std::optional<test::PostgresqlCluster> cluster_;
};

TEST(PostgresqlServer, is_reached_over_verified_tls_with_a_password_from_a_file) {
    TemporaryFolder folder;
    TlsServer server(folder.path());
    server.exec("ALTER ROLE office PASSWORD 'of the tests'");
    OfficeOptions options;
    options.ledger = "{witness: none, url: \"" + server.url("localhost", "server") + "\", password_file: password}";
    House house(options);
    const auto run_with = [&](const std::string& url, const std::string& password) {
        write_file(house.office.folder() / "password", password + "\n");
        fs::permissions(house.office.folder() / "password", fs::perms(0600));
        const auto yaml = house.office.folder() / "drawbridge.yaml";
        auto text = read_file(yaml);
        const auto from = text.find("url: \"") + 6;
        text.replace(from, text.find('"', from) - from, url);
        write_file(yaml, text);
        return house.office.run({"run", "--once"});
    };
    house.sandbox.add({1, 250'00, "ACH-1"});
    const auto good = run_with(server.url("localhost", "server"), "of the tests");
    ASSERT_EQ(to_string(good.exit), "exit 0") << good.err;
    EXPECT_EQ(house.office.state_of(1), "paying");

    const auto refused = [&](const std::string& url, const std::string& password, const std::string& why) {
        const auto outcome = run_with(url, password);
        EXPECT_NE(outcome.exit.code, 0) << why;
        EXPECT_THAT(outcome.err, HasSubstr(why));
        EXPECT_THAT(outcome.err, testing::Not(HasSubstr(password)));
    };
    refused(server.url("localhost", "server"), "a wrong one", "password authentication failed");
    refused(server.url("localhost", "other"), "of the tests", "certificate verify failed");
    refused(server.url("127.0.0.1", "server"), "of the tests", "does not match host name");
    refused(server.url("localhost", "server") + "&sslmode=disable", "of the tests", "ledger");
}

}  // namespace
}  // namespace drawbridge::e2e
