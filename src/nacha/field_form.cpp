// Checks whether a field's characters have the form that its table requires.
#include <array>

#include "drawbridge/domain/assigned_routing.hpp"
#include "record_layout.hpp"

namespace drawbridge::nacha {

namespace {

bool is_listed(std::string_view value, std::string_view list) {
    for (std::size_t at = 0; at < list.size();) {
        const std::size_t end = std::min(list.find(' ', at), list.size());
        if (list.substr(at, end - at) == value) return true;
        at = end + 1;
    }
    return false;
}

bool is_date(std::string_view text) {
    if (is_blank(text) || is_zeros(text)) return true;
    return all_digits(text) && yymmdd(text).ok();
}
bool is_time(std::string_view text) {
    return is_blank(text) || (all_digits(text) && number(text.substr(0, 2)) < 24 && number(text.substr(2)) < 60);
}
bool is_month(std::string_view digits) {
    return all_digits(digits) && number(digits) >= 1 && number(digits) <= 12;
}
bool is_month_and_day(std::string_view text) {
    if (!is_month(text.substr(0, 2)) || !all_digits(text)) return false;
    const auto day = std::chrono::day(static_cast<unsigned>(number(text.substr(2))));
    return (std::chrono::month(static_cast<unsigned>(number(text.substr(0, 2)))) / day).ok();
}
bool is_julian_day(std::string_view text) {
    return all_digits(text) && text >= "001" && text <= "366";
}
bool is_day_of_year(std::string_view text) {
    return is_blank(text) || text == "000" || is_julian_day(text);
}

constexpr std::array<bool, 256> is_common_in_accounts = [] {
    std::array<bool, 256> table{};
    for (const char c : std::string_view("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-"))
        table[static_cast<unsigned char>(c)] = true;
    return table;
}();
// Common characters, then spaces; either part may be empty.
bool is_common_then_blank(std::string_view value) {
    const auto is_common = [](char c) { return is_common_in_accounts[static_cast<unsigned char>(c)]; };
    return is_blank({std::ranges::find_if_not(value, is_common), value.end()});
}

constexpr std::string_view left_justified = "must be left-justified";
constexpr std::string_view only_zeros = "must not be only zeros";

std::optional<Fault> account_fault(std::string_view value) {
    const std::string_view account = unpadded(value);
    if (account.empty()) return Fault{Severity::error, "must not be blank"};
    if (account.front() == ' ') return Fault{Severity::error, std::string(left_justified)};
    if (is_zeros(account)) return Fault{Severity::error, std::string(only_zeros)};
    if (is_common_account(account)) return std::nullopt;
    return Fault{Severity::warning, "contains characters other than 0-9, A-Z and hyphens: some banks reject it"};
}

std::optional<Fault> origin_fault(std::string_view value) {
    constexpr std::string_view what = "must be a space and nine, or ten, characters of 0-9 and A-Z";
    const std::string_view id = trimmed(value);
    if (id.empty()) return Fault{Severity::error, std::string(what)};
    if (!std::ranges::all_of(id, is_letter_or_digit)) return Fault{Severity::error, std::string(what)};
    if (is_zeros(id)) return Fault{Severity::error, std::string(only_zeros)};
    if (id.size() < 9) return Fault{Severity::warning, std::string(what)};
    if (value.back() == ' ') return Fault{Severity::warning, "should follow a space, not precede it"};
    if (std::ranges::any_of(id, is_lower)) return Fault{Severity::warning, "has lowercase letters"};
    return std::nullopt;
}

std::optional<Fault> identification_fault(std::string_view value) {
    if (is_blank(value) || value.starts_with("  ")) return Fault{Severity::error, "must be filled in"};
    if (is_only_zeros(value)) return Fault{Severity::error, std::string(only_zeros)};
    return std::nullopt;
}

// The state of a terminal. Provinces and territories also occur, so only the form is checked.
std::optional<Fault> state_fault(std::string_view value) {
    if (is_blank(value)) return Fault{Severity::error, "must not be blank"};
    if (std::ranges::all_of(value, is_upper)) return std::nullopt;
    return Fault{Severity::warning, "should be two capital letters"};
}

std::optional<Fault> letters_fault(std::string_view value, std::size_t count) {
    if (is_blank(value)) return Fault{Severity::warning, "should be filled in"};
    if (std::ranges::all_of(value, is_upper)) return std::nullopt;
    return Fault{Severity::error, "must be " + std::to_string(count) + " letters"};
}

// A record that lost its type or a character may be an entry, whose account number could then be anywhere. So a value
// is shown only if the record itself identifies its type, and never from an entry or from addenda that contain account
// numbers.
bool is_safe_to_show(std::string_view record) {
    switch (record.front()) {
        case '1': return slice(record, 35, 3) == "094" || slice(record, 38, 3) == "101";
        case '5': return is_listed(slice(record, 51, 3), "ADV IAT CCD CTX PPD WEB TEL COR");
        case '8': return is_blank(slice(record, 74, 6));
        case '9': return is_blank(slice(record, 72, 23));
        case '7': return slice(record, 2, 2) == "05" || slice(record, 2, 2) == "99";
        default: return false;
    }
}

class FieldChecker {
  public:
    FieldChecker(std::string_view record, const Field& field)
        : record_(record), field_(field), value_(slice(record, field)) {}

