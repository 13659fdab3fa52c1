// What differs between two payee directories, for people: account numbers are masked.
#pragma once

#include <string>
#include <vector>

#include "drawbridge/disbursement/payees.hpp"

namespace drawbridge::disbursement {

struct FieldChange {
    std::string field;     // a column of the file
    std::string from, to;  // what is shown; empty: there was, or is, nothing
};

struct PayeeChange {
    enum class Kind { added, removed, changed };
    Kind kind = Kind::changed;
    std::string key;
    std::vector<FieldChange> fields;  // of an added payee every one it has, of a removed payee likewise
};

// By key. The order of the lines in the files does not count.
[[nodiscard]] std::vector<PayeeChange> changes_between(const PayeeDirectory& before, const PayeeDirectory& now);

[[nodiscard]] std::string_view to_string(PayeeChange::Kind kind);  // "added", "removed", "changed"

}  // namespace drawbridge::disbursement
