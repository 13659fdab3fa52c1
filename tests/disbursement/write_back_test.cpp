#include "drawbridge/disbursement/write_back.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drawbridge::disbursement {
namespace {

using ::testing::HasSubstr;

TEST(WriteBackTemplate, puts_the_values_in_their_places) {
    const WriteBackValues values = {{"trace_number", "091000010000001"}, {"return_code", "R02"}};
    const struct {
        const char* text;
        const char* expanded;
    } cases[] = {
        {"ACH {trace_number}", "ACH 091000010000001"},
        {"{return_code}{return_code}", "R02R02"},
        {"paid", "paid"},
        {"check {check_number}.", "check ."},
    };
    for (const auto& c : cases)
        EXPECT_EQ(WriteBackTemplate::parse(c.text, WriteBackEvent::return_).value().expand(values), c.expanded);
}

TEST(WriteBackTemplate, knows_at_each_stage_what_can_be_known_then) {
    const struct {
        const char* text;
        WriteBackEvent event;
        const char* said;  // empty: it is good
    } cases[] = {
        {"{trace_number} {check_number} {payment_id} {amount} {file_name} {effective_date}", WriteBackEvent::export_,
         ""},
        {"{bank_date}", WriteBackEvent::export_, "under confirmation or return"},
        {"{bank_date}", WriteBackEvent::confirmation, ""},
        {"{return_code}", WriteBackEvent::confirmation, "under return"},
        {"{bank_date} {settlement_date} {return_code} {return_reason}", WriteBackEvent::return_, ""},
        {"{trace}", WriteBackEvent::export_, "unknown placeholder '{trace}'"},
        {"{trace_numbr}", WriteBackEvent::export_, "did you mean '{trace_number}'?"},
        {"{trace_number", WriteBackEvent::export_, "a brace stands alone"},
        {"}", WriteBackEvent::export_, "a brace stands alone"},
    };
    for (const auto& c : cases) {
        const auto read = WriteBackTemplate::parse(c.text, c.event);
        EXPECT_EQ(read.has_value(), *c.said == '\0') << c.text;
        EXPECT_THAT(read ? "" : read.error().message, HasSubstr(c.said));
    }
}

TEST(WriteBackEvents, have_names_that_are_read_again) {
    for (const auto event : write_back_events)
        EXPECT_EQ(parse_write_back_event(to_string(event)), event);
    EXPECT_FALSE(parse_write_back_event("released"));
}

}  // namespace
}  // namespace drawbridge::disbursement