    [[nodiscard]] std::optional<Fault> unless(bool holds, const std::string& what, std::string_view list = {}) const {
        if (holds) return std::nullopt;
        const bool is_short = field_.length <= 3 && field_.position < 4;
        const std::string shown =
            is_short || is_safe_to_show(record_) ? "'" + std::string(value_) + "' " : "the value ";
        return Fault{Severity::error, shown + what + std::string(list)};
    }
    [[nodiscard]] std::optional<Fault> required_text() const {
        if (is_blank(value_)) return Fault{Severity::error, "must not be blank"};
        if (value_.front() == ' ') return Fault{Severity::warning, std::string(left_justified)};
        return std::nullopt;
    }
    [[nodiscard]] std::optional<Fault> name() const {
        if (is_only_zeros(value_)) return Fault{Severity::error, std::string(only_zeros)};
        return required_text();
    }
    [[nodiscard]] std::optional<Fault> fault() const {
        switch (field_.form) {
            case FieldForm::text: return std::nullopt;
            case FieldForm::digits: return unless(all_digits(value_), "must be digits");
            case FieldForm::blank: return unless(is_blank(value_), "must be blank");
            case FieldForm::constant: return unless(value_ == field_.allowed, "must be ", field_.allowed);
            case FieldForm::one_of: return unless(is_listed(value_, field_.allowed), "is not one of ", field_.allowed);
            case FieldForm::transaction:
                return unless(is_transaction_code(value_[0], value_[1]), "is not a transaction code");
            case FieldForm::zero_or_one: return unless(value_ == "0" || value_ == "1", "is not one of 0 1");
            case FieldForm::one_of_or_blank:
                return unless(is_blank(value_) || is_listed(unpadded(value_), field_.allowed), "is not one of ",
                              field_.allowed);
            case FieldForm::digits_or_blank:
                return unless(is_blank(value_) || all_digits(value_), "must be digits, or blank");
            case FieldForm::required_text: return required_text();
            case FieldForm::name: return name();
            case FieldForm::account: return account_fault(value_);
            case FieldForm::routing:
                return unless(parse_assigned_routing(value_).has_value(), "is not a routing number");
            case FieldForm::date: return unless(is_date(value_), "is not a valid date (YYMMDD)");
            case FieldForm::time: return unless(is_time(value_), "is not a time of day (HHMM)");
            case FieldForm::month_and_day: return unless(is_month_and_day(value_), "is not a month and day (MMDD)");
            case FieldForm::month_and_year:
                return unless(is_month(value_.substr(0, 2)) && all_digits(value_), "is not a month and year (MMYY)");
            case FieldForm::julian_day: return unless(is_julian_day(value_), "is not a day of the year (001-366)");
            case FieldForm::day_of_year: return unless(is_day_of_year(value_), "is not a day of the year (001-366)");
            case FieldForm::file_id:
                return unless(is_digit(value_.front()) || is_upper(value_.front()), "must be A-Z or 0-9");
            case FieldForm::origin: return origin_fault(value_);
            case FieldForm::identification: return identification_fault(value_);
            case FieldForm::state: return state_fault(value_);
            case FieldForm::country: return letters_fault(value_, 2);
            case FieldForm::currency: return letters_fault(value_, 3);
        }
        return std::nullopt;
    }

  private:
    std::string_view record_;
    const Field& field_;
    std::string_view value_;
};

}  // namespace

// Checks the first sixteen at once: counted from the first character, the bits of common characters are ones, and the
// bits of spaces are all the others.
bool is_common_account(std::string_view value) {
    if (value.size() < sizeof(Sixteen) || !is_common_in_accounts[static_cast<unsigned char>(value.front())])
        return !is_blank(value.substr(0, 1)) && is_common_then_blank(value);
    const Sixteen head = sixteen_at(value.data());
    const Sixteen usual =
        reinterpret_cast<Sixteen>(((head - '0') <= 9) | (((head | 0x20) - 'a') <= 25) | (head == '-'));
    const Sixteen blank = reinterpret_cast<Sixteen>(head == ' ');
    __extension__ typedef unsigned __int128 Bits;
    const Bits common_bits = std::bit_cast<Bits>(usual);
    const bool is_common_head = (common_bits & (common_bits + 1)) == 0 && std::bit_cast<Bits>(blank) == ~common_bits;
    const std::string_view tail = value.substr(sizeof head);
    return is_common_head && (value[sizeof head - 1] == ' ' ? is_blank(tail) : is_common_then_blank(tail));
}

std::optional<Fault> destination_fault(std::string_view value, bool is_answer) {
    if (is_only_zeros(value)) return Fault{Severity::error, std::string(only_zeros)};
    const bool has_head = value.front() == ' ' || value.front() == '0';
    if (has_head && parse_assigned_routing(value.substr(1))) return std::nullopt;
    if (is_answer && !is_blank(value)) return Fault{Severity::warning, "is not a routing number"};
    if (value.back() == ' ' && RoutingNumber::parse(value.substr(0, 9)))
        return Fault{Severity::warning, "the routing number should follow a space, not precede it"};
    return Fault{Severity::error, "must be a space and a routing number with a valid check digit"};
}

std::optional<Fault> fault_in(std::string_view record, const Field& field) {
    return FieldChecker(record, field).fault();
}

}  // namespace drawbridge::nacha
