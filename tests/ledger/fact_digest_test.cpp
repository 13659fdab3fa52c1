#include "store/fact_digest.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include "drawbridge/ledger/facts/invariant_checks.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/reports/journal.hpp"
#include "drawbridge/ledger/store/sealing.hpp"
#include "ledger/ledger_fixture.hpp"
#include "store/connection.hpp"
#include "support/verify_and_record.hpp"

namespace drawbridge::ledger {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const fs::path sample_ledgers = fs::path(DRAWBRIDGE_TEST_DATA) / "ledger";

// Changes the file as somebody with access to it could: drops every trigger and creates it again afterwards.
void tamper(const fs::path& file, const std::string& sql) {
    SQLite::Database db(file.string(), SQLite::OPEN_READWRITE);
    std::vector<std::pair<std::string, std::string>> triggers;
    {
        SQLite::Statement all(db, "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'");
        while (all.executeStep())
            triggers.emplace_back(all.getColumn(0).getString(), all.getColumn(1).getString());
    }
    SQLite::Transaction transaction(db);
    for (const auto& [name, text] : triggers)
        db.exec("DROP TRIGGER " + name);
    const int changed = db.exec(sql);
    for (const auto& [name, text] : triggers)
        db.exec(text);
    transaction.commit();
    if (changed == 0) throw std::runtime_error("nothing was changed by " + sql);
}

// A ledger with rows in every table that the tests tamper with.
class FactDigests : public LedgerFixture {
  protected:
    FactDigests() {
        now = test::at("2026-03-06T15:00:00");
        open_kept("version-100");
        ledger->transaction([&] {
            Query(*ledger,
                  "INSERT INTO guard_override VALUES (1, 1, 'duplicate_payment', '', 'uid 1 (bo)', ?, 'not twice', 0)",
                  now)
                .run();
            set_paused(*ledger, /*paused=*/true, "a look", stamp());
            set_paused(*ledger, /*paused=*/false, "all is well", stamp());
        });
        static_cast<void>(test::verify_and_record(*ledger, stamp()));
    }
    [[nodiscard]] fs::path file() const { return folder.path() / "ledger.db"; }

