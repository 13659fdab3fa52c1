// Real uids: no maker releases a payment file, under any login.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <optional>
#include <utility>

#include "e2e/office.hpp"

namespace drawbridge::e2e {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// No name service knows these uids.
constexpr unsigned service = 5000, anna = 5001, bert = 5002, carla = 5003, unknown = 4'242'424;

class Makers : public testing::Test {
  protected:
    explicit Makers(const OfficeOptions& options = {.release = "manual", .cutoffs = "[\"23:59\"]"}) : house_(options) {}
    void SetUp() override {
        if (::geteuid() != 0) GTEST_SKIP() << "only root can act with other uids";
        office().give_to_user(service);
    }
    void TearDown() override { rest(); }

    [[nodiscard]] const Office& office() const { return house_.office; }
    // Stops the daemon.
    void rest() {
        if (!daemon_) return;
        daemon_->signal(SIGTERM);
        EXPECT_TRUE(daemon_->wait(std::chrono::seconds(20))) << office().daemon_log();
        daemon_.reset();
    }
    // Runs the steps on schedule, without a person.
    std::string cut_off() {
        rest();
        std::string out;
        for (int i = 0; i < 2; ++i)
            out += office().run_as(service, {"run", "--once"}).out;
        return out;
    }
    // Over the daemon's socket, with that real uid.
    Outcome as(unsigned uid, const std::vector<std::string>& words) {
        if (!daemon_) daemon_.emplace(office().start_daemon_as(service));
        return office().run_as(uid, words, {service});
    }
    Outcome act(unsigned uid, std::vector<std::string> words) {
        words.insert(words.end(), {"--reason", "because"});
        return as(uid, words);
    }
    void good(const Outcome& outcome) const { EXPECT_EQ(to_string(outcome.exit), "exit 0") << outcome.err; }
    void refused(const Outcome& outcome, const std::string& with) const {
        EXPECT_EQ(to_string(outcome.exit), "exit 1") << outcome.out;
        EXPECT_THAT(outcome.err, HasSubstr(with));
    }
    // A daemon for which /etc/`name` ends in this line. None if the system does not allow it.
    void serve_with(const std::string& name, const std::string& line) {
        rest();
        const auto file = office().folder() / name;
        write_file(file, read_file("/etc/" + name) + line + "\n");
        Command command;
        command.arguments = {"/usr/bin/unshare", "--mount", "/bin/sh", "-c",
                             "mount --bind " + file.string() + " /etc/" + name +
                                 " && exec setpriv --reuid=5000 --regid=5000 --clear-groups " + DRAWBRIDGE_BINARY_DIR +
                                 "/drawbridge --config " + (office().folder() / "drawbridge.yaml").string() + " run"};
        command.stdout_file = office().folder() / "daemon.out";
        command.stderr_file = office().folder() / "daemon.err";
        Process daemon(command);
        const auto socket = office().state() / "drawbridge.sock";
        if (eventually([&] { return fs::exists(socket) || !daemon.running(); }) && fs::exists(socket))
            daemon_.emplace(std::move(daemon));
    }
    // The staged file.
    std::string file() {
        const auto answer = Json::parse(as(carla, {"files", "--json"}).out);
        for (const auto& row : answer.at("files")) {
            if (row.at("state") == "staged") return row.at("name");
        }
        return "none";
    }
    std::string exception_of(const std::string& reason_code) {
        const auto answer = Json::parse(as(carla, {"exceptions", "--json"}).out);
        for (const auto& row : answer.at("exceptions")) {
            if (row.at("reason_code") == reason_code) return row.at("id").dump();
        }
        return "0";
    }
    void expect_verified() {
        rest();
        const auto outcome = office().run_as(service, {"verify"});
        EXPECT_EQ(to_string(outcome.exit), "exit 0") << outcome.out << outcome.err;
        EXPECT_THAT(outcome.out, HasSubstr("no file was released by one of its makers"));
    }

