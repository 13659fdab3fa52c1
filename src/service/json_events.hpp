// JSON as a sequence of events, parsed by Boost.JSON. Numbers are passed as their original text, never as floating
// point.
//
// A reader has: void null(), void boolean(bool), void number(std::string_view), void string(std::string_view),
// void key(std::string_view), and bool start_object(), end_object(), start_array(), end_array(); false stops parsing.
// A text is valid during the call only.
#pragma once

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "sanitize_utf8.hpp"

namespace drawbridge::service {

// The handler that Boost.JSON calls. A text with escapes arrives in parts.
template <class Reader>
class JsonEvents {
  public:
    static constexpr std::size_t max_object_size = std::numeric_limits<std::size_t>::max();
    static constexpr std::size_t max_array_size = max_object_size;
    static constexpr std::size_t max_key_size = max_object_size;
    static constexpr std::size_t max_string_size = max_object_size;

    using Text = boost::json::string_view;
    using Stop = boost::json::error_code;

    explicit JsonEvents(Reader* reader) : reader_(reader) {}

    bool on_document_begin(Stop&) { return true; }
    bool on_document_end(Stop&) { return true; }
    bool on_object_begin(Stop& stop) { return continue_if(reader_->start_object(), stop); }
    bool on_object_end(std::size_t, Stop& stop) { return continue_if(reader_->end_object(), stop); }
    bool on_array_begin(Stop& stop) { return continue_if(reader_->start_array(), stop); }
    bool on_array_end(std::size_t, Stop& stop) { return continue_if(reader_->end_array(), stop); }
    bool on_key_part(Text part, std::size_t, Stop&) { return add(part); }
    bool on_key(Text part, std::size_t, Stop&) {
        reader_->key(take(part));
        return true;
    }
    bool on_string_part(Text part, std::size_t, Stop&) { return add(part); }
    bool on_string(Text part, std::size_t, Stop&) {
        reader_->string(take(part));
        return true;
    }
    bool on_number_part(Text part, Stop&) { return add(part); }
    bool on_int64(std::int64_t, Text part, Stop&) { return number(part); }
    bool on_uint64(std::uint64_t, Text part, Stop&) { return number(part); }
    bool on_double(double, Text part, Stop&) { return number(part); }
    bool on_bool(bool value, Stop&) {
        reader_->boolean(value);
        return true;
    }
    bool on_null(Stop&) {
        reader_->null();
        return true;
    }
    bool on_comment_part(Text, Stop&) { return false; }
    bool on_comment(Text, Stop&) { return false; }

  private:
    static bool continue_if(bool wanted, Stop& stop) {
        if (!wanted) stop = boost::json::error::not_exact;  // any error will do: the reader knows why it stopped
        return wanted;
    }
    bool add(Text part) {
        parts_.append(part.data(), part.size());
        return true;
    }
    std::string_view take(Text last) {
        if (parts_.empty()) return {last.data(), last.size()};
        add(last);
        whole_.swap(parts_);
        parts_.clear();
        return whole_;
    }
    bool number(Text last) {
        reader_->number(take(last));
        return true;
    }

    Reader* reader_;
    std::string parts_;
    std::string whole_;
};

struct JsonEnd {
    bool complete = false;
    std::size_t position = 0;  // of the first wrong byte
    std::string_view why{};    // "it stops being JSON"
};

// Whether the text is one JSON value, nested at most 64 levels deep, that the reader has read to its end. Invalid
// characters become U+FFFD (sanitize_utf8.hpp), and positions then refer to the sanitized text.
template <class Reader>
[[nodiscard]] JsonEnd read_json(std::string_view as_sent, Reader& reader) {
    const auto sanitized = sanitize_utf8(as_sent);
    const std::string_view text = sanitized ? std::string_view(*sanitized) : as_sent;
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    constexpr std::string_view blank = " \t\r\n";
    const std::size_t begin = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
    boost::json::parse_options options;
    options.max_depth = 64;
    boost::json::basic_parser<JsonEvents<Reader>> parser(options, &reader);
    boost::json::error_code error;
    const std::size_t end = begin + parser.write_some(/*more=*/false, text.data() + begin, text.size() - begin, error);
    const std::size_t rest = text.find_first_not_of(blank, end);
    const bool complete = !error && parser.done() && rest == std::string_view::npos;
    std::string_view why = "it stops being JSON";
    if (error == boost::json::error::too_deep) why = "it is nested too deeply";
    if (error == boost::json::error::exponent_overflow) why = "it has a number that is too large";
    return {.complete = complete, .position = error ? end : std::min(rest, text.size()), .why = why};
}

}  // namespace drawbridge::service
