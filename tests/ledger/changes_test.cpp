// Change control in the ledger: proposals, acceptances, and what is in force.
#include "drawbridge/ledger/facts/changes.hpp"

#include <gmock/gmock.h>

#include "drawbridge/ledger/store/sealing.hpp"
#include "ledger/ledger_fixture.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr auto payees = ControlledFile::payees;
constexpr std::int64_t anna = 5001, anna_too = 5011, ben = 5002;

class Changes : public LedgerFixture {
  protected:
    bool file_holds(const std::string& bytes, ControlledFile kind = payees) {
        const auto sha256 = sha256_hex(bytes);
        return ledger->transaction([&] { return compare_with_file(*ledger, kind, {bytes, sha256, 1000}, stamp()); });
    }
    [[nodiscard]] Stamp by(std::int64_t uid) const { return {now, "uid " + std::to_string(uid), uid}; }
    Result<void> accept(std::int64_t uid) {
        return ledger->transaction(
            [&] { return record_acceptance(*ledger, open_proposals(*ledger).at(0), "agreed", by(uid)); });
    }
    void put() {
        ledger->transaction([&] { put_in_force(*ledger, open_proposals(*ledger).at(0), "agreed", by(ben)); });
    }
    void accepted_by_two() {
        ASSERT_TRUE(accept(anna));
        ASSERT_TRUE(accept(ben));
        put();
    }
    void reject() {
        ledger->transaction([&] { reject_proposal(*ledger, open_proposals(*ledger).at(0), "no", by(anna)); });
    }
    // "waiting B", newest first, by the bytes.
    std::vector<std::string> states() {
        std::vector<std::string> all;
        for (const auto& proposal : proposals(*ledger, 100)) {
            all.push_back((proposal.outcome ? std::string(to_string(*proposal.outcome)) : "waiting") + " " +
                          bytes_of(*ledger, proposal));
        }
        return all;
    }
    std::vector<std::string> open_reasons() {
        std::vector<std::string> reasons;
        for (const auto& row : open_exceptions(*ledger))
            reasons.push_back(row.what.reason_code);
        return reasons;
    }
    void expect_refused(const std::string& sql, const char* why) {
        try {
            ledger->transaction([&] { ledger->connection().db.exec(sql); });
            ADD_FAILURE() << sql;
        } catch (const std::runtime_error& refused) {
            EXPECT_THAT(refused.what(), HasSubstr(why)) << sql;
        }
    }
    std::vector<std::string> violations() {
        std::vector<std::string> all;
        for (const auto& result : verify(*ledger))
            all.insert(all.end(), result.violations.begin(), result.violations.end());
        return all;
    }
};

// Two machines, whose users have other uids.
TEST_F(Changes, are_not_accepted_twice_by_one_login) {
    file_holds("A");
    file_holds("B");
    const auto accept_as = [&](std::int64_t uid, const std::string& login) {
        const Stamp stamp{now, "uid " + std::to_string(uid) + " (" + login + ")", uid};
        return ledger->transaction(
            [&] { return record_acceptance(*ledger, open_proposals(*ledger).at(0), "agreed", stamp); });
    };
    ASSERT_TRUE(accept_as(anna, "anna"));
    const auto again = accept_as(ben, "anna");
    ASSERT_FALSE(again);
    EXPECT_THAT(again.error().message,
                HasSubstr("uid 5001 (anna) accepted it, and uid 5002 (anna) has the same login name"));
    EXPECT_TRUE(accept_as(ben, "ben"));
}

TEST_F(Changes, the_first_bytes_are_the_baseline_and_raise_an_exception) {
    EXPECT_FALSE(hash_in_force(*ledger, payees));
    EXPECT_TRUE(file_holds("A"));
    EXPECT_EQ(hash_in_force(*ledger, payees), sha256_hex("A"));
    EXPECT_EQ(bytes_in_force(*ledger, payees), "A");
    EXPECT_FALSE(hash_in_force(*ledger, ControlledFile::rules)) << "each kind has its own baseline";
    EXPECT_THAT(open_reasons(), ElementsAre("change_baseline"));
    EXPECT_FALSE(file_holds("A")) << "nothing new";
}

