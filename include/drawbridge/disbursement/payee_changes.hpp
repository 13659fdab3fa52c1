// The differences between two payee directories, for people: account numbers are masked.
#pragma once

#include <boost/describe/class.hpp>
#include <string>
#include <vector>

#include "drawbridge/disbursement/payees.hpp"

namespace drawbridge::disbursement {

struct FieldChange {
    std::string field;     // a column of the file
    std::string from, to;  // as shown, with a mark at what only looks the same; empty: none
};
BOOST_DESCRIBE_STRUCT(FieldChange, (), (field, from, to))

struct PayeeChange {
    enum class Kind { added, removed, changed };
    Kind kind = Kind::changed;
    std::string key;
    std::vector<FieldChange> fields;  // for an added or removed payee, every field with a value
};

// Ordered by key. The order of lines in the files does not matter.
[[nodiscard]] std::vector<PayeeChange> changes_between(const PayeeDirectory& before, const PayeeDirectory& now);

[[nodiscard]] std::string_view to_string(PayeeChange::Kind kind);  // "added", "removed", "changed"

}  // namespace drawbridge::disbursement
