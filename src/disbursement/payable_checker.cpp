#include "payable_checker.hpp"

#include <algorithm>
#include <utility>

#include "rendered_values.hpp"

namespace drawbridge::disbursement {

std::variant<Accepted, NeedsPrenote, Refusal> PayableChecker::check(const Payable& payable) {
    if (auto fault = fault_in_amount(payable)) return std::move(*fault);
    if (!payable.payee_key || payable.payee_key->find_first_not_of(" \t") == std::string::npos) {
        return Refusal{reason::payee_key_missing, "the draw names no payee: fill in its payee field in the portal"};
    }
    const Payee* payee = payees_.find(*payable.payee_key);
    if (payee == nullptr) {
        return Refusal{reason::no_payee, "no payee has the key '" + *payable.payee_key +
                                             "': add it to the payee file or correct the draw"};
    }
    if (auto fault = fault_in_payee(*payee, settings_)) return std::move(*fault);
    if (auto fault = fault_in_check(*payee, *payable.amount, settings_)) return std::move(*fault);
    if (payable.held) return Refusal{payable.held->reason_code, payable.held->detail};
    if (auto fault = fault_in_history(payable)) return std::move(*fault);
    Accepted accepted{&payable, payee, {}, {}, {}};
    if (payee->rail == Rail::ach) {
        auto text = bank_text(payable.remittance);
        if (!text) {
            return Refusal{reason::remittance_not_encodable, "the remittance text does not fit into a bank file: " +
                                                                 text.error().message + ": correct the draw's text"};
        }
        accepted.remittance = std::move(*text);
        complete_entry(accepted);
        if (auto fault = fault_in_records(accepted)) return std::move(*fault);
        if (payable.prenote.state == PrenoteStatus::State::needed) return NeedsPrenote{std::move(accepted)};
    }
    if (auto fault = fault_in_account(payable, *payee, settings_)) return std::move(*fault);
    if (auto fault = guards_.admit(payable, *payee)) return std::move(*fault);
    return accepted;
}

void PayableChecker::complete_entry(Accepted& accepted) const {
    const auto own = settings_.entry_descriptions.find(accepted.payable->workflow_id);
    accepted.entry_description =
        own == settings_.entry_descriptions.end() ? settings_.ach->entry_description : own->second;
    accepted.settlement = settle(settings_.settle, settings_.calendar, settings_.zone, *accepted.payable->amount, now_);
    PlannedPayment probe;
    probe.payee.sec_code = accepted.payee->sec_code;
    probe.remittance = accepted.remittance;
    accepted.records = 1 + static_cast<std::int64_t>(addenda_texts(probe).size());
}

// A limit never splits an entry from its addenda, nor a batch from its offset.
std::optional<Refusal> PayableChecker::fault_in_records(const Accepted& accepted) const {
    const std::int64_t offset = settings_.ach->offset ? 1 : 0;
    const std::int64_t limit = std::min(settings_.max_file_entries, settings_.max_batch_entries);
    if (accepted.records + offset <= limit) return std::nullopt;
    return Refusal{reason::over_file_limit, "its entry has " + std::to_string(accepted.records - 1) +
                                                " addenda, which makes " + std::to_string(accepted.records + offset) +
                                                " entries and addenda" + (offset == 0 ? "" : " with the offset") +
                                                ", more than a file or batch may have (" + std::to_string(limit) +
                                                "): raise ach.limits or shorten the remittance text"};
}

struct Recheck::State {
    PayableChecker checker;
};

Recheck::Recheck(const PayeeDirectory& payees, const PlanSettings& settings, Instant now, BusinessDate planned_on,
                 const PlanHistory& history)
    : state_(std::make_unique<State>(PayableChecker(payees, settings, now, planned_on, history))) {}
Recheck::~Recheck() = default;

std::optional<PlanException> Recheck::check(const Payable& payable) {
    const auto verdict = state_->checker.check(payable);
    if (const auto* refusal = std::get_if<Refusal>(&verdict))
        return PlanException{payable.draw_id, std::string(refusal->first), refusal->second};
    if (!std::holds_alternative<NeedsPrenote>(verdict)) return std::nullopt;
    return PlanException{payable.draw_id, std::string(reason::prenote_waiting),
                         "a prenote must test the account of payee '" + *payable.payee_key + "' first"};
}

}  // namespace drawbridge::disbursement
