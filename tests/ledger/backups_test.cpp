// Backups of the ledger, exports, and the manifests that reveal a rewritten ledger.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/exports.hpp"
#include "drawbridge/ledger/facts/people.hpp"
#include "drawbridge/ledger/facts/restorations.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/reports/journal.hpp"
#include "drawbridge/ledger/store/backups.hpp"
#include "drawbridge/ledger/store/restore.hpp"
#include "ledger/ledger_fixture.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::SizeIs;

namespace fs = std::filesystem;

class Backups : public LedgerFixture {
  protected:
    void pay_two() {
        for (DrawId id = 1; id <= 2; ++id)
            read(test::sample_draw(id, DrawStatus::approved));
        pay();
    }
    // The lines as the program keeps them.
    reconciliation::ManifestContents manifests() {
        std::string bytes;
        for (const auto& file : payment_files(*ledger, /*unreleased_only=*/false)) {
            if (const auto line = export_line(*ledger, file.file_id)) bytes += line->text + "\n";
        }
        reconciliation::ManifestContents contents;
        reconciliation::read_manifest("2026-03-04.jsonl", bytes, reconciliation::WithPayments::yes, contents);
        return contents;
    }
    std::vector<std::string> faults(const reconciliation::ManifestContents& kept) {
        return reconciliation::compare_manifests(kept, known_exports(*ledger), ledger->ledger_id(),
                                                 reconciliation::Manifests::beside_ledger);
    }
    // Somebody with access to the file rewrites an entry and recomputes all hashes that follow.
    void rewrite_audit(std::int64_t seq) {
        auto& db = ledger->connection().db;
        db.exec("DROP TRIGGER audit_no_update");
        db.exec("UPDATE audit SET detail = 'nothing to see' WHERE seq = " + std::to_string(seq));
        std::string previous = ledger->ledger_id();
        for (std::int64_t at = 1; at <= ledger->connection().audit_seq; ++at) {
            Statement row(db, "SELECT at, actor, action, subject, detail FROM audit WHERE seq = ?");
            row.bind(1, at);
            row.next();
            const Stamp stamp{Instant(std::chrono::milliseconds(row.integer(0))), row.text(1)};
            const auto hash = audit_hash(at, stamp, row.text(2), row.text(3), row.text(4), previous);
            row.reset();
            Statement seal(db, "UPDATE audit SET hash = ? WHERE seq = ?");
            seal.bind(1, hash);
            seal.bind(2, at);
            seal.run();
            previous = hash;
        }
        ledger->connection().audit_head = previous;
    }
    fs::path copy_file() { return folder.path() / "copy.db"; }
    void make_copy(int pages = 1'000'000) {
        BackupCopy copy(*ledger, copy_file());
        while (!copy.copy(pages)) {
        }
    }
};

TEST_F(Backups, an_export_has_the_same_manifest_line_at_every_call_and_agrees_with_the_ledger) {
    pay_two();
    const auto kept = manifests();
    ASSERT_THAT(kept.entries, SizeIs(1));
    EXPECT_THAT(kept.entries.front().line.payments, SizeIs(2));
    EXPECT_EQ(kept.entries.front().line.next.payment_id, 3);
    EXPECT_THAT(kept.faults, IsEmpty());
    EXPECT_THAT(faults(kept), IsEmpty());
    reopen();
    EXPECT_EQ(manifests().entries.front().hash, kept.entries.front().hash);
}

TEST_F(Backups, a_completely_rewritten_trail_contradicts_the_fact_digest_and_the_manifests) {
    pay_two();
    const auto kept = manifests();
    rewrite_audit(2);
    EXPECT_THAT(violations(), ElementsAre(HasSubstr("does not name the digests of the facts")))
        << "the chain itself is intact";
    EXPECT_THAT(faults(kept), ElementsAre(HasSubstr("the ledger was rewritten")));
}

