// Accepting and showing changed rules and payees.
#include "drawbridge/ledger/facts/changes.hpp"

#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "people_fixture.hpp"

namespace drawbridge::admin {
namespace {

using ledger::ControlledFile;
using ledger::Role;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string header =
    "key,name,rail,routing_number,account_number,account_type,sec_code,address1,address2,city,state,zip\n";
const std::string old_payees = header + "K,Acme,ach,021000021,70318842650,checking,CCD,,,,,\n";
const std::string new_payees = header + "K,Acme,ach,021000021,60427719338,checking,CCD,,,,,\n";
const std::string old_rules = "version: 1\napprover_id: 1201\nrules:\n  - {name: wait, when: always, hold: look}\n";
const std::string new_rules = "version: 1\napprover_id: 1201\nrules:\n  - {name: all, when: always, approve: {}}\n";

class Accepting : public PeopleFixture {
  protected:
    Accepting() {
        office_.config.change_control = {config::Control::second_person, config::Control::second_person};
        file_holds(ControlledFile::payees, old_payees);
        file_holds(ControlledFile::rules, old_rules);
    }
    void file_holds(ControlledFile kind, const std::string& bytes) {
        const auto sha256 = sha256_hex(bytes);
        ledger->transaction([&] { ledger::compare_with_file(*ledger, kind, {bytes, sha256, 1000}, stamp()); });
    }
    // Proposes new bytes and returns their hash.
    std::string proposed(ControlledFile kind, const std::string& bytes) {
        file_holds(kind, bytes);
        return sha256_hex(bytes);
    }
    std::string payees() { return proposed(ControlledFile::payees, new_payees); }
    Reply accept(std::int64_t uid, const std::string& hash) { return act(uid, "/changes/" + hash + "/accept"); }
    Reply reject(std::int64_t uid, const std::string& hash) { return act(uid, "/changes/" + hash + "/reject"); }
    std::string in_force() { return ledger::bytes_in_force(*ledger, ControlledFile::payees); }
};

TEST_F(Accepting, needs_two_persons_and_makes_nobody_a_maker) {
    add("Anna", anna, {Role::operate});
    add("Ben", ben, {Role::releaser});
    const auto hash = payees();
    const auto first = accept(anna, hash);
    ASSERT_EQ(first.status, 200) << first.error();
    EXPECT_EQ(first.body["in_force"], false);
    EXPECT_EQ(in_force(), old_payees);
    const auto again = accept(anna, hash);
    EXPECT_EQ(again.status, 409);
    EXPECT_THAT(again.error(), HasSubstr("another person must accept it too"));
    const auto second = accept(ben, hash);
    ASSERT_EQ(second.status, 200) << second.error();
    EXPECT_EQ(second.body["in_force"], true);
    EXPECT_EQ(in_force(), new_payees);
    EXPECT_EQ(accept(ben, hash).status, 404) << "it no longer waits";
    EXPECT_EQ(ledger::verify(*ledger).back().checked, 0) << "no release, no maker";
}

TEST_F(Accepting, names_people_wherever_it_says_who) {
    add("Anna Berg", anna, {ledger::Role::operate});
    logins_[anna] = " (aberg)";
    const auto hash = payees();
    ASSERT_EQ(accept(anna, hash).status, 200);
    EXPECT_EQ(send(anna, "GET", "/changes/" + hash).body["change"]["accepted"][0]["by"], "Anna Berg (uid 5001)");
    const auto entry = send(anna, "GET", "/audit?action=change.agreed").body["audit"][0];
    EXPECT_EQ(entry["actor"], "uid 5001 (aberg)") << "as it was recorded";
    EXPECT_EQ(entry["person"], "Anna Berg (uid 5001)");
}

TEST_F(Accepting, counts_each_person_once_whatever_the_uid) {
    const auto person = add("Anna", anna, {Role::operate, Role::releaser});
    add("Ben", ben, {Role::operate});
    ledger->transaction([&] {
        const ledger::Change link{
            person, ledger::ChangeKind::link, {}, ledger::Identity::uid, std::to_string(anna_too)};
        EXPECT_TRUE(ledger::make_change(*ledger, link, "test", stamp()));
    });
    const auto hash = payees();
    EXPECT_EQ(accept(anna, hash).status, 200);
    EXPECT_EQ(accept(anna_too, hash).status, 409);
    EXPECT_EQ(in_force(), old_payees);
    EXPECT_EQ(accept(ben, hash).body["in_force"], true);
}

TEST_F(Accepting, is_allowed_for_operators_and_releasers_only) {
    add("Anna", anna, {Role::operate});
    add("Vic", ben, {Role::viewer, Role::auditor, Role::finance});
    add("Ada", carl, {Role::admin});
    const auto hash = payees();
    for (const auto uid : {ben, carl, root}) {
        EXPECT_EQ(accept(uid, hash).status, 403) << uid;
        EXPECT_EQ(reject(uid, hash).status, 403) << uid;
    }
    EXPECT_EQ(send(ben, "GET", "/changes").status, 200);
    EXPECT_EQ(send(ben, "GET", "/changes/" + hash).status, 200);
}

TEST_F(Accepting, no_longer_counts_after_the_person_is_locked) {
    const auto person = add("Anna", anna, {Role::operate});
    add("Ben", ben, {Role::operate});
    add("Carl", carl, {Role::releaser});
    const auto hash = payees();
    EXPECT_EQ(accept(anna, hash).status, 200);
    lock(person);
    EXPECT_EQ(accept(ben, hash).body["in_force"], false);
    EXPECT_EQ(in_force(), old_payees);
    EXPECT_EQ(send(carl, "GET", "/changes/" + hash).body["change"]["accepted"][0]["counts"], false);
    EXPECT_EQ(accept(carl, hash).body["in_force"], true);
}

class AcceptingBefore : public Accepting, public testing::WithParamInterface<std::vector<ledger::Change>> {};

TEST_P(AcceptingBefore, counts_no_more_although_the_person_may_accept_again) {
    const auto person = add("Anna", anna, {Role::operate});
    add("Ben", ben, {Role::operate});
    add("Carl", carl, {Role::releaser});
    const auto hash = payees();
    EXPECT_EQ(accept(anna, hash).status, 200);
    now = clock_.now() + std::chrono::seconds(1);
    for (ledger::Change change : GetParam()) {
        change.person_id = person;
        ledger->transaction([&] { EXPECT_TRUE(ledger::make_change(*ledger, change, "test", stamp())); });
    }
    EXPECT_EQ(send(ben, "GET", "/changes/" + hash).body["change"]["accepted"][0]["counts"], false);
    EXPECT_EQ(accept(ben, hash).body["in_force"], false);
    EXPECT_EQ(accept(carl, hash).body["in_force"], true);
}

INSTANTIATE_TEST_SUITE_P(AStop, AcceptingBefore,
                         testing::Values(std::vector<ledger::Change>{{0, ledger::ChangeKind::revoke, Role::operate},
                                                                     {0, ledger::ChangeKind::grant, Role::operate}},
                                         std::vector<ledger::Change>{{0, ledger::ChangeKind::lock},
                                                                     {0, ledger::ChangeKind::unlock}}));

TEST_F(Accepting, does_not_pass_to_whom_the_uid_is_given_next) {
    const auto person = add("Anna", anna, {Role::operate});
    add("Ben", ben, {Role::operate});
    const auto hash = payees();
    EXPECT_EQ(accept(anna, hash).status, 200);
    now = clock_.now() + std::chrono::seconds(1);
    ledger->transaction([&] {
        const ledger::Change unlink{
            person, ledger::ChangeKind::unlink, {}, ledger::Identity::uid, std::to_string(anna)};
        EXPECT_TRUE(ledger::make_change(*ledger, unlink, "test", stamp()));
    });
    lock(person);
    add("Nina", anna, {Role::operate});
    EXPECT_EQ(send(ben, "GET", "/changes/" + hash).body["change"]["accepted"][0]["counts"], false);
    EXPECT_EQ(accept(ben, hash).body["in_force"], false);
    EXPECT_EQ(in_force(), old_payees);
}

TEST_F(Accepting, shows_as_in_force_only_the_proposal_that_was_accepted) {
    add("Anna", anna, {Role::operate});
    add("Ben", ben, {Role::operate});
    const auto hash = payees();
    file_holds(ControlledFile::payees, old_payees);
    payees();
    EXPECT_EQ(accept(anna, hash).status, 200);
    EXPECT_EQ(accept(ben, hash).body["in_force"], true);
    std::vector<std::string> shown;
    const auto changes = send(anna, "GET", "/changes").body["changes"];
    for (const auto& change : changes) {
        if (change["kind"] != "payees") continue;
        shown.push_back(change["state"].get<std::string>() + (change["in_force"] == true ? ", in force" : ""));
    }
    EXPECT_THAT(shown, ElementsAre("accepted, in force", "withdrawn", "baseline"));
}

TEST_F(Accepting, before_people_are_set_up_root_and_the_daemons_user_count_as_one) {
    const auto hash = payees();
    EXPECT_EQ(accept(root, hash).body["in_force"], false);
    if (::geteuid() != 0) {
        EXPECT_EQ(accept(static_cast<std::int64_t>(::geteuid()), hash).status, 409);
    }
    const auto office = static_cast<std::int64_t>(::getegid());
    EXPECT_EQ(send(ben, "POST", "/changes/" + hash + "/accept", {{"reason", "agreed"}}, {office}).body["in_force"],
              true);
}

TEST_F(Accepting, takes_the_whole_hash_and_nothing_less) {
    add("Anna", anna, {Role::operate});
    const auto hash = payees();
    for (const auto& part : {std::string(), hash.substr(0, 12), hash.substr(0, 63), std::string("not-a-hash")})
        EXPECT_GE(accept(anna, part).status, 400) << part;
    const auto part = accept(anna, hash.substr(0, 63));
    EXPECT_EQ(part.status, 400);
    EXPECT_THAT(part.error(), HasSubstr("give all 64 digits, as `drawbridge changes` shows them"));
    EXPECT_EQ(accept(anna, std::string(64, 'g')).status, 400);
    EXPECT_EQ(accept(anna, std::string(64, 'f')).status, 404);
    const auto baseline = accept(anna, sha256_hex(old_payees));
    EXPECT_EQ(baseline.status, 404);
    EXPECT_THAT(baseline.error(), HasSubstr("does not wait, it is baseline"));
    EXPECT_EQ(send(anna, "POST", "/changes/" + hash + "/accept").status, 400) << "no reason";
    EXPECT_EQ(accept(anna, hash).status, 200);
}

// Somebody shows a harmless file, then puts a second one in its place whose hash begins with the same digits.
TEST_F(Accepting, first_digits_never_name_one_of_two_changes_that_share_them) {
    add("Anna", anna, {Role::operate});
    add("Ben", ben, {Role::operate});
    const auto harmless = header + "K,Acme 55001,ach,021000021,70318842650,checking,CCD,,,,,\n";
    const auto thief = header + "K,Acme 48012,ach,021000021,60427719338,checking,CCD,,,,,\n";
    const auto seen = proposed(ControlledFile::payees, harmless);
    const auto digits = seen.substr(0, 8);
    EXPECT_EQ(send(ben, "GET", "/changes/" + digits).body["change"]["sha256"], seen);
    const auto swapped = proposed(ControlledFile::payees, thief);
    ASSERT_EQ(swapped.substr(0, 8), digits);
    EXPECT_EQ(accept(anna, swapped).status, 200);
    EXPECT_EQ(accept(ben, digits).status, 400);
    const auto gone = accept(ben, seen);
    EXPECT_EQ(gone.status, 404);
    EXPECT_THAT(gone.error(), HasSubstr("does not wait, it is withdrawn"));
    for (const auto& several : {send(ben, "GET", "/changes/" + digits), reject(ben, digits)}) {
        EXPECT_EQ(several.status, 409);
        EXPECT_THAT(several.error(), HasSubstr("give all 64 digits"));
    }
    EXPECT_EQ(in_force(), old_payees);
    EXPECT_EQ(reject(ben, swapped).status, 200);
}

TEST_F(Accepting, the_exception_and_every_list_give_the_whole_hash) {
    add("Anna", anna, {Role::operate});
    const auto hash = payees();
    const auto open = ledger::open_exceptions(*ledger).back().what;
    EXPECT_EQ(open.subject, "payees " + hash);
    EXPECT_THAT(open.detail, HasSubstr("drawbridge changes show " + hash));
    EXPECT_EQ(reject(anna, hash.substr(0, 8)).status, 200) << "no other change begins with them";
}

TEST_F(Accepting, is_refused_for_a_file_without_change_control) {
    add("Anna", anna, {Role::operate});
    const auto hash = payees();
    office_.config.change_control.payees = config::Control::off;
    const auto refused = accept(anna, hash);
    EXPECT_EQ(refused.status, 409);
    EXPECT_THAT(refused.error(), HasSubstr("change_control.payees is off"));
}

TEST_F(Accepting, refuses_a_rejected_change) {
    add("Anna", anna, {Role::operate});
    add("Ben", ben, {Role::operate});
    const auto hash = payees();
    EXPECT_EQ(accept(anna, hash).status, 200);
    EXPECT_EQ(reject(ben, hash).status, 200);
    EXPECT_EQ(accept(ben, hash).status, 404);
    EXPECT_EQ(in_force(), old_payees);
    const auto listed = send(anna, "GET", "/changes").body["changes"][0];
    EXPECT_EQ(listed["state"], "rejected");
    EXPECT_EQ(listed["closed_by"], "Ben (uid 5002)");
}

TEST_F(Accepting, closes_its_exception_which_cannot_be_resolved_by_hand) {
    add("Anna", anna, {Role::operate});
    add("Ben", ben, {Role::operate});
    const auto hash = payees();
    const auto open = ledger::open_exceptions(*ledger).back();
    ASSERT_EQ(open.what.reason_code, "change_proposed");
    const auto resolved = act(anna, "/exceptions/" + std::to_string(open.exception_id) + "/resolve");
    EXPECT_EQ(resolved.status, 400);
    EXPECT_THAT(resolved.error(), HasSubstr("accept or reject the change"));
    EXPECT_EQ(accept(anna, hash).status, 200);
    EXPECT_EQ(accept(ben, hash).status, 200);
    EXPECT_TRUE(ledger::find_exception(*ledger, open.exception_id)->closed_at);
}

TEST_F(Accepting, shows_payees_masked_and_rules_in_full) {
    add("Anna", anna, {Role::auditor});
    const auto of_payees = send(anna, "GET", "/changes/" + payees()).body;
    EXPECT_EQ(of_payees["payees"],
              json::parse(R"([{"key": "K", "what": "changed", "fields": [{"field": "account_number",
                              "from": "****2650", "to": "****9338"}]}])"));
    EXPECT_EQ(of_payees["change"]["file_uid"], 1000);
    EXPECT_THAT(of_payees.dump(), Not(HasSubstr("60427719338")));
    const auto of_rules = send(anna, "GET", "/changes/" + proposed(ControlledFile::rules, new_rules)).body;
    EXPECT_EQ(of_rules["rules"]["in_force"], old_rules);
    EXPECT_EQ(of_rules["rules"]["changed"], new_rules);
    const auto status = send(anna, "GET", "/status").body["change_control"];
    EXPECT_EQ(status["rules"], "second_person");
    EXPECT_EQ(status["waiting"].size(), 2U);
    EXPECT_EQ(send(anna, "GET", "/changes?limit=1").body["changes"].size(), 1U);
    EXPECT_EQ(send(anna, "GET", "/changes?limit=0").status, 400);
}

}  // namespace
}  // namespace drawbridge::admin
