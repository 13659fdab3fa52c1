// Gives unique account numbers and secrets to the real program, then searches everything that it wrote or printed for
// them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "e2e/office.hpp"

namespace drawbridge::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* first_payee = "70318842650";
constexpr const char* second_payee = "60427719338";
constexpr const char* offset_account = "50536608117";
constexpr const char* check_account = "4400123456";  // the account of every test office

OfficeOptions options() {
    OfficeOptions options;
    options.release = "manual";
    options.ach =
        "  offset: {routing_number: \"091000019\", account_number_file: offset_account}\n"
        "  prenotes: {required: true}\n";
    options.more = "log: {level: debug}\n";
    return options;
}

std::string payee(const std::string& key, const std::string& account) {
    return key + ",Payee " + key + ",ach,091000019," + account + ",checking,PPD,,,,,\n";
}

class ProcessHardening : public testing::Test {
  protected:
    ProcessHardening() {
        write_file(office.folder() / "offset_account", std::string(offset_account) + "\n");
        fs::permissions(office.folder() / "offset_account", fs::perms::owner_read | fs::perms::owner_write);
        office.write_payees(payee("FIRST", first_payee));
        house.sandbox.add({1, 250'00, "FIRST"});
        house.sandbox.add({2, 350'00, "CHK-1"});
    }

    // Runs a sub-command and keeps its output.
    Outcome say(const std::vector<std::string>& arguments) {
        auto outcome = office.run(arguments);
        said += outcome.out + outcome.err;
        return outcome;
    }
    void say_everything() {
        const auto files = office.json({"files"}).at("files");
        ASSERT_THAT(files, Not(IsEmpty()));
        for (const auto& file : files) {
            say({"file", file.at("name")});
            say({"file", file.at("name"), "--json"});
        }
        for (const auto* draw : {"1", "2", "3"}) {
            say({"draw", draw});
            say({"draw", draw, "--json"});
        }
        for (const auto* listing : {"status", "draws", "exceptions", "files", "checks", "runs", "metrics", "verify"}) {
            say({listing});
            if (std::string(listing) != "metrics") say({listing, "--json"});
        }
        say({"check"});
        say({"draws", "--csv"});
        say({"checks", "--csv"});
        say({"reload"});
    }
    void release_all() {
        const auto files = office.json({"files"}).at("files");
        for (const auto& file : files) {
            if (file.at("state") == "staged") say({"release", file.at("name"), "--reason", "as agreed"});
        }
    }

    // Everything in the state folder except the payment and bank files, which need account numbers, and the sealing
    // key.
    [[nodiscard]] std::string written() const {
        std::string all;
        for (const auto& entry : fs::recursive_directory_iterator(office.state())) {
            const auto path = entry.path().lexically_relative(office.state()).string();
            const bool holds_payments = path.starts_with("spool/staged") || path.starts_with("spool/outgoing") ||
                                        path.starts_with("spool/archive") || path.starts_with("quarantine/");
            if (entry.is_regular_file() && !(holds_payments && !path.ends_with(".report.txt")))
                all += read_file(entry.path());
        }
        return all;
    }

    void expect_nothing_in(const std::string& text, const std::string& where) const {
        for (const std::string secret : {first_payee, second_payee, offset_account, check_account})
            EXPECT_EQ(text.find(secret), std::string::npos) << secret << " is in " << where << excerpt(text, secret);
        EXPECT_EQ(text.find(client_secret), std::string::npos)
            << "the client secret is in " << where << excerpt(text, std::string(client_secret));
        EXPECT_EQ(text.find("Bearer "), std::string::npos) << "a token is in " << where;
    }
    static std::string excerpt(const std::string& text, const std::string& secret) {
        const auto at = text.find(secret);
        return at == std::string::npos ? std::string() : ": …" + text.substr(at < 80 ? 0 : at - 80, 200);
    }

    House house{options()};
    Office& office = house.office;
    std::string said;
};

TEST_F(ProcessHardening, no_secret_is_in_any_output) {
    said += office.run_once().err;
    said += office.run_once().err;
    // New bank details get a prenote first.
    office.write_payees(payee("FIRST", first_payee) + payee("SECOND", second_payee));
    house.sandbox.add({3, 450'00, "SECOND"});
    said += office.run_once().err;
    EXPECT_THAT(office.open_exceptions(3), Contains("prenote_waiting"));
    release_all();

    // Mistakes by finance and operators.
    office.drop("bad.csv", std::string(confirmation_header) + first_payee + ",paid,1.00,soon\n" + "1,paid," +
                               first_payee + ".00.1,2026-01-01\n");
    said += office.run_once().err;
    office.write_payees(payee("FIRST", std::string(first_payee) + "!") + payee("SECOND", second_payee) +
                        payee("SECOND", second_payee));
    EXPECT_NE(say({"check"}).exit.code, 0);
    office.write_payees(payee("FIRST", first_payee) + payee("SECOND", second_payee));
    say_everything();

    auto daemon = office.start_daemon();
    ASSERT_TRUE(eventually([&] { return fs::exists(office.state() / "drawbridge.sock") || !daemon.running(); }));
    const std::string process = "/proc/" + std::to_string(daemon.id()) + "/";
    expect_nothing_in(read_file(process + "cmdline"), "the daemon's command line");
    EXPECT_THAT(read_file(process + "limits"), testing::ContainsRegex("Max core file size +0 +0"));
    say_everything();
    EXPECT_TRUE(eventually([&] { return office.daemon_log().find("poll: ") != std::string::npos; }));
    expect_nothing_in(written(), "the state folder of a running daemon");
    daemon.signal(SIGTERM);
    ASSERT_TRUE(daemon.wait(std::chrono::seconds(10)));

    expect_nothing_in(said, "the output of sub-commands");
    expect_nothing_in(office.daemon_log(), "the daemon's log");
    expect_nothing_in(written(), "the state folder");
    office.expect_verified();
}

TEST_F(ProcessHardening, files_for_the_bank_have_full_numbers_and_are_unreadable_for_others) {
    office.run_once();
    office.run_once();
    std::string files;
    for (const auto& file : files_in(office.state() / "spool" / "staged")) {
        files += read_file(file);
        EXPECT_EQ(fs::status(file).permissions() & fs::perms::others_all, fs::perms::none) << file;
    }
    EXPECT_THAT(files, AllOf(HasSubstr(first_payee), HasSubstr(offset_account), HasSubstr(check_account)));
}

TEST_F(ProcessHardening, a_missing_or_wrong_sealing_key_stops_the_start_with_a_hint) {
    office.run_once();
    office.run_once();
    const auto key = office.state() / "sealing.key";
    const auto kept = read_file(key);
    struct stat found{};
    ASSERT_EQ(::stat(key.c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 07777U, 0600U);

    fs::remove(key);
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"run", "--once"}, {"status"}, {"verify"}}) {
        const auto outcome = office.run(command);
        EXPECT_EQ(to_string(outcome.exit), "exit 78") << command.front();
        EXPECT_THAT(outcome.err, AllOf(HasSubstr("its key is missing"), HasSubstr("ledger.sealing_key_file")));
    }
    EXPECT_FALSE(fs::exists(key)) << "a new key would hide the loss of the old one";
    ASSERT_EQ(to_string(office.run({"keygen", key.string()}).exit), "exit 0");
    const auto wrong = office.run({"run", "--once"});
    EXPECT_EQ(to_string(wrong.exit), "exit 78");
    EXPECT_THAT(wrong.err, HasSubstr("is not the one that this ledger was sealed with"));
    EXPECT_EQ(to_string(office.run({"keygen", key.string()}).exit), "exit 1") << "never overwritten";

    fs::remove(key);
    write_file(key, kept);
    office.run_once();
    office.expect_verified();
}

TEST_F(ProcessHardening, rekey_works_only_without_a_daemon) {
    office.run_once();
    office.run_once();
    const auto next = office.folder() / "next.key";
    EXPECT_THAT(office.run({"keygen", next.string()}).out, HasSubstr("a new sealing key"));
    {
        auto daemon = office.start_daemon();
        ASSERT_TRUE(eventually([&] { return fs::exists(office.state() / "drawbridge.sock"); }));
        const auto refused = office.run({"rekey", "--key", next.string(), "--reason", "yearly"});
        EXPECT_EQ(to_string(refused.exit), "exit 75");
        EXPECT_THAT(refused.err, HasSubstr("another drawbridge process owns this ledger"));
    }
    const auto backup = office.folder() / "old.db";
    EXPECT_EQ(to_string(office.run({"backup", backup.string()}).exit), "exit 0");
    const auto same = office.run({"rekey", "--key", (office.state() / "sealing.key").string(), "--reason", "yearly"});
    EXPECT_EQ(to_string(same.exit), "exit 1");
    EXPECT_THAT(same.err, HasSubstr("already sealed with this key, nothing was changed"));
    const auto changed = office.run({"rekey", "--key", next.string(), "--reason", "yearly"});
    EXPECT_EQ(to_string(changed.exit), "exit 0") << changed.err;
    EXPECT_EQ(to_string(office.run({"status"}).exit), "exit 78") << "the old key no longer opens the ledger";
    fs::rename(next, office.state() / "sealing.key");
    if (!on_postgresql()) {
        const auto old = office.restore(backup);
        EXPECT_EQ(to_string(old.exit), "exit 1");
        EXPECT_THAT(old.err, AllOf(HasSubstr(backup.string() + ": not restored, nothing was changed"),
                                   HasSubstr("sealed with another key"), testing::Not(HasSubstr("ledger.db"))));
    }
    office.expect_verified();
    release_all();
    EXPECT_EQ(files_in(office.outgoing()).size(), 2U) << said;
}

}  // namespace
}  // namespace drawbridge::e2e
