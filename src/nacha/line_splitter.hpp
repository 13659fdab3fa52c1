// The bytes of a file, in pieces of any size → its lines, however they end. It keeps at most one line.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace drawbridge::nacha {

enum class LineEnds { unknown, lf, crlf, cr, none };

class LineSplitter {
  public:
    // `text` is the line without its end; of one of more than 94 characters the first 94, and `length` is all of it.
    using Sink = std::function<void(std::size_t line, std::string_view text, std::size_t length)>;

    explicit LineSplitter(Sink sink) : sink_(std::move(sink)) {}
    void feed(std::string_view bytes);
    void finish();

    // Lines that do not end as the first one does: the first of them; 0: none.
    [[nodiscard]] std::size_t odd_line() const { return odd_line_; }

  private:
    void decide(std::string_view head);
    [[nodiscard]] bool starts_with_whole_line(std::string_view bytes) const;
    void feed_lines(std::string_view bytes);
    void feed_blocks(std::string_view bytes);
    void end_line(std::string_view last_part, LineEnds how);
    void keep(std::string_view part);

    Sink sink_;
    LineEnds ends_ = LineEnds::unknown;
    std::string carry_;          // of a line whose end has not come yet, or of a head that is too short to decide
    std::size_t length_ = 0;     // of that line
    bool after_return_ = false;  // the last byte was a CR that may belong to a CRLF
    std::size_t line_ = 1;
    std::size_t odd_line_ = 0;
};

}  // namespace drawbridge::nacha
