// ach: the bank profile.
#include <algorithm>
#include <string>
#include <utility>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/domain/assigned_routing.hpp"
#include "drawbridge/nacha/transliterate.hpp"
#include "sections.hpp"

namespace drawbridge::config {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using text::YamlNode;

bool is_printable_ascii(char c) {
    return c >= 0x20 && c <= 0x7E;
}

// True if the text fits a NACHA field of `width` characters without changes.
bool fits(text::YamlReader& reader, const YamlNode& node, const std::string& what, const std::string& text,
          std::size_t width) {
    const auto bad = std::ranges::find_if_not(text, is_printable_ascii);
    if (bad != text.end()) {
        reader.error(node,
                     what + ": character " + std::to_string(bad - text.begin() + 1) + " is not allowed in a NACHA file",
                     "use letters A-Z, digits, spaces and ASCII punctuation");
    } else if (text.size() > width) {
        reader.error(node, what + " has " + std::to_string(text.size()) + " characters",
                     "shorten it; the NACHA field has " + std::to_string(width));
    } else if (text.starts_with(' ') || text.ends_with(' ')) {
        reader.error(node, what + " begins or ends with a space", "remove the space");
    } else {
        return true;
    }
    return false;
}

std::optional<std::string> read_ach_text(const Section& section, std::string_view key, std::size_t width) {
    auto text = section.required_text(key);
    if (!text || !fits(section.reader(), *section.find(key), section.what(key), *text, width)) return std::nullopt;
    if (text->find_first_not_of("0 ") != std::string::npos) return text;
    section.reader().error(*section.find(key), section.what(key) + " is only zeros",
                           "write a real value; banks refuse this one");
    return std::nullopt;
}

std::optional<RoutingNumber> read_routing_number(const Section& section) {
    const auto text = section.required_text("routing_number");
    if (!text) return std::nullopt;
    const auto number = parse_assigned_routing(*text);
    if (!number) {
        section.reader().error(*section.find("routing_number"),
                               section.what("routing_number") + ": " + number.error().message,
                               "write the nine digits from the bank, in quotes");
        return std::nullopt;
    }
    return *number;
}

std::optional<std::string> read_origin_id(const Section& section) {
    auto id = read_ach_text(section, "id", 10);
    if (id && (id->size() < 9 || id->contains(' '))) {
        section.reader().error(*section.find("id"), section.what("id") + " must be 9 or 10 characters without spaces",
                               "use the immediate origin that the bank assigned");
        return std::nullopt;
    }
    return id;
}

std::string read_optional_ach_text(const Section& section, std::string_view key, std::size_t width) {
    if (section.find(key) == nullptr) return {};
    return read_ach_text(section, key, width).value_or("");
}

std::map<std::int64_t, std::string> read_entry_descriptions(const Section& company) {
    std::map<std::int64_t, std::string> by_workflow;
    const YamlNode* node = company.find("entry_descriptions");
    if (node == nullptr) return by_workflow;
    const std::string what = "ach.company.entry_descriptions";
    auto& reader = company.reader();
    std::vector<std::string_view> names;
    if (node->kind() == YamlNode::Kind::map) {
        for (const auto& entry : node->entries())
            names.emplace_back(entry.key);
    }
    if (!reader.check_map(*node, names, "'" + what + "'")) return by_workflow;
    for (const auto& entry : node->entries()) {
        const bool is_id = !entry.key.empty() && entry.key.size() < 16 && std::ranges::all_of(entry.key, is_digit);
        if (!is_id) {
            reader.error(entry.line, entry.column, what + ": '" + entry.key + "' is not a workflow id",
                         "write the number of the workflow");
        } else if (auto text = reader.text(entry.value, what); text && fits(reader, entry.value, what, *text, 10)) {
            by_workflow.emplace(std::stoll(entry.key), std::move(*text));
        }
    }
    return by_workflow;
}

std::optional<disbursement::OffsetAccount> read_offset(const Section& ach, const Origin& origin) {
    const Section section = ach.child("offset");
    if (!section.present()) return std::nullopt;
    const auto routing_number = read_routing_number(section);
    const auto secret = read_secret_of(section, origin, "account_number_file", "account_number");
    const bool is_savings = section.choice<bool>("account_type", {{"checking", false}, {"savings", true}});
    if (!routing_number || !secret) return std::nullopt;
    auto account_number = AccountNumber::parse(secret->reveal());
    if (!account_number) {
        section.reader().error(*section.find("account_number_file"),
                               "ach.offset.account_number_file: " + account_number.error().message,
                               "write only the account number to the file");
        return std::nullopt;
    }
    return disbursement::OffsetAccount{*routing_number, std::move(*account_number), is_savings};
}

bool flag(const Section& section, std::string_view key, bool fallback) {
    const YamlNode* node = section.find(key);
    return node == nullptr ? fallback : section.reader().boolean(*node, section.what(key)).value_or(fallback);
}

Money amount(const Section& section, std::string_view key, Money fallback) {
    const YamlNode* node = section.find(key);
    if (node == nullptr) return fallback;
    const Money value = section.reader().money(*node, section.what(key)).value_or(fallback);
    if (value.is_zero() || value > fallback) {
        section.reader().error(*node, section.what(key) + " is " + value.to_display(),
                               "use an amount from $0.01 to " + fallback.to_display());
        return fallback;
    }
    return value;
}

disbursement::SettlePolicy read_settlement(const Section& ach) {
    using disbursement::Settle;
    disbursement::SettlePolicy policy;
    policy.settle = ach.choice<Settle>(
        "settle", {{"next_day", Settle::next_day}, {"two_days", Settle::two_days}, {"same_day", Settle::same_day}});
    if (const auto time = read_time(ach, "bank_cutoff")) policy.bank_cutoff = *time;
    const Section same_day = ach.child("same_day");
    const bool is_allowed = flag(same_day, "allowed", false);
    policy.same_day_lead = std::chrono::ceil<minutes>(same_day.duration("lead"));
    policy.same_day_limit = amount(same_day, "limit", policy.same_day_limit);
    policy.same_day_windows = read_times(same_day, "windows", policy.same_day_windows);
    if (policy.settle == Settle::same_day && !is_allowed) {
        ach.reader().error(*ach.find("settle"), "ach.settle: ach.same_day.allowed is not true",
                           "ask the bank, then write same_day: {allowed: true}");
    }
    return policy;
}

std::string read_file_id_modifiers(const Section& ach) {
    auto modifiers = ach.text("file_id_modifiers", disbursement::all_file_id_modifiers);
    std::string seen;
    for (const char c : modifiers) {
        const bool known = disbursement::all_file_id_modifiers.contains(c);
        if (known && !seen.contains(c)) {
            seen += c;
            continue;
        }
        ach.reader().error(*ach.find("file_id_modifiers"),
                           "ach.file_id_modifiers: '" + std::string(1, c) + "' " +
                               (known ? "occurs twice" : "is not one of A to Z and 0 to 9"),
                           "write each of them once, like ABCDEF");
        break;
    }
    return modifiers;
}

AchLimits read_limits(const Section& ach) {
    const Section section = ach.child("limits");
    AchLimits limits;
    limits.batch_entries = section.integer("batch_entries");
    limits.batch_total = amount(section, "batch_total", limits.batch_total);
    limits.file_entries = section.integer("file_entries");
    limits.file_total = amount(section, "file_total", limits.file_total);
    return limits;
}

// A text with placeholders. The default is T().
template <class T>
T read_template(const Section& ach, std::string_view key) {
    if (ach.find(key) == nullptr) return T();
    auto read = T::parse(ach.text(key, ""));
    if (read) return std::move(*read);
    ach.reader().error(*ach.find(key), ach.what(key) + ": " + read.error().message);
    return T();
}

}  // namespace

