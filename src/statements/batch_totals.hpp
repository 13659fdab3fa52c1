// Compares the transactions of a camt debit entry with what the entry and its batches say of them. Private to this
// module.
#pragma once

#include <pugixml.hpp>
#include <string>

namespace drawbridge::statements {

// The transaction's own amount as booked; null: it states none.
[[nodiscard]] pugi::xml_node booked_amount(const pugi::xml_node& transaction);

// Why the transactions cannot all be part of the entry; empty: they can. An entry or batch may be for more than its
// transactions, because of charges or because it does not show all of them, but never for less. Only amounts in US
// dollars are compared, and only if every transaction states one.
[[nodiscard]] std::string fault_in_batches(const pugi::xml_node& entry);

}  // namespace drawbridge::statements
