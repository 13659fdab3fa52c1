// Measures draws decided per second under 10, 100 and 1,000 rules, compared with copying the same draws, and the time
// to check a rule file. Prints one line of JSON per size.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "drawbridge/rules/decide.hpp"

namespace {

using namespace drawbridge;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// Only the last rule matches, so every draw is evaluated against all of them.
std::string rule_file(int rules) {
    std::string text = "version: 1\napprover_id: 1201\nrules:\n";
    for (int i = 0; i < rules; ++i) {
        const bool last = i + 1 == rules;
        text += "  - name: rule-" + std::to_string(i) +
                "\n    when: {workflowId: " + (last ? "{in: [12, 14]}" : std::to_string(1000 + i)) +
                ", amountRequested: {gt: 0, lte: 2500.00}, description: {contains: utility}}\n    approve: {notes: "
                "\"by {rule}\"}\n";
    }
    return text;
}

std::vector<Draw> some_draws(int count) {
    std::vector<Draw> draws;
    for (int i = 1; i <= count; ++i) {
        Draw draw;
        draw.id = i;
        draw.case_id = i % 5000;
        draw.case_name = "Miller, 12 Hill Street";
        draw.status = DrawStatus::pending_approval;
        draw.requested_by = "ann@example.gov";
        draw.requested_date = parse_instant("2026-03-04T05:06:07").value();
        draw.amount_requested = Money::from_cents(100 + i % 200'000);
        draw.description = "March utility bill";
        draw.modified_by = draw.requested_by;
        draw.modified_date = draw.requested_date;
        draw.workflow_id = 12;
        draws.push_back(draw);
    }
    return draws;
}

void measure(int rules, int draws_count) {
    const std::string text = rule_file(rules);
    auto start = Clock::now();
    const auto set = drawbridge::rules::parse_rules(text, "bench");
    const double check = seconds_since(start);
    const auto draws = some_draws(draws_count);
    start = Clock::now();
    const std::vector<Draw> copy = draws;
    const double copied = seconds_since(start);
    const auto zone = TimeZone::find("America/New_York").value();
    const Instant now = parse_instant("2026-03-05T12:00:00").value();
    const drawbridge::rules::ListedHistory history;
    std::int64_t approved = 0;
    start = Clock::now();
    for (const Draw& draw : copy) {
        const auto decision = drawbridge::rules::decide(draw, history, *set, now, zone);
        approved += decision.outcome == drawbridge::rules::Outcome::approve ? 1 : 0;
    }
    const double decided = seconds_since(start);
    std::printf(
        "{\"rules\": %d, \"draws\": %d, \"approved\": %lld, \"check_ms\": %.1f, \"draws_per_second\": %.0f, "
        "\"microseconds_per_rule_and_draw\": %.3f, \"times_a_copy\": %.1f}\n",
        rules, draws_count, static_cast<long long>(approved), check * 1000, draws_count / decided,
        decided * 1e6 / draws_count / rules, decided / copied);
    std::fflush(stdout);
}

}  // namespace

int main() {
    measure(10, 100'000);
    measure(100, 100'000);
    measure(1000, 10'000);
    measure(1000, 100'000);
    return 0;
}
