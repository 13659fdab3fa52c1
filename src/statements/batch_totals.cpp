#include "batch_totals.hpp"

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

#include "drawbridge/domain/confirmation.hpp"
#include "drawbridge/domain/money.hpp"
#include "xml_elements.hpp"
#include "xml_nodes.hpp"

namespace drawbridge::statements {
namespace {

// In cents; nullopt: not in US dollars, or not an amount.
std::optional<std::int64_t> dollars(const pugi::xml_node& amount, std::string_view currency) {
    Confirmation stated;
    stated.currency = currency;
    read_currency(amount, stated);
    const auto money = Money::parse(plain_decimal(own_text(amount)));
    if (!amount || stated.currency != "USD" || !money) return std::nullopt;
    return money->cents();
}

struct Sum {
    std::int64_t count = 0;
    std::int64_t cents = 0;
    bool is_known = true;  // false: a transaction states no amount in US dollars
    bool is_too_large = false;

    void add(std::int64_t more) {
        if (__builtin_add_overflow(cents, more, &cents)) is_too_large = true;
    }
    [[nodiscard]] bool exceeds(const std::optional<std::int64_t>& stated) const {
        return is_known && stated && (is_too_large || cents > *stated);
    }
    [[nodiscard]] std::string more_than(std::int64_t stated) const {
        return (is_too_large ? "too much to add up" : Money::from_cents(cents).to_display()) + ", but it is for " +
               Money::from_cents(stated).to_display();
    }
};

std::string fault_in_count(const std::string& stated, std::int64_t shown) {
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(stated.data(), stated.data() + stated.size(), count);
    const bool is_number = error == std::errc() && end == stated.data() + stated.size();
    if (stated.empty() || !is_number || count >= shown) return {};
    return "the batch says that it has " + std::to_string(count) + " transactions, but it shows " +
           std::to_string(shown);
}

}  // namespace

pugi::xml_node booked_amount(const pugi::xml_node& transaction) {
    if (const pugi::xml_node own = child(transaction, "Amt")) return own;
    return at_path(transaction, {"AmtDtls", "TxAmt", "Amt"});
}

std::string fault_in_batches(const pugi::xml_node& entry) {
    Confirmation of_entry;
    read_currency(child(entry, "Amt"), of_entry);
    const std::string side = text_at(entry, {"CdtDbtInd"});
    Sum whole;
    for (const pugi::xml_node& details : entry.children()) {
        if (local_name(details.name()) != "NtryDtls") continue;
        Sum batch;
        for (const pugi::xml_node& one : details.children()) {
            if (local_name(one.name()) != "TxDtls") continue;
            ++batch.count;
            const auto cents = dollars(booked_amount(one), of_entry.currency);
            // A transaction of the other side lowers the total.
            const std::string own_side = text_at(one, {"CdtDbtInd"});
            const std::int64_t sign = own_side.empty() || own_side == side ? 1 : -1;
            if (cents) batch.add(sign * *cents);
            batch.is_known = batch.is_known && cents.has_value();
        }
        const auto fault = fault_in_count(text_at(details, {"Btch", "NbOfTxs"}), batch.count);
        if (!fault.empty()) return fault;
        const auto total = dollars(at_path(details, {"Btch", "TtlAmt"}), of_entry.currency);
        if (batch.count > 0 && batch.exceeds(total))
            return "the transactions of the batch add up to " + batch.more_than(*total);
        whole.count += batch.count;
        whole.add(batch.cents);
        whole.is_known = whole.is_known && batch.is_known;
        whole.is_too_large = whole.is_too_large || batch.is_too_large;
    }
    const auto amount = dollars(child(entry, "Amt"), of_entry.currency);
    if (whole.count > 0 && whole.exceeds(amount))
        return "the transactions of the entry add up to " + whole.more_than(*amount);
    return {};
}

}  // namespace drawbridge::statements
