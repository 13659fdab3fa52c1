// Keeping the ledger: verifying it, backing it up, and the end of a restoration. Private to this module.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "drawbridge/admin/handlers.hpp"

#include "page.hpp"

namespace drawbridge::admin {

using nlohmann::json;

// GET /verify?entry=NUMBER: the invariants, the manifests beside the ledger, and the hash of that entry of the audit
// trail; without a number, of the newest.
[[nodiscard]] asio::awaitable<Result<json>> verify_view(AdminContext& context, ledger::Stamp by, std::string entry);
// GET /exports: what the ledger knows to have gone out, to be held against manifests that are kept elsewhere.
[[nodiscard]] json exports_view(AdminContext& context);
// POST /backup
[[nodiscard]] asio::awaitable<Result<json>> back_up(AdminContext& context, json body, ledger::Stamp by);
// GET /backups
[[nodiscard]] json backups_view(AdminContext& context, const Page& page);
// The newest; null: none was made.
[[nodiscard]] json last_backup_view(AdminContext& context);
// Of a ledger that was put back; null: it was not.
[[nodiscard]] json restoration_view(AdminContext& context);
// POST /resume. Where the ledger was put back, this ends the restoration too: a person has looked at what the
// comparison found.
struct Resume {
    bool nothing_else_sent = false;
    bool despite_exceptions = false;  // a second person says so
};
[[nodiscard]] Result<json> resume(AdminContext& context, const Resume& how, const std::string& reason,
                                  const ledger::Stamp& stamp);

}  // namespace drawbridge::admin
