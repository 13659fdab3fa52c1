// pay, checks and confirmations.
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "secret_files.hpp"
#include "sections.hpp"

namespace drawbridge::config {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using text::YamlNode;

std::optional<Money> read_limit(const Section& section, std::string_view key) {
    const YamlNode* node = section.find(key);
    if (node == nullptr) return std::nullopt;
    auto limit = section.reader().money(*node, section.what(key));
    if (limit && limit->is_zero()) {
        section.reader().error(*node, section.what(key) + " is zero", "remove the key for no limit");
        return std::nullopt;
    }
    return limit;
}

int read_days(const Section& section, std::string_view key) {
    constexpr auto day = hours(24);
    const auto length = section.duration(key);
    if (length % day != milliseconds(0)) {
        section.reader().error(*section.find(key), section.what(key) + " is not in whole days", "write it like 7d");
    }
    return static_cast<int>(length / day);
}

std::set<BusinessDate> read_closures(const Section& section) {
    const YamlNode* node = section.find("closures");
    if (node == nullptr) return {};
    const auto texts = section.reader().texts(*node, "pay.closures");
    std::set<BusinessDate> closures;
    for (std::size_t i = 0; texts && i < texts->size(); ++i) {
        if (const auto date = parse_date((*texts)[i])) {
            closures.insert(*date);
        } else {
            section.reader().error(node->items()[i], "pay.closures: " + date.error().message,
                                   "write it like 2026-12-24");
        }
    }
    return closures;
}

// The profile or layout file of a format that needs one. The other formats describe themselves.
std::optional<std::filesystem::path> read_profile_file(const Section& section, statements::Format format,
                                                       const Origin& origin) {
    using statements::Format;
    const bool may = format == Format::csv || format == Format::paid_checks || format == Format::acknowledgment;
    const YamlNode* node = section.find("profile");
    if (node == nullptr) {
        if (format == statements::Format::paid_checks) static_cast<void>(section.require("profile"));
        return std::nullopt;
    }
    if (!may) {
        section.reader().error(*node, "confirmations.profiles.profile is only for csv, paid_checks and acknowledgment",
                               "remove it; the other formats need none");
        return std::nullopt;
    }
    return origin.resolve(section.text("profile", ""));
}

// The configuration names files that contain account numbers, never the numbers themselves.
std::vector<AccountNumber> read_accounts(const Section& section, const Origin& origin) {
    if (const YamlNode* value = section.find("account_numbers")) {
        section.reader().error(*value, section.what("account_numbers") + " must not be in this file",
                               "write each number to a file of mode 0600 and list the files in "
                               "account_number_files");
    }
    std::vector<AccountNumber> accounts;
    const YamlNode* node = section.find("account_number_files");
    if (node == nullptr) return accounts;
    const std::string what = section.what("account_number_files");
    const auto files = section.reader().texts(*node, what);
    for (std::size_t i = 0; files && i < files->size(); ++i) {
        const YamlNode& item = node->items()[i];
        const auto secret = read_secret(section.reader(), item, what, origin, (*files)[i]);
        if (!secret) continue;
        auto account = AccountNumber::parse(secret->reveal());
        if (account) {
            accounts.push_back(std::move(*account));
        } else {
            section.reader().error(item, what + ": " + account.error().message,
                                   "write only one account number to each file");
        }
    }
    return accounts;
}

// Without daylight saving time, the cutoffs come an hour late for half of the year.
void warn_of_fixed_zone(const Section& section, const std::string& name) {
    struct FixedZone {
        std::string_view name, city;
    };
    constexpr FixedZone zones[] = {
        {"EST", "America/New_York"},
        {"Etc/GMT+5", "America/New_York"},
        {"Etc/GMT+6", "America/Chicago"},
        {"MST", "America/Denver, or America/Phoenix in Arizona"},
        {"Etc/GMT+7", "America/Denver, or America/Phoenix in Arizona"},
        {"Etc/GMT+8", "America/Los_Angeles"},
        {"Etc/GMT+9", "America/Anchorage"},
        {"HST", "Pacific/Honolulu"},
        {"Etc/GMT+10", "Pacific/Honolulu"},
    };
    const auto* found = std::ranges::find(zones, name, &FixedZone::name);
    if (found == std::end(zones)) return;
    section.reader().warning(*section.find("timezone"), "pay.timezone: " + name + " has no daylight saving time",
                             "write " + std::string(found->city));
}

}  // namespace

disbursement::NumberRange read_range(const Section& section, std::string_view key) {
    const Section range = section.child(key);
    const disbursement::NumberRange read{range.integer("from"), range.integer("to")};
    if (read.from <= read.to) return read;
    section.reader().error(*section.find(key), section.what(key) + ": `from` is larger than `to`", "swap them");
    return {read.to, read.from};
}