    // Draw 1 is held, and this uid approves it.
    void approved_by(unsigned uid) {
        house_.sandbox.add({1, 30'000'00, "ACH-1"});
        cut_off();
        good(act(uid, {"approve", "1"}));
        cut_off();
    }
    // Draw 2 is paid, released by carla. Returns the content of a confirmation file that returns it.
    std::string paid() {
        house_.sandbox.add({2, 200'00, "ACH-2"});
        cut_off();
        good(act(carla, {"release", file()}));
        return confirmation_csv(collect(), "returned");
    }
    // The bank collects the released files.
    std::vector<Instruction> collect() {
        EXPECT_TRUE(eventually([&] { return !files_in(office().outgoing()).empty(); }));
        return house_.bank.collect(office().outgoing());
    }
    Outcome ingest(unsigned uid, const std::string& csv) {
        const auto path = office().folder() / "returns.csv";
        write_file(path, csv);
        fs::permissions(path, fs::perms(0644));
        return as(uid, {"ingest", path.string(), "--reason", "from the bank"});
    }

    House house_;
    std::optional<Process> daemon_;
};

TEST_F(Makers, the_approver_cannot_release_and_another_person_can) {
    approved_by(anna);
    refused(act(anna, {"release", file()}), "you had a hand in it (approved draw 1 by hand)");
    EXPECT_THAT(as(bert, {"status"}).out, HasSubstr("by someone other than uid 5001"));
    EXPECT_THAT(as(bert, {"file", file()}).out, HasSubstr("maker        uid 5001: approved draw 1 by hand"));
    good(act(bert, {"release", file()}));
    expect_verified();
}

TEST_F(Makers, a_renamed_login_is_the_same_person) {
    house_.sandbox.add({1, 30'000'00, "ACH-1"});
    cut_off();
    serve_with("passwd", "anna:x:5001:5001::/:/bin/sh");
    if (!daemon_) GTEST_SKIP() << "this test needs a mount namespace";
    EXPECT_THAT(act(anna, {"approve", "1"}).out, HasSubstr("uid 5001 (anna)"));
    cut_off();
    serve_with("passwd", "berta:x:5001:5001::/:/bin/sh");
    ASSERT_TRUE(daemon_);
    refused(act(anna, {"release", file()}), "you had a hand in it (approved draw 1 by hand)");
}

TEST_F(Makers, neither_root_nor_the_daemons_uid_releases_a_file_with_makers) {
    approved_by(anna);
    refused(act(0, {"release", file()}), "identifies no particular person");
    refused(act(service, {"release", file()}), "identifies no particular person");
    const std::string waits = file();
    rest();
    refused(office().run_as(0, {"release", waits, "--reason", "because"}), "identifies no particular person");
    good(act(bert, {"release", waits}));
}

TEST_F(Makers, root_cannot_release_what_root_approved) {
    approved_by(0);
    refused(act(0, {"release", file()}), "identifies no particular person");
    good(act(anna, {"release", file()}));
    expect_verified();
}

TEST_F(Makers, root_can_release_a_file_without_makers) {
    house_.sandbox.add({1, 100'00, "ACH-1"});
    cut_off();
    good(act(0, {"release", file()}));
    expect_verified();
}

TEST_F(Makers, a_uid_without_a_login_name_is_a_person) {
    approved_by(unknown);
    refused(act(unknown, {"release", file()}), "you had a hand in it");
    good(act(anna, {"release", file()}));
}

// Whoever has one is the login that it belongs to.
TEST_F(Makers, a_subordinate_uid_is_no_second_person) {
    constexpr unsigned subordinate = 900'000;
    serve_with("subuid", "5001:900000:65536");
    if (!daemon_) GTEST_SKIP() << "this test needs a mount namespace";
    refused(act(subordinate, {"approve", "1"}),
            "you (uid 900000) act under a subordinate uid of 5001 (/etc/subuid), which has no role: act as 5001");
    good(as(subordinate + 65'536, {"status"}));
}

TEST_F(Makers, the_person_who_started_the_run_cannot_release_its_files) {
    house_.sandbox.add({1, 100'00, "ACH-1"});
    ASSERT_TRUE(eventually(
        [&] { return as(anna, {"draws", "--state", "approved", "--csv"}).out.find("100.00") != std::string::npos; }));
    good(act(anna, {"pay", "--now"}));
    refused(act(anna, {"release", file()}), "you had a hand in it (started the run)");
    good(act(bert, {"release", file()}));
}

TEST_F(Makers, a_forged_return_does_not_let_its_author_release_the_reissue) {
    const auto forged = paid();
    good(ingest(anna, forged));
    good(act(anna, {"reissue", "2"}));
    cut_off();
    refused(act(anna, {"release", file()}), "handed in what the bank returned of draw 2, ordered that draw 2 be paid");
    refused(act(0, {"release", file()}), "identifies no particular person");
    good(act(bert, {"release", file()}));
    expect_verified();
}

TEST_F(Makers, the_owner_of_an_inbox_file_counts_as_its_submitter) {
    const auto csv = paid();
    rest();
    office().drop("returns.csv", csv, anna);
    cut_off();
    good(act(bert, {"reissue", "2"}));
    cut_off();
    refused(act(anna, {"release", file()}), "handed in what the bank returned of draw 2");
    refused(act(bert, {"release", file()}), "ordered that draw 2 be paid again");
    good(act(carla, {"release", file()}));
    expect_verified();
}

TEST_F(Makers, a_return_in_roots_file_is_reissued_only_after_a_person_ingests_it) {
    const auto csv = paid();
    for (const unsigned nobody : {0U, service}) {
        rest();
        office().drop("returns.csv", csv, nobody);
        cut_off();
        refused(act(bert, {"reissue", "2"}), "'drawbridge ingest FILE'");
    }
    const auto again = ingest(anna, csv);
    good(again);
    good(act(bert, {"reissue", "2"}));
    cut_off();
    refused(act(anna, {"release", file()}), "you had a hand in it");
    good(act(carla, {"release", file()}));
    expect_verified();
}

class AutomaticRelease : public Makers {
  protected:
    AutomaticRelease() : Makers({.release = "auto", .cutoffs = "[\"23:59\"]"}) {}
};

TEST_F(AutomaticRelease, waits_for_another_person_if_the_file_has_makers) {
    house_.sandbox.add({1, 30'000'00, "ACH-1"});
    house_.sandbox.add({2, 200'00, "CHK-1"});
    cut_off();
    good(act(anna, {"approve", "1"}));
    EXPECT_THAT(cut_off(), HasSubstr("1 file to be released by a person who is not a maker"));
    ASSERT_EQ(collect().size(), 1U) << "the check alone";
    EXPECT_THAT(as(bert, {"status"}).out, HasSubstr("by someone other than uid 5001"));
    refused(act(anna, {"release", file()}), "you had a hand in it");
    good(act(bert, {"release", file()}));
    expect_verified();
}

// An office of two people, and an admin who manages people and moves no money.
class OfficeOfTwo : public Makers {
  protected:
    OfficeOfTwo() : Makers({.release = "manual", .cutoffs = "[\"23:59\"]", .pay = "  payee_hold: 3d\n"}) {}

    void SetUp() override {
        Makers::SetUp();
        if (IsSkipped()) return;
        cut_off();
        int number = 0;
        std::vector<std::string> confirm = {"people", "confirm"};
        for (const auto& [name, uid] : {std::pair{"Anna", anna}, {"Bert", bert}, {"Carla", carla}}) {
            good(act(0, {"people", "add", name}));
            good(act(0, {"people", "link", std::to_string(++number), "--uid", std::to_string(uid)}));
        }
        good(act(0, {"people", "link", "1", "--approver-id", "1201"}));
        good(act(0, {"people", "link", "2", "--approver-id", "1202"}));
        int change = 0;
        for (const char* person : {"1", "2"}) {
            for (const char* role : {"operator", "finance", "releaser"}) {
                good(act(0, {"people", "role", person, role}));
                confirm.push_back(std::to_string(++change));
            }
        }
        good(act(0, {"people", "role", "3", "admin"}));
        good(act(carla, confirm));
        good(act(carla, {"people", "role", "3", "viewer"}));
        good(act(0, {"people", "confirm", std::to_string(change + 1)}));
    }
};

TEST_F(OfficeOfTwo, can_approve_ingest_reissue_and_change_a_payee) {
    // Anna approves, so only Bert can release.
    house_.sandbox.add({1, 30'000'00, "ACH-1"});
    cut_off();
    good(act(anna, {"approve", "1"}));
    cut_off();
    refused(act(anna, {"release", file()}), "it may be released by Bert");
    refused(act(carla, {"release", file()}), "needs the role releaser");
    refused(act(0, {"release", file()}), "it may be released by Bert");
    good(act(bert, {"release", file()}));

    // The payment is returned. Bert must not act, or nobody could release the reissue.
    const auto csv = confirmation_csv(collect(), "returned");
    rest();
    office().drop("returns.csv", csv, 0);
    cut_off();
    refused(act(anna, {"reissue", "1"}), "nobody from finance vouches for it");
    good(ingest(anna, csv));
    refused(act(bert, {"reissue", "1"}), "nobody would be left to release what pays draw 1");
    EXPECT_THAT(act(bert, {"reissue", "1"}).err, HasSubstr("ask Anna"));
    good(act(anna, {"reissue", "1"}));

    // The payee has a new account, which is held until a person checks it.
    rest();
    auto payees = read_file(office().folder() / "payees.csv");
    const auto at = payees.find("770011");
    ASSERT_NE(at, std::string::npos);
    write_file(office().folder() / "payees.csv", payees.replace(at, 6, "880011"));
    cut_off();
    const auto held = exception_of("payee_changed");
    refused(act(bert, {"resolve", held}), "ask Anna");
    good(act(anna, {"resolve", held}));
    cut_off();
    refused(act(anna, {"release", file()}), "lifted the hold of draw 1");
    good(act(bert, {"release", file()}));
    EXPECT_EQ(Json::parse(as(bert, {"draws", "--json"}).out).at("draws")[0].at("state"), "paying");
    expect_verified();
}

}  // namespace
}  // namespace drawbridge::e2e
