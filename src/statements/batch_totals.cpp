#include "batch_totals.hpp"

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

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

bool BatchTotals::Sum::exceeds(const std::optional<std::int64_t>& stated) const {
    return count > 0 && is_known && stated && (is_too_large || cents > *stated);
}

void BatchTotals::Sum::add(const Sum& more) {
    count += more.count;
    is_known = is_known && more.is_known;
    is_too_large = __builtin_add_overflow(cents, more.cents, &cents) || is_too_large || more.is_too_large;
}

std::string BatchTotals::Sum::more_than(std::int64_t stated) const {
    return (is_too_large ? "too much to add up" : Money::from_cents(cents).to_display()) + ", but it is for " +
           Money::from_cents(stated).to_display();
}

BatchTotals::BatchTotals(const pugi::xml_node& entry) : side_(text_at(entry, {"CdtDbtInd"})) {
    Confirmation of_entry;
    read_currency(child(entry, "Amt"), of_entry);
    currency_ = of_entry.currency;
    amount_ = dollars(child(entry, "Amt"), currency_);
}

void BatchTotals::add(const pugi::xml_node& transaction) {
    if (transaction.parent() != details_) end_batch();
    details_ = transaction.parent();
    const auto cents = dollars(booked_amount(transaction), currency_);
    // A transaction of the other side lowers the total.
    const std::string own_side = text_at(transaction, {"CdtDbtInd"});
    const std::int64_t sign = own_side.empty() || own_side == side_ ? 1 : -1;
    batch_.add({.count = 1, .cents = sign * cents.value_or(0), .is_known = cents.has_value()});
}

void BatchTotals::end_batch() {
    const Sum batch = std::exchange(batch_, {});
    whole_.add(batch);
    if (!fault_.empty() || batch.count == 0) return;
    fault_ = fault_in_count(text_at(details_, {"Btch", "NbOfTxs"}), batch.count);
    const auto total = dollars(at_path(details_, {"Btch", "TtlAmt"}), currency_);
    if (fault_.empty() && batch.exceeds(total))
        fault_ = "the transactions of the batch add up to " + batch.more_than(*total);
}

std::string BatchTotals::finish() {
    end_batch();
    if (fault_.empty() && whole_.exceeds(amount_))
        fault_ = "the transactions of the entry add up to " + whole_.more_than(*amount_);
    return std::move(fault_);
}

}  // namespace drawbridge::statements