std::optional<minutes> parse_time_of_day(std::string_view text) {
    const bool shaped = text.size() == 5 && text[2] == ':' && is_digit(text[0]) && is_digit(text[1]) &&
                        is_digit(text[3]) && is_digit(text[4]);
    if (!shaped) return std::nullopt;
    const int hour = (text[0] - '0') * 10 + (text[1] - '0');
    const int minute = (text[3] - '0') * 10 + (text[4] - '0');
    if (hour > 23 || minute > 59) return std::nullopt;
    return minutes(hour * 60 + minute);
}

std::optional<minutes> read_time(const Section& section, std::string_view key) {
    const YamlNode* node = section.find(key);
    if (node == nullptr) return std::nullopt;
    const auto time = parse_time_of_day(section.text(key, ""));
    if (!time) {
        section.reader().error(*node, section.what(key) + " is not a time of day",
                               "write it like \"17:00\", in pay.timezone");
    }
    return time;
}

std::vector<minutes> read_times(const Section& section, std::string_view key, std::vector<minutes> fallback) {
    const YamlNode* node = section.find(key);
    if (node == nullptr) return fallback;
    const std::string what = section.what(key);
    const auto texts = section.reader().texts(*node, what);
    if (!texts) return {};
    std::vector<minutes> times;
    for (std::size_t i = 0; i < texts->size(); ++i) {
        const YamlNode& item = node->items()[i];
        const auto time = parse_time_of_day((*texts)[i]);
        if (!time) {
            section.reader().error(item, what + ": '" + (*texts)[i] + "' is not a time of day",
                                   "write it like \"15:30\"");
        } else if (!times.empty() && *time <= times.back()) {
            section.reader().error(item, what + ": " + (*texts)[i] + " is not later than the time before it",
                                   "list each time once, in ascending order");
        } else {
            times.push_back(*time);
        }
    }
    return times;
}