TEST_F(Changes, changed_bytes_wait_for_two_persons) {
    file_holds("A");
    EXPECT_TRUE(file_holds("B"));
    EXPECT_EQ(bytes_in_force(*ledger, payees), "A");
    EXPECT_THAT(open_reasons(), ElementsAre("change_baseline", "change_proposed"));
    const auto proposal = open_proposals(*ledger).at(0);
    EXPECT_EQ(proposal.file_uid, 1000);
    ASSERT_TRUE(accept(anna));
    EXPECT_THROW(put(), std::runtime_error) << "one person is not two";
    EXPECT_EQ(bytes_in_force(*ledger, payees), "A");
    ASSERT_TRUE(accept(ben));
    put();
    EXPECT_EQ(bytes_in_force(*ledger, payees), "B");
    EXPECT_THAT(open_reasons(), IsEmpty()) << "the baseline is not in force anymore";
    EXPECT_FALSE(file_holds("B"));
    EXPECT_THAT(violations(), IsEmpty());
    reopen();
    EXPECT_EQ(bytes_in_force(*ledger, payees), "B");
}

TEST_F(Changes, all_uids_a_person_ever_had_count_as_one_person) {
    ledger->transaction([&] {
        const auto person = add_person(*ledger, "Anna", "new", stamp());
        for (const auto uid : {anna, anna_too}) {
            const Change link{person, ChangeKind::link, {}, Identity::uid, std::to_string(uid)};
            ASSERT_TRUE(make_change(*ledger, link, "hers", stamp()));
        }
        ASSERT_TRUE(make_change(*ledger, {person, ChangeKind::unlink, {}, Identity::uid, std::to_string(anna)}, "gone",
                                stamp()));
    });
    file_holds("A");
    file_holds("B");
    ASSERT_TRUE(accept(anna));
    for (const auto uid : {anna, anna_too}) {
        const auto again = accept(uid);
        ASSERT_FALSE(again) << uid;
        EXPECT_THAT(again.error().message, HasSubstr("uid 5001 accepted it, and that counts as you"));
        expect_refused("INSERT INTO change_acceptance (proposal_id, at, uid, by, reason) SELECT proposal_id, 1, " +
                           std::to_string(uid) + ", 'x', 'y' FROM change_proposal WHERE closed_at IS NULL",
                       "a person accepts a change once");
    }
    EXPECT_TRUE(accept(ben));
}

TEST_F(Changes, root_and_the_daemons_user_count_as_one) {
    file_holds("A");
    file_holds("B");
    ASSERT_TRUE(accept(0));
    EXPECT_FALSE(accept(::geteuid()));
    EXPECT_TRUE(accept(anna));
}

TEST_F(Changes, newer_bytes_replace_the_open_proposal_and_its_acceptances) {
    file_holds("A");
    file_holds("B");
    ASSERT_TRUE(accept(anna));
    EXPECT_TRUE(file_holds("C"));
    EXPECT_THAT(states(), ElementsAre("waiting C", "withdrawn B", "baseline A"));
    EXPECT_THAT(open_proposals(*ledger).at(0).acceptances, IsEmpty());
    EXPECT_TRUE(file_holds("B"));
    EXPECT_THAT(open_proposals(*ledger).at(0).acceptances, IsEmpty()) << "even for the same bytes";
    EXPECT_TRUE(file_holds("A"));
    EXPECT_THAT(open_proposals(*ledger), IsEmpty()) << "bytes in force need no acceptance";
    EXPECT_THAT(open_reasons(), ElementsAre("change_baseline"));
}

TEST_F(Changes, rejected_bytes_are_proposed_again_only_after_the_file_had_others) {
    file_holds("A");
    file_holds("B");
    reject();
    EXPECT_FALSE(file_holds("B"));
    EXPECT_FALSE(file_holds("B"));
    EXPECT_THAT(states(), ElementsAre("rejected B", "baseline A"));
    EXPECT_TRUE(file_holds("A"));
    EXPECT_TRUE(file_holds("B"));
    EXPECT_THAT(states(), ElementsAre("waiting B", "rejected B", "baseline A"));
}

TEST_F(Changes, going_back_to_old_bytes_also_takes_two_persons) {
    file_holds("A");
    file_holds("B");
    accepted_by_two();
    EXPECT_TRUE(file_holds("A"));
    EXPECT_EQ(bytes_in_force(*ledger, payees), "B");
    EXPECT_THAT(states(), ElementsAre("waiting A", "accepted B", "baseline A"));
}

