// pay, ach, checks and confirmations.
#include <algorithm>
#include <string>
#include <utility>

#include "files.hpp"
#include "sections.hpp"

namespace drawbridge::config {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using text::YamlNode;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::optional<minutes> parse_time_of_day(std::string_view text) {
    const bool shaped = text.size() == 5 && text[2] == ':' && is_digit(text[0]) && is_digit(text[1]) &&
                        is_digit(text[3]) && is_digit(text[4]);
    if (!shaped) return std::nullopt;
    const int hour = (text[0] - '0') * 10 + (text[1] - '0');
    const int minute = (text[3] - '0') * 10 + (text[4] - '0');
    if (hour > 23 || minute > 59) return std::nullopt;
    return minutes(hour * 60 + minute);
}

std::vector<minutes> read_cutoffs(const Section& section) {
    const YamlNode* node = section.find("cutoffs");
    if (node == nullptr) return {hours(10), hours(15) + minutes(30)};
    const auto texts = section.reader().texts(*node, "pay.cutoffs");
    if (!texts) return {};
    std::vector<minutes> cutoffs;
    for (std::size_t i = 0; i < texts->size(); ++i) {
        const YamlNode& item = node->items()[i];
        const auto time = parse_time_of_day((*texts)[i]);
        if (!time) {
            section.reader().error(item, "pay.cutoffs: '" + (*texts)[i] + "' is not a time of day",
                                   "write it like \"15:30\"");
        } else if (!cutoffs.empty() && *time <= cutoffs.back()) {
            section.reader().error(item, "pay.cutoffs: " + (*texts)[i] + " does not come after the one before it",
                                   "list each time once, in the order of the day");
        } else {
            cutoffs.push_back(*time);
        }
    }
    return cutoffs;
}

bool is_printable_ascii(char c) {
    return c >= 0x20 && c <= 0x7E;
}

// A text that a NACHA field of `width` characters holds as it is.
std::optional<std::string> read_ach_text(const Section& section, std::string_view key, std::size_t width) {
    auto text = section.required_text(key);
    if (!text) return std::nullopt;
    const auto bad = std::ranges::find_if_not(*text, is_printable_ascii);
    if (bad != text->end()) {
        section.reader().error(*section.find(key),
                               section.what(key) + ": character " + std::to_string(bad - text->begin() + 1) +
                                   " cannot stand in a NACHA file",
                               "use letters A-Z, digits, blanks and ASCII signs");
        return std::nullopt;
    }
    if (text->size() > width) {
        section.reader().error(*section.find(key),
                               section.what(key) + " has " + std::to_string(text->size()) + " characters",
                               "its NACHA field holds " + std::to_string(width) + "; shorten it");
        return std::nullopt;
    }
    return text;
}

std::optional<RoutingNumber> read_routing_number(const Section& section) {
    const auto text = section.required_text("routing_number");
    if (!text) return std::nullopt;
    const auto number = RoutingNumber::parse(*text);
    if (!number) {
        section.reader().error(*section.find("routing_number"),
                               section.what("routing_number") + ": " + number.error().message,
                               "use the nine digits that the bank gave, in quotes");
        return std::nullopt;
    }
    return *number;
}

std::optional<std::string> read_origin_id(const Section& section) {
    auto id = read_ach_text(section, "id", 10);
    if (id && (id->size() < 9 || id->contains(' '))) {
        section.reader().error(*section.find("id"), section.what("id") + " must be 9 or 10 characters without blanks",
                               "use the immediate origin that the bank assigned");
        return std::nullopt;
    }
    return id;
}

}  // namespace

std::optional<Pay> read_pay(const Section& root) {
    const Section section = root.child("pay");
    auto cutoffs = read_cutoffs(section);
    const Release release =
        section.choice<Release>("release", {{"manual", Release::manual}, {"auto", Release::automatic}});
    const std::string name = section.text("timezone", "America/New_York");
    auto zone = TimeZone::find(name);
    if (!zone) {
        const YamlNode* node = section.find("timezone");
        section.reader().error(node == nullptr ? 0 : node->line(), node == nullptr ? 0 : node->column(),
                               "pay.timezone: " + zone.error().message);
        return std::nullopt;
    }
    return Pay{std::move(*zone), std::move(cutoffs), release};
}

