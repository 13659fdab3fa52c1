// Change control: one dishonest person with write access moves no money. Two people can change what is in force.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <optional>

#include "e2e/office.hpp"

namespace drawbridge::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr unsigned service = 5000, anna = 5001, bert = 5002, mallory = 5003;

constexpr const char* approve_everything =
    "version: 1\napprover_id: 1201\nrules:\n  - {name: everything, when: always, approve: {}}\n";
// The account of ACH-1 becomes Mallory's.
constexpr const char* mallorys_account = "99904242";

class Changes : public testing::Test {
  protected:
    explicit Changes(const std::string& control = "second_person")
        : house_(OfficeOptions{
              .release = "manual", .cutoffs = "[\"23:59\"]", .more = "change_control: " + control + "\n"}) {}

    [[nodiscard]] const Office& office() const { return house_.office; }
    // Runs the steps as the schedule does.
    std::string cut_off() {
        std::string out;
        for (int i = 0; i < 2; ++i)
            out += office().run_once().out;
        return out;
    }
    void good(const Outcome& outcome) const { EXPECT_EQ(to_string(outcome.exit), "exit 0") << outcome.err; }
    void refused(const Outcome& outcome, const std::string& with) const {
        EXPECT_EQ(to_string(outcome.exit), "exit 1") << outcome.out;
        EXPECT_THAT(outcome.err, HasSubstr(with));
    }
    // Without a daemon. The test program sets the caller's uid.
    Outcome act(unsigned uid, std::vector<std::string> words) const {
        words.insert(words.end(), {"--reason", "because"});
        return office().act_as(uid, words);
    }
    // The hash of the waiting change of that kind.
    std::string waiting(const std::string& kind) const {
        const auto answer = office().json({"changes"});
        for (const auto& change : answer.at("control").at("waiting")) {
            if (change.at("kind") == kind) return change.at("sha256");
        }
        return "none";
    }
    std::string states(const std::string& kind) const {
        std::string text;
        const auto answer = office().json({"changes"});
        for (const auto& change : answer.at("changes")) {
            if (change.at("kind") == kind) text += change.at("state").get<std::string>() + " ";
        }
        return text;
    }
    void replace_in(const std::string& file, const std::string& what, const std::string& with) const {
        auto text = read_file(office().folder() / file);
        text.replace(text.find(what), what.size(), with);
        write_file(office().folder() / file, text);
    }
    void redirect_payee() const { replace_in("payees.csv", "770011", mallorys_account); }
    std::string staged() const {
        std::string bytes;
        for (const auto& file : files_in(office().state() / "spool" / "staged"))
            bytes += read_file(file);
        return bytes;
    }
    std::vector<std::string> audited(const std::string& action) const {
        return office().audit("detail", "action = '" + action + "'");
    }

    House house_;
};