    // Outside the program, and past the triggers.
    void tamper_with(const std::string& sql) {
        ledger.reset();
        if (on_postgresql()) {
            test::PostgresqlCluster::instance().exec(
                "SET search_path = ledger; SET session_replication_role = replica; " + sql);
        } else {
            tamper(file(), sql);
        }
        open();
    }
    std::int64_t entries() { return ledger->connection().committed_seq; }
};

struct Rewriting {
    const char* table;
    const char* sql;
    const char* rows = "with other values";
};

constexpr Rewriting rewritings[] = {
    {"verdict", "UPDATE verdict SET rule = 'small', reason = 'rule ''small'' matches' WHERE verdict_id = 1"},
    {"verdict", "UPDATE verdict SET notes = reason, reason = 'x' || notes WHERE verdict_id = 1"},
    {"draw_decision", "UPDATE draw_decision SET explanation_values = '[2]' WHERE decision_id = 2"},
    {"reading", "UPDATE reading SET approved_by = NULL"},
    {"draw_content", "UPDATE draw_content SET requested_by = 'someone.else@x' WHERE draw_id = 4"},
    {"portal_name", "UPDATE portal_name SET name = 'someone.else@x'"},
    {"payment_file", "UPDATE payment_file SET started_by = 'nobody' WHERE file_id = 1"},
    {"payment_file", "UPDATE payment_file SET release_ordered_by = 'uid 4242 (innocent)' WHERE file_id = 1"},
    {"payment_file", "UPDATE payment_file SET release_reason = 'x' WHERE file_id = 1"},
    {"line_exception", "DELETE FROM line_exception", "0 rows, 4 were recorded"},
    {"exception", "DELETE FROM exception WHERE exception_id = 1", "7 rows, 8 were recorded"},
    {"confirmation_line", "UPDATE confirmation_line SET outcome = 'duplicate' WHERE outcome = 'exception'"},
    {"confirmation_line", "UPDATE confirmation_line SET confirmed_on = '2026-11-25' WHERE outcome = 'applied'"},
    {"settlement", "UPDATE settlement SET confirmed_on = '2026-11-25'"},
    {"guard_override", "UPDATE guard_override SET by = 'uid 4242 (innocent)'"},
    {"guard_override", "DELETE FROM guard_override", "0 rows, 1 were recorded"},
    {"movement_control", "DELETE FROM movement_control WHERE paused = 1"},
    {"movement_control", "UPDATE movement_control SET reason = 'x'"},
    {"invariant_check", "UPDATE invariant_check SET violations = 1"},
    {"outbox_attempt", "INSERT INTO outbox_attempt (patch_id, at, outcome, detail) VALUES (1, 1, 'sent', 'by nobody')",
     "4 rows, 3 were recorded"},
    {"movement_control",
     "UPDATE movement_control SET reason = CASE reason WHEN 'a look' THEN 'all is well' ELSE 'a look' END "
     "WHERE reason IN ('a look', 'all is well')"},
    {"ledger_identity", "UPDATE ledger_identity SET created_at = created_at + 1"},
};

class Rewritten : public FactDigests, public ::testing::WithParamInterface<Rewriting> {};

TEST_P(Rewritten, table_is_named_by_verify_even_after_later_writes) {
    ASSERT_THAT(violations(), IsEmpty());
    tamper_with(GetParam().sql);
    const auto named = AllOf(HasSubstr("5: the rows of " + std::string(GetParam().table) + " are not those that were"),
                             HasSubstr(std::string(GetParam().table) == "movement_control" ? "" : GetParam().rows));
    EXPECT_THAT(violations(), Contains(named));
    read(test::sample_draw(700, DrawStatus::pending_approval));
    ledger->transaction([&] { set_paused(*ledger, /*paused=*/true, "once more", stamp()); });
    static_cast<void>(test::verify_and_record(*ledger, stamp()));
    reopen();
    EXPECT_THAT(violations(), Contains(HasSubstr("5: the rows of " + std::string(GetParam().table))));
}

INSTANTIATE_TEST_SUITE_P(OneByOne, Rewritten, ::testing::ValuesIn(rewritings), [](const auto& test) {
    return std::string(test.param.table) + "_" + std::to_string(test.index);
});

TEST_F(FactDigests, name_every_table_that_was_rewritten_at_once) {
    std::string all;
    for (const auto& one : rewritings)
        all += std::string(one.sql) + ";";
    tamper_with(all);
    const auto found = violations();
    for (const auto& one : rewritings) {
        if (std::string_view(one.table) == "movement_control") continue;  // the swap needs a row that is deleted before
        EXPECT_THAT(found, Contains(HasSubstr("the rows of " + std::string(one.table)))) << one.sql;
    }
}

TEST_F(FactDigests, match_the_rows_of_every_kept_ledger) {
    for (const auto& entry : fs::directory_iterator(sample_ledgers)) {
        if (entry.path().extension() != ".db") continue;
        test::TemporaryFolder other;
        fs::copy_file(entry.path(), other.path() / "ledger.db");
        auto key = entry.path();
        fs::copy_file(key.replace_extension(".key"), other.path() / default_sealing_key_name);
        auto opened = Ledger::open(other.path(), now);
        ASSERT_TRUE(opened) << opened.error().message;
        std::int64_t counted = 0;
        EXPECT_THAT(rewritten_facts(*opened, counted), IsEmpty()) << entry.path();
        EXPECT_GT(counted, 100) << entry.path();
    }
}

// Of a row written before a column was added, SQLite reports NULL in place of the column's default.
TEST_F(FactDigests, follow_rows_that_are_older_than_a_column) {
    ledger->connection().db.exec("ALTER TABLE confirmation_line ADD COLUMN more TEXT NOT NULL DEFAULT 'none'");
    recount_changed_tables(*ledger, {}, now);
    ledger->transaction([&] {
        ledger->connection().db.exec("DROP TRIGGER confirmation_line_no_update");
        ledger->connection().db.exec("UPDATE confirmation_line SET note = 'x'");
    });
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(FactDigests, cover_every_table_that_is_not_excluded_by_name) {
    ABOUT_THE_FILE();
    std::vector<std::string> left_out(tables_without_digest().begin(), tables_without_digest().end());
    const auto followed = ledger->connection().facts.current();
    SQLite::Statement tables(ledger->connection().db.sqlite(),
                             "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
    while (tables.executeStep()) {
        const auto name = tables.getColumn(0).getString();
        const auto by_name = std::ranges::find(left_out, name);
        const bool is_left_out = by_name != left_out.end();
        EXPECT_NE(followed.contains(name), is_left_out) << name;
        if (is_left_out) left_out.erase(by_name);
    }
    EXPECT_THAT(left_out, IsEmpty()) << "a table that does not exist";
    // For a nullable column with a default, an older row without a value looks like NULL.
    SQLite::Statement defaults(ledger->connection().db.sqlite(),
                               "SELECT t.name || '.' || c.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c "
                               "WHERE t.type = 'table' AND c.dflt_value IS NOT NULL AND c.\"notnull\" = 0");
    if (defaults.executeStep()) ADD_FAILURE() << defaults.getColumn(0).getString() << " has a default and may be NULL";
}

TEST_F(FactDigests, reveal_a_digest_that_was_changed_or_removed) {
    ABOUT_THE_FILE();
    ledger.reset();
    fs::copy_file(file(), folder.path() / "older.db");
    open();
    ledger->transaction([&] { set_paused(*ledger, /*paused=*/true, "later", stamp()); });
    tamper_with("UPDATE fact_digest SET rows = rows + 1 WHERE table_name = 'payment'");
    EXPECT_THAT(violations(), Contains(HasSubstr("the digest of payment does not open")));
    tamper_with("DELETE FROM fact_digest WHERE table_name = 'outbox'");
    EXPECT_THAT(violations(), Contains(HasSubstr("the rows of outbox are not those that were recorded")));
    tamper_with("DELETE FROM fact_digest");
    EXPECT_THAT(violations(), Contains(HasSubstr("the digests of all tables were removed")));
}

// The rows and the digest of one table, both from an older copy: each is genuine, but the trail names others.
TEST_F(FactDigests, reveal_a_table_rolled_back_together_with_its_digest) {
    ABOUT_THE_FILE();
    ledger.reset();
    const auto older = folder.path() / "older.db";
    fs::copy_file(file(), older);
    open();
    ledger->transaction([&] { set_paused(*ledger, /*paused=*/true, "later", stamp()); });
    ledger.reset();
    {
        SQLite::Database db(file().string(), SQLite::OPEN_READWRITE);
        db.exec("ATTACH '" + older.string() + "' AS older");
        db.exec("DROP TRIGGER movement_control_no_delete");
        db.exec("DELETE FROM movement_control WHERE control_id NOT IN (SELECT control_id FROM older.movement_control)");
        db.exec(
            "UPDATE fact_digest SET (rows, digest) = (SELECT rows, digest FROM older.fact_digest o "
            "WHERE o.table_name = 'movement_control') WHERE table_name = 'movement_control'");
    }
    open();
    EXPECT_THAT(violations(), Contains(HasSubstr("does not name the digests of the facts")));
    ledger->transaction([&] { set_paused(*ledger, /*paused=*/true, "as if nothing were", stamp()); });
    reopen();
    EXPECT_THAT(violations(), ElementsAre(HasSubstr("5: entry "))) << "a finding stays in the trail";
    EXPECT_TRUE(std::ranges::any_of(
        open_exceptions(*ledger), [](const ExceptionRow& row) { return row.what.reason_code == invariant_violated; }));
}

TEST_F(FactDigests, forget_a_transaction_that_was_rolled_back) {
    const auto before = ledger->connection().facts.current();
    EXPECT_THROW(ledger->transaction([&] {
        record_reading(*ledger, test::sample_draw(800, DrawStatus::approved), ReadingSource::poll, now);
        set_paused(*ledger, /*paused=*/true, "gone", stamp());
        throw std::runtime_error("power");
    }),
                 std::runtime_error);
    EXPECT_EQ(ledger->connection().facts.current(), before);
    EXPECT_THAT(violations(), IsEmpty());
    read(test::sample_draw(801, DrawStatus::pending_approval));
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(FactDigests, match_the_rows_after_a_key_change) {
    ASSERT_EQ(change_sealing_key(*ledger, make_sealing_key(), "a new key", stamp()) > 0, true);
    EXPECT_THAT(violations(), IsEmpty());
    read(test::sample_draw(800, DrawStatus::pending_approval));
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(FactDigests, that_differ_before_a_key_change_stay_in_the_trail) {
    tamper_with("UPDATE settlement SET confirmed_on = '2026-11-25'");
    static_cast<void>(change_sealing_key(*ledger, make_sealing_key(), "a new key", stamp()));
    EXPECT_THAT(violations(), ElementsAre(AllOf(HasSubstr("5: entry "), HasSubstr("the rows of settlement"))));
}

// The steps of Ledger::open() around a migration.
TEST_F(FactDigests, that_differ_before_a_migration_stay_in_the_trail) {
    tamper_with("UPDATE settlement SET confirmed_on = '2026-11-25'");
    std::int64_t counted = 0;
    const auto differences = rewritten_facts(*ledger, counted);
    ledger->connection().db.exec("ALTER TABLE settlement ADD COLUMN more TEXT NOT NULL DEFAULT 'none'");
    ledger->connection().db.exec("CREATE TABLE new_facts (id INTEGER PRIMARY KEY) STRICT");
    recount_changed_tables(*ledger, differences, now);
    EXPECT_THAT(violations(), ElementsAre(AllOf(HasSubstr("5: entry "), HasSubstr("the rows of settlement"))));
    ledger->transaction([&] { ledger->connection().db.exec("INSERT INTO new_facts VALUES (1)"); });
    EXPECT_TRUE(ledger->connection().facts.current().at("new_facts").rows == 1);
    reopen();
    EXPECT_THAT(violations(), ElementsAre(HasSubstr("5: entry ")));
}

TEST_F(FactDigests, add_no_audit_entry_for_an_idle_run_or_sweep) {
    const auto before = entries();
    for (int run = 0; run < 10; ++run) {
        ledger->transaction([&] { record_run(*ledger, {Step::poll, now, now, true, "nothing", false}); });
    }
    EXPECT_EQ(entries(), before);
    read(test::sample_draw(800, DrawStatus::pending_approval));
    EXPECT_EQ(entries(), before + 1) << "one entry for the transaction";
}

TEST_F(FactDigests, are_left_out_of_the_journal) {
    const auto before = journal_end(*ledger);
    ledger->transaction([&] { set_paused(*ledger, /*paused=*/true, "a look", stamp()); });
    const auto rows = journal_since(*ledger, before, 100);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows.front().action, "movement.paused");
    EXPECT_EQ(journal_end(*ledger), before + 2);
}

TEST_F(FactDigests, are_recorded_with_the_time_of_the_transaction) {
    now += std::chrono::minutes(7);
    read(test::sample_draw(800, DrawStatus::pending_approval));
    EXPECT_EQ(trail_entry(*ledger, entries())->at, now);
}

// Random acts in any order: the sums kept row by row equal a recount.
class RandomActs : public LedgerFixture, public ::testing::WithParamInterface<unsigned> {};

TEST_P(RandomActs, leave_the_digests_that_a_recount_gives) {
    std::mt19937 random(GetParam());
    const auto pick = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
    for (int act = 0; act < 40; ++act) {
        const DrawId id = 1 + pick(12);
        now += std::chrono::minutes(1);
        switch (pick(6)) {
            case 0: read(test::sample_draw(id, DrawStatus::pending_approval, pick(2) == 0 ? "10.00" : "11.00")); break;
            case 1:
                if (state(id) == "pending") decide(id, pick(2) == 0);
                break;
            case 2:
                if (approvals_to_submit(*ledger, sha256_hex("rules"), {}, 500).empty()) break;
                for (const auto& item : submit())
                    answer(item, pick(3) == 0 ? ApprovalOutcome::refused : ApprovalOutcome::approved);
                break;
            case 3:
                if (state(id) == "approved") read(test::sample_draw(id, DrawStatus::approved));
                break;
            case 4:
                if (!draws_to_pay(*ledger).empty()) pay(/*release=*/pick(2) == 0);
                break;
            default:
                EXPECT_THROW(ledger->transaction([&] {
                    record_reading(*ledger, test::sample_draw(id, DrawStatus::cancelled), ReadingSource::poll, now);
                    throw std::runtime_error("power");
                }),
                             std::runtime_error);
        }
        if (pick(8) == 0) reopen();
        std::int64_t counted = 0;
        ASSERT_THAT(rewritten_facts(*ledger, counted), IsEmpty()) << "act " << act;
    }
    EXPECT_THAT(violations(), Not(Contains(HasSubstr("5: "))));
}

INSTANTIATE_TEST_SUITE_P(OfSeed, RandomActs, ::testing::Values(1U, 2U, 3U));

}  // namespace
}  // namespace drawbridge::ledger
