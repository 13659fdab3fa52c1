// How the delivery of files looks in the operators' API. Private to this module.
#pragma once

#include <prometheus/registry.h>

#include <string>

#include "drawbridge/admin/handlers.hpp"
#include "views.hpp"

namespace drawbridge::admin {

// null: the bank's side takes the file from outgoing/ as it is.
[[nodiscard]] json delivery_view(ledger::Ledger& ledger, const ledger::FileRow& file);
// With every step of its upload.
[[nodiscard]] json delivery_steps_view(ledger::Ledger& ledger, const ledger::FileRow& file);
[[nodiscard]] json evidence_view(ledger::Ledger& ledger, ledger::FileId file_id);  // how it is known to be at the bank
// {"files", "oldest"}: released, and not yet at the bank's server.
[[nodiscard]] json undelivered_view(ledger::Ledger& ledger);
void add_delivery_metrics(prometheus::Registry& registry, AdminContext& context);

// `how`: "by_hand" or "again"; `file`: the payment file's name.
[[nodiscard]] Result<json> settle_delivery(AdminContext& context, const std::string& file, const std::string& how,
                                           const std::string& reason, const ledger::Stamp& stamp);
// {"file", "line", "payments", "total", "outcome", "detail"}
[[nodiscard]] json comparison_view(const pipeline::Comparison& found);
// `body`: {"payments", "total"}.
[[nodiscard]] Result<json> acknowledge(AdminContext& context, const std::string& file, const json& body,
                                       const std::string& reason, const ledger::Stamp& stamp);
// The file that an exception of delivery is about. Errors: it is about none.
[[nodiscard]] Result<std::string> file_of_exception(AdminContext& context, std::int64_t exception_id);
// Such an exception is not closed by a word: what is to become of the file must be said.
[[nodiscard]] bool needs_settlement(const ledger::ExceptionRow& row);

}  // namespace drawbridge::admin
