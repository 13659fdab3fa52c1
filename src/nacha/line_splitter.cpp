#include "line_splitter.hpp"

#include <algorithm>
#include <utility>

#include "drawbridge/nacha/records.hpp"
#include "record_text.hpp"

namespace drawbridge::nacha {

namespace {

bool ends_line(char c) {
    return c == '\n' || c == '\r';
}

}  // namespace

void LineSplitter::feed(std::string_view bytes) {
    if (ends_ == LineEnds::unknown) {
        // The byte after the first record decides. Nothing beyond it is copied.
        const std::string_view start = bytes.substr(0, record_length + 1 - carry_.size());
        carry_.append(start);
        bytes.remove_prefix(start.size());
        if (carry_.size() <= record_length) return;
        const std::string head = std::exchange(carry_, {});
        decide(head);
        feed(head);
    }
    // A line may end otherwise than the first one, so its end is looked for twice: never in more than this.
    constexpr std::size_t most_at_once = 65'536;
    while (!bytes.empty()) {
        const std::string_view part = bytes.substr(0, most_at_once);
        bytes.remove_prefix(part.size());
        if (ends_ == LineEnds::none)
            feed_blocks(part);
        else
            feed_lines(part);
    }
}

// Whether there are lines at all; how they end, the first one says.
void LineSplitter::decide(std::string_view head) {
    const bool is_short = head.size() <= record_length;
    const bool has_line_end = head.substr(0, record_length + 1).find_first_of("\r\n") != std::string_view::npos;
    const bool record_follows =
        !is_short && std::string_view("156789").find(head[record_length]) != std::string_view::npos;
    ends_ = !has_line_end && (is_short || record_follows) ? LineEnds::none : LineEnds::lf;
}

void LineSplitter::keep(std::string_view part) {
    length_ += part.size();
    carry_.append(part.substr(0, record_length - std::min(carry_.size(), record_length)));
}

void LineSplitter::end_line(std::string_view last_part, LineEnds how) {
    if (line_ == 1) ends_ = how;
    if (how != ends_ && odd_line_ == 0) odd_line_ = line_;
    if (length_ == 0) {
        sink_(line_, last_part.substr(0, record_length), last_part.size());
    } else {
        keep(last_part);
        sink_(line_, carry_, length_);
        carry_.clear();
        length_ = 0;
    }
    ++line_;
}

// As nearly every line of a file is: 94 characters, and an end as the first line's.
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
        if (after_return_) {
            after_return_ = false;
            const bool is_pair = bytes.front() == '\n';
            end_line({}, is_pair ? LineEnds::crlf : LineEnds::cr);
            if (is_pair) bytes.remove_prefix(1);
            continue;
        }
        if (starts_with_whole_line(bytes)) {
            sink_(line_++, bytes.substr(0, record_length), record_length);
            bytes.remove_prefix(record_length + (ends_ == LineEnds::crlf ? 2 : 1));
            continue;
        }
        const bool is_lf = ends_ == LineEnds::lf;
        std::size_t end = bytes.find(is_lf ? '\n' : '\r');
        end = std::min(end, bytes.substr(0, end).find(is_lf ? '\r' : '\n'));
        if (end == std::string_view::npos) return keep(bytes);
        if (bytes[end] == '\n') {
            end_line(bytes.substr(0, end), LineEnds::lf);
        } else if (end + 1 < bytes.size()) {
            const bool is_pair = bytes[end + 1] == '\n';
            end_line(bytes.substr(0, end), is_pair ? LineEnds::crlf : LineEnds::cr);
            end += is_pair ? 1 : 0;
        } else {
            keep(bytes.substr(0, end));
            after_return_ = true;
        }
        bytes.remove_prefix(end + 1);
    }
}

// A line end between two records, after each block or at the end of the file, is passed over.
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
        const std::string head = std::exchange(carry_, {});
        decide(head);
        feed(head);
    }
    if (after_return_)
        end_line({}, LineEnds::cr);
    else if (length_ > 0)
        end_line({}, ends_);
}

}  // namespace drawbridge::nacha
