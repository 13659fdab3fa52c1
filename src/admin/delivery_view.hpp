// The delivery of files in the operators' API. Private to this module.
#pragma once

#include <prometheus/registry.h>

#include <string>

#include "drawbridge/admin/handlers.hpp"
#include "drawbridge/pipeline/acknowledge.hpp"
#include "views.hpp"

namespace drawbridge::admin {

// nullopt: the bank picks the file up from outgoing/ as it is.
[[nodiscard]] std::optional<records::Delivery> delivery_record(ledger::Ledger& ledger, const ledger::FileRow& file,
                                                               bool with_steps = false);
void add_delivery_metrics(prometheus::Registry& registry, AdminContext& context);

// `how`: "by_hand" or "again"; `file`: the payment file's name.
[[nodiscard]] Result<json> record_delivery_outcome(AdminContext& context, const std::string& file,
                                                   const std::string& how, const std::string& reason,
                                                   const ledger::Stamp& stamp);
// {"file", "line", "payments", "total", "outcome", "detail"}
[[nodiscard]] records::Comparison record_of(const pipeline::Comparison& found);
// `body`: {"payments", "total"}.
[[nodiscard]] Result<json> acknowledge(AdminContext& context, const std::string& file, const json& body,
                                       const std::string& reason, const ledger::Stamp& stamp);
// The file that the path of an act names, as /files/NAME/… or by its exception, as /exceptions/ID/…. Error: the
// exception is not about a file.
[[nodiscard]] Result<std::string> file_of_path(AdminContext& context, const Call& call);
// True if the exception cannot simply be resolved: a person must state the outcome of the file's delivery.
[[nodiscard]] bool needs_delivery_outcome(const ledger::ExceptionRow& row);

}  // namespace drawbridge::admin
