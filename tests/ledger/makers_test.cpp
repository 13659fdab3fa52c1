// The makers of a file; none of them releases it.
#include "ledger/makers_fixture.hpp"

#include <gmock/gmock.h>

#include "drawbridge/ledger/facts/deliveries.hpp"
#include "drawbridge/ledger/facts/passkeys.hpp"
#include "drawbridge/ledger/facts/resolutions.hpp"
#include "drawbridge/ledger/facts/restorations.hpp"

namespace drawbridge::ledger {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Hands;
struct MakerCase {
    const char* name;
    FileRow (Hands::*make)(std::int64_t uid);  // the file that `uid` had a hand in
    const char* words;
    bool needs_name = false;  // an act by root is not enough
};

class Hands : public Makers, public ::testing::WithParamInterface<MakerCase> {
  public:
    using Makers::approved_by_hand;
    using Makers::check_ordered;
    FileRow started(std::int64_t uid) {
        approved();
        pay_as(by(uid), /*release=*/false);
        return waiting();
    }
    FileRow lifted(std::int64_t uid) {
        approved();
        resolve({"pay", "over_payment_limit", 1, std::nullopt, "", "too much"}, uid);
        pay(/*release=*/false);
        return waiting();
    }
    FileRow answered_for_restore(std::int64_t uid) {
        approved();
        ledger->transaction([&] {
            begin_restoration(*ledger, RestoredHow::restored, "from a backup", stamp());
            const auto restoration = *open_restoration(*ledger);
            record_comparison(*ledger, restoration, false, "compared", stamp());
            ASSERT_TRUE(resolve_restoration(*ledger, /*nothing_else_sent=*/true, "asked the bank", by(uid)));
        });
        pay(/*release=*/false);
        return waiting();
    }
    FileRow handed_in(std::int64_t uid) {
        returned(uid);
        EXPECT_TRUE(reissue(carla));
        return paid_again();
    }
    FileRow handed_in_again(std::int64_t uid) {
        returned(root);
        EXPECT_TRUE(hand_in_again(uid));
        EXPECT_TRUE(reissue(carla));
        return paid_again();
    }
    FileRow matched(std::int64_t uid) {
        approved();
        pay();
        const auto payment = load_file(*ledger, payment_files(*ledger, false).front().file_id).file.payments.front();
        const auto exception = stray_return();
        EXPECT_TRUE(ledger->transaction([&] {
            return match_line(*ledger, {exception, "the letter"}, payment.payment_id, test::sample_plan_settings().zone,
                              by(uid));
        }));
        later();
        EXPECT_TRUE(reissue(carla));
        return paid_again();
    }
    FileRow reissued(std::int64_t uid) {
        returned(carla);
        EXPECT_TRUE(reissue(uid));
        return paid_again();
    }
};

TEST_P(Hands, block_their_person_from_releasing_the_file) {
    const auto file = (this->*GetParam().make)(anna);
    EXPECT_THAT(refusal(file, by(anna)), AllOf(HasSubstr("you had a hand in it"), HasSubstr(GetParam().words)));
    EXPECT_TRUE(may(file, bert)) << refusal(file, by(bert));
    EXPECT_THAT(refusal(file, by(root)), HasSubstr("identifies no particular person"));
    EXPECT_THAT(refusal(file, stamp()), HasSubstr("not released automatically"));
    EXPECT_THAT(describe(makers_of(*ledger, file.file_id)), HasSubstr(GetParam().words));
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_P(Hands, of_root_block_root_and_the_daemon_but_no_person) {
    if (GetParam().needs_name) return;
    const auto file = (this->*GetParam().make)(root);
    EXPECT_THAT(refusal(file, by(root)), HasSubstr("identifies no particular person"));
    EXPECT_FALSE(refusal(file, stamp()).empty());
    EXPECT_TRUE(may(file, anna)) << refusal(file, by(anna));
}

INSTANTIATE_TEST_SUITE_P(
    each, Hands,
    ::testing::Values(
        MakerCase{"started", &Hands::started, "started the run"},
        MakerCase{"approved", &Hands::approved_by_hand, "approved draw 1 by hand"},
        MakerCase{"lifted", &Hands::lifted, "lifted the hold of draw 1"},
        MakerCase{"restored", &Hands::answered_for_restore, "said after a restore that nothing had paid draw 1"},
        MakerCase{"handed_in", &Hands::handed_in, "handed in what the bank returned of draw 1", true},
        MakerCase{"handed_in_again", &Hands::handed_in_again, "handed in what the bank returned of draw 1", true},
        MakerCase{"matched", &Hands::matched, "matched the bank's line", true},
        MakerCase{"reissued", &Hands::reissued, "ordered that draw 1 be paid again"},
        MakerCase{"ordered_check", &Hands::check_ordered, "ordered a void or stop of the check of draw 1"}),
    [](const auto& hand) { return std::string(hand.param.name); });

TEST_F(Makers, anyone_may_release_a_file_that_nobody_had_a_hand_in) {
    const auto file = planned();
    for (const auto uid : {root, anna})
        EXPECT_TRUE(may(file, uid)) << uid;
    EXPECT_EQ(refusal(file, stamp()), "");
    EXPECT_TRUE(release(file, root));
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Makers, the_uid_counts_whatever_its_name) {
    approved();
    pay_as({now, "uid 5001 (anna)", anna}, /*release=*/false);
    for (const char* name : {"uid 5001 (anna.berg)", "uid 5001", "root"})
        EXPECT_FALSE(refusal(waiting(), {now, name, anna}).empty()) << name;
}

TEST_F(Makers, a_person_with_two_uids_is_one_person) {
    person(1, "Anna", {anna, carla});
    approved();
    pay_as(by(anna), /*release=*/false);
    EXPECT_FALSE(may(waiting(), carla));
    EXPECT_TRUE(may(waiting(), bert));
    EXPECT_THAT(describe(makers_of(*ledger, waiting().file_id)), HasSubstr("Anna (uid 5001) started the run"));
}

TEST_F(Makers, a_uid_stands_for_everyone_it_ever_belonged_to) {
    person(1, "Anna", {anna});
    person(2, "Bert", {bert});
    approved();
    pay_as(by(anna), /*release=*/false);
    run_sql("UPDATE person_uid SET unlinked_at = 1 WHERE uid = 5001");
    run_sql("INSERT INTO person_uid (person_id, uid, linked_at) VALUES (2, 5001, 2)");  // belongs to Bert now
    run_sql("INSERT INTO person_uid (person_id, uid, linked_at) VALUES (1, 5003, 2)");  // Anna gets another uid
    EXPECT_FALSE(may(waiting(), carla)) << "Anna under a new uid";
    EXPECT_FALSE(may(waiting(), bert)) << "the uid that acted is Bert's";
}

TEST_F(Makers, the_kept_answer_ends_with_what_it_was_made_from) {
    person(1, "Anna", {anna});
    const auto file = planned();
    const auto hands = [&] { return describe(makers_of(*ledger, file.file_id)); };
    EXPECT_EQ(hands(), "");
    link(1, "email", "b@example.org");
    EXPECT_EQ(hands(), "");
    auto draw = test::sample_draw(1, DrawStatus::approved);
    draw.approved_by = "b@example.org";
    read(draw);
    EXPECT_THAT(hands(), HasSubstr("approved draw 1 in the portal"));
    ledger->transaction([&] { record_maker_act(*ledger, MakerAct::started, {.file = file.file_id}, by(bert)); });
    EXPECT_THAT(hands(), HasSubstr("started the run"));
}

TEST_F(Makers, an_act_counts_at_once_and_no_longer_when_it_is_rolled_back) {
    const auto file = planned();
    const auto start_by = [&](std::int64_t uid) {
        record_maker_act(*ledger, MakerAct::started, {.file = file.file_id}, by(uid));
        return check_may_release(*ledger, file, by(uid)).has_value();
    };
    EXPECT_TRUE(may(file, anna));
    EXPECT_FALSE(ledger->transaction([&] { return start_by(anna); }));
    EXPECT_FALSE(may(file, anna));
    const auto start_and_roll_back = [&] {
        ledger->transaction([&] {
            EXPECT_FALSE(start_by(bert));
            throw std::runtime_error("rolled back");
        });
    };
    EXPECT_THROW(start_and_roll_back(), std::runtime_error);
    EXPECT_TRUE(may(file, bert));
}

TEST_F(Makers, once_people_are_set_up_only_finance_answers_for_a_return) {
    returned(5999);
    person(1, "Anna", {anna}, {"finance"});
    person(2, "Bert", {bert}, {"operator"});
    person(3, "Carla", {carla}, {"releaser"});
    const auto refused = reissue(bert);
    ASSERT_FALSE(refused) << "uid 5999 belongs to nobody";
    EXPECT_THAT(refused.error().message, HasSubstr("nobody from finance vouches for it"));
    ASSERT_TRUE(hand_in_again(carla));
    EXPECT_FALSE(reissue(bert)) << "Carla does not have the role finance";
    ASSERT_TRUE(hand_in_again(anna));
    run_sql("INSERT INTO person_lock (person_id, locked_at) VALUES (1, 0)");
    EXPECT_FALSE(reissue(bert)) << "Anna is locked";
    run_sql("UPDATE person_lock SET unlocked_at = 1");
    EXPECT_TRUE(reissue(bert));
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Makers, a_return_handed_in_by_nobody_in_particular_is_not_paid_again) {
    const auto payment = returned(root);
    const auto refused = reissue(bert);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, AllOf(HasSubstr("returns.csv"), HasSubstr("drawbridge ingest")));
    EXPECT_EQ(refused.error().code, ErrorCode::conflict);
    ASSERT_TRUE(hand_in_again(root));
    EXPECT_FALSE(reissue(bert)) << "root still identifies no particular person";
    ASSERT_TRUE(hand_in_again(anna));
    EXPECT_TRUE(reissue(bert));
    EXPECT_TRUE(check_reissue_evidence(*ledger, 1, payment));
    const auto file = paid_again();
    EXPECT_FALSE(may(file, anna));
    EXPECT_FALSE(may(file, bert));
    EXPECT_TRUE(may(file, carla));
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Makers, are_fixed_when_the_release_is_ordered) {
    person(1, "Anna", {anna});
    approved();
    pay_as(by(anna), /*release=*/false);
    const auto file = waiting();
    ASSERT_TRUE(release(file, bert));
    run_sql("INSERT INTO person_uid (person_id, uid, linked_at) VALUES (1, 5002, 9)");  // uid 5002 now belongs to Anna
    later();
    ledger->transaction([&] { record_maker_act(*ledger, MakerAct::reissued, {.draw = 1}, by(bert)); });
    EXPECT_THAT(describe(makers_of(*ledger, file.file_id)), "Anna (uid 5001) started the run");
    EXPECT_THAT(violations(), IsEmpty());
    EXPECT_THAT(run_and_catch("UPDATE payment_file SET release_uid = 7"), HasSubstr("never rewritten"));
}

TEST_F(Makers, are_still_known_when_the_file_is_void) {
    person(1, "Anna", {anna});
    approved();
    pay_as(by(anna), /*release=*/false);
    const auto file = waiting();
    ledger->transaction([&] { ASSERT_TRUE(void_file(*ledger, file, "wrong day", by(bert))); });
    later();
    ledger->transaction([&] { record_maker_act(*ledger, MakerAct::reissued, {.draw = 1}, by(carla)); });
    EXPECT_THAT(describe(makers_of(*ledger, file.file_id)), "Anna (uid 5001) started the run");
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Makers, the_schema_refuses_a_maker_as_releaser) {
    person(1, "Anna", {anna, carla});
    approved();
    pay_as(by(anna), /*release=*/false);
    const auto release_as = [&](const std::string& uid, const std::string& until = "1") {
        return run_and_catch(
            "UPDATE payment_file SET release_ordered_at = 1, release_ordered_by = 'x', release_reason "
            "= 'x', release_uid = " +
            uid + ", makers_until = " + until);
    };
    for (const char* uid : {"5001", "5003", "0", "NULL"})
        EXPECT_THAT(release_as(uid), HasSubstr("no maker of a file releases it")) << uid;
    EXPECT_THAT(release_as("5002", "NULL"), HasSubstr("makers of a file are recorded"));
    EXPECT_EQ(release_as("5002"), "done");
    EXPECT_THAT(violations(), Contains(HasSubstr("is not among its makers"))) << "nobody fixed them";
}

TEST_F(Makers, verify_finds_changes_made_around_the_schema) {
    approved();
    pay_as(by(anna), /*release=*/false);
    const auto file = waiting();
    ASSERT_TRUE(release(file, bert));
    ASSERT_THAT(violations(), IsEmpty());
    const auto number_12 = [&](const std::string& sql) {
        if (on_postgresql()) ledger->connection().db.exec("BEGIN");
        ledger->connection().db.exec("SAVEPOINT tampering");
        for (const char* trigger : {"payment_file_releaser_once", "release_maker_no_delete", "release_maker_no_update"})
            ledger->connection().db.exec(std::string("DROP TRIGGER ") + trigger);
        ledger->connection().db.exec(sql);
        auto found = violations();
        ledger->connection().db.exec("ROLLBACK TO tampering");
        ledger->connection().db.exec("RELEASE tampering");
        if (on_postgresql()) ledger->connection().db.exec("COMMIT");
        std::erase_if(found, [](const std::string& text) { return !text.starts_with("12: "); });
        return found;
    };
    EXPECT_THAT(number_12("UPDATE payment_file SET release_uid = 5001"),
                Contains(HasSubstr("uid 5001 had a hand in it")));
    EXPECT_THAT(number_12("UPDATE payment_file SET release_uid = 0"), Not(IsEmpty()));
    EXPECT_THAT(number_12("DELETE FROM release_maker"), Contains(HasSubstr("is not among its makers")));
    EXPECT_THAT(number_12("UPDATE release_maker SET uid = 6000"), Contains(HasSubstr("is not among its makers")));
    EXPECT_THAT(number_12("UPDATE payment_file SET makers_until = NULL"),
                Contains(HasSubstr("nobody recorded its makers")));
}

TEST_F(Makers, verify_finds_a_maker_that_was_removed_from_a_file_that_waits) {
    person(1, "Anna", {anna});
    link(1, "email", "ana@example.org");
    approved();
    resolve({"pay", "over_payment_limit", 1, std::nullopt, "", "too much"}, bert);
    pay(/*release=*/false);
    ASSERT_THAT(violations(), IsEmpty());
    for (const char* table : {"file_draw_act", "file_portal_act"}) {
        const std::string remove = std::string("DELETE FROM ") + table;
        EXPECT_THAT(run_and_catch(remove), HasSubstr("append-only"));
        run_sql(std::string("DROP TRIGGER ") + table + "_no_delete");
        run_sql(remove);
    }
    EXPECT_THAT(violations(), AllOf(Contains(HasSubstr("on draw 1 is not recorded for it")),
                                    Contains(HasSubstr("what Anna did in the portal with draw 1 is not recorded"))));
}

// The release waits for the service after it was signed, and meanwhile a fast clock is set right.
TEST_F(Makers, verify_accuses_nobody_whose_clock_went_back_between_signature_and_release) {
    person(1, "Anna", {console_uid(1)});
    const auto file = planned();
    run_sql(
        "INSERT INTO passkey VALUES (1, 1, 5002, 'bert', 'Y3JlZA', '00000000000000000000', -7, 'AAAA', '', 0, 'key', "
        "'office.example', 0)");
    run_sql("INSERT INTO passkey_confirmation VALUES (1, 0, 5003, 'carla', 'seen', 0)");
    run_sql("INSERT INTO signed_act VALUES (1, " + std::to_string(now.time_since_epoch().count()) +
            ", 1, 1, 'POST /files/" + file.name + "/release', 'act\nsha256: " + file.sha256 +
            "\npayments: " + std::to_string(file.payment_count) + "\ntotal: " + file.total.to_string() +
            "\nnonce: x\n', 'AAAA', 'AAAA', 'AAAA')");
    now -= std::chrono::minutes(10);
    ledger->transaction([&] {
        ASSERT_TRUE(order_release(*ledger, file, "agreed", by(console_uid(1))));
        record_released(*ledger, file.file_id, stamp());
    });
    EXPECT_THAT(violations(), Not(Contains(HasSubstr("released in the console without"))));
}

TEST_F(Makers, the_audit_entry_of_the_order_names_them) {
    approved();
    pay_as(by(anna), /*release=*/false);
    ASSERT_TRUE(release(waiting(), bert));
    Query query(*ledger, "SELECT detail FROM audit WHERE action LIKE 'file.releas%' AND detail LIKE '%made by%'");
    ASSERT_TRUE(query.next());
    EXPECT_EQ(query.text(0), "agreed [made by: uid 5001 started the run]");
}

class Releasers : public Makers {
  protected:
    Releasers() {
        person(1, "Anna", {anna}, {"operator", "finance", "releaser"});
        person(2, "Bert", {bert}, {"operator", "finance", "releaser"});
    }
    std::string left(std::int64_t uid) {
        const auto result = check_leaves_releaser(*ledger, {1}, by(uid));
        return result ? "" : result.error().message;
    }
};

TEST_F(Releasers, are_named_when_somebody_is_refused) {
    approved();
    pay_as(by(anna), /*release=*/false);
    EXPECT_THAT(refusal(waiting(), by(anna)), HasSubstr("it may be released by Bert"));
    EXPECT_THAT(refusal(waiting(), by(root)), HasSubstr("it may be released by Bert"));
}

TEST_F(Releasers, an_act_that_leaves_no_releaser_is_refused_and_names_who_can_do_it) {
    approved();
    resolve({"pay", "over_payment_limit", 1, std::nullopt, "", "too much"}, anna);
    EXPECT_EQ(left(anna), "") << "Anna is already a maker, Bert can release";
    EXPECT_THAT(left(bert), AllOf(HasSubstr("draw 1"), HasSubstr("ask Anna")));
    EXPECT_EQ(left(carla), "") << "Carla is no releaser anyway";
    EXPECT_EQ(left(root), "");
    ledger->transaction([&] {
        raise_exception(*ledger, {"pay", "payee_changed", 1, std::nullopt, "", "new"}, stamp());
        const auto closed = close_exception(*ledger, open_exceptions(*ledger).back().exception_id, "ok", by(bert));
        EXPECT_FALSE(closed);
    });
    EXPECT_THAT(open_exceptions(*ledger), ::testing::SizeIs(1)) << "a refused act leaves nothing behind";
}

TEST_F(Releasers, a_locked_one_does_not_count) {
    approved();
    EXPECT_EQ(left(anna), "");
    run_sql("INSERT INTO person_lock (person_id, locked_at) VALUES (2, 0)");
    EXPECT_THAT(left(anna), HasSubstr("give the role to one more person"));
}

TEST_F(Releasers, are_not_needed_for_released_files) {
    approved();
    pay(/*release=*/false);
    const auto file = waiting();
    ASSERT_TRUE(release(file, bert));
    ledger->transaction([&] { record_released(*ledger, file.file_id, stamp()); });
    run_sql("INSERT INTO person_lock (person_id, locked_at) VALUES (2, 0)");
    EXPECT_EQ(left(anna), "");
}

class Vouching : public Makers {
  protected:
    struct Matched {
        disbursement::PlannedPayment payment;
        std::int64_t exception_id = 0;
    };
    // Anna is from finance. Bert, an operator, matches a return that names no payment and that `uid` handed in.
    Matched matched_by_bert(const std::string& file, std::int64_t uid) {
        approved();
        pay();
        const auto payment = load_file(*ledger, payment_files(*ledger, false).front().file_id).file.payments.front();
        person(1, "Anna", {anna}, {"finance"});
        person(2, "Bert", {bert}, {"operator"});
        confirm({{2, "99999", ConfirmationKind::returned, payment.amount, parse_date("2026-03-05").value()}}, file,
                uid);
        const auto exception = open_exceptions(*ledger).back().exception_id;
        later();
        ledger->transaction([&] {
            EXPECT_TRUE(match_line(*ledger, {exception, "the letter"}, payment.payment_id,
                                   test::sample_plan_settings().zone, by(bert)));
        });
        later();
        return {payment, exception};
    }
};

TEST_F(Vouching, a_match_that_was_undone_vouches_for_no_later_return) {
    const auto [payment, exception] = matched_by_bert("stray.csv", anna);
    ledger->transaction([&] { ASSERT_TRUE(undo_resolution(*ledger, {exception, "not this one"}, by(bert))); });
    later();
    confirm({{2, *payment.trace_number, ConfirmationKind::returned, payment.amount, parse_date("2026-03-05").value()}},
            "forged.csv", root);
    later();
    const auto again = reissue(bert);
    ASSERT_FALSE(again) << "nobody from finance handed in forged.csv";
    EXPECT_THAT(again.error().message, HasSubstr("nobody from finance vouches for it"));
}

TEST_F(Vouching, whoever_matches_a_line_does_not_answer_for_its_file) {
    matched_by_bert("returns.csv", bert);
    EXPECT_FALSE(reissue(bert)) << "nobody from finance handed in the file";
    ASSERT_TRUE(hand_in_again(anna));
    EXPECT_TRUE(reissue(bert));
}

TEST_F(Makers, whoever_released_a_file_never_sends_it_again_even_after_another_did) {
    const auto file = planned();
    ledger->transaction([&] {
        ASSERT_TRUE(order_release(*ledger, file, "agreed", by(carla)));
        order_delivery(*ledger, file.file_id, {.by_sftp = true}, by(carla));
        record_released(*ledger, file.file_id, stamp());
    });
    constexpr std::int64_t dora = 5004;
    const auto step = [&](disbursement::DeliveryStep what, std::int64_t uid = -1) {
        disbursement::DeliveryFact fact{.step = what, .at = now, .by = "drawbridge"};
        fact.detail = "test";
        fact.server = "bank";
        static int number = 0;
        fact.temporary_name = "tmp-" + std::to_string(++number);
        fact.size_bytes = 1;
        if (uid > 0) {
            fact.uid = uid;
            fact.by = "uid " + std::to_string(uid) + " (dora)";
        }
        ledger->transaction([&] { record_delivery_step(*ledger, file.file_id, fact); });
        later();
    };
    const auto may = [&](std::int64_t uid) {
        return check_may_send_again(*ledger, *find_file(*ledger, file.name), by(uid)).has_value();
    };
    step(disbursement::DeliveryStep::intent);
    step(disbursement::DeliveryStep::uncertain);
    ASSERT_FALSE(may(carla));
    ASSERT_TRUE(may(dora));
    step(disbursement::DeliveryStep::again, dora);
    step(disbursement::DeliveryStep::intent);
    step(disbursement::DeliveryStep::uncertain);
    EXPECT_FALSE(may(carla)) << "she released it first";
    EXPECT_FALSE(may(dora));
    EXPECT_THAT(check_may_send_again(*ledger, *find_file(*ledger, file.name), by(dora)).error().message,
                HasSubstr("ordered an earlier upload of it"));
    EXPECT_TRUE(may(anna));
    EXPECT_FALSE(check_may_send_again(*ledger, *find_file(*ledger, file.name), {now, "uid 5001 (dora)", anna}))
        << "her login on another machine";
}

// Two machines, whose users have other uids: 5001 is anna's on one and bert's on the other.
TEST_F(Makers, are_also_known_by_their_login_names) {
    const auto file = planned();
    const auto user = [&](std::int64_t uid, const std::string& login) {
        return Stamp{now, "uid " + std::to_string(uid) + " (" + login + ")", uid};
    };
    ledger->transaction([&] {
        record_maker_act(*ledger, MakerAct::started, {.file = file.file_id}, user(anna, "bert"));
        record_maker_act(*ledger, MakerAct::started, {.file = file.file_id}, user(anna, "anna"));
    });
    for (const auto* login : {"anna", "bert"}) {
        EXPECT_THAT(refusal(file, user(carla, login)),
                    HasSubstr("uid 5001 (" + std::string(login) + ") had a hand in it, and uid 5003 (" + login +
                              ") has the same login name: give each user the same uid on every machine"));
    }
    EXPECT_EQ(refusal(file, user(carla, "carla")), "");
    EXPECT_EQ(refusal(file, by(carla)), "");
    EXPECT_FALSE(share_a_login("uid 5001", "uid 5002"));
    EXPECT_FALSE(share_a_login("Anna (console)", "Anna (console)"));
}

TEST_F(Makers, the_kept_answer_ends_when_two_payees_come_to_share_an_account) {
    approved();
    pay();
    const auto payment = load_file(*ledger, payment_files(*ledger, false).front().file_id).file.payments.front();
    later();
    Confirmation frozen{2, *payment.trace_number, ConfirmationKind::returned, payment.amount,
                        parse_date("2026-03-05").value()};
    frozen.reason_code = "R16";
    confirm({frozen}, "frozen.csv", bert);
    later();
    for (const auto& row : open_exceptions(*ledger)) {
        if (row.what.reason_code != "case_stopped") continue;
        ledger->transaction([&] { ASSERT_TRUE(close_exception(*ledger, row.exception_id, "lifted", by(anna))); });
    }
    auto draw = test::sample_draw(2, DrawStatus::approved);
    draw.field_a = "PAYEE-2";
    read(draw);
    pay(/*release=*/false);
    const auto file = waiting();
    ASSERT_TRUE(may(file, anna)) << "another payee, with another account";
    run_sql(
        "INSERT INTO payee_detail VALUES ('PAYEE-1', 91, 'one', 'same', 0, 0, 0), ('PAYEE-2', 91, 'two', 'same', 0, 0, "
        "0)");
    EXPECT_FALSE(may(file, anna)) << "she lifted the hold of the account";
    EXPECT_FALSE(release(file, anna));
}

}  // namespace
}  // namespace drawbridge::ledger
