// The lines of one confirmation file before they are recorded: kept in memory while they are few, else in a table of
// the ledger that is no fact. They come back grouped by payment, so that a file of any size is matched and recorded in
// pieces, also by a process that did not read the file. It records nothing.
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

// Lines that one transaction may stage or record: a few milliseconds.
inline constexpr std::size_t lines_at_once = 250;

// The number under which lines were staged.
struct Staging {
    std::int64_t id = 0;
};

class StagedLines {
  public:
    // Up to `lines_in_memory` lines stay in memory. A payment with more than `max_per_payment` lines is remembered:
    // they are recorded together, and no bank sends so many.
    explicit StagedLines(Ledger& ledger, std::size_t lines_in_memory = lines_at_once,
                         std::int64_t max_per_payment = INT64_MAX);
    // What is left of lines that were staged before.
    StagedLines(Ledger& ledger, Staging staging);
    StagedLines(const StagedLines&) = delete;
    StagedLines& operator=(const StagedLines&) = delete;
    // Rows that stay in the table are deleted by discard_staged_lines(), unless they belong to an unfinished file.
    ~StagedLines();

    // Outside transactions of the ledger only.
    void add(Confirmation line);
    // After the last add().
    void seal();
    [[nodiscard]] std::int64_t size() const { return size_; }
    // nullopt: all lines are in memory.
    [[nodiscard]] std::optional<std::int64_t> staging_id() const;

    // About `about` more lines, always all lines of a payment together. Lines that refer to no payment, or to more than
    // one, come first. Empty: no more. In a transaction or not.
    [[nodiscard]] std::vector<Confirmation> next(std::size_t about = lines_at_once);
    [[nodiscard]] bool has_more();
    // Deletes all lines that next() has returned: they are recorded in the running transaction.
    void forget_returned();
    // Starts again from the first line. Only for tests.
    void rewind() { after_payment_ = after_ordinal_ = -1; }
    [[nodiscard]] std::optional<std::int64_t> payment_with_too_many_lines() const { return crowded_payment_; }

  private:
    void spill();
    void note_crowded(const std::vector<std::int64_t>& payments);

    Ledger& ledger_;
    std::size_t lines_in_memory_;
    std::int64_t max_per_payment_ = INT64_MAX;
    std::vector<Confirmation> waiting_;
    std::int64_t staging_id_ = 0;  // 0: nothing was spilled
    std::int64_t size_ = 0;
    std::int64_t after_payment_ = -1, after_ordinal_ = -1;
    std::optional<std::int64_t> crowded_payment_;
};

// Deletes some lines that nobody will record: of a preview, of a refused file, or of a process that ended. False: there
// are none. A transaction of its own.
[[nodiscard]] bool discard_staged_lines(Ledger& ledger);

// The draw that a payment is for.
[[nodiscard]] std::optional<DrawId> draw_of_payment(Ledger& ledger, std::int64_t payment_id);

}  // namespace drawbridge::ledger
