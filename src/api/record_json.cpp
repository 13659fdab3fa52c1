#include "drawbridge/api/record_json.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "drawbridge/domain/error.hpp"

namespace drawbridge::api {
namespace {

template <class T>
T known(const std::string& text, Result<T> value) {
    if (!value) throw std::runtime_error(fmt::format("an answer of the daemon: '{}': {}", text, value.error().message));
    return *value;
}

}  // namespace

std::string text_of(Instant instant) {
    return format_instant(instant);
}
std::string text_of(BusinessDate date) {
    return format_date(date);
}
std::string text_of(Money amount) {
    return amount.to_string();
}

void from_text(const std::string& text, Instant& into) {
    into = known(text, parse_instant(text));
}
void from_text(const std::string& text, BusinessDate& into) {
    into = known(text, parse_date(text));
}
// A balance may be negative; an amount that a person enters may not, and Money::parse() is for those.
void from_text(const std::string& text, Money& into) {
    const bool is_negative = text.starts_with('-');
    const auto cents = known(text, Money::parse(is_negative ? text.substr(1) : text)).cents();
    into = Money::from_cents(is_negative ? -cents : cents);
}

void throw_unknown_word(const std::string& text) {
    throw std::runtime_error(
        fmt::format("an answer of the daemon has '{}', which this program does not know: use the same version", text));
}

}  // namespace drawbridge::api
