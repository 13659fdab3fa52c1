// The update of one draw.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "service.hpp"
#include "wire.hpp"

namespace draws_sandbox {
namespace {

struct Patchable {
    Field field;
    bool nullable;  // in the table of the request body, which is stricter than the draw's
};

constexpr std::array<Patchable, 11> patchable_fields{{{Field::description, false},
                                                      {Field::participant_field_a, true},
                                                      {Field::participant_field_b, true},
                                                      {Field::participant_field_c, true},
                                                      {Field::field_a, true},
                                                      {Field::field_b, true},
                                                      {Field::field_c, true},
                                                      {Field::field_d, true},
                                                      {Field::field_e, true},
                                                      {Field::disbursed_date, false},
                                                      {Field::admin_description, true}}};

std::optional<Problem> wrong_media_type(const Request& request) {
    const std::string_view type(request.content_type);
    if (type.starts_with("application/json") || type.starts_with("application/merge-patch+json")) return std::nullopt;
    return Problem{415, "unsupported_media_type", "the body must be application/json"};
}

std::expected<std::pair<Field, Value>, Problem> read_change(const std::string& name, const nlohmann::json& json) {
    const auto* const found =
        std::ranges::find(patchable_fields, name, [](const Patchable& entry) { return info(entry.field).name; });
    if (found == patchable_fields.end()) {
        return bad("field_not_updatable", fmt::format("'{}' is not a field that an update may change", name));
    }
    if (json.is_null() && !found->nullable) return bad("bad_value", fmt::format("'{}': must not be null", name));
    auto value = value_from_json(found->field, json);
    if (!value) return bad("bad_value", fmt::format("'{}': {}", name, value.error()));
    return std::pair{found->field, std::move(*value)};
}

}  // namespace

std::expected<nlohmann::json, Problem> parse_json_body(const Request& request) {
    if (auto wrong = wrong_media_type(request)) return std::unexpected(std::move(*wrong));
    auto body = parse_json(request.body);
    if (!body) return std::unexpected(Problem{400, "invalid_json", "the body is not valid JSON, or nests too deeply"});
    return std::move(*body);
}

std::expected<Changes, Problem> Service::read_changes(const nlohmann::json& body, const Draw& draw) const {
    if (!body.is_object()) return bad("bad_body", "the body must be a JSON object");
    const auto workflow_id = draw.integer(Field::workflow_id);
    const auto& workflow = workflows_.of(workflow_id);
    Changes changes;
    for (const auto& [name, json] : body.items()) {
        auto change = read_change(name, json);
        if (!change) return std::unexpected(std::move(change.error()));
        changes.push_back(std::move(*change));
    }
    for (const auto& [field, value] : changes) {
        if (!workflow.may_change(field)) {
            return std::unexpected(Problem{
                409, "workflow_forbids_field",
                fmt::format("workflow {} does not permit changing '{}' by update", workflow_id, info(field).name)});
        }
        if (field == Field::disbursed_date && !draw.has_status(Status::disbursed)) {
            return std::unexpected(Problem{409, "draw_not_disbursed",
                                           fmt::format("draw {} is {}: 'disbursedDate' needs status 5 (Disbursed)",
                                                       draw.id(), status_name(draw.integer(Field::status)))});
        }
    }
    return changes;
}

Reply Service::patch(const Request& request, const RoutedRequest& routed) {
    const auto body = parse_json_body(request);
    if (!body) return refuse(body.error());
    Store::Transaction transaction(store_);
    auto draw = store_.find(routed.draw_id);
    if (!draw) return refuse(no_such_draw(routed.draw_id));
    auto changes = read_changes(*body, *draw);
    if (!changes) return refuse(changes.error());
    if (!changes->empty()) {
        changes->emplace_back(Field::modified_by, client_.email);
        changes->emplace_back(Field::modified_date, instant_value(now()));
        store_.update(routed.draw_id, *changes);
        apply_changes(*draw, *changes);
    }
    if (routed.faults.has(FaultKind::die_before_commit)) die();
    transaction.commit();
    if (const auto date = body->find("disbursedDate"); date != body->end())
        log_.date_set(routed.draw_id, date->get<std::string>());
    const bool says_nothing = options_.patch_status == 204;
    return json_reply(options_.patch_status, says_nothing ? std::string{} : draw_json(*draw, View::published));
}

}  // namespace draws_sandbox
