// How statements reach a PostgreSQL server in few round trips: sent without waiting, many rows at once, and questions
// asked before their answers are needed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "store/postgresql/session.hpp"
#include "support/postgresql_cluster.hpp"

namespace drawbridge::ledger::postgresql {
namespace {

using testing::ElementsAre;

// The tables have the names of two tables of the ledger of which one refers to the other.
class RoundTrips : public testing::Test {
  protected:
    RoundTrips() {
        if (test::PostgresqlCluster::programs().empty()) return;
        test::PostgresqlCluster::instance().exec(
            "DROP SCHEMA IF EXISTS trips CASCADE; CREATE SCHEMA trips; CREATE TABLE trips.person (id bigint PRIMARY "
            "KEY, name text); CREATE TABLE trips.passkey (id bigint PRIMARY KEY, person bigint NOT NULL REFERENCES "
            "trips.person)");
        session.emplace(PostgresqlAddress{test::PostgresqlCluster::instance().url(), "", "trips"});
    }
    ~RoundTrips() override {
        session.reset();
        if (!test::PostgresqlCluster::programs().empty())
            test::PostgresqlCluster::instance().exec("DROP SCHEMA IF EXISTS trips CASCADE");
    }
    void SetUp() override {
        if (!session) GTEST_SKIP() << "PostgreSQL is not installed";
    }

    static void bind_parent(Prepared& insert, std::int64_t id, const std::optional<std::string>& name) {
        insert.bind(1, id);
        if (name) insert.bind(2, std::string_view(*name));
        if (!name) insert.bind_null(2, ValueKind::text);
    }
    void add_parent(Prepared& insert, std::int64_t id, const std::optional<std::string>& name) {
        bind_parent(insert, id, name);
        insert.run_in_bulk(/*changes_one_row=*/true);
        insert.reset();
    }
    void add_child(Prepared& insert, std::int64_t id, std::int64_t parent) {
        insert.bind(1, id);
        insert.bind(2, parent);
        insert.run_in_bulk(/*changes_one_row=*/true);
        insert.reset();
    }
    std::vector<std::string> names() {
        std::vector<std::string> all;
        session->for_each_row("SELECT id || '=' || coalesce(name, 'NULL') FROM person ORDER BY id",
                              [&](const PGresult* row) { all.emplace_back(PQgetvalue(row, 0, 0)); });
        return all;
    }

