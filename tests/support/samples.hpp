// Sample draws, payees and settings for tests.
#pragma once

#include <string>

#include "drawbridge/checks/issue_layout.hpp"
#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/domain/draw.hpp"

namespace drawbridge::test {

inline Instant at(const char* text) {
    return parse_instant(text).value();
}

inline Draw sample_draw(DrawId id, DrawStatus status, const char* amount = "100.00") {
    Draw draw;
    draw.id = id;
    draw.status = status;
    draw.requested_by = "ana@example.org";
    draw.requested_date = at("2026-03-01T09:00:00");
    draw.modified_by = "ana@example.org";
    draw.modified_date = at("2026-03-01T09:00:00");
    draw.workflow_id = 12;
    draw.config_draw_approver_group_id = 3;
    draw.case_id = 7000 + id;
    draw.case_name = "Case " + std::to_string(id);
    draw.amount_requested = Money::parse(amount).value();
    if (status == DrawStatus::approved || status == DrawStatus::disbursed) draw.amount_approved = draw.amount_requested;
    draw.field_a = "PAYEE-1";
    return draw;
}

inline constexpr const char* sample_payees =
    "key,name,rail,routing_number,account_number,account_type,sec_code,address1,address2,city,state,zip\n"
    "PAYEE-1,Ana Alvarez,ach,021000021,123456789,checking,PPD,,,,,\n"
    "PAYEE-2,Corner Landlord LLC,ach,011401533,987654321,savings,CCD,,,,,\n"
    "PAYEE-3,Bo Berg,check,,,,,1 Main St,,Springfield,IL,62701\n";

inline disbursement::PayeeDirectory sample_directory() {
    return disbursement::PayeeDirectory::read(sample_payees, "payees.csv").value();
}

inline disbursement::PlanSettings sample_plan_settings() {
    disbursement::AchProfile ach{RoutingNumber::parse("091000019").value(),
                                 "FIRST BANK",
                                 "1123456789",
                                 "CITY HOUSING OFFICE",
                                 "CITY HOUSING",
                                 "1123456789",
                                 "DRAWPMT",
                                 "",
                                 nacha::LineEnd::lf};
    checks::IssueLayout layout;
    layout.name = "test";
    layout.columns = {{checks::ColumnKind::code, "", 0, ""},
                      {checks::ColumnKind::check_number, "", 0, ""},
                      {checks::ColumnKind::issue_date, "", 0, ""},
                      {checks::ColumnKind::amount, "", 0, ""},
                      {checks::ColumnKind::payee_name, "", 40, ""}};
    return {ach,
            disbursement::CheckProfile{AccountNumber::parse("555000111").value(), layout},
            TimeZone::find("America/New_York").value(),
            BankingCalendar(),
            nacha::max_batch_entry_addenda_count,
            nacha::max_control_amount};
}

}  // namespace drawbridge::test
