// A full disk: said once, recorded as an exception as soon as the ledger can take it, closed when there is room again.
// It never ends the daemon: what did not fit is done by a later round, as after a crash.
#pragma once

#include <exception>
#include <string>

#include "application.hpp"
#include "log.hpp"

namespace drawbridge::daemon {

class DiskSpace {
  public:
    DiskSpace(Application& app, const Log& log) : app_(app), log_(log) {}

    // False: the failure is something else.
    [[nodiscard]] bool take(const std::exception& failure, const std::string& step);
    // A round of all steps went well.
    void round_done();
    // What is wrong, while it is.
    [[nodiscard]] const std::string& trouble() const { return trouble_; }

  private:
    // False: the ledger has no room for it either.
    template <class Act>
    bool record(Act act);

    Application& app_;
    const Log& log_;
    std::string trouble_;
    std::string step_;
    bool is_recorded_ = false;
};

}  // namespace drawbridge::daemon
