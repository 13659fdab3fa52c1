// The kinds of messages in the journal. Each has its own MESSAGE_ID, so that people can filter for it:
// `journalctl MESSAGE_ID=...`. An id never changes.
#pragma once

#include <spdlog/common.h>

#include <string>
#include <string_view>

namespace drawbridge::daemon {

struct MessageKind {
    std::string_view id;       // 128 bits in hex
    std::string_view actions;  // prefix of audit trail actions; empty: not from the audit trail
    spdlog::level::level_enum level;
    std::string_view title;    // in the catalog and the guide
    std::string_view meaning;  // and what to do, if anything
};

// The kind of an audit trail action: the one with the longest matching prefix.
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

// systemd/drawbridge.catalog: the meaning of each message kind in the journal.
[[nodiscard]] std::string journal_catalog();

}  // namespace drawbridge::daemon
