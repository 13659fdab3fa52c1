#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "disbursement/sample_plan.hpp"
#include "drawbridge/disbursement/plan.hpp"

namespace drawbridge::disbursement {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

PlannedFile planned(Rail rail) {
    const Plan sample =
        plan(testing::payables(), testing::directory(), testing::settings(), testing::numbers(), testing::now());
    return sample.files.at(rail == Rail::ach ? 0 : 1);
}

// The plan changes after the bytes were rendered, so that one field of the bytes differs each time.
TEST(VerifyRendered, finds_every_field_of_an_ach_file_that_differs_from_the_plan) {
    struct Case {
        const char* message;
        std::function<void(PlannedFile&, AchProfile&)> change;
    };
    const auto with = [](auto change) {
        return [change](PlannedFile& file, AchProfile&) { change(file.payments[1]); };
    };
    const Case table[] = {
        {"P0000000502: trace number", with([](PlannedPayment& p) { p.trace_number = "091000010000099"; })},
        {"P0000000502: account number",
         with([](PlannedPayment& p) { p.payee.account_number = AccountNumber::parse("777").value(); })},
        {"P0000000502: transaction code",
         with([](PlannedPayment& p) { p.payee.account_type = AccountType::checking; })},
        {"P0000000502: individual name", with([](PlannedPayment& p) { p.payee.name = "SMITH, JOAN"; })},
        {"P0000000502: effective entry date",
         with([](PlannedPayment& p) { p.effective_entry_date = testing::day(2026, 11, 24); })},
        {"P0000000502: batch number", with([](PlannedPayment& p) { p.batch_number = 13; })},
        {"P0000000502: standard entry class code", with([](PlannedPayment& p) { p.payee.sec_code = SecCode::ccd; })},
        {"P0000000900: individual identification", with([](PlannedPayment& p) { p.payment_id = 900; })},
        {"the entry hash differs",
         [](PlannedFile& f, AchProfile&) {
             f.payments[1].payee.routing_number = RoutingNumber::parse("021000021").value();
             f.entry_hash = control_totals(f).entry_hash;
         }},
        {"$100,043,750.75 in total, but planned: $100,043,750.76",
         [](PlannedFile& f, AchProfile&) {
             f.payments[1].amount = Money::from_cents(2);
             f.total += Money::from_cents(1);
         }},
        {"P0000000502: amount",
         [](PlannedFile& f, AchProfile&) { std::swap(f.payments[1].amount, f.payments[2].amount); }},
        {"P0000000501: routing number",
         [](PlannedFile& f, AchProfile&) {
             std::swap(f.payments[0].payee.routing_number, f.payments[1].payee.routing_number);
         }},
        {"4 payments, but planned: 3",
         [](PlannedFile& f, AchProfile&) {
             f.payments.pop_back();
             f.total = control_totals(f).total;
             f.entry_hash = control_totals(f).entry_hash;
         }},
        {"do not add up to its own totals", [](PlannedFile& f, AchProfile&) { f.total += Money::from_cents(1); }},
        {"file id modifier", [](PlannedFile& f, AchProfile&) { f.file_id_modifier = 'C'; }},
        {"file creation date", [](PlannedFile& f, AchProfile&) { f.creation_date = testing::day(2026, 11, 21); }},
        {"file creation time", [](PlannedFile& f, AchProfile&) { f.creation_time += std::chrono::minutes(1); }},
        {"immediate origin", [](PlannedFile&, AchProfile& p) { p.origin_id = "1123456780"; }},
        {"company identification", [](PlannedFile&, AchProfile& p) { p.company_id = "1123456780"; }},
        {"immediate destination",
         [](PlannedFile&, AchProfile& p) { p.odfi = RoutingNumber::parse("021000021").value(); }},
    };
    const PlannedFile original = planned(Rail::ach);
    const auto bytes = render(original, profile_for(testing::settings(), Rail::ach));
    ASSERT_TRUE(bytes);
    for (const Case& row : table) {
        PlannedFile file = original;
        AchProfile profile = *testing::settings().ach;
        row.change(file, profile);
        const auto good = verify_rendered(*bytes, file, profile);
        ASSERT_FALSE(good) << row.message;
        EXPECT_THAT(good.error().message, HasSubstr(row.message));
        EXPECT_THAT(good.error().message, HasSubstr("file ACH-20261120-B.ach differs from the plan"));
        EXPECT_THAT(good.error().message, Not(HasSubstr("SAV0099887")));
    }
}

TEST(VerifyRendered, refuses_bytes_damaged_in_any_significant_place) {
    const PlannedFile file = planned(Rail::ach);
    const FileProfile profile = profile_for(testing::settings(), Rail::ach);
    const auto bytes = render(file, profile);
    ASSERT_TRUE(bytes);
    const std::size_t lines = bytes->size() / 95;
    for (std::size_t line = 0; line < lines; ++line) {
        if ((*bytes)[line * 95] != '6') continue;
        for (std::size_t i = 0; i < 94; ++i) {
            if (i >= 76 && i <= 77) continue;  // discretionary data
            std::string damaged = *bytes;
            char& c = damaged[line * 95 + i];
            c = c == '9' ? '8' : '9';
            EXPECT_FALSE(verify_rendered(damaged, file, profile)) << "line " << line + 1 << ", position " << i + 1;
        }
    }
    // Another file after it, even one without batches, which changes no total.
    std::string empty = bytes->substr(0, 95) + "9000000000001" + std::string(42, '0');
    empty.resize(2 * 95 - 1, ' ');
    for (const std::string& second : {*bytes, empty + "\n"}) {
        const auto good = verify_rendered(*bytes + second, file, profile);
        ASSERT_FALSE(good);
        EXPECT_THAT(good.error().message, HasSubstr("a second file begins here"));
    }
    EXPECT_FALSE(verify_rendered("", file, profile));
    EXPECT_FALSE(verify_rendered(bytes->substr(0, bytes->size() - 95), file, testing::settings().check.value()));
}

TEST(VerifyRendered, finds_every_value_of_a_check_file_that_differs_from_the_plan) {
    const PlannedFile original = planned(Rail::check);
    const FileProfile profile = profile_for(testing::settings(), Rail::check);
    const auto bytes = render(original, profile);
    ASSERT_TRUE(bytes);
    const std::function<void(PlannedFile&)> changes[] = {
        [](PlannedFile& f) { f.payments[0].check_number = 10009; },
        [](PlannedFile& f) { f.payments[0].check_date = testing::day(2026, 11, 21); },
        [](PlannedFile& f) { std::swap(f.payments[0].amount, f.payments[1].amount); },
        [](PlannedFile& f) { f.payments[0].payee.name = "Somebody Else"; },
        [](PlannedFile& f) { f.payments.pop_back(); },
        [](PlannedFile& f) { f.total += Money::from_cents(1); },
    };
    EXPECT_TRUE(verify_rendered(*bytes, original, profile));
    for (const auto& change : changes) {
        PlannedFile file = original;
        change(file);
        EXPECT_FALSE(verify_rendered(*bytes, file, profile));
    }
    const CheckProfile other{AccountNumber::parse("9988776656").value(), testing::settings().check->layout};
    EXPECT_FALSE(verify_rendered(*bytes, original, other));
}

TEST(VerifyRendered, ignores_the_padding_of_a_name_in_a_fixed_column) {
    PlannedFile file = planned(Rail::check);
    file.payments[0].payee.name = "  Spaced Roofing  ";
    const std::string layout = std::string(DRAWBRIDGE_SOURCE_DIR) + "/config/layouts/issue-fixed-100.yaml";
    CheckProfile profile = *testing::settings().check;
    profile.layout = checks::read_issue_layout(testing::read_file(layout), "issue-fixed-100.yaml").value();
    const auto bytes = render(file, profile);
    ASSERT_TRUE(bytes) << bytes.error().message;
    const auto good = verify_rendered(*bytes, file, profile);
    EXPECT_TRUE(good) << good.error().message;
}

TEST(VerifyRendered, names_a_check_that_cannot_be_written) {
    const PlannedFile original = planned(Rail::check);
    const FileProfile profile = profile_for(testing::settings(), Rail::check);
    const auto bytes = render(original, profile);
    ASSERT_TRUE(bytes);
    PlannedFile file = original;
    file.payments[0].payee.name = "\xE6\x9D\xB1";
    const auto good = verify_rendered(*bytes, file, profile);
    ASSERT_FALSE(good);
    EXPECT_THAT(good.error().message, HasSubstr("the payee's name"));
}

TEST(VerifyRendered, refuses_a_file_or_batch_over_the_limits) {
    PlanSettings settings = testing::settings();
    settings.ach->offset = OffsetAccount{RoutingNumber::parse("091000019").value(),
                                         AccountNumber::parse("777000").value(), /*is_savings=*/false};
    std::vector<Payable> payables = {testing::payable(1, 100, "V-001"), testing::payable(2, 200, "V-001")};
    payables[1].remittance = "an addenda";
    const PlannedFile file =
        plan(payables, testing::directory(), settings, testing::numbers(), testing::now()).files.at(0);
    const std::string bytes = render(file, profile_for(settings, Rail::ach)).value();
    const auto message = [&](std::int64_t file_entries, std::int64_t batch_entries) {
        settings.max_file_entries = file_entries;
        settings.max_batch_entries = batch_entries;
        const auto good = testing::verify_with_limits(bytes, file, settings);
        return good ? std::string() : good.error().message;
    };
    EXPECT_EQ(message(4, 4), "");
    EXPECT_THAT(message(3, 4), HasSubstr(" has 4 entries and addenda, and ach.limits allows 3: void the file"));
    EXPECT_THAT(message(4, 3), HasSubstr(" has a batch of 4 entries and addenda, and ach.limits allows 3"));
    EXPECT_TRUE(verify_rendered(bytes, file, profile_for(settings, Rail::ach))) << "an older file";
}

TEST(VerifyRendered, finds_an_offset_of_another_batch_or_amount) {
    PlanSettings settings = testing::settings();
    settings.ach->offset = OffsetAccount{RoutingNumber::parse("091000019").value(),
                                         AccountNumber::parse("777000").value(), /*is_savings=*/false};
    const PlannedFile original =
        plan(testing::payables(), testing::directory(), settings, testing::numbers(), testing::now()).files.at(0);
    ASSERT_GE(original.offsets.size(), 2U);
    const FileProfile profile = profile_for(settings, Rail::ach);
    ASSERT_TRUE(verify_rendered(render(original, profile).value(), original, profile));
    const std::function<void(PlannedFile&)> changes[] = {
        [](PlannedFile& f) { std::swap(f.offsets[0].amount, f.offsets[1].amount); },
        [](PlannedFile& f) { std::swap(f.offsets[0].batch_number, f.offsets[1].batch_number); },
        [](PlannedFile& f) { std::swap(f.offsets[0].trace_number, f.offsets[1].trace_number); },
    };
    for (const auto& change : changes) {
        PlannedFile file = original;
        change(file);
        // Of the plan as it was, and of the changed plan itself.
        EXPECT_FALSE(verify_rendered(render(original, profile).value(), file, profile));
        const auto bytes = render(file, profile);
        if (bytes) {
            EXPECT_FALSE(verify_rendered(*bytes, file, profile));
        }
    }
}

}  // namespace
}  // namespace drawbridge::disbursement
