// The archive's files: a list of them, and the bytes of one. Private to this module.
#pragma once

#include "call.hpp"

namespace drawbridge::admin {

[[nodiscard]] asio::awaitable<Answer> archive_view(AdminContext& context, Call call);

// {"name", "reason", "offset"}: the plain bytes from there on, at most archive_piece_bytes; fewer: that is the end.
// Every piece that is handed out is recorded first.
[[nodiscard]] asio::awaitable<Result<std::string>> show_archived(AdminContext& context, Call call);

}  // namespace drawbridge::admin
