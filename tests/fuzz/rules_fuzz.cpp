// Fuzzes a rule file: parsing and deciding must not crash, and a valid file must decide every draw.
#include "drawbridge/rules/decide.hpp"
#include "fuzz/fuzz.hpp"

namespace {

namespace rules = drawbridge::rules;
namespace fuzz = drawbridge::fuzz;

drawbridge::Draw sample() {
    drawbridge::Draw draw;
    draw.id = 1;
    draw.case_id = 9;
    draw.status = drawbridge::DrawStatus::pending_approval;
    draw.requested_by = "ann@example.gov";
    draw.requested_date = drawbridge::parse_instant("2026-03-04T05:06:07").value();
    draw.amount_requested = drawbridge::Money::from_cents(120'000);
    draw.description = "March utility bill";
    draw.modified_by = draw.requested_by;
    draw.modified_date = draw.requested_date;
    draw.workflow_id = 12;
    return draw;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto zone = drawbridge::TimeZone::find("America/New_York").value();
    static const drawbridge::Draw draw = sample();
    static const drawbridge::Instant now = draw.requested_date + std::chrono::hours(30);
    const auto set = rules::parse_rules(fuzz::as_text(data, size), "f");
    if (!set) {
        fuzz::expect(!set.error().empty(), "a refusal must have a reason");
        return 0;
    }
    const rules::ListedHistory history({{draw, "a", now}});
    const auto decision = rules::decide(draw, history, *set, now, zone);
    fuzz::expect(!decision.reason.empty(), "a decision must have a reason");
    fuzz::expect(decision.outcome == rules::Outcome::hold || (!decision.rule.empty() && decision.approver_id > 0),
                 "an approval needs a rule and an approver");
    fuzz::expect(!rules::explanation_json(decision).empty(), "a decision must be explained");
    return 0;
}