std::optional<Ach> read_ach(const Section& root) {
    const Section section = root.child("ach");
    if (!section.present()) return std::nullopt;
    const auto part = [&](std::string_view key) {
        static_cast<void>(section.require(key));
        return section.child(key);
    };
    const Section odfi = part("odfi");
    const Section origin = part("origin");
    const Section company = part("company");
    // Widths: file header 41-63, 14-23, 64-86; batch header 5-20, 41-50, 54-63.
    auto routing_number = read_routing_number(odfi);
    auto odfi_name = read_ach_text(odfi, "name", 23);
    auto origin_id = read_origin_id(origin);
    auto origin_name = read_ach_text(origin, "name", 23);
    auto company_name = read_ach_text(company, "name", 16);
    auto company_id = read_ach_text(company, "id", 10);
    auto entry_description = read_ach_text(company, "entry_description", 10);
    if (!routing_number || !odfi_name || !origin_id || !origin_name || !company_name || !company_id ||
        !entry_description) {
        return std::nullopt;
    }
    return Ach{std::move(*routing_number),   std::move(*odfi_name),    std::move(*origin_id),
               std::move(*origin_name),      std::move(*company_name), std::move(*company_id),
               std::move(*entry_description)};
}

std::optional<Checks> read_checks(const Section& root, const Origin& origin) {
    constexpr std::int64_t largest_check_number = 9'999'999'999;  // ten digits: what issue files and MICR lines hold
    const Section section = root.child("checks");
    if (!section.present()) return std::nullopt;
    const auto secret = read_secret_of(section, origin, "account_number_file", "account_number");
    static_cast<void>(section.require("first_number"));
    const std::int64_t first_number = section.integer("first_number", 1, largest_check_number, 1);
    std::filesystem::path layout = origin.resolve(section.text("layout", "layouts/issue-csv.yaml"));
    // Days: the time of day at which a check becomes stale is nobody's concern.
    const auto stale_after = std::chrono::floor<std::chrono::days>(
        section.duration("stale_after", std::chrono::days(1), std::chrono::days(3650), std::chrono::days(180)));
    if (!secret) return std::nullopt;
    auto account_number = AccountNumber::parse(secret->reveal());
    if (!account_number) {
        section.reader().error(*section.find("account_number_file"),
                               "checks.account_number_file: " + account_number.error().message,
                               "write the account number alone into the file");
        return std::nullopt;
    }
    return Checks{std::move(*account_number), first_number, std::move(layout), stale_after};
}

Confirmations read_confirmations(const Section& root) {
    const Section section = root.child("confirmations");
    Confirmations confirmations;
    confirmations.settle = section.duration("settle", milliseconds(0), hours(1), confirmations.settle);
    const YamlNode* node = section.find("profiles");
    if (node == nullptr) {
        confirmations.profiles.push_back({"*.csv", ConfirmationFormat::csv});
        return confirmations;
    }
    if (node->kind() != YamlNode::Kind::sequence || node->items().empty()) {
        section.reader().error(*node, "confirmations.profiles must be a list of at least one profile",
                               "write it like [{match: \"*.csv\", format: csv}]");
        return confirmations;
    }
    for (const YamlNode& item : node->items()) {
        const Section profile(section.reader(), &item, "confirmations.profiles");
        auto match = profile.required_text("match");
        static_cast<void>(profile.require("format"));
        const auto format = profile.choice<ConfirmationFormat>("format", {{"csv", ConfirmationFormat::csv}});
        if (!match) continue;
        if (match->contains('/')) {
            section.reader().error(*profile.find("match"), "confirmations.profiles.match must not hold a '/'",
                                   "it is compared with the file's name alone");
        }
        confirmations.profiles.push_back({std::move(*match), format});
    }
    return confirmations;
}

}  // namespace drawbridge::config