TEST_F(Changes, an_account_that_one_person_added_is_never_paid) {
    cut_off();
    redirect_payee();
    house_.sandbox.add({1, 100'00, "ACH-1"});
    cut_off();
    EXPECT_THAT(staged(), AllOf(HasSubstr("770011"), Not(HasSubstr(mallorys_account))));
    EXPECT_THAT(office().open_exceptions(), Contains("change_proposed"));
    const auto hash = waiting("payees");
    EXPECT_THAT(office().run({"changes"}).out, HasSubstr(hash));
    const auto shown = office().run({"changes", "show", hash.substr(0, 8)});
    EXPECT_THAT(shown.out, AllOf(HasSubstr("ACH-1"), HasSubstr("****011"), HasSubstr("****4242"),
                                 HasSubstr("in a file of uid"), Not(HasSubstr(mallorys_account))));
    EXPECT_THAT(office().run({"status"}).out,
                AllOf(HasSubstr("change_proposed 1"), HasSubstr("waiting for two people: drawbridge changes")));
    good(act(mallory, {"accept", hash}));
    refused(act(mallory, {"accept", hash}), "another person must accept it too");
    house_.sandbox.add({2, 100'00, "ACH-1"});
    cut_off();
    EXPECT_THAT(staged(), Not(HasSubstr(mallorys_account)));
    good(act(anna, {"reject", hash}));
    cut_off();
    EXPECT_EQ(waiting("payees"), "none") << "rejected bytes are not proposed again";
    EXPECT_THAT(office().open_exceptions(), Not(Contains("change_proposed")));
    house_.sandbox.add({3, 100'00, "ACH-1"});
    cut_off();
    EXPECT_THAT(staged(), Not(HasSubstr(mallorys_account)));
    const auto files = office().json({"files"}).at("files");
    for (const auto& file : files)
        good(act(anna, {"release", file.at("name")}));
    office().expect_verified();
}

TEST_F(Changes, a_rule_that_one_person_added_approves_nothing) {
    cut_off();
    office().write_rules(approve_everything);
    house_.sandbox.add({1, 30'000'00, "ACH-1"});
    cut_off();
    EXPECT_EQ(office().state_of(1), "held") << "the old rules hold large amounts";
    const auto hash = waiting("rules");
    const auto shown = office().run({"changes", "show", hash});
    EXPECT_THAT(shown.out, AllOf(HasSubstr("+   - {name: everything, when: always, approve: {}}"),
                                 HasSubstr("-   - name: large-amounts"), HasSubstr("1 decision would change"),
                                 HasSubstr("approve by 'everything'")));
    good(act(mallory, {"accept", hash}));
    cut_off();
    EXPECT_EQ(office().state_of(1), "held");
    good(act(bert, {"accept", hash}));
    cut_off();
    EXPECT_NE(office().state_of(1), "held") << "two people accepted it";
    EXPECT_THAT(audited("change.agreed"), Contains(HasSubstr("because")));
    office().expect_verified();
}

TEST_F(Changes, accepted_bytes_are_in_force_whatever_the_file_contains_now) {
    cut_off();
    redirect_payee();
    cut_off();
    const auto hash = waiting("payees");
    refused(act(anna, {"accept", hash.substr(0, 12)}), "give all 64 digits");
    good(act(anna, {"accept", hash}));
    good(act(bert, {"accept", hash}));
    write_file(office().folder() / "payees.csv", "key,name\nbroken\n");
    good(office().run({"run", "--once"}));
    EXPECT_THAT(office().open_exceptions(), Contains("inputs_refused"));
    EXPECT_THAT(states("payees"), "accepted baseline ") << "an invalid file is reported and never proposed";
    office().write_payees();
    house_.sandbox.add({1, 100'00, "ACH-1"});
    cut_off();
    EXPECT_THAT(staged(), HasSubstr(mallorys_account)) << "reverting needs two people too";
    EXPECT_EQ(states("payees"), "waiting accepted baseline ");
    redirect_payee();
    cut_off();
    EXPECT_EQ(states("payees"), "withdrawn accepted baseline ");
    office().expect_verified();
}

TEST_F(Changes, a_start_with_a_broken_file_uses_the_bytes_in_force) {
    office().write_rules("version: 1\nrules: [");
    const auto first = office().run({"run", "--once"});
    EXPECT_EQ(to_string(first.exit), "exit 78") << "nothing is in force yet";
    EXPECT_THAT(first.err, HasSubstr("rules.yaml:"));
    office().write_rules(approve_everything);
    cut_off();
    house_.sandbox.add({1, 100'00, "ACH-1"});
    office().write_rules("version: 1\nrules: [");
    write_file(office().folder() / "payees.csv", "key,name\nbroken\n");
    good(office().run({"run", "--once"}));
    EXPECT_THAT(office().run({"exceptions"}).out, AllOf(HasSubstr("rules.yaml:"), HasSubstr("payees.csv")));
    cut_off();
    EXPECT_THAT(staged(), HasSubstr("770011"));
    EXPECT_THAT(office().open_exceptions(), Contains("inputs_refused"));
    EXPECT_EQ(states("rules"), "baseline ");
    {
        auto daemon = office().start_daemon();
        EXPECT_TRUE(eventually([&] { return fs::exists(office().state() / "drawbridge.sock"); }));
        EXPECT_THAT(office().json({"status"}).at("reload_problems"), Not(IsEmpty()));
        daemon.signal(SIGTERM);
        ASSERT_TRUE(daemon.wait(std::chrono::seconds(10)).has_value());
    }
    office().write_payees();
    office().write_rules(approve_everything);
    write_file(office().folder() / "rules.test.yaml", "version: 1\ntests: [");
    good(office().run({"run", "--once"}));
    EXPECT_THAT(office().open_exceptions(), Contains("inputs_refused"));
    fs::remove(office().folder() / "rules.test.yaml");
    cut_off();
    EXPECT_THAT(office().open_exceptions(), Not(Contains("inputs_refused")));
    office().expect_verified();
}

TEST_F(Changes, turning_it_off_raises_an_exception) {
    cut_off();
    const auto before = office().json({"changes"}).at("control");
    EXPECT_EQ(before.at("payees"), "second_person");
    EXPECT_THAT(audited("configuration.changed"), IsEmpty()) << "the first settings are not a change";
    replace_in("drawbridge.yaml", "change_control: second_person", "change_control: {rules: second_person}");
    redirect_payee();
    cut_off();
    EXPECT_THAT(
        audited("configuration.changed"),
        ElementsAre(HasSubstr("change_control.rules: added second_person; change_control: removed second_person")));
    EXPECT_THAT(office().open_exceptions(), Contains("change_control_off"));
    house_.sandbox.add({1, 100'00, "ACH-1"});
    cut_off();
    EXPECT_THAT(staged(), HasSubstr(mallorys_account)) << "without change control the file is in force";
    replace_in("drawbridge.yaml", "change_control: {rules: second_person}", "change_control: second_person");
    cut_off();
    EXPECT_NE(waiting("payees"), "none") << "changes made meanwhile need two people";
    EXPECT_THAT(office().run({"check"}).out, HasSubstr("changes   rules second_person, payees second_person"));
}

TEST_F(Changes, an_act_without_a_daemon_records_the_configuration_that_it_used) {
    cut_off();
    replace_in("drawbridge.yaml", "change_control: second_person", "change_control: {rules: second_person}");
    good(office().run({"status"}));
    EXPECT_THAT(audited("configuration.changed"), IsEmpty()) << "a question changes nothing";
    good(office().run({"pause", "--reason", "because"}));
    replace_in("drawbridge.yaml", "change_control: {rules: second_person}", "change_control: second_person");
    EXPECT_THAT(audited("configuration.changed"),
                ElementsAre(HasSubstr("change_control.rules: added second_person; change_control: removed")));
    EXPECT_THAT(office().open_exceptions(), Contains("change_control_off"));
}

TEST_F(Changes, the_baseline_raises_an_exception_to_review) {
    cut_off();
    EXPECT_THAT(office().open_exceptions(), ElementsAre("change_baseline", "change_baseline"));
    EXPECT_EQ(states("rules"), "baseline ");
    const auto exceptions = office().json({"exceptions"});
    for (const auto& row : exceptions.at("exceptions"))
        good(act(anna, {"resolve", row.at("id").dump()}));
    cut_off();
    EXPECT_THAT(office().open_exceptions(), IsEmpty());
}

TEST_F(Changes, a_restored_ledger_brings_its_bytes_in_force) {
    cut_off();
    const auto copy = office().folder() / "copy.db";
    good(office().run({"backup", copy.string()}));
    redirect_payee();
    cut_off();
    good(act(anna, {"accept", waiting("payees")}));
    good(act(bert, {"accept", waiting("payees")}));
    good(office().restore(copy));
    cut_off();
    EXPECT_EQ(states("payees"), "waiting baseline ") << "a change accepted after the backup needs two people again";
}

// Rules need two people; the nightly payee feed needs none.
class RulesAlone : public Changes {
  protected:
    RulesAlone() : Changes("{rules: second_person, payees: off}") {}
};

TEST_F(RulesAlone, payees_take_effect_at_once_and_rules_wait) {
    cut_off();
    redirect_payee();
    office().write_rules(approve_everything);
    house_.sandbox.add({1, 30'000'00, "ACH-1"});
    house_.sandbox.add({2, 100'00, "ACH-1"});
    cut_off();
    EXPECT_THAT(staged(), HasSubstr(mallorys_account));
    EXPECT_EQ(office().state_of(1), "held");
    EXPECT_EQ(states("payees"), "");
    EXPECT_EQ(states("rules"), "waiting baseline ");
}

TEST_F(RulesAlone, a_start_with_broken_payees_is_refused) {
    cut_off();
    write_file(office().folder() / "payees.csv", "key,name\nbroken\n");
    office().write_rules("version: 1\nrules: [");
    EXPECT_EQ(to_string(office().run({"run", "--once"}).exit), "exit 78");
    office().write_payees();
    good(office().run({"run", "--once"}));
    EXPECT_THAT(office().open_exceptions(), Contains("inputs_refused"));
}

// Real uids over the socket of a running daemon.
class OverTheSocket : public Changes {
  protected:
    void SetUp() override {
        if (::geteuid() != 0) GTEST_SKIP() << "only root can act with other uids";
        office().give_to_user(service);
        good(office().run_as(service, {"run", "--once"}));
        daemon_.emplace(office().start_daemon_as(service));
    }
    void TearDown() override {
        if (!daemon_) return;
        daemon_->signal(SIGTERM);
        EXPECT_TRUE(daemon_->wait(std::chrono::seconds(20))) << office().daemon_log();
    }
    Outcome say(unsigned uid, std::vector<std::string> words) const {
        words.insert(words.end(), {"--reason", "because"});
        return office().run_as(uid, words, {service});
    }
    Json ask(std::vector<std::string> words) const {
        words.emplace_back("--json");
        return Json::parse(office().run_as(anna, words, {service}).out);
    }
    std::string proposed() const {
        std::string hash;
        EXPECT_TRUE(eventually([&] {
            const auto waiting = ask({"changes"}).at("control").at("waiting");
            if (!waiting.empty()) hash = waiting.at(0).at("sha256");
            return !hash.empty();
        })) << office().daemon_log();
        return hash;
    }
    std::string rule_set() const { return ask({"status"}).at("rule_set"); }

    std::optional<Process> daemon_;
};

TEST_F(OverTheSocket, the_daemon_proposes_a_changed_file_and_applies_it_after_two_acceptances) {
    const auto before = rule_set();
    office().write_rules(approve_everything);
    const auto hash = proposed();
    EXPECT_NE(hash, before);
    daemon_->signal(SIGHUP);
    good(say(anna, {"reload"}));
    EXPECT_EQ(rule_set(), before) << "a reload does not put it in force";
    good(say(mallory, {"accept", hash}));
    refused(say(mallory, {"accept", hash}), "counts as you");
    EXPECT_EQ(rule_set(), before);
    good(say(0, {"accept", hash}));
    EXPECT_TRUE(eventually([&] { return rule_set() == hash; })) << office().daemon_log();
    EXPECT_THAT(office().run_as(anna, {"changes"}, {service}).out,
                AllOf(HasSubstr("accepted, in force"), HasSubstr("uid 5003, uid 0 (root)")));
}

TEST_F(OverTheSocket, an_unknown_uid_cannot_accept_once_people_are_set_up) {
    for (const auto& [person, uid] : {std::pair{"1", anna}, std::pair{"2", bert}, std::pair{"3", mallory}}) {
        good(say(0, {"people", "add", std::string("Person ") + person}));
        good(say(0, {"people", "link", person, "--uid", std::to_string(uid)}));
    }
    // Mallory has two logins.
    good(say(0, {"people", "link", "3", "--uid", "5013"}));
    for (const char* person : {"2", "3"})
        good(say(0, {"people", "role", person, "operator"}));
    good(say(0, {"people", "role", "1", "admin"}));
    for (const char* change : {"1", "2"})
        good(say(anna, {"people", "confirm", change}));
    office().write_rules(approve_everything);
    std::string hash;
    EXPECT_TRUE(eventually([&] {
        const auto listed = Json::parse(office().run_as(bert, {"changes", "--json"}).out);
        for (const auto& change : listed.at("control").at("waiting"))
            hash = change.at("sha256");
        return !hash.empty();
    }));
    for (const unsigned nobody : {0U, service, anna})
        refused(say(nobody, {"accept", hash}), "this needs one of the roles operator, releaser");
    good(say(mallory, {"accept", hash}));
    refused(say(5013, {"accept", hash}), "counts as you");
    good(say(bert, {"accept", hash}));
    good(office().run_as(bert, {"verify"}));
}

}  // namespace
}  // namespace drawbridge::e2e
