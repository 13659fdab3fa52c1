// The reconciliation report as text, CSV, JSON and one HTML page. Each is a function of the report alone.
//
// It never contains account numbers. Text from outside is sanitized for a terminal, a spreadsheet or a browser.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/reconciliation/totals.hpp"

namespace drawbridge::reconciliation {

// The age of the service's side.
struct ServiceReading {
    std::optional<Instant> all_read_at;      // the last sweep of all draws
    std::optional<Instant> changes_read_at;  // the last sweep of changed draws
    // Draws in question that were read again for the report.
    std::optional<Instant> fresh_at;
    std::int64_t fresh_asked = 0, fresh_changed = 0, fresh_failed = 0;
    friend bool operator==(const ServiceReading&, const ServiceReading&) = default;
};
BOOST_DESCRIBE_STRUCT(ServiceReading, (),
                      (all_read_at, changes_read_at, fresh_at, fresh_asked, fresh_changed, fresh_failed))

// A control against unintended payments, as configured when the report was made.
struct ConfiguredControl {
    std::string key;  // "pay.payee_hold"
    bool on = false;
    std::string state;  // what it does, or what its absence allows
    friend bool operator==(const ConfiguredControl&, const ConfiguredControl&) = default;
};
BOOST_DESCRIBE_STRUCT(ConfiguredControl, (), (key, on, state))

struct ReportHead {
    std::string ledger_id;
    std::string zone;
    Period period;
    std::int64_t overdue_after_days = 0;
    ServiceReading service;
    std::vector<ConfiguredControl> configured_controls{};
    std::string read_from{};  // the server that was asked, and how old its answer is; empty: the ledger itself
    friend bool operator==(const ReportHead&, const ReportHead&) = default;
};
BOOST_DESCRIBE_STRUCT(ReportHead, (),
                      (ledger_id, zone, period, overdue_after_days, service, configured_controls, read_from))

struct Report {
    ReportHead head;
    Totals totals;
    std::vector<Control> controls;
    std::vector<PaymentFileFacts> files;  // made in the period, or with open payments at its end
    // All lines, or the oldest of each class; the totals count all.
    std::vector<Line> lines;

    [[nodiscard]] std::int64_t differences() const { return totals.differences(); }
    [[nodiscard]] bool adds_up() const { return all_hold(controls); }
};

// One sentence: "2 differences ($150.00) need a person; …".
[[nodiscard]] std::string verdict(const Report& report);
// How to read the report: what the period means on each side, one sentence each.
[[nodiscard]] std::vector<std::string> reading_rules(const ReportHead& head);
// The age of the service's side, in one sentence.
[[nodiscard]] std::string freshness(const ServiceReading& service);
// Where the ledger's side was read, in one sentence. Only if `read_from` is set.
[[nodiscard]] std::string source(const ReportHead& head);

// At most 98 columns wide where names and reasons allow; what needs a person comes first. At most `max_lines` per
// class.
[[nodiscard]] std::string to_text(const Report& report, std::size_t max_lines = 25);
// One self-contained page: no script, font or image from elsewhere.
[[nodiscard]] std::string to_html(const Report& report, std::size_t max_lines = 500);

// One row per line. An apostrophe precedes text that a spreadsheet would treat as a formula.
[[nodiscard]] std::string csv_header();
[[nodiscard]] std::string csv_row(const Line& line);

// One object, written line by line: json_begin() with the head, a json_row() per line, json_end() with the rest.
[[nodiscard]] std::string json_begin(const ReportHead& head);
[[nodiscard]] std::string json_row(const Line& line, bool is_first);
[[nodiscard]] std::string json_end(const Report& report);

}  // namespace drawbridge::reconciliation