TEST_F(Changes, the_schema_refuses_changes_that_two_persons_did_not_accept) {
    file_holds("A");
    file_holds("B");
    expect_refused(
        "UPDATE change_proposal SET closed_at = 1, closed_by = 'x', closed_reason = 'x', outcome = 'accepted' "
        "WHERE closed_at IS NULL",
        "a change needs two persons");
    expect_refused(
        "UPDATE change_proposal SET outcome = 'baseline', closed_at = 1, closed_by = 'x', closed_reason = 'x' "
        "WHERE closed_at IS NULL",
        "decided once and never rewritten");
    expect_refused("UPDATE change_proposal SET content = 'sealed:1:x'", "never rewritten");
    expect_refused("DELETE FROM change_proposal", "append-only");
    expect_refused(
        "INSERT INTO change_proposal (kind, sha256, content, proposed_at, closed_at, closed_by, "
        "closed_reason, outcome) SELECT kind, sha256, content, 1, 1, 'x', 'x', 'accepted' FROM "
        "change_proposal WHERE closed_at IS NULL",
        "proposed before it is decided");
    expect_refused(
        "INSERT INTO change_acceptance (proposal_id, at, uid, by, reason) SELECT proposal_id, 1, 7, 'x', 'y' "
        "FROM change_proposal WHERE outcome = 'baseline'",
        "only an open change");
    expect_refused(
        "INSERT INTO change_proposal (kind, sha256, content, proposed_at) SELECT kind, sha256, 'plain', 1 "
        "FROM change_proposal",
        on_postgresql() ? "violates check constraint" : "CHECK");
}

TEST_F(Changes, verify_finds_a_forged_acceptance) {
    file_holds("A");
    file_holds("B");
    ASSERT_TRUE(accept(anna));
    ASSERT_THAT(violations(), IsEmpty());
    ledger->connection().db.exec(
        "INSERT INTO change_acceptance (proposal_id, at, uid, by, reason) SELECT proposal_id, 1, 5002, 'uid 5002', 'y' "
        "FROM change_proposal WHERE closed_at IS NULL;"
        "UPDATE change_proposal SET closed_at = 1, closed_by = 'x', closed_reason = 'x', outcome = 'accepted' WHERE "
        "closed_at IS NULL");
    EXPECT_THAT(violations(), Contains(HasSubstr("the rows of change_acceptance are not those that were recorded")));
    EXPECT_THAT(violations(), Contains(HasSubstr("the rows of change_proposal are not those that were recorded")));
}

TEST_F(Changes, verify_finds_swapped_bytes_and_missing_acceptances) {
    file_holds("A");
    file_holds("B");
    accepted_by_two();
    ledger->connection().db.exec(
        "DROP TRIGGER change_proposal_once; DROP TRIGGER change_acceptance_no_delete;"
        "UPDATE change_proposal SET content = (SELECT content FROM change_proposal WHERE outcome = 'baseline') WHERE "
        "outcome = 'accepted'; DELETE FROM change_acceptance WHERE uid = 5002");
    EXPECT_THAT(violations(), Contains(HasSubstr("does not open: it was changed or swapped")));
    EXPECT_THAT(violations(), Contains(HasSubstr("are in force without the acceptance of two people")));
    EXPECT_THROW(static_cast<void>(bytes_in_force(*ledger, payees)), std::runtime_error);
}

TEST_F(Changes, bytes_are_sealed_and_still_open_after_a_key_change) {
    const std::string secret = "70318842650";
    file_holds(secret);
    ledger->transaction([&] { record_settings(*ledger, "x: " + secret + "\n", "", stamp()); });
    {
        Query rows(*ledger, "SELECT content FROM change_proposal UNION ALL SELECT settings FROM configuration_seen");
        while (rows.next())
            EXPECT_THAT(rows.text(0), Not(HasSubstr(secret)));
    }
    const auto key = SealingKey::parse(std::string(64, 'b')).value();
    EXPECT_EQ(change_sealing_key(*ledger, key, "test", stamp()), 2);
    EXPECT_EQ(bytes_in_force(*ledger, payees), secret);
    EXPECT_EQ(last_settings(*ledger), "x: " + secret + "\n");
    EXPECT_THAT(violations(), IsEmpty());
    expect_refused("UPDATE change_proposal SET sha256 = 'x'", "never rewritten");
}

}  // namespace
}  // namespace drawbridge::ledger
