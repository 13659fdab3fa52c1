// The two endpoints that change draws: update and bulk approval.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "service.hpp"
#include "wire.hpp"

namespace draws_sandbox {
namespace {

constexpr std::size_t max_bulk = 500;

struct Patchable {
    Field field;
    bool nullable;  // as the request body's table says, which is stricter than the draw's
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

std::expected<nlohmann::json, Problem> parse_body(const Request& request) {
    if (auto wrong = wrong_media_type(request)) return std::unexpected(std::move(*wrong));
    auto body = nlohmann::json::parse(request.body, nullptr, /*allow_exceptions=*/false);
    if (body.is_discarded()) return std::unexpected(Problem{400, "invalid_json", "the body is not valid JSON"});
    return body;
}

std::unexpected<Problem> bad(std::string code, std::string detail) {
    return std::unexpected(Problem{400, std::move(code), std::move(detail)});
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

void append_result(std::string& body, std::int64_t id, const std::expected<Draw, Problem>& result) {
    if (body.size() > 1) body += ',';
    body += fmt::format(R"({{"drawId":{},)", id);
    if (result) {
        body += R"("error":null,"draw":)";
        append_draw(body, *result, View::published);
    } else {
        body += R"("error":{"code":)";
        append_json_string(body, result.error().code);
        body += R"(,"message":)";
        append_json_string(body, result.error().detail);
        body += R"(},"draw":null)";
    }
    body += '}';
}

}  // namespace

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

Reply Service::patch(const Request& request, const Visit& visit) {
    const auto body = parse_body(request);
    if (!body) return problem_reply(body.error());
    Store::Transaction transaction(store_);
    auto draw = store_.find(visit.draw_id);
    if (!draw) return problem_reply(no_such_draw(visit.draw_id));
    auto changes = read_changes(*body, *draw);
    if (!changes) return problem_reply(changes.error());
    if (!changes->empty()) {
        changes->emplace_back(Field::modified_by, client_.email);
        changes->emplace_back(Field::modified_date, instant_value(now()));
        store_.update(visit.draw_id, *changes);
        apply_changes(*draw, *changes);
    }
    if (visit.strikes.has(FaultKind::die_before_commit)) die();
    transaction.commit();
    return json_reply(200, draw_json(*draw, View::published));
}

std::expected<Service::Approval, Problem> Service::read_approval(const nlohmann::json& entry) {
    if (!entry.is_object()) return bad("bad_body", "each approval must be a JSON object");
    Approval approval{0, 0, {}};
    for (const auto& [name, json] : entry.items()) {
        if (name == "id" || name == "approverId") {
            if (!json.is_number_integer()) return bad("bad_value", fmt::format("'{}': expected an integer", name));
            (name == "id" ? approval.draw_id : approval.approver_id) = json.get<std::int64_t>();
        } else if (name == "notes") {
            if (!json.is_string()) return bad("bad_value", "'notes': expected a string");
            approval.notes = json.get<std::string>();
        } else if (name == "notificationsEmails") {
            const bool strings =
                json.is_array() && std::ranges::all_of(json, [](const auto& e) { return e.is_string(); });
            if (!strings) return bad("bad_value", "'notificationsEmails': expected an array of strings");
        } else {
            return bad("unknown_field", fmt::format("'{}' is not a field of an approval", name));
        }
    }
    if (!entry.contains("id") || !entry.contains("approverId")) {
        return bad("bad_body", "each approval needs 'id' and 'approverId'");
    }
    return approval;
}

std::expected<Draw, Problem> Service::approve_one(const Approval& approval, Instant at) {
    const auto refuse = [](std::string code, std::string detail) {
        return std::unexpected(Problem{409, std::move(code), std::move(detail)});
    };
    if (const auto fault = faults_.refusal(approval.draw_id)) {
        return refuse(fault->text("code", "refused"), fault->text("message", "refused, as was asked for"));
    }
    auto draw = store_.find(approval.draw_id);
    if (!draw) return refuse("unknown_draw", fmt::format("there is no draw {}", approval.draw_id));
    const auto workflow_id = draw->integer(Field::workflow_id);
    const auto* const approver = workflows_.of(workflow_id).approver(approval.approver_id);
    if (approver == nullptr) {
        return refuse("unknown_approver",
                      fmt::format("{} is not an approver of workflow {}", approval.approver_id, workflow_id));
    }
    const auto group = draw->integer(Field::config_draw_approver_group_id);
    if (approver->groups && std::ranges::find(*approver->groups, group) == approver->groups->end()) {
        return refuse("approver_of_another_group",
                      fmt::format("approver {} does not belong to group {}", approval.approver_id, group));
    }
    if (!draw->has_status(Status::pending_approval)) {
        return refuse("wrong_status", fmt::format("draw {} is {}, not Pending Approval", approval.draw_id,
                                                  status_name(draw->integer(Field::status))));
    }
    const Changes changes{{Field::status, static_cast<std::int64_t>(Status::approved)},
                          {Field::approved_by, approver->email},
                          {Field::approved_date, instant_value(at)},
                          {Field::amount_approved, (*draw)[Field::amount_requested]},
                          {Field::modified_by, approver->email},
                          {Field::modified_date, instant_value(at)},
                          {Field::approval_notes, approval.notes},
                          {Field::approval_count, draw->integer(Field::approval_count) + 1}};
    store_.update(approval.draw_id, changes);
    apply_changes(*draw, changes);
    return std::move(*draw);
}

Reply Service::approve(const Request& request, const Visit& visit) {
    const auto body = parse_body(request);
    if (!body) return problem_reply(body.error());
    if (!body->is_array()) return problem_reply({400, "bad_body", "the body must be an array of approvals"});
    if (body->size() > max_bulk) {
        return problem_reply(
            {400, "too_many_draws", fmt::format("at most {} draws in one request, not {}", max_bulk, body->size())});
    }
    std::vector<Approval> approvals;
    for (const auto& entry : *body) {
        auto approval = read_approval(entry);
        if (!approval) return problem_reply(approval.error());
        approvals.push_back(std::move(*approval));
    }
    const auto at = now();
    std::set<std::int64_t> seen;
    std::string results = "[";
    Store::Transaction transaction(store_);
    for (const auto& approval : approvals) {
        log_.approval_received(approval.draw_id);
        if (seen.insert(approval.draw_id).second) {
            append_result(results, approval.draw_id, approve_one(approval, at));
        } else {
            append_result(results, approval.draw_id,
                          std::unexpected(Problem{409, "duplicate", "the draw is in this request more than once"}));
        }
    }
    if (visit.strikes.has(FaultKind::die_before_commit)) die();
    transaction.commit();
    results += ']';
    return json_reply(200, std::move(results));
}

}  // namespace draws_sandbox
