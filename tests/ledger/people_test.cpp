// Persons: links, roles, locks, and proposed changes.
#include "drawbridge/ledger/facts/people.hpp"

#include <gmock/gmock.h>

#include "drawbridge/ledger/facts/passkeys.hpp"
#include "drawbridge/ledger/reports/verify.hpp"
#include "ledger/ledger_fixture.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class People : public LedgerFixture {
  protected:
    PersonId add(const std::string& name) {
        return ledger->transaction([&] { return add_person(*ledger, name, "new", by(0)); });
    }
    Result<void> make(const Change& change) {
        return ledger->transaction([&] { return make_change(*ledger, change, "because", by(0)); });
    }
    [[nodiscard]] Stamp by(std::int64_t uid) const { return {now, "uid " + std::to_string(uid), uid}; }
    static Change link(PersonId person, std::int64_t uid) {
        return {person, ChangeKind::link, {}, Identity::uid, std::to_string(uid)};
    }
    static Change unlink(PersonId person, std::int64_t uid) {
        return {person, ChangeKind::unlink, {}, Identity::uid, std::to_string(uid)};
    }
    void expect_refused(const char* sql) {
        EXPECT_THROW(ledger->transaction([&] { ledger->connection().db.exec(sql); }), std::runtime_error) << sql;
    }
};

TEST_F(People, a_uid_without_a_row_belongs_to_nobody_and_no_roles_are_set_up) {
    EXPECT_FALSE(person_of(*ledger, 5001));
    EXPECT_THAT(persons_ever(*ledger, 5001), IsEmpty());
    EXPECT_FALSE(roles_are_set_up(*ledger));
    EXPECT_THAT(people(*ledger), IsEmpty());
}

TEST_F(People, a_uid_belongs_to_one_person_at_a_time_and_its_history_is_kept) {
    const auto anna = add("Anna");
    const auto ben = add("Ben");
    ASSERT_TRUE(make(link(anna, 5001)));
    EXPECT_EQ(person_of(*ledger, 5001), anna);
    const auto taken = make(link(ben, 5001));
    ASSERT_FALSE(taken);
    EXPECT_THAT(taken.error().message, HasSubstr("linked to person 1 (Anna)"));
    EXPECT_FALSE(make(unlink(ben, 5001))) << "it does not belong to Ben";
    ASSERT_TRUE(make(unlink(anna, 5001)));
    EXPECT_FALSE(person_of(*ledger, 5001));
    ASSERT_TRUE(make(link(ben, 5001)));
    ASSERT_TRUE(make(link(ben, 5002)));
    EXPECT_EQ(person_of(*ledger, 5001), ben);
    EXPECT_THAT(persons_ever(*ledger, 5001), ElementsAre(anna, ben));
    EXPECT_THAT(find_person(*ledger, ben)->uids, ElementsAre(5001, 5002));
}

TEST_F(People, an_approver_id_and_an_address_belong_to_one_person) {
    const auto anna = add("Anna");
    const auto ben = add("Ben");
    ASSERT_TRUE(make({anna, ChangeKind::link, {}, Identity::approver_id, "1201"}));
    ASSERT_TRUE(make({anna, ChangeKind::link, {}, Identity::email, "anna@example.gov"}));
    EXPECT_EQ(person_at_portal(*ledger, Identity::approver_id, "1201"), anna);
    EXPECT_EQ(person_at_portal(*ledger, Identity::email, "anna@example.gov"), anna);
    EXPECT_FALSE(make({ben, ChangeKind::link, {}, Identity::approver_id, "1201"}));
    EXPECT_FALSE(person_at_portal(*ledger, Identity::email, "1201"));
}

TEST_F(People, roles_are_granted_once_and_stay_set_up) {
    const auto anna = add("Anna");
    ASSERT_TRUE(make({anna, ChangeKind::grant, Role::operate}));
    EXPECT_FALSE(make({anna, ChangeKind::grant, Role::operate}));
    EXPECT_FALSE(make({anna, ChangeKind::revoke, Role::releaser}));
    EXPECT_TRUE(find_person(*ledger, anna)->roles.has(Role::operate));
    EXPECT_EQ(to_string(find_person(*ledger, anna)->roles), "operator");
    EXPECT_TRUE(roles_are_set_up(*ledger));
    ASSERT_TRUE(make({anna, ChangeKind::revoke, Role::operate}));
    EXPECT_TRUE(find_person(*ledger, anna)->roles.empty());
    EXPECT_TRUE(roles_are_set_up(*ledger)) << "revoking the last role must not give the groups their rights back";
}

