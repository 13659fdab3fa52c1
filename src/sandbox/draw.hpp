#pragma once
// Owns the fields of a draw in the order of the specification, their kinds, and the values of one draw.
// Must never know how a draw is stored or sent.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "instant.hpp"

namespace draws_sandbox {

enum class Field : std::size_t {
    id,
    case_id,
    case_name,
    status,
    requested_by,
    requested_date,
    amount_requested,
    approved_by,
    approved_date,
    amount_approved,
    disbursed_by,
    disbursed_date,
    amount_disbursed,
    description,
    modified_by,
    modified_date,
    field_a,
    field_b,
    field_c,
    field_d,
    field_e,
    config_draw_approver_group_id,
    workflow_id,
    // The fields below are kept by the service and shown by its portal, but are not part of the published draw record.
    participant_field_a,
    participant_field_b,
    participant_field_c,
    admin_description,
    approval_notes,
    approval_count,
};

inline constexpr std::size_t field_count = 29;
inline constexpr std::size_t published_field_count = 23;

enum class Kind { integer, amount, instant, text };

struct FieldInfo {
    std::string_view name;  // on the wire, and the column's name
    Kind kind;
    bool nullable;
};

inline constexpr std::array<FieldInfo, field_count> fields{{
    {"id", Kind::integer, false},
    {"caseId", Kind::integer, true},
    {"caseName", Kind::text, true},
    {"status", Kind::integer, false},
    {"requestedBy", Kind::text, false},
    {"requestedDate", Kind::instant, false},
    {"amountRequested", Kind::amount, true},
    {"approvedBy", Kind::text, true},
    {"approvedDate", Kind::instant, true},
    {"amountApproved", Kind::amount, true},
    {"disbursedBy", Kind::text, true},
    {"disbursedDate", Kind::instant, true},
    {"amountDisbursed", Kind::amount, true},
    {"description", Kind::text, true},
    {"modifiedBy", Kind::text, false},
    {"modifiedDate", Kind::instant, false},
    {"fieldA", Kind::text, true},
    {"fieldB", Kind::text, true},
    {"fieldC", Kind::text, true},
    {"fieldD", Kind::text, true},
    {"fieldE", Kind::text, true},
    {"configDrawApproverGroupId", Kind::integer, false},
    {"workflowId", Kind::integer, false},
    {"participant_FieldA", Kind::text, true},
    {"participant_FieldB", Kind::text, true},
    {"participant_FieldC", Kind::text, true},
    {"admin_Description", Kind::text, true},
    {"approvalNotes", Kind::text, true},
    {"approvalCount", Kind::integer, false},
}};

[[nodiscard]] constexpr const FieldInfo& info(Field field) {
    return fields[static_cast<std::size_t>(field)];
}
[[nodiscard]] std::optional<Field> find_field(std::string_view name);
[[nodiscard]] constexpr bool is_published(Field field) {
    return static_cast<std::size_t>(field) < published_field_count;
}

// Integers as sent, amounts in cents, instants in milliseconds since 1970, text as UTF-8; monostate is null.
using Value = std::variant<std::monostate, std::int64_t, std::string>;

[[nodiscard]] Value instant_value(Instant instant);

enum class Status : std::int64_t {
    not_submitted = 0,
    submitted = 1,
    cancelled = 2,
    pending_approval = 3,
    approved = 4,
    disbursed = 5,
};

[[nodiscard]] std::string_view status_name(std::int64_t status);
[[nodiscard]] constexpr bool is_status(std::int64_t value) {
    return value >= 0 && value <= 5;
}

class Draw {
  public:
    [[nodiscard]] const Value& operator[](Field field) const { return values_[static_cast<std::size_t>(field)]; }
    [[nodiscard]] Value& operator[](Field field) { return values_[static_cast<std::size_t>(field)]; }

    [[nodiscard]] bool is_null(Field field) const { return std::holds_alternative<std::monostate>((*this)[field]); }
    // Only for fields that are not null.
    [[nodiscard]] std::int64_t integer(Field field) const { return std::get<std::int64_t>((*this)[field]); }
    [[nodiscard]] std::int64_t id() const { return integer(Field::id); }
    [[nodiscard]] bool has_status(Status status) const {
        return integer(Field::status) == static_cast<std::int64_t>(status);
    }

  private:
    std::array<Value, field_count> values_;
};

using Changes = std::vector<std::pair<Field, Value>>;

void apply_changes(Draw& draw, const Changes& changes);

}  // namespace draws_sandbox
