// `drawbridge ingest`, and many files at once: through the daemon and without one.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "e2e/office.hpp"

namespace drawbridge::e2e {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

std::string contents_below(const fs::path& folder) {
    std::string all;
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        // Skips the write-ahead log and the lock, which are not facts.
        const std::string name = entry.path().filename().string();
        if (entry.is_regular_file() && !name.starts_with("ledger.db-") && name != "lock") files.push_back(entry.path());
    }
    std::ranges::sort(files);
    for (const auto& path : files)
        all += path.string() + "\n" + read_file(path) + "\n";
    return all;
}

void stop(Process& daemon) {
    daemon.signal(SIGTERM);
    const auto ended = daemon.wait(std::chrono::seconds(30));
    EXPECT_TRUE(ended && to_string(*ended) == "exit 0");
}

void wait_for_socket(const Office& office) {
    ASSERT_TRUE(eventually([&] { return fs::exists(office.state() / "drawbridge.sock"); })) << office.daemon_log();
}

class Ingest : public testing::Test {
  protected:
    Ingest() {
        house_.sandbox.add({1, 250'00, "ACH-1"});
        house_.sandbox.add({2, 350'00, "CHK-1"});
        house_.office.run_once();
        taken_ = house_.bank.collect(house_.office.outgoing());
        house_.sandbox.disburse_all_approved();
    }
    std::string write(const std::string& name, const std::string& bytes) {
        const auto path = house_.folder.path() / name;
        std::ofstream(path, std::ios::binary) << bytes;
        return path.string();
    }
    // Two payments, and two lines that need a person.
    std::string mixed() {
        return confirmation_csv(taken_) + taken_[0].reference + ",paid,1.00," + taken_[0].created_on +
               "\n999999999999999,paid,1.00," + taken_[0].created_on + "\n";
    }

    House house_;
    std::vector<Instruction> taken_;
};

TEST_F(Ingest, a_dry_run_shows_each_line_and_changes_nothing) {
    ASSERT_THAT(taken_, SizeIs(2));
    const auto file = write("bank.csv", mixed());
    const std::string before = contents_below(house_.office.state());
    const auto shown = house_.office.run({"ingest", "--dry-run", file});
    EXPECT_EQ(to_string(shown.exit), "exit 3") << shown.err;
    EXPECT_THAT(shown.out,
                AllOf(HasSubstr("bank.csv: csv, recognized by its name (*.csv)"), HasSubstr("the payment is paid"),
                      HasSubstr("exception amount_differs"), HasSubstr("exception unknown_payment"),
                      HasSubstr("4 lines would be taken: 2 applied ($600.00 paid)"),
                      HasSubstr("nothing was changed: this was a dry run")));
    const auto json = Json::parse(house_.office.run({"ingest", "--dry-run", "--json", file}).out);
    EXPECT_EQ(json.at("fate"), "applied");
    EXPECT_EQ(json.at("lines").size(), 4U);
    EXPECT_EQ(json.at("lines").at(0).at("draw_id"), 1);
    EXPECT_EQ(json.at("lines").at(2).at("reason_code"), "amount_differs");
    EXPECT_TRUE(json.at("lines").at(3).at("proposal").is_null()) << "it resembles no payment";
    const auto bad = house_.office.run({"ingest", "--dry-run", write("bad.csv", mixed() + "1,paid,12.345,today\n")});
    EXPECT_EQ(to_string(bad.exit), "exit 1");
    EXPECT_THAT(bad.out, HasSubstr("bad.csv: would be refused; nothing would be applied"));
    EXPECT_THAT(bad.err, AllOf(HasSubstr("bad.csv:6:8: "), HasSubstr("bad.csv:6:15: ")));
    EXPECT_EQ(contents_below(house_.office.state()), before) << "neither rows nor files change";
}

TEST_F(Ingest, a_dry_run_proposes_the_same_payment_as_the_exception) {
    auto slip = taken_[0].reference;
    slip.back() = slip.back() == '9' ? '8' : '9';
    std::string line = confirmation_csv({taken_[0]});
    line.replace(line.find(taken_[0].reference), slip.size(), slip);
    const auto file = write("slip.csv", line);
    const auto shown = house_.office.run({"ingest", "--dry-run", file});
    EXPECT_THAT(shown.out, AllOf(HasSubstr("exception unknown_payment"), HasSubstr("(may be P0000000001, score ")));
    const auto previewed = Json::parse(house_.office.run({"ingest", "--dry-run", "--json", file}).out);
    EXPECT_EQ(to_string(house_.office.run({"ingest", file}).exit), "exit 3");
    const auto recorded = house_.office.json({"exceptions"}).at("exceptions").at(0).at("proposal");
    EXPECT_EQ(previewed.at("lines").at(0).at("proposal"), recorded);
    EXPECT_EQ(recorded.at("payment_id"), "P0000000001");
}

TEST_F(Ingest, has_the_same_effect_as_dropping_the_file) {
    const auto file = write("bank.csv", mixed());
    const auto done = house_.office.run({"ingest", file, "--reason", "the bank's portal was down"});
    EXPECT_EQ(to_string(done.exit), "exit 3") << done.err;
    EXPECT_THAT(done.out, AllOf(HasSubstr("4 lines taken: 2 applied"), HasSubstr("kept in spool/archive/")));
    EXPECT_TRUE(fs::exists(file)) << "the file is copied";
    EXPECT_THAT(house_.office.states(), Each(Pair(testing::_, "paid")));
    EXPECT_THAT(house_.office.open_exceptions(), testing::UnorderedElementsAre("amount_differs", "unknown_payment"));
    const auto again = house_.office.run({"ingest", file});
    EXPECT_EQ(to_string(again.exit), "exit 0");
    EXPECT_THAT(again.out, HasSubstr("a file with the same bytes was applied before: nothing was changed"));
    for (const auto& words : std::vector<std::vector<std::string>>{
             {"ingest", "--profile", "bay2", file}, {"ingest", "--dry-run", "--profile", "bay2", file}}) {
        const auto nobody = house_.office.run(words);
        EXPECT_EQ(to_string(nobody.exit), "exit 1") << "also of bytes that are known";
        EXPECT_THAT(nobody.err, HasSubstr("there is no profile 'bay2', nothing was imported: did you mean 'bai2'?"));
        EXPECT_FALSE(fs::exists(house_.office.state() / "quarantine" / "bank.csv"));
    }
    const auto refused = house_.office.run({"ingest", write("bad.csv", "payment_reference,status\n1,paid\n")});
    EXPECT_EQ(to_string(refused.exit), "exit 1");
    EXPECT_THAT(refused.out, HasSubstr("kept in quarantine/"));
    EXPECT_THAT(refused.err, HasSubstr("bad.csv:1: missing column 'amount'"));
    EXPECT_EQ(to_string(house_.office.run({"ingest", "/nowhere/bank.csv"}).exit), "exit 1");
    house_.office.expect_verified();
}

TEST_F(Ingest, the_requested_profile_overrides_the_file_name) {
    const auto file = write("bank.txt", confirmation_csv(taken_));
    const auto unknown = house_.office.run({"ingest", "--dry-run", file});
    EXPECT_EQ(to_string(unknown.exit), "exit 1");
    EXPECT_THAT(unknown.err, HasSubstr("no profile under 'confirmations' in drawbridge.yaml matches this name"));
    EXPECT_THAT(house_.office.run({"ingest", "--dry-run", "--profile", "nobody", file}).err,
                HasSubstr("there is no profile 'nobody'"));
    EXPECT_THAT(house_.office.run({"ingest", "--dry-run", "--profile", "bai2", file}).err,
                HasSubstr("this is not a bai2 file"));
    const auto done = house_.office.run({"ingest", "--profile", "csv", file});
    EXPECT_EQ(to_string(done.exit), "exit 0") << done.err;
    EXPECT_THAT(done.out, HasSubstr("recognized by the requested profile"));
}

TEST_F(Ingest, uses_a_running_daemon) {
    auto daemon = house_.office.start_daemon();
    wait_for_socket(house_.office);
    // More than one chunk.
    std::string bytes = confirmation_csv(taken_);
    for (int i = 0; i < 40'000; ++i)
        bytes += fmt::format("P{:010},paid,1.00,{}\n", 900'000'000 + i, taken_[0].created_on);
    const auto file = write("large.csv", bytes);
    const auto preview = house_.office.run({"ingest", "--dry-run", "--limit", "3", file});
    EXPECT_EQ(to_string(preview.exit), "exit 3") << preview.err;
    EXPECT_THAT(preview.out,
                AllOf(HasSubstr("… and 39,999 more lines"), HasSubstr("40,002 lines would be taken: 2 applied")));
    const auto done = house_.office.run({"ingest", write("bank.csv", confirmation_csv(taken_)), "--json"});
    EXPECT_EQ(to_string(done.exit), "exit 0") << done.err;
    EXPECT_EQ(Json::parse(done.out).at("applied"), 2);
    EXPECT_THAT(house_.office.daemon_log(), HasSubstr("ingest: bank.csv by uid "));
    stop(daemon);
    house_.office.expect_verified();
}

// DRAWBRIDGE_MANY_FILES=10000 for the full number.
TEST(ManyFiles, are_all_read_while_the_daemon_answers) {
    const char* wanted = std::getenv("DRAWBRIDGE_MANY_FILES");
    const int count = wanted == nullptr ? 300 : std::atoi(wanted);
    House house;
    house.sandbox.add({1, 250'00, "ACH-1"});
    house.office.run_once();
    const auto taken = house.bank.collect(house.office.outgoing());
    ASSERT_THAT(taken, SizeIs(1));
    auto daemon = house.office.start_daemon();
    wait_for_socket(house.office);
    const auto staging = house.folder.path() / "drop";
    fs::create_directory(staging);
    const std::string line = confirmation_line(taken[0]);
    for (int i = 0; i < count; ++i) {
        std::ofstream(staging / fmt::format("bank-{:05}.csv", i))
            << "payment_reference,status,amount,date" << std::string(static_cast<std::size_t>(i % 97), ' ')
            << std::string(static_cast<std::size_t>(i / 97), '\t') << "\n" + line;
    }
    const auto begin = Clock::now();
    for (const auto& file : files_in(staging))
        fs::rename(file, house.office.state() / "inbox" / file.filename());
    std::chrono::milliseconds longest{0};
    const auto deadline = begin + std::chrono::minutes(10);
    std::size_t left = 1;
    while (left > 0 && Clock::now() < deadline) {
        const auto asked = Clock::now();
        const auto status = house.office.json({"status"});
        longest = std::max(longest, std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - asked));
        left = status.at("inbox").at("ready").get<std::size_t>() +
               status.at("inbox").at("waiting_count").get<std::size_t>() +
               status.at("inbox").at("in_hand").get<std::size_t>();
    }
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
    std::cout << count << " files in " << took.count() << " ms; the longest wait for `status` " << longest.count()
              << " ms, the start of the program included\n";
    EXPECT_EQ(left, 0U);
    EXPECT_THAT(files_in(house.office.state() / "quarantine"), IsEmpty());
    stop(daemon);
    std::size_t archived = 0;
    for (const auto& entry : fs::recursive_directory_iterator(house.office.state() / "spool" / "archive"))
        archived += entry.is_regular_file() ? 1U : 0U;
    EXPECT_EQ(archived, static_cast<std::size_t>(count));
    house.office.expect_verified();
}

}  // namespace
}  // namespace drawbridge::e2e
