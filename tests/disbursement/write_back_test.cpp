#include "drawbridge/disbursement/write_back.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drawbridge::disbursement {
namespace {

using ::testing::HasSubstr;

TEST(WriteBackTemplate, expands_values_into_placeholders) {
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

TEST(WriteBackTemplate, knows_the_texts_that_it_may_have_produced) {
    const struct {
        const char* text;
        const char* written;
        bool may;
    } cases[] = {
        {"ACH {trace_number} {amount}", "ACH 091000010000001 $5.00", true},
        {"ACH {trace_number} {amount}", "ACH  $5.00", true},  // a check has no trace number
        {"ACH {trace_number} {amount}", "ACH 09100001000000 $5.00", false},
        {"ACH {trace_number} {amount}", "ACH by hand $5.00", false},
        {"check {check_number}", "check 10001", true},
        {"check {check_number}", "check X", false},
        {"{payment_id}", "P0000000001", true},
        {"{payment_id}", "P000000001", false},
        {"{payment_id}", "", false},
        {"in {file_name}", "in anything", true},
        {"paid {amount}", "paid $5.00", false},  // names no payment
    };
    for (const auto& c : cases)
        EXPECT_EQ(WriteBackTemplate::parse(c.text, WriteBackEvent::export_).value().may_have_produced(c.written), c.may)
            << c.text << ": " << c.written;
}

TEST(WriteBackTemplate, accepts_only_the_placeholders_known_at_each_event) {
    const struct {
        const char* text;
        WriteBackEvent event;
        const char* message;  // empty: valid
    } cases[] = {
        {"{trace_number} {check_number} {payment_id} {amount} {file_name} {effective_date}", WriteBackEvent::export_,
         ""},
        {"{bank_date}", WriteBackEvent::export_, "under confirmation or return"},
        {"{bank_date}", WriteBackEvent::confirmation, ""},
        {"{return_code}", WriteBackEvent::confirmation, "under return"},
        {"{bank_date} {settlement_date} {return_code} {return_reason}", WriteBackEvent::return_, ""},
        {"{trace}", WriteBackEvent::export_, "unknown placeholder '{trace}'"},
        {"{trace_numbr}", WriteBackEvent::export_, "did you mean '{trace_number}'?"},
        {"{trace_number", WriteBackEvent::export_, "a brace has no match"},
        {"}", WriteBackEvent::export_, "a brace has no match"},
    };
    for (const auto& c : cases) {
        const auto read = WriteBackTemplate::parse(c.text, c.event);
        EXPECT_EQ(read.has_value(), *c.message == '\0') << c.text;
        EXPECT_THAT(read ? "" : read.error().message, HasSubstr(c.message));
    }
}

TEST(WriteBackEvents, have_names_that_parse_back) {
    for (const auto event : write_back_events)
        EXPECT_EQ(parse_write_back_event(to_string(event)), event);
    EXPECT_FALSE(parse_write_back_event("released"));
}

}  // namespace
}  // namespace drawbridge::disbursement
