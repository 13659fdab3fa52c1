// Returned payments and the acts on them, with a crash at each durable step.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <map>
#include <string>

#include "drawbridge/domain/banking_calendar.hpp"
#include "e2e/office.hpp"

namespace drawbridge::e2e {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Returns : public testing::Test {
  protected:
    explicit Returns(const OfficeOptions& options = {}) : house_(options) {}
    void SetUp() override { house_.sandbox.add({1, 200'00, "ACH-1"}); }

    void pay_and_collect() {
        house_.office.run_once();
        house_.office.run_once();
        instruction_ = house_.bank.collect(house_.office.outgoing()).back();
    }
    // Drops the bank's line about the newest payment. `reference` replaces the payment's own.
    void drop(const std::string& status, const std::string& reference = {}) {
        Instruction line = instruction_;
        if (!reference.empty()) line.reference = reference;
        dropped_ = confirmation_csv({line}, status);
        house_.office.drop("bank-" + std::to_string(++files_) + ".csv", dropped_);
    }
    // A person from finance ingests the file that was dropped last.
    void hand_in_again() {
        const auto path = house_.office.folder() / "again.csv";
        write_file(path, dropped_);
        EXPECT_EQ(to_string(house_.office.act_as(finance_person, {"ingest", path.string()}).exit), "exit 0");
    }
    std::string newest_exception() {
        const auto open = house_.office.json({"exceptions"}).at("exceptions");
        return open.back().at("id").dump();
    }
    void expect_killed(const Outcome& outcome) { EXPECT_EQ(outcome.exit.signal, SIGKILL) << outcome.err; }

    House house_;
    Instruction instruction_;
    std::string dropped_;
    int files_ = 0;
};

TEST_F(Returns, a_line_is_matched_and_unmatched_across_crashes) {
    pay_and_collect();
    drop("returned", "999999999999999");
    house_.office.run_once();
    ASSERT_THAT(house_.office.open_exceptions(), ElementsAre("unknown_payment"));
    const std::string id = newest_exception();
    const auto shown = house_.office.run({"exception", id});
    EXPECT_THAT(shown.out, HasSubstr("999999999999999"));
    EXPECT_THAT(shown.out, HasSubstr("the amount is the same"));
    const auto proposals = house_.office.json({"exception", id}).at("proposals");
    ASSERT_EQ(proposals.size(), 1U);
    const std::string payment = proposals[0].at("payment_id");
    const std::vector<std::string> match = {"resolve", id, "--match", payment, "--reason", "the bank's letter"};
    expect_killed(house_.office.act_to_crash("resolve.committed:1", match));
    EXPECT_EQ(house_.office.state_of(1), "returned");
    EXPECT_THAT(house_.office.open_exceptions(), ElementsAre("returned"));
    EXPECT_EQ(to_string(house_.office.run(match).exit), "exit 1") << "it is already matched";
    house_.office.expect_verified();
    const std::vector<std::string> undo = {"resolve", id, "--undo", "--reason", "it was another's"};
    expect_killed(house_.office.act_to_crash("resolve.committed:1", undo));
    EXPECT_EQ(house_.office.state_of(1), "paying");
    EXPECT_THAT(house_.office.open_exceptions(), ElementsAre("unknown_payment"));
    EXPECT_THAT(house_.office.run(undo).err, HasSubstr("was already undone"));
    house_.office.run_once();
    EXPECT_THAT(house_.bank.collect(house_.office.outgoing()), IsEmpty());
    house_.office.expect_verified();
}

TEST_F(Returns, a_draw_is_paid_again_once_across_crashes) {
    pay_and_collect();
    drop("returned");
    expect_killed(house_.office.run_to_crash("confirm.committed:1"));
    house_.office.run_once();
    EXPECT_EQ(house_.office.state_of(1), "returned");
    EXPECT_THAT(house_.office.open_exceptions(), ElementsAre("returned"));
    house_.office.run_once();
    EXPECT_THAT(house_.bank.collect(house_.office.outgoing()), IsEmpty()) << "not without an order";
    const std::vector<std::string> reissue = {"resolve", newest_exception(), "--reissue", "--reason", "there is money"};
    EXPECT_EQ(to_string(house_.office.run(reissue).exit), "exit 1") << "no person ingested the return";
    hand_in_again();
    expect_killed(house_.office.act_to_crash("reissue.committed:1", reissue));
    EXPECT_EQ(to_string(house_.office.run({"reissue", "1", "--reason", "again"}).exit), "exit 1") << "already ordered";
    expect_killed(house_.office.run_to_crash("pay.plan_committed:1"));
    house_.office.run_once();
    house_.office.release_what_waits();
    const auto again = house_.bank.collect(house_.office.outgoing());
    ASSERT_EQ(again.size(), 1U);
    EXPECT_NE(again[0].reference, instruction_.reference);
    EXPECT_EQ(again[0].cents, instruction_.cents);
    house_.office.expect_verified();
}

TEST_F(Returns, a_voided_check_is_paid_again_only_on_order) {
    house_.sandbox.add({2, 300'00, "CHK-1"});
    pay_and_collect();
    const std::string number = house_.office.json({"checks"}).at("checks")[0].at("number").dump();
    EXPECT_EQ(to_string(house_.office.run({"reissue", "2", "--reason", "lost"}).exit), "exit 1")
        << "the check is outstanding";
    house_.office.json({"void", "--check", number, "--reason", "lost in the mail"});
    EXPECT_EQ(to_string(house_.office.run({"reissue", "2", "--reason", "lost"}).exit), "exit 1")
        << "the bank does not have the order yet";
    house_.office.run_once();
    house_.office.release_what_waits();
    ASSERT_EQ(house_.office.state_of(2), "returned");
    const auto files = house_.office.json({"files"}).at("files");
    const auto files_before = files.size();
    EXPECT_EQ(to_string(house_.office.run({"reissue", "2", "--reason", "lost"}).exit), "exit 1")
        << "nothing shows that the bank has the order";
    for (const auto& file : files) {
        const std::string name = file.at("name");
        if (name.starts_with("CHV-")) house_.office.json({"deliver", name, "--by-hand", "--reason", "in the portal"});
    }
    house_.office.json({"reissue", "2", "--reason", "lost"});
    house_.office.run_once();
    house_.office.release_what_waits();
    EXPECT_EQ(house_.office.state_of(2), "paying");
    EXPECT_EQ(house_.office.json({"files"}).at("files").size(), files_before + 1);
    EXPECT_THAT(house_.office.open_exceptions(2), IsEmpty());
    house_.office.expect_verified();
}

// BAI2 557 is a debit. The money of a returned payment would be a credit.
TEST_F(Returns, an_adjustment_debit_about_a_payment_raises_an_exception_only) {
    pay_and_collect();
    const std::string day = instruction_.created_on;
    const std::string yymmdd = day.substr(2, 2) + day.substr(5, 2) + day.substr(8, 2);
    house_.office.drop("statement.bai", "01,CITY,OFFICE," + yymmdd + ",0600,1,80,,2/\n02,OFFICE,CITY,1," + yymmdd +
                                            ",2359,USD,2/\n03,4400123456,USD,,,,/\n16,557,20000,,BR1," +
                                            instruction_.reference +
                                            ",ACH RETURN ITEM R02/\n49,20000,3/\n98,20000,1,5/\n99,20000,1,7/\n");
    house_.office.run_once();
    EXPECT_EQ(house_.office.state_of(1), "paying");
    EXPECT_THAT(house_.office.open_exceptions(1), ElementsAre("impossible_return"));
    house_.office.expect_verified();
}

// A credit without a return in time counts as paid; the program dies on the way to the report.
class Silence : public Returns {
  protected:
    Silence() : Returns({.ach = "  confirm_after_banking_days: 2\n"}) {}

    static constexpr auto weeks = std::chrono::seconds(std::chrono::days(20));

    Outcome run_weeks_later(const std::string& crash_at = {},
                            const std::vector<std::string>& arguments = {"run", "--once"},
                            std::chrono::seconds later = weeks) {
        std::map<std::string, std::string> environment{{"DRAWBRIDGE_CLOCK_SHIFT", std::to_string(later.count())}};
        if (!crash_at.empty()) environment["DRAWBRIDGE_CRASH_AT"] = crash_at;
        return house_.office.run_test_program(arguments, environment);
    }
    // A banking day counts only if Drawbridge looked for returns on it.
    void run_on_two_banking_days(std::chrono::days later = std::chrono::days(8)) {
        const auto zone = TimeZone::find("America/New_York").value();
        const BankingCalendar calendar;
        for (int runs = 0; runs < 2; later += std::chrono::days(1)) {
            const auto then = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()) + later;
            if (!calendar.is_banking_day(zone.date_of(then))) continue;
            EXPECT_EQ(to_string(run_weeks_later({}, {"run", "--once"}, later).exit), "exit 0");
            ++runs;
        }
    }
    [[nodiscard]] int confirmations() const {
        const auto timeline = house_.office.json({"draw", "1"}).at("timeline");
        return static_cast<int>(std::ranges::count_if(timeline, [](const Json& entry) {
            return entry.dump().find("nothing came back in time") != std::string::npos;
        }));
    }
};

TEST_F(Silence, does_not_confirm_a_file_without_evidence) {
    house_.office.run_once();
    house_.sandbox.disburse_all_approved();
    const std::string file = house_.office.json({"files"}).at("files")[0].at("name");
    EXPECT_EQ(to_string(run_weeks_later().exit), "exit 0");
    EXPECT_EQ(house_.office.state_of(1), "paying") << "the file is in outgoing/";
    house_.bank.collect(house_.office.outgoing());
    EXPECT_EQ(to_string(run_weeks_later().exit), "exit 0");
    EXPECT_EQ(house_.office.state_of(1), "paying") << "its removal is not evidence";
    EXPECT_THAT(house_.office.run({"deliver", file, "--again", "--reason", "no"}).err,
                HasSubstr("does not go by SFTP"));
    // Recorded on the day when the wait would have ended: it starts on that day.
    const std::vector<std::string> by_hand = {"deliver", file, "--by-hand", "--reason", "the bank's portal shows it"};
    EXPECT_EQ(to_string(run_weeks_later({}, by_hand).exit), "exit 0");
    EXPECT_THAT(run_weeks_later({}, by_hand).err, HasSubstr("is at the bank, recorded by uid"));
    EXPECT_EQ(to_string(run_weeks_later().exit), "exit 0");
    EXPECT_EQ(house_.office.state_of(1), "paying");
    run_on_two_banking_days(std::chrono::days(28));
    EXPECT_EQ(to_string(run_weeks_later({}, {"run", "--once"}, 2 * weeks).exit), "exit 0");
    EXPECT_EQ(house_.office.state_of(1), "reported");
    EXPECT_THAT(house_.office.run({"file", file}).out, HasSubstr("the bank's portal shows it"));
    house_.office.expect_verified();
}

TEST_F(Silence, check_warns_if_files_are_picked_up_from_outgoing) {
    EXPECT_THAT(house_.office.run({"check"}).err + house_.office.run({"check"}).out,
                HasSubstr("deliver NAME --by-hand"));
}

class SilenceCrashes : public Silence, public testing::WithParamInterface<const char*> {};

TEST_P(SilenceCrashes, confirms_a_payment_once_and_reports_it_once) {
    pay_and_collect();
    house_.office.json({"deliver", instruction_.file, "--by-hand", "--reason", "the bank's portal shows it"});
    house_.sandbox.disburse_all_approved();
    run_on_two_banking_days();
    expect_killed(run_weeks_later(std::string(GetParam()) + ":1"));
    house_.office.expect_verified();
    for (int run = 0; run < 2; ++run)
        EXPECT_EQ(to_string(run_weeks_later().exit), "exit 0");
    EXPECT_EQ(house_.office.state_of(1), "reported");
    EXPECT_EQ(confirmations(), 1);
    EXPECT_THAT(house_.office.open_exceptions(), IsEmpty());
    house_.office.expect_verified();
}

class WriteBack : public Returns, public testing::WithParamInterface<const char*> {};

TEST_P(WriteBack, is_written_despite_a_crash_at_any_point) {
    house_.office.configure("report: {write_back: {export: {fieldE: \"ACH {trace_number}\", fieldD: \"{amount}\"}}}\n");
    expect_killed(house_.office.run_to_crash(std::string(GetParam()) + ":1"));
    house_.office.expect_verified();
    house_.office.run_once();
    house_.office.run_once();
    instruction_ = house_.bank.collect(house_.office.outgoing()).back();
    EXPECT_EQ(house_.sandbox.draw(1).at("fieldE"), "ACH " + instruction_.reference);
    EXPECT_EQ(house_.sandbox.draw(1).at("fieldD"), "200.00");
    EXPECT_THAT(house_.office.open_exceptions(), IsEmpty());
    house_.office.expect_verified();
}

std::string test_name(const testing::TestParamInfo<const char*>& point) {
    std::string name = point.param;
    std::ranges::replace(name, '.', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(AtEveryPoint, SilenceCrashes,
                         testing::Values("by_time.committed", "report.intent_committed", "report.request_sent",
                                         "report.answer_received", "report.result_committed"),
                         test_name);

INSTANTIATE_TEST_SUITE_P(AtEveryPoint, WriteBack,
                         testing::Values("pay.released_committed", "write_back.intent_committed", "report.request_sent",
                                         "report.answer_received", "write_back.result_committed"),
                         test_name);

}  // namespace
}  // namespace drawbridge::e2e
