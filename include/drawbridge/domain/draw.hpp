// A draw as the Draws Service shows it, and access to any of its fields by name.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "drawbridge/domain/money.hpp"
#include "drawbridge/domain/time.hpp"

namespace drawbridge {

using DrawId = std::int64_t;

// The service's status numbers. A number that is not listed (a later version of the service may add some) is kept as it
// is: it equals none of these, so nothing is approved or paid on it.
enum class DrawStatus : int {
    not_submitted = 0,
    submitted = 1,
    cancelled = 2,
    pending_approval = 3,
    approved = 4,
    disbursed = 5,
};

// "Pending Approval"; "status 7" for an unknown number.
[[nodiscard]] std::string to_string(DrawStatus status);
[[nodiscard]] bool is_known(DrawStatus status);

// Nullable fields are optionals; times are UTC.
struct Draw {
    DrawId id = 0;
    std::optional<std::int64_t> case_id;
    std::optional<std::string> case_name;
    DrawStatus status = DrawStatus::not_submitted;
    std::string requested_by;
    Instant requested_date;
    std::optional<Money> amount_requested;
    std::optional<std::string> approved_by;
    std::optional<Instant> approved_date;
    std::optional<Money> amount_approved;
    std::optional<std::string> disbursed_by;
    std::optional<Instant> disbursed_date;
    std::optional<Money> amount_disbursed;
    std::optional<std::string> description;
    std::string modified_by;
    Instant modified_date;
    std::optional<std::string> field_a, field_b, field_c, field_d, field_e;
    std::int64_t config_draw_approver_group_id = 0;
    std::int64_t workflow_id = 0;
    friend bool operator==(const Draw&, const Draw&) = default;
};

enum class FieldKind { integer, text, money, instant };

// monostate is null.
using FieldValue = std::variant<std::monostate, std::int64_t, std::string, Money, Instant>;

// One row for each field of a draw, under the service's own name ("amountRequested").
struct DrawField {
    std::string_view name;
    FieldKind kind;
    bool nullable;
    FieldValue (*get)(const Draw&);
};

[[nodiscard]] std::span<const DrawField> draw_fields();
// nullptr when there is no such field. Names are case-sensitive, as in the service.
[[nodiscard]] const DrawField* find_draw_field(std::string_view name);
// For people: "null", "1250.00", "2026-03-04T05:06:07.000Z", or the text itself.
[[nodiscard]] std::string display(const FieldValue& value);

}  // namespace drawbridge
