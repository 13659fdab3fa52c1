// The lines of one confirmation file on their way into the ledger: kept outside of it (in memory while they are few, in
// a temporary table that SQLite keeps in a file of its own when they are many), and handed back payment by payment, so
// that a file of any size is matched and recorded piece by piece. It records nothing, and nothing of it survives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/domain/confirmation.hpp"
#include "drawbridge/domain/draw.hpp"
#include "drawbridge/ledger/ledger.hpp"

namespace drawbridge::ledger {

class StagedLines {
  public:
    // So many lines stay in memory.
    explicit StagedLines(Ledger& ledger, std::size_t lines_in_memory = 2000);
    StagedLines(const StagedLines&) = delete;
    StagedLines& operator=(const StagedLines&) = delete;
    ~StagedLines();

    // Not in a transaction of the ledger.
    void add(Confirmation line);
    // After the last add().
    void seal();
    [[nodiscard]] std::int64_t size() const { return size_; }

    // The next lines, about so many of them: of one payment always all. Lines that speak of no payment, or of more than
    // one, come first. Empty: that was all. In a transaction or not.
    [[nodiscard]] std::vector<Confirmation> next(std::size_t about);
    // From the first again.
    void rewind() { after_payment_ = after_ordinal_ = -1; }
    // A payment that more lines speak of than one piece may hold; such a file is none of a bank.
    [[nodiscard]] std::optional<std::int64_t> payment_with_too_many_lines(std::int64_t max_lines);

  private:
    void spill();

    Ledger& ledger_;
    std::size_t lines_in_memory_;
    std::vector<Confirmation> waiting_;
    std::int64_t staging_id_ = 0;  // 0: nothing was spilled
    std::int64_t size_ = 0;
    std::int64_t after_payment_ = -1, after_ordinal_ = -1;
};

// The draw that a payment is for.
[[nodiscard]] std::optional<DrawId> draw_of_payment(Ledger& ledger, std::int64_t payment_id);

}  // namespace drawbridge::ledger
