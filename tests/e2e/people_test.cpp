// Real uids: who may do what, who is recorded for an act, and who owns the files that it writes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

#include "e2e/office.hpp"

namespace drawbridge::e2e {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// No name service knows these uids.
constexpr unsigned service = 5000, anna = 5001, ben = 5002, carl = 5003, stranger = 5009, finance_group = 5010;

class People : public testing::Test {
  protected:
    void SetUp() override {
        if (::geteuid() != 0) GTEST_SKIP() << "only root can act with other uids";
        office().give_to_user(service);
    }
    [[nodiscard]] const Office& office() const { return house_.office; }

    Outcome as(unsigned uid, std::vector<std::string> words, const std::vector<unsigned>& groups = {}) const {
        return office().run_as(uid, words, groups);
    }
    Outcome act(unsigned uid, std::vector<std::string> words, const std::vector<unsigned>& groups = {}) const {
        words.insert(words.end(), {"--reason", "because"});
        return office().run_as(uid, words, groups);
    }
    void good(const Outcome& outcome) const { EXPECT_EQ(to_string(outcome.exit), "exit 0") << outcome.err; }
    void refused(const Outcome& outcome, const std::string& with) const {
        EXPECT_EQ(to_string(outcome.exit), "exit 1") << outcome.out;
        EXPECT_THAT(outcome.err, HasSubstr(with));
    }
    // Anna (person 1) is the admin, Ben (person 2) an operator.
    void set_up() const {
        good(act(0, {"people", "add", "Anna"}));
        good(act(0, {"people", "link", "1", "--uid", std::to_string(anna)}));
        good(act(0, {"people", "add", "Ben"}));
        good(act(0, {"people", "link", "2", "--uid", std::to_string(ben)}));
        good(act(0, {"people", "role", "2", "operator"}));
        good(act(0, {"people", "role", "1", "admin"}));
        good(act(anna, {"people", "confirm", "1"}));
    }
    void stop(Process& daemon) const {
        daemon.signal(SIGTERM);
        const auto exit = daemon.wait(std::chrono::seconds(15));
        EXPECT_EQ(to_string(exit.value_or(Exit{})), "exit 0") << office().daemon_log();
    }
    // The files in the state folder with another owner.
    std::vector<std::string> foreign_files() const {
        std::vector<std::string> found;
        for (const auto& entry : fs::recursive_directory_iterator(office().state())) {
            struct stat status{};
            if (::lstat(entry.path().c_str(), &status) != 0) continue;
            if (status.st_uid != service || status.st_gid != service) found.push_back(entry.path().string());
        }
        return found;
    }
    std::vector<std::string> actors(const std::string& where) const { return office().audit("actor", where); }
    std::string staged_file() const {
        const auto answer = Json::parse(as(0, {"files", "--json"}).out);
        for (const auto& file : answer.at("files")) {
            if (file.at("state") == "staged") return file.at("name");
        }
        return "none";
    }

