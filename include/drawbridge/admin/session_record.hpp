// What GET /sessions answers with.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "drawbridge/domain/time.hpp"

namespace drawbridge::admin::records {

// A session of the console that is not over. Its id is no secret and opens nothing.
struct Session {
    std::string id, by;
    std::optional<std::int64_t> person_id = {};
    std::string how;                              // "link", "passkey"
    std::optional<std::string> fingerprint = {};  // of the passkey
    std::optional<std::string> address = {};      // of the browser, as the console says
    Instant opened_at, last_used_at, expires;
    bool read_only = false;
    bool own = false;  // the caller's
};
BOOST_DESCRIBE_STRUCT(Session, (),
                      (id, by, person_id, how, fingerprint, address, opened_at, last_used_at, expires, read_only, own))

}  // namespace drawbridge::admin::records
