#include "drawbridge/pages/act_form.hpp"

#include <utility>

#include "drawbridge/pages/html.hpp"
#include "typed_numbers.hpp"

namespace drawbridge::pages {
namespace {

using nlohmann::json;

Error in_field(const std::string& name, const Error& wrong) {
    return {wrong.code, name + ": " + wrong.message};
}

Result<json> to_numbers(const std::string& name, std::string_view text) {
    json list = json::array();
    while (!text.empty()) {
        const auto end = text.find_first_of(", ");
        const auto one = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (one.empty()) continue;
        const auto number = read_typed_number(one);
        if (!number) return std::unexpected(in_field(name, number.error()));
        list.push_back(*number);
    }
    return list;
}

Result<json> to_value(const std::string& name, std::string_view kind, const std::string& value) {
    if (kind.empty()) return json(value);
    if (kind == "flag") return json(true);
    if (kind == "numbers") return to_numbers(name, value);
    if (kind == "texts") return json::array({value});
    if (kind == "amount") {
        const auto amount = read_typed_amount(value);
        if (!amount) return std::unexpected(in_field(name, amount.error()));
        return json(amount->to_string());
    }
    if (kind != "number") return fail(ErrorCode::invalid_input, "'" + name + "' has no known kind");
    const auto number = read_typed_number(value);
    if (!number) return std::unexpected(in_field(name, number.error()));
    return json(*number);
}

Result<void> put(json& body, const std::string& name, json value) {
    const auto point = name.find('.');
    json& into = point == std::string::npos ? body : body[name.substr(0, point)];
    const std::string key = point == std::string::npos ? name : name.substr(point + 1);
    if (into.is_null()) into = json::object();
    const bool is_taken = !into.is_object() || into.contains(key);
    if (is_taken && into.is_object() && into[key].is_array() && value.is_array()) {
        for (auto& one : value)
            into[key].push_back(std::move(one));
        return {};
    }
    if (is_taken) return fail(ErrorCode::invalid_input, "'" + name + "' comes twice");
    into[key] = std::move(value);
    return {};
}

}  // namespace

Result<Act> act_from_form(const std::vector<FormField>& fields) {
    Act act;
    act.body = json::object();
    std::vector<std::pair<std::string, std::string>> in_path;
    for (const auto& [name, value] : fields) {
        if (name == "act.path") {
            act.path = value;
        } else if (name == "act.next") {
            act.next = value;
        } else if (name.starts_with("path.")) {
            in_path.emplace_back("{" + name.substr(5) + "}", value);
        } else if (!name.empty() && !value.empty()) {
            const auto colon = name.find(':');
            const std::string key = name.substr(0, colon);
            auto read =
                to_value(key, colon == std::string::npos ? "" : std::string_view(name).substr(colon + 1), value);
            if (!read) return std::unexpected(read.error());
            if (auto taken = put(act.body, key, std::move(*read)); !taken) return std::unexpected(taken.error());
        }
    }
    for (const auto& [place, value] : in_path) {
        const auto at = act.path.find(place);
        // Encoded as a segment is, without the slash before it.
        if (at != std::string::npos) act.path.replace(at, place.size(), (Link("/") / value).text().substr(1));
    }
    if (!Link::local(act.path)) return fail(ErrorCode::invalid_input, "the form names no act");
    if (!Link::local(act.next)) act.next = "/";
    return act;
}

}  // namespace drawbridge::pages
