// A check issue layout and a file for it: the layout up to the first NUL byte, the file after it. What is read from the
// file can be written again and says the same.
#include <algorithm>

#include "drawbridge/checks/issue_file.hpp"
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    namespace checks = drawbridge::checks;
    namespace fuzz = drawbridge::fuzz;
    static const auto account = drawbridge::AccountNumber::parse("9988776655").value();
    static const drawbridge::BusinessDate date(std::chrono::year(2026), std::chrono::November, std::chrono::day(20));
    const std::string_view bytes = fuzz::as_text(data, size);
    const std::size_t nul = std::min(bytes.find('\0'), bytes.size());
    const auto layout = checks::read_issue_layout(bytes.substr(0, nul), "l.yaml");
    if (!layout) {
        fuzz::expect(!layout.error().empty(), "a refusal must have a reason");
        return 0;
    }
    static_cast<void>(checks::check_issue_layout(*layout, account, 12345));
    if (nul == bytes.size()) return 0;
    const auto read = checks::parse_issue(*layout, account, date, bytes.substr(nul + 1));
    if (!read) {
        fuzz::expect(!read.error().message.empty(), "a refusal must have a reason");
        return 0;
    }
    const auto written = checks::encode_issue(*layout, account, date, *read);
    if (!written) return 0;
    const auto again = checks::parse_issue(*layout, account, date, *written);
    fuzz::expect(again && *again == *read, "what was read is written and read again");
    return 0;
}
