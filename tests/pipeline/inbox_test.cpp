// What happens to files that people, banks and attackers drop into the inbox, and what the operator sees.
#include <fmt/format.h>
#include <linux/capability.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/pipeline/deliver.hpp"
#include "drawbridge/statements/csv_profile.hpp"
#include "drawbridge/text/diagnostic.hpp"
#include "pipeline/pipeline_fixture.hpp"

namespace drawbridge::pipeline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

class Inbox : public Pipeline {
  protected:
    Inbox() {
        add(1);
        run_well({poll, decide, approve, pay});
        const auto files = ledger::payment_files(*ledger_, /*unreleased_only=*/false);
        payment_ = ledger::load_file(*ledger_, files.at(0).file_id).file.payments.at(0);
    }

    // A valid file with unique bytes.
    std::string good() {
        return "payment_reference,status,amount,date" + std::string(++good_files_, ' ') + "\n" +
               *payment_.trace_number + ",paid," + payment_.amount.to_string() + "," +
               format_date(context_->settings.plan.zone.date_of(clock_.now())) + "\n";
    }
    void drop(const std::string& name, const std::string& bytes) {
        std::ofstream(inbox_ / name, std::ios::binary) << bytes;
    }
    static std::vector<fs::path> files_below(const fs::path& folder) {
        std::vector<fs::path> files;
        for (const auto& entry : fs::recursive_directory_iterator(folder)) {
            if (entry.is_regular_file()) files.push_back(entry.path());
        }
        return files;
    }
    // The contents of all files in the archive, or in quarantine without the reports.
    std::multiset<std::string> kept(const fs::path& folder) {
        std::multiset<std::string> all;
        for (const auto& path : files_below(folder)) {
            if (!path.string().ends_with(".report.txt")) all.insert(read_file(path));
        }
        return all;
    }
    std::string reports() {
        std::string all;
        for (const auto& path : files_below(quarantine_)) {
            if (path.string().ends_with(".report.txt")) all += read_file(path);
        }
        return all;
    }
    // The run's summary and its problems.
    std::string report_text() {
        const auto report = run(confirm);
        std::string text = report.summary + "\n";
        for (const auto& problem : report.problems)
            text += problem + "\n";
        return text;
    }

    fs::path state_ = folder_.path() / "state";
    fs::path inbox_ = state_ / "inbox", archive_ = state_ / "spool/archive", quarantine_ = state_ / "quarantine";
    disbursement::PlannedPayment payment_;
    std::size_t good_files_ = 0;
};

TEST_F(Inbox, files_of_every_name_are_imported_and_kept_byte_for_byte) {
    std::string longest(251, 'x');
    std::multiset<std::string> dropped;
    for (const std::string& name : {std::string("plain.csv"), std::string("two\nlines.csv"),
                                    std::string("J\xC3\xA4nner \xE2\x82\xAC.CSV"), std::string("no utf-8 \xFF\xFE.csv"),
                                    longest + ".csv", std::string("-rf.csv"), std::string("a;b'c\"d.csv")}) {
        const std::string bytes = good();
        drop(name, bytes);
        dropped.insert(bytes);
    }
    EXPECT_THAT(report_text(), HasSubstr("7 files applied: 1 confirmation"));
    EXPECT_EQ(kept(archive_), dropped);
    EXPECT_THAT(files_below(inbox_), IsEmpty());
    EXPECT_THAT(files_below(state_ / "spool/claimed"), IsEmpty());
    expect_clean_ledger();
}

TEST_F(Inbox, the_same_bytes_under_another_profile_are_an_exception) {
    auto& options = context_->settings.confirmations;
    for (const std::string kind : {"paid", "returned"}) {
        const auto profile = statements::read_csv_profile(
            "format: csv\nreferences: [{kind: trace_number, column: trace}]\nstatus: {constant: " + kind +
                "}\namount: amount\ndate: date\n",
            kind + ".yaml");
        ASSERT_TRUE(profile) << text::to_string(profile.error());
        options.csv_profiles.push_back(*profile);
        options.rules.insert(options.rules.begin(),
                             {.match = kind + "*", .format = statements::Format::csv, .profile = profile->name});
    }
    const auto bytes = "trace,amount,date\n" + *payment_.trace_number + "," + payment_.amount.to_string() + "," +
                       format_date(context_->settings.plan.zone.date_of(clock_.now())) + "\n";
    drop("paid-1.csv", bytes);
    run_well({confirm});
    EXPECT_EQ(state_of(1), "paid");
    drop("paid-2.csv", bytes);
    run_well({confirm});
    EXPECT_THAT(reasons(), IsEmpty()) << "the same again";
    drop("returned-1.csv", bytes);
    run_well({confirm});
    EXPECT_EQ(state_of(1), "paid");
    EXPECT_THAT(exception_details("bank_file_reads_differently"),
                testing::ElementsAre(
                    AllOf(HasSubstr("applied before with 1 paid"), HasSubstr("as 'returned' they say 1 returned"))));
    drop("returned-2.csv", bytes + "\n");
    run_well({confirm});
    EXPECT_EQ(state_of(1), "returned");
    expect_clean_ledger();
}

