// Who appoints whom, and who must confirm a change.
#include "people_fixture.hpp"

namespace drawbridge::admin {
namespace {

using ledger::Role;
using ::testing::HasSubstr;

class Appointing : public PeopleFixture {
  protected:
    static std::string person(ledger::PersonId id, const std::string& what) {
        return "/people/" + std::to_string(id) + "/" + what;
    }
    // The number of the waiting change.
    std::string proposed(const Reply& reply) {
        EXPECT_EQ(reply.status, 200) << reply.error();
        return reply.body.contains("waits_as") ? reply.body["waits_as"].dump() : "none";
    }
    Reply confirm(std::int64_t uid, const std::string& change) {
        return act(uid, "/people/changes/" + change + "/confirm");
    }
    void rules_with_approver() {
        rules_.sha256 = std::string(64, 'a');
        rules_.approver_id = 1201;
    }
    Reply approve(std::int64_t uid, const json& more = json::object()) {
        json body = more;
        body["ids"] = {1};
        return act(uid, "/draws/approve", body);
    }
};

TEST_F(Appointing, root_alone_appoints_the_first_admin_but_no_other_role) {
    ASSERT_EQ(act(root, "/people", {{"name", "Anna"}}).status, 200);
    EXPECT_EQ(act(root, "/people", {{"name", " anna "}}).status, 409) << "nobody could tell the two apart";
    const auto early = act(root, person(1, "grant"), {{"role", "admin"}});
    EXPECT_EQ(early.status, 409);
    EXPECT_THAT(early.error(), HasSubstr("link a uid"));
    EXPECT_EQ(act(root, person(1, "link"), {{"uid", anna}}).body["in_effect"], true);
    ASSERT_EQ(act(root, "/people", {{"name", "Ben"}}).status, 200);
    const auto waits = proposed(act(root, person(2, "grant"), {{"role", "operator"}}));
    EXPECT_NE(waits, "none");
    EXPECT_FALSE(ledger::roles_are_set_up(*ledger)) << "a proposal grants no role";
    EXPECT_EQ(act(root, person(1, "grant"), {{"role", "admin"}}).body["in_effect"], true);
    EXPECT_TRUE(ledger::roles_are_set_up(*ledger));
    EXPECT_NE(proposed(act(root, person(2, "link"), {{"uid", ben}})), "none")
        << "from now on root's changes need an admin";
    EXPECT_EQ(confirm(root, waits).status, 403);
    EXPECT_EQ(confirm(anna, waits).status, 200);
    EXPECT_EQ(send(anna, "GET", "/people").body["people"][1]["roles"], json{"operator"});
}

TEST_F(Appointing, nobody_is_named_as_acts_are_recorded) {
    for (const char* name : {"uid 1014", "Anna (uid 5001)", "Anna (console)", "ANNA ( Console)", "root", "Drawbridge"})
        EXPECT_EQ(act(root, "/people", {{"name", name}}).status, 400) << name;
    EXPECT_EQ(act(root, "/people", {{"name", "Anna (console team)"}}).status, 200);
}

TEST_F(Appointing, root_confirms_the_only_admins_change_and_later_another_admin_does) {
    const auto first = add("Anna", anna, {Role::admin});
    const auto second = add("Ben", ben, {Role::viewer});
    const auto grant = proposed(act(anna, person(second, "grant"), {{"role", "admin"}}));
    EXPECT_EQ(confirm(anna, grant).status, 403);
    EXPECT_EQ(confirm(ben, grant).status, 403) << "he is not an admin yet";
    EXPECT_EQ(confirm(root, grant).status, 200);
    const auto another = proposed(act(anna, person(first, "grant"), {{"role", "viewer"}}));
    const auto by_root = confirm(root, another);
    EXPECT_EQ(by_root.status, 403);
    EXPECT_THAT(by_root.error(), HasSubstr("root identifies no particular person: Ben, an admin, must confirm it"));
    EXPECT_EQ(confirm(anna, another).status, 403);
    EXPECT_EQ(confirm(ben, another).status, 200);
    EXPECT_EQ(confirm(ben, another).status, 404) << "once";
}

TEST_F(Appointing, nobody_confirms_a_change_to_themselves) {
    const auto first = add("Anna", anna, {Role::admin});
    const auto second = add("Ben", ben, {Role::admin});
    ledger->transaction([&] {
        EXPECT_TRUE(ledger::make_change(
            *ledger, {second, ledger::ChangeKind::link, {}, ledger::Identity::uid, std::to_string(carl)}, "test",
            stamp()));
    });
    const auto by_root = proposed(act(root, person(second, "grant"), {{"role", "releaser"}}));
    for (const auto uid : {ben, carl}) {
        const auto own = confirm(uid, by_root);
        EXPECT_EQ(own.status, 403);
        EXPECT_THAT(own.error(), HasSubstr("it is about you: Anna, an admin, must confirm it"));
    }
    EXPECT_EQ(confirm(anna, by_root).status, 200);
    const auto by_anna = act(anna, person(second, "lock"));
    EXPECT_EQ(by_anna.status, 409) << "Ben could confirm what root did with Anna's help";
    EXPECT_THAT(by_anna.error(), HasSubstr("nobody but the person it is about could confirm it: have root propose it"));
    const auto of_anna = proposed(act(root, person(first, "grant"), {{"role", "operator"}}));
    EXPECT_EQ(confirm(anna, of_anna).status, 403);
    EXPECT_EQ(confirm(ben, of_anna).status, 200);
    EXPECT_TRUE(ledger::verify(*ledger).back().violations.empty());
}

TEST_F(Appointing, the_only_admin_proposes_their_own_role_and_root_confirms_it) {
    const auto only = add("Anna", anna, {Role::admin});
    EXPECT_THAT(
        act(root, person(only, "grant"), {{"role", "operator"}}).error(),
        HasSubstr("grant operator: nobody but the person it is about could confirm it: have an admin propose it"));
    const auto own = proposed(act(anna, person(only, "grant"), {{"role", "operator"}}));
    EXPECT_THAT(confirm(anna, own).error(), HasSubstr("you proposed it: there is no other admin, so root must"));
    EXPECT_EQ(confirm(root, own).status, 200);
}

TEST_F(Appointing, the_proposers_second_uid_cannot_confirm) {
    const auto first = add("Anna", anna, {Role::admin});
    add("Ben", ben, {Role::admin});
    ledger->transaction([&] {
        EXPECT_TRUE(ledger::make_change(
            *ledger, {first, ledger::ChangeKind::link, {}, ledger::Identity::uid, std::to_string(carl)}, "test",
            stamp()));
    });
    const auto change = proposed(act(anna, person(first, "grant"), {{"role", "releaser"}}));
    EXPECT_EQ(confirm(carl, change).status, 403);
    EXPECT_EQ(confirm(ben, change).status, 200);
}

// Two machines, whose users have other uids.
TEST_F(Appointing, the_proposers_login_cannot_confirm_under_another_uid) {
    const auto first = add("Anna", anna, {Role::admin});
    add("Ben", ben, {Role::admin});
    logins_ = {{anna, " (anna)"}, {ben, " (anna)"}};
    const auto change = proposed(act(anna, person(first, "grant"), {{"role", "releaser"}}));
    EXPECT_THAT(confirm(ben, change).error(),
                HasSubstr("uid 5001 (anna) proposed it, and uid 5002 (anna) has the same login name"));
    logins_[ben] = " (ben)";
    EXPECT_EQ(confirm(ben, change).status, 200);
}

TEST_F(Appointing, a_former_admins_proposal_cannot_be_confirmed) {
    add("Anna", anna, {Role::admin});
    add("Ben", ben, {Role::admin});
    const auto third = add("Carl", carl, {Role::admin});
    const auto change = proposed(act(carl, person(third, "grant"), {{"role", "operator"}}));
    lock(third);
    EXPECT_EQ(confirm(ben, change).status, 403);
    EXPECT_EQ(act(ben, "/people/changes/" + change + "/reject").status, 200);
}

TEST_F(Appointing, without_an_active_admin_root_may_unlock_one) {
    const auto first = add("Anna", anna, {Role::admin});
    lock(first);
    EXPECT_EQ(act(anna, "/people", {{"name", "Eve"}}).status, 403);
    EXPECT_EQ(act(root, person(first, "unlock")).body["in_effect"], true);
    EXPECT_EQ(act(anna, "/people", {{"name", "Eve"}}).status, 200);
}

TEST_F(Appointing, an_admin_cannot_move_money) {
    add("Anna", anna, {Role::admin});
    for (const char* target : {"/pay", "/draws/approve", "/files/x/release", "/files/x/void", "/pause", "/resume"})
        EXPECT_EQ(act(anna, target).status, 403) << target;
}

TEST_F(Appointing, names_that_look_alike_are_one_name) {
    ASSERT_EQ(act(root, "/people", {{"name", "Anna Berg"}}).status, 200);
    for (const char* space : {"\u00a0", "\u2009", "\u202f", "\u3000", "  "})
        EXPECT_EQ(act(root, "/people", {{"name", std::string("ANNA") + space + "Berg"}}).status, 409) << space;
    for (const char* other : {"\u0410\u043d\u043d\u0430", "Łukasz Dvořák", "José Núñez"})
        EXPECT_EQ(act(root, "/people", {{"name", other}}).status, 200) << other;
}

TEST_F(Appointing, a_wrong_request_is_refused) {
    add("Anna", anna, {Role::admin});
    const std::vector<std::pair<std::string, json>> wrong = {
        {"/people", {{"name", " "}}},
        {"/people", {{"name", "a\nb"}}},
        {"/people", {{"name", "Ben\u2028request: POST /resume"}}},
        {"/people", {{"name", "Ben \u202e"}}},
        {"/people", {{"name", "Ben \u2066"}}},
        {"/people", {{"name", "Ben \u0085"}}},
        {"/people", {{"name", std::string(101, 'a')}}},
        {"/people", {{"name", "\u00a0\u3000"}}},
        {"/people", {{"name", "Ben\u200b Ortiz"}}},
        {"/people", {{"name", "Ben Ortiz\u2060"}}},
        {"/people", {{"name", "Ben\u00ad Ortiz"}}},
        {"/people", {{"name", "Ben\u3164Ortiz"}}},
        {"/people", {{"name", "Ben Ortiz\ufe0f"}}},
        {"/people", {{"name", "B\u0435n Ortiz"}}},
        {"/people", {{"name", "\u0392en Ortiz"}}},
        {"/people/1/link", json::object()},
        {"/people/1/link", {{"uid", 0}}},
        {"/people/1/link", {{"uid", "5009"}}},
        {"/people/1/link", {{"uid", 5009}, {"email", "a@b"}}},
        {"/people/1/link", {{"email", "not an address"}}},
        {"/people/1/link", {{"approver_id", -1}}},
        {"/people/1/grant", {{"role", "king"}}},
        {"/people/1/grant", {{"role", 5}}},
    };
    for (const auto& [target, body] : wrong)
        EXPECT_EQ(act(anna, target, body).status, 400) << target << " " << body.dump();
    EXPECT_EQ(act(anna, "/people/9/lock").status, 404);
    EXPECT_EQ(send(anna, "POST", "/people/1/lock", json::object()).status, 400) << "without a reason";
    if (::geteuid() != 0) {
        EXPECT_EQ(act(anna, "/people/1/link", {{"uid", ::geteuid()}}).status, 400) << "the daemon's own";
    }
}

TEST_F(Appointing, an_approver_id_belongs_to_one_person) {
    rules_with_approver();
    read(test::sample_draw(1, DrawStatus::pending_approval, "5.00"));
    decide(1, /*approve=*/false);
    const auto operator_ = add("Anna", anna, {Role::operate});
    const auto other = add("Ben", ben, {Role::operate});
    EXPECT_EQ(approve(anna).status, 400) << "the rule file's approver id is not hers";
    const auto unlinked = approve(anna, {{"approver_id", 1300}});
    EXPECT_EQ(unlinked.status, 403);
    EXPECT_THAT(unlinked.error(), HasSubstr("people link 1 --approver-id 1300"));
    const auto link = [&](ledger::PersonId to, const std::string& id) {
        ledger->transaction([&] {
            EXPECT_TRUE(ledger::make_change(
                *ledger, {to, ledger::ChangeKind::link, {}, ledger::Identity::approver_id, id}, "test", stamp()));
        });
    };
    link(other, "1300");
    EXPECT_THAT(approve(anna, {{"approver_id", 1300}}).error(), HasSubstr("belongs to person 2"));
    link(operator_, "1301");
    const auto done = approve(anna);
    EXPECT_EQ(done.status, 200) << done.error();
    EXPECT_EQ(done.body["approver_id"], 1301);
}

TEST_F(Appointing, before_people_are_set_up_only_another_persons_approver_id_is_refused) {
    rules_with_approver();
    read(test::sample_draw(1, DrawStatus::pending_approval, "5.00"));
    decide(1, /*approve=*/false);
    ASSERT_EQ(act(root, "/people", {{"name", "Anna"}}).status, 200);
    ASSERT_EQ(act(root, person(1, "link"), {{"approver_id", 1300}}).status, 200);
    EXPECT_EQ(approve(root, {{"approver_id", 1300}}).status, 403);
    EXPECT_EQ(approve(root).body["approver_id"], 1201);
}

}  // namespace
}  // namespace drawbridge::admin
