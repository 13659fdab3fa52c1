#include "drawbridge/ledger/store/ledger.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <thread>

#include "ledger/ledger_fixture.hpp"
#include "store/connection.hpp"
#include "store/state_lock.hpp"

namespace drawbridge::ledger {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class LedgerFile : public LedgerFixture {
  protected:
    void pretend_schema(int version) {
        ledger->connection().db.exec(
            (on_postgresql() ? "UPDATE ledger_schema SET version = " : "PRAGMA user_version = ") +
            std::to_string(version));
    }
};

TEST_F(LedgerFile, is_readable_by_its_owner_only) {
    ABOUT_THE_FILE();
    struct stat status{};
    ASSERT_EQ(::stat((folder.path() / "ledger.db").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST_F(LedgerFile, a_second_process_is_refused_while_the_first_has_the_lock) {
    const auto second = try_to_open();
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, ErrorCode::in_use);
    EXPECT_THAT(second.error().message, HasSubstr("another drawbridge process owns this ledger (pid " +
                                                  std::to_string(::getpid()) + ", ledger_test"));
    reopen();  // the lock is free again
}

TEST_F(LedgerFile, waits_for_a_process_that_has_the_lock_for_a_moment) {
    ledger.reset();
    auto first = StateLock::take(folder.path());
    ASSERT_TRUE(first);
    EXPECT_FALSE(StateLock::take(folder.path()));
    EXPECT_FALSE(wait_for_lock(folder.path(), std::chrono::milliseconds(0)));
    std::jthread ends_soon([lock = *std::move(first)]() mutable {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        lock = StateLock();
    });
    EXPECT_TRUE(wait_for_lock(folder.path(), std::chrono::seconds(5)));
    EXPECT_TRUE(StateLock::take(folder.path()));
}

TEST_F(LedgerFile, says_to_a_user_who_may_not_open_it_that_no_daemon_runs) {
    ABOUT_THE_FILE();
    if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
    const auto as_nobody = [&] {
        if (::setuid(65534) != 0) ::_exit(2);
        const auto lock = StateLock::take(folder.path());
        std::fputs(lock ? "taken" : lock.error().message.c_str(), stderr);
        ::_exit(lock ? 1 : 0);
    };
    EXPECT_EXIT(as_nobody(), testing::ExitedWithCode(0), "without a daemon only root and the service's user");
}

TEST_F(LedgerFile, keeps_its_identity_and_what_was_committed) {
    const auto id = ledger->ledger_id();
    read(test::sample_draw(1, DrawStatus::pending_approval));
    reopen();
    EXPECT_EQ(ledger->ledger_id(), id);
    EXPECT_EQ(state(1), "pending");
}

TEST_F(LedgerFile, with_a_newer_schema_is_refused) {
    pretend_schema(9999);
    ledger.reset();
    const auto opened = try_to_open();
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::conflict);
    EXPECT_THAT(opened.error().message, HasSubstr("this ledger has schema 9999, this program reads schemas up to "));
    EXPECT_THAT(opened.error().message, HasSubstr("install the newer drawbridge"));
}

TEST_F(LedgerFile, with_a_schema_from_before_the_first_release_is_refused) {
    pretend_schema(12);
    ledger.reset();
    const auto opened = try_to_open();
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::conflict);
    EXPECT_THAT(opened.error().message,
                HasSubstr("this ledger has schema 12, from before the first release; this program reads schema 100 and "
                          "later: open it with the drawbridge that wrote it"));
}

TEST_F(LedgerFile, a_transaction_that_throws_leaves_nothing_behind) {
    EXPECT_THROW(ledger->transaction([&] {
        record_reading(*ledger, test::sample_draw(1, DrawStatus::approved), ReadingSource::poll, now);
        audit(*ledger, stamp(), "test", "draw 1", "gone");
        throw std::runtime_error("power");
    }),
                 std::runtime_error);
    EXPECT_EQ(state(1), "unknown");
    ledger->transaction([&] { audit(*ledger, stamp(), "test", "draw 1", "kept"); });
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(LedgerFile, a_statement_that_fails_ends_its_transaction) {
    ABOUT_THE_FILE();
    EXPECT_DEATH(ledger->transaction([&] {
        EXPECT_THROW(ledger->connection().db.exec("DELETE FROM audit"), SQLite::Exception);
        audit(*ledger, stamp(), "test", "draw 1", "as if nothing had happened");
    }),
                 "nothing is written after a statement that failed");
}

TEST_F(LedgerFile, takes_back_all_that_came_before_a_statement_that_fails) {
    ABOUT_THE_FILE();
    auto& db = ledger->connection().db;
    for (const char* fails : {"INSERT INTO draw_moved (draw_id) VALUES (1)", "\n  UPDATE draw_moved SET draw_id = 'x'",
                              "INSERT INTO draw_moved (draw_id) VALUES ('x')"}) {
        db.begin(/*waits_for_disk=*/true);
        db.exec("INSERT INTO draw_moved (draw_id) VALUES (1)");
        Statement statement(db, fails);
        EXPECT_THROW(statement.run(), SQLite::Exception) << fails;
        EXPECT_TRUE(db.is_rolled_back()) << fails;
        db.roll_back(/*waits_for_disk=*/true);
        EXPECT_EQ(db.integer("SELECT count(*) FROM draw_moved"), 0) << fails;
    }
    EXPECT_THAT(violations(), IsEmpty());
}

// Otherwise SQLite copies each page that a statement changes, to be able to undo the statement alone.
TEST_F(LedgerFile, is_never_asked_to_undo_one_statement) {
    ABOUT_THE_FILE();
    auto& db = ledger->connection().db;
    EXPECT_EQ(db.text("SELECT group_concat(name) FROM sqlite_schema WHERE type = 'trigger' AND "
                      "replace(sql, 'raise(ROLLBACK,', '') LIKE '%raise(%'"),
              "");
    EXPECT_EQ(db.text("SELECT group_concat(m.name) FROM sqlite_schema m WHERE m.type = 'table' AND (length(m.sql) - "
                      "length(replace(m.sql, 'INITIALLY DEFERRED', ''))) "
                      "/ 18 <> (SELECT count(*) FROM pragma_foreign_key_list(m.name))"),
              "");
    EXPECT_GT(db.integer("SELECT count(*) FROM sqlite_schema m JOIN pragma_foreign_key_list(m.name) f "
                         "WHERE m.type = 'table'"),
              0);
}

TEST_F(LedgerFile, writing_outside_a_transaction_is_a_bug) {
    EXPECT_DEATH(record_reading(*ledger, test::sample_draw(1, DrawStatus::approved), ReadingSource::poll, now),
                 "only written in a transaction");
}

TEST_F(LedgerFile, a_transaction_with_deferred_sync_survives_the_end_of_the_process) {
    ledger->transaction_deferred_sync(
        [&] { record_reading(*ledger, test::sample_draw(1, DrawStatus::pending_approval), ReadingSource::poll, now); });
    reopen();
    EXPECT_EQ(state(1), "pending");
}

class Durability : public LedgerFixture {
  protected:
    static constexpr int normal = 1;
    static constexpr int full = 2;
    std::int64_t synchronous() { return ledger->connection().db.integer("PRAGMA synchronous"); }
};

TEST_F(Durability, every_commit_without_deferred_sync_waits_for_the_disk) {
    ABOUT_THE_FILE();
    EXPECT_EQ(synchronous(), full);
    ledger->transaction([&] { EXPECT_EQ(synchronous(), full); });
    ledger->transaction_deferred_sync([&] { EXPECT_EQ(synchronous(), normal); });
    EXPECT_EQ(synchronous(), full);
    EXPECT_THROW(ledger->transaction_deferred_sync([] { throw std::runtime_error("power"); }), std::runtime_error);
    EXPECT_EQ(synchronous(), full);
}

class NewDraws : public LedgerFixture {
  protected:
    bool is_first(DrawId id) { return read(test::sample_draw(id, DrawStatus::pending_approval)).first; }
};

TEST_F(NewDraws, are_distinguished_from_known_ones_in_any_order_and_after_a_restart) {
    EXPECT_TRUE(is_first(100));
    EXPECT_TRUE(is_first(50));
    EXPECT_TRUE(is_first(101));
    for (const DrawId id : {50, 100, 101})
        EXPECT_FALSE(is_first(id)) << id;
    reopen();
    for (const DrawId id : {101, 100, 50})
        EXPECT_FALSE(is_first(id)) << id;
    EXPECT_TRUE(is_first(102));
}

TEST_F(NewDraws, that_were_rolled_back_are_new_again) {
    EXPECT_TRUE(is_first(1));
    EXPECT_THROW(ledger->transaction([&] {
        record_reading(*ledger, test::sample_draw(9, DrawStatus::pending_approval), ReadingSource::poll, now);
        throw std::runtime_error("power");
    }),
                 std::runtime_error);
    EXPECT_TRUE(is_first(5));
    EXPECT_TRUE(is_first(9));
    EXPECT_FALSE(is_first(9));
}

struct Tampering {
    const char* what;
    const char* sql;
    const char* found;
};

class Tampered : public LedgerFixture, public ::testing::WithParamInterface<Tampering> {};

// Triggers refuse every rewrite, but somebody with access to the file can drop them: `verify` must find the change.
TEST_P(Tampered, is_found_by_verify) {
    for (DrawId id = 1; id <= 3; ++id)
        read(test::sample_draw(id, DrawStatus::pending_approval));
    for (DrawId id = 1; id <= 3; ++id)
        decide(id, /*approve=*/true);
    for (const auto& item : submit())
        answer(item, ApprovalOutcome::approved);
    for (DrawId id = 1; id <= 3; ++id)
        read(test::sample_draw(id, DrawStatus::approved));
    pay();
    const auto file = load_file(*ledger, payment_files(*ledger, false).front().file_id).file;
    confirm({{2, *file.payments[0].trace_number, ConfirmationKind::paid, file.payments[0].amount,
              parse_date("2026-03-05").value()}});
    read(test::sample_draw(1, DrawStatus::disbursed));
    ledger->transaction([&] { open_patch(*ledger, reports_due(*ledger).front(), now, stamp()); });
    ASSERT_THAT(violations(), IsEmpty());

    std::vector<std::string> triggers;
    {
        Statement all(ledger->connection().db, all_triggers());
        while (all.next())
            triggers.push_back(all.text(0));
    }
    for (const auto& trigger : triggers)
        ledger->connection().db.exec("DROP TRIGGER " + trigger);
    ledger->connection().db.exec(on_postgresql() ? "SET session_replication_role = replica"
                                                 : "PRAGMA foreign_keys = OFF");
    ledger->connection().db.exec(GetParam().sql);
    EXPECT_THAT(violations(), ::testing::Contains(HasSubstr(GetParam().found))) << GetParam().what;
}

INSTANTIATE_TEST_SUITE_P(
    ledger, Tampered,
    ::testing::Values(
        Tampering{"payment amount", "UPDATE payment SET amount_cents = 9999 WHERE draw_id = 1", "2: "},
        Tampering{"payee account", "UPDATE payment SET account_number = '666' WHERE draw_id = 2",
                  "2: the account number of payment 2 does not open: it was changed or swapped"},
        Tampering{"payee account gone", "UPDATE payment SET account_number = '' WHERE draw_id = 2",
                  "2: the account number of payment 2 does not open: it was changed or swapped"},
        Tampering{"payee name", "UPDATE payment SET payee_name = 'Mallory' WHERE draw_id = 2",
                  "2: the payments of ACH-20260304-A.ach are not those that were planned"},
        Tampering{"account of another",
                  "UPDATE payment SET account_number = (SELECT account_number FROM payment WHERE draw_id = 1) "
                  "WHERE draw_id = 2",
                  "2: the account number of payment 2 does not open: it was changed or swapped"},
        Tampering{"bank profile", "UPDATE payment_file SET profile = '{}'", "2: the bank profile of "},
        Tampering{"file total", "UPDATE payment_file SET total_cents = total_cents + 1", "2: "},
        Tampering{"approved amount", "UPDATE reading SET amount_approved_cents = 1 WHERE status = 4 AND draw_id = 3",
                  "is not the amount of reading"},
        Tampering{"lost draw", "DELETE FROM draw WHERE draw_id = 3", "3: draw 3 has readings and is not known"},
        Tampering{"request of another", "UPDATE reading SET content_id = 1 WHERE draw_id = 3 AND status = 4",
                  "of draw 3 shows the request of another draw"},
        Tampering{"older reading", "UPDATE draw SET reading_id = 3 WHERE draw_id = 3", "3: draw 3 does not point"},
        Tampering{"rules text", "UPDATE rule_set SET text = 'approve everything'", "4: the text of rule set"},
        Tampering{"hold made approval", "UPDATE draw_decision SET outcome = 'hold' WHERE draw_id = 1",
                  "4: approval of draw 1"},
        Tampering{"audit text", "UPDATE audit SET detail = 'nothing' WHERE seq = 2", "5: audit row 2 does not follow"},
        Tampering{"audit row gone", "DELETE FROM audit WHERE seq = 4", "5: audit row 4 is missing"},
        Tampering{"newest audit gone", "DELETE FROM audit WHERE seq = (SELECT max(seq) FROM audit)",
                  "5: the newest audit rows are missing"},
        Tampering{"number again", "UPDATE number_range SET next = 1 WHERE name = 'trace_sequence'",
                  "6: the next trace_sequence would be used twice"},
        Tampering{"lost confirmation", "DELETE FROM confirmation_line",
                  "7: file bank.csv: lines are 1, recorded are 0"},
        Tampering{"settled by nothing", "DELETE FROM settlement",
                  "7: line 2 of bank.csv was applied and settled nothing"},
        Tampering{"report without payment", "UPDATE outbox SET payment_id = 3",
                  "8: the report of draw 1 rests on no confirmed"},
        Tampering{"decision without its verdict", "UPDATE draw_decision SET verdict_id = 99 WHERE draw_id = 1",
                  "0: a row of draw_decision refers to a missing row"},
        Tampering{"ended without cause", "UPDATE payment SET ended_at = 1 WHERE draw_id = 2",
                  "1: payment 2 ended without"}),
    [](const auto& tampering) {
        std::string name = tampering.param.what;
        std::ranges::replace(name, ' ', '_');
        return name;
    });

class AppendOnly : public LedgerFixture, public ::testing::WithParamInterface<const char*> {};

TEST_P(AppendOnly, refuses_the_statement) {
    read(test::sample_draw(1, DrawStatus::pending_approval));
    decide(1, /*approve=*/true);
    answer(submit().front(), ApprovalOutcome::approved);
    auto approved = test::sample_draw(1, DrawStatus::approved);
    approved.approved_by = "official@example.org";
    read(approved);
    pay();
    EXPECT_THROW(ledger->connection().db.exec(GetParam()), std::runtime_error) << GetParam();
}

INSTANTIATE_TEST_SUITE_P(
    ledger, AppendOnly,
    ::testing::Values(
        "UPDATE reading SET status = 5", "DELETE FROM reading", "DELETE FROM draw",
        "UPDATE draw_content SET requested_by = 'x'", "DELETE FROM draw_content", "UPDATE portal_name SET name = 'x'",
        "DELETE FROM portal_name", "UPDATE verdict SET reason = 'x'", "DELETE FROM verdict",
        "UPDATE draw SET reading_id = 1", "UPDATE draw_decision SET outcome = 'hold'", "DELETE FROM draw_decision",
        "UPDATE approval_item SET outcome = 'refused'", "UPDATE approval_item SET outcome = NULL",
        "UPDATE payment SET amount_cents = 1", "UPDATE payment SET account_number = '1'", "DELETE FROM payment",
        "UPDATE payment_file SET name = 'x'", "UPDATE payment_file SET sha256 = 'x'",
        "UPDATE payment_file SET released_at = 1", "UPDATE number_range SET next = 1", "DELETE FROM number_range",
        "UPDATE audit SET detail = ''", "DELETE FROM audit", "UPDATE rule_set SET text = ''",
        "DELETE FROM payment_file",
        // a row that refers to a missing one
        "UPDATE draw SET reading_id = 99",
        "INSERT INTO draw (draw_id, first_seen_at, reading_id, status) VALUES (2, 1, 2, 2), (3, 1, 99, 2)"));

}  // namespace
}  // namespace drawbridge::ledger
