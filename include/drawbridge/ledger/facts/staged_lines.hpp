// The lines of one confirmation file before they are recorded: kept in memory while they are few, else in a temporary
// table that SQLite keeps in a file of its own. They come back grouped by payment, so that a file of any size is
// matched and recorded in pieces. It records nothing, and nothing of it survives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/domain/confirmation.hpp"
#include "drawbridge/domain/draw.hpp"
#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

class StagedLines {
  public:
    // Up to `lines_in_memory` lines stay in memory.
    explicit StagedLines(Ledger& ledger, std::size_t lines_in_memory = 2000);
    StagedLines(const StagedLines&) = delete;
    StagedLines& operator=(const StagedLines&) = delete;
    ~StagedLines();

    // Outside transactions of the ledger only.
    void add(Confirmation line);
    // After the last add().
    void seal();
    [[nodiscard]] std::int64_t size() const { return size_; }

    // About `about` more lines, always all lines of a payment together. Lines that refer to no payment, or to more than
    // one, come first. Empty: no more. In a transaction or not.
    [[nodiscard]] std::vector<Confirmation> next(std::size_t about);
    // Starts again from the first line.
    void rewind() { after_payment_ = after_ordinal_ = -1; }
    // A payment with more than `max_lines` lines; no bank sends such a file.
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
