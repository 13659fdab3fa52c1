// The lease on a ledger in PostgreSQL: the kernel's timer, and what a successor knows of the writer before it.
#include "drawbridge/ledger/store/lease.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "drawbridge/ledger/store/engine.hpp"
#include "store/connection.hpp"
#include "store/postgresql/schema.hpp"
#include "support/postgresql_cluster.hpp"
#include "support/samples.hpp"
#include "support/temporary_folder.hpp"

namespace drawbridge::ledger {
namespace {

using namespace std::chrono_literals;
using postgresql::boot_time;
using postgresql::Lease;

pid_t in_a_process(const std::function<void()>& act) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    act();
    ::_exit(0);
}

int status_of(pid_t child) {
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
}

void expect_killed(int status) {
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), SIGKILL);
}

void run_until(postgresql::BootTime end, const std::function<void()>& act) {
    while (boot_time() < end)
        act();
}

TEST(Lease, kills_a_process_that_is_stopped_while_an_effect_is_on_its_way) {
    const pid_t child = in_a_process([] {
        Lease lease(100ms);
        lease.begin_effect();
        ::raise(SIGSTOP);
    });
    int status = 0;
    ::waitpid(child, &status, WUNTRACED);
    ASSERT_TRUE(WIFSTOPPED(status));
    expect_killed(status_of(child));
}

TEST(Lease, that_ran_out_before_the_effect_kills_at_once) {
    expect_killed(status_of(in_a_process([] {
        Lease lease(20ms);
        run_until(boot_time() + 30ms, [] {});
        lease.begin_effect();
        for (;;)
            ::pause();
    })));
}

TEST(Lease, runs_from_the_sending_of_the_last_acknowledged_commit) {
    const int status = status_of(in_a_process([] {
        Lease lease(200ms);
        lease.begin_effect();
        run_until(boot_time() + 600ms, [&] { lease.acknowledged(boot_time()); });
    }));
    EXPECT_TRUE(WIFEXITED(status));
}

TEST(Lease, counts_commits_that_took_more_than_half_of_it) {
    Lease lease(10s);
    lease.acknowledged(boot_time() - 4s);
    EXPECT_EQ(lease.slow_commits(), 0);
    lease.acknowledged(boot_time() - 6s);
    EXPECT_EQ(lease.slow_commits(), 1);
}

TEST(Lease, kills_nobody_when_no_effect_is_on_its_way) {
    const int status = status_of(in_a_process([] {
        Lease lease(20ms);
        lease.begin_effect();
        lease.begin_effect();
        lease.end_effect();
        lease.end_effect();
        run_until(boot_time() + 100ms, [] {});
    }));
    EXPECT_TRUE(WIFEXITED(status));
}

// As the first process of a container. nullopt: this user may not make one.
std::optional<int> status_in_a_container(const std::function<void()>& act) {
    constexpr int may_not = 77;
    const int status = status_of(in_a_process([&] {
        const int more = ::geteuid() == 0 ? 0 : CLONE_NEWUSER;
        if (::unshare(CLONE_NEWPID | more) != 0) ::_exit(may_not);
        ::_exit(WEXITSTATUS(status_of(in_a_process(act))));
    }));
    if (WEXITSTATUS(status) == may_not) return std::nullopt;
    return WEXITSTATUS(status);
}

TEST(Lease, cannot_end_the_first_process_of_a_container_so_that_opens_no_ledger) {
    constexpr int survived = 3, refused = 4;
    const auto status = status_in_a_container([] {
        {
            Lease lease(1ms);
            lease.begin_effect();
            run_until(boot_time() + 50ms, [] {});
            if (postgresql::lease_can_end()) ::_exit(survived);
        }
        const auto ledger = Ledger::open("/nowhere", PostgresqlAddress{"postgresql:///", "", "ledger"},
                                         test::at("2026-03-04T15:00:00"));
        const bool says_why = !ledger && ledger.error().message.find("docker run --init") != std::string::npos;
        ::_exit(says_why ? refused : 0);
    });
    if (!status) GTEST_SKIP() << "not run: this user may not make namespaces";
    EXPECT_EQ(*status, refused);
}

