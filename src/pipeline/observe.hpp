// Takes a draw as the service shows it into the ledger, and notices what must not happen to it. Private to this module.
#pragma once

#include <set>

#include "drawbridge/ledger/draws.hpp"
#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

class Observer {
  public:
    // Loads which draws have open cases, so that those which mended themselves are closed.
    explicit Observer(Context& context);

    // In a transaction. Raises an exception for a paid draw that was cancelled, put back or changed, and for a status
    // that this program does not know; closes those that are no longer true.
    ledger::RecordedReading observe(const Draw& draw, ledger::ReadingSource source);
    // The service's answer about one draw cannot be used.
    void unreadable(DrawId id, std::string_view step, const Error& error);
    // The service does not know a draw that it once showed.
    void missing(DrawId id, std::string_view step);

  private:
    Context& context_;
    std::set<DrawId> with_open_exceptions_;
};

}  // namespace drawbridge::pipeline
