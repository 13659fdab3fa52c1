#include "workflows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace draws_sandbox {
namespace {

using Wrong = std::unexpected<std::string>;

std::expected<std::vector<std::int64_t>, std::string> read_groups(const nlohmann::json& json) {
    if (!json.is_array()) return Wrong("'groups' needs a list of group ids, or null for all");
    std::vector<std::int64_t> groups;
    for (const auto& group : json) {
        if (!group.is_number_integer()) return Wrong("'groups' needs a list of group ids, or null for all");
        groups.push_back(group.get<std::int64_t>());
    }
    return groups;
}

std::expected<Approver, std::string> read_approver(const nlohmann::json& json) {
    if (!json.is_object() || !json.contains("id") || !json["id"].is_number_integer()) {
        return Wrong("an approver needs an integer 'id'");
    }
    Approver approver{json["id"].get<std::int64_t>(), std::nullopt, {}};
    if (const auto groups = json.find("groups"); groups != json.end() && !groups->is_null()) {
        auto read = read_groups(*groups);
        if (!read) return Wrong(std::move(read.error()));
        approver.groups = std::move(*read);
    }
    const auto email = json.find("email");
    approver.email = email != json.end() && email->is_string()
                         ? email->get<std::string>()
                         : fmt::format("approver-{}@draws.example.gov", approver.id);
    return approver;
}

std::expected<void, std::string> read_flag(const nlohmann::json& request, const char* name, bool& flag) {
    const auto found = request.find(name);
    if (found == request.end()) return {};
    if (!found->is_boolean()) return Wrong(fmt::format("'{}' needs true or false", name));
    flag = found->get<bool>();
    return {};
}

std::expected<void, std::string> read_approvals_needed(const nlohmann::json& json, Workflow& workflow) {
    if (!json.is_number_integer() || json.get<std::int64_t>() < 1) {
        return Wrong("'approvalsNeeded' needs a whole number above zero");
    }
    workflow.approvals_needed = json.get<std::int64_t>();
    return {};
}

std::expected<void, std::string> read_patchable(const nlohmann::json& json, Workflow& workflow) {
    workflow.patchable_fields.reset();
    if (json.is_null()) return {};
    if (!json.is_array()) return Wrong("'fields' needs a list of field names, or null for all");
    auto& names = workflow.patchable_fields.emplace();
    for (const auto& name : json) {
        if (!name.is_string() || !find_field(name.get<std::string>())) {
            return Wrong("'fields' needs a list of field names, or null for all");
        }
        names.push_back(name.get<std::string>());
    }
    return {};
}

std::expected<void, std::string> read_approvers(const nlohmann::json& json, Workflow& workflow) {
    if (!json.is_array()) return Wrong("'approvers' needs a list");
    workflow.approvers.clear();
    for (const auto& entry : json) {
        auto approver = read_approver(entry);
        if (!approver) return Wrong(std::move(approver.error()));
        workflow.approvers.push_back(std::move(*approver));
    }
    return {};
}

std::expected<Workflow, std::string> read_workflow(const nlohmann::json& request, Workflow workflow) {
    if (!request.is_object()) return Wrong("expected a JSON object");
    auto read = read_flag(request, "manualDisbursementDate", workflow.manual_disbursement_date);
    if (read) read = read_flag(request, "adminDescription", workflow.admin_description);
    if (read && request.contains("approvalsNeeded")) read = read_approvals_needed(request["approvalsNeeded"], workflow);
    if (read && request.contains("fields")) read = read_patchable(request["fields"], workflow);
    if (read && request.contains("approvers")) read = read_approvers(request["approvers"], workflow);
    if (!read) return Wrong(std::move(read.error()));
    return workflow;
}

}  // namespace

const Approver* Workflow::approver(std::int64_t id) const {
    const auto found = std::ranges::find(approvers, id, &Approver::id);
    return found == approvers.end() ? nullptr : &*found;
}

bool Workflow::may_change(Field field) const {
    if (field == Field::disbursed_date) return manual_disbursement_date;
    if (field == Field::admin_description) return admin_description;
    return !patchable_fields || std::ranges::find(*patchable_fields, info(field).name) != patchable_fields->end();
}

nlohmann::ordered_json workflow_json(std::int64_t id, const Workflow& workflow) {
    nlohmann::ordered_json out;
    out["id"] = id;
    out["manualDisbursementDate"] = workflow.manual_disbursement_date;
    out["adminDescription"] = workflow.admin_description;
    out["approvalsNeeded"] = workflow.approvals_needed;
    out["fields"] = nullptr;
    if (workflow.patchable_fields) out["fields"] = *workflow.patchable_fields;
    out["approvers"] = nlohmann::ordered_json::array();
    for (const auto& approver : workflow.approvers) {
        nlohmann::ordered_json entry{{"id", approver.id}, {"groups", nullptr}, {"email", approver.email}};
        if (approver.groups) entry["groups"] = *approver.groups;
        out["approvers"].push_back(std::move(entry));
    }
    return out;
}

Workflows::Workflows(Store& store) : store_(store) {
    for (const auto& [id, settings] : store_.workflow_settings()) {
        if (auto workflow = read_workflow(nlohmann::json::parse(settings), Workflow{})) {
            workflows_.emplace(id, std::move(*workflow));
        }
    }
}

const Workflow& Workflows::of(std::int64_t id) const {
    const auto found = workflows_.find(id);
    return found == workflows_.end() ? defaults_ : found->second;
}

std::expected<void, std::string> Workflows::set(std::int64_t id, const nlohmann::json& request) {
    auto workflow = read_workflow(request, of(id));
    if (!workflow) return Wrong(std::move(workflow.error()));
    store_.set_workflow_settings(id, workflow_json(id, *workflow).dump());
    workflows_.insert_or_assign(id, std::move(*workflow));
    return {};
}

}  // namespace draws_sandbox
