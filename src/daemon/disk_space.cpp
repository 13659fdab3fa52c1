#include "disk_space.hpp"

#include <string_view>

#include "drawbridge/domain/exception_catalog.hpp"
#include "drawbridge/domain/steps.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/store/disk_space.hpp"

namespace drawbridge::daemon {
namespace {

// A part of the work that is no step (files, an order to pay) belongs to pay. So do the exceptions of deliver.
std::string step_of(std::string_view doing) {
    return std::string(to_string(ledger_step(parse_step(doing).value_or(Step::pay))));
}

}  // namespace

template <class Act>
bool DiskSpace::record(Act act) {
    const ledger::Stamp stamp{app_.clock.now(), std::string(pipeline::daemon_actor)};
    try {
        app_.ledger.transaction([&] { act(stamp); });
        return true;
    } catch (const std::exception& failure) {
        if (!ledger::no_space(app_.ledger, failure)) throw;
        return false;
    }
}

bool DiskSpace::handle(const std::exception& failure, const std::string& step) {
    auto what = ledger::no_space(app_.ledger, failure);
    if (!what) return false;
    if (problem_.empty()) log_->error("{}: {}: Drawbridge continues when there is space", step, *what);
    problem_ = std::move(*what);
    step_ = step_of(step);
    if (is_recorded_) return true;
    is_recorded_ = record([&](const ledger::Stamp& stamp) {
        ledger::raise_exception(
            app_.ledger, {step_, "disk_full", std::nullopt, std::nullopt, app_.config.state_dir.string(), problem_},
            stamp);
    });
    return true;
}

void DiskSpace::round_done() {
    if (problem_.empty()) return;
    const auto& folder = app_.config.state_dir;
    const bool recorded = record([&](const ledger::Stamp& stamp) {
        if (!is_recorded_) {
            ledger::raise_exception(app_.ledger,
                                    {step_, "disk_full", std::nullopt, std::nullopt, folder.string(), problem_}, stamp);
        }
        ledger::close_exceptions_of_subject(app_.ledger, folder.string(), "there is space again", stamp);
    });
    if (!recorded) return;
    log_->info("{}: there is space again", folder.string());
    problem_.clear();
    is_recorded_ = false;
}

}  // namespace drawbridge::daemon
