// A single payment is voided before its file is released, from the command line, also with a crash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <string>

#include "e2e/office.hpp"

namespace drawbridge::e2e {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class VoidPayment : public testing::Test {
  protected:
    VoidPayment() {
        for (std::int64_t id = 1; id <= 3; ++id)
            house.sandbox.add({id, 200'00 + id, "ACH-" + std::to_string(id)});
        office.run_once();
        office.run_once();
        file = office.json({"files"}).at("files").at(0).at("name");
        const auto payments = office.json({"file", file}).at("payments");
        payment = payments.at(1).at("payment_id");
        draw = payments.at(1).at("draw_id");
    }
    void expect_only_the_others_paid() {
        office.run_once();
        office.run_once();
        EXPECT_THAT(office.open_exceptions(), ElementsAre("payment_voided"));
        EXPECT_EQ(office.state_of(draw), "blocked");
        const auto staged = files_in(office.state() / "spool" / "staged");
        ASSERT_THAT(staged, SizeIs(1));
        EXPECT_NE(staged.front().filename(), file);
        EXPECT_THAT(read_payment_file(staged.front()), SizeIs(2));
        office.expect_verified();
    }

    House house{OfficeOptions{.release = "manual"}};
    Office& office = house.office;
    std::string file, payment;
    std::int64_t draw = 0;
};

TEST_F(VoidPayment, holds_its_draw_until_a_person_resolves_it) {
    const auto voided = office.run({"void", "--payment", payment, "--reason", "wrong payee"});
    EXPECT_EQ(to_string(voided.exit), "exit 0") << voided.err;
    EXPECT_THAT(voided.out, AllOf(HasSubstr("payment " + payment + " is void, and so is its whole file " + file),
                                  HasSubstr("the other 2 draws may be paid again by the next pay run, unless held")));
    expect_only_the_others_paid();
    EXPECT_THAT(office.run({"draw", std::to_string(draw)}).out, HasSubstr(payment + " voided by uid "));
    const auto other = office.run({"draw", draw == 1 ? "2" : "1"}).out;
    EXPECT_THAT(other, HasSubstr(file + " voided by uid ")) << "its file went with the payment";
    EXPECT_THAT(other, HasSubstr("before it went out, together with P"));
    const auto id = office.json({"exceptions"}).at("exceptions").at(0).at("id").dump();
    EXPECT_EQ(to_string(office.run({"resolve", id, "--reason", "it was right"}).exit), "exit 0");
    office.run_once();
    EXPECT_EQ(office.state_of(draw), "paying");
    EXPECT_THAT(office.open_exceptions(), IsEmpty());
    office.expect_verified();
}

TEST_F(VoidPayment, completes_after_a_crash) {
    const auto died =
        office.run_to_crash("void.committed:1", {"void", "--payment", payment, "--reason", "wrong payee"});
    EXPECT_EQ(died.exit.signal, SIGKILL) << died.err;
    expect_only_the_others_paid();
}

TEST_F(VoidPayment, requires_exactly_a_payment) {
    EXPECT_EQ(to_string(office.run({"void", file, "--payment", payment, "--reason", "x"}).exit), "exit 2");
    EXPECT_EQ(to_string(office.run({"void", "--payment", payment, "--check", "1", "--reason", "x"}).exit), "exit 2");
    for (const char* none : {"P0000009999", "12", "P00"}) {
        const auto refused = office.run({"void", "--payment", none, "--reason", "x"});
        EXPECT_EQ(to_string(refused.exit), "exit 1") << none;
        EXPECT_THAT(refused.err, HasSubstr("drawbridge file NAME")) << none;
    }
    EXPECT_THAT(office.open_exceptions(), IsEmpty());
}

}  // namespace
}  // namespace drawbridge::e2e
