// The bulk approval: each draw has its own result, and one commit records them all.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "service.hpp"
#include "wire.hpp"

namespace draws_sandbox {
namespace {

constexpr std::size_t max_bulk = 500;

// The problem of one draw. Its status is not sent; code and detail are.
std::unexpected<Problem> not_approved(std::string code, std::string detail) {
    return std::unexpected(Problem{409, std::move(code), std::move(detail)});
}

void append_result(std::string& body, const ApprovalResult& result) {
    body += fmt::format(R"({{"drawId":{},)", result.draw_id);
    if (result.outcome) {
        body += R"("error":null,"draw":)";
        append_draw(body, *result.outcome, View::published);
    } else {
        body += R"("error":{"code":)";
        append_json_string(body, result.outcome.error().code);
        body += R"(,"message":)";
        append_json_string(body, result.outcome.error().detail);
        body += R"(},"draw":null)";
    }
    body += '}';
}

std::string results_json(const std::vector<ApprovalResult>& results) {
    std::string body = "[";
    body.reserve(results.size() * 900 + 2);
    for (const auto& result : results) {
        if (body.size() > 1) body += ',';
        append_result(body, result);
    }
    body += ']';
    return body;
}

// The fault `partial`: refuses every `every`-th draw of the call, starting with the first.
bool refused_as_part(const ActiveFaults& faults, std::size_t index) {
    const auto* fault = faults.find(FaultKind::partial);
    if (fault == nullptr) return false;
    const auto every = std::max<std::int64_t>(1, fault->integer("every", 2));
    return static_cast<std::int64_t>(index) % every == 0;
}

void leave_out(const Fault& fault, std::vector<ApprovalResult>& results) {
    if (fault.parameters.contains("drawId")) {
        const auto draw = fault.integer("drawId", 0);
        std::erase_if(results, [draw](const ApprovalResult& result) { return result.draw_id == draw; });
        return;
    }
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(0, fault.integer("count", 1)));
    results.erase(results.end() - static_cast<std::ptrdiff_t>(std::min(count, results.size())), results.end());
}

void shuffle(SeededRandom random, std::vector<ApprovalResult>& results) {
    std::ranges::reverse(results);
    for (std::size_t i = results.size(); i > 2; --i) {
        std::swap(results[i - 1], results[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(i)))]);
    }
}

void apply_to_results(const ActiveFaults& faults, Store& store, std::vector<ApprovalResult>& results) {
    if (const auto* fault = faults.find(FaultKind::missing_results)) leave_out(*fault, results);
    if (const auto* fault = faults.find(FaultKind::foreign_result)) {
        const auto id = fault->integer("drawId", 0);
        const auto draw = store.find(id);
        if (draw) results.push_back({id, *draw});
        if (!draw) results.push_back({id, not_approved("unknown_draw", fmt::format("draw {} does not exist", id))});
    }
    if (const auto* fault = faults.find(FaultKind::reordered)) shuffle(fault->random, results);
}

// The fault `edit_amount`: somebody changes the amount right after the approval, before the client learns of it.
void apply_to_amounts(const ActiveFaults& faults, Store& store, const std::vector<ApprovalResult>& results) {
    const auto* fault = faults.find(FaultKind::edit_amount);
    if (fault == nullptr) return;
    const auto amount = value_from_json(Field::amount_approved, fault->parameters["amount"]);
    if (!amount) return;
    for (const auto& result : results) {
        if (!result.outcome || fault->integer("drawId", result.draw_id) != result.draw_id) continue;
        store.update(result.draw_id, {{Field::amount_approved, *amount}, {Field::modified_date, instant_value(now())}});
    }
}

}  // namespace

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
            const auto is_text = [](const nlohmann::json& email) { return email.is_string(); };
            if (!json.is_array() || !std::ranges::all_of(json, is_text)) {
                return bad("bad_value", "'notificationsEmails': expected an array of strings");
            }
        } else {
            return bad("unknown_field", fmt::format("'{}' is not a field of an approval", name));
        }
    }
    if (!entry.contains("id") || !entry.contains("approverId")) {
        return bad("bad_body", "each approval needs 'id' and 'approverId'");
    }
    return approval;
}

