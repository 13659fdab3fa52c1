// Names of files in the spool, derived from the names that finance gave them. Private to this module.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "drawbridge/domain/time.hpp"

namespace drawbridge::spool {

inline constexpr std::size_t max_file_name = 255;  // bytes; the limit of Linux file systems

// A valid file name in a folder: not empty, not "." or "..", no slash, no NUL.
[[nodiscard]] bool is_plain_name(std::string_view name);
// Replaces control characters, slashes and invalid UTF-8 by "_".
[[nodiscard]] std::string printable_name(std::string_view name);
// At most `max_bytes`; shortened before the extension.
[[nodiscard]] std::string shortened_name(std::string_view name, std::size_t max_bytes);

// "20260304T050607000Z-000001-<original>", shortened to max_file_name.
[[nodiscard]] std::string claimed_name(Instant now, unsigned counter, std::string_view original);
// "20260304T050607000Z-000001"
[[nodiscard]] std::string claim_stamp(Instant now, unsigned counter);
[[nodiscard]] bool is_stamp(std::string_view text);
// "20260304T050607000Z-000001-7001", with the uid of its owner.
[[nodiscard]] bool is_upload_name(std::string_view text);
// Split a claimed name: the stamp, and the original name after it. Any other name is returned unchanged.
[[nodiscard]] std::string claim_stamp_of(std::string_view claimed);
[[nodiscard]] std::string original_name_of(std::string_view claimed);

}  // namespace drawbridge::spool
