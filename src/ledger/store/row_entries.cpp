#include "store/row_entries.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

constexpr std::size_t max_single_entries = 10;

void write_range(Ledger& ledger, const std::vector<const RowEntry*>& entries) {
    const auto [first, last] = std::ranges::minmax(entries, {}, [](const RowEntry* entry) { return entry->row_id; });
    audit(ledger, entries.back()->stamp, first->action,
          std::string(first->rows) + " " + std::to_string(first->row_id) + " to " + std::to_string(last->row_id),
          std::to_string(entries.size()) + " of them, from " + first->subject + " to " + last->subject);
}

}  // namespace

void audit_row(Ledger& ledger, RowEntry entry) {
    assert_in_transaction(ledger);
    if (entry.stamp.uid) return audit(ledger, entry.stamp, entry.action, entry.subject, entry.detail);
    ledger.connection().row_entries.push_back(std::move(entry));
}

void write_row_entries(Ledger& ledger) {
    const auto gathered = std::exchange(ledger.connection().row_entries, {});
    std::map<std::string_view, std::vector<const RowEntry*>> by_action;
    for (const auto& entry : gathered)
        by_action[entry.action].push_back(&entry);
    for (const auto& [action, entries] : by_action) {
        if (entries.size() > max_single_entries) {
            write_range(ledger, entries);
            continue;
        }
        for (const RowEntry* entry : entries)
            audit(ledger, entry->stamp, entry->action, entry->subject, entry->detail);
    }
}

}  // namespace drawbridge::ledger
