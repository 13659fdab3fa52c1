// The kinds of messages in the journal, each with its own MESSAGE_ID, so that people can watch for one of them:
// `journalctl MESSAGE_ID=...`. An id is given once and never changes.
#pragma once

#include <spdlog/common.h>

#include <span>
#include <string>
#include <string_view>

namespace drawbridge::daemon {

struct MessageKind {
    std::string_view id;       // 128 bits in hex
    std::string_view actions;  // rows of the audit trail that begin so; empty: the daemon says it itself
    spdlog::level::level_enum level;
    std::string_view title;    // for the catalog and the guide
    std::string_view meaning;  // and what to do, where there is something to do
};

[[nodiscard]] std::span<const MessageKind> journal_messages();
// Of a row of the audit trail: the longest beginning that fits.
[[nodiscard]] const MessageKind& kind_of_action(std::string_view action);

namespace kinds {
[[nodiscard]] const MessageKind& ready();
[[nodiscard]] const MessageKind& stopped();
[[nodiscard]] const MessageKind& step_ran();
[[nodiscard]] const MessageKind& step_failed();
[[nodiscard]] const MessageKind& problem();
[[nodiscard]] const MessageKind& reload_refused();
[[nodiscard]] const MessageKind& alerts_fail();
}  // namespace kinds

}  // namespace drawbridge::daemon
