// How amounts, days, counts, states and names read on a page: the same everywhere. Private to this module.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "drawbridge/domain/money.hpp"
#include "drawbridge/pages/context.hpp"
#include "drawbridge/pages/html.hpp"

namespace drawbridge::pages {

// "—": there is none.
[[nodiscard]] Html none();

[[nodiscard]] std::string money_words(const std::optional<Money>& amount);  // "$1,234.50", "−$3.00", "—"
[[nodiscard]] Html amount(const std::optional<Money>& amount);
[[nodiscard]] Html amount_in(const Json& from, std::string_view key);
// For figures that stand alone: the cents in smaller type.
[[nodiscard]] Html large_amount(const std::optional<Money>& amount);

[[nodiscard]] std::string weekday_words(BusinessDate date);                            // "Tuesday"
[[nodiscard]] std::string day_words(const PageContext& page, BusinessDate date);       // "Tue, Nov 24"
[[nodiscard]] std::string long_day_words(const PageContext& page, BusinessDate date);  // "Tuesday, November 24"
[[nodiscard]] std::string time_words(const PageContext& page, Instant at);             // "15:30"
[[nodiscard]] std::string moment_words(const PageContext& page, Instant at);  // "Tue, Nov 24 15:30", "today 15:30"
[[nodiscard]] std::string length_words(std::chrono::milliseconds length);     // "2 h 11 min", "3 d"
[[nodiscard]] Html day(const PageContext& page, const std::optional<BusinessDate>& date);
[[nodiscard]] Html moment(const PageContext& page, const std::optional<Instant>& at);
[[nodiscard]] Html day_in(const PageContext& page, const Json& from, std::string_view key);
[[nodiscard]] Html moment_in(const PageContext& page, const Json& from, std::string_view key);
// "in 2 h 11 min"; modules/clock.js keeps it true.
[[nodiscard]] Html countdown(const PageContext& page, Instant until);
// "2 h", "3 banking days", "just now"
[[nodiscard]] Html age(const PageContext& page, const std::optional<Instant>& since);
// "2 h ago", "just now"
[[nodiscard]] Html ago(const PageContext& page, const std::optional<Instant>& since);

[[nodiscard]] std::string counted(std::int64_t count, std::string_view what);  // "1 draw", "12,500 draws"
[[nodiscard]] std::string grouped(std::int64_t count);                         // "12,500"
// As a sentence begins: "No", "One", … "Nine", "10".
[[nodiscard]] std::string number_words(std::int64_t count);
[[nodiscard]] std::string capitalized(std::string text);
// A sentence of the daemon as a page shows it: begins with a capital, and "19513.82" is "$19,513.82", but not as an
// example of how to write it.
[[nodiscard]] std::string sentence(std::string_view said);
// Each instant in it ("2026-11-24T15:30:00.000Z") as a moment of the page's time zone.
[[nodiscard]] std::string with_local_times(const PageContext& page, std::string_view text);
// `what is between backticks` as code.
[[nodiscard]] Html with_code(std::string_view text);
// Each SHA-256 in it by its first 12 digits, the whole text in the title.
[[nodiscard]] Html with_short_hashes(std::string_view text);
// "void_requested" → "void requested"
[[nodiscard]] std::string spaced(std::string_view name);

// gray: nothing to say; wait: waits for a person; alarm: something is wrong; good: checked and true.
enum class Tone { plain, wait, alarm, good, accent };
[[nodiscard]] std::string_view class_of(Tone tone);
[[nodiscard]] Html tag(Tone tone, std::string_view words);
[[nodiscard]] Tone tone_of_state(std::string_view state);  // of a draw
[[nodiscard]] Html state_tag(std::string_view state);
[[nodiscard]] Html file_state_tag(std::string_view state);
[[nodiscard]] Html check_state_tag(std::string_view state);

// Whether the file voids or stops checks and pays nothing.
[[nodiscard]] bool has_check_orders(const Json& file);
// "3 payments", "2 check orders"
[[nodiscard]] std::string items_words(const Json& file);
// Who did something, as the ledger writes it: "uid 1000 (anna)" → "anna".
[[nodiscard]] std::string person_words(std::string_view by);
[[nodiscard]] std::string people_words(const Json& list);  // "Anna, Bert"
// The beginning of a hash, all of it in the title.
[[nodiscard]] Html hash(std::string_view sha256);
[[nodiscard]] Html mono(std::string_view text);

}  // namespace drawbridge::pages
