// Exceptions with the proposed payments of their lines, and the acts that resolve them or undo that. Private to this
// module.
#pragma once

#include "drawbridge/admin/handlers.hpp"
#include "drawbridge/ledger/facts/resolutions.hpp"
#include "page.hpp"
#include "views.hpp"

namespace drawbridge::admin {

// Searching for proposals is expensive: a list does it for at most this many exceptions.
inline constexpr int max_looked_up = 50;
inline constexpr int max_candidates_per_list = 100;

[[nodiscard]] records::Proposal record_of(const reconciliation::Proposal& proposal);

// An empty text selects every exception.
struct ExceptionsWanted {
    bool open = true;
    std::string reason_code = {}, step = {};
    std::optional<BusinessDate> closed_on = {};  // in the office's zone
};
// The open ones, oldest first, or the closed ones, newest first. The first ones that are about an unapplied line name
// the likeliest payment.
[[nodiscard]] json exceptions_view(AdminContext& context, const Page& page, const ExceptionsWanted& wanted);
// The case, its line and its proposals.
[[nodiscard]] Result<json> exception_view(AdminContext& context, std::int64_t exception_id);

// "P0000000123" or its number.
[[nodiscard]] Result<std::int64_t> payment_named(const std::string& text);
// `match` is a payment, "P0000000123" or its number. Empty: only closes the exception.
[[nodiscard]] Result<json> resolve(AdminContext& context, const ledger::Resolution& what, const std::string& match,
                                   const ledger::Stamp& stamp);
[[nodiscard]] Result<json> undo(AdminContext& context, const ledger::Resolution& what, const ledger::Stamp& stamp);

}  // namespace drawbridge::admin
