#include "clock_check.hpp"

#include <utility>

#include "drawbridge/domain/elapsed.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/text/show.hpp"
#include "raise_about.hpp"

namespace drawbridge::pipeline {
namespace {

constexpr std::string_view subject = "the clock";

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

}  // namespace

void check_clock(Context& context) {
    const Instant now = context.clock.now();
    check_went_back(context, now);
    check_leap(context, now);
}

bool is_clock_in_doubt(Context& context) {
    return ledger::has_open_exception(context.ledger, subject, "clock_leapt");
}

}  // namespace drawbridge::pipeline
