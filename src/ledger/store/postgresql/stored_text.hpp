// Texts that PostgreSQL cannot store as they are: a NUL, or bytes that are not UTF-8, in what the service, a bank or
// the name of a file contains. Each such byte is stored as a character of its own, U+10FF00 and the byte, and is read
// as the byte again, so that a text, its comparisons and the audit trail's hashes are the same as in SQLite.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace drawbridge::ledger::postgresql {

// nullopt: it is stored as it is.
[[nodiscard]] std::optional<std::string> text_to_store(std::string_view text);
[[nodiscard]] std::string text_from_store(std::string_view stored);

}  // namespace drawbridge::ledger::postgresql
