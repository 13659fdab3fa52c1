// The draws, payees and bank profile that fill the ledgers of benchmarks.
#pragma once

#include <string>
#include <utility>

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/domain/draw.hpp"

namespace drawbridge::bench {

inline Draw approved_draw(DrawId id) {
    Draw draw;
    draw.id = id;
    draw.status = DrawStatus::approved;
    draw.requested_by = draw.modified_by = "bench@example.org";
    draw.amount_requested = draw.amount_approved = Money::from_cents(10'000 + id);
    draw.field_a = "PAYEE-" + std::to_string(id % 1000);
    draw.workflow_id = 12;
    return draw;
}

inline disbursement::PayeeDirectory payees() {
    std::string csv =
        "key,name,rail,routing_number,account_number,account_type,sec_code,address1,address2,city,state,zip\n";
    for (int i = 0; i < 1000; ++i) {
        csv += "PAYEE-" + std::to_string(i) + ",Payee " + std::to_string(i) + ",ach,021000021," +
               std::to_string(100'000 + i) + ",checking,PPD,,,,,\n";
    }
    return disbursement::PayeeDirectory::read(csv, "payees.csv").value();
}

inline disbursement::PlanSettings settings() {
    disbursement::AchProfile ach{.odfi = RoutingNumber::parse("091000019").value(),
                                 .odfi_name = "FIRST BANK",
                                 .origin_id = "1123456789",
                                 .origin_name = "CITY",
                                 .company_name = "CITY",
                                 .company_id = "1123456789",
                                 .company_discretionary = {}};
    return {.ach = std::move(ach),
            .check = std::nullopt,
            .zone = TimeZone::find("America/New_York").value(),
            .calendar = BankingCalendar()};
}

}  // namespace drawbridge::bench
