#include "draw_builder.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <limits>
#include <type_traits>
#include <variant>

#include "drawbridge/domain/time.hpp"

namespace drawbridge::service {
namespace {

template <class T>
using Member = T Draw::*;

// The member's type determines the JSON type; an optional member may be null or missing.
using AnyMember = std::variant<Member<std::int64_t>, Member<std::optional<std::int64_t>>, Member<DrawStatus>,
                               Member<std::string>, Member<std::optional<std::string>>, Member<Instant>,
                               Member<std::optional<Instant>>, Member<std::optional<Money>>>;

struct Field {
    std::string_view name;
    AnyMember member;
};

const Field fields[] = {
    {"id", &Draw::id},
    {"caseId", &Draw::case_id},
    {"caseName", &Draw::case_name},
    {"status", &Draw::status},
    {"requestedBy", &Draw::requested_by},
    {"requestedDate", &Draw::requested_date},
    {"amountRequested", &Draw::amount_requested},
    {"approvedBy", &Draw::approved_by},
    {"approvedDate", &Draw::approved_date},
    {"amountApproved", &Draw::amount_approved},
    {"disbursedBy", &Draw::disbursed_by},
    {"disbursedDate", &Draw::disbursed_date},
    {"amountDisbursed", &Draw::amount_disbursed},
    {"description", &Draw::description},
    {"modifiedBy", &Draw::modified_by},
    {"modifiedDate", &Draw::modified_date},
    {"fieldA", &Draw::field_a},
    {"fieldB", &Draw::field_b},
    {"fieldC", &Draw::field_c},
    {"fieldD", &Draw::field_d},
    {"fieldE", &Draw::field_e},
    {"configDrawApproverGroupId", &Draw::config_draw_approver_group_id},
    {"workflowId", &Draw::workflow_id},
};

template <class T>
struct Unwrapped {
    using type = T;
    static constexpr bool nullable = false;
};
template <class T>
struct Unwrapped<std::optional<T>> {
    using type = T;
    static constexpr bool nullable = true;
};

std::string_view name_of(JsonScalar::Kind kind) {
    switch (kind) {
        case JsonScalar::Kind::null: return "null";
        case JsonScalar::Kind::boolean: return "true or false";
        case JsonScalar::Kind::number: return "a number";
        case JsonScalar::Kind::string: return "a string";
        case JsonScalar::Kind::composite: return "an object or a list";
    }
    return "";
}

std::unexpected<std::string> expected_kind(std::string_view wanted, const JsonScalar& value) {
    return std::unexpected("it must be " + std::string(wanted) + " and is " + std::string(name_of(value.kind)));
}

template <class T>
using Read = std::expected<T, std::string>;

Read<std::int64_t> read_as(const JsonScalar& value, std::type_identity<std::int64_t>) {
    if (value.kind != JsonScalar::Kind::number) return expected_kind("an integer", value);
    const auto number = to_integer(value.text);
    if (!number) return std::unexpected("'" + std::string(value.text.substr(0, 40)) + "' is not a 64-bit integer");
    return *number;
}

Read<DrawStatus> read_as(const JsonScalar& value, std::type_identity<DrawStatus>) {
    const auto number = read_as(value, std::type_identity<std::int64_t>());
    if (!number) return std::unexpected(number.error());
    if (*number < std::numeric_limits<int>::min() || *number > std::numeric_limits<int>::max()) {
        return std::unexpected("'" + std::string(value.text.substr(0, 40)) + "' cannot be a status");
    }
    return static_cast<DrawStatus>(*number);
}

Read<std::string> read_as(const JsonScalar& value, std::type_identity<std::string>) {
    if (value.kind != JsonScalar::Kind::string) return expected_kind("a string", value);
    return std::string(value.text);
}

Read<Instant> read_as(const JsonScalar& value, std::type_identity<Instant>) {
    if (value.kind != JsonScalar::Kind::string) return expected_kind("a date-time string", value);
    auto instant = parse_instant(value.text);
    if (!instant) return std::unexpected(instant.error().message);
    return *instant;
}

// More than any bank file can total: surely a mistake, and a sum of many could overflow.
constexpr Money max_amount = Money::from_cents(999'999'999'999);

// A service that adds binary numbers shows 0.30000000000000004 for 0.30, and 11.129999999999999 for 11.13. The amount
// of which the third to the ninth decimal are all 0, or all 9, is less than 1e-9 above that cent, or at most 1e-9
// below.
Result<Money> parse_amount(std::string_view text) {
    constexpr std::size_t cents = 2, checked = 7, max_digits = 60;
    const auto point = text.find('.');
    const auto is_plain = text.find_first_not_of("0123456789.") == std::string_view::npos;
    if (point == std::string_view::npos || !is_plain || text.size() > max_digits) return Money::parse(text);
    const auto rest = text.substr(point + 1).substr(std::min(cents, text.size() - point - 1));
    if (rest.size() < checked) return Money::parse(text);
    const auto digits = rest.substr(0, checked);
    const bool is_above = digits.find_first_not_of('0') == std::string_view::npos;
    const bool is_below = digits.find_first_not_of('9') == std::string_view::npos;
    if (!is_above && !is_below) return Money::parse(text);
    auto amount = Money::parse(text.substr(0, point + 1 + cents));
    if (amount && is_below && *amount <= max_amount) *amount += Money::from_cents(1);
    return amount;
}

Read<Money> read_as(const JsonScalar& value, std::type_identity<Money>) {
    if (value.kind != JsonScalar::Kind::number) return expected_kind("a number", value);
    auto amount = parse_amount(value.text);
    if (!amount) return std::unexpected(amount.error().message);
    if (*amount > max_amount)
        return std::unexpected("'" + std::string(value.text.substr(0, 40)) + "' is more than a payment file can hold");
    return *amount;
}

bool is_required(const Field& field) {
    return std::visit([]<class T>(T Draw::*) { return !Unwrapped<T>::nullable; }, field.member);
}

// Some services show a date that is not set as the first second of year 1.
bool is_no_date(Instant instant) {
    return instant < std::chrono::sys_days(std::chrono::year(2) / std::chrono::January / 1);
}

// Returns "" if the value was valid.
std::string store(Draw& draw, const Field& field, const JsonScalar& value) {
    return std::visit(
        [&]<class T>(T Draw::* member) -> std::string {
            if constexpr (Unwrapped<T>::nullable) {
                if (value.kind == JsonScalar::Kind::null) return {};
            }
            auto read = read_as(value, std::type_identity<typename Unwrapped<T>::type>());
            if (!read) return std::move(read.error());
            if constexpr (std::is_same_v<T, std::optional<Instant>>) {
                if (is_no_date(*read)) return {};
            }
            draw.*member = std::move(*read);
            return {};
        },
        field.member);
}

}  // namespace

void DrawBuilder::set(std::string_view name, JsonScalar value) {
    // A service shows the fields of all its draws in one order, usually that of its documentation.
    const auto* field = expected_ < std::size(fields) && fields[expected_].name == name
                            ? fields + expected_
                            : std::ranges::find(fields, name, &Field::name);
    if (field == std::end(fields)) return;
    const auto index = static_cast<unsigned>(field - std::begin(fields));
    expected_ = index + 1;
    const FieldSet bit = FieldSet{1} << index;
    if ((seen_ & bit) != 0) return refuse(name, "it appears twice");
    seen_ |= bit;
    if (value.kind == JsonScalar::Kind::null) nulls_ |= bit;
    if (std::string why = store(*draw_, *field, value); !why.empty()) return refuse(name, why);
    if (index != 0) return;
    if (draw_->id < 1) return refuse(name, std::to_string(draw_->id) + " is not a draw id");
    id_ = draw_->id;
}

void DrawBuilder::refuse(std::string_view field, std::string_view why) {
    if (!why_.empty()) return;  // report only the first fault
    bad_field_ = field;
    why_ = why;
}

DrawBuilder::Finished DrawBuilder::finish() {
    for (std::size_t i = 0; i < std::size(fields) && why_.empty(); ++i) {
        if ((seen_ >> i & 1U) == 0 && is_required(fields[i])) refuse(fields[i].name, "it is missing");
    }
    Finished finished{.id = id_,
                      .draw = take_draw(),
                      .bad_field = std::move(bad_field_),
                      .lacks = ((FieldSet{1} << std::size(fields)) - 1) & ~seen_,
                      .with_value = seen_ & ~nulls_,
                      .has_null = nulls_ != 0};
    draw_.emplace();
    seen_ = nulls_ = 0;
    expected_ = 0;
    id_.reset();
    bad_field_.clear();
    why_.clear();
    return finished;
}

Result<Draw> DrawBuilder::take_draw() {
    if (why_.empty()) return std::move(*draw_);
    const std::string which = id_ ? "draw " + std::to_string(*id_) : std::string("a draw without a readable id");
    return fail(ErrorCode::protocol, which + ": " + (bad_field_.empty() ? "" : bad_field_ + ": ") + why_);
}

DrawBuilder::Finished build_draw(const JsonValue& value) {
    using Kind = JsonScalar::Kind;
    DrawBuilder builder;
    const JsonObject* object = value.object();
    if (object == nullptr) {
        builder.refuse("", "it is not an object");
        return builder.finish();
    }
    for (const auto& [name, member] : *object) {
        JsonScalar scalar{.kind = Kind::composite, .text = {}};
        if (member.is_null()) {
            scalar.kind = Kind::null;
        } else if (std::holds_alternative<bool>(member.value)) {
            scalar.kind = Kind::boolean;
        } else if (const JsonNumber* number = member.number()) {
            scalar = {.kind = Kind::number, .text = number->text};
        } else if (const std::string* text = member.string()) {
            scalar = {.kind = Kind::string, .text = *text};
        }
        builder.set(name, scalar);
    }
    return builder.finish();
}

}  // namespace drawbridge::service
