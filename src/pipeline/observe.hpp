// Records a draw as the service shows it, and raises an exception for a change that must not happen. Private to this
// module.
#pragma once

#include <cstdint>
#include <set>

#include "drawbridge/ledger/facts/draws.hpp"
#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

// In a transaction: raises an exception if the draw waited to be paid, is Disbursed now, and nothing was paid.
void tell_if_disbursed_unpaid(Context& context, DrawId id);

class Observer {
  public:
    // Loads which draws with ids from `first` to `last` have open exceptions, so that observe() can close those whose
    // cause is gone.
    explicit Observer(Context& context, DrawId first = INT64_MIN, DrawId last = INT64_MAX);

    // What observe() will ask the ledger, for ledger::ReadAhead.
    void ask(const Draw& draw);
    // In a transaction. Raises an exception for a paid draw that was cancelled, reverted or changed, for a reported
    // date that is gone, for a draw that is Disbursed without a payment, and for an unknown status; closes exceptions
    // whose cause is gone.
    ledger::RecordedReading observe(const Draw& draw, ledger::ReadingSource source);
    [[nodiscard]] bool has_open_exceptions(DrawId id) const { return with_open_exceptions_.contains(id); }
    // The service's answer about this draw is unusable.
    void unreadable(DrawId id, std::string_view step, const Error& error);
    // The service no longer knows a draw that it showed before.
    void missing(DrawId id, std::string_view step);

  private:
    Context& context_;
    std::set<DrawId> with_open_exceptions_;
};

}  // namespace drawbridge::pipeline