    std::optional<Session> session;
    static constexpr std::string_view insert_parent = "INSERT INTO person (id, name) VALUES (?, ?)";
    static constexpr std::string_view insert_child = "INSERT INTO passkey (id, person) VALUES (?, ?)";
};

TEST_F(RoundTrips, rows_run_in_bulk_have_their_values) {
    Prepared insert(*session, insert_parent);
    session->begin();
    add_parent(insert, 1, "a \"quoted\" \\ text, {with} braces");
    add_parent(insert, 2, std::nullopt);
    add_parent(insert, 3, "");
    add_parent(insert, 4, "NULL");
    session->commit();
    EXPECT_THAT(names(), ElementsAre("1=a \"quoted\" \\ text, {with} braces", "2=NULL", "3=", "4=NULL"));
    EXPECT_EQ(session->value_of("SELECT count(*) FROM person WHERE name IS NULL"), "1");
}

// The second parent waits behind the first child, and is inserted before the second child.
TEST_F(RoundTrips, a_bulk_inserts_rows_before_those_that_refer_to_them) {
    Prepared parent(*session, insert_parent), child(*session, insert_child);
    session->begin();
    add_parent(parent, 1, "one");
    EXPECT_EQ(session->value_of("SELECT count(*) FROM person"), "1");
    add_child(child, 11, 1);
    add_parent(parent, 2, "two");
    add_child(child, 12, 2);
    session->commit();
    EXPECT_EQ(session->value_of("SELECT count(*) FROM passkey"), "2");
}

TEST_F(RoundTrips, rows_that_change_the_same_row_are_run_in_turn) {
    Prepared insert(*session, insert_parent);
    Prepared update(*session, "UPDATE person SET name = ? WHERE id = ? AND name IS NOT NULL");
    Prepared remove(*session, "DELETE FROM person WHERE id = ?");
    session->begin();
    for (std::int64_t id = 1; id <= 3; ++id)
        add_parent(insert, id, "new");
    for (const auto& [id, name] : {std::pair(1, "first"), std::pair(2, "other"), std::pair(1, "last")}) {
        update.bind(1, std::string_view(name));
        update.bind(2, static_cast<std::int64_t>(id));
        update.run_in_bulk(/*changes_one_row=*/true);
        update.reset();
    }
    remove.bind(1, std::int64_t{3});
    remove.run_in_bulk(/*changes_one_row=*/false);
    session->commit();
    EXPECT_THAT(names(), ElementsAre("1=last", "2=other"));
}

TEST_F(RoundTrips, a_refused_statement_stops_the_commit_and_the_session_goes_on) {
    Prepared insert(*session, insert_parent);
    session->begin();
    for (const char* name : {"one", "again"}) {
        bind_parent(insert, 1, name);
        insert.run();
        insert.reset();
    }
    try {
        session->commit();
        FAIL() << "committed";
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.state(), "23505");
    }
    session->roll_back();
    EXPECT_THAT(names(), testing::IsEmpty());
    session->begin();
    add_parent(insert, 1, "one");
    bind_parent(insert, 2, "two");
    insert.run();
    insert.reset();
    session->commit();
    EXPECT_THAT(names(), ElementsAre("1=one", "2=two"));
}

TEST_F(RoundTrips, a_refused_statement_is_thrown_by_the_next_question) {
    Prepared insert(*session, insert_parent), ask(*session, "SELECT name FROM person WHERE id = ?");
    session->begin();
    for (int twice = 0; twice < 2; ++twice) {
        bind_parent(insert, 1, "one");
        insert.run();
        insert.reset();
    }
    ask.bind(1, std::int64_t{1});
    EXPECT_THROW(static_cast<void>(ask.next()), Failure);
    session->roll_back();
}

TEST_F(RoundTrips, an_answer_that_was_asked_for_ahead_is_used_once_after_a_write) {
    Prepared insert(*session, insert_parent), ask(*session, "SELECT name FROM person WHERE id = ?");
    session->begin();
    add_parent(insert, 1, "old");
    const auto name_of = [&](std::int64_t id) -> std::optional<std::string> {
        ask.bind(1, id);
        std::optional<std::string> name;
        if (ask.next()) name = ask.text(0);
        ask.reset();
        return name;
    };
    session->ahead().forget();  // what was written before
    {
        const Asking asking(session->ahead());
        EXPECT_FALSE(name_of(1)) << "not known yet";
        EXPECT_TRUE(session->fetch_ahead());
        EXPECT_EQ(name_of(1), "old");
        EXPECT_FALSE(session->fetch_ahead());
    }
    EXPECT_EQ(name_of(1), "old");
    Prepared update(*session, "UPDATE person SET name = 'new' WHERE id = 1");
    update.run();
    EXPECT_EQ(name_of(1), "old") << "who asks ahead must not change what was asked";
    EXPECT_EQ(name_of(1), "new");
    session->commit();
}

TEST_F(RoundTrips, questions_of_one_statement_are_asked_as_one_and_each_has_its_own_rows) {
    Prepared parent(*session, insert_parent), child(*session, insert_child);
    const std::string odd = "a \"quoted\" \\ text, {with} braces";
    session->begin();
    add_parent(parent, 1, odd);
    add_parent(parent, 2, "two");
    for (const auto& [id, of] : {std::pair(11, 1), std::pair(12, 1), std::pair(13, 1), std::pair(21, 2)})
        add_child(child, id, of);
    session->commit();
    Prepared ask(
        *session,
        "SELECT c.id, p.name FROM passkey c JOIN person p ON p.id = c.person WHERE c.person = ? AND (p.name = ? "
        "OR p.name = 'two') ORDER BY c.id DESC LIMIT 2");
    Prepared limited(*session, "SELECT id FROM passkey WHERE person = ? ORDER BY id LIMIT ?");
    using Rows = std::vector<std::string>;
    const auto rows_of = [&](std::int64_t id, const std::optional<std::string>& name) {
        bind_parent(ask, id, name);
        Rows rows;
        while (ask.next())
            rows.push_back(std::to_string(ask.integer(0)) + " " + ask.text(1));
        ask.reset();
        return rows;
    };
    const auto first_of = [&](std::int64_t id) {
        limited.bind(1, id);
        limited.bind(2, std::int64_t{1});
        const auto first = limited.next() ? limited.integer(0) : 0;
        limited.reset();
        return first;
    };
    const auto all = [&] {
        return std::vector<Rows>{rows_of(3, "x"), rows_of(1, odd), rows_of(2, std::nullopt), rows_of(1, "x"),
                                 rows_of(1, std::nullopt)};
    };
    session->begin();
    {
        const Asking asking(session->ahead());
        static_cast<void>(all());
        static_cast<void>(first_of(1));
        ASSERT_TRUE(session->fetch_ahead());
        EXPECT_THAT(all(), ElementsAre(Rows(), Rows{"13 " + odd, "12 " + odd}, Rows{"21 two"}, Rows(), Rows()));
        EXPECT_EQ(first_of(1), 11) << "a limit that is a value is asked by itself";
        EXPECT_FALSE(session->fetch_ahead()) << "all was asked";
    }
    session->commit();
    EXPECT_EQ(session->value_of("SELECT sum(generic_plans + custom_plans) FROM pg_prepared_statements WHERE statement "
                                "LIKE '%ORDINALITY%'"),
              "1");
}

}  // namespace
}  // namespace drawbridge::ledger::postgresql
