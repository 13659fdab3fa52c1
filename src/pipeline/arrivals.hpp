// Keeps the bytes of confirmation files in the ledger, where it is in PostgreSQL: another host that takes over finds
// what has left the inbox of this one. Private to this module.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "drawbridge/pipeline/context.hpp"

namespace drawbridge::pipeline {

// Who handed a file in: the person who ordered this act, else the owner of the file.
struct Hand {
    std::int64_t uid = 0;
    std::string by;
};
[[nodiscard]] Hand hand_of(const Context& context, std::int64_t owner_uid);

// On return the bytes and what is known of the file are durable, unless they were before or are imported already.
// `bytes` outlives the call.
[[nodiscard]] boost::asio::awaitable<void> keep_arrival(Context& context, const spool::Snapshot& bytes,
                                                        std::string name, std::string profile, Hand hand);
// Before inbox/NAME is claimed. A file that cannot be read now is kept when it is imported, or is refused then.
[[nodiscard]] boost::asio::awaitable<void> keep_inbox_file(Context& context, std::string name);
// After files were claimed, and while none is being handed in: what was kept and is not claimed here was changed or
// removed in between, or before this process started. Nobody may import it.
void withdraw_unclaimed(Context& context);
// The SHA-256 of each claimed file.
[[nodiscard]] std::vector<std::string> claimed_hashes(const Context& context);

}  // namespace drawbridge::pipeline
