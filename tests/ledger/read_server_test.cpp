// A ledger that is read on a hot standby of its server.
#include "drawbridge/ledger/store/read_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "drawbridge/ledger/facts/draws.hpp"
#include "drawbridge/ledger/store/backups.hpp"
#include "drawbridge/ledger/store/sealing.hpp"
#include "store/connection.hpp"
#include "support/postgresql_cluster.hpp"
#include "support/samples.hpp"
#include "support/temporary_folder.hpp"

namespace drawbridge::ledger {
namespace {

using namespace std::chrono_literals;
using testing::Each;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

class ReadServerTest : public ::testing::Test {
  protected:
    static void SetUpTestSuite() {
        if (test::PostgresqlCluster::programs().empty()) return;
        primary().drop_schema();
        standby_.emplace(test::PostgresqlCluster::StandbyOf{primary(), {"-c", "max_standby_streaming_delay=0"}});
    }
    static void TearDownTestSuite() { standby_.reset(); }
    void SetUp() override {
        if (test::PostgresqlCluster::programs().empty()) GTEST_SKIP() << "not run: PostgreSQL is not installed";
        auto opened = Ledger::open(folder_.path(), server_.primary, now());
        ASSERT_TRUE(opened) << opened.error().message;
        writer_.emplace(std::move(*opened));
        add_draw(1);
        wait_for_standby();
    }
    void TearDown() override {
        if (!standby_) return;
        reader_.reset();
        writer_.reset();
        primary().drop_schema();
    }

    static test::PostgresqlCluster& primary() { return test::PostgresqlCluster::instance(); }
    static Instant now() { return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()); }
    static PostgresqlAddress at(const std::string& url, bool is_only_read) {
        return {url, "", test::PostgresqlCluster::schema(), is_only_read};
    }
    void add_draw(DrawId id) {
        writer_->transaction([&] {
            const Stamp stamp{now(), "drawbridge"};
            record_reading(*writer_, test::sample_draw(id, DrawStatus::pending_approval), ReadingSource::poll, now());
            audit(*writer_, stamp, "test", "draw " + std::to_string(id), "");
        });
    }
    // Until it has the schema.
    void wait_for_standby() {
        const auto question = "SELECT pg_last_wal_replay_lsn() >= '" + position_of(*writer_).wal + "'";
        while (standby_->ask(question) != "t")
            std::this_thread::sleep_for(5ms);
    }
    Ledger& reader() {
        if (!reader_) {
            auto opened = open_on_read_server(folder_.path(), server_, std::nullopt);
            if (!opened) throw std::runtime_error(opened.error().message);
            reader_.emplace(std::move(*opened));
        }
        return *reader_;
    }
    bool has_draw(DrawId id) { return newest_reading(reader(), id).has_value(); }