TEST(Writer, is_known_to_have_ended_only_where_that_can_be_seen) {
    int to_parent[2], to_child[2];
    ASSERT_EQ(::pipe(to_parent), 0);
    ASSERT_EQ(::pipe(to_child), 0);
    const pid_t child = in_a_process([&] {
        const auto name = postgresql::this_process();
        static_cast<void>(!::write(to_parent[1], name.data(), name.size()));
        char end = 0;
        static_cast<void>(!::read(to_child[0], &end, 1));
    });
    char text[512];
    const auto size = ::read(to_parent[0], text, sizeof(text));
    ASSERT_GT(size, 0);
    const std::string name(text, static_cast<std::size_t>(size));
    EXPECT_FALSE(postgresql::has_ended(name)) << name;
    ::kill(child, SIGKILL);
    siginfo_t ended{};
    ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
    EXPECT_TRUE(postgresql::has_ended(name)) << "a process that nobody has waited for";
    static_cast<void>(status_of(child));
    EXPECT_TRUE(postgresql::has_ended(name)) << name;
    EXPECT_FALSE(postgresql::has_ended("boot of another machine, process 1, started 1"));
    EXPECT_FALSE(postgresql::has_ended(postgresql::this_process()));
}

class WriterRow : public ::testing::Test {
  protected:
    void SetUp() override {
        if (test::PostgresqlCluster::programs().empty()) GTEST_SKIP() << "not run: PostgreSQL is not installed";
        open();
    }
    void TearDown() override {
        if (!ledger_) return;
        ledger_.reset();
        test::PostgresqlCluster::instance().empty_schema();
    }
    static PostgresqlAddress address() {
        return {test::PostgresqlCluster::instance().url(), "", test::PostgresqlCluster::schema()};
    }
    void open() {
        ledger_.reset();
        auto opened = Ledger::open(folder_.path(), address(), test::at("2026-03-04T15:00:00"));
        ASSERT_TRUE(opened) << opened.error().message;
        ledger_.emplace(std::move(*opened));
    }
    // As if the last process that acted had been on another host.
    static void move_to_another_host() {
        postgresql::Session(address()).exec(
            "UPDATE writer SET process = 'boot of another machine, process 1, started 1', holder = 'hall 1'");
    }
    void expect_to_wait() {
        EXPECT_GT(time_until_acting(*ledger_), lease_length);
        EXPECT_LE(time_until_acting(*ledger_), takeover_wait);
        EXPECT_EQ(predecessor(*ledger_), "hall 1");
    }

    test::TemporaryFolder folder_;
    std::optional<Ledger> ledger_;
};

TEST_F(WriterRow, makes_a_successor_wait_for_a_writer_on_another_host) {
    EXPECT_TRUE(is_in_postgresql(*ledger_));
    EXPECT_EQ(time_until_acting(*ledger_), 0ms) << "nobody was before";
    {
        const Effect on_its_way(*ledger_);
        move_to_another_host();
        open();
    }
    expect_to_wait();
}

TEST_F(WriterRow, hands_the_wait_on_to_the_next_when_a_successor_ends_before_it_acts) {
    move_to_another_host();
    open();
    expect_to_wait();
    open();
    expect_to_wait();
}

TEST_F(WriterRow, ends_the_wait_for_everybody_when_a_successor_begins_to_act) {
    move_to_another_host();
    open();
    expect_to_wait();
    ledger_->connection().acts_from = postgresql::BootTime(1);  // it is over
    begin_acting(*ledger_);
    const auto before = ledger_->connection().epoch;
    ledger_.reset();
    open();
    EXPECT_EQ(time_until_acting(*ledger_), 0ms) << "the writer before was of this host";
    EXPECT_NE(predecessor(*ledger_), "hall 1");
    EXPECT_GT(ledger_->connection().epoch, before);
}

TEST_F(WriterRow, lets_a_successor_act_at_once_after_a_clean_end) {
    std::optional<Effect> ended(std::in_place, *ledger_);
    ended.reset();
    ledger_.reset();
    move_to_another_host();
    open();
    EXPECT_EQ(time_until_acting(*ledger_), 0ms);
}

TEST_F(WriterRow, refuses_a_lease_to_a_writer_that_was_replaced) {
    auto& connection = ledger_->connection();
    EXPECT_NO_THROW(postgresql::renew_lease(connection.db.postgresql(), connection.epoch));
    connection.db.postgresql().exec("UPDATE writer SET epoch = epoch + 1");
    EXPECT_THROW(postgresql::renew_lease(connection.db.postgresql(), connection.epoch), postgresql::Failure);
}

