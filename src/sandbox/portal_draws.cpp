// Acts of people on draws in the portal.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "portal.hpp"
#include "service.hpp"
#include "wire.hpp"

namespace draws_sandbox {
namespace {

constexpr std::string_view clerk = "t.nakamura@draws.example.gov";         // submits, cancels, edits
constexpr std::string_view treasurer = "a.castellanos@draws.example.gov";  // approves and marks as disbursed

struct Act {
    std::string_view name;
    Status to;
    std::array<bool, 6> from;  // by status: whether the act is possible
};

constexpr std::array<Act, 4> acts{{
    {"submit", Status::pending_approval, {true, true, false, false, false, false}},
    {"cancel", Status::cancelled, {true, true, false, true, true, false}},
    {"approve", Status::approved, {false, false, false, true, false, false}},
    {"disburse", Status::disbursed, {false, false, false, false, true, false}},
}};

Problem bad_request(std::string detail) {
    return {400, "bad_request", std::move(detail)};
}

std::expected<Changes, Problem> read_fields(const nlohmann::json& body) {
    if (!body.is_object()) return std::unexpected(bad_request("expected a JSON object"));
    Changes changes;
    for (const auto& [name, json] : body.items()) {
        const auto field = find_field(name);
        if (!field) return std::unexpected(bad_request(fmt::format("'{}' is not a field of a draw", name)));
        auto value = value_from_json(*field, json);
        if (!value) return std::unexpected(bad_request(fmt::format("'{}': {}", name, value.error())));
        if (*field == Field::status && !is_status(std::get<std::int64_t>(*value))) {
            return std::unexpected(bad_request("'status': expected 0 to 5"));
        }
        changes.emplace_back(*field, std::move(*value));
    }
    return changes;
}

void add_unless_set(Changes& changes, Field field, Value value) {
    const auto set = std::ranges::find(changes, field, [](const auto& change) { return change.first; });
    if (set == changes.end()) changes.emplace_back(field, std::move(value));
}

// A value from the body of an act, or `otherwise` if the body has none.
std::expected<Value, Problem> value_or(const nlohmann::json& body, const char* name, Field field, Value otherwise) {
    const auto found = body.find(name);
    if (found == body.end() || found->is_null()) return otherwise;
    auto value = value_from_json(field, *found);
    if (!value) return std::unexpected(bad_request(fmt::format("'{}': {}", name, value.error())));
    return std::move(*value);
}

struct OutcomeFields {
    Field amount;
    Field by;
    Field date;
};

// The fields that approval or disbursement sets besides the status.
std::expected<Changes, Problem> outcome(const nlohmann::json& body, const OutcomeFields& fields, const Value& amount,
                                        const char* date_name, Instant at) {
    auto amount_value = value_or(body, "amount", fields.amount, amount);
    if (!amount_value) return std::unexpected(std::move(amount_value.error()));
    auto by = value_or(body, "by", fields.by, std::string(treasurer));
    if (!by) return std::unexpected(std::move(by.error()));
    auto date = value_or(body, date_name, fields.date, instant_value(at));
    if (!date) return std::unexpected(std::move(date.error()));
    return Changes{{fields.amount, std::move(*amount_value)},
                   {Field::modified_by, *by},
                   {fields.by, std::move(*by)},
                   {fields.date, std::move(*date)}};
}

std::expected<Changes, Problem> changes_of(const Act& act, const Draw& draw, const nlohmann::json& body, Instant at) {
    if (act.to == Status::approved) {
        return outcome(body, {Field::amount_approved, Field::approved_by, Field::approved_date},
                       draw[Field::amount_requested], "approvedDate", at);
    }
    if (act.to == Status::disbursed) {
        return outcome(body, {Field::amount_disbursed, Field::disbursed_by, Field::disbursed_date},
                       draw[Field::amount_approved], "disbursedDate", at);
    }
    auto by = value_or(body, "by", Field::modified_by, std::string(clerk));
    if (!by) return std::unexpected(std::move(by.error()));
    return Changes{{Field::modified_by, std::move(*by)}};
}

std::expected<Changes, Problem> reopen_changes(const nlohmann::json& body) {
    const auto status = body.find("status");
    if (status == body.end() || !status->is_number_integer() || !is_status(status->get<std::int64_t>())) {
        return std::unexpected(bad_request("'status' is required: 0 to 5"));
    }
    return Changes{{Field::modified_by, std::string(clerk)}, {Field::status, status->get<std::int64_t>()}};
}

Draw blank_draw(Instant at) {
    Draw draw;
    draw[Field::status] = std::int64_t{0};
    draw[Field::requested_by] = std::string("r.mbeki@participants.example.org");
    draw[Field::requested_date] = instant_value(at);
    draw[Field::modified_by] = std::string(clerk);
    draw[Field::modified_date] = instant_value(at);
    draw[Field::config_draw_approver_group_id] = std::int64_t{301};
    draw[Field::workflow_id] = std::int64_t{12};
    draw[Field::approval_count] = std::int64_t{0};
    return draw;
}

// A draw created as approved or disbursed gets the fields of the steps that it skipped.
void complete(Draw& draw) {
    const auto status = draw.integer(Field::status);
    const auto fill = [&draw](Field field, Value value) {
        if (draw.is_null(field)) draw[field] = std::move(value);
    };
    if (status >= static_cast<std::int64_t>(Status::approved)) {
        fill(Field::amount_approved, draw[Field::amount_requested]);
        fill(Field::approved_by, std::string(treasurer));
        fill(Field::approved_date, draw[Field::modified_date]);
    }
    if (status == static_cast<std::int64_t>(Status::disbursed)) {
        fill(Field::amount_disbursed, draw[Field::amount_approved]);
        fill(Field::disbursed_by, std::string(treasurer));
        fill(Field::disbursed_date, draw[Field::modified_date]);
    }
}

}  // namespace

Reply Portal::create_draw(const nlohmann::json& body) {
    auto changes = read_fields(body);
    if (!changes) return problem_reply(changes.error());
    auto draw = blank_draw(now());
    apply_changes(draw, *changes);
    complete(draw);
    Store::Transaction transaction(store_);
    if (!draw.is_null(Field::id) && store_.find(draw.id())) {
        return problem_reply({409, "draw_exists", fmt::format("draw {} already exists", draw.id())});
    }
    draw[Field::id] = store_.insert(draw);
    transaction.commit();
    return json_reply(201, draw_json(draw, View::portal));
}

Reply Portal::edit_draw(std::int64_t id, const nlohmann::json& body) {
    auto changes = read_fields(body);
    if (!changes) return problem_reply(changes.error());
    Store::Transaction transaction(store_);
    auto draw = store_.find(id);
    if (!draw) return problem_reply(no_such_draw(id));
    std::erase_if(*changes, [](const auto& change) { return change.first == Field::id; });
    add_unless_set(*changes, Field::modified_by, std::string(clerk));
    add_unless_set(*changes, Field::modified_date, instant_value(now()));
    store_.update(id, *changes);
    transaction.commit();
    apply_changes(*draw, *changes);
    return json_reply(200, draw_json(*draw, View::portal));
}

std::expected<Draw, Problem> Portal::perform(std::int64_t id, std::string_view name, const nlohmann::json& body,
                                             bool force) {
    if (!body.is_object()) return std::unexpected(bad_request("expected a JSON object"));
    auto draw = store_.find(id);
    if (!draw) return std::unexpected(no_such_draw(id));
    const auto at = now();
    const auto* const act = std::ranges::find(acts, name, &Act::name);
    if (act == acts.end() && name != "reopen") {
        return std::unexpected(Problem{404, "no_such_path", fmt::format("'{}' is not an act on a draw", name)});
    }
    const auto status = draw->integer(Field::status);
    if (act != acts.end() && !force && !act->from.at(static_cast<std::size_t>(status))) {
        return std::unexpected(Problem{409, "wrong_status",
                                       fmt::format("draw {} is {}: '{}' is not possible (?force=true overrides this)",
                                                   id, status_name(status), name)});
    }
    auto changes = act == acts.end() ? reopen_changes(body) : changes_of(*act, *draw, body, at);
    if (!changes) return std::unexpected(std::move(changes.error()));
    if (act != acts.end()) changes->emplace_back(Field::status, static_cast<std::int64_t>(act->to));
    changes->emplace_back(Field::modified_date, instant_value(at));
    store_.update(id, *changes);
    apply_changes(*draw, *changes);
    return std::move(*draw);
}

Reply Portal::act(std::int64_t id, std::string_view act, const nlohmann::json& body, bool force) {
    Store::Transaction transaction(store_);
    const auto draw = perform(id, act, body, force);
    if (!draw) return problem_reply(draw.error());
    transaction.commit();
    return json_reply(200, draw_json(*draw, View::portal));
}

Reply Portal::disburse_many(const nlohmann::json& body, bool force) {
    if (!body.is_object()) return problem_reply(bad_request("expected a JSON object"));
    std::vector<std::int64_t> ids;
    if (const auto listed = body.find("ids"); listed != body.end() && listed->is_array()) {
        for (const auto& id : *listed) {
            if (!id.is_number_integer()) return problem_reply(bad_request("'ids' needs a list of integers"));
            ids.push_back(id.get<std::int64_t>());
        }
    } else if (const auto status = body.find("status"); status != body.end() && status->is_number_integer()) {
        ids = store_.ids_with_status(static_cast<Status>(status->get<std::int64_t>()));
    } else {
        return problem_reply(bad_request("needs 'ids', a list of draw ids, or 'status'"));
    }
    Store::Transaction transaction(store_);
    for (const auto id : ids) {
        if (const auto draw = perform(id, "disburse", body, force); !draw) return problem_reply(draw.error());
    }
    transaction.commit();
    return json_reply(200, fmt::format(R"({{"disbursed":{}}})", ids.size()));
}

}  // namespace draws_sandbox
