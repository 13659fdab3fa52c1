#include "entry_summary.hpp"

#include <charconv>
#include <optional>
#include <utility>

#include "line_sink.hpp"
#include "xml_nodes.hpp"

namespace drawbridge::statements {
namespace {

constexpr std::size_t decimals = 5;
constexpr std::size_t max_digits = 18;

// "1250.5" in hundred-thousandths; nullopt: not a number, or too large.
std::optional<std::int64_t> scaled(std::string_view amount) {
    const std::string text = plain_decimal(amount);
    const std::size_t point = text.find('.');
    std::string digits = text.substr(0, point);
    std::string fraction = point == std::string::npos ? "" : text.substr(point + 1);
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

}  // namespace

void EntrySummary::read(const XmlPath& path, std::string_view text) {
    // Document/BkToCstmrStmt/GrpHdr/MsgPgntn/LastPgInd, or …/Stmt/StmtPgntn/LastPgInd
    if (path.size() == 5 && path[3].ends_with("Pgntn")) {
        if (path[4] == "LastPgInd" && (text == "false" || text == "0")) is_page_ = true;
        if (path[4] == "PgNb" && !is_count(text, 1)) is_page_ = true;
    }
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

void EntrySummary::add(const Entry& entry, int line) {
    last_line_ = line;
    const auto value = scaled(entry.amount);
    for (Part* part : {&all_, entry.side == "DBIT" ? &debits_ : &credits_}) {
        for (Sum* sum : {&part->whole, &part->without_pending}) {
            if (sum == &part->without_pending && entry.status == "PDNG") continue;
            ++sum->count;
            if (!value || __builtin_add_overflow(sum->sum, *value, &sum->sum)) part->has_sum = false;
        }
    }
}

void EntrySummary::compare(text::DiagnosticReport& report) {
    struct Named {
        const char* name;
        const Part* part;
    };
    const EntrySummary done = std::exchange(*this, EntrySummary());
    if (done.is_page_) return;
    for (const auto& [name, part] : {Named{"entries", &done.all_}, Named{"credit entries", &done.credits_},
                                     Named{"debit entries", &done.debits_}}) {
        const auto report_mismatch = [&](const std::string& what, const std::string& stated, const std::string& found) {
            report.add(
                done.last_line_, 0,
                "the summary says that the " + std::string(name) + what + stated.substr(0, 40) + ", but " + found,
                "the file is damaged or truncated: ask the bank for it again");
        };
        const auto& [stated_count, stated_sum, whole, booked, has_sum] = *part;
        if (!stated_count.empty() && !is_count(stated_count, whole.count) && !is_count(stated_count, booked.count))
            report_mismatch(" are ", stated_count, "there are " + std::to_string(whole.count));
        const auto stated = scaled(stated_sum);
        const bool agrees = has_sum && (stated == whole.sum || stated == booked.sum);
        if (!stated_sum.empty() && !agrees)
            report_mismatch(" add up to ", stated_sum,
                            has_sum ? "they add up to " + decimal(whole.sum) : "an amount among them is not a number");
    }
}

}  // namespace drawbridge::statements
