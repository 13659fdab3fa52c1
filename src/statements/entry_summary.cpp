#include "entry_summary.hpp"

#include <charconv>
#include <optional>

namespace drawbridge::statements {
namespace {

constexpr std::size_t decimals = 5;
constexpr std::size_t max_digits = 18;

// "1250.5" in hundred-thousandths; nullopt: not a number, or too large.
std::optional<std::int64_t> scaled(std::string_view text) {
    const std::size_t point = text.find('.');
    std::string digits(text.substr(0, point));
    std::string fraction(point == std::string_view::npos ? std::string_view() : text.substr(point + 1));
    fraction.resize(fraction.find_last_not_of('0') + 1);  // some banks write six decimals
    if (digits.empty() || fraction.size() > decimals) return std::nullopt;
    fraction.resize(decimals, '0');
    digits += fraction;
    if (digits.size() > max_digits || digits.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
    std::int64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

std::string decimal(std::int64_t value) {
    std::string text = std::to_string(value);
    if (text.size() <= decimals) text.insert(0, decimals + 1 - text.size(), '0');
    text.insert(text.size() - decimals, ".");
    while (text.ends_with('0') && text[text.size() - 3] != '.')
        text.pop_back();
    return text;
}

bool is_count(std::string_view text, std::int64_t count) {
    std::int64_t stated = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), stated);
    return error == std::errc() && end == text.data() + text.size() && stated == count;
}

}  // namespace

void EntrySummary::read(const XmlPath& path, std::string_view text) {
    // Document/BkToCstmrStmt/Stmt/TxsSummry/TtlNtries/Sum
    if (path.size() != 6 || path[3] != "TxsSummry") return;
    Part* part = nullptr;
    if (path[4] == "TtlNtries") part = &all_;
    if (path[4] == "TtlCdtNtries") part = &credits_;
    if (path[4] == "TtlDbtNtries") part = &debits_;
    if (part == nullptr) return;
    if (path[5] == "NbOfNtries") part->stated_count = text;
    if (path[5] == "Sum") part->stated_sum = text;
}

void EntrySummary::add(std::string_view amount, std::string_view side, int line) {
    last_line_ = line;
    Part& of_side = side == "DBIT" ? debits_ : credits_;
    const auto value = scaled(amount);
    for (Part* part : {&all_, &of_side}) {
        ++part->count;
        if (!value || __builtin_add_overflow(part->sum, *value, &part->sum)) is_unreadable_ = true;
    }
}

void EntrySummary::compare(text::DiagnosticReport& report) {
    struct Named {
        const char* name;
        const Part* part;
    };
    for (const auto& [name, part] :
         {Named{"entries", &all_}, Named{"credit entries", &credits_}, Named{"debit entries", &debits_}}) {
        const auto report_mismatch = [&](const std::string& what, const std::string& stated, const std::string& found) {
            report.add(
                last_line_, 0,
                "the summary says that the " + std::string(name) + what + stated.substr(0, 40) + ", but " + found,
                "the file is damaged or truncated: ask the bank for it again");
        };
        if (!part->stated_count.empty() && !is_count(part->stated_count, part->count))
            report_mismatch(" are ", part->stated_count, "there are " + std::to_string(part->count));
        if (!part->stated_sum.empty() && !is_unreadable_ && scaled(part->stated_sum) != part->sum)
            report_mismatch(" add up to ", part->stated_sum, "they add up to " + decimal(part->sum));
    }
    *this = EntrySummary();
}

}  // namespace drawbridge::statements
