#include "drawbridge/domain/exception_catalog.hpp"

#include <algorithm>
#include <iterator>

#include "exceptions_bank.hpp"
#include "exceptions_delivery.hpp"
#include "exceptions_draws.hpp"
#include "exceptions_files.hpp"
#include "exceptions_service.hpp"
#include "exceptions_upkeep.hpp"

namespace drawbridge {
namespace {

template <std::size_t... Sizes>
consteval auto join(const ExceptionKind (&... tables)[Sizes]) {
    std::array<ExceptionKind, (Sizes + ...)> all{};
    auto at = all.begin();
    (..., (at = std::ranges::copy(tables, at).out));
    return all;
}

constexpr auto kinds =
    join(exceptions::poll_kinds, exceptions::change_kinds, exceptions::approve_kinds, exceptions::unpayable_kinds,
         exceptions::held_kinds, exceptions::file_kinds, exceptions::check_kinds, exceptions::ledger_kinds,
         exceptions::delivery_kinds, exceptions::confirm_kinds, exceptions::report_kinds, exceptions::machine_kinds);

}  // namespace

std::string_view to_string(ExceptionAct act) {
    using enum ExceptionAct;
    switch (act) {
        case resolve: return "resolve";
        case match: return "match";
        case undo: return "undo";
        case reissue: return "reissue";
        case approve: return "approve";
        case release: return "release";
        case void_payment: return "void_payment";
        case void_check: return "void_check";
        case deliver_by_hand: return "deliver_by_hand";
        case deliver_again: return "deliver_again";
        case acknowledge: return "acknowledge";
        case accept_change: return "accept_change";
        case reject_change: return "reject_change";
        case ingest: return "ingest";
        case pause: return "pause";
        case resume: break;
    }
    return "resume";
}

std::span<const ExceptionKind> exception_kinds() {
    return kinds;
}

Step ledger_step(Step step) {
    return step == Step::deliver ? Step::pay : step;
}

const ExceptionKind* find_exception_kind(std::string_view reason_code, std::string_view step) {
    const auto is_raised_by = [&](const ExceptionKind& kind) {
        if (kind.reason_code != reason_code) return false;
        return std::ranges::any_of(all_steps, [&](Step one) {
            return (kind.step == one || kind.also.has(one)) && to_string(ledger_step(one)) == step;
        });
    };
    const auto* const found = std::ranges::find_if(kinds, is_raised_by);
    return found == std::end(kinds) ? nullptr : found;
}

const ExceptionKind* find_exception_kind(std::string_view reason_code) {
    const auto* const found = std::ranges::find(kinds, reason_code, &ExceptionKind::reason_code);
    return found == std::end(kinds) ? nullptr : found;
}

}  // namespace drawbridge
