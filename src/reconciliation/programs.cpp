#include "drawbridge/reconciliation/programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "drawbridge/domain/assert.hpp"

namespace drawbridge::reconciliation {

Result<void> check_addable(const std::vector<ProgramReport>& programs) {
    std::map<std::string, std::string> name_of_ledger;
    for (const auto& program : programs) {
        const auto& head = program.report.head;
        const auto [found, is_new] = name_of_ledger.emplace(head.ledger_id, program.name);
        if (!is_new) {
            return fail(ErrorCode::invalid_input, fmt::format("{} and {} are about the same ledger: name each once",
                                                              found->second, program.name));
        }
        const auto& first = programs.front().report.head.period;
        if (head.period.from != first.from || head.period.to != first.to) {
            return fail(ErrorCode::invalid_input, fmt::format("{} and {} are not about the same days: name the period",
                                                              programs.front().name, program.name));
        }
    }
    return {};
}

Report sum_of(const std::vector<ProgramReport>& programs) {
    DRAWBRIDGE_ASSERT(!programs.empty(), "a sum is one of programs");
    Report sum;
    sum.head.period = programs.front().report.head.period;
    sum.head.overdue_after_days = programs.front().report.head.overdue_after_days;
    Counted counted;
    for (const auto& program : programs) {
        sum.totals += program.report.totals;
        counted.draws += program.counted.draws;
        counted.payments += program.counted.payments;
        counted.bank_lines += program.counted.bank_lines;
        sum.head.period.as_of = std::min(sum.head.period.as_of, program.report.head.period.as_of);
    }
    sum.controls = controls(sum.totals, counted);
    // A shortage of one program must not make up for a surplus of another.
    for (const auto& program : programs) {
        for (auto& control : sum.controls) {
            const auto same = std::ranges::find(program.report.controls, control.title, &Control::title);
            if (same != program.report.controls.end() && !same->holds) control.holds = false;
        }
    }
    return sum;
}

std::vector<std::string> reading_rules(const std::vector<ProgramReport>& programs) {
    std::vector<std::string> rules = {"All amounts are U.S. dollars."};
    const auto& zone = programs.front().report.head.zone;
    std::string zones;
    for (const auto& program : programs)
        zones += (zones.empty() ? "" : ", ") + program.name + " " + program.report.head.zone;
    const bool is_one =
        std::ranges::all_of(programs, [&](const auto& program) { return program.report.head.zone == zone; });
    if (!is_one) rules.push_back("The time zones differ, and a day is that of each program: " + zones + ".");
    return rules;
}

}  // namespace drawbridge::reconciliation
