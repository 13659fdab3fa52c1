// Compares the transactions of a camt debit entry with what the entry and its batches say of them. Private to this
// module.
#pragma once

#include <cstdint>
#include <optional>
#include <pugixml.hpp>
#include <string>

namespace drawbridge::statements {

// The transaction's own amount as booked; null: it states none.
[[nodiscard]] pugi::xml_node booked_amount(const pugi::xml_node& transaction);

// Why the transactions of an entry cannot all be part of it. An entry or batch may be for more than its transactions,
// because of charges or because it does not show all of them, but never for less. Only amounts in US dollars are
// compared, and only if every transaction states one.
class BatchTotals {
  public:
    explicit BatchTotals(const pugi::xml_node& entry);
    // In order.
    void add(const pugi::xml_node& transaction);
    // Empty: they can. Call it once.
    [[nodiscard]] std::string finish();

  private:
    struct Sum {
        std::int64_t count = 0;
        std::int64_t cents = 0;
        bool is_known = true;  // false: a transaction states no amount in US dollars
        bool is_too_large = false;

        void add(const Sum& more);
        [[nodiscard]] bool exceeds(const std::optional<std::int64_t>& stated) const;
        [[nodiscard]] std::string more_than(std::int64_t stated) const;
    };
    void end_batch();

    std::string side_, currency_;
    std::optional<std::int64_t> amount_;  // of the entry
    pugi::xml_node details_;              // NtryDtls of the last transaction
    Sum batch_, whole_;
    std::string fault_;
};

}  // namespace drawbridge::statements
