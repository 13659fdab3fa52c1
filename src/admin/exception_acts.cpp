#include "exception_acts.hpp"

#include <algorithm>

#include "delivery_view.hpp"
#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/domain/exception_catalog.hpp"
#include "drawbridge/ledger/facts/returns.hpp"
#include "resolutions.hpp"
#include "routes.hpp"

namespace drawbridge::admin {
namespace {

bool is_about_proposal(const ledger::ExceptionRow& row) {
    const auto* const kind = find_exception_kind(row.what.reason_code, row.what.step);
    return kind != nullptr && kind->acts.has(ExceptionAct::accept_change);
}

Result<void> may_act_on(AdminContext& context, std::int64_t exception_id, const Call& call) {
    const auto row = ledger::find_exception(context.ledger, exception_id);
    if (!row || call.standing.roles.meets(ledger::may_resolve(row->what.step))) return {};
    return refuse_role(context, {ledger::Role::operate}, call);
}

// An exception about a delivery or a change needs another act than a reason.
Result<void> closes_by_reason(AdminContext& context, std::int64_t exception_id) {
    const auto row = ledger::find_exception(context.ledger, exception_id);
    if (!row || row->closed_at) return {};
    const std::string id = std::to_string(exception_id);
    if (needs_delivery_outcome(*row)) {
        return fail(ErrorCode::invalid_input,
                    row->what.subject + ": state the outcome of its delivery: resolve " + id +
                        " --by-hand (the bank has it) or --again (the bank does not have it; upload it again)");
    }
    if (is_about_proposal(*row)) {
        return fail(
            ErrorCode::invalid_input,
            "exception " + id + " closes with its change: accept or reject the change, see `drawbridge changes`");
    }
    return {};
}

// Rolls a transaction back.
struct NotResolved {
    Error error;
};

Answer reissue_draw(AdminContext& context, const Call& call, DrawId id) {
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    const auto payment = context.ledger.transaction([&] {
        return ledger::order_reissue(context.ledger, id, context.shared.payees, *reason, stamp(context, call));
    });
    if (!payment) return std::unexpected(payment.error());
    crash_point("reissue.committed");
    return json{{"draw_id", id}, {"after_payment", disbursement::format_payment_id(*payment)}};
}

Result<DrawId> draw_to_reissue(AdminContext& context, const Call& call) {
    const bool by_draw = call.path[0] == "draws";
    const auto id = whole_number(call.path[1], by_draw ? "the draw's id" : "the exception's id", 1, INT64_MAX);
    if (!id || by_draw) return id;
    const auto row = ledger::find_exception(context.ledger, *id);
    if (row && row->what.draw_id) return *row->what.draw_id;
    return fail(ErrorCode::not_found,
                "no exception " + call.path[1] + " about a draw: 'drawbridge exceptions' lists the open ones");
}

Result<json> reissue_expected(AdminContext& context, DrawId id) {
    const auto again = ledger::check_reissue(context.ledger, id, context.shared.payees);
    if (!again) return std::unexpected(again.error());
    const auto* payee = context.shared.payees.find(again->payee_key);
    const bool has_account = payee != nullptr && payee->account_number;
    return json{{"draw", id},
                {"amount", again->amount.to_string()},
                {"payee", again->payee_key},
                {"name", payee == nullptr ? "" : payee->name},
                {"account", has_account ? payee->account_number->masked() : ""}};
}

}  // namespace

Answer act_on_exception(AdminContext& context, const Call& call) {
    const auto id = whole_number(call.path[1], "the exception's id", 1, INT64_MAX);
    if (!id) return std::unexpected(id.error());
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    if (auto allowed = may_act_on(context, *id, call); !allowed) return std::unexpected(allowed.error());
    const ledger::Resolution what{*id, *reason};
    if (call.path[2] == "undo") return undo(context, what, stamp(context, call));
    if (auto closes = closes_by_reason(context, *id); !closes) return std::unexpected(closes.error());
    const auto match = call.body.value("match", json(""));
    if (!match.is_string()) return fail(ErrorCode::invalid_input, "'match' is not a payment id");
    return resolve(context, what, match.get<std::string>(), stamp(context, call));
}

Result<std::vector<std::int64_t>> exception_ids(const Call& call) {
    constexpr std::size_t max_exceptions = 500;
    const auto given = call.body.find("ids");
    const bool is_list =
        given != call.body.end() && given->is_array() && !given->empty() && given->size() <= max_exceptions;
    if (!is_list) return fail(ErrorCode::invalid_input, "'ids' must be a list of 1 to 500 exception ids");
    std::vector<std::int64_t> ids;
    for (const auto& id : *given) {
        if (!id.is_number_integer()) return fail(ErrorCode::invalid_input, id.dump() + " is not an exception's id");
        ids.push_back(id.get<std::int64_t>());
    }
    auto ordered = ids;
    std::ranges::sort(ordered);
    if (const auto twice = std::ranges::adjacent_find(ordered); twice != ordered.end())
        return fail(ErrorCode::invalid_input, "exception " + std::to_string(*twice) + " is named twice");
    return ids;
}

Answer resolve_exceptions(AdminContext& context, const Call& call) {
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    const auto ids = exception_ids(call);
    if (!ids) return std::unexpected(ids.error());
    for (const std::int64_t id : *ids) {
        if (auto allowed = may_act_on(context, id, call); !allowed) return std::unexpected(allowed.error());
        if (auto closes = closes_by_reason(context, id); !closes) return std::unexpected(closes.error());
    }
    try {
        context.ledger.transaction([&] {
            for (const std::int64_t id : *ids) {
                const auto closed = ledger::close_exception(context.ledger, id, *reason, stamp(context, call));
                if (!closed) throw NotResolved{closed.error()};
            }
        });
    } catch (const NotResolved& refused) {
        return fail(refused.error.code, "nothing is resolved: " + refused.error.message);
    }
    crash_point("resolve.committed");
    return json{{"resolved", *ids}};
}

Result<json> expected_reissue(AdminContext& context, const Call& call) {
    const auto id = draw_to_reissue(context, call);
    if (!id) return std::unexpected(id.error());
    return reissue_expected(context, *id);
}

Answer reissue(AdminContext& context, const Call& call) {
    const auto id = draw_to_reissue(context, call);
    if (!id) return std::unexpected(id.error());
    if (const auto signed_for = call.body.find("expect"); signed_for != call.body.end()) {
        const auto expected = reissue_expected(context, *id);
        if (!expected) return std::unexpected(expected.error());
        if (*expected != *signed_for)
            return fail(ErrorCode::conflict,
                        "draw " + std::to_string(*id) + ": its amount or its payee is not what was signed: look again");
    }
    return reissue_draw(context, call, *id);
}

}  // namespace drawbridge::admin
