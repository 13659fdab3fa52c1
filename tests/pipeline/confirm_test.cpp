// The confirm step with return files.
#include <fmt/format.h>

#include <fstream>

#include "drawbridge/ledger/facts/confirmations.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/reports/audit_list.hpp"
#include "drawbridge/pipeline/ingest.hpp"
#include "pipeline/pipeline_fixture.hpp"

namespace drawbridge::pipeline {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Confirming : public Pipeline {
  protected:
    Confirming() {
        add(1);
        run_well({poll, decide, approve, pay});
        const auto files = ledger::payment_files(*ledger_, /*unreleased_only=*/false);
        payment_ = ledger::load_file(*ledger_, files.at(0).file_id).file.payments.at(0);
    }

    // A return entry of the payment as a bank sends it: only the batch, without a file header.
    [[nodiscard]] std::string nacha_return(std::string_view code) const {
        const std::string rdfi = std::string(payment_.payee.routing_number->identification());
        const std::string check_digit = payment_.payee.routing_number->to_string().substr(8);
        const auto cents = payment_.amount.cents();
        std::string file;
        file += fmt::format("5200{:16}{:20}{:10}PPD{:10}{:6}{:6}{:3}1{}{:07}\n", "CITY HOUSING", "", "1123456789",
                            "DRAWPMT", "", "", "", "09100001", 1);
        file += fmt::format("621{}{}{:17}{:010}{:15}{:22}{:2}1{}{:07}\n", rdfi, check_digit, "12345", cents, "",
                            "ANY NAME", "", rdfi, 1);
        file += fmt::format("799{}{}{:6}{}{:44}{}{:07}\n", code, *payment_.trace_number, "", "09100001", "", rdfi, 1);
        file += fmt::format("8200{:06}{:010}{:012}{:012}{:10}{:19}{:6}{}{:07}\n", 2, std::stoll(rdfi), 0, cents,
                            "1123456789", "", "", "09100001", 1);
        return file;
    }
    void drop(const std::string& name, const std::string& text) {
        std::ofstream(folder_.path() / "state" / "inbox" / name) << text;
    }
    [[nodiscard]] std::string detail_of(std::string_view reason) {
        for (const auto& row : ledger::open_exceptions(*ledger_)) {
            if (row.what.reason_code == reason) return row.what.detail;
        }
        return "no such exception";
    }

    disbursement::PlannedPayment payment_;
};

TEST_F(Confirming, a_nacha_return_ends_the_payment_with_the_banks_reason) {
    drop("returns.ach", nacha_return("R03"));
    run_well({confirm});
    EXPECT_EQ(state_of(1), "returned") << detail_of("file_refused");
    EXPECT_THAT(detail_of("returned"), HasSubstr("R03"));
    EXPECT_FALSE(ledger::is_paused(*ledger_));
    expect_clean_ledger();
}

TEST_F(Confirming, a_return_as_duplicate_entry_pauses_all_movement) {
    drop("returns.ach", nacha_return("R24"));
    run_well({confirm});
    EXPECT_EQ(state_of(1), "returned") << detail_of("file_refused");
    EXPECT_TRUE(ledger::is_paused(*ledger_));
}

TEST_F(Confirming, a_dishonored_return_beside_an_ordinary_one_is_only_an_exception) {
    std::string file = nacha_return("R03");
    file += nacha_return("R61");  // a dishonored return
    drop("returns.ach", file);
    run_well({confirm});
    EXPECT_EQ(state_of(1), "returned");
    EXPECT_THAT(reasons(), Contains("disputed_return"));
    expect_clean_ledger();
}

TEST_F(Confirming, the_audit_trail_says_who_handed_in_a_file) {
    drop("returns.ach", nacha_return("R03"));
    drop("bad.csv", "nonsense\n");
    run_well({confirm});
    for (const char* action : {"confirmation_file.applied", "confirmation_file.refused"}) {
        const auto entries = ledger::list_audit(*ledger_, {"", action, ""}).entries;
        ASSERT_EQ(entries.size(), 1U) << action;
        EXPECT_THAT(entries.front().detail, HasSubstr(", handed in by uid 4 (finance)")) << action;
    }
}

TEST_F(Confirming, the_daemon_records_the_rest_of_a_file_in_its_own_name) {
    for (DrawId id = 11; id <= 18; ++id)
        add(id, 4);
    run_well({poll, pay});
    std::string text = "payment_reference,status,amount,date\n";
    for (const auto& payment :
         ledger::load_file(*ledger_, ledger::payment_files(*ledger_, false).back().file_id).file.payments)
        text +=
            fmt::format("{},returned,{},{}\n", *payment.trace_number, payment.amount.to_string(), format_date(today()));
    std::ofstream(folder_.path() / "state/inbox/returns.csv") << text;
    clock_.ahead += std::chrono::seconds(1);
    // The daemon stops while it records the file.
    asio::cancellation_signal stop;
    bool ended = false;
    asio::co_spawn(
        io_, confirm(*context_),
        asio::bind_cancellation_slot(stop.slot(), [&](const std::exception_ptr&, StepReport) { ended = true; }));
    const std::function<void()> watch = [&] {
        if (ended) return;
        if (ledger::recording_since(*ledger_)) return stop.emit(asio::cancellation_type::terminal);
        asio::post(io_, watch);
    };
    asio::post(io_, watch);
    io_.restart();
    io_.run();
    ASSERT_TRUE(ledger::recording_since(*ledger_)) << "it is half recorded";
    // The first request after the next start completes it.
    Context act(*shared_, {clock_.now(), "uid 9 (cy)", 9});
    bool recorded = false;
    asio::co_spawn(io_, finish_recording(act), [&](const std::exception_ptr& failure) { recorded = !failure; });
    io_.restart();
    io_.run();
    ASSERT_TRUE(recorded);
    EXPECT_FALSE(ledger::recording_since(*ledger_));
    for (const auto& entry : ledger::list_audit(*ledger_, {"", "payment.returned", ""}).entries)
        EXPECT_EQ(entry.actor, daemon_actor);
}

}  // namespace
}  // namespace drawbridge::pipeline
