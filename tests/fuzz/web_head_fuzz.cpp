// The head of a browser's request: what the filter lets through has one meaning only.
#include <algorithm>
#include <string>

#include "drawbridge/console/head_filter.hpp"
#include "drawbridge/console/web.hpp"
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    namespace console = drawbridge::console;
    namespace fuzz = drawbridge::fuzz;
    const std::string bytes(fuzz::as_text(data, size));
    const auto end = console::end_of_head(bytes);
    if (end == std::string::npos) return 0;
    const std::string head = bytes.substr(0, end);
    if (console::fault_in_head(head, "console.example.gov")) return 0;
    std::string small = head;
    std::ranges::transform(small, small.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    fuzz::expect(head.ends_with("\r\n\r\n"), "it ends with an empty line");
    fuzz::expect(small.find("\ntransfer-encoding:") == std::string::npos, "its body has a length");
    fuzz::expect(small.find("\nhost:") == small.rfind("\nhost:"), "it names one host");
    fuzz::expect(small.find("\ncontent-length:") == small.rfind("\ncontent-length:"), "it names one length");
    const auto target = head.substr(head.find(' ') + 1, head.find(' ', head.find(' ') + 1) - head.find(' ') - 1);
    console::WebRequest request;
    fuzz::expect(console::read_target(target, request).has_value(), "its target is a path");
    for (const auto& segment : request.segments)
        fuzz::expect(segment != ".." && segment.find('/') == std::string::npos, "no segment climbs");
    return 0;
}
