#include "reads.hpp"

#include <algorithm>
#include <map>
#include <sstream>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/domain/assert.hpp"
#include "drawbridge/domain/steps.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/people.hpp"
#include "drawbridge/ledger/reports/check_register.hpp"
#include "drawbridge/ledger/reports/draw_states.hpp"
#include "openapi_words.hpp"
#include "routes.hpp"

namespace drawbridge::admin {
namespace {

template <class List>
json one_of(const List& values) {
    json names = json::array();
    for (const auto& value : values) {
        if constexpr (std::is_enum_v<std::decay_t<decltype(value)>>) {
            names.push_back(to_string(value));
        } else {
            names.push_back(value);
        }
    }
    return {{"type", "string"}, {"enum", std::move(names)}};
}

const json& schema_of_word(const std::string& type) {
    static const std::map<std::string, json> words = {
        {"text", {{"type", "string"}}},
        {"content", {{"type", "string"}}},
        {"int", {{"type", "integer"}}},
        {"number", {{"type", "number"}}},
        {"bool", {{"type", "boolean"}}},
        {"true", {{"type", "string"}, {"enum", {"true"}}}},
        {"money", {{"type", "string"}, {"pattern", R"(^-?[0-9]+\.[0-9]{2}$)"}}},
        {"amount", {{"type", "string"}, {"pattern", R"(^[0-9]+(\.[0-9]{1,2}0*)?$)"}}},
        {"instant", {{"type", "string"}, {"format", "date-time"}}},
        {"date", {{"type", "string"}, {"format", "date"}}},
        {"any", json::object()},
        {"draw_state", one_of(ledger::state_names)},
        {"file_state", one_of(ledger::all_file_states)},
        {"check_state", one_of(ledger::all_check_states)},
        {"step", one_of(all_steps)},
    };
    const auto found = words.find(type);
    DRAWBRIDGE_ASSERT(found != words.end(), "the type is one of openapi_words.hpp");
    return found->second;
}

json schema_of_type(std::string type) {
    if (type.ends_with('?')) {
        type.pop_back();
        return {{"anyOf", {schema_of_type(type), {{"type", "null"}}}}};
    }
    if (type.starts_with('[')) {
        return {{"type", "array"}, {"items", schema_of_type(type.substr(1, type.size() - 2))}};
    }
    if (std::ranges::find(shapes(), type, &Shape::name) != shapes().end() ||
        std::ranges::find(request_shapes(), type, &Shape::name) != request_shapes().end())
        return {{"$ref", "#/components/schemas/" + type}};
    if (type.find('|') == std::string::npos) return schema_of_word(type);
    std::vector<std::string> choices;
    std::istringstream in(type);
    for (std::string choice; std::getline(in, choice, '|');)
        choices.push_back(choice);
    return one_of(choices);
}

// "/files/*/release" → "/files/{name}/release"
std::string documented_path(const Route& route, const RouteWords& about) {
    std::string path(route.pattern);
    for (const auto& variable : members_in(about.variables))
        path.replace(path.find('*'), 1, "{" + variable.name + "}");
    return path;
}

json object_of(std::string_view list) {
    json properties = json::object();
    json required = json::array();
    for (const auto& member : members_in(list)) {
        properties[member.name] = schema_of_type(member.type);
        if (member.required) required.push_back(member.name);
    }
    json schema = {{"type", "object"}, {"properties", std::move(properties)}};
    if (!required.empty()) schema["required"] = std::move(required);
    return schema;
}

// The daemon refuses members that the document does not name.
json closed_object_of(std::string_view list) {
    json schema = object_of(list);
    schema["additionalProperties"] = false;
    return schema;
}

json request_body_of(const RouteWords& about) {
    if (about.pattern == "/ingest/*/bytes")
        return {{"required", true}, {"content", {{"application/octet-stream", json::object()}}}};
    json schema = closed_object_of(about.body);
    const bool is_required = schema.contains("required");
    return {{"required", is_required}, {"content", {{"application/json", {{"schema", std::move(schema)}}}}}};
}

void add_parameters(json& parameters, std::string_view list, std::string_view in) {
    for (const auto& member : members_in(list)) {
        parameters.push_back({{"name", member.name},
                              {"in", in},
                              {"required", in == "path" || member.name == "q" || member.name == "offset"},
                              {"schema", schema_of_type(member.type)}});
    }
}

// The body of an answer that is not JSON, or whose members are nowhere described.
json content_of(const RouteWords& about) {
    if (about.pattern == "/metrics") return {{"text/plain", {{"schema", {{"type", "string"}}}}}};
    if (about.pattern == "/archive/show") return {{"application/octet-stream", json::object()}};
    const bool is_shape = !about.answer.empty() && about.answer.find(':') == std::string_view::npos;
    return {{"application/json",
             {{"schema", is_shape ? schema_of_type(std::string(about.answer)) : object_of(about.answer)}}}};
}

std::string_view name_of(ConsoleAccess access) {
    switch (access) {
        case ConsoleAccess::as_method: break;
        case ConsoleAccess::session: return "session";
        case ConsoleAccess::passkey: return "passkey";
        case ConsoleAccess::signature: return "signature";
        case ConsoleAccess::not_served: return "not served";
    }
    return "";
}

json operation_of(const Route& route, const RouteWords& about) {
    json parameters = json::array();
    add_parameters(parameters, about.variables, "path");
    add_parameters(parameters, about.query, "query");
    json roles = json::array();
    for (const auto role : ledger::all_roles) {
        if (route.allowed.roles().has(role)) roles.push_back(to_string(role));
    }
    json operation = {{"summary", about.summary},
                      {"parameters", std::move(parameters)},
                      {"x-roles", std::move(roles)},
                      {"x-console", name_of(console_access(route))},
                      {"responses",
                       {{"200", {{"description", "done"}, {"content", content_of(about)}}},
                        {"400", {{"$ref", "#/components/responses/Invalid"}}},
                        {"403", {{"$ref", "#/components/responses/Forbidden"}}},
                        {"404", {{"$ref", "#/components/responses/NotFound"}}},
                        {"409", {{"$ref", "#/components/responses/Conflict"}}},
                        {"default", {{"$ref", "#/components/responses/Error"}}}}}};
    if (!about.body.empty() || about.pattern == "/ingest/*/bytes") operation["requestBody"] = request_body_of(about);
    if (about.answer == "Health")
        operation["responses"]["503"] = {{"description", "it does not; \"problems\" say why"},
                                         {"content", content_of(about)}};
    return operation;
}

json error_response(std::string_view description) {
    return {{"description", description},
            {"content", {{"application/json", {{"schema", {{"$ref", "#/components/schemas/Error"}}}}}}}};
}

}  // namespace

Answer openapi(AdminContext& /*context*/) {
    json paths = json::object();
    for (const auto& route : routes()) {
        if (const RouteWords* about = words_of(route.method, route.pattern))
            paths[documented_path(route, *about)][lowercase(route.method)] = operation_of(route, *about);
    }
    json schemas = json::object();
    for (const auto& shape : shapes())
        schemas[std::string(shape.name)] = object_of(shape.members);
    for (const auto& shape : request_shapes()) {
        schemas[shape.name] = closed_object_of(shape.members);
        schemas[shape.name]["minProperties"] = 1;
    }
    schemas["Error"] = {{"type", "object"},
                        {"required", {"error"}},
                        {"properties", {{"error", object_of("code:text message:text tries_left:int?")}}}};
    return json{{"openapi", "3.1.0"},
                {"info",
                 {{"title", "Drawbridge operators' API"},
                  {"version", "1"},
                  {"description",
                   "Served on the operators' socket to local users and on the console's socket to sessions. x-roles: "
                   "any one of these roles may use it. x-console: what the console's socket asks for. Parameters "
                   "and members of a body that are not described are refused (400), and so is a value of another type. "
                   "A path that has only other methods answers 405, with them in Allow."}}},
                {"paths", std::move(paths)},
                {"components",
                 {{"schemas", std::move(schemas)},
                  {"responses",
                   {{"Invalid", error_response("the request is wrong; the message says how")},
                    {"Forbidden", error_response("the caller's roles do not allow it, or the caller is a maker")},
                    {"NotFound", error_response("nothing has this id, name or hash")},
                    {"MethodNotAllowed", error_response("the path has other methods: see Allow")},
                    {"Conflict", error_response("the current state does not allow it")},
                    {"Error", error_response("unavailable, or an internal error")}}}}}};
}

}  // namespace drawbridge::admin
