#include "history_reader.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "operators.hpp"

namespace drawbridge::rules {
namespace {

using std::chrono::milliseconds;
using text::YamlNode;
using text::YamlReader;

constexpr std::string_view duplicate_key = "duplicate_within";

struct Sum {
    std::string_view key;
    HistoryOf of;
    bool total;
};
constexpr Sum sums[] = {
    {"case_total", HistoryOf::case_id, true},        {"case_count", HistoryOf::case_id, false},
    {"requester_total", HistoryOf::requester, true}, {"requester_count", HistoryOf::requester, false},
    {"workflow_total", HistoryOf::workflow, true},   {"workflow_count", HistoryOf::workflow, false},
    {"payee_total", HistoryOf::payee, true},         {"payee_count", HistoryOf::payee, false},
};

// Reads a time window in hours or days, of at most ten years. `6m` would be six minutes, and whoever writes it means
// months.
std::optional<milliseconds> read_window(YamlReader& reader, const YamlNode& node, const std::string& what) {
    constexpr std::chrono::days longest{3653};
    const auto length = reader.duration_ms(node, what);
    if (!length) return std::nullopt;
    if (*length <= 0 || milliseconds(*length) > longest) {
        reader.error(node, what + " is " + node.scalar(), "it must be longer than 0s and at most 3653d");
        return std::nullopt;
    }
    if (node.scalar().ends_with('m') || node.scalar().ends_with('s')) {
        reader.error(node, what + " is " + node.scalar() + ", which is minutes or seconds",
                     "write hours or days, like 180d; there is no unit for months");
        return std::nullopt;
    }
    return milliseconds(*length);
}

std::optional<FieldValue> read_wanted(YamlReader& reader, const YamlNode& node, bool total, const std::string& what) {
    if (total) {
        const auto money = reader.money(node, what);
        return money ? std::optional<FieldValue>(*money) : std::nullopt;
    }
    const auto count = reader.integer_in(node, what, 0, std::numeric_limits<std::int32_t>::max());
    return count ? std::optional<FieldValue>(*count) : std::nullopt;
}

bool read_sum(YamlReader& reader, const Sum& sum, const YamlNode& node, std::vector<Condition>& into) {
    const std::string name(sum.key);
    const std::string example = sum.total ? "{over: 30d, lte: 7500.00}" : "{over: 30d, lte: 3}";
    if (node.kind() != YamlNode::Kind::map) {
        reader.error(node, name + " needs a window and a comparison", "write it like " + name + ": " + example);
        return false;
    }
    if (!reader.check_map(node, {"over", "eq", "gt", "gte", "lt", "lte"}, "'" + name + "'")) return false;
    const YamlNode* over = reader.require(node, "over", "'" + name + "'");
    const auto window = over == nullptr ? std::nullopt : read_window(reader, *over, name + ".over");
    bool good = window.has_value();
    bool compared = false;
    for (const YamlNode::Entry& entry : node.entries()) {
        const auto op = find_operator(entry.key);
        if (!op || entry.key == "over") continue;
        compared = true;
        auto wanted = read_wanted(reader, entry.value, sum.total, name + "." + entry.key);
        if (wanted && window) {
            into.push_back({HistoryTest{sum.of, sum.total, *window, *op, std::move(*wanted)}});
        } else {
            good = false;
        }
    }
    if (!compared) {
        reader.error(node, name + " has no comparison", "write it like " + name + ": " + example);
        good = false;
    }
    return good;
}

template <class T>
T choose(YamlReader& reader, const YamlNode& node, const std::string& what,
         const std::vector<std::pair<std::string_view, T>>& choices, T fallback) {
    const auto word = reader.text(node, what);
    if (!word) return fallback;
    std::string list;
    std::vector<std::string_view> names;
    for (const auto& [name, value] : choices) {
        if (name == *word) return value;
        list += (list.empty() ? "" : ", ") + std::string(name);
        names.push_back(name);
    }
    const auto meant = text::closest_match(*word, names);
    reader.error(node, what + " cannot be '" + *word + "'",
                 meant.empty() ? "it is one of " + list : "did you mean '" + std::string(meant) + "'?");
    return fallback;
}

std::optional<Limit> read_limit(YamlReader& reader, const YamlNode& node) {
    if (!reader.check_map(node, {"count", "amount", "per", "by"}, "a limit")) return std::nullopt;
    Limit limit;
    if (const YamlNode* count = YamlReader::find(node, "count")) {
        limit.count = reader.integer_in(*count, "count", 0, std::numeric_limits<std::int32_t>::max());
    }
    if (const YamlNode* amount = YamlReader::find(node, "amount")) limit.amount = reader.money(*amount, "amount");
    if (YamlReader::find(node, "count") == nullptr && YamlReader::find(node, "amount") == nullptr) {
        reader.error(node, "a limit has neither count nor amount", "add 'count:', 'amount:' or both");
    }
    if (const YamlNode* per = reader.require(node, "per", "a limit")) {
        limit.per =
            choose<LimitPer>(reader, *per, "per",
                             {{"run", LimitPer::run}, {"day", LimitPer::day}, {"week", LimitPer::week}}, LimitPer::day);
    }
    if (const YamlNode* by = YamlReader::find(node, "by")) {
        limit.by = choose<LimitBy>(
            reader, *by, "by",
            {{"case", LimitBy::case_id}, {"workflow", LimitBy::workflow}, {"requester", LimitBy::requester}},
            LimitBy::everything);
    }
    if (limit.count == 0 || limit.amount == Money{})
        reader.warning(node, "this limit approves nothing", "raise it, or set the rule to 'hold'");
    return limit;
}

// A daily limit that is not below the weekly limit never holds anything.
void warn_of_ineffective_daily_limit(YamlReader& reader, const YamlNode& node, const Limit& limit,
                                     const std::vector<Limit>& all) {
    if (limit.per != LimitPer::day) return;
    const bool idle = std::ranges::any_of(all, [&](const Limit& week) {
        return week.per == LimitPer::week && week.by == limit.by &&
               (!limit.count || (week.count && *limit.count >= *week.count)) &&
               (!limit.amount || (week.amount && *limit.amount >= *week.amount));
    });
    if (idle) {
        reader.warning(node, "this daily limit is never reached before the weekly limit", "lower it or remove it");
    }
}

}  // namespace

const std::vector<std::string_view>& history_keys() {
    static const std::vector<std::string_view> keys = [] {
        std::vector<std::string_view> all = {duplicate_key};
        for (const Sum& sum : sums)
            all.push_back(sum.key);
        return all;
    }();
    return keys;
}

bool is_history_key(std::string_view key) {
    return std::ranges::find(history_keys(), key) != history_keys().end();
}

bool read_history(YamlReader& reader, const YamlNode::Entry& entry, std::vector<Condition>& into) {
    if (entry.key == duplicate_key) {
        const auto window = read_window(reader, entry.value, entry.key);
        if (window) into.push_back({DuplicateTest{*window}});
        return window.has_value();
    }
    return read_sum(reader, *std::ranges::find(sums, std::string_view(entry.key), &Sum::key), entry.value, into);
}

std::vector<Limit> read_limits(YamlReader& reader, const YamlNode& node) {
    std::vector<Limit> limits;
    std::vector<const YamlNode*> places;
    if (node.kind() != YamlNode::Kind::sequence || node.items().empty()) {
        reader.error(node, "'limits' must be a list of at least one limit",
                     "write it like [{amount: 10000.00, per: day}, {count: 2, per: week, by: case}]");
        return limits;
    }
    for (const YamlNode& item : node.items()) {
        auto limit = read_limit(reader, item);
        if (!limit) continue;
        const bool again = std::ranges::any_of(
            limits, [&](const Limit& other) { return other.per == limit->per && other.by == limit->by; });
        if (again) {
            reader.warning(item, "two limits per " + std::string(to_string(limit->per)) + " have the same scope",
                           "both apply; keep the lower one");
        }
        limits.push_back(*limit);
        places.push_back(&item);
    }
    if (std::ranges::all_of(limits, [](const Limit& limit) { return limit.per == LimitPer::run; })) {
        reader.warning(node, "a run is one pass of decisions after each poll: these limits start again with each",
                       "add a limit per day");
    }
    for (std::size_t i = 0; i < limits.size(); ++i)
        warn_of_ineffective_daily_limit(reader, *places[i], limits[i], limits);
    return limits;
}

}  // namespace drawbridge::rules
