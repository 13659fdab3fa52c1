// What the tree of one element of an ISO 20022 message says, by local names.
#pragma once

#include <initializer_list>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "drawbridge/domain/confirmation.hpp"
#include "drawbridge/domain/time.hpp"
#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::statements {

// The first child with this name; null: there is none.
[[nodiscard]] pugi::xml_node child(const pugi::xml_node& of, std::string_view name);
[[nodiscard]] pugi::xml_node at_path(pugi::xml_node node, std::initializer_list<std::string_view> names);
// The element's own text, trimmed. A comment, CDATA or a processing instruction may divide it.
[[nodiscard]] std::string own_text(const pugi::xml_node& node);
// Trimmed; empty if there is no such element.
[[nodiscard]] std::string text_at(const pugi::xml_node& node, std::initializer_list<std::string_view> names);
// "BOOK"; later versions put it in a Cd element.
[[nodiscard]] std::string code_at(const pugi::xml_node& node, std::string_view name);
// The office's zone; nullopt: unknown.
using Zone = std::optional<TimeZone>;
// The day of an ISO date or date-time. A time with an offset is converted to the zone; any other is as the bank writes
// it, in its own zone. Midnight in UTC is how some banks write a day without a time.
[[nodiscard]] std::optional<BusinessDate> day_of(std::string_view text, const Zone& zone);
// The day in a Dt, a DtTm or the element itself.
[[nodiscard]] std::optional<BusinessDate> day_at(const pugi::xml_node& node, std::string_view name, const Zone& zone);
// Of a camt transaction. Unstructured remittance may be in several elements; structured remittance may have the
// reference that we gave. Its parts have the separator between them.
[[nodiscard]] std::string remittance_text(const pugi::xml_node& one, std::string_view separator = " ");

// An xs:decimal as most banks write it: "300" of "+00300.", "0.50" of ".50". Empty: it has an exponent, which an
// xs:decimal has not.
[[nodiscard]] std::string plain_decimal(std::string_view text);

// The currency of an amount, if it states one.
void read_currency(const pugi::xml_node& amount, Confirmation& c);
// False, after reporting an error: the amount cannot be read.
[[nodiscard]] bool read_amount(const pugi::xml_node& amount, Confirmation& c, text::DiagnosticReport& report);
// Notes that the line states no amount, and what else is known of it.
void append_no_amount(Confirmation& c, const std::string& more);

}  // namespace drawbridge::statements
