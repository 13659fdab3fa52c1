#include "clock_check.hpp"

#include <chrono>
#include <utility>

#include "drawbridge/domain/elapsed.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/text/show.hpp"
#include "raise_about.hpp"

namespace drawbridge::pipeline {
namespace {

constexpr std::string_view subject = "the clock";
constexpr std::string_view service_clock = "the clock of the Draws Service";

// Times recorded while the clock was ahead are ignored. A person must know that they are wrong.
void check_went_back(Context& context, Instant now) {
    const auto last = ledger::last_run_ended_at(context.ledger);
    if (!last || !is_from_clock_ahead(*last, now)) return;
    raise_about(
        context, Step::poll, subject, "clock_went_back",
        "the last run was recorded at " + format_instant(*last) + ", and it is " + format_instant(now) +
            " now: times in the future are ignored. Check the machine's clock, and void payment files with wrong "
            "dates");
}

// Between two looks of this process.
void check_leap(Context& context, Instant now) {
    constexpr std::chrono::minutes tolerance{10};
    const ClockLook look{now, context.clock.elapsed()};
    const auto last = std::exchange(context.memory.last_look, look);
    if (!last || look.at - last->at <= look.elapsed - last->elapsed + tolerance) return;
    const auto minutes = std::chrono::floor<std::chrono::minutes>(look.elapsed - last->elapsed).count();
    raise_about(context, Step::poll, subject, "clock_leapt",
                "it showed " + format_instant(last->at) + ", and it shows " + format_instant(now) + " after " +
                    text::counted(minutes, "minute") +
                    ": no file is released by the schedule until a person says that the clock is right");
}

// nullopt: they agree, or it does not say.
std::optional<Instant> differing_time_of_service(Context& context, Instant now) {
    constexpr std::chrono::hours tolerance{1};
    const auto ahead = context.service.clock_ahead();
    if (!ahead || std::chrono::abs(*ahead) <= tolerance) return std::nullopt;
    return now + *ahead;
}

// A start with a wrong clock shows no leap. The service is the only other clock.
void check_service_clock(Context& context, Instant now) {
    if (const auto other = differing_time_of_service(context, now)) {
        raise_about(context, Step::poll, service_clock, "clock_differs",
                    "this machine's clock showed " + format_instant(now) + " when that of the Draws Service showed " +
                        format_instant(*other) + ": no file is released by the schedule until they agree");
    } else if (context.service.clock_ahead() &&
               ledger::has_open_exception(context.ledger, service_clock, "clock_differs")) {
        context.ledger.transaction([&] {
            ledger::close_exceptions_of_subject(context.ledger, service_clock, "the clocks agree", context.stamp());
        });
    }
}

}  // namespace

void check_clock(Context& context) {
    const Instant now = context.clock.now();
    check_went_back(context, now);
    check_leap(context, now);
    check_service_clock(context, now);
}

std::optional<std::string> why_clock_is_in_doubt(Context& context) {
    if (ledger::has_open_exception(context.ledger, subject, "clock_went_back"))
        return "the clock went back (clock_went_back)";
    if (ledger::has_open_exception(context.ledger, subject, "clock_leapt"))
        return "the clock leaped ahead (clock_leapt)";
    if (differing_time_of_service(context, context.clock.now()))
        return "the clock differs from the Draws Service's (clock_differs)";
    return std::nullopt;
}

}  // namespace drawbridge::pipeline
