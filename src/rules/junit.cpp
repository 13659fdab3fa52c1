#include <string>
#include <string_view>

#include "drawbridge/rules/rule_tests.hpp"

namespace drawbridge::rules {
namespace {

// For an attribute or a text. XML 1.0 has no way at all to write most control characters.
std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&': result += "&amp;"; break;
            case '<': result += "&lt;"; break;
            case '>': result += "&gt;"; break;
            case '"': result += "&quot;"; break;
            default: result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
    }
    return result;
}

}  // namespace

std::string junit_xml(const RuleTestReport& report, std::string_view suite) {
    std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"" +
                      escaped(suite) + "\" tests=\"" + std::to_string(report.results.size()) + "\" failures=\"" +
                      std::to_string(report.failed()) + "\">\n";
    for (const RuleTestResult& result : report.results) {
        xml += "    <testcase name=\"" + escaped(result.name) + "\" classname=\"rules\" file=\"" + escaped(suite) +
               "\" line=\"" + std::to_string(result.line) + "\"";
        if (result.failures.empty()) {
            xml += "/>\n";
            continue;
        }
        xml += ">\n";
        for (const std::string& failure : result.failures)
            xml += "      <failure message=\"" + escaped(failure) + "\"/>\n";
        xml += "    </testcase>\n";
    }
    return xml + "  </testsuite>\n</testsuites>\n";
}

}  // namespace drawbridge::rules
