#include "reports/violations.hpp"

#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

constexpr std::size_t max_listed_violations = 100;
constexpr std::string_view and_more = "… and more";

}  // namespace

void list_violations(Ledger& ledger, std::string_view sql, InvariantResult& into) {
    Query query(ledger, sql);
    while (query.next()) {
        if (into.violations.size() < max_listed_violations) {
            into.violations.push_back(query.record<std::string>());
            continue;
        }
        if (into.violations.back() != and_more) into.violations.emplace_back(and_more);
        return;
    }
}

}  // namespace drawbridge::ledger
