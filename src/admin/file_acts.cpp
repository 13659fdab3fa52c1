#include "file_acts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <utility>

#include "console_state.hpp"
#include "delivery_view.hpp"
#include "drawbridge/pipeline/payment_files.hpp"
#include "drawbridge/pipeline/steps.hpp"
#include "file_view.hpp"

namespace drawbridge::admin {

namespace {

// Sending a file again lets it out as a release does.
Result<void> check_is_signed(const AdminContext& context, const Call& call, const std::string& what) {
    if (!context.shared.config.console.signed_release_only || call.is_signed) return {};
    return fail(ErrorCode::forbidden, "console.release is signed: " + what + " in the console, with your passkey");
}

}  // namespace

Answer deliver(AdminContext& context, const Call& call) {
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    const auto file = file_of_path(context, call);
    if (!file) return std::unexpected(file.error());
    const std::string how = text_in(call.body, "how");
    const auto& roles = call.standing.roles;
    if (how == "again") {
        if (!roles.has(ledger::Role::releaser)) return refuse_role(context, {ledger::Role::releaser}, call);
        if (auto may = check_is_signed(context, call, "send " + *file + " again"); !may)
            return std::unexpected(may.error());
    }
    if (how == "by_hand" && !roles.has(ledger::Role::operate))
        return refuse_role(context, {ledger::Role::operate}, call);
    return record_delivery_outcome(context, *file, how, *reason, stamp(context, call));
}

Answer acknowledge_file(AdminContext& context, const Call& call) {
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    return acknowledge(context, call.path[1], call.body, *reason, stamp(context, call));
}

Answer void_file(AdminContext& context, const Call& call) {
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    const auto by = stamp(context, call);
    pipeline::Context act(context.shared, by);
    const auto file = pipeline::void_file(act, call.path[1], *reason, by);
    if (!file) return std::unexpected(file.error());
    return json{{"file", view(*file)}};
}

Answer void_payment(AdminContext& context, const Call& call) {
    const auto id = disbursement::parse_payment_id(call.path[1]);
    if (!id) {
        return fail(ErrorCode::invalid_input,
                    "'" + call.path[1].substr(0, 40) +
                        "' is not a payment id: write it like P0000000012, as in 'drawbridge file NAME'");
    }
    const auto reason = reason_of(call);
    if (!reason) return std::unexpected(reason.error());
    const auto by = stamp(context, call);
    pipeline::Context act(context.shared, by);
    const auto voided = pipeline::void_payment(act, *id, *reason, by);
    if (!voided) return std::unexpected(voided.error());
    return json{{"payment_id", call.path[1]}, {"draw_id", voided->draw_id}, {"file", view(voided->file)}};
}

asio::awaitable<Answer> pay(AdminContext& context, Call call) {
    const auto reason = reason_of(call);
    if (!reason) co_return std::unexpected(reason.error());
    const auto turn = co_await context.turn.take(std::string(to_string(Step::pay)));
    if (!turn) co_return fail(ErrorCode::cancelled, "the daemon is stopping: nothing was paid");
    if (context.shared.rules.sha256.empty()) {
        co_return fail(ErrorCode::invalid_input,
                       fmt::format("rules or payees have errors, so nothing is paid:\n{}\n",
                                   fmt::join(context.program.status().reload_problems, "\n")));
    }
    pipeline::Context act(context.shared, stamp(context, call));
    context.program.log(Program::LogLevel::info, "pay: ordered by " + act.actor + ": " + *reason);
    const auto began = std::chrono::steady_clock::now();
    const auto report = co_await pipeline::pay_on_order(act, *reason);
    if (!report) co_return std::unexpected(report.error());
    if (context.meter != nullptr)
        context.meter->step(Step::pay, report->ok,
                            std::chrono::ceil<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began));
    context.program.log(Program::LogLevel::info, "pay: " + report->summary);
    co_return json{{"ok", report->ok}, {"summary", report->summary}, {"problems", report->problems}};
}

asio::awaitable<Answer> release(AdminContext& context, Call call) {
    const auto reason = reason_of(call);
    if (!reason) co_return std::unexpected(reason.error());
    if (auto same = check_expected(context, call.path[1], call.body); !same) co_return std::unexpected(same.error());
    if (auto may = check_is_signed(context, call, "release " + call.path[1]); !may)
        co_return std::unexpected(may.error());
    auto by = stamp(context, call);
    const auto turn = co_await context.turn.take("release");
    if (!turn) co_return fail(ErrorCode::cancelled, "the daemon is stopping: the release was not ordered");
    pipeline::Context act(context.shared, by);
    const auto file = co_await pipeline::release_file(act, call.path[1], *reason, std::move(by));
    if (!file) co_return std::unexpected(file.error());
    co_return Answer(json{{"file", to_json(with_makers(context.ledger, *file))}});
}

}  // namespace drawbridge::admin
