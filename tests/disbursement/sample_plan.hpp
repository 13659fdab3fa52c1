// An office, its payees and its draws, shared by the disbursement tests.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "drawbridge/checks/issue_layout.hpp"
#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/disbursement/rendering.hpp"

namespace drawbridge::disbursement::testing {

inline std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}
inline std::string read_data(const std::string& name) {
    return read_file(std::string(DRAWBRIDGE_TEST_DATA) + "/disbursement/" + name);
}

inline PayeeDirectory directory() {
    auto directory = PayeeDirectory::read(read_data("payees.csv"), "payees.csv");
    EXPECT_TRUE(directory) << (directory ? "" : text::to_string(directory.error()));
    return directory.value();
}

inline PlanSettings settings() {
    const std::string layout = std::string(DRAWBRIDGE_SOURCE_DIR) + "/config/layouts/issue-csv.yaml";
    return {.ach = AchProfile{.odfi = RoutingNumber::parse("091000019").value(),
                              .odfi_name = "First Bank",
                              .origin_id = "1123456789",
                              .origin_name = "CITY HOUSING OFFICE",
                              .company_name = "CITY HOUSING",
                              .company_id = "1123456789",
                              .entry_description = "DRAWPMT",
                              .company_discretionary = "",
                              .line_end = nacha::LineEnd::lf},
            .check = CheckProfile{.account = AccountNumber::parse("9988776655").value(),
                                  .layout = checks::read_issue_layout(read_file(layout), "issue-csv.yaml").value()},
            .zone = TimeZone::find("America/New_York").value(),
            .calendar = BankingCalendar(),
            .max_file_entries = nacha::max_batch_entry_addenda_count,
            .max_file_total = nacha::max_control_amount};
}

// Of a header or trailer.
inline checks::Column control_column(checks::ColumnKind kind, std::size_t width) {
    checks::Column column;
    column.kind = kind;
    column.header = "CONTROL";
    column.width = width;
    return column;
}

// As before a file is staged.
inline Result<void> verify_with_limits(std::string_view bytes, const PlannedFile& file, const PlanSettings& settings) {
    const FileProfile profile = profile_for(settings, file.rail);
    RenderedCheck check(file, profile, EntryLimits{settings.max_file_entries, settings.max_batch_entries});
    for (const PlannedPayment& payment : file.payments)
        check.expect(payment);
    check.feed(bytes);
    return check.finish();
}

inline NumberBlock numbers() {
    return {.next_payment_id = 501,
            .next_trace_sequence = 41,
            .next_check_number = 10001,
            .next_batch_number = 12,
            .used_file_id_modifiers = "A",
            .next_file_sequence = 7};
}

// Friday 2026-11-20, 15:31 in New York.
inline Instant now() {
    return parse_instant("2026-11-20T20:31:05.123Z").value();
}

inline Payable payable(DrawId draw_id, std::int64_t cents, const std::string& key) {
    return {.draw_id = draw_id,
            .reading_id = 9000 + draw_id,
            .amount = Money::from_cents(cents),
            .agreed_amount = Money::from_cents(cents),
            .payee_key = key,
            .remittance = ""};
}

// Both rails, both SEC codes, savings and checking; not in draw order.
inline std::vector<Payable> payables() {
    return {payable(105, 9'999'999'999, "V-001"), payable(101, 125'000, "V-001"), payable(104, 4510, "V-005"),
            payable(102, 4'250'075, " V-002 "),   payable(103, 1, "V-003"),       payable(100, 30'000, "V-004")};
}

inline BusinessDate day(int year, unsigned month, unsigned of_month) {
    return BusinessDate(std::chrono::year(year), std::chrono::month(month), std::chrono::day(of_month));
}

}  // namespace drawbridge::disbursement::testing
