// The reconciliation report as people and programs read it: text, CSV, JSON, one HTML page. Each is a function of the
// report alone.
//
// Account numbers are never in it. Text from outside is made harmless: for a terminal, for a spreadsheet, for a
// browser.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/reconciliation/totals.hpp"

namespace drawbridge::reconciliation {

// How old the service's side is.
struct ServiceReading {
    std::optional<Instant> all_read_at;      // the last sweep over all draws
    std::optional<Instant> changes_read_at;  // the last sweep over what had changed
    // The draws in question, read once more for a report.
    std::optional<Instant> fresh_at;
    std::int64_t fresh_asked = 0, fresh_changed = 0, fresh_failed = 0;
    friend bool operator==(const ServiceReading&, const ServiceReading&) = default;
};

// A control against payments that nobody meant, as configured when the report was made.
struct ConfiguredControl {
    std::string key;  // "pay.payee_hold"
    bool is_on = false;
    std::string state;  // what it does, or what its absence lets pass
    friend bool operator==(const ConfiguredControl&, const ConfiguredControl&) = default;
};

struct ReportHead {
    std::string ledger_id;
    std::string zone;
    Period period;
    std::int64_t overdue_after_days = 0;
    ServiceReading service;
    std::vector<ConfiguredControl> configured_controls{};
    friend bool operator==(const ReportHead&, const ReportHead&) = default;
};

struct Report {
    ReportHead head;
    Totals totals;
    std::vector<Control> controls;
    std::vector<PaymentFileFacts> files;  // made in the period, or with payments open at its end
    // All of them, or of each class the oldest; the totals count all.
    std::vector<Line> lines;

    [[nodiscard]] std::int64_t differences() const { return totals.differences(); }
    [[nodiscard]] bool adds_up() const { return all_hold(controls); }
};

// "2 differences ($150.00) need a person; …", one sentence.
[[nodiscard]] std::string verdict(const Report& report);
// What "period" means on each side, a sentence each.
[[nodiscard]] std::vector<std::string> reading_rules(const ReportHead& head);
// How old the service's side is, in a sentence.
[[nodiscard]] std::string freshness(const ServiceReading& service);

// At most 100 columns wide where names and reasons allow; what needs a person first. `max_lines` of each class.
[[nodiscard]] std::string to_text(const Report& report, std::size_t max_lines = 25);
// One page that needs nothing else: no script, no font, no picture from outside.
[[nodiscard]] std::string to_html(const Report& report, std::size_t max_lines = 500);

// One row for each line. A text that a spreadsheet would take for a formula is preceded by an apostrophe.
[[nodiscard]] std::string csv_header();
[[nodiscard]] std::string csv_row(const Line& line);

// One object, written as the lines come by: opened with the head, a row for each line, closed with everything else.
[[nodiscard]] std::string json_begin(const ReportHead& head);
[[nodiscard]] std::string json_row(const Line& line, bool is_first);
[[nodiscard]] std::string json_end(const Report& report);

}  // namespace drawbridge::reconciliation