std::expected<std::vector<Service::Approval>, Problem> Service::read_approvals(const Request& request) const {
    const auto body = parse_json_body(request);
    if (!body) return std::unexpected(body.error());
    if (!body->is_array()) return bad("bad_body", "the body must be an array of approvals");
    if (body->size() > max_bulk) {
        return std::unexpected(Problem{options_.too_many_status, "too_many_draws",
                                       fmt::format("at most {} draws in one request, not {}", max_bulk, body->size())});
    }
    std::vector<Approval> approvals;
    for (const auto& entry : *body) {
        auto approval = read_approval(entry);
        if (!approval) return std::unexpected(std::move(approval.error()));
        approvals.push_back(std::move(*approval));
    }
    return approvals;
}

std::expected<Draw, Problem> Service::approve_one(const Approval& approval, Instant at) {
    if (const auto fault = faults_.refusal(approval.draw_id)) {
        return not_approved(fault->text("code", "refused"), fault->text("message", "refused by a fault"));
    }
    auto draw = store_.find(approval.draw_id);
    if (!draw) return not_approved("unknown_draw", fmt::format("draw {} does not exist", approval.draw_id));
    const auto workflow_id = draw->integer(Field::workflow_id);
    const auto* const approver = workflows_.of(workflow_id).approver(approval.approver_id);
    if (approver == nullptr) {
        return not_approved("unknown_approver",
                            fmt::format("{} is not an approver of workflow {}", approval.approver_id, workflow_id));
    }
    const auto group = draw->integer(Field::config_draw_approver_group_id);
    if (approver->groups && std::ranges::find(*approver->groups, group) == approver->groups->end()) {
        return not_approved("approver_of_another_group",
                            fmt::format("approver {} does not belong to group {}", approval.approver_id, group));
    }
    if (!draw->has_status(Status::pending_approval)) {
        return not_approved("wrong_status", fmt::format("draw {} is {}, not Pending Approval", approval.draw_id,
                                                        status_name(draw->integer(Field::status))));
    }
    const auto count = draw->integer(Field::approval_count) + 1;
    Changes changes{{Field::modified_by, approver->email},
                    {Field::modified_date, instant_value(at)},
                    {Field::approval_notes, approval.notes},
                    {Field::approval_count, count}};
    if (count >= workflows_.of(workflow_id).approvals_needed) {
        changes.insert(changes.end(), {{Field::status, static_cast<std::int64_t>(Status::approved)},
                                       {Field::approved_by, approver->email},
                                       {Field::approved_date, instant_value(at)},
                                       {Field::amount_approved, (*draw)[Field::amount_requested]}});
    }
    store_.update(approval.draw_id, changes);
    apply_changes(*draw, changes);
    return std::move(*draw);
}

std::vector<ApprovalResult> Service::approve_all(const std::vector<Approval>& approvals, const RoutedRequest& routed) {
    const auto at = now();
    std::set<std::int64_t> seen;
    std::vector<ApprovalResult> results;
    for (const auto& approval : approvals) {
        const auto id = approval.draw_id;
        log_.approval_received(id);
        if (!seen.insert(id).second) {
            results.push_back({id, not_approved("duplicate", "the draw is in this request more than once")});
        } else if (refused_as_part(routed.faults, results.size())) {
            results.push_back({id, not_approved("refused", "refused by a fault")});
        } else {
            results.push_back({id, approve_one(approval, at)});
        }
    }
    return results;
}

Reply Service::approve(const Request& request, const RoutedRequest& routed) {
    const auto approvals = read_approvals(request);
    if (!approvals) return refuse(approvals.error());
    Store::Transaction transaction(store_);
    auto results = approve_all(*approvals, routed);
    if (routed.faults.has(FaultKind::die_before_commit)) die();
    apply_to_amounts(routed.faults, store_, results);
    transaction.commit();
    apply_to_results(routed.faults, store_, results);
    const bool says_nothing = options_.approve_status == 204;
    return json_reply(options_.approve_status, says_nothing ? std::string{} : results_json(results));
}

}  // namespace draws_sandbox
