#include "drawbridge/console/head_filter.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/text/utf8.hpp"

namespace drawbridge::console {
namespace {

using api::HeadFault;
using Fault = std::optional<HeadFault>;

constexpr std::array<std::string_view, 4> methods = {"GET", "HEAD", "POST", "DELETE"};

HeadFault bad(std::string_view message) {
    return {400, message};
}

bool same_letters(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, {}, to_lower, to_lower);
}

bool is_token_character(char c) {
    constexpr std::string_view others = "!#$%&'*+-.^_`|~";
    return is_letter_or_digit(c) || others.find(c) != std::string_view::npos;
}

// Printable ASCII without what a URL never holds.
bool is_target_character(char c) {
    constexpr std::string_view never = "\"<>\\^`{|}#[]";
    return c > ' ' && c < '\x7f' && never.find(c) == std::string_view::npos;
}

int hex_digit(char c) {
    if (is_digit(c)) return c - '0';
    const char small = to_lower(c);
    return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

// nullopt: an invalid escape.
std::optional<std::string> unescaped(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            plain.push_back(text[i]);
            continue;
        }
        const int high = i + 1 < text.size() ? hex_digit(text[i + 1]) : -1;
        const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
        if (high < 0 || low < 0) return std::nullopt;
        plain.push_back(static_cast<char>(high * 16 + low));
        i += 2;
    }
    return plain;
}

bool is_text(std::string_view bytes) {
    while (!bytes.empty()) {
        if (static_cast<unsigned char>(bytes.front()) < ' ' || bytes.front() == '\x7f') return false;
        const auto length = text::utf8_length(bytes);
        if (length == 0) return false;
        bytes.remove_prefix(length);
    }
    return true;
}

Fault path_fault(std::string_view path) {
    while (!path.empty()) {
        path.remove_prefix(1);  // its slash
        const auto segment = path.substr(0, path.find('/'));
        path.remove_prefix(segment.size());
        const auto plain = unescaped(segment);
        if (!plain || !is_text(*plain)) return bad("the path is not text");
        if (plain->find_first_of("/\\") != std::string::npos) return bad("the path hides a slash");
        if (*plain == "." || *plain == "..") return bad("the path has a dot segment");
    }
    return std::nullopt;
}

Fault target_fault(std::string_view target) {
    if (target.size() > max_browser_target_bytes) return HeadFault{414, "the request's target is too long"};
    if (!target.starts_with('/') || target.starts_with("//")) return bad("the request's target is not a path");
    if (!std::ranges::all_of(target, is_target_character))
        return bad("the request's target has bytes that no URL may have");
    const auto mark = target.find('?');
    if (auto fault = path_fault(target.substr(0, mark))) return fault;
    if (mark == std::string_view::npos) return std::nullopt;
    const auto query = unescaped(target.substr(mark + 1));
    if (!query || !is_text(*query)) return bad("the query is not text");
    return std::nullopt;
}

Fault request_line_fault(std::string_view line) {
    const auto first = line.find(' '), last = line.rfind(' ');
    if (first == std::string_view::npos || first == last) return bad("this is not an HTTP request");
    const auto method = line.substr(0, first), target = line.substr(first + 1, last - first - 1);
    if (line.substr(last + 1) != "HTTP/1.1") return HeadFault{505, "not HTTP/1.1"};
    if (std::ranges::find(methods, method) == methods.end()) return HeadFault{405, "this method is not served"};
    return target_fault(target);
}

// What the fields together must be like.
struct FieldCount {
    std::size_t fields = 0, hosts = 0, lengths = 0;
};

Fault field_fault(std::string_view line, std::string_view authority, FieldCount& count) {
    if (++count.fields > max_fields) return HeadFault{431, "the request has too many header fields"};
    const auto colon = line.find(':');
    if (colon == 0 || colon == std::string_view::npos) return bad("a header field has no name");
    const auto name = line.substr(0, colon);
    if (!std::ranges::all_of(name, is_token_character)) return bad("the name of a header field is not a token");
    auto value = line.substr(colon + 1);
    while (value.starts_with(' ') || value.starts_with('\t'))
        value.remove_prefix(1);
    while (value.ends_with(' ') || value.ends_with('\t'))
        value.remove_suffix(1);
    if (same_letters(name, "transfer-encoding")) return bad("Transfer-Encoding is not served: send Content-Length");
    if (same_letters(name, "expect")) return HeadFault{417, "Expect is not served"};
    if (same_letters(name, "host")) {
        if (++count.hosts > 1) return bad("more than one Host header");
        if (!same_letters(value, authority)) return HeadFault{421, "this host is not served here"};
    }
    if (same_letters(name, "content-length")) {
        const bool is_length =
            !value.empty() && value.size() <= 10 && value.find_first_not_of("0123456789") == std::string_view::npos;
        if (++count.lengths > 1 || !is_length) return bad("Content-Length is not one number");
    }
    return std::nullopt;
}

// One line without its CR LF; nullopt: it has another line ending, or contains a control character.
std::optional<std::string_view> next_line(std::string_view& rest) {
    const auto end = rest.find('\n');
    if (end == std::string_view::npos || end == 0 || rest[end - 1] != '\r') return std::nullopt;
    const auto line = rest.substr(0, end - 1);
    rest.remove_prefix(end + 1);
    const auto is_allowed = [](char c) { return c == '\t' || (c >= ' ' && c < '\x7f'); };
    if (!std::ranges::all_of(line, is_allowed)) return std::nullopt;
    return line;
}

}  // namespace

std::size_t end_of_head(std::string_view bytes) {
    for (auto at = bytes.find('\n'); at != std::string_view::npos; at = bytes.find('\n', at + 1)) {
        auto next = at + 1;
        if (next < bytes.size() && bytes[next] == '\r') ++next;
        if (next < bytes.size() && bytes[next] == '\n') return next + 1;
    }
    return std::string_view::npos;
}

Fault fault_in_head(std::string_view head, std::string_view authority) {
    const auto request_line = next_line(head);
    if (!request_line) return bad("this is not an HTTP request");
    if (auto fault = request_line_fault(*request_line)) return fault;
    FieldCount count;
    while (true) {
        const auto line = next_line(head);
        if (!line) return bad("a line of the head does not end with CR LF, or has a control character");
        if (line->empty()) break;
        if (auto fault = field_fault(*line, authority, count)) return fault;
    }
    if (!head.empty()) return bad("the head continues after its end");
    if (count.hosts == 0) return bad("no Host header");
    return std::nullopt;
}

}  // namespace drawbridge::console
