#include "drawbridge/disbursement/payee_changes.hpp"

#include <array>
#include <map>
#include <string_view>

namespace drawbridge::disbursement {
namespace {

// The columns other than the key, in header order, as shown.
std::array<FieldChange, 11> shown(const Payee& payee) {
    const auto text = [](std::string_view field, std::string value) {
        return FieldChange{std::string(field), {}, std::move(value)};
    };
    return {text("name", payee.name),
            text("rail", std::string(to_string(payee.rail))),
            text("routing_number", payee.routing_number ? payee.routing_number->to_string() : ""),
            text("account_number", payee.account_number ? payee.account_number->masked() : ""),
            text("account_type", payee.account_type ? std::string(to_string(*payee.account_type)) : ""),
            text("sec_code", payee.sec_code ? std::string(to_string(*payee.sec_code)) : ""),
            text("address1", payee.address1),
            text("address2", payee.address2),
            text("city", payee.city),
            text("state", payee.state),
            text("zip", payee.zip)};
}

std::vector<FieldChange> fields_of(const Payee& payee, bool is_added) {
    std::vector<FieldChange> fields;
    for (auto& field : shown(payee)) {
        if (field.to.empty()) continue;
        if (!is_added) std::swap(field.from, field.to);
        fields.push_back(std::move(field));
    }
    return fields;
}

std::vector<FieldChange> changed_fields(const Payee& before, const Payee& now) {
    std::vector<FieldChange> fields;
    const auto old = shown(before);
    auto fresh = shown(now);
    for (std::size_t i = 0; i < fresh.size(); ++i) {
        fresh[i].from = old[i].to;
        // Two different numbers may look the same when masked.
        const bool is_hidden = fresh[i].field == "account_number" && fresh[i].from == fresh[i].to &&
                               before.account_number != now.account_number;
        if (is_hidden) fresh[i].to += " (another number with the same ending)";
        if (fresh[i].from != fresh[i].to) fields.push_back(std::move(fresh[i]));
    }
    return fields;
}

}  // namespace

std::vector<PayeeChange> changes_between(const PayeeDirectory& before, const PayeeDirectory& now) {
    std::map<std::string_view, std::pair<const Payee*, const Payee*>> by_key;
    for (const auto& payee : before.payees())
        by_key[payee.key].first = &payee;
    for (const auto& payee : now.payees())
        by_key[payee.key].second = &payee;
    std::vector<PayeeChange> changes;
    for (const auto& [key, sides] : by_key) {
        const auto& [old, fresh] = sides;
        using enum PayeeChange::Kind;
        if (old == nullptr) {
            changes.push_back({added, std::string(key), fields_of(*fresh, /*is_added=*/true)});
        } else if (fresh == nullptr) {
            changes.push_back({removed, std::string(key), fields_of(*old, /*is_added=*/false)});
        } else if (*old != *fresh) {
            changes.push_back({changed, std::string(key), changed_fields(*old, *fresh)});
        }
    }
    return changes;
}

std::string_view to_string(PayeeChange::Kind kind) {
    switch (kind) {
        case PayeeChange::Kind::added: return "added";
        case PayeeChange::Kind::removed: return "removed";
        case PayeeChange::Kind::changed: return "changed";
    }
    return {};
}

}  // namespace drawbridge::disbursement
