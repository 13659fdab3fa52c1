#include <string>
#include <string_view>

#include "drawbridge/rules/rule_tests.hpp"
#include "drawbridge/text/sanitize.hpp"

namespace drawbridge::rules {
std::string junit_xml(const RuleTestReport& report, std::string_view suite) {
    std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"" +
                      text::for_html(suite) + "\" tests=\"" + std::to_string(report.results.size()) + "\" failures=\"" +
                      std::to_string(report.failed()) + "\">\n";
    for (const RuleTestResult& result : report.results) {
        xml += "    <testcase name=\"" + text::for_html(result.name) + "\" classname=\"rules\" file=\"" +
               text::for_html(suite) + "\" line=\"" + std::to_string(result.line) + "\"";
        if (result.failures.empty()) {
            xml += "/>\n";
            continue;
        }
        xml += ">\n";
        for (const std::string& failure : result.failures)
            xml += "      <failure message=\"" + text::for_html(failure) + "\"/>\n";
        xml += "    </testcase>\n";
    }
    return xml + "  </testsuite>\n</testsuites>\n";
}

}  // namespace drawbridge::rules