TEST_F(People, a_person_without_a_uid_or_with_a_lock_is_no_active_holder) {
    const auto anna = add("Anna");
    ASSERT_TRUE(make({anna, ChangeKind::grant, Role::admin}));
    EXPECT_THAT(active_holders(*ledger, Role::admin), IsEmpty()) << "without a uid";
    ASSERT_TRUE(make(link(anna, 5001)));
    EXPECT_EQ(active_holders(*ledger, Role::admin).size(), 1U);
    EXPECT_THAT(active_holders(*ledger, Role::releaser), IsEmpty());
    ASSERT_TRUE(make({anna, ChangeKind::lock}));
    EXPECT_FALSE(make({anna, ChangeKind::lock}));
    EXPECT_THAT(active_holders(*ledger, Role::admin), IsEmpty()) << "locked";
    ASSERT_TRUE(make({anna, ChangeKind::unlock}));
    ASSERT_TRUE(make({anna, ChangeKind::lock})) << "again";
}

TEST_F(People, a_change_waits_until_it_is_confirmed_or_rejected) {
    const auto anna = add("Anna");
    const auto propose = [&](const Change& change) {
        return ledger->transaction([&] { return propose_change(*ledger, change, "please", by(5001)); });
    };
    const auto grant = propose({anna, ChangeKind::grant, Role::finance});
    ASSERT_TRUE(grant);
    EXPECT_FALSE(propose({anna, ChangeKind::grant, Role::finance})) << "it is already proposed";
    EXPECT_FALSE(propose({99, ChangeKind::lock})) << "there is no such person";
    const auto linked = propose(link(anna, 5001));
    ASSERT_TRUE(linked);
    EXPECT_FALSE(roles_are_set_up(*ledger));
    ASSERT_EQ(waiting_changes(*ledger).size(), 2U);
    EXPECT_EQ(describe(waiting_changes(*ledger)[1].what), "link uid 5001");
    const auto waiting = *find_waiting_change(*ledger, *grant);
    EXPECT_EQ(waiting.proposed_uid, 5001);
    ASSERT_TRUE(ledger->transaction([&] { return confirm_change(*ledger, waiting, "agreed", by(5002)); }));
    EXPECT_TRUE(find_person(*ledger, anna)->roles.has(Role::finance));
    ledger->transaction([&] { reject_change(*ledger, *find_waiting_change(*ledger, *linked), "no", by(5002)); });
    EXPECT_THAT(waiting_changes(*ledger), IsEmpty());
    EXPECT_FALSE(person_of(*ledger, 5001));
}

// Anna has the uid 5001. Erin proposed to lock her as uid 5005, and also had uid 5006 once; Ed is uid 5007.
class ProposedByErin : public People {
  protected:
    ProposedByErin() {
        EXPECT_TRUE(make(link(add("Anna"), 5001)));
        EXPECT_TRUE(make(link(add("Erin"), 5005)));
        EXPECT_TRUE(make(link(2, 5006)));
        EXPECT_TRUE(make(unlink(2, 5006)));
        EXPECT_TRUE(make(link(add("Ed"), 5007)));
        EXPECT_TRUE(
            ledger->transaction([&] { return propose_change(*ledger, {1, ChangeKind::lock}, "please", by(5005)); }));
    }
    void confirm(std::int64_t uid) {
        ledger->transaction(
            [&] { EXPECT_TRUE(confirm_change(*ledger, waiting_changes(*ledger).front(), "agreed", by(uid))); });
    }
    std::vector<std::string> violations() { return verify(*ledger).back().violations; }
};

