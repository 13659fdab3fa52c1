#include "digest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/outbox.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/restorations.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/reports/draw_states.hpp"
#include "drawbridge/ledger/store/backups.hpp"
#include "drawbridge/text/sanitize.hpp"
#include "drawbridge/text/show.hpp"
#include "messages.hpp"

namespace drawbridge::alerts {
namespace {

using nlohmann::json;

constexpr auto correction_days = std::chrono::days(30);

// What needs a person.
struct Needs {
    std::vector<std::string> lines;
    std::int64_t count = 0;
    void add(std::int64_t how_many, std::string line) {
        count += how_many;
        lines.push_back("  - " + text::for_terminal(outgoing(line)));  // a reason may have line ends
    }
};

std::string exceptions_line(ledger::Ledger& ledger, std::int64_t open) {
    std::map<std::string, std::int64_t> reasons;
    for (const auto& row : ledger::open_exceptions(ledger))
        ++reasons[row.what.reason_code];
    std::string list;
    for (const auto& [reason, count] : reasons)
        list += (list.empty() ? "" : ", ") + reason + " " + text::grouped(count);
    return text::counted(open, "open exception") + ": " + list;
}

std::string draws_line(const ledger::StateTotal& total, const std::string& what) {
    return text::counted(total.count, "draw") + " (" + total.amount.to_display() + ") " + what;
}

void add_state_needs(Needs& needs, const std::vector<ledger::StateTotal>& totals) {
    for (const auto& total : totals) {
        if (total.count == 0) continue;
        if (total.state == "held") needs.add(total.count, draws_line(total, "held: approve or decide in the portal"));
        if (total.state == "returned") needs.add(total.count, draws_line(total, "returned: reissue when fixed"));
    }
}

Needs collect(ledger::Ledger& ledger, const std::vector<ledger::StateTotal>& totals, BusinessDate today) {
    Needs needs;
    if (const auto movement = ledger::movement(ledger); movement && movement->paused) {
        needs.add(1, "ALL MOVEMENT OF MONEY IS PAUSED, by " + movement->by + ": " + movement->reason);
    }
    for (const auto& file : ledger::payment_files(ledger, /*unreleased_only=*/true)) {
        if (file.state != ledger::FileState::staged) continue;
        const bool may_be_sent = ledger::may_have_left_before(ledger, file.file_id).has_value();
        needs.add(1, file.name +
                         (may_be_sent ? " may be at the bank since before the restore: " : " waits for release: ") +
                         text::counted(file.payment_count, item_of(file.kind)) + ", " + file.total.to_display());
    }
    if (const auto open = ledger::count_open_exceptions(ledger); open > 0) {
        needs.add(open, exceptions_line(ledger, open));
    }
    const std::chrono::sys_days day(today);
    for (const auto& row :
         ledger::open_corrections(ledger, BusinessDate(day - correction_days), BusinessDate(day + correction_days))) {
        needs.add(1, "payee '" + row.payee_key + "': put the bank's correction " + row.code + " in payees.csv by " +
                         format_date(row.apply_by) + (row.apply_by < today ? " (OVERDUE)" : ""));
    }
    add_state_needs(needs, totals);
    if (const auto waiting = ledger::waiting_for_portal(ledger); waiting.count > 0) {
        needs.add(waiting.count, text::counted(waiting.count, "paid draw") + " (" + waiting.amount.to_display() +
                                     ") to mark as disbursed in the portal");
    }
    for (const auto& run : ledger::last_runs(ledger)) {
        if (!run.last.ok) needs.add(1, fmt::format("{} failed last: {}", to_string(run.last.step), run.last.summary));
    }
    for (const auto& waiting : ledger::waiting_alerts(ledger)) {
        if (!waiting.last_error) continue;
        needs.add(1, text::counted(waiting.count, "alert") + " cannot be sent by " +
                         std::string(ledger::to_string(waiting.channel)) + ": " + *waiting.last_error);
    }
    return needs;
}

}  // namespace

ledger::NewAlert daily_digest(ledger::Ledger& ledger, const TimeZone& zone, Instant now) {
    const auto today = zone.date_of(now);
    const auto totals = ledger::state_totals(ledger);
    const auto needs = collect(ledger, totals, today);
    ledger::NewAlert alert;
    alert.kind = "digest";
    alert.source = ledger::AlertSource::digest;
    alert.about = {day_number(today)};
    alert.title = format_date(today) + ": " +
                  (needs.count == 0
                       ? std::string("nothing needs a person")
                       : text::counted(needs.count, "thing") + (needs.count == 1 ? " needs" : " need") + " a person");
    alert.text = "Needs a person:\n";
    if (needs.lines.empty()) alert.text += "  nothing\n";
    for (const auto& line : needs.lines)
        alert.text += line + "\n";
    alert.text += "\nDraws by state:\n";
    json items = json::array();
    for (const auto& total : totals) {
        items.push_back({{"state", total.state}, {"draws", total.count}, {"amount", total.amount.to_string()}});
        if (total.count == 0) continue;
        alert.text += "  " + total.state + std::string(12 - std::min<std::size_t>(12, total.state.size()), ' ') +
                      text::counted(total.count, "draw") + ", " + total.amount.to_display();
        if (total.oldest) alert.text += ", the oldest for " + text::short_duration(now - *total.oldest);
        alert.text += "\n";
    }
    const auto runs = ledger::last_runs(ledger);
    if (!runs.empty()) alert.text += "\nLast runs:\n";
    for (const auto& run : runs) {
        alert.text += fmt::format("  {:<12}{} ago{}: {}\n", to_string(run.last.step),
                                  text::short_duration(now - run.last.ended_at), run.last.ok ? "" : " FAILED",
                                  outgoing(run.last.summary));
    }
    const auto trail = ledger::audit_end(ledger);
    const auto head = std::to_string(trail.seq) + ":" + trail.head;
    alert.text += "\nAudit trail: " + head +
                  "\nKeep this message where the office's administrators cannot change it. Someone who rewrites the "
                  "ledger cannot reproduce this hash: `drawbridge verify --head " +
                  head + "` compares it with the ledger.\n";
    alert.items_json = items.dump();
    return alert;
}

}  // namespace drawbridge::alerts
