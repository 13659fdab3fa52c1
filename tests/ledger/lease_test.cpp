// The lease on a ledger in PostgreSQL: the kernel's timer, and what a successor knows of the writer before it.
#include "drawbridge/ledger/store/lease.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

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

TEST(LeaseOfAFile, is_not_needed) {
    const test::TemporaryFolder folder;
    auto ledger = Ledger::open(folder.path(), test::at("2026-03-04T15:00:00")).value();
    EXPECT_FALSE(is_in_postgresql(ledger));
    EXPECT_EQ(time_until_acting(ledger), 0ms);
    const Effect effect(ledger);
}

}  // namespace
}  // namespace drawbridge::ledger
