// The program's log: to the journal with fields, or to stderr as text or JSON lines; never to stdout. It never contains
// secrets or account numbers.
#pragma once

#include <spdlog/logger.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "drawbridge/config/config.hpp"
#include "drawbridge/daemon/journal_catalog.hpp"

namespace drawbridge::daemon {

using Log = std::shared_ptr<spdlog::logger>;
// Journal field names in upper case ("DRAW_ID"), with values.
using Fields = std::vector<std::pair<std::string_view, std::string>>;

// Falls back to text if the journal is configured but not available.
[[nodiscard]] Log make_log(config::LogLevel level, config::LogTarget target);
// True for the journal and JSON, where each message has fields.
[[nodiscard]] bool is_structured(const Log& log);

// Logs at the kind's level, unless another is given. `log` must come from make_log().
void log_event(const Log& log, const MessageKind& kind, const Fields& fields, std::string_view text);
void log_event(const Log& log, spdlog::level::level_enum level, const MessageKind& kind, const Fields& fields,
               std::string_view text);

// The output formats, for tests: a JSON line, and the fields of a journal entry as "NAME=value".
[[nodiscard]] std::string json_line(spdlog::level::level_enum level, Instant at, std::string_view text,
                                    const Fields& fields);
[[nodiscard]] std::vector<std::string> journal_fields(spdlog::level::level_enum level, std::string_view text,
                                                      const Fields& fields);
// True if `descriptor` is the journal stream that JOURNAL_STREAM names ("dev:inode").
[[nodiscard]] bool is_journal(const char* journal_stream, int descriptor);

}  // namespace drawbridge::daemon
