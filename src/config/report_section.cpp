// report: what Drawbridge reports to the service about a payment.
#include <utility>

#include "sections.hpp"

namespace drawbridge::config {
namespace {

using disbursement::WriteBackEvent;
using disbursement::WriteBackTemplate;
using text::YamlNode;

std::map<std::string, WriteBackTemplate> read_texts(const Section& section, WriteBackEvent event,
                                                    std::string_view payees_key) {
    std::map<std::string, WriteBackTemplate> texts;
    const std::string_view key = disbursement::to_string(event);
    const YamlNode* node = section.find(key);
    if (node == nullptr) return texts;
    auto& reader = section.reader();
    const std::string what = section.what(key);
    if (!reader.check_map(*node, disbursement::write_back_fields(), "'" + what + "'")) return texts;
    for (const auto& entry : node->entries()) {
        const std::string name = what + "." + entry.key;
        const auto text = reader.text(entry.value, name);
        if (!text) continue;
        auto read = WriteBackTemplate::parse(*text, event);
        if (!read) {
            reader.error(entry.value, name + ": " + read.error().message);
        } else if (entry.key == payees_key) {
            reader.error(entry.value, name + " would overwrite the field that names the payee",
                         "use another field; payees.key is " + std::string(payees_key));
        } else {
            texts.emplace(entry.key, std::move(*read));
        }
    }
    return texts;
}

}  // namespace

Report read_report(const Section& root, std::string_view payees_key) {
    const Section section = root.child("report");
    Report report;
    if (section.find("time_of_day") != nullptr) {
        if (const auto time = parse_time_of_day(section.text("time_of_day", ""))) {
            report.time_of_day = *time;
        } else {
            section.reader().error(*section.find("time_of_day"), "report.time_of_day is not a time of day",
                                   "write it like \"12:00\", in pay.timezone");
        }
    }
    const Section write_back = section.child("write_back");
    for (const auto event : disbursement::write_back_events) {
        auto texts = read_texts(write_back, event, payees_key);
        if (!texts.empty()) report.write_back.emplace(event, std::move(texts));
    }
    return report;
}

}  // namespace drawbridge::config
