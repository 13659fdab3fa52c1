#include "documented.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "drawbridge/text/diagnostic.hpp"
#include "drawbridge/text/sanitize.hpp"
#include "openapi_words.hpp"

namespace drawbridge::admin {
namespace {

using Names = std::vector<std::string_view>;

Names names_of(const std::vector<Member>& members) {
    Names names;
    for (const auto& member : members)
        names.emplace_back(member.name);
    return names;
}

std::string joined(const Names& names) {
    std::string list;
    for (const auto name : names)
        list += (list.empty() ? "" : ", ") + std::string(name);
    return list;
}

// `what`: "parameter". `where`: "expect." of what is inside it.
std::unexpected<Error> unknown(std::string_view what, const std::string& where, const std::string& name,
                               const Names& known) {
    const auto meant = text::closest_match(name, known);
    const std::string hint = !meant.empty()  ? "did you mean '" + where + std::string(meant) + "'?"
                             : known.empty() ? "this route has none"
                                             : "use " + joined(known);
    return fail(ErrorCode::invalid_input,
                "unknown " + std::string(what) + " '" + text::for_terminal(where + name) + "': " + hint);
}

bool is_whole_number(const json& value) {
    return value.is_number_integer() && (!value.is_number_unsigned() || value.get<std::uint64_t>() <= INT64_MAX);
}

bool is_text(const json& value) {
    return value.is_string() && value.get_ref<const std::string&>().find('\0') == std::string::npos;
}

const Shape* shape_named(std::string_view type) {
    const auto all = request_shapes();
    const auto found = std::ranges::find(all, type, &Shape::name);
    return found == all.end() ? nullptr : &*found;
}

// What a value of this type must be. nullopt: it is.
std::optional<std::string> fault_in_value(const json& value, std::string_view type) {
    if (type.ends_with('?') && value.is_null()) return std::nullopt;
    if (type.ends_with('?')) type.remove_suffix(1);
    if (type == "any") return std::nullopt;
    if (type == "bool") return value.is_boolean() ? std::nullopt : std::optional<std::string>("true or false");
    if (type == "int")
        return is_whole_number(value) ? std::nullopt : std::optional<std::string>("a whole number below 2^63");
    if (type == "content") return value.is_string() ? std::nullopt : std::optional<std::string>("text");
    if (type.starts_with('[')) {
        const auto of_one = type.substr(1, type.size() - 2);
        const bool is_list = value.is_array() && std::ranges::none_of(value, [&](const json& one) {
                                 return fault_in_value(one, of_one).has_value();
                             });
        if (is_list) return std::nullopt;
        return of_one == "int" ? "a list of whole numbers" : "a list of texts";
    }
    if (is_text(value)) return std::nullopt;
    if (value.is_string()) return "text without a NUL character";
    return type == "money" || type == "amount" ? "an amount in text, like \"1234.50\"" : "text";
}

Result<void> check_members(const json& body, std::string_view list, const std::string& where);

Result<void> check_shape(const json& value, const Shape& shape, const std::string& name) {
    if (!value.is_object()) return fail(ErrorCode::invalid_input, "'" + name + "' must be an object");
    if (!value.empty()) return check_members(value, shape.members, name + ".");
    return fail(ErrorCode::invalid_input,
                "'" + name + "' compares nothing: name at least one of " + joined(names_of(members_in(shape.members))));
}

Result<void> check_members(const json& body, std::string_view list, const std::string& where) {
    const auto members = members_in(list);
    for (const auto& [name, value] : body.items()) {
        const auto member = std::ranges::find(members, name, &Member::name);
        if (member == members.end()) return unknown("member", where, name, names_of(members));
        if (const Shape* shape = shape_named(member->type)) {
            if (auto checked = check_shape(value, *shape, where + name); !checked) return checked;
        } else if (const auto wanted = fault_in_value(value, member->type)) {
            return fail(ErrorCode::invalid_input, "'" + where + name + "' must be " + *wanted);
        }
    }
    return {};
}

}  // namespace

Result<void> check_parameters(const Route& route, const Call& call) {
    const RouteWords* about = words_of(route.method, route.pattern);
    const auto members = members_in(about == nullptr ? "" : about->query);
    for (const auto& [name, value] : call.query) {
        if (std::ranges::find(members, name, &Member::name) == members.end())
            return unknown("parameter", "", name, names_of(members));
    }
    return {};
}

Result<void> check_body(const Route& route, const Call& call) {
    const RouteWords* about = words_of(route.method, route.pattern);
    return check_members(call.body, about == nullptr ? "" : about->body, "");
}

}  // namespace drawbridge::admin
