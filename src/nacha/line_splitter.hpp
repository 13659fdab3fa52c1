// Splits the bytes of a file, in chunks of any size, into lines with any line end. It keeps at most one line. It skips
// a byte order mark at the start of the file.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace drawbridge::nacha {

enum class LineEnds { unknown, lf, crlf, cr, crcrlf, none };

class LineSplitter {
  public:
    struct Line {
        std::size_t number = 0;         // from 1
        std::string_view text;          // without its end; the first 94 bytes
        std::string_view longer = {};   // of a line with more than 94 bytes: the first 376, as many as UTF-8 can need
        std::size_t length = 0;         // bytes of the full line
        std::size_t continuations = 0;  // how many of those bytes continue a UTF-8 character
        bool overhangs = false;         // something other than spaces follows the first 94
    };
    using Sink = std::function<void(const Line&)>;

    explicit LineSplitter(Sink sink) : sink_(std::move(sink)) {}
    void feed(std::string_view bytes);
    void finish();

    // The first line that does not end like the first line of the file; 0: none.
    [[nodiscard]] std::size_t odd_line() const { return odd_line_; }
    [[nodiscard]] LineEnds ends() const { return ends_; }
    [[nodiscard]] bool has_mark() const { return has_mark_; }

  private:
    void begin(std::string head);
    void decide(std::string_view head);
    [[nodiscard]] bool starts_with_whole_line(std::string_view bytes) const;
    void feed_lines(std::string_view bytes);
    void end_returns(std::string_view& bytes);
    void feed_blocks(std::string_view bytes);
    void end_line(std::string_view last_part, LineEnds how);
    void keep(std::string_view part);
    void check_after_record(std::string_view excess);

    Sink sink_;
    LineEnds ends_ = LineEnds::unknown;
    std::string carry_;       // a line whose end has not arrived, or a head that is too short to decide
    std::size_t length_ = 0;  // length of that line
    std::size_t continuations_ = 0;
    bool overhangs_ = false;
    int returns_ = 0;  // number of trailing CRs, which may belong to a CRLF or CRCRLF
    bool has_mark_ = false;
    std::size_t line_ = 1;
    std::size_t odd_line_ = 0;
};

}  // namespace drawbridge::nacha
