#include "drawbridge/text/json.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <set>
#include <vector>

namespace drawbridge::text {
namespace {

// Counts brackets before anything is parsed. Up to the first syntax error it counts what the parser counts, and at the
// error the parser stops.
bool nests_too_deeply(std::string_view text) {
    int depth = 0;
    bool in_string = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (in_string && c == '\\') ++at;
        if (c == '"') in_string = !in_string;
        if (in_string) continue;
        if (c == '[' || c == '{') ++depth;
        if (c == ']' || c == '}') --depth;
        if (depth > max_json_depth) return true;
    }
    return false;
}

}  // namespace

Result<nlohmann::json> parse_json(std::string_view text, std::string_view without_member) {
    if (nests_too_deeply(text)) {
        return fail(ErrorCode::invalid_input,
                    fmt::format("it is nested too deeply: use at most {} levels of lists and objects", max_json_depth));
    }
    nlohmann::json::parser_callback_t keeps;
    if (!without_member.empty()) {
        keeps = [&](int, nlohmann::json::parse_event_t event, const nlohmann::json& value) {
            return event != nlohmann::json::parse_event_t::key || value.get_ref<const std::string&>() != without_member;
        };
    }
    auto value = nlohmann::json::parse(text, keeps, /*allow_exceptions=*/false);
    if (value.is_discarded()) return fail(ErrorCode::invalid_input, "it is not valid JSON");
    return value;
}

std::optional<std::string> repeated_member(std::string_view text) {
    using Event = nlohmann::json::parse_event_t;
    std::vector<std::set<std::string>> open;  // the members so far of each object around
    std::optional<std::string> repeated;
    const nlohmann::json::parser_callback_t look = [&](int, Event event, const nlohmann::json& value) {
        if (event == Event::object_start) open.emplace_back();
        if (event == Event::object_end) open.pop_back();
        if (event == Event::key && !open.back().insert(value.get<std::string>()).second)
            repeated = value.get<std::string>();
        return true;
    };
    return nlohmann::json::parse(text, look, /*allow_exceptions=*/false).is_discarded() ? std::nullopt : repeated;
}

}  // namespace drawbridge::text
