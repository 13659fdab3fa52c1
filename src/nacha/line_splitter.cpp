#include "line_splitter.hpp"

#include <algorithm>
#include <utility>

#include "drawbridge/nacha/records.hpp"
#include "record_text.hpp"

namespace drawbridge::nacha {

namespace {

constexpr std::string_view mark = "\xEF\xBB\xBF";
constexpr std::size_t head_length = record_length + 1;  // the byte after the first record determines the line ends
constexpr std::size_t max_kept = 4 * record_length;

bool ends_line(char c) {
    return c == '\n' || c == '\r';
}

std::size_t continuations_in(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }));
}

}  // namespace

void LineSplitter::feed(std::string_view bytes) {
    if (ends_ == LineEnds::unknown) {
        const std::string_view start = bytes.substr(0, mark.size() + head_length - carry_.size());
        carry_.append(start);
        bytes.remove_prefix(start.size());
        if (carry_.size() < mark.size() + head_length) return;
        begin(std::exchange(carry_, {}));
    }
    // A line may end differently from the first one, so its end is searched for twice, each time within this many
    // bytes.
    constexpr std::size_t max_at_once = 65'536;
    while (!bytes.empty()) {
        const std::string_view part = bytes.substr(0, max_at_once);
        bytes.remove_prefix(part.size());
        if (ends_ == LineEnds::none)
            feed_blocks(part);
        else
            feed_lines(part);
    }
}

void LineSplitter::begin(std::string head) {
    has_mark_ = head.starts_with(mark);
    if (has_mark_) head.erase(0, mark.size());
    decide(head);
    feed(head);
}

// Determines from the first line whether there are line ends, and which.
void LineSplitter::decide(std::string_view head) {
    head = head.substr(0, head_length);
    const bool is_short = head.size() <= record_length;
    const bool has_line_end = head.find_first_of("\r\n") != std::string_view::npos;
    const bool record_follows =
        !is_short && std::string_view("156789").find(head[record_length]) != std::string_view::npos;
    // A multi-byte character moves the line end beyond the head.
    const bool may_have_line_end = has_line_end || continuations_in(head) > 0;
    ends_ = !may_have_line_end && (is_short || record_follows) ? LineEnds::none : LineEnds::lf;
}

void LineSplitter::check_after_record(std::string_view excess) {
    if (excess.find_first_not_of(' ') != std::string_view::npos) overhangs_ = true;
    continuations_ += continuations_in(excess);
}

void LineSplitter::keep(std::string_view part) {
    const std::size_t of_record = std::min(part.size(), record_length - std::min(length_, record_length));
    carry_.append(part.substr(0, max_kept - std::min(length_, max_kept)));
    length_ += part.size();
    if (of_record < part.size()) check_after_record(part.substr(of_record));
}

void LineSplitter::end_line(std::string_view last_part, LineEnds how) {
    if (line_ == 1) ends_ = how;
    if (how != ends_ && odd_line_ == 0) odd_line_ = line_;
    std::string_view text = last_part, longer;
    if (length_ > 0 || last_part.size() > record_length) {
        keep(last_part);
        text = std::string_view(carry_).substr(0, record_length);
        if (carry_.size() > record_length) longer = carry_;
    }
    const std::size_t length = std::max(length_, last_part.size());
    const std::size_t continuations = length == record_length ? 0 : continuations_ + continuations_in(text);
    sink_({line_, text, longer, length, continuations, overhangs_});
    carry_.clear();
    length_ = continuations_ = 0;
    overhangs_ = false;
    ++line_;
}

// The common case: 94 characters and the same line end as the first line.
bool LineSplitter::starts_with_whole_line(std::string_view bytes) const {
    if (length_ != 0 || line_ == 1 || bytes.size() < record_length + 2) return false;
    const char* const end = bytes.data() + record_length;
    if (!(ends_ == LineEnds::lf && end[0] == '\n') && !(ends_ == LineEnds::crlf && end[0] == '\r' && end[1] == '\n'))
        return false;
    const auto low_from = [&](std::size_t at) {
        return reinterpret_cast<Sixteen>(sixteen_at(bytes.data() + at) < 0x20);
    };
    return is_none(low_from(0) | low_from(16) | low_from(32) | low_from(48) | low_from(64) |
                   low_from(record_length - 16));
}

void LineSplitter::feed_lines(std::string_view bytes) {
    while (!bytes.empty()) {
        if (returns_ > 0) {
            end_returns(bytes);
            continue;
        }
        if (starts_with_whole_line(bytes)) {
            sink_({.number = line_++, .text = bytes.substr(0, record_length), .length = record_length});
            bytes.remove_prefix(record_length + (ends_ == LineEnds::crlf ? 2 : 1));
            continue;
        }
        const bool is_lf = ends_ == LineEnds::lf;
        std::size_t end = bytes.find(is_lf ? '\n' : '\r');
        end = std::min(end, bytes.substr(0, end).find(is_lf ? '\r' : '\n'));
        if (end == std::string_view::npos) return keep(bytes);
        const std::string_view line = bytes.substr(0, end);
        const bool is_newline = bytes[end] == '\n';
        bytes.remove_prefix(end + 1);
        if (is_newline) {
            end_line(line, LineEnds::lf);
        } else if (bytes.starts_with('\n')) {
            end_line(line, LineEnds::crlf);
            bytes.remove_prefix(1);
        } else {
            keep(line);
            returns_ = 1;
        }
    }
}

// After one or two CRs: if an LF follows they are one line end, otherwise each is one.
void LineSplitter::end_returns(std::string_view& bytes) {
    if (bytes.front() == '\n') {
        end_line({}, std::exchange(returns_, 0) == 1 ? LineEnds::crlf : LineEnds::crcrlf);
        bytes.remove_prefix(1);
    } else if (bytes.front() == '\r' && returns_ == 1) {
        returns_ = 2;
        bytes.remove_prefix(1);
    } else {
        --returns_;
        end_line({}, LineEnds::cr);
    }
}

// Skips a line end between two records, after each block or at the end of the file.
void LineSplitter::feed_blocks(std::string_view bytes) {
    while (!bytes.empty()) {
        if (length_ == 0 && ends_line(bytes.front())) {
            if (odd_line_ == 0 && line_ % blocking_factor != 1) odd_line_ = line_;
            bytes.remove_prefix(1);
            continue;
        }
        const std::string_view part = bytes.substr(0, record_length - length_);
        if (length_ + part.size() < record_length) return keep(part);
        end_line(part, LineEnds::none);
        bytes.remove_prefix(part.size());
    }
}

void LineSplitter::finish() {
    if (ends_ == LineEnds::unknown) {
        begin(std::exchange(carry_, {}));
    }
    if (returns_ == 0 && length_ > 0) end_line({}, ends_);
    for (; returns_ > 0; --returns_)
        end_line({}, LineEnds::cr);
}

}  // namespace drawbridge::nacha
