// Confirmation files that a person ingests: uploaded in chunks, then previewed or taken. Private to this module.
#pragma once

#include <cstdint>
#include <string>

#include "drawbridge/admin/handlers.hpp"
#include "views.hpp"

namespace drawbridge::admin {

// Drops the owner's oldest uploads: few of one person are open at a time.
[[nodiscard]] Result<json> begin_upload(AdminContext& context, std::int64_t owner);
[[nodiscard]] Result<json> append_upload(AdminContext& context, const std::string& upload, std::uint64_t offset,
                                         const std::string& bytes);
// `body`: {"name", "profile", "limit", "keep"}: what taking it would do, line by line. The upload is gone afterwards,
// unless "keep" is true and it was not taken before: then it can be taken as it was seen.
[[nodiscard]] asio::awaitable<Result<json>> preview(AdminContext& context, std::string upload, json body);
// Likewise: takes it as if it had been dropped into the inbox. Error (conflict): it is not the file with that "sha256".
[[nodiscard]] asio::awaitable<Result<json>> take(AdminContext& context, std::string upload, json body,
                                                 ledger::Stamp by);

// For GET /status: inbox files that are not taken.
[[nodiscard]] records::Inbox inbox(AdminContext& context);

}  // namespace drawbridge::admin
