#include "drawbridge/domain/draw.hpp"

#include <gtest/gtest.h>

#include <set>

namespace drawbridge {
namespace {

Draw full_draw() {
    Draw draw;
    draw.id = 1;
    draw.case_id = 2;
    draw.case_name = "case";
    draw.status = DrawStatus::approved;
    draw.requested_by = "requester@example.gov";
    draw.requested_date = parse_instant("2026-03-01").value();
    draw.amount_requested = Money::from_cents(125'000);
    draw.approved_by = "approver@example.gov";
    draw.approved_date = parse_instant("2026-03-02").value();
    draw.amount_approved = Money::from_cents(125'001);
    draw.disbursed_by = "disburser@example.gov";
    draw.disbursed_date = parse_instant("2026-03-03").value();
    draw.amount_disbursed = Money::from_cents(125'002);
    draw.description = "utility";
    draw.modified_by = "modifier@example.gov";
    draw.modified_date = parse_instant("2026-03-04").value();
    draw.field_a = "A";
    draw.field_b = "B";
    draw.field_c = "C";
    draw.field_d = "D";
    draw.field_e = "E";
    draw.config_draw_approver_group_id = 7;
    draw.workflow_id = 12;
    return draw;
}

TEST(DrawFields, cover_every_field_of_the_service) {
    struct Case {
        std::string_view name;
        FieldKind kind;
        bool nullable;
        std::string_view shown;
    };
    const Case cases[] = {
        {"id", FieldKind::integer, false, "1"},
        {"caseId", FieldKind::integer, true, "2"},
        {"caseName", FieldKind::text, true, "case"},
        {"status", FieldKind::integer, false, "4"},
        {"requestedBy", FieldKind::text, false, "requester@example.gov"},
        {"requestedDate", FieldKind::instant, false, "2026-03-01T00:00:00.000Z"},
        {"amountRequested", FieldKind::money, true, "1250.00"},
        {"approvedBy", FieldKind::text, true, "approver@example.gov"},
        {"approvedDate", FieldKind::instant, true, "2026-03-02T00:00:00.000Z"},
        {"amountApproved", FieldKind::money, true, "1250.01"},
        {"disbursedBy", FieldKind::text, true, "disburser@example.gov"},
        {"disbursedDate", FieldKind::instant, true, "2026-03-03T00:00:00.000Z"},
        {"amountDisbursed", FieldKind::money, true, "1250.02"},
        {"description", FieldKind::text, true, "utility"},
        {"modifiedBy", FieldKind::text, false, "modifier@example.gov"},
        {"modifiedDate", FieldKind::instant, false, "2026-03-04T00:00:00.000Z"},
        {"fieldA", FieldKind::text, true, "A"},
        {"fieldB", FieldKind::text, true, "B"},
        {"fieldC", FieldKind::text, true, "C"},
        {"fieldD", FieldKind::text, true, "D"},
        {"fieldE", FieldKind::text, true, "E"},
        {"configDrawApproverGroupId", FieldKind::integer, false, "7"},
        {"workflowId", FieldKind::integer, false, "12"},
    };
    EXPECT_EQ(draw_fields().size(), std::size(cases));
    const Draw full = full_draw();
    const Draw empty;
    for (const Case& c : cases) {
        const DrawField* field = find_draw_field(c.name);
        ASSERT_NE(field, nullptr) << c.name;
        EXPECT_EQ(field->kind, c.kind) << c.name;
        EXPECT_EQ(field->nullable, c.nullable) << c.name;
        EXPECT_EQ(display(field->get(full)), c.shown) << c.name;
        EXPECT_EQ(display(field->get(empty)) == "null", c.nullable) << c.name;
        // After null, the variant's alternatives follow the order of FieldKind.
        EXPECT_EQ(field->get(full).index(), static_cast<std::size_t>(c.kind) + 1) << c.name;
    }
}

TEST(DrawFields, are_found_only_by_exact_name) {
    for (const std::string_view name :
         {"", "ID", "amountrequested", "amount_requested", "fieldF", "participant_FieldA"})
        EXPECT_EQ(find_draw_field(name), nullptr) << name;
}

TEST(DrawStatus, keeps_an_unknown_number) {
    std::set<std::string> names;
    for (int number = 0; number <= 5; ++number) {
        EXPECT_TRUE(is_known(static_cast<DrawStatus>(number)));
        names.insert(to_string(static_cast<DrawStatus>(number)));
    }
    EXPECT_EQ(names, (std::set<std::string>{"Approved", "Cancelled", "Disbursed", "Not Submitted", "Pending Approval",
                                            "Submitted"}));
    for (const int number : {-1, 6, 99}) {
        EXPECT_FALSE(is_known(static_cast<DrawStatus>(number)));
        EXPECT_EQ(to_string(static_cast<DrawStatus>(number)), "status " + std::to_string(number));
    }
}

}  // namespace
}  // namespace drawbridge
