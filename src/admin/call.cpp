#include "call.hpp"

#include <algorithm>
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>
#include <charconv>
#include <system_error>

#include "drawbridge/admin/reason.hpp"
#include "drawbridge/domain/digest.hpp"
#include "drawbridge/text/json.hpp"
#include "drawbridge/text/sanitize.hpp"

namespace drawbridge::admin {

Result<Call> parse_request(const Request& request) {
    const auto url = boost::urls::parse_origin_form(request.target);
    if (!url) return fail(ErrorCode::invalid_input, "the request's target is not a path: " + request.target);
    Call call{.method = request.method, .path = {}, .query = {}, .actor = request.actor, .uid = request.uid};
    for (const auto& segment : url->segments())
        call.path.push_back(segment);
    const auto has_nul = [](const std::string& text) { return text.find('\0') != std::string::npos; };
    // SQLite and the file system would take the text only up to there.
    const auto nul = fail(ErrorCode::invalid_input, "the request's target has a NUL character: remove %00");
    if (std::ranges::any_of(call.path, has_nul)) return nul;
    for (const auto& parameter : url->params()) {
        if (parameter.key.empty() && !parameter.has_value) continue;  // "/status?"
        if (has_nul(parameter.key) || has_nul(parameter.value)) return nul;
        if (!call.query.emplace(parameter.key, parameter.value).second) {
            return fail(ErrorCode::invalid_input, "parameter '" + parameter.key + "' occurs twice");
        }
    }
    return call;
}

std::string path_of(const Call& call) {
    std::string path;
    for (const auto& segment : call.path)
        path += "/" + segment;
    return path;
}

Result<json> read_body(const std::string& body) {
    if (body.empty()) return json::object();
    auto parsed = text::parse_json(body);
    if (!parsed) return fail(ErrorCode::invalid_input, "the body: " + parsed.error().message);
    if (!parsed->is_object()) return fail(ErrorCode::invalid_input, "the body is not a JSON object: send {...}");
    if (const auto repeated = text::repeated_member(body))
        return fail(ErrorCode::invalid_input, "the body has '" + *repeated + "' twice: send it once");
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

Result<void> check_hash_prefix(const std::string& text, std::string_view what, std::string_view whose) {
    if (is_hash_prefix(text)) return {};
    return fail(ErrorCode::invalid_input, "'" + text.substr(0, hash_digits) + "' is not " + std::string(what) +
                                              ": give at least " + std::to_string(min_hash_digits) + " digits of " +
                                              std::string(whose));
}

Result<Money> plain_amount(const std::string& text) {
    if (text.find_first_of("eE") == std::string::npos) return Money::parse(text);
    return fail(ErrorCode::invalid_input, "'" + text::for_terminal(text.substr(0, 40)) +
                                              "' is not an amount in dollars and cents: write it like 1234.50");
}

Result<std::string> reason_of(const Call& call) {
    const auto found = call.body.find("reason");
    if (found == call.body.end() || !found->is_string()) {
        return fail(ErrorCode::invalid_input, "a reason is missing: state why; it is recorded with the act");
    }
    auto reason = found->get<std::string>();
    if (auto good = check_reason(reason); !good) return std::unexpected(good.error());
    return reason;
}

bool flag_in(const json& body, const char* name) {
    const auto found = body.find(name);
    return found != body.end() && *found == true;
}

ledger::Stamp stamp(const AdminContext& context, const Call& call) {
    return {context.clock.now(), call.actor, call.uid};
}

}  // namespace drawbridge::admin
