// The program's log: to the journal with its fields, or to stderr as lines of text or of JSON; never to stdout. No
// secret and no account number is ever given to it.
#pragma once

#include <spdlog/logger.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "drawbridge/config/config.hpp"
#include "journal_catalog.hpp"

namespace drawbridge::daemon {

using Log = std::shared_ptr<spdlog::logger>;
// Upper-case names as the journal has them ("DRAW_ID"), each with its value.
using Fields = std::vector<std::pair<std::string_view, std::string>>;

// Text where the journal is asked for and none listens.
[[nodiscard]] Log make_log(config::LogLevel level, config::LogTarget target);
// The journal, or JSON: each message stands alone, with its fields.
[[nodiscard]] bool is_structured(const Log& log);

// At the kind's own level, unless another is given. `log` is of make_log().
void log_event(const Log& log, const MessageKind& kind, const Fields& fields, std::string_view text);
void log_event(const Log& log, spdlog::level::level_enum level, const MessageKind& kind, const Fields& fields,
               std::string_view text);

// What goes out, for tests: a line of JSON; the fields of a journal entry as "NAME=value".
[[nodiscard]] std::string json_line(spdlog::level::level_enum level, Instant at, std::string_view text,
                                    const Fields& fields);
[[nodiscard]] std::vector<std::string> journal_fields(spdlog::level::level_enum level, std::string_view text,
                                                      const Fields& fields);
// Standard error is the journal that JOURNAL_STREAM names ("dev:inode").
[[nodiscard]] bool is_journal(const char* journal_stream, int descriptor);

}  // namespace drawbridge::daemon