// Until then it keeps the lock of a machine that is gone, and nobody can take over.
TEST(Server, notices_within_the_lease_that_the_machine_of_a_writer_is_gone) {
    if (test::PostgresqlCluster::programs().empty()) GTEST_SKIP() << "not run: PostgreSQL is not installed";
    const int port = 20000 + ::getpid() % 10000;
    const test::PostgresqlCluster server(port, {"-c", "listen_addresses=127.0.0.1"}, {});
    postgresql::Session session(
        {"postgresql://drawbridge@127.0.0.1:" + std::to_string(port) + "/ledger?sslmode=disable", "", "ledger"});
    const auto setting = [&](const std::string& name) { return std::stoi(session.value_of("SHOW " + name)); };
    const auto asks_for =
        setting("tcp_keepalives_idle") + setting("tcp_keepalives_interval") * setting("tcp_keepalives_count");
    EXPECT_GT(asks_for, 0);
    EXPECT_LE(std::chrono::seconds(asks_for), lease_length);
    const auto answers = session.value_of("SELECT setting FROM pg_settings WHERE name = 'tcp_user_timeout'");
    EXPECT_GT(std::stoi(answers), 0);
    EXPECT_LE(std::chrono::milliseconds(std::stoi(answers)), lease_length);
}

// A server whose commits wait for a standby that is not there.
class CommitsThatWait : public ::testing::Test {
  protected:
    void SetUp() override {
        if (test::PostgresqlCluster::programs().empty()) GTEST_SKIP() << "not run: PostgreSQL is not installed";
        server_.emplace(6543, std::vector<std::string>{}, std::string());
    }
    [[nodiscard]] PostgresqlAddress address() const { return {server_->url(), "", "ledger"}; }
    void set_standby(const std::string& name) const {
        server_->exec("ALTER SYSTEM SET synchronous_standby_names = '" + name + "'");
        server_->exec("SELECT pg_reload_conf()");
    }
    // From now on every commit waits. The server takes a moment to know.
    [[nodiscard]] bool a_commit_waits(const std::function<void()>& commit) {
        set_standby("nobody");
        committer_ = std::jthread([commit](const std::stop_token& stop) {
            while (!stop.stop_requested())
                commit();
        });
        return becomes("1", "wait_event = 'SyncRep'");
    }
    void let_it_go_on() {
        committer_.request_stop();
        set_standby("");
        committer_.join();
    }
    [[nodiscard]] bool becomes(const std::string& count, const std::string& condition) const {
        const auto end = boot_time() + 20s;
        const auto sql = "SELECT count(*) FROM pg_stat_activity WHERE " + condition;
        while (server_->ask(sql) != count) {
            if (boot_time() > end) return false;
            std::this_thread::sleep_for(10ms);
        }
        return true;
    }

    std::optional<test::PostgresqlCluster> server_;
    std::jthread committer_;
};

TEST_F(CommitsThatWait, return_when_the_standby_has_them) {
    postgresql::Session session(address());
    session.exec("CREATE SCHEMA ledger; CREATE TABLE fact (fact_id bigint)");
    EXPECT_TRUE(a_commit_waits([&] {
        session.begin(/*waits_for_disk=*/true);
        session.pipeline().send("INSERT INTO fact VALUES (1)");
        session.commit(/*waits_for_disk=*/true);
    }));
    let_it_go_on();
}

// A primary that is cut off stops, and its cluster goes on without it, when each of its connections has ended.
TEST_F(CommitsThatWait, let_the_connection_of_a_writer_end) {
    const test::TemporaryFolder folder;
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t writer = in_a_process([&] {
        const auto ledger = Ledger::open(folder.path(), address(), test::at("2026-03-04T15:00:00"));
        static_cast<void>(!::write(ready[1], ledger ? "y" : "n", 1));
        for (;;)
            ::pause();
    });
    ::close(ready[1]);  // nothing to read, and no wait, if the writer has died
    char answer = 0;
    ASSERT_EQ(::read(ready[0], &answer, 1), 1);
    EXPECT_EQ(answer, 'y');
    EXPECT_TRUE(a_commit_waits([&] { server_->exec("SELECT pg_logical_emit_message(true, 'a', 'commit')"); }));
    ::kill(writer, SIGKILL);
    expect_killed(status_of(writer));
    EXPECT_TRUE(becomes("0", "application_name = 'drawbridge'"));
    let_it_go_on();
}

TEST(LeaseOfAFile, is_not_needed) {
    const test::TemporaryFolder folder;
    auto ledger = Ledger::open(folder.path(), test::at("2026-03-04T15:00:00")).value();
    EXPECT_FALSE(is_in_postgresql(ledger));
    EXPECT_EQ(time_until_acting(ledger), 0ms);
    const Effect effect(ledger);
}

}  // namespace
}  // namespace drawbridge::ledger