    static std::optional<test::PostgresqlCluster> standby_;
    test::TemporaryFolder folder_;
    ReadServer server_{at(standby_ ? standby_->url() : "", true), at(primary().url(), false), 0ms};
    std::optional<Ledger> writer_, reader_;
};
std::optional<test::PostgresqlCluster> ReadServerTest::standby_;

TEST_F(ReadServerTest, reads_all_that_was_written_while_another_process_writes) {
    ReadMoments moments(server_);
    const auto reading = moments.begin(reader(), position_of(*writer_), now());
    ASSERT_TRUE(reading) << reading.error().message;
    EXPECT_TRUE(reading->is_standby);
    EXPECT_EQ(reading->to_string(), "read from the standby " + standby_->folder() + " port " +
                                        std::to_string(standby_->port()) + ", which is up to date");
    EXPECT_TRUE(has_draw(1));
    add_draw(2);
    EXPECT_FALSE(has_draw(2)) << "what is read is of one moment";
    moments.end(reader());
    ASSERT_TRUE(moments.begin(reader(), now()));
    EXPECT_TRUE(has_draw(2));
    moments.end(reader());
}

TEST_F(ReadServerTest, cannot_write_and_takes_no_lock) {
    auto on_primary = server_;
    on_primary.standby = at(primary().url(), true);
    server_ = on_primary;
    ReadMoments moments(server_);
    const auto reading = moments.begin(reader(), now());
    ASSERT_TRUE(reading) << reading.error().message;
    EXPECT_THAT(reading->to_string(), HasSubstr(", which is not a standby: none can be reached"));
    EXPECT_TRUE(has_draw(1));
    moments.end(reader());
    EXPECT_THROW(reader().transaction([&] {
        record_reading(reader(), test::sample_draw(3, DrawStatus::pending_approval), ReadingSource::poll, now());
    }),
                 postgresql::Failure);
    writer_.reset();
    EXPECT_TRUE(Ledger::open(folder_.path(), server_.primary, now())) << "the lock is free";
}

TEST_F(ReadServerTest, says_how_far_behind_it_is_and_refuses_what_is_too_old) {
    ASSERT_TRUE(ReadMoments(server_).begin(reader(), now()));
    standby_->pause_replay();
    add_draw(2);
    const auto refused = ReadMoments(server_).begin(reader(), now());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
    EXPECT_THAT(refused.error().message, HasSubstr("ledger.read_max_lag is 0 ms"));
    server_.max_lag = 1h;
    ReadMoments patient(server_);
    const auto behind = patient.begin(reader(), now());
    ASSERT_TRUE(behind) << behind.error().message;
    EXPECT_GT(behind->behind, 0ms);
    EXPECT_LT(behind->as_of, now());
    EXPECT_THAT(behind->to_string(), HasSubstr(" behind: what came after "));
    EXPECT_FALSE(has_draw(2));
    patient.end(reader());
    // The process that writes never takes an old answer.
    EXPECT_FALSE(ReadMoments(server_).begin(reader(), position_of(*writer_), now()));
    standby_->resume_replay();
    const auto caught_up = ReadMoments(server_).begin(reader(), now());
    ASSERT_TRUE(caught_up) << caught_up.error().message;
    EXPECT_EQ(caught_up->behind, 0ms);
    EXPECT_TRUE(has_draw(2));
}

TEST_F(ReadServerTest, says_so_when_the_primary_cannot_be_asked) {
    reader();
    server_.primary = at("postgresql:///ledger?host=/nowhere", false);
    server_.max_lag = 1h;
    const auto reading = ReadMoments(server_).begin(reader(), now());
    ASSERT_TRUE(reading) << reading.error().message;
    EXPECT_THAT(reading->to_string(), HasSubstr("; its primary does not answer: what came after "));
}

TEST_F(ReadServerTest, refuses_a_server_with_another_history) {
    auto written = position_of(*writer_);
    written.audit_head.front() = written.audit_head.front() == '0' ? '1' : '0';
    const auto refused = ReadMoments(server_).begin(reader(), written, now());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::conflict);
    EXPECT_THAT(refused.error().message, HasSubstr("it is another ledger, or it follows another server"));
}

TEST_F(ReadServerTest, a_question_that_replay_ends_may_be_asked_again) {
    ReadMoments moments(server_);
    ASSERT_TRUE(moments.begin(reader(), now()));
    EXPECT_TRUE(has_draw(1));
    bool may_ask_again = false;
    // VACUUM leaves the row while any other session of the primary, like an autovacuum, may still see it.
    for (int tries = 0; tries < 20 && !may_ask_again; ++tries) {
        primary().exec("CREATE TABLE public.passing AS SELECT 1 AS one");
        primary().exec("DELETE FROM public.passing");
        primary().exec("VACUUM public.passing");
        primary().exec("DROP TABLE public.passing");
        try {
            const auto until = position_of(*writer_).wal;
            while (reader().connection().db.postgresql().value_of("SELECT pg_last_wal_replay_lsn() >= '" + until +
                                                                  "'") != "t")
                static_cast<void>(has_draw(1));
        } catch (const std::exception& ended) {
            may_ask_again = may_be_read_again(ended);
            ASSERT_TRUE(may_ask_again) << ended.what();
        }
    }
    EXPECT_TRUE(may_ask_again);
    reader_.reset();
    ASSERT_TRUE(ReadMoments(server_).begin(reader(), now()));
    EXPECT_TRUE(has_draw(1));
}

TEST_F(ReadServerTest, cannot_be_opened_without_the_key_of_the_ledger) {
    test::TemporaryFolder other;
    const auto refused = open_on_read_server(other.path(), server_, SealingKey::from_bytes(std::string(32, 'k')));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::unauthorized);
}

TEST_F(ReadServerTest, every_invariant_is_checked_there) {
    const auto check = [&] {
        AuditEnd end;
        auto found =
            inspect_on_read_server(folder_.path(), server_, position_of(*writer_), now(), std::nullopt, {}, end);
        if (!found) throw std::runtime_error(found.error().message);
        EXPECT_EQ(end.head, audit_end(*writer_).head);
        return std::move(found->results);
    };
    EXPECT_THAT(check(), Each(Field(&InvariantResult::violations, IsEmpty())));
    primary().exec("SET session_replication_role = replica; UPDATE ledger.audit SET detail = 'another' WHERE seq = 2");
    const auto tampered = check();
    EXPECT_THAT(std::ranges::find(tampered, 5, &InvariantResult::number)->violations,
                testing::Contains(HasSubstr("audit row 2 does not follow")));
}

}  // namespace
}  // namespace drawbridge::ledger
