#include "drawbridge/console/request_guard.hpp"

namespace drawbridge::console {

std::optional<std::string_view> cross_site_fault(const WebRequest& request, std::string_view origin) {
    const bool is_ours = request.fetch_site == "same-origin";
    if (request.method == "GET") {
        const bool is_for_scripts =
            !request.segments.empty() && (request.segments.front() == "api" || request.segments.front() == "events");
        if (is_for_scripts && !request.fetch_site.empty() && !is_ours) return "another site asks";
        return std::nullopt;
    }
    if (!request.fetch_site.empty() && !is_ours) return "the form is another site's";
    if (request.origin == origin) return std::nullopt;
    if (request.origin == "null" && is_ours) return std::nullopt;
    return "the form is not from this console: open its page again";
}

}  // namespace drawbridge::console
