// Answers of the API, read with patience: a field that is missing, null or of another type reads as nothing, so that an
// older daemon behind a newer console still gets its page. Private to this module.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/domain/money.hpp"
#include "drawbridge/domain/time.hpp"

namespace drawbridge::pages {

using Json = nlohmann::json;

// null where there is none.
[[nodiscard]] const Json& field(const Json& from, std::string_view key);
// An empty list where there is none.
[[nodiscard]] const Json& list_in(const Json& from, std::string_view key);
// A text, or a number as text; empty where there is none.
[[nodiscard]] std::string text_in(const Json& from, std::string_view key);
[[nodiscard]] std::string text_of(const Json& value);
[[nodiscard]] std::optional<std::int64_t> number_in(const Json& from, std::string_view key);
[[nodiscard]] std::int64_t count_in(const Json& from, std::string_view key);  // 0 where there is none
[[nodiscard]] bool flag_in(const Json& from, std::string_view key);
[[nodiscard]] std::optional<Money> money_in(const Json& from, std::string_view key);
[[nodiscard]] std::optional<Instant> instant_in(const Json& from, std::string_view key);
[[nodiscard]] std::optional<BusinessDate> date_in(const Json& from, std::string_view key);

}  // namespace drawbridge::pages
