// Both real programs and a real OpenSSH server: the program dies at each step of a delivery and restarts, and the bank
// gets each file once. Also the daemon with a server that stops responding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <optional>

#include "delivery/openpgp_keys.hpp"
#include "delivery/sftp_server.hpp"
#include "drawbridge/domain/crash_point.hpp"
#include "e2e/office.hpp"

namespace drawbridge::e2e {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

namespace fs = std::filesystem;

// The bank's server and key, and the configuration that names them.
struct BankSide {
    explicit BankSide(bool encrypted) : server(folder.path() / "server"), proxy(server.port()) {
        if (encrypted) key.emplace(folder.path());
    }
    [[nodiscard]] std::string configuration() const {
        std::string yaml = "delivery:\n  sftp:\n    host: 127.0.0.1\n    port: " + std::to_string(proxy.port()) +
                           "\n    user: " + server.user() + "\n    key_file: " + server.client_key().string() +
                           "\n    host_key: " + server.host_key() + "\n    folder: " + server.inbox().string() +
                           "\n    timeout: 5s\n";
        if (key) {
            yaml += "  openpgp: {public_key_file: " + key->public_key_file().string() + ", fingerprint: \"" +
                    key->fingerprint() + "\"}\n";
        }
        return yaml;
    }
    // The bank collects the files and decrypts them into `into`.
    void hand_over(const fs::path& into) {
        fs::create_directories(into);
        for (const auto& file : files_in(server.inbox())) {
            std::string name = file.filename();
            std::string bytes = read_file(file);
            if (name.starts_with("tmp-")) continue;  // temporary files
            if (key) {
                bytes = key->decrypt(bytes);
                name = name.substr(0, name.size() - 4);
            }
            write_file(into / name, bytes);
            fs::remove(file);
        }
    }

    TemporaryFolder folder;
    test::SftpServer server;
    test::TcpProxy proxy;
    std::optional<test::OpenPgpKey> key;
};

OfficeOptions with(const BankSide& bank) {
    OfficeOptions options;
    options.more = bank.configuration();
    return options;
}

class DiesDelivering : public testing::TestWithParam<std::string> {
  protected:
    DiesDelivering() : bank_(/*encrypted=*/true), house_(with(bank_)) {}

