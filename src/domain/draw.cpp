#include "drawbridge/domain/draw.hpp"

#include <algorithm>

namespace drawbridge {
namespace {

template <class T>
FieldValue to_field_value(const std::optional<T>& value) {
    return value ? FieldValue(*value) : FieldValue();
}

constexpr DrawField fields[] = {
    {"id", FieldKind::integer, false, [](const Draw& d) { return FieldValue(d.id); }},
    {"caseId", FieldKind::integer, true, [](const Draw& d) { return to_field_value(d.case_id); }},
    {"caseName", FieldKind::text, true, [](const Draw& d) { return to_field_value(d.case_name); }},
    {"status", FieldKind::integer, false,
     [](const Draw& d) { return FieldValue(static_cast<std::int64_t>(d.status)); }},
    {"requestedBy", FieldKind::text, false, [](const Draw& d) { return FieldValue(d.requested_by); }},
    {"requestedDate", FieldKind::instant, false, [](const Draw& d) { return FieldValue(d.requested_date); }},
    {"amountRequested", FieldKind::money, true, [](const Draw& d) { return to_field_value(d.amount_requested); }},
    {"approvedBy", FieldKind::text, true, [](const Draw& d) { return to_field_value(d.approved_by); }},
    {"approvedDate", FieldKind::instant, true, [](const Draw& d) { return to_field_value(d.approved_date); }},
    {"amountApproved", FieldKind::money, true, [](const Draw& d) { return to_field_value(d.amount_approved); }},
    {"disbursedBy", FieldKind::text, true, [](const Draw& d) { return to_field_value(d.disbursed_by); }},
    {"disbursedDate", FieldKind::instant, true, [](const Draw& d) { return to_field_value(d.disbursed_date); }},
    {"amountDisbursed", FieldKind::money, true, [](const Draw& d) { return to_field_value(d.amount_disbursed); }},
    {"description", FieldKind::text, true, [](const Draw& d) { return to_field_value(d.description); }},
    {"modifiedBy", FieldKind::text, false, [](const Draw& d) { return FieldValue(d.modified_by); }},
    {"modifiedDate", FieldKind::instant, false, [](const Draw& d) { return FieldValue(d.modified_date); }},
    {"fieldA", FieldKind::text, true, [](const Draw& d) { return to_field_value(d.field_a); }},
    {"fieldB", FieldKind::text, true, [](const Draw& d) { return to_field_value(d.field_b); }},
    {"fieldC", FieldKind::text, true, [](const Draw& d) { return to_field_value(d.field_c); }},
    {"fieldD", FieldKind::text, true, [](const Draw& d) { return to_field_value(d.field_d); }},
    {"fieldE", FieldKind::text, true, [](const Draw& d) { return to_field_value(d.field_e); }},
    {"configDrawApproverGroupId", FieldKind::integer, false,
     [](const Draw& d) { return FieldValue(d.config_draw_approver_group_id); }},
    {"workflowId", FieldKind::integer, false, [](const Draw& d) { return FieldValue(d.workflow_id); }},
};

struct Display {
    std::string operator()(std::monostate) const { return "null"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(const std::string& value) const { return value; }
    std::string operator()(Money value) const { return value.to_string(); }
    std::string operator()(Instant value) const { return format_instant(value); }
};

}  // namespace

std::string to_string(DrawStatus status) {
    switch (status) {
        case DrawStatus::not_submitted: return "Not Submitted";
        case DrawStatus::submitted: return "Submitted";
        case DrawStatus::cancelled: return "Cancelled";
        case DrawStatus::pending_approval: return "Pending Approval";
        case DrawStatus::approved: return "Approved";
        case DrawStatus::disbursed: return "Disbursed";
    }
    return "status " + std::to_string(static_cast<int>(status));
}

bool is_known(DrawStatus status) {
    return status >= DrawStatus::not_submitted && status <= DrawStatus::disbursed;
}

std::span<const DrawField> draw_fields() {
    return fields;
}

const DrawField* find_draw_field(std::string_view name) {
    const auto found = std::ranges::find(fields, name, &DrawField::name);
    return found == std::end(fields) ? nullptr : &*found;
}

std::string display(const FieldValue& value) {
    return std::visit(Display{}, value);
}

}  // namespace drawbridge
