#include "drawbridge/domain/timeline_event.hpp"

#include <boost/describe/enum_from_string.hpp>
#include <boost/describe/enum_to_string.hpp>
#include <string>

namespace drawbridge {

std::string_view to_string(TimelineEvent event) {
    return boost::describe::enum_to_string(event, "");
}

std::optional<TimelineEvent> parse_timeline_event(std::string_view text) {
    TimelineEvent event{};
    if (!boost::describe::enum_from_string(std::string(text).c_str(), event)) return std::nullopt;
    return event;
}

}  // namespace drawbridge
