#include "drawbridge/config/controls.hpp"

#include "drawbridge/text/show.hpp"

namespace drawbridge::config {
namespace {

ControlStatus release(const Pay& pay) {
    if (pay.release == Release::manual) return {"pay.release", true, "a person who is not a maker releases each file"};
    return {"pay.release", false, "a file without makers is released automatically"};
}

ControlStatus limit(std::string key, const std::optional<Money>& amount, std::string_view of,
                    std::string_view without) {
    if (!amount) return {std::move(key), false, std::string(without)};
    return {std::move(key), true, "at most " + amount->to_display() + " " + std::string(of)};
}

ControlStatus days(std::string key, int count, std::string_view what, std::string_view without) {
    if (count == 0) return {std::move(key), false, std::string(without)};
    return {std::move(key), true, std::string(what) + " " + text::counted(count, "day")};
}

ControlStatus acknowledgment(const std::optional<std::chrono::milliseconds>& within) {
    constexpr std::string_view key = "pay.acknowledge_within";
    if (!within) return {std::string(key), false, "nothing checks that the bank received a released file"};
    return {std::string(key), true,
            "the bank must acknowledge each file's count and total in " + text::short_duration(*within)};
}

ControlStatus witness(const Witness& witness) {
    if (witness.folder)
        return {"ledger.witness", true, "a ledger rollback is detected before anything leaves for the bank"};
    return {"ledger.witness", false, "a ledger that is rolled back with its machine may pay again"};
}

ControlStatus change(std::string key, Control control, std::string_view what) {
    const bool is_on = control == Control::second_person;
    return {std::move(key), is_on,
            std::string(what) + (is_on ? " take effect after two people accept them" : " take effect at once")};
}

ControlStatus archive(const Archive& archive) {
    if (archive.seal_after) return {"archive.seal_after", true, "old bank files and payment files are sealed"};
    return {"archive.seal_after", false, "old bank files and payment files contain readable account numbers"};
}

}  // namespace

std::vector<ControlStatus> controls(const Config& config) {
    const Pay& pay = config.pay;
    std::vector<ControlStatus> all = {release(pay)};
    if (pay.release == Release::automatic) {
        all.push_back(limit("pay.release_limit", pay.release_limit, "a day is released automatically",
                            "any amount may be released automatically"));
    }
    all.push_back(
        limit("pay.limits.payment", pay.guards.payment_limit, "in one payment", "a payment may have any amount"));
    all.push_back(
        limit("pay.limits.day", pay.guards.day_limit, "is planned in a day", "a day's payments may have any total"));
    all.push_back(days("pay.payee_hold", pay.guards.payee_hold_days,
                       "payments to new or changed bank details are held for",
                       "payments to new or changed bank details are not held"));
    all.push_back(days("pay.duplicate_window", pay.guards.duplicate_days,
                       "a payment of the same amount to the same payee or account is held within",
                       "a payment of the same amount to the same payee is not held"));
    all.push_back(acknowledgment(pay.acknowledge_within));
    if (config.ach) {
        const bool required = config.ach->prenotes_required;
        all.push_back({"ach.prenotes.required", required,
                       required ? "a prenote tests each new account" : "new accounts are not tested"});
    }
    all.push_back(change("change_control.rules", config.change_control.rules, "changed rules"));
    all.push_back(change("change_control.payees", config.change_control.payees, "changed payees"));
    all.push_back(witness(config.ledger.witness));
    all.push_back(archive(config.archive));
    return all;
}

}  // namespace drawbridge::config
