#include <gtest/gtest.h>

#include "config/config_fixture.hpp"

namespace drawbridge::config {
namespace {

TEST_F(ConfigTest, the_ledger_is_a_file_unless_a_database_is_named) {
    EXPECT_FALSE(load(minimal)->ledger.database);
    const auto config = load(minimal + "ledger: {url: \"postgresql://drawbridge@db.example.gov/books\"}\n");
    ASSERT_TRUE(config) << to_string(config.error());
    EXPECT_EQ(config->ledger.database->url, "postgresql://drawbridge@db.example.gov/books");
    EXPECT_EQ(config->ledger.database->schema, "drawbridge");
    EXPECT_FALSE(config->ledger.database->password);
    EXPECT_EQ(config->ledger.database->read_url, "");
    const auto read = load(minimal +
                           "ledger: {url: \"postgresql://db/books\", read_url: \"postgresql://db2,db3/books\", "
                           "read_max_lag: 2m}\n");
    ASSERT_TRUE(read) << to_string(read.error());
    EXPECT_EQ(read->ledger.database->read_url, "postgresql://db2,db3/books");
    EXPECT_EQ(read->ledger.database->read_max_lag, std::chrono::minutes(2));
}

TEST_F(ConfigTest, refuses_a_ledger_url_with_a_password_or_without_verified_tls) {
    const Case table[] = {
        {"ledger: {url: \"mysql://db/books\"}\n", "ledger.url: not a PostgreSQL URL"},
        {"ledger: {url: \"postgresql://a:secret@db/books\"}\n", "ledger.url: a password in the URL"},
        {"ledger: {url: \"postgresql://db/books?user=a&password=secret\"}\n", "ledger.url: a password in the URL"},
        {"ledger: {url: \"postgresql://db/books?sslmode=require\"}\n",
         "sslmode=require does not verify the server's identity"},
        {"ledger: {url: \"postgresql://localhost.example.org/books?sslmode=disable\"}\n", "sslmode=disable does not"},
        {"ledger: {url: \"postgresql://localhost,db/books?sslmode=disable\"}\n", "sslmode=disable does not"},
        {"ledger: {url: \"postgresql://db/books\", schema: \"Office\"}\n",
         "ledger.schema: 'Office' is not a plain name"},
        {"ledger: {url: \"postgresql://db/books\", password: x}\n", "ledger.password"},
        {"ledger: {url: \"postgresql://db/books\", read_url: \"postgresql://a:secret@db/books\"}\n",
         "ledger.read_url: a password in the URL"},
        {"ledger: {read_url: \"postgresql://db/books\"}\n", "ledger.read_url is set and ledger.url is not"},
    };
    for (const Case& row : table) {
        const std::string said = report(minimal + row.yaml);
        EXPECT_NE(said.find(row.report), std::string::npos) << row.yaml << said;
        EXPECT_EQ(said.find("secret"), std::string::npos) << said;
    }
    for (const char* fine :
         {"postgresql:///books?host=/run/postgresql&sslmode=disable",
          "postgresql://localhost:5433/books?sslmode=disable", "postgres://db,db2:5433/books?sslmode=verify-full"})
        EXPECT_TRUE(load(minimal + "ledger: {url: \"" + fine + "\"}\n")) << fine;
}

}  // namespace
}  // namespace drawbridge::config
