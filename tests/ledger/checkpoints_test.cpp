// The log of SQLite beside a ledger that is written all the time.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "drawbridge/ledger/store/traces.hpp"
#include "ledger/ledger_fixture.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

class CheckpointsTest : public LedgerFixture {
  protected:
    [[nodiscard]] std::filesystem::path log() const { return folder.path() / "ledger.db-wal"; }
    // How often the log has begun anew, by its header: 4 bytes from the 12th on.
    [[nodiscard]] std::string generation() const {
        std::ifstream in(log(), std::ios::binary);
        std::string bytes(16, '\0');
        in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        return bytes.substr(12);
    }
    // A transaction of so many times 64 KiB.
    void write(int times) {
        ledger->transaction_deferred_sync([&] {
            for (int i = 0; i < times; ++i)
                audit(*ledger, stamp(), "test.written", "test", std::string(64 * 1024, 'x'));
        });
    }
    void write_some() { write(32); }
};

TEST_F(CheckpointsTest, begin_the_log_anew_while_the_writer_goes_on) {
    ABOUT_THE_FILE();
    write_some();
    const auto first = generation();
    constexpr int most = 200;  // 400 MiB: the writer waits for the copy long before
    int written = 1;
    while (generation() == first && written < most) {
        write_some();
        ++written;
    }
    EXPECT_LT(written, most);
    constexpr std::uintmax_t most_bytes = 110'000'000;
    EXPECT_LT(std::filesystem::file_size(log()), most_bytes);
}

TEST_F(CheckpointsTest, begin_the_log_anew_for_a_writer_that_waits_when_it_should) {
    ABOUT_THE_FILE();
    // A pass that the log must not outgrow, and then the last. A writer that is slow to look misses one.
    constexpr int most_waits = 10, most_written = 20'000;
    bool is_new = false;
    for (int waits = 0; waits < most_waits && !is_new; ++waits) {
        int written = 0;
        while (!is_log_being_emptied(*ledger) && written < most_written) {
            write(1);
            ++written;
        }
        ASSERT_LT(written, most_written);
        while (is_log_being_emptied(*ledger))
            std::this_thread::yield();
        const auto before = generation();
        write(1);
        is_new = generation() != before;
    }
    EXPECT_TRUE(is_new);
}

TEST_F(CheckpointsTest, keep_the_log_small_for_a_writer_that_waits_when_it_should) {
    ABOUT_THE_FILE();
    constexpr int many = 200;  // 400 MiB
    for (int i = 0; i < many; ++i) {
        write_some();
        while (is_log_being_emptied(*ledger))
            std::this_thread::yield();
    }
    constexpr std::uintmax_t most_bytes = 80'000'000;
    EXPECT_LT(std::filesystem::file_size(log()), most_bytes);
}

TEST_F(CheckpointsTest, leave_to_a_later_pass_what_somebody_else_copies) {
    ABOUT_THE_FILE();
    auto other = open_shared(ledger->connection().db.sqlite().getFilename());
    static_cast<void>(other.execAndGet("PRAGMA schema_version"));
    const std::jthread copies([&](const std::stop_token& stop) {
        while (!stop.stop_requested())
            sqlite3_wal_checkpoint_v2(other.getHandle(), "main", SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
    });
    for (int i = 0; i < 40; ++i)
        EXPECT_NO_THROW(write_some());
}

TEST_F(CheckpointsTest, leave_everything_in_the_file_when_the_ledger_is_closed) {
    ABOUT_THE_FILE();
    for (int i = 0; i < 20; ++i)
        write_some();
    ledger.reset();
    EXPECT_FALSE(std::filesystem::exists(log()));
    reopen();
    EXPECT_EQ(Query(*ledger, "SELECT count(*) FROM audit WHERE action = 'test.written'").only<std::int64_t>(), 640);
    for (const auto& result : verify(*ledger))
        EXPECT_TRUE(result.violations.empty()) << result.title;
}

// "12 HASH …": the mark names only what survives a power loss.
std::int64_t entry_of_mark(Ledger& ledger) {
    return std::stoll(high_water_mark_text(ledger));
}

TEST_F(CheckpointsTest, count_a_commit_as_durable_after_the_next_sync) {
    const auto before = entry_of_mark(*ledger);
    ledger->transaction_deferred_sync([&] { audit(*ledger, stamp(), "test.written", "test", ""); });
    EXPECT_EQ(entry_of_mark(*ledger), before);
    ledger->sync();
    EXPECT_GT(entry_of_mark(*ledger), before);
}

TEST_F(CheckpointsTest, let_a_commit_that_writes_nothing_wait_for_those_before_it) {
    const auto before = entry_of_mark(*ledger);
    ledger->transaction_deferred_sync([&] { audit(*ledger, stamp(), "test.written", "test", ""); });
    ledger->transaction([] {});
    EXPECT_GT(entry_of_mark(*ledger), before);
}

}  // namespace
}  // namespace drawbridge::ledger