TEST_F(Inbox, unreadable_files_are_refused_with_a_clear_reason) {
    struct Case {
        const char* name;
        std::string bytes;
        const char* says;
    };
    config_.confirmations.max_file_bytes = 5000;
    const Case cases[] = {
        {"empty.csv", "", "empty.csv: the file is empty: drop it again; it may be truncated"},
        {"huge.csv", std::string(5001, 'x'), "it has more than 5000 bytes (confirmations.max_file_bytes)"},
        {"bomb.csv", "PK\x03\x04" + std::string(100, 'x'),
         "this is a ZIP archive (or a spreadsheet, .xlsx): unpack it"},
        {"bomb.ach", "\x1F\x8B\x08" + std::string(100, 'x'), "this is a gzip archive: unpack it yourself"},
        {"statement.csv", "%PDF-1.7\n", "this is a PDF: ask the bank for the file as data"},
        {"noise.csv", std::string("\x01\x02\xFF\x00\x80", 5), "noise.csv:1"},
        {"holiday.jpg", "\xFF\xD8\xFF\xE0", "no profile under 'confirmations' in drawbridge.yaml matches this name"},
        {"html.csv", "<html><body>login expired</body></html>", "this is a web page (HTML)"},
        {"evil.xml", "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>", "DOCTYPE"},
    };
    for (const Case& one : cases) {
        SCOPED_TRACE(one.name);
        const std::string before = reports();
        drop(one.name, one.bytes);
        EXPECT_THAT(report_text(), AllOf(HasSubstr("1 file refused, see quarantine/"), HasSubstr(one.says)));
        EXPECT_THAT(reports(), HasSubstr(one.says));
        EXPECT_NE(reports(), before);
        EXPECT_TRUE(kept(quarantine_).contains(one.bytes)) << "byte for byte";
    }
    EXPECT_THAT(kept(archive_), IsEmpty());
    EXPECT_EQ(state_of(1), "paying");
    expect_clean_ledger();
}

TEST_F(Inbox, special_files_stay_in_the_inbox_and_are_reported) {
    const fs::path outside = folder_.path() / "outside.csv";
    std::ofstream(outside) << good();
    fs::create_symlink(outside, inbox_ / "link-out.csv");
    fs::create_symlink(state_ / "ledger.db", inbox_ / "link-in.csv");
    fs::create_directory(inbox_ / "folder.csv");
    ASSERT_EQ(::mkfifo((inbox_ / "pipe.csv").c_str(), 0666), 0);
    const bool has_device = ::mknod((inbox_ / "device.csv").c_str(), S_IFCHR | 0666, (1 << 8) | 5) == 0;  // /dev/zero
    const auto text = report_text();
    for (const char* name : {"link-out.csv", "link-in.csv"})
        EXPECT_THAT(text, HasSubstr("inbox/" + std::string(name) + " stays there: a symbolic link"));
    EXPECT_THAT(text, HasSubstr("inbox/folder.csv stays there: a folder; drop the files themselves"));
    EXPECT_THAT(text, HasSubstr("inbox/pipe.csv stays there: a pipe"));
    if (has_device) {
        EXPECT_THAT(text, HasSubstr("inbox/device.csv stays there: a device"));
    }
    EXPECT_TRUE(fs::exists(outside));
    EXPECT_EQ(state_of(1), "paying");
}

