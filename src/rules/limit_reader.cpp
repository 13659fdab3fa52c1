#include "limit_reader.hpp"

#include <limits>
#include <string>

#include "past_reader.hpp"

namespace drawbridge::rules {
namespace {

using text::YamlNode;
using text::YamlReader;

constexpr const char* sample = "write it like {per: day, by: case, count: 3, amount: 5000.00}";

std::optional<std::string> read_word(YamlReader& reader, const YamlNode* node, std::string_view what) {
    return node == nullptr ? std::nullopt : reader.text(*node, what);
}

void read_period(YamlReader& reader, const YamlNode& node, Limit& limit) {
    const YamlNode* per = reader.require(node, "per", "a limit");
    const auto word = read_word(reader, per, "per");
    if (!word) return;
    for (const Period period : {Period::run, Period::day, Period::week}) {
        if (to_string(period) != *word) continue;
        limit.per = period;
        return;
    }
    reader.error(*per, "per is '" + *word + "'", "it must be run, day or week");
}

void read_limit(YamlReader& reader, const YamlNode& node, Limit& limit) {
    limit.line = node.line();
    limit.column = node.column();
    read_period(reader, node, limit);
    const YamlNode* by = YamlReader::find(node, "by");
    if (const auto word = read_word(reader, by, "by")) {
        limit.by = find_subject(*word, /*payee_too=*/false);
        if (!limit.by) reader.error(*by, "by is '" + *word + "'", "it must be case, workflow or requester");
    }
    const YamlNode* count = YamlReader::find(node, "count");
    if (count != nullptr) {
        limit.count = reader.integer_in(*count, "count", 1, std::numeric_limits<std::int64_t>::max());
    }
    const YamlNode* amount = YamlReader::find(node, "amount");
    if (amount != nullptr) limit.amount = reader.money(*amount, "amount");
    if (limit.amount && limit.amount->is_zero()) {
        reader.error(*amount, "a limit of 0.00 approves nothing", "use 'enabled: false' to switch a rule off");
    }
    if (count == nullptr && amount == nullptr) reader.error(node, "a limit has neither 'count' nor 'amount'", sample);
}

// Whether `limit` lets through at least what `other`, of a period that lies within, does at most: the same or more.
template <class T>
bool is_wider(const std::optional<T>& limit, const std::optional<T>& other) {
    return limit && other && *limit >= *other;
}

void doubt(YamlReader& reader, const YamlNode& node, const std::vector<Limit>& limits, std::size_t index) {
    const Limit& limit = limits[index];
    for (std::size_t i = 0; i < limits.size(); ++i) {
        const Limit& other = limits[i];
        if (i == index || other.by != limit.by) continue;
        if (other.per == limit.per) {
            if (i < index) {
                reader.warning(node,
                               "a second limit per " + std::string(to_string(limit.per)) + ", as on line " +
                                   std::to_string(other.line),
                               "write both into one");
            }
            continue;
        }
        // A week has room for what its days and runs have, so a day's limit above the week's limits nothing.
        const bool longer = other.per == Period::week && limit.per == Period::day;
        const bool idle = (limit.count || limit.amount) && (!limit.count || is_wider(limit.count, other.count)) &&
                          (!limit.amount || is_wider(limit.amount, other.amount));
        if (longer && idle) {
            reader.warning(node,
                           "this limit is never reached before that of the " + std::string(to_string(other.per)) +
                               " on line " + std::to_string(other.line),
                           "lower it, or remove it");
        }
    }
}

}  // namespace

std::vector<Limit> read_limits(YamlReader& reader, const YamlNode& node) {
    std::vector<Limit> limits;
    if (node.kind() != YamlNode::Kind::sequence || node.items().empty()) {
        reader.error(node, "'limits' must be a list of at least one limit",
                     "write it like [{per: day, by: case, count: 3, amount: 5000.00}]");
        return limits;
    }
    for (const YamlNode& item : node.items()) {
        Limit limit;
        if (!reader.check_map(item, {"per", "by", "count", "amount"}, "a limit")) continue;
        read_limit(reader, item, limit);
        limits.push_back(limit);
    }
    for (std::size_t i = 0; limits.size() == node.items().size() && i < limits.size(); ++i)
        doubt(reader, node.items()[i], limits, i);
    return limits;
}

}  // namespace drawbridge::rules
