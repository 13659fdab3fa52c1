// A PostgreSQL server of this test program alone, made by initdb in a temporary folder at the first use and gone with
// the program. It listens on a socket in that folder only.
#pragma once

#include <libpq-fe.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/temporary_folder.hpp"

namespace drawbridge::test {

class PostgresqlCluster {
  public:
    static PostgresqlCluster& instance() {
        static PostgresqlCluster cluster;
        return cluster;
    }
    // Where the newest installed server's programs are, as Debian places them; empty: there is none.
    static std::filesystem::path programs() {
        std::vector<std::filesystem::path> found;
        std::error_code none;
        for (const auto& entry : std::filesystem::directory_iterator("/usr/lib/postgresql", none))
            if (std::filesystem::exists(entry.path() / "bin/initdb")) found.push_back(entry.path() / "bin");
        return found.empty() ? std::filesystem::path() : *std::ranges::max_element(found);
    }

    // `office` may do what the daemon's role may do, and nothing more; `drawbridge` may do everything.
    [[nodiscard]] std::string url(const std::string& user = "drawbridge",
                                  const std::string& database = "ledger") const {
        return "postgresql:///" + database + "?user=" + user +
               "&options=-cclient_min_messages%3Derror&port=" + std::to_string(port_) +
               "&host=" + folder_.path().string();
    }
    // The schema that each test finds empty. Creating one takes longer than most tests, so only rows go after a test,
    // unless it changed the schema itself.
    [[nodiscard]] static std::string schema() { return "ledger"; }
    void exec(const std::string& sql) const { in_database("ledger", sql); }
    // Of the whole database, as a provider of databases makes them. Nobody is connected meanwhile.
    void take_snapshot() const {
        in_database("postgres", "DROP DATABASE IF EXISTS snapshot");
        in_database("postgres", "CREATE DATABASE snapshot TEMPLATE ledger OWNER office");
    }
    void roll_back_to_snapshot() const {
        in_database("postgres", "DROP DATABASE ledger WITH (FORCE)");
        in_database("postgres", "ALTER DATABASE snapshot RENAME TO ledger");
    }
    void drop_schema() { exec("DROP SCHEMA IF EXISTS ledger CASCADE"); }
    void empty_schema() {
        PGconn* connection = PQconnectdb(url().c_str());
        const auto found = text_of(connection, catalog);
        if (catalog_.empty()) catalog_ = found;
        if (!found.empty() && found == catalog_) {
            run(connection, empty_tables);
        } else {
            run(connection, "DROP SCHEMA IF EXISTS ledger CASCADE");
        }
        PQfinish(connection);
    }
    // A server of one test. `more`: further options, "-c" and "name=value" in turn. `hba`: lines before those of
    // initdb.
    PostgresqlCluster(int port, const std::vector<std::string>& more, const std::string& hba) : port_(port) {
        make_folder();
        const std::string data = folder_.path() / "data";
        if (finish(start(
                {"initdb", "-D", data, "-A", "trust", "-E", "UTF8", "--locale=C", "-N", "-U", "drawbridge"})) != 0)
            throw std::runtime_error("initdb failed");
        if (!hba.empty()) put_before(std::filesystem::path(data) / "pg_hba.conf", hba);
        start_server(data, more);
        in_database("postgres", "CREATE ROLE office LOGIN");
        in_database("postgres", "CREATE DATABASE ledger OWNER office");
    }
    // A hot standby of that server.
    struct StandbyOf {
        const PostgresqlCluster& primary;
        std::vector<std::string> more = {};  // as above
    };
    explicit PostgresqlCluster(const StandbyOf& of) : port_(of.primary.port_ + 1) {
        make_folder();
        const std::string data = folder_.path() / "data";
        if (finish(start({"pg_basebackup", "-D", data, "-R", "-c", "fast", "-d",
                          of.primary.url("drawbridge", "postgres")})) != 0)
            throw std::runtime_error("pg_basebackup failed");
        start_server(data, of.more);
    }
    ~PostgresqlCluster() {
        if (server_ != 0) end(SIGQUIT);
    }

    PostgresqlCluster(const PostgresqlCluster&) = delete;
    PostgresqlCluster& operator=(const PostgresqlCluster&) = delete;

