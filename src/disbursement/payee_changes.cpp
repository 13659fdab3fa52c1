#include "drawbridge/disbursement/payee_changes.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>

#include "drawbridge/text/sanitize.hpp"
#include "drawbridge/text/utf8.hpp"

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

// Cyrillic and Greek letters, and the Latin ones that they look like.
constexpr std::u32string_view look_alikes =
    U"\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0405\u0406\u0408\u051a"
    U"\u051c\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0455\u0456\u0458\u0501\u051b\u051d\u04bb"
    U"\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf\u03bd"
    U"\u03b1\u03b9\u03c1\u03c5\u03f2";
constexpr std::u32string_view latin_letters =
    U"ABEKMHOPCTYXSIJQWaeopcyxsijdqwh"
    U"ABEZHIKMNOPTYXovaipuc";
static_assert(look_alikes.size() == latin_letters.size());

char32_t latin_for(char32_t c) {
    constexpr char32_t first_wide = 0xFF01, last_wide = 0xFF5E;
    if (c >= first_wide && c <= last_wide) return c - first_wide + '!';  // full-width forms
    const auto at = look_alikes.find(c);
    return at == std::u32string_view::npos ? c : latin_letters[at];
}

// Equal for names that people take for the same.
std::u32string look_of(const std::string& name) {
    std::u32string look;
    text::for_each_character(text::as_seen(name), [&](std::string_view bytes, std::optional<char32_t> c) {
        look += c ? latin_for(*c) : static_cast<char32_t>(static_cast<unsigned char>(bytes.front()));
    });
    return look;
}

// The payees of both directories by how their names look.
class Looks {
  public:
    void add(const Payee& payee) { payees_[look_of(payee.name)].push_back(&payee); }
    // Marks a name that somebody could take for another one.
    void mark(const Payee& payee, std::vector<FieldChange>& fields) const {
        const auto name = std::ranges::find(fields, "name", &FieldChange::field);
        if (name == fields.end()) return;
        const auto& alike = payees_.at(look_of(payee.name));
        const auto other = std::ranges::find_if(alike, [&](const Payee* one) { return one->name != payee.name; });
        if (other != alike.end()) name->to += " (only looks like the name of payee '" + (*other)->key + "')";
    }

  private:
    std::map<std::u32string, std::vector<const Payee*>> payees_;
};

}  // namespace

std::vector<PayeeChange> changes_between(const PayeeDirectory& before, const PayeeDirectory& now) {
    std::map<std::string_view, std::pair<const Payee*, const Payee*>> by_key;
    Looks looks;
    for (const auto& payee : before.payees()) {
        by_key[payee.key].first = &payee;
        looks.add(payee);
    }
    for (const auto& payee : now.payees()) {
        by_key[payee.key].second = &payee;
        looks.add(payee);
    }
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
        if (fresh != nullptr && (old == nullptr || *old != *fresh)) looks.mark(*fresh, changes.back().fields);
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
