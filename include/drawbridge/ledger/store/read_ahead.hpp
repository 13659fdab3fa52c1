// Questions about many rows in one round trip, where the ledger is in PostgreSQL. A ledger in a file needs none of
// this.
#pragma once

#include <functional>

namespace drawbridge::ledger {

class Ledger;

// `ask` calls functions that only read, as the loop that follows will. While it runs, a query whose answer is not
// known yet returns no rows: `ask` must cope with that, and its results mean nothing. It runs again until it asks
// nothing new. From then on, and until this object ends, each answer is used once in place of asking. So nothing may
// change an answer before it is used: what is written meanwhile is about other rows.
class ReadAhead {
  public:
    ReadAhead(Ledger& ledger, const std::function<void()>& ask);
    ReadAhead(const ReadAhead&) = delete;
    ReadAhead& operator=(const ReadAhead&) = delete;
    ~ReadAhead();

  private:
    Ledger& ledger_;
};

}  // namespace drawbridge::ledger
