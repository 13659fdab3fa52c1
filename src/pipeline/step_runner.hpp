// Times one run of a step and records it. Private to this module.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/pipeline/context.hpp"
#include "drawbridge/text/show.hpp"

namespace drawbridge::pipeline {

// Failed runs of a step in a row.
inline constexpr int failed_runs_before_exception = 3;

class StepRunner {
  public:
    StepRunner(Context& context, Step step)
        : context_(context),
          step_(step),
          started_at_(context.clock.now()),
          changes_before_(ledger::changes_made(context.ledger)) {}

    void problem(std::string text) { problems_.push_back(std::move(text)); }
    // The error that ended the run. Nothing is lost: the next run continues.
    void failed(const Error& error) {
        problem(error.message);
        ok_ = false;
    }
    void failed(std::string text) {
        problem(std::move(text));
        ok_ = false;
    }

    void incomplete() { complete_ = false; }
    [[nodiscard]] bool is_well() const { return ok_; }

    [[nodiscard]] StepReport finish(std::string summary) {
        const std::string recorded = ok_ ? summary : summary + "; failed: " + problems_.back();
        const bool changed = ledger::changes_made(context_.ledger) != changes_before_;
        context_.ledger.transaction([&] {
            ledger::record_run(context_.ledger, {step_, started_at_, context_.clock.now(), ok_, recorded, changed});
        });
        if (changed) ledger::advance_high_water_mark(context_.ledger);
        return {step_, ok_, complete_, /*again=*/false, std::move(summary), std::move(problems_)};
    }

  private:
    Context& context_;
    Step step_;
    Instant started_at_;
    std::int64_t changes_before_;
    bool ok_ = true;
    bool complete_ = true;
    std::vector<std::string> problems_;
};

using text::counted;

}  // namespace drawbridge::pipeline
