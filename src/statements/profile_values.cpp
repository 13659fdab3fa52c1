#include "profile_values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/text/show.hpp"
#include "line_sink.hpp"

namespace drawbridge::statements {
namespace {

// The digits without thousands separators, which must be in the right places; nullopt otherwise.
std::optional<std::string> ungrouped(std::string_view whole, char thousands) {
    std::string digits;
    std::size_t since = 0;
    bool grouped = false;
    for (const char c : whole) {
        if (is_digit(c)) {
            digits += c;
            ++since;
        } else if (c == thousands && thousands != '\0' && since > 0 && since <= 3 && (!grouped || since == 3)) {
            grouped = true;
            since = 0;
        } else {
            return std::nullopt;
        }
    }
    if (digits.empty() || (grouped && since != 3)) return std::nullopt;
    return digits;
}

void append_utf8(std::string& to, std::uint32_t code) {
    if (code < 0x80) {
        to += static_cast<char>(code);
    } else if (code < 0x800) {
        to += static_cast<char>(0xC0U | (code >> 6U));
        to += static_cast<char>(0x80U | (code & 0x3FU));
    } else {
        to += static_cast<char>(0xE0U | (code >> 12U));
        to += static_cast<char>(0x80U | ((code >> 6U) & 0x3FU));
        to += static_cast<char>(0x80U | (code & 0x3FU));
    }
}

}  // namespace

std::optional<ConfirmationKind> find_kind(const CsvProfile& profile, std::string_view word) {
    const std::string wanted = lowercase(trim(word));
    const auto found =
        std::ranges::find_if(profile.words, [&](const StatusWord& one) { return lowercase(one.word) == wanted; });
    if (found == profile.words.end()) return std::nullopt;
    return found->kind;
}

Result<SignedAmount> parse_profile_amount(const CsvProfile& profile, std::string_view text) {
    SignedAmount read;
    text = trim(text);
    if (text.size() >= 2 && text.front() == '(' && text.back() == ')') {
        read.negative = true;
        text = trim(text.substr(1, text.size() - 2));
    }
    const auto take_minus = [&] {
        const bool front = text.starts_with('-');
        if (text.empty() || read.negative || (!front && !text.ends_with('-'))) return;
        read.negative = true;
        text = trim(front ? text.substr(1) : text.substr(0, text.size() - 1));
    };
    take_minus();
    const bool has_plus = !read.negative && text.starts_with('+');
    if (has_plus) text = trim(text.substr(1));
    if (!profile.symbol.empty() && text.starts_with(profile.symbol)) text = trim(text.substr(profile.symbol.size()));
    if (!has_plus) take_minus();
    if (!has_plus && !read.negative && text.starts_with('+')) text = trim(text.substr(1));
    const std::size_t point = text.find(profile.decimal);
    const auto whole = ungrouped(text.substr(0, point), profile.thousands);
    const std::string_view cents = point == std::string_view::npos ? std::string_view() : text.substr(point + 1);
    const bool digits = all_digits(cents) && (point == std::string_view::npos || !cents.empty());
    if (!whole || !digits) return fail(ErrorCode::invalid_input, "is not an amount in the profile's format");
    const auto amount = Money::parse(*whole + (cents.empty() ? "" : "." + std::string(cents)));
    if (!amount) return fail(ErrorCode::invalid_input, "is not an amount in dollars and cents");
    read.amount = *amount;
    return read;
}

std::expected<std::string, std::size_t> decode_windows1252(std::string_view bytes) {
    // 0x80 to 0x9F; 0 means undefined.
    constexpr std::array<std::uint16_t, 32> upper = {0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                                     0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017D, 0,
                                                     0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                     0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};
    std::string text;
    text.reserve(bytes.size() + bytes.size() / 16);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const auto byte = static_cast<unsigned char>(bytes[i]);
        const std::uint32_t code = byte >= 0x80 && byte <= 0x9F ? upper.at(byte - 0x80U) : byte;
        if (code == 0 && byte != 0) return std::unexpected(i);
        append_utf8(text, code);
    }
    return text;
}

Result<Acknowledgment> parse_acknowledgment(const CsvProfile& profile, std::string_view file_name,
                                            std::string_view payments, std::string_view total) {
    constexpr std::size_t max_name = 100, max_count = 9;
    const bool has_control =
        std::ranges::any_of(file_name, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
    if (file_name.empty() || has_control || file_name.size() > max_name)
        return fail(ErrorCode::invalid_input, text::quoted(file_name) + " is not a file name");
    Acknowledgment result{.file_name = std::string(file_name)};
    const bool is_count = !payments.empty() && payments.size() <= max_count &&
                          payments.find_first_not_of("0123456789") == std::string_view::npos;
    if (!is_count) return fail(ErrorCode::invalid_input, text::quoted(payments) + " is not a number of payments");
    std::from_chars(payments.data(), payments.data() + payments.size(), result.payments);
    const auto amount = parse_profile_amount(profile, total);
    if (!amount) {
        return fail(ErrorCode::invalid_input,
                    "the total " + text::quoted(total) + " " +
                        (profile.name.empty() ? "is not an amount like 1234.50, without a dollar sign or thousands "
                                                "separators"
                                              : amount.error().message));
    }
    if (amount->negative) return fail(ErrorCode::invalid_input, "the total " + text::quoted(total) + " is negative");
    result.total = amount->amount;
    return result;
}

const CsvProfile& plain_confirmation() {
    static const CsvProfile plain = [] {
        const auto column = [](const char* name) { return FactSource{ColumnRef{name}, {}}; };
        CsvProfile profile;
        profile.references = {{ReferenceKind::any, column("payment_reference")}};
        profile.status = column("status");
        profile.words = {{"paid", ConfirmationKind::paid},
                         {"returned", ConfirmationKind::returned},
                         {"void", ConfirmationKind::voided}};
        profile.amount = ColumnRef{"amount"};
        profile.date = column("date");
        return profile;
    }();
    return plain;
}

const CsvProfile& plain_acknowledgment() {
    static const CsvProfile plain = [] {
        CsvProfile profile;
        profile.expected_header = {"file_name", "payments", "total"};
        profile.file_name = ColumnRef{"file_name"};
        profile.payments = ColumnRef{"payments"};
        profile.amount = ColumnRef{"total"};
        return profile;
    }();
    return plain;
}

}  // namespace drawbridge::statements