    BankSide bank_;
    House house_;
};

TEST_P(DiesDelivering, the_bank_has_each_file_once) {
    house_.sandbox.add({1, 200'07, "ACH-1"});
    house_.sandbox.add({2, 300'14, "CHK-2"});
    const auto died = house_.office.run_to_crash(GetParam());
    ASSERT_EQ(died.exit.signal, SIGKILL) << died.out << died.err;
    // During the second file's delivery, the bank is fast: it collects the files before the program restarts.
    const bool bank_is_quick = GetParam().ends_with(":2");
    const auto in_between = house_.folder.path() / "in-between";
    if (bank_is_quick) {
        bank_.hand_over(in_between);
        house_.bank.collect(in_between);
    }
    // The bank may have taken the file before the rename was recorded, or even the upload: a person must state the
    // outcome.
    const bool never_began = GetParam().starts_with("deliver.intent_committed");
    const bool unknowable = never_began || (bank_is_quick && GetParam().starts_with("deliver.renamed"));
    house_.office.run_once(unknowable ? 1 : 0);
    bank_.hand_over(in_between);
    house_.bank.collect(in_between);
    if (unknowable) {
        EXPECT_THAT(house_.office.open_exceptions(), ElementsAre("delivery_uncertain"));
    } else {
        EXPECT_THAT(house_.office.open_exceptions(), IsEmpty());
    }
    const auto cases = house_.office.json({"exceptions"}).at("exceptions");
    for (const auto& row : cases) {
        const auto id = row.at("id").dump();
        EXPECT_EQ(house_.office.run({"resolve", id, "--reason", "x"}).exit.code, 1) << "the outcome is required";
        house_.office.json({"resolve", id, never_began ? "--again" : "--by-hand", "--reason", "the bank says so"});
    }
    house_.office.run_once();
    bank_.hand_over(in_between);
    EXPECT_THAT(files_in(in_between), SizeIs(never_began ? 1 : 0)) << "nothing arrived twice";
    house_.bank.collect(in_between);
    EXPECT_THAT(house_.bank.times_paid(), ElementsAre(Pair(200'07, 1), Pair(300'14, 1)));
    EXPECT_THAT(house_.office.open_exceptions(), IsEmpty());
    EXPECT_THAT(files_in(house_.office.outgoing()), IsEmpty());
    EXPECT_THAT(files_in(house_.office.state() / "spool" / "staged"), IsEmpty());
    const auto files = house_.office.json({"files"}).at("files");
    ASSERT_THAT(files, SizeIs(2));
    for (const auto& file : files) {
        EXPECT_EQ(file.at("delivery").at("state"), "delivered");
        const auto shown = house_.office.json({"file", file.at("name").get<std::string>()});
        int intents = 0;
        for (const auto& step : shown.at("file").at("delivery").at("steps"))
            intents += step.at("step") == "intent" ? 1 : 0;
        EXPECT_LE(intents, 2);
    }
    EXPECT_EQ(house_.office.json({"status"}).at("undelivered").at("files"), 0);
    house_.office.expect_verified();
}

std::vector<std::string> points() {
    std::vector<std::string> all;
    for (const auto name : crash_points) {
        const bool of_release = name == "pay.release_committed" || name == "pay.released_committed" ||
                                name.starts_with("pay.manifest") || name.starts_with("pay.released_");
        if (!name.starts_with("deliver.") && !of_release) continue;
        all.push_back(std::string(name) + ":1");
        all.push_back(std::string(name) + ":2");
    }
    return all;
}

std::string test_name(const testing::TestParamInfo<std::string>& point) {
    return test_name_of(point.param);
}

INSTANTIATE_TEST_SUITE_P(AtEveryStep, DiesDelivering, testing::ValuesIn(points()), test_name);

TEST(Delivery, an_upload_that_the_bank_took_from_a_program_that_died_is_not_sent_again) {
    BankSide bank(/*encrypted=*/false);
    House house(with(bank));
    house.sandbox.add({1, 200'07, "ACH-1"});
    const auto died = house.office.run_to_crash("deliver.uploaded:1");
    ASSERT_EQ(died.exit.signal, SIGKILL) << died.out << died.err;
    const auto uploads = files_in(bank.server.inbox());
    ASSERT_THAT(uploads, SizeIs(1));
    EXPECT_THAT(uploads.front().filename().string(), testing::StartsWith("tmp-1-"));
    fs::remove(uploads.front());
    house.office.run_once(1);
    house.office.run_once();
    EXPECT_THAT(files_in(bank.server.inbox()), IsEmpty());
    EXPECT_THAT(house.office.open_exceptions(), ElementsAre("delivery_uncertain"));
    house.office.expect_verified();
}

TEST(Delivery, answers_requests_while_the_server_is_silent_and_delivers_later) {
    BankSide bank(/*encrypted=*/false);
    House house(with(bank));
    house.sandbox.add({1, 200'07, "ACH-1"});
    bank.proxy.stall();
    auto daemon = house.office.start_daemon();
    ASSERT_TRUE(eventually([&] { return fs::exists(house.office.state() / "drawbridge.sock"); }));
    ASSERT_TRUE(eventually([&] { return house.office.state_of(1) == "approved"; })) << house.office.daemon_log();
    house.office.json({"pay", "--now", "--reason", "test"});
    house.office.release_what_waits();
    Json status;
    // The answer shows that the upload was still running.
    EXPECT_TRUE(eventually([&] {
        status = house.office.json({"status"});
        return status.at("daemon").at("doing") == "deliver";
    })) << house.office.daemon_log();
    EXPECT_EQ(status.at("undelivered").at("files"), 1);
    bank.proxy.restore();
    EXPECT_TRUE(eventually([&] { return !files_in(bank.server.inbox()).empty(); }, std::chrono::seconds(60)))
        << house.office.daemon_log();
    EXPECT_TRUE(eventually([&] { return house.office.json({"status"}).at("undelivered").at("files") == 0; }));
    daemon.signal(SIGTERM);
    EXPECT_TRUE(daemon.wait(std::chrono::seconds(15)).has_value());
}

TEST(Delivery, stops_while_waiting_for_a_silent_server) {
    BankSide bank(/*encrypted=*/false);
    House house(with(bank));
    house.sandbox.add({1, 200'07, "ACH-1"});
    bank.proxy.stall();
    auto daemon = house.office.start_daemon();
    ASSERT_TRUE(eventually([&] { return fs::exists(house.office.state() / "drawbridge.sock"); }));
    ASSERT_TRUE(eventually([&] { return house.office.state_of(1) == "approved"; })) << house.office.daemon_log();
    house.office.json({"pay", "--now", "--reason", "test"});
    house.office.release_what_waits();
    EXPECT_TRUE(eventually([&] { return house.office.json({"status"}).at("daemon").at("doing") == "deliver"; }))
        << house.office.daemon_log();
    daemon.signal(SIGTERM);
    const auto exit = daemon.wait(std::chrono::seconds(15));
    ASSERT_TRUE(exit.has_value()) << "it does not stop";
    EXPECT_EQ(to_string(*exit), "exit 0") << house.office.daemon_log();
    bank.proxy.restore();
    house.office.run_once();
    EXPECT_THAT(files_in(bank.server.inbox()), SizeIs(1));
    house.office.expect_verified();
}

TEST(Delivery, check_online_logs_in_and_writes_nothing) {
    BankSide bank(/*encrypted=*/true);
    House house(with(bank));
    const auto good = house.office.run({"check", "--online"});
    EXPECT_EQ(good.exit.code, 0) << good.out << good.err;
    EXPECT_THAT(good.out, HasSubstr("login ok, 0 files in the folder"));
    EXPECT_THAT(good.out, HasSubstr("can be encrypted to"));
    EXPECT_THAT(files_in(bank.server.inbox()), IsEmpty());
    bank.server.stop();
    const auto down = house.office.run({"check", "--online"});
    EXPECT_EQ(down.exit.code, 1) << down.out << down.err;
    EXPECT_EQ(house.office.run({"check"}).exit.code, 0);
}

}  // namespace
}  // namespace drawbridge::e2e