std::optional<Ach> read_ach(const Section& root, const Origin& folder) {
    const Section section = root.child("ach");
    if (!section.present()) return std::nullopt;
    const auto part = [&](std::string_view key) {
        static_cast<void>(section.require(key));
        return section.child(key);
    };
    const Section odfi = part("odfi");
    const Section origin = part("origin");
    const Section company = part("company");
    // Widths: file header 41-63, 14-23, 64-86; batch header 5-20, 41-50, 54-63, 21-40; file header 87-94.
    auto routing_number = read_routing_number(odfi);
    auto odfi_name = read_ach_text(odfi, "name", 23);
    auto origin_id = read_origin_id(origin);
    auto origin_name = read_ach_text(origin, "name", 23);
    auto company_name = read_ach_text(company, "name", 16);
    auto company_id = read_ach_text(company, "id", 10);
    auto entry_description = read_ach_text(company, "entry_description", 10);
    // If the routing number cannot be read, a placeholder lets reading continue; the function returns nullopt.
    Ach extras{.odfi_routing_number = routing_number.value_or(RoutingNumber::parse("011000015").value())};
    extras.company_discretionary = read_optional_ach_text(company, "discretionary", 20);
    extras.entry_descriptions = read_entry_descriptions(company);
    extras.reference_code = read_optional_ach_text(section, "reference_code", 8);
    if (section.find("destination") != nullptr) {
        auto destination = parse_assigned_routing(section.text("destination", ""));
        if (!destination) {
            section.reader().error(*section.find("destination"), "ach.destination: " + destination.error().message,
                                   "write the nine digits from the bank, in quotes");
        } else {
            extras.destination = *destination;
        }
    }
    extras.line_end =
        section.choice<nacha::LineEnd>("line_end", {{"lf", nacha::LineEnd::lf}, {"crlf", nacha::LineEnd::crlf}});
    extras.padding =
        section.choice<nacha::Padding>("padding", {{"nines", nacha::Padding::nines}, {"none", nacha::Padding::none}});
    extras.remittance = read_template<disbursement::RemittanceTemplate>(section, "remittance");
    extras.file_name = read_template<disbursement::FileNameTemplate>(section, "file_name");
    extras.file_id_modifiers = read_file_id_modifiers(section);
    extras.trace_numbers = read_range(section, "trace_numbers");
    extras.settle = read_settlement(section);
    extras.offset = read_offset(section, folder);
    extras.limits = read_limits(section);
    const Section prenotes = section.child("prenotes");
    extras.prenotes_required = flag(prenotes, "required", false);
    extras.prenote_wait_days = static_cast<int>(prenotes.integer("wait"));
    if (section.find("confirm_after_banking_days") != nullptr) {
        // At least 2: banks may send most returns until the second banking day after settlement.
        extras.confirm_after_banking_days = static_cast<int>(section.integer("confirm_after_banking_days"));
    }
    if (!routing_number || !odfi_name || !origin_id || !origin_name || !company_name || !company_id ||
        !entry_description) {
        return std::nullopt;
    }
    extras.odfi_name = std::move(*odfi_name);
    extras.origin_id = std::move(*origin_id);
    extras.origin_name = std::move(*origin_name);
    extras.company_name = std::move(*company_name);
    extras.company_id = std::move(*company_id);
    extras.entry_description = std::move(*entry_description);
    return extras;
}

}  // namespace drawbridge::config