std::optional<Pay> read_pay(const Section& root) {
    const Section section = root.child("pay");
    auto cutoffs = read_times(section, "cutoffs", {hours(10), hours(15) + minutes(30)});
    if (const YamlNode* node = section.find("cutoffs");
        node != nullptr && node->kind() == YamlNode::Kind::sequence && node->items().empty()) {
        section.reader().warning(*node, "pay.cutoffs is an empty list: Drawbridge never writes payment files",
                                 "list times of day like [\"10:00\", \"15:30\"], or remove the key for these defaults");
    }
    const Release release =
        section.choice<Release>("release", {{"manual", Release::manual}, {"auto", Release::automatic}});
    const auto release_limit = read_limit(section, "release_limit");
    const Section limits = section.child("limits");
    disbursement::Guards guards;
    guards.payment_limit = read_limit(limits, "payment");
    guards.day_limit = read_limit(limits, "day");
    guards.duplicate_days = read_days(section, "duplicate_window");
    guards.payee_hold_days = read_days(section, "payee_hold");
    auto file_limit = read_limit(limits, "file");
    auto closures = read_closures(section);
    std::optional<milliseconds> acknowledge_within;
    if (section.find("acknowledge_within") != nullptr) acknowledge_within = section.duration("acknowledge_within");
    const std::string name = section.text("timezone", "America/New_York");
    auto zone = TimeZone::find(name);
    if (!zone) {
        const YamlNode* node = section.find("timezone");
        section.reader().error(node == nullptr ? 0 : node->line(), node == nullptr ? 0 : node->column(),
                               "pay.timezone: " + zone.error().message);
        return std::nullopt;
    }
    warn_of_fixed_zone(section, name);
    const auto file_numbers = read_range(section, "file_numbers");
    const auto payment_ids = read_range(section, "payment_ids");
    return Pay{std::move(*zone), std::move(cutoffs), release,     release_limit,       guards,
               file_limit,       file_numbers,       payment_ids, std::move(closures), acknowledge_within};
}

std::optional<Checks> read_checks(const Section& root, const Origin& origin) {
    const Section section = root.child("checks");
    if (!section.present()) return std::nullopt;
    const auto secret = read_secret_of(section, origin, "account_number_file", "account_number");
    static_cast<void>(section.require("first_number"));
    const std::int64_t first_number = section.integer("first_number");
    const std::int64_t last_number = section.integer("last_number");
    if (last_number < first_number) {
        section.reader().error(*section.find("last_number"), "checks.last_number is smaller than checks.first_number",
                               "write the number of the last check that this instance may use");
    }
    std::filesystem::path layout = origin.resolve(section.text("layout", "layouts/issue-csv.yaml"));
    // Whole days: checks become stale on a date, not at a time of day.
    const std::chrono::days stale_after(read_days(section, "stale_after"));
    if (!secret) return std::nullopt;
    auto account_number = AccountNumber::parse(secret->reveal());
    if (!account_number) {
        section.reader().error(*section.find("account_number_file"),
                               "checks.account_number_file: " + account_number.error().message,
                               "write only the account number to the file");
        return std::nullopt;
    }
    return Checks{std::move(*account_number), first_number, last_number, std::move(layout), stale_after};
}

Confirmations read_confirmations(const Section& root, const Origin& origin) {
    const Section section = root.child("confirmations");
    Confirmations confirmations;
    confirmations.quiet_period = section.duration("quiet_period");
    confirmations.max_file_bytes = static_cast<std::uint64_t>(section.integer("max_file_bytes"));
    confirmations.accounts = read_accounts(section, origin);
    if (const YamlNode* labels = section.find("check_number_labels")) {
        auto texts = section.reader().texts(*labels, section.what("check_number_labels"));
        if (texts) confirmations.check_number_labels = std::move(*texts);
    }
    const YamlNode* node = section.find("profiles");
    if (node == nullptr) {
        confirmations.profiles.push_back({.match = "*.csv"});
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
        using statements::Format;
        const auto format = profile.choice<Format>("format", {{"csv", Format::csv},
                                                              {"nacha", Format::nacha},
                                                              {"bai2", Format::bai2},
                                                              {"camt053", Format::camt053},
                                                              {"camt054", Format::camt054},
                                                              {"pain002", Format::pain002},
                                                              {"paid_checks", Format::paid_checks},
                                                              {"acknowledgment", Format::acknowledgment}});
        auto file = read_profile_file(profile, format, origin);
        if (!match) continue;
        if (match->contains('/')) {
            section.reader().error(*profile.find("match"), "confirmations.profiles.match must not contain '/'",
                                   "write a pattern for the file name alone");
        }
        if (match->contains('[')) {
            section.reader().error(*profile.find("match"), "confirmations.profiles.match must not contain '['",
                                   "use only * and ? as wildcards");
        }
        confirmations.profiles.push_back({std::move(*match), format, std::move(file)});
    }
    return confirmations;
}

}  // namespace drawbridge::config