    House house_{OfficeOptions{.release = "manual", .cutoffs = "[\"23:59\"]"}};
};

TEST_F(People, before_people_are_set_up_the_folders_groups_give_the_roles) {
    good(office().run_as(service, {"run", "--once"}));
    ASSERT_EQ(::chown((office().state() / "inbox").c_str(), service, finance_group), 0);
    auto daemon = office().start_daemon_as(service);
    refused(as(stranger, {"status"}), "you (uid 5009) have no role: join the group that owns");
    good(as(anna, {"status"}, {service}));
    good(act(anna, {"pause"}, {service}));
    good(act(anna, {"resume"}, {service}));
    good(as(carl, {"status"}, {finance_group}));
    refused(act(carl, {"resume"}, {finance_group}), "needs the role operator, and you (uid 5003) have viewer, finance");
    write_file(office().folder() / "bank.csv", std::string(confirmation_header));
    EXPECT_THAT(as(carl, {"ingest", "--dry-run", (office().folder() / "bank.csv").string()}, {finance_group}).err,
                testing::Not(HasSubstr("role")));
    good(as(0, {"status"}));
    refused(act(anna, {"people", "add", "Eve"}, {service}), "needs the role admin");
    stop(daemon);
}

TEST_F(People, root_appoints_the_first_admin_and_the_second_needs_two_persons) {
    good(office().run_as(service, {"run", "--once"}));
    auto daemon = office().start_daemon_as(service);
    set_up();
    refused(as(stranger, {"status"}), "you (uid 5009) have no role: ask an admin (person 1, Anna)");
    refused(as(stranger, {"status"}, {service}), "have no role");
    refused(act(anna, {"pause"}), "you (person 1) have admin: as the only admin, propose a role for yourself");
    EXPECT_THAT(act(anna, {"people", "role", "2", "admin"}).out, HasSubstr("waits as change 2"));
    EXPECT_THAT(as(anna, {"people", "list"}).out, HasSubstr("grant admin"));
    refused(act(anna, {"people", "confirm", "2"}), "you proposed it");
    refused(act(ben, {"people", "confirm", "2"}), "needs the role admin");
    good(act(0, {"people", "confirm", "2"}));
    good(act(anna, {"people", "role", "1", "releaser"}));
    refused(act(0, {"people", "confirm", "3"}), "root identifies no particular person: Ben, an admin, must confirm it");
    good(act(ben, {"people", "confirm", "3"}));
    good(act(0, {"people", "role", "2", "releaser"}));
    refused(act(ben, {"people", "confirm", "4"}), "it is about you: Anna, an admin, must confirm it");
    good(act(anna, {"people", "reject", "4"}));
    const auto listed = Json::parse(as(ben, {"people", "list", "--json"}).out);
    EXPECT_EQ(listed["people"][0]["roles"], (Json{"releaser", "admin"}));
    EXPECT_EQ(listed["people"][1]["roles"], (Json{"operator", "admin"}));
    EXPECT_TRUE(listed["waiting"].empty());
    stop(daemon);
    EXPECT_THAT(actors("action = 'person.change_confirmed'"), ElementsAre("uid 5001", "uid 0 (root)", "uid 5002"));
    good(as(0, {"verify"}));
}

TEST_F(People, a_locked_person_may_do_nothing) {
    good(office().run_as(service, {"run", "--once"}));
    auto daemon = office().start_daemon_as(service);
    set_up();
    good(as(ben, {"status"}));
    good(act(anna, {"people", "lock", "2"}));
    good(as(ben, {"status"}));
    good(act(0, {"people", "confirm", "2"}));
    refused(as(ben, {"status"}), "person 2, whose uid you have, is locked: ask an admin (person 1, Anna)");
    refused(as(ben, {"status"}, {service}), "is locked");
    stop(daemon);
}

TEST_F(People, unknown_uids_cannot_pay_once_people_are_set_up) {
    house_.sandbox.add({1, 30'000'00, "ACH-1"});  // held
    good(office().run_as(service, {"run", "--once"}));
    auto daemon = office().start_daemon_as(service);
    good(act(0, {"pay", "--now"}));
    set_up();
    for (const unsigned nobody : {0U, service}) {
        refused(act(nobody, {"approve", "1"}), "this needs the role operator");
        refused(act(nobody, {"pay", "--now"}), "this needs the role operator");
        refused(act(nobody, {"resume"}), "this needs the role operator");
        good(as(nobody, {"status"}));
        good(as(nobody, {"verify"}));
    }
    refused(act(0, {"approve", "1"}), "uid 0 identifies no particular person");
    good(act(0, {"pause"}));
    refused(act(service, {"pause"}), "drawbridge: this needs one of the roles");
    good(act(ben, {"resume"}));
    good(act(anna, {"people", "link", "2", "--approver-id", "1300"}));
    good(act(0, {"people", "confirm", "2"}));
    refused(act(ben, {"approve", "1", "--approver-id", "1201"}), "not linked to you");
    good(act(ben, {"approve", "1"}));
    stop(daemon);
    refused(act(0, {"approve", "1"}), "uid 0 identifies no particular person");
}

TEST_F(People, files_that_root_writes_offline_belong_to_the_service) {
    house_.sandbox.add({1, 100'00, "ACH-1"});
    good(office().run_as(service, {"run", "--once"}));
    good(act(0, {"release", staged_file()}));
    EXPECT_THAT(foreign_files(), IsEmpty());
    house_.sandbox.add({2, 200'00, "CHK-1"});
    good(as(0, {"run", "--once"}));
    good(as(0, {"verify"}));
    good(act(0, {"pause"}));
    good(act(0, {"resume"}));
    good(as(0, {"backup"}));
    EXPECT_THAT(foreign_files(), IsEmpty());
    EXPECT_THAT(actors("action = 'file.release_ordered'"), Contains(HasSubstr("uid 0")))
        << "root acted, although the service owns the files";
    auto daemon = office().start_daemon_as(service);
    good(as(0, {"verify"}));
    stop(daemon);
}

TEST_F(People, the_service_can_open_a_ledger_that_root_restored) {
    ABOUT_THE_FILE();
    house_.sandbox.add({1, 100'00, "ACH-1"});
    good(office().run_as(service, {"run", "--once"}));
    good(as(0, {"backup"}));
    const auto copies = files_in(office().state() / "backups");
    ASSERT_EQ(copies.size(), 1U);
    const TemporaryFolder closed;  // for root only
    fs::rename(copies.front(), closed.path() / "copy.db");
    ASSERT_EQ(::chown((closed.path() / "copy.db").c_str(), 0, 0), 0);
    good(act(0, {"restore", (closed.path() / "copy.db").string()}));
    EXPECT_THAT(foreign_files(), IsEmpty());
    const auto key = closed.path() / "next_key";
    good(as(0, {"keygen", key.string()}));
    good(act(0, {"rekey", "--key", key.string()}));
    EXPECT_THAT(foreign_files(), IsEmpty());
    fs::copy_file(key, office().state() / "sealing.key", fs::copy_options::overwrite_existing);
    ASSERT_EQ(::chown((office().state() / "sealing.key").c_str(), service, service), 0);
    auto daemon = office().start_daemon_as(service);
    good(as(0, {"verify"}));
    stop(daemon);
}

TEST_F(People, simultaneous_acts_are_each_recorded_with_their_person) {
    house_.sandbox.add({1, 100'00, "ACH-1"});
    good(office().run_as(service, {"run", "--once"}));
    const auto first = staged_file();
    house_.sandbox.add({2, 200'00, "CHK-1", 12, 4});
    auto daemon = office().start_daemon_as(service);
    ASSERT_TRUE(eventually([&] { return as(0, {"draw", "2", "--json"}).exit.code == 0; }));
    const auto reads = house_.sandbox.requests("read");
    house_.sandbox.arm_fault({{"endpoint", "read"}, {"kind", "delay"}, {"ms", 8000}});
    auto paying = office().start_as(anna, {"pay", "--now", "--reason", "today"}, {service});
    ASSERT_TRUE(eventually([&] { return house_.sandbox.requests("read") > reads; }));
    auto releasing = office().start_as(ben, {"release", first, "--reason", "totals agreed"}, {service});
    EXPECT_TRUE(paying.running()) << "the release is ordered while the pay step waits";
    for (auto* acting : {&releasing, &paying})
        EXPECT_EQ(to_string(acting->wait(std::chrono::seconds(40)).value_or(Exit{})), "exit 0");
    stop(daemon);
    const auto of_first = "subject = 'file " + first + "' AND action IN ('file.release_ordered', 'file.released')";
    EXPECT_THAT(actors(of_first), ElementsAre("uid 5002", "drawbridge")) << "ordered by Ben, carried out by the daemon";
    EXPECT_THAT(actors("action = 'file.planned' AND subject <> 'file " + first + "'"), ElementsAre("uid 5001"));
    EXPECT_THAT(actors("action = 'pay.ordered'"), ElementsAre("uid 5001"));
}

}  // namespace
}  // namespace drawbridge::e2e
