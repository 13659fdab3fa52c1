// A ledger that moves between a file and PostgreSQL. They need a server, so they say where there is none.
#include "drawbridge/ledger/store/copy.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

#include "drawbridge/ledger/facts/restorations.hpp"
#include "ledger/kept_ledgers.hpp"
#include "ledger/ledger_fixture.hpp"
#include "store/connection.hpp"
#include "store/postgresql/dialect.hpp"
#include "store/postgresql/schema.hpp"

namespace drawbridge::ledger {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace fs = std::filesystem;

const fs::path kept_ledgers_folder = fs::path(DRAWBRIDGE_TEST_DATA) / "ledger";

std::string content_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Every row of every table, in the order of the text.
std::vector<std::string> rows_of(const fs::path& file) {
    std::vector<std::string> rows;
    SQLite::Database db(file.string(), SQLite::OPEN_READONLY);
    SQLite::Statement tables(db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
    while (tables.executeStep()) {
        const auto name = tables.getColumn(0).getString();
        SQLite::Statement all(db, "SELECT * FROM \"" + name + '"');
        while (all.executeStep()) {
            auto& row = rows.emplace_back(name);
            for (int column = 0; column < all.getColumnCount(); ++column)
                row += (all.getColumn(column).isNull() ? "|NULL" : "|'" + all.getColumn(column).getString() + "'");
        }
    }
    std::ranges::sort(rows);
    return rows;
}

// The ledger as its schema makes it, without what only opening it adds.
std::vector<std::string> catalog_of_schema(const std::string& sql) {
    PGconn* connection = PQconnectdb(test::PostgresqlCluster::instance().url().c_str());
    PGresult* result = PQexec(connection, sql.c_str());
    std::vector<std::string> lines;
    for (int row = 0; row < PQntuples(result); ++row)
        lines.emplace_back(PQgetvalue(result, row, 0));
    PQclear(result);
    PQfinish(connection);
    return lines;
}

class Copy : public LedgerFixture {
  protected:
    void SetUp() override {
        if (test::PostgresqlCluster::programs().empty()) GTEST_SKIP() << "no PostgreSQL server is installed";
        ledger.reset();
        test::PostgresqlCluster::instance().drop_schema();
        fs::remove_all(folder.path());
        fs::create_directory(folder.path());
        fs::copy_file(kept_ledgers_folder / "version-100.key", folder.path() / default_sealing_key_name);
        now = test::at("2026-03-06T15:00:00");
    }
    void TearDown() override {
        ledger.reset();
        if (!test::PostgresqlCluster::programs().empty()) test::PostgresqlCluster::instance().drop_schema();
    }
    [[nodiscard]] Result<CopyFacts> copy_in(const fs::path& file = kept_ledgers_folder / "version-100.db") const {
        return copy_from_file(file, folder.path(), address(), now, std::nullopt);
    }
    [[nodiscard]] Result<Ledger> open_copied() const { return Ledger::open(folder.path(), address(), now); }
};

TEST_F(Copy, to_postgresql_and_back_has_the_same_rows) {
    const auto in = copy_in();
    ASSERT_TRUE(in) << in.error().message;
    const auto back = folder.path() / "back.db";
    {
        auto opened = open_copied();
        ASSERT_TRUE(opened) << opened.error().message;
        const auto out = copy_to_file(*opened, back, now, std::nullopt);
        ASSERT_TRUE(out) << out.error().message;
        EXPECT_EQ(out->ledger_id, in->ledger_id);
        EXPECT_GT(out->audit_seq, in->audit_seq) << "opening it elsewhere began a restoration";
    }
    auto rows = rows_of(back);
    for (const auto& row : rows_of(kept_ledgers_folder / "version-100.db")) {
        if (row.starts_with("fact_digest|") || row.starts_with("exception|")) continue;  // changed by the restoration
        EXPECT_TRUE(std::ranges::binary_search(rows, row)) << row;
    }
}

TEST_F(Copy, opens_paused_with_every_invariant_and_each_draw_in_its_state) {
    ASSERT_TRUE(copy_in());
    ledger.emplace(open_copied().value());
    EXPECT_EQ(open_restoration(*ledger)->how, RestoredHow::copied);
    EXPECT_THAT(violations(), IsEmpty());
    EXPECT_EQ(test::list_of_draws(*ledger), content_of(kept_ledgers_folder / "version-100.txt"));
    read(test::sample_draw(900, DrawStatus::pending_approval));
    EXPECT_EQ(state(900), "pending");
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Copy, keeps_the_digests_that_the_file_had) {
    ASSERT_TRUE(copy_in());
    ledger.emplace(open_copied().value());
    std::int64_t counted = 0;
    EXPECT_THAT(rewritten_facts(*ledger, counted), IsEmpty());
    EXPECT_GT(counted, 100);
}

TEST_F(Copy, is_not_made_over_a_ledger) {
    ASSERT_TRUE(copy_in());
    const auto again = copy_in();
    ASSERT_FALSE(again);
    EXPECT_THAT(again.error().message, HasSubstr("there is a ledger already"));
}

TEST_F(Copy, keeps_texts_that_postgresql_cannot_store) {
    ASSERT_TRUE(copy_in());
    ledger.emplace(open_copied().value());
    auto draw = test::sample_draw(901, DrawStatus::pending_approval);
    draw.description = std::string("a\0b\xff \xF4\x8F\xBF\xBF \\ \t \n \"", 17);
    read(draw);
    EXPECT_EQ(newest_reading(*ledger, 901)->draw.description, draw.description);
    EXPECT_THAT(violations(), IsEmpty());
    const auto back = folder.path() / "back.db";
    ASSERT_TRUE(copy_to_file(*ledger, back, now, std::nullopt));
    const auto opened = Ledger::open_copy(back, now);
    ASSERT_TRUE(opened);
}

// The statements of the whole module, as the compiler stored them; not those that only SQLite is asked.
std::vector<std::string> statements_of_the_module() {
    const auto bytes = content_of(DRAWBRIDGE_LEDGER_LIBRARY);
    std::vector<std::string> all;
    for (std::size_t at = 0; at < bytes.size();) {
        const std::string text(bytes.c_str() + at);
        at += text.size() + 1;
        const auto start = text.find_first_not_of(" \n");
        if (start == std::string::npos || std::ranges::any_of(text, [](char c) { return c < 0; })) continue;
        constexpr std::array verbs{"SELECT ", "INSERT INTO ", "UPDATE ", "DELETE FROM ", "WITH "};
        const bool is_statement =
            std::ranges::any_of(verbs, [&](std::string_view verb) { return text.substr(start).starts_with(verb); });
        const bool is_whole = std::ranges::count(text, '\'') % 2 == 0 && std::ranges::count(text, '"') % 2 == 0 &&
                              text.find('{') == std::string::npos;
        constexpr std::array others{"sqlite_", "pragma_", "changed_row"};  // of one engine only
        const bool is_of_one =
            std::ranges::any_of(others, [&](const char* name) { return text.find(name) != std::string::npos; });
        if (is_statement && is_whole && !is_of_one) all.push_back(text);
    }
    return all;
}

TEST_F(Copy, finds_a_database_that_understands_every_statement_of_the_module) {
    ASSERT_TRUE(copy_in());
    ledger.emplace(open_copied().value());
    const auto statements = statements_of_the_module();
    EXPECT_GT(statements.size(), 400U);
    for (const auto& sql : statements) {
        try {
            auto& pipeline = ledger->connection().db.postgresql().pipeline();
            pipeline.prepare("", postgresql::translated(sql).text, {});
            pipeline.answer();
        } catch (const postgresql::Failure& failure) {
            // The program says of which type a value is; here nobody does.
            EXPECT_THAT(failure.what(), HasSubstr("could not determine data type of parameter")) << sql;
        }
    }
}

// The schema is one text; what PostgreSQL makes of it must say the same.
TEST_F(Copy, has_the_tables_columns_and_keys_of_the_file) {
    ASSERT_TRUE(copy_in());
    SQLite::Database db((kept_ledgers_folder / "version-100.db").string(), SQLite::OPEN_READONLY);
    const auto of_file = [&](const char* sql) {
        std::vector<std::string> lines;
        SQLite::Statement query(db, sql);
        while (query.executeStep())
            lines.push_back(query.getColumn(0).getString());
        return lines;
    };
    EXPECT_EQ(
        of_file("SELECT t.name || '.' || c.name || CASE c.type WHEN 'INTEGER' THEN ' bigint' ELSE ' text' END || CASE "
                "WHEN c.\"notnull\" = 1 OR c.pk > 0 THEN ' not null' ELSE '' END FROM sqlite_schema t JOIN "
                "pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY 1"),
        catalog_of_schema(
            "SELECT c.relname || '.' || a.attname || ' ' || a.atttypid::regtype || CASE WHEN "
            "a.attnotnull THEN ' not null' ELSE '' END COLLATE \"C\" FROM pg_class c JOIN pg_attribute a ON "
            "a.attrelid = c.oid WHERE c.relnamespace = 'ledger'::regnamespace AND c.relkind = 'r' AND "
            "a.attnum > 0 AND c.relname NOT IN ('writer', 'ledger_schema', 'standby') ORDER BY 1"));
    EXPECT_EQ(of_file("SELECT name FROM sqlite_schema WHERE type IN ('index', 'trigger', 'view') AND name NOT LIKE "
                      "'sqlite_%' ORDER BY 1"),
              catalog_of_schema(
                  "SELECT relname FROM pg_class c WHERE relnamespace = 'ledger'::regnamespace AND (relkind = "
                  "'v' OR relkind = 'i' AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = c.oid)) "
                  "UNION ALL SELECT tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE NOT "
                  "tgisinternal AND c.relnamespace = 'ledger'::regnamespace AND tgname NOT LIKE 'fact_digest_%' "
                  "AND tgname <> 'never_emptied' AND tgname NOT LIKE '%\\_refers%' ORDER BY 1"));
    // One trigger for new rows and one for changed ones, each with every reference of its table.
    const auto references = of_file(
        "SELECT t.name || '.' || k.\"from\" || ' ' || k.\"table\" || '.' || k.\"to\" FROM sqlite_schema t JOIN "
        "pragma_foreign_key_list(t.name) k WHERE t.type = 'table' ORDER BY 1");
    for (const std::string name : {"_refers", "_refers_anew"}) {
        EXPECT_EQ(references,
                  catalog_of_schema(
                      "SELECT c.relname || '.' || m[1] || ' ' || m[3] || '.' || m[2] COLLATE \"C\" FROM "
                      "pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc f ON f.oid = t.tgfoid, "
                      "regexp_matches(f.prosrc, 'new(?:_row)?\\.(\\w+) IS NOT NULL AND \\(SELECT x\\.(\\w+) FROM "
                      "(\\w+)', 'g') m WHERE c.relnamespace = 'ledger'::regnamespace AND tgname = "
                      "c.relname || '" +
                      name + "' ORDER BY 1"));
    }
    EXPECT_THAT(references, Not(IsEmpty()));
    // They look at the rows that refer, so the rows that are referred to must stay.
    EXPECT_THAT(of_file(R"sql(
        SELECT DISTINCT k."table" || '.' || k."to" FROM sqlite_schema t JOIN pragma_foreign_key_list(t.name) k
        WHERE t.type = 'table' AND NOT (
            EXISTS (SELECT 1 FROM sqlite_schema d WHERE d.type = 'trigger' AND d.tbl_name = k."table"
                    AND d.sql LIKE '%BEFORE DELETE ON%' AND d.sql NOT LIKE '%WHEN%')
            AND EXISTS (SELECT 1 FROM sqlite_schema u WHERE u.type = 'trigger' AND u.tbl_name = k."table"
                        AND (u.sql LIKE '%BEFORE UPDATE ON%BEGIN SELECT raise%' AND u.sql NOT LIKE '%WHEN%'
                             OR u.sql LIKE '%BEFORE UPDATE%new.' || k."to" || ' <> old.' || k."to" || '%'))))sql"),
                IsEmpty());
}

}  // namespace
}  // namespace drawbridge::ledger