TEST_F(ProposedByErin, the_schema_refuses_a_confirmation_by_the_proposer_or_the_person) {
    for (const std::int64_t uid : {5001, 5005, 5006})
        EXPECT_THROW(confirm(uid), std::runtime_error) << uid;
    confirm(5007);
    ASSERT_TRUE(make(unlink(3, 5007)));
    now -= std::chrono::hours(1);  // the clock was ahead
    ASSERT_TRUE(make(link(2, 5007))) << "Erin gets Ed's login later";
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(ProposedByErin, verify_finds_a_confirmation_by_the_proposer_or_the_person) {
    ledger->connection().db.exec("DROP TRIGGER person_change_by_another");
    confirm(5006);
    EXPECT_THAT(violations(),
                Contains(HasSubstr("change 1 of person 1 was confirmed by uid 5006, who proposed it or")));
    ASSERT_TRUE(
        ledger->transaction([&] { return propose_change(*ledger, {1, ChangeKind::unlock}, "back", by(5005)); }));
    confirm(5001);
    EXPECT_THAT(violations(),
                Contains(HasSubstr("change 2 of person 1 was confirmed by uid 5001, who proposed it or")));
}

// Erin also invited Anna to enroll a passkey.
class InvitedByErin : public ProposedByErin {
  protected:
    InvitedByErin() {
        const passkeys::NewPasskey key{"id", {passkeys::Algorithm::eddsa, "key"}, "", false};
        ledger->transaction([&] {
            const EnrolledPasskey laptop{
                .person_id = 1, .invited = {5005, "Erin"}, .what = key, .site = "localhost", .label = "laptop"};
            EXPECT_TRUE(add_passkey(*ledger, laptop, by(console_uid(1))));
        });
    }
    void confirm_key(std::int64_t uid) {
        ledger->transaction(
            [&] { EXPECT_TRUE(confirm_passkey(*ledger, all_passkeys(*ledger).front(), "compared", by(uid))); });
    }
};

TEST_F(InvitedByErin, the_schema_refuses_a_confirmation_by_the_owner_or_the_inviter) {
    for (const std::int64_t uid : {5001, 5005, 5006})
        EXPECT_THROW(confirm_key(uid), std::runtime_error) << uid;
    confirm_key(5007);
    EXPECT_EQ(all_passkeys(*ledger).front().invited.by, "Erin");
    ASSERT_TRUE(make(unlink(3, 5007)));
    now -= std::chrono::hours(1);  // the clock was ahead
    ASSERT_TRUE(make(link(2, 5007))) << "Erin gets Ed's login later";
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(InvitedByErin, verify_finds_a_confirmation_by_the_owner_or_the_inviter) {
    ledger->connection().db.exec(
        "DROP TRIGGER passkey_confirmation_by_another; DROP TRIGGER passkey_confirmation_no_delete");
    for (const std::int64_t uid : {5001, 5005, 5006}) {
        confirm_key(uid);
        EXPECT_THAT(violations(), Contains(AllOf(HasSubstr("was confirmed by uid " + std::to_string(uid)),
                                                 HasSubstr("its owner or its inviter"))));
        ledger->connection().db.exec("DELETE FROM passkey_confirmation");
    }
}

TEST_F(People, records_about_people_are_never_rewritten) {
    const auto anna = add("Anna");
    ASSERT_TRUE(make(link(anna, 5001)));
    ASSERT_TRUE(make({anna, ChangeKind::grant, Role::operate}));
    ASSERT_TRUE(make({anna, ChangeKind::lock}));
    ASSERT_TRUE(make({anna, ChangeKind::link, {}, Identity::email, "anna@example.gov"}));
    ASSERT_TRUE(
        ledger->transaction([&] { return propose_change(*ledger, {anna, ChangeKind::unlock}, "please", by(5001)); }));
    for (const char* sql :
         {"UPDATE person SET name = 'Eve'", "DELETE FROM person", "UPDATE person_uid SET uid = 5002",
          "UPDATE person_uid SET unlinked_at = 1, uid = 5002", "DELETE FROM person_uid",
          "UPDATE person_role SET role = 'admin'", "DELETE FROM person_role", "UPDATE person_lock SET locked_at = 1",
          "DELETE FROM person_lock", "UPDATE person_portal SET value = 'eve@example.gov'", "DELETE FROM person_portal",
          "UPDATE person_change SET detail = 'admin'", "DELETE FROM person_change",
          "INSERT INTO person_uid (person_id, uid, linked_at) VALUES (1, 0, 0)",
          "INSERT INTO person_uid (person_id, uid, linked_at) VALUES (1, 5001, 0)"})
        expect_refused(sql);
    ASSERT_TRUE(make(unlink(anna, 5001)));
    expect_refused("UPDATE person_uid SET unlinked_at = NULL");
    expect_refused("UPDATE person_uid SET unlinked_at = 5");
}

TEST_F(People, each_change_is_audited_with_its_reason) {
    const auto anna = add("Anna");
    ASSERT_TRUE(make({anna, ChangeKind::grant, Role::operate}));
    Query query(
        *ledger,
        "SELECT action || '|' || subject || '|' || detail FROM audit WHERE action LIKE 'person.%' ORDER BY seq");
    const auto rows = query.records<std::string>();
    EXPECT_THAT(rows, ElementsAre("person.added|person 1 (Anna)|new",
                                  "person.changed|person 1 (Anna)|grant operator: because"));
}

}  // namespace
}  // namespace drawbridge::ledger
