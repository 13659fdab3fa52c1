// Handles a full disk: logs it once, raises an exception as soon as the ledger can be written, and closes the exception
// when there is space again. A full disk never ends the daemon: a later round redoes the work, as after a crash.
#pragma once

#include <exception>
#include <string>

#include "drawbridge/daemon/application.hpp"
#include "drawbridge/daemon/log.hpp"

namespace drawbridge::daemon {

class DiskSpace {
  public:
    DiskSpace(Application& app, const Log& log) : app_(app), log_(log) {}

    // False: the failure is not a full disk.
    [[nodiscard]] bool handle(const std::exception& failure, const std::string& step);
    // A round of all steps succeeded.
    void round_done();
    // The current problem. Empty: none.
    [[nodiscard]] const std::string& problem() const { return problem_; }

  private:
    // False: the ledger cannot be written either.
    template <class Act>
    bool record(Act act);

    Application& app_;
    const Log& log_;
    std::string problem_;
    std::string step_;
    bool is_recorded_ = false;
};

}  // namespace drawbridge::daemon