    [[nodiscard]] std::string folder() const { return folder_.path().string(); }
    [[nodiscard]] int port() const { return port_; }
    // The first column, one line per row.
    [[nodiscard]] std::string ask(const std::string& sql) const {
        PGconn* connection = PQconnectdb(url().c_str());
        auto text = text_of(connection, sql.c_str());
        PQfinish(connection);
        return text;
    }
    // As a planned restart does: connections are told, and end.
    void stop() { end(SIGINT); }
    void start_again() { start_server(folder_.path() / "data", {}); }
    // Of a standby: what it receives waits. On return nothing more is replayed.
    void pause_replay() {
        exec("SELECT pg_wal_replay_pause()");
        while (ask("SELECT pg_get_wal_replay_pause_state()") != "paused")
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    void resume_replay() { exec("SELECT pg_wal_replay_resume()"); }

  private:
    static constexpr int default_port = 5432;
    PostgresqlCluster() : PostgresqlCluster(default_port, {}, {}) {}

    static void put_before(const std::filesystem::path& file, const std::string& text) {
        std::ifstream in(file);
        const std::string rest(std::istreambuf_iterator<char>(in), {});
        std::ofstream(file) << text << rest;
    }
    void in_database(const std::string& name, const std::string& sql) const {
        PGconn* connection = PQconnectdb(url("drawbridge", name).c_str());
        run(connection, sql.c_str());
        PQfinish(connection);
    }
    static void run(PGconn* connection, const char* sql) {
        PGresult* result = PQexec(connection, sql);
        const bool failed = PQresultStatus(result) == PGRES_FATAL_ERROR;
        const std::string why = PQerrorMessage(connection);
        PQclear(result);
        if (failed) throw std::runtime_error(why);
    }
    static std::string text_of(PGconn* connection, const char* sql) {
        PGresult* result = PQexec(connection, sql);
        std::string text;
        for (int row = 0; row < PQntuples(result); ++row)
            text += (row == 0 ? "" : "\n") + std::string(PQgetvalue(result, row, 0));
        PQclear(result);
        return text;
    }
    // What a test may have added to the schema, dropped or switched off.
    static constexpr const char* catalog =
        "SELECT concat_ws(' ', (SELECT count(*) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE "
        "t.tgenabled = "
        "'O' AND c.relnamespace = n.oid), (SELECT count(*) FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid "
        "WHERE "
        "c.relnamespace = n.oid), (SELECT max(version) FROM ledger.ledger_schema)) FROM pg_namespace n WHERE n.nspname "
        "= "
        "'ledger'";
    // A ledger as it is before its first opening has gone on from creating the tables.
    static constexpr const char* empty_tables = R"sql(
        SET search_path = ledger;
        SET session_replication_role = replica;
        DO $$
        DECLARE
          name text;
        BEGIN
          FOR name IN SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'ledger'::regnamespace
              AND relname NOT IN ('ledger_schema', 'writer', 'standby')
          LOOP
            EXECUTE 'DELETE FROM ' || name;
          END LOOP;
          FOR name IN SELECT relname FROM pg_class WHERE relkind = 'S' AND relnamespace = 'ledger'::regnamespace
          LOOP
            EXECUTE 'ALTER SEQUENCE ' || name || ' RESTART';
          END LOOP;
        END $$;
        UPDATE writer SET epoch = 0, holder = '', process = '', since = 0, gave_up = 1;
        INSERT INTO ledger_identity VALUES (1, md5(random()::text), 1);
        INSERT INTO state_total VALUES ('seen', 0, 0, 0))sql";

    void make_folder() {
        if (::geteuid() == 0) {
            const passwd* nobody = ::getpwnam("nobody");
            user_ = nobody->pw_uid;
            if (::chown(folder_.path().c_str(), user_, nobody->pw_gid) != 0) throw std::runtime_error("chown");
        }
        // Programs of other users may connect.
        std::filesystem::permissions(folder_.path(), std::filesystem::perms(0711));
    }
    void start_server(const std::string& data, const std::vector<std::string>& more) {
        std::vector<std::string> words = {"postgres",
                                          "-D",
                                          data,
                                          "-k",
                                          folder_.path(),
                                          "-p",
                                          std::to_string(port_),
                                          "-c",
                                          "listen_addresses=",
                                          "-c",
                                          "fsync=off",
                                          "-c",
                                          "full_page_writes=off",
                                          "-c",
                                          "autovacuum=off",
                                          "-c",
                                          "max_locks_per_transaction=256",
                                          "-c",  // in its folder: a killed server leaves nothing in /dev/shm
                                          "dynamic_shared_memory_type=mmap"};
        words.insert(words.end(), more.begin(), more.end());
        server_ = start(words);
        while (PQping(url("drawbridge", "postgres").c_str()) != PQPING_OK) {
            if (::waitpid(server_, nullptr, WNOHANG) != 0) throw std::runtime_error("postgres ended");
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    }
    pid_t start(const std::vector<std::string>& words) {
        // Whole: they find each other beside it.
        const auto program = (programs() / words.front()).string();
        std::vector<char*> arguments;
        for (const auto& word : words)
            arguments.push_back(const_cast<char*>(word.c_str()));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
        arguments.front() = const_cast<char*>(program.c_str());    // NOLINT(cppcoreguidelines-pro-type-const-cast)
        arguments.push_back(nullptr);
        const pid_t child = ::fork();
        if (child != 0) return child;
        if (user_ != 0 && ::setuid(user_) != 0) ::_exit(1);
        ::prctl(PR_SET_PDEATHSIG, SIGQUIT);  // it ends with the test, however that ends
        if (::freopen("/dev/null", "w", stdout) == nullptr || ::freopen("/dev/null", "w", stderr) == nullptr)
            ::_exit(1);
        ::execv(program.c_str(), arguments.data());
        ::_exit(1);
    }
    void end(int signal) {
        ::kill(server_, signal);
        static_cast<void>(finish(server_));
        server_ = 0;
    }
    static int finish(pid_t child) {
        int status = 0;
        ::waitpid(child, &status, 0);
        return status;
    }

    TemporaryFolder folder_;
    int port_;
    std::string catalog_;  // after the first test
    uid_t user_ = 0;
    pid_t server_ = 0;
};

}  // namespace drawbridge::test
