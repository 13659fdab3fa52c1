#include "drawbridge/api/request_head.hpp"

#include <algorithm>
#include <string>

#include "drawbridge/domain/ascii.hpp"

namespace drawbridge::api {
namespace {

std::string lower_case_token(std::string_view text) {
    constexpr std::string_view whitespace = " \t";
    const auto begin = text.find_first_not_of(whitespace);
    if (begin == std::string_view::npos) return {};
    return lowercase(text.substr(begin, text.find_last_not_of(whitespace) - begin + 1));
}

// Several header fields form one list.
std::vector<std::string> codings_of(const std::vector<std::string_view>& fields) {
    std::vector<std::string> codings;
    for (std::string_view rest : fields) {
        for (std::size_t comma = 0; comma != std::string_view::npos;) {
            comma = rest.find(',');
            codings.push_back(lower_case_token(rest.substr(0, comma)));
            if (comma != std::string_view::npos) rest.remove_prefix(comma + 1);
        }
    }
    return codings;
}

// 400 if the end of the body is ambiguous; 501 if the coding is only unknown.
std::optional<HeadFault> framing_fault(const RequestHead& head) {
    if (head.transfer_encodings.empty()) return std::nullopt;
    if (head.version < 11) return HeadFault{400, "Transfer-Encoding in an HTTP/1.0 request: send HTTP/1.1"};
    if (head.has_content_length) return HeadFault{400, "Transfer-Encoding and Content-Length: send only one of them"};
    const auto codings = codings_of(head.transfer_encodings);
    if (codings.back() != "chunked" || std::ranges::count(codings, "chunked") > 1) {
        return HeadFault{400, "Transfer-Encoding does not end with a single chunked: send chunked or Content-Length"};
    }
    if (codings.size() > 1) return HeadFault{501, "unknown Transfer-Encoding: send only chunked"};
    return std::nullopt;
}

std::optional<HeadFault> target_fault(std::string_view target) {
    if (target.size() > max_target_bytes) return HeadFault{414, "the request's target is too long: send a shorter one"};
    const auto is_printable = [](char c) { return c > ' ' && c < '\x7f'; };
    if (!std::ranges::all_of(target, is_printable)) {
        return HeadFault{400, "the request's target has bytes that are not printable ASCII: percent-encode them"};
    }
    if (!target.starts_with('/')) return HeadFault{400, "the request's target is not a path: begin it with /"};
    return std::nullopt;
}

}  // namespace

std::optional<HeadFault> fault_in(const RequestHead& head) {
    if (head.hosts > 1) return HeadFault{400, "more than one Host header: send one"};
    if (head.hosts == 0 && head.version >= 11) return HeadFault{400, "no Host header: send one"};
    if (const auto fault = framing_fault(head)) return fault;
    return target_fault(head.target);
}

}  // namespace drawbridge::api
