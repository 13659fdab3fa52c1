// Lists the archived files and reads one. Private to this module.
#pragma once

#include "call.hpp"

namespace drawbridge::admin {

[[nodiscard]] asio::awaitable<Answer> archive_view(AdminContext& context, Call call);

// {"name", "reason", "offset"}: plain bytes from the offset, at most archive_piece_bytes. Fewer: the end of the file.
// Every chunk is recorded in the audit trail before it is returned.
[[nodiscard]] asio::awaitable<Result<std::string>> show_archived(AdminContext& context, Call call);

}  // namespace drawbridge::admin