// While it lives, this thread obeys the permissions of folders even as root.
class WithoutPrivileges {
  public:
    WithoutPrivileges() {
        EXPECT_EQ(::syscall(SYS_capget, &header_, &had_[0]), 0);
        auto has = had_;
        has[0].effective &= ~((1U << CAP_DAC_OVERRIDE) | (1U << CAP_DAC_READ_SEARCH));
        EXPECT_EQ(::syscall(SYS_capset, &header_, &has[0]), 0);
    }
    WithoutPrivileges(const WithoutPrivileges&) = delete;
    WithoutPrivileges& operator=(const WithoutPrivileges&) = delete;
    ~WithoutPrivileges() { EXPECT_EQ(::syscall(SYS_capset, &header_, &had_[0]), 0); }

  private:
    __user_cap_header_struct header_{_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, 2> had_{};
};

TEST_F(Inbox, a_run_that_may_not_take_a_file_fails_and_the_third_raises_an_exception) {
    drop("bank.csv", good());
    fs::permissions(inbox_, fs::perms::owner_read | fs::perms::owner_exec);
    {
        const WithoutPrivileges as_daemon;
        for (int i = 1; i <= 3; ++i) {
            const auto report = run(confirm);
            EXPECT_FALSE(report.ok);
            EXPECT_THAT(
                report.problems,
                ::testing::ElementsAre(HasSubstr("inbox/bank.csv stays there: Permission denied: the inbox is not")));
            EXPECT_EQ(reasons().size(), i == 3 ? 1U : 0U);
        }
    }
    EXPECT_THAT(reasons(), ::testing::ElementsAre("bank_files_stuck"));
    fs::permissions(inbox_, fs::perms::owner_all);
    run_well({confirm});
    EXPECT_EQ(state_of(1), "paid");
    EXPECT_THAT(reasons(), IsEmpty());
    expect_clean_ledger();
}

TEST_F(Inbox, a_file_that_cannot_be_archived_counts_as_applied) {
    // Long enough to be read in slices.
    std::string file = good();
    const std::string line = file.substr(file.find('\n') + 1);
    for (int i = 0; i < 900; ++i)
        file += line;
    drop("bank.csv", file);
    // Somebody takes it away while it is read.
    context_->progress = [this](std::string_view, std::int64_t, std::int64_t) {
        for (const auto& file : files_below(state_ / "spool/claimed"))
            fs::remove(file);
    };
    const auto report = run(confirm);
    EXPECT_FALSE(report.ok);
    EXPECT_THAT(report.summary, HasSubstr("1 file applied: 1 confirmation"));
    EXPECT_THAT(report.problems, ::testing::ElementsAre(HasSubstr("cannot be archived: it is no longer in")));
    EXPECT_EQ(state_of(1), "paid");
}

TEST_F(Inbox, incomplete_files_wait_for_a_later_run) {
    config_.confirmations.quiet_period = std::chrono::minutes(1);
    for (const char* name : {"a.csv.part", ".hidden.csv", "a.tmp", "a.csv~", "~$a.csv", "growing.csv"})
        drop(name, good());
    auto report = run(confirm);
    EXPECT_TRUE(report.again) << "one file becomes ready after the quiet period";
    EXPECT_EQ(files_below(inbox_).size(), 6U);
    clock_.ahead = std::chrono::minutes(2);
    report = run(confirm);
    EXPECT_FALSE(report.again);
    EXPECT_EQ(files_below(inbox_).size(), 5U);
    fs::rename(inbox_ / "a.csv.part", inbox_ / "a.csv");
    run_well({confirm});
    EXPECT_EQ(files_below(inbox_).size(), 4U);
    EXPECT_EQ(state_of(1), "paid");
}

TEST_F(Inbox, a_file_is_identified_by_its_bytes_and_not_its_name) {
    const std::string first = good();
    drop("bank.csv", first);
    drop("copy of bank.csv", first);
    EXPECT_THAT(report_text(), AllOf(HasSubstr("1 file applied: 1 confirmation"), HasSubstr("1 file dropped again")));
    const std::string second = good();
    drop("bank.csv", second);
    EXPECT_THAT(report_text(), HasSubstr("1 file applied: 0 confirmations ($0.00 paid), 1 already known"));
    drop("bank.csv", second);
    EXPECT_THAT(report_text(), HasSubstr("0 files applied: 0 confirmations ($0.00 paid); 1 file dropped again"));
    EXPECT_TRUE(kept(archive_).contains(first));
    EXPECT_TRUE(kept(archive_).contains(second));
    expect_clean_ledger();
}

TEST_F(Inbox, a_large_file_is_applied_completely_or_not_at_all) {
    // More lines than fit in memory: unknown payments, and ours twice among them.
    const auto file = [&](const std::string& last) {
        std::string bytes = good();
        const std::string ours = bytes.substr(bytes.find('\n') + 1);
        for (int i = 0; i < 3000; ++i)
            bytes += fmt::format("P{:010},paid,1.00,2026-01-05\n", 900'000 + i);
        return bytes + ours + last;
    };
    drop("cut.csv", file("P0000000001,paid\n"));
    EXPECT_THAT(report_text(), AllOf(HasSubstr("1 file refused"), HasSubstr("cut.csv:3004: 2 fields")));
    EXPECT_THAT(reasons(), ::testing::ElementsAre("file_refused"));
    drop("whole.csv", file(""));
    EXPECT_THAT(report_text(), HasSubstr("1 file applied: 1 confirmation (" + payment_.amount.to_display() +
                                         " paid), 3,001 exceptions"));
    EXPECT_EQ(state_of(1), "paid");
    expect_clean_ledger();
}

TEST_F(Inbox, a_file_for_another_account_is_refused_if_own_accounts_are_configured) {
    context_->settings.confirmations.office.accounts = {*AccountNumber::parse("111222333")};
    drop("statement.bai",
         "01,BANK,OFFICE,261124,0800,7,,,2/\n02,OFFICE,BANK,1,261123,,USD,2/\n03,99988877,USD,,,,/\n"
         "16,475,500,Z,,10001,A/\n49,500,3/\n98,500,1,5/\n99,500,1,7/\n");
    EXPECT_THAT(report_text(), HasSubstr("the file only mentions accounts that are not ours: ****8877"));
}

// Real files from banks.
TEST_F(Inbox, real_bank_files_are_imported) {
    struct Case {
        const char* name;
        const char* says;
    };
    const Case cases[] = {
        {"bai2-sample1.txt", "1 file applied: 0 confirmations ($0.00 paid), 17 without effect"},
        {"bai2-sample3.txt", "1 file applied: 0 confirmations ($0.00 paid), 26 without effect"},
        {"camt053-v02-fi.xml", "1 file applied: 0 confirmations ($0.00 paid), 13 without effect"},
        {"camt054-v04-debit.xml", "1 file applied: 0 confirmations ($0.00 paid), 1 without effect\n"},
        {"camt054-v04-returns.xml", "1 file applied: 0 confirmations ($0.00 paid), 1 exception\n"},
        {"pain002-epo.xml", "1 file applied: 0 confirmations ($0.00 paid), 1 without effect"},
        {"nacha-return-web.ach", "1 file applied: 0 confirmations ($0.00 paid), 2 exceptions"},
        {"nacha-noc.ach", "1 file applied: 0 confirmations ($0.00 paid), 1 exception\n"},
    };
    for (const Case& one : cases) {
        SCOPED_TRACE(one.name);
        const std::string bytes = read_file(fs::path(DRAWBRIDGE_TEST_DATA "/statements") / one.name);
        ASSERT_FALSE(bytes.empty());
        drop(one.name, bytes);
        EXPECT_THAT(report_text(), HasSubstr(one.says));
        EXPECT_TRUE(kept(archive_).contains(bytes));
    }
    EXPECT_EQ(state_of(1), "paying") << "none of them is about our payment";
    expect_clean_ledger();
}

TEST_F(Inbox, no_credit_counts_as_paid_by_time_while_a_file_stays_there) {
    config_.ach->confirm_after_banking_days = 2;
    add(77, 4);
    run_well({poll, pay});
    const auto file = ledger::payment_files(*ledger_, /*unreleased_only=*/false).back();
    ASSERT_TRUE(resolve_delivery(*context_, file.name, DeliveryResolution::by_hand, "in the portal",
                                 {clock_.now(), "uid 7 (eva)", 7}));
    const auto inbox = folder_.path() / "state" / "inbox";
    std::ofstream(folder_.path() / "returns.csv") << "any";
    fs::create_symlink(folder_.path() / "returns.csv", inbox / "returns.csv");
    days_pass();
    EXPECT_EQ(state_of(77), "paying") << "its return may be in the link";
    fs::remove(inbox / "returns.csv");
    std::ofstream(inbox / "returns.csv.part") << "any";
    days_pass(1);
    EXPECT_EQ(state_of(77), "paying") << "its return may be in a file that never became complete";
    fs::remove(inbox / "returns.csv.part");
    days_pass(1);
    EXPECT_EQ(state_of(77), "paid");
}

}  // namespace
}  // namespace drawbridge::pipeline
