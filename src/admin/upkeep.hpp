// Maintenance routes: verify, backup, and resume with the end of a restoration. Private to this module.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "drawbridge/admin/handlers.hpp"
#include "drawbridge/admin/records.hpp"

#include "page.hpp"

namespace drawbridge::admin {

using nlohmann::json;

// GET /verify?entry=NUMBER: the invariants, the manifests next to the ledger, and the hash of that audit trail entry.
// The default is the newest entry.
[[nodiscard]] asio::awaitable<Result<json>> verify_view(AdminContext& context, ledger::Stamp by, std::string entry);
// GET /exports: the released files in the ledger, for comparison with manifests that are kept elsewhere.
[[nodiscard]] json exports_view(AdminContext& context);
// POST /backup
[[nodiscard]] asio::awaitable<Result<json>> back_up(AdminContext& context, json body, ledger::Stamp by);
// GET /backups
[[nodiscard]] json backups_view(AdminContext& context, const Page& page);
// The newest backup; nullopt: none.
[[nodiscard]] std::optional<records::Backup> last_backup(AdminContext& context);
// POST /resume. For a restored ledger this also ends the restoration: a person has reviewed the comparison.
struct Resume {
    bool nothing_else_sent = false;
    bool despite_exceptions = false;  // by a second person
};
[[nodiscard]] Result<json> resume(AdminContext& context, const Resume& how, const std::string& reason,
                                  const ledger::Stamp& stamp);

}  // namespace drawbridge::admin