TEST_F(Backups, a_copy_taken_in_slices_includes_what_was_written_meanwhile) {
    ABOUT_THE_FILE();
    for (DrawId id = 1; id <= 300; ++id)
        read(test::sample_draw(id, DrawStatus::pending_approval));
    {
        BackupCopy copy(*ledger, copy_file());
        ASSERT_FALSE(copy.copy(1));
        read(test::sample_draw(9'000, DrawStatus::pending_approval));
        ledger->transaction([&] { audit(*ledger, stamp(), "test", "ledger", "meanwhile"); });
        while (!copy.copy(3)) {
        }
    }
    const auto facts = verify_copy(copy_file(), now);
    ASSERT_TRUE(facts) << facts.error().message;
    EXPECT_EQ(facts->ledger_id, ledger->ledger_id());
    EXPECT_EQ(facts->audit_seq, ledger->connection().audit_seq);
    EXPECT_EQ(facts->audit_head, ledger->connection().audit_head);
    auto copy = Ledger::open_copy(copy_file(), now);
    EXPECT_TRUE(newest_reading(*copy, 9'000).has_value());
}

TEST_F(Backups, a_copy_that_violates_an_invariant_is_refused) {
    ABOUT_THE_FILE();
    pay_two();
    make_copy();
    {
        SQLite::Database db(copy_file().string(), SQLite::OPEN_READWRITE);
        db.exec("DROP TRIGGER audit_no_delete");
        db.exec("DELETE FROM audit WHERE seq = 2");
    }
    const auto facts = verify_copy(copy_file(), now);
    ASSERT_FALSE(facts);
    EXPECT_THAT(facts.error().message, HasSubstr("audit row 2 is missing"));
}

TEST_F(Backups, a_comparison_does_not_cover_a_second_restore) {
    ledger->transaction([&] { begin_restoration(*ledger, RestoredHow::restored, "first", stamp()); });
    ledger->transaction([&] { begin_restoration(*ledger, RestoredHow::older, "again", stamp()); });
    auto open = open_restoration(*ledger);
    EXPECT_EQ(open->detail, "first") << "a restoration that was not compared yet stays open";
    ledger->transaction([&] { record_comparison(*ledger, *open, true, "all is known", stamp()); });
    ledger->transaction([&] { begin_restoration(*ledger, RestoredHow::restored, "second", stamp()); });
    open = open_restoration(*ledger);
    ASSERT_TRUE(open);
    EXPECT_EQ(open->detail, "second");
    EXPECT_FALSE(open->compared_at);
    ledger->transaction([&] { EXPECT_FALSE(resolve_restoration(*ledger, false, "x", stamp())); });
}

TEST_F(Backups, a_restored_ledger_is_paused_with_the_reason_and_the_old_ledger_is_kept) {
    ABOUT_THE_FILE();
    pay_two();
    make_copy();
    read(test::sample_draw(3, DrawStatus::approved));
    ledger.reset();
    const auto restored = restore(folder.path(), copy_file(), "the disk died", std::nullopt, stamp("uid 8 (cy)"));
    ASSERT_TRUE(restored) << restored.error().message;
    EXPECT_TRUE(fs::exists(restored->set_aside));
    EXPECT_THAT(restored->set_aside.filename().string(), MatchesRegex("ledger-set-aside-[0-9]{8}T[0-9]{6}Z[.]db"));
    open();
    const auto restoration = open_restoration(*ledger);
    ASSERT_TRUE(restoration);
    EXPECT_EQ(restoration->how, RestoredHow::restored);
    EXPECT_EQ(restoration->by, "uid 8 (cy)");
    EXPECT_TRUE(is_paused(*ledger));
    EXPECT_FALSE(newest_reading(*ledger, 3).has_value());
    EXPECT_THAT(violations(), IsEmpty());
    reopen();
    EXPECT_EQ(open_restoration(*ledger)->restoration_id, restoration->restoration_id) << "the same, not another";
}

TEST_F(Backups, acts_of_people_after_the_backup_hold_up_resume_until_a_person_resolves_them) {
    ABOUT_THE_FILE();
    make_copy();
    ledger->transaction([&] {
        const auto person = add_person(*ledger, "Rosa", "test", stamp());
        EXPECT_TRUE(make_change(*ledger, {person, ChangeKind::lock}, "fraud", stamp("uid 8 (cy)")));
    });
    ledger.reset();
    const auto restored = restore(folder.path(), copy_file(), "x", std::nullopt, stamp());
    ASSERT_TRUE(restored) << restored.error().message;
    EXPECT_THAT(restored->lost_acts, SizeIs(1)) << "that Rosa was added guards nothing";
    open();
    const auto open_ones = open_exceptions(*ledger);
    const auto lost = std::ranges::find(open_ones, "acts_lost", [](const auto& row) { return row.what.reason_code; });
    ASSERT_NE(lost, open_ones.end());
    EXPECT_THAT(lost->what.detail, AllOf(HasSubstr(" has 1 act of people that this ledger lacks: "), HasSubstr("Rosa"),
                                         HasSubstr("uid 8 (cy)"), HasSubstr("lock"), HasSubstr("fraud")));
    EXPECT_THAT(open_causes_of_pause(*ledger), ElementsAre(lost->exception_id));
    auto person = stamp("uid 9 (dee)");
    person.uid = 9;
    const auto passed_over = check_may_override_pause(*ledger, person);
    ASSERT_FALSE(passed_over);
    EXPECT_THAT(passed_over.error().message, HasSubstr("--despite-exceptions does not override it"));
    ledger.reset();
    ASSERT_TRUE(restore(folder.path(), copy_file(), "again", std::nullopt, stamp()));
    open();
    const auto again = open_exceptions(*ledger);
    EXPECT_THAT(std::ranges::count(again, "acts_lost", [](const auto& row) { return row.what.reason_code; }), 1)
        << "the second restore keeps what the first one found";
}

TEST_F(Backups, from_whom_a_lost_act_took_something_does_not_resolve_it) {
    ABOUT_THE_FILE();
    constexpr std::int64_t uid = 9;
    PersonId rosa = 0;
    const auto change = [&](const Change& what) {
        ledger->transaction([&] { EXPECT_TRUE(make_change(*ledger, what, "because", stamp("uid 8 (cy)"))); });
    };
    ledger->transaction([&] { rosa = add_person(*ledger, "Rosa", "test", stamp()); });
    change({rosa, ChangeKind::link, {}, Identity::uid, std::to_string(uid)});
    make_copy();
    change({rosa, ChangeKind::grant, Role::auditor});
    change({rosa, ChangeKind::lock});
    ledger.reset();
    ASSERT_TRUE(restore(folder.path(), copy_file(), "x", std::nullopt, stamp()));
    open();
    const auto resolve = [&](const ExceptionRow& row, std::int64_t by) {
        return ledger->transaction(
            [&] { return close_exception(*ledger, row.exception_id, "seen", {now, "uid " + std::to_string(by), by}); });
    };
    auto lost = open_exceptions(*ledger);
    std::erase_if(lost, [](const auto& row) { return row.what.reason_code != "acts_lost"; });
    ASSERT_THAT(lost, SizeIs(2));
    EXPECT_THAT(lost[0].what.detail, HasSubstr("grant auditor"));
    EXPECT_TRUE(resolve(lost[0], uid)) << "it gave something";
    EXPECT_THAT(lost[1].what.subject, MatchesRegex("ledger-set-aside-.*[.]db: Rosa"));
    const auto refused = resolve(lost[1], uid);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message,
                HasSubstr("took a role, uid or passkey from you: another person must resolve it"));
    EXPECT_TRUE(resolve(lost[1], uid + 1));
}

TEST_F(Backups, a_restore_adds_what_it_finds_lost_to_what_the_backup_has_open) {
    ABOUT_THE_FILE();
    const auto lock = [&](const std::string& name) {
        ledger->transaction([&] {
            const auto person = add_person(*ledger, name, "test", stamp());
            EXPECT_TRUE(make_change(*ledger, {person, ChangeKind::lock}, "fraud", stamp("uid 8 (cy)")));
        });
    };
    const auto restore_copy = [&] {
        ledger.reset();
        const auto restored = restore(folder.path(), copy_file(), "x", std::nullopt, stamp());
        EXPECT_TRUE(restored) << restored.error().message;
        open();
    };
    make_copy();
    lock("Rosa");
    restore_copy();
    fs::remove(copy_file());
    make_copy();
    lock("Sam");
    restore_copy();
    std::vector<std::string> about;
    for (const auto& row : open_exceptions(*ledger))
        if (row.what.reason_code == "acts_lost") about.push_back(row.what.subject);
    EXPECT_THAT(about, ElementsAre(HasSubstr(": Rosa"), HasSubstr(": Sam")));
}

TEST_F(Backups, a_restore_finds_the_acts_of_the_replaced_branch_however_long_the_other_is) {
    ABOUT_THE_FILE();
    const auto in_place = folder.path() / "ledger.db";
    const auto first_branch = folder.path() / "first-branch.db";
    make_copy();
    ledger->transaction([&] {
        const auto person = add_person(*ledger, "Rosa", "test", stamp());
        EXPECT_TRUE(make_change(*ledger, {person, ChangeKind::lock}, "fraud", stamp("uid 8 (cy)")));
    });
    ledger.reset();
    fs::copy(in_place, first_branch);
    ASSERT_TRUE(restore(folder.path(), copy_file(), "x", std::nullopt, stamp()));
    open();
    EXPECT_EQ(open_causes_of_pause(*ledger).size(), 1U);
    for (int at = 0; at < 5; ++at)
        ledger->transaction([&] { audit(*ledger, stamp(), "test", "ledger", "second branch"); });
    fs::remove(copy_file());
    make_copy();
    ledger.reset();
    fs::rename(first_branch, in_place);
    const auto restored = restore(folder.path(), copy_file(), "y", std::nullopt, stamp());
    ASSERT_TRUE(restored) << restored.error().message;
    EXPECT_THAT(restored->lost_acts, ElementsAre(HasSubstr("fraud")));
    open();
}

TEST_F(Backups, a_restore_says_that_the_replaced_ledger_may_have_acts_that_it_could_not_read) {
    ABOUT_THE_FILE();
    make_copy();
    ledger->transaction([&] {
        const auto person = add_person(*ledger, "Rosa", "test", stamp());
        EXPECT_TRUE(make_change(*ledger, {person, ChangeKind::lock}, "fraud", stamp("uid 8 (cy)")));
    });
    ledger.reset();
    constexpr std::streamoff schema_page = 4096;
    std::fstream in_place(folder.path() / "ledger.db", std::ios::in | std::ios::out | std::ios::binary);
    in_place.seekp(schema_page);
    in_place << std::string(fs::file_size(folder.path() / "ledger.db") - schema_page, '\xee');
    in_place.close();
    const auto restored = restore(folder.path(), copy_file(), "the disk died", std::nullopt, stamp());
    ASSERT_TRUE(restored) << restored.error().message;
    EXPECT_THAT(restored->lost_acts, IsEmpty());
    EXPECT_THAT(restored->unreadable, HasSubstr("malformed"));
    open();
    auto lost = open_exceptions(*ledger);
    std::erase_if(lost, [](const auto& row) { return row.what.reason_code != "acts_lost"; });
    ASSERT_THAT(lost, SizeIs(1));
    EXPECT_THAT(lost[0].what.detail, HasSubstr("cannot be read to its end"));
    EXPECT_THAT(open_causes_of_pause(*ledger), ElementsAre(lost[0].exception_id));
}

TEST_F(Backups, a_restore_moves_what_is_left_of_a_ledger_that_somebody_moved) {
    ABOUT_THE_FILE();
    make_copy();
    ledger.reset();
    fs::rename(folder.path() / "ledger.db", folder.path() / "moved.db");
    std::ofstream(folder.path() / "ledger.db-wal") << "of another ledger";
    const auto restored = restore(folder.path(), copy_file(), "x", std::nullopt, stamp());
    ASSERT_TRUE(restored) << restored.error().message;
    EXPECT_TRUE(fs::exists(restored->set_aside.string() + "-wal"));
    EXPECT_FALSE(fs::exists(folder.path() / "ledger.db-wal"));
    open();
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Backups, a_restore_leaves_no_working_file) {
    ABOUT_THE_FILE();
    make_copy();
    ledger.reset();
    ASSERT_TRUE(restore(folder.path(), copy_file(), "x", std::nullopt, stamp()));
    for (const auto& file : fs::directory_iterator(folder.path()))
        EXPECT_FALSE(file.path().filename().string().starts_with("ledger.restor")) << file.path();
}

TEST_F(Backups, a_second_restore_in_the_same_second_keeps_both_older_ledgers) {
    ABOUT_THE_FILE();
    make_copy();
    ledger.reset();
    const auto first = restore(folder.path(), copy_file(), "x", std::nullopt, stamp());
    const auto second = restore(folder.path(), copy_file(), "y", std::nullopt, stamp());
    ASSERT_TRUE(first && second);
    EXPECT_EQ(second->set_aside, folder.path() / (first->set_aside.stem().string() + "-2.db"));
    EXPECT_TRUE(fs::exists(first->set_aside));
    EXPECT_TRUE(fs::exists(second->set_aside));
    open();
}

TEST_F(Backups, a_file_that_is_no_ledger_is_not_restored_and_the_ledger_in_place_stays) {
    ABOUT_THE_FILE();
    pay_two();
    ledger.reset();
    std::ofstream(copy_file()) << "not a ledger";
    EXPECT_THROW(static_cast<void>(restore(folder.path(), copy_file(), "x", std::nullopt, stamp())), SQLite::Exception);
    std::ofstream(copy_file(), std::ios::trunc).flush();
    EXPECT_FALSE(restore(folder.path(), copy_file(), "x", std::nullopt, stamp()));
    open();
    EXPECT_FALSE(open_restoration(*ledger));
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Backups, the_journal_continues_where_the_mark_of_a_killed_process_ends) {
    write_high_water_mark(*ledger);
    const auto marked = journal_end(*ledger);
    ledger->transaction([&] { audit(*ledger, stamp(), "test", "ledger", "committed and not yet logged"); });
    reopen();
    EXPECT_EQ(journal_begin(*ledger), marked);
    EXPECT_GT(journal_end(*ledger), marked);
    write_high_water_mark(*ledger);
    reopen();
    EXPECT_EQ(journal_begin(*ledger), journal_end(*ledger));
    ledger->transaction([&] { begin_restoration(*ledger, RestoredHow::older, "test", stamp()); });
    reopen();
    EXPECT_EQ(journal_begin(*ledger), journal_end(*ledger)) << "its mark may be of a lost ledger";
}

TEST_F(Backups, backups_are_listed_newest_first) {
    EXPECT_FALSE(last_backup(*ledger));
    ledger->transaction([&] {
        record_backup(*ledger, {now, "x", "/a.db", "aa", 10, 1, "h", true}, stamp());
        record_backup(*ledger, {now, "x", "/b.db", "bb", 10, 2, "h", false}, stamp());
    });
    EXPECT_EQ(last_backup(*ledger)->file, "/b.db");
    EXPECT_EQ(last_scheduled_backup(*ledger)->file, "/a.db");
    EXPECT_THAT(backups(*ledger, 10), SizeIs(2));
}

}  // namespace
}  // namespace drawbridge::ledger
