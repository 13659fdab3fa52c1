#include "drawbridge/disbursement/templates.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drawbridge::disbursement {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

constexpr std::string_view every_part = "F_{date}-{time}.{modifier}{sequence}{origin}{destination}";

FileNameParts some_parts() {
    return {.date = 2026y / 3 / 4,
            .time_of_day = 9h + 5min,
            .file_id_modifier = 'B',
            .sequence = 42,
            .origin = "OFFICE",
            .destination = "091000019"};
}

TEST(FileNameTemplate, expands_every_placeholder) {
    EXPECT_EQ(FileNameTemplate().expand(some_parts()), "ACH-20260304-B.ach");
    EXPECT_EQ(FileNameTemplate::parse(every_part).value().expand(some_parts()), "F_20260304-0905.B0042OFFICE091000019");
    FileNameParts late = some_parts();
    late.time_of_day = 23h + 59min;
    late.sequence = 123'456;
    EXPECT_EQ(FileNameTemplate::parse("{time}-{sequence}").value().expand(late), "2359-123456");
    EXPECT_TRUE(FileNameTemplate::parse("{sequence}").value().uses_sequence());
    EXPECT_FALSE(FileNameTemplate().uses_sequence());
}

TEST(FileNameTemplate, refuses_names_that_repeat_and_names_that_are_no_names) {
    for (const char* text : {"{sequence}", "{date}{modifier}.ach", "{date}-{modifier}-{sequence}"})
        EXPECT_TRUE(FileNameTemplate::parse(text)) << text;
    for (const char* text : {"", "a.ach", "{date}.ach", "{modifier}", "{time}{modifier}"})
        EXPECT_THAT(FileNameTemplate::parse(text).error().message, HasSubstr("two files would have the same name"))
            << text;
    for (const char* text :
         {".{sequence}", "../{sequence}", "a b{sequence}", "a/{sequence}", "{sequence}\n", "é{sequence}"})
        EXPECT_THAT(FileNameTemplate::parse(text).error().message, HasSubstr("a file name may contain")) << text;
    EXPECT_TRUE(FileNameTemplate::parse("{sequence}" + std::string(110, 'a'))) << "120 characters";
    EXPECT_FALSE(FileNameTemplate::parse("{sequence}" + std::string(111, 'a')));
    EXPECT_THAT(FileNameTemplate::parse("{sequenc}").error().message, HasSubstr("sequence"));
}

TEST(FileNameTemplate, knows_the_names_that_it_may_have_produced) {
    const auto one = FileNameTemplate::parse(every_part).value();
    EXPECT_TRUE(one.may_have_produced(one.expand(some_parts()), {}));
    const FileNameTemplate usual;
    EXPECT_TRUE(usual.may_have_produced("ACH-20260304-9.ach", {}));
    for (const char* other : {"ACH-20260304-B.ach.tmp", "xACH-20260304-B.ach", "ACH-2026034-B.ach",
                              "ACH-20260304-b.ach", "ACH-20260304-.ach", "ACH-20260304-BxACH", ""})
        EXPECT_FALSE(usual.may_have_produced(other, {})) << other;
    const auto numbered = FileNameTemplate::parse("C{sequence}").value();
    EXPECT_TRUE(numbered.may_have_produced("C0001", {}));
    EXPECT_TRUE(numbered.may_have_produced("C12345", {}));
    EXPECT_FALSE(numbered.may_have_produced("C001", {}));
    EXPECT_FALSE(numbered.may_have_produced("C99999999999999999999", {}));
}

TEST(FileNameTemplate, did_not_produce_the_names_of_another_instance) {
    const NumberRanges ours{.file = {5000, 5999}, .file_id_modifiers = "ABC"};
    const FileNameTemplate usual;
    EXPECT_TRUE(usual.may_have_produced("ACH-20260304-C.ach", ours));
    EXPECT_FALSE(usual.may_have_produced("ACH-20260304-D.ach", ours));
    const auto numbered = FileNameTemplate::parse("C{sequence}").value();
    EXPECT_TRUE(numbered.may_have_produced("C5999", ours));
    EXPECT_FALSE(numbered.may_have_produced("C4999", ours));
    EXPECT_FALSE(numbered.may_have_produced("C6000", ours));
}

TEST(RemittanceTemplate, expands_any_field_of_a_draw) {
    Draw draw;
    draw.id = 17;
    draw.case_id = 9;
    EXPECT_EQ(RemittanceTemplate::parse("DRAW {id} CASE {caseId}{fieldC}.").value().expand(draw), "DRAW 17 CASE 9.");
    EXPECT_EQ(RemittanceTemplate().expand(draw), "");
    EXPECT_THAT(RemittanceTemplate::parse("{caseid}").error().message, HasSubstr("caseId"));
}

}  // namespace
}  // namespace drawbridge::disbursement
