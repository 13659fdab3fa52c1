// Keeps the oldest lines of each class of a report, no matter how many lines are added.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "drawbridge/reconciliation/lines.hpp"

namespace drawbridge::reconciliation {

class OldestLines {
  public:
    explicit OldestLines(std::size_t lines_of_class) : most_(lines_of_class) {}
    void add(Line line);
    [[nodiscard]] std::vector<Line> take();

  private:
    void cut(std::vector<Line>& lines) const;

    std::size_t most_;
    std::array<std::vector<Line>, line_class_count> kept_;
};

}  // namespace drawbridge::reconciliation
