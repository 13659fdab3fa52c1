// Confirmation files that a person ingests: uploaded in chunks, then previewed or taken. Private to this module.
#pragma once

#include <string>

#include "drawbridge/admin/handlers.hpp"
#include "views.hpp"

namespace drawbridge::admin {

[[nodiscard]] Result<json> begin_upload(AdminContext& context);
[[nodiscard]] Result<json> append_upload(AdminContext& context, const std::string& upload, std::uint64_t offset,
                                         const std::string& bytes);
// `body`: {"name", "profile", "limit"}. Previews the effect of take() line by line, and removes the upload.
[[nodiscard]] asio::awaitable<Result<json>> preview(AdminContext& context, std::string upload, json body);
// The same `body` with "reason". Has the same effect as dropping the file into the inbox.
[[nodiscard]] asio::awaitable<Result<json>> take(AdminContext& context, std::string upload, json body,
                                                 ledger::Stamp by);

// For GET /status: inbox files that are not taken.
[[nodiscard]] json inbox_view(AdminContext& context);

}  // namespace drawbridge::admin
