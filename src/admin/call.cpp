#include "call.hpp"

#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>
#include <charconv>
#include <system_error>

#include "drawbridge/text/json.hpp"

namespace drawbridge::admin {
Result<Call> parse_request(const Request& request) {
    const auto url = boost::urls::parse_origin_form(request.target);
    if (!url) return fail(ErrorCode::invalid_input, "the request's target is not a path: " + request.target);
    Call call{.method = request.method, .path = {}, .query = {}, .actor = request.actor, .uid = request.uid};
    for (const auto& segment : url->segments())
        call.path.push_back(segment);
    for (const auto& parameter : url->params()) {
        if (!call.query.emplace(parameter.key, parameter.value).second) {
            return fail(ErrorCode::invalid_input, "parameter '" + parameter.key + "' occurs twice");
        }
    }
    return call;
}

Result<json> read_body(const std::string& body) {
    if (body.empty()) return json::object();
    auto parsed = text::parse_json(body);
    if (!parsed) return fail(ErrorCode::invalid_input, "the body: " + parsed.error().message);
    if (!parsed->is_object()) return fail(ErrorCode::invalid_input, "the body is not a JSON object: send {...}");
    return parsed;
}

Result<std::int64_t> whole_number(std::string_view text, std::string_view what, std::int64_t low, std::int64_t high) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < low || value > high) {
        return fail(ErrorCode::invalid_input, std::string(what) + " '" + std::string(text) +
                                                  "' is not a whole number from " + std::to_string(low) + " to " +
                                                  std::to_string(high));
    }
    return value;
}

Result<std::string> reason_of(const Call& call) {
    const auto found = call.body.find("reason");
    if (found == call.body.end() || !found->is_string()) {
        return fail(ErrorCode::invalid_input, "a reason is missing: state why; it is recorded with the act");
    }
    auto reason = found->get<std::string>();
    if (reason.find_first_not_of(" \t\r\n") == std::string::npos) {
        return fail(ErrorCode::invalid_input, "the reason is empty: state why; it is recorded with the act");
    }
    return reason;
}

ledger::Stamp stamp(const AdminContext& context, const Call& call) {
    return {context.clock.now(), call.actor, call.uid};
}

}  // namespace drawbridge::admin
